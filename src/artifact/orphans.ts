// orphans: source files that name no artifact, source files whose governing comment cannot be read, specs without code,
// ADRs without a spec (seed "Diagnostic Query Verbs", sheet artifact-graph §7). It walks nothing: only direct
// relations count. The surprise: --scope cuts the two lists of files only; specs and ADRs are always listed in full.

import type { ArtifactNode, OrphansView } from '../model/artifact-views.ts'
import { moduleOf } from '../model/layout.ts'
import { compareUtf16 } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import { bareFiles } from '../store/queries/artifact-rows.ts'
import type { Store } from '../store/store.ts'
import type { ArtifactGraph } from './graph.ts'
import { ModuleCut, shownPath } from './modules.ts'
import { scopeTest } from './scope.ts'

/**
 * The four categories. `scope` is a path relative to the root, or to the module where one is chosen; `module` as
 * chosenModule() gave it.
 */
export function orphansView(
  store: Store,
  graph: ArtifactGraph,
  scope: string | null,
  module: string | null,
): OrphansView {
  const cut = new ModuleCut(module)
  const inScope = scopeTest(scope)
  const isListed = (file: string, shown: string): boolean =>
    inScope(file) || (module !== null && inScope(cut.id(shown)))
  const unread = graph.unrecognized.filter((one) => cut.keeps(one.module))
  const listedUnread = unread.filter(({ file, shown }) => isListed(file, shown))
  const without = filesWithout(store, graph, cut)
  const listed = without.filter(({ file, shown }) => isListed(file, shown))

  const coded = new Set<string>()
  const realised = new Set<string>()
  for (const { source, type, target } of graph.relations) {
    const [from, to] = [graph.nodes.get(source)?.kind, graph.nodes.get(target)?.kind]
    if (from === 'code') coded.add(target)
    else if (type === 'implements' && from === 'spec') realised.add(target)
    else if (type === 'governs' && to === 'spec') realised.add(source)
  }
  const artifacts = [...graph.nodes.values()].filter((node) => node.kind !== 'code' && cut.keeps(node.module))
  const ofKind = (kind: ArtifactNode['kind'], met: ReadonlySet<string>): ArtifactNode[] =>
    artifacts
      .filter((node) => node.kind === kind && !met.has(node.id))
      .sort((a, b) => compareUtf16(a.id, b.id))
      .map((node) => cut.node(node))

  return {
    verb: 'orphans',
    scope,
    scopeModule: module,
    filesWithoutGoverning: listed.map(({ shown }) => cut.id(shown)).sort(compareUtf16),
    filesUnrecognized: listedUnread
      .map(({ shown, reason }) => ({ file: cut.id(shown), reason }))
      .sort((a, b) => compareUtf16(a.file, b.file)),
    specsWithoutCode: ofKind('spec', coded),
    adrsWithoutSpec: ofKind('adr', realised),
    sentence: sentenceFor(graph, listed),
  }
}

interface BareFile {
  readonly file: string
  readonly shown: string
  readonly module: string | null
}

function filesWithout(store: Store, graph: ArtifactGraph, cut: ModuleCut): BareFile[] {
  const unread = new Set(graph.unrecognized.map(({ file }) => file))
  const found: BareFile[] = []
  for (const path of bareFiles(store)) {
    const file = displayPath(path)
    if (unread.has(file)) continue
    const module = moduleOf(graph.layout, file)?.name ?? null
    if (cut.keeps(module)) found.push({ file, shown: shownPath(graph.layout, file), module })
  }
  return found
}

/** Where nobody writes governing comments, a list of all files says nothing (issue: lenient conventions only). */
function sentenceFor(graph: ArtifactGraph, listed: readonly BareFile[]): string | null {
  if (listed.length === 0 || listed.some(({ module }) => graph.strict.has(module))) return null
  if (graph.unrecognized.length > 0 || [...graph.nodes.values()].some(({ kind }) => kind === 'code')) return null
  const files = listed.length === 1 ? 'The one source file' : `None of the ${listed.length} source files`
  const has = listed.length === 1 ? 'has no governing comment' : 'has a governing comment'
  const [example = 'ADR-0001'] = [...graph.nodes.keys()].sort(compareUtf16)
  return `${files} ${has} (such as \`// Governing: ${example}\`), so code is not linked to artifacts here.`
}
