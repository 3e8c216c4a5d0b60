// orphans: source files that name no artifact, source files whose governing comment cannot be read, specs without code,
// ADRs without a spec (seed "Diagnostic Query Verbs", sheet artifact-graph §7). It walks nothing: only direct
// relations count. The surprise: --scope cuts the two lists of files only; specs and ADRs are always listed in full.

import type { ArtifactNode, OrphansView } from '../model/artifact-views.ts'
import { moduleOf } from '../model/layout.ts'
import { compareUtf16 } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import { bareFiles, unmetArtifacts } from '../store/queries/artifact-orphans.ts'
import { artifactNodes } from '../store/queries/artifact-rows.ts'
import type { Store } from '../store/store.ts'
import { assemble } from './assemble.ts'
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

  const artifacts = (graph.verdict === null ? unmet(graph) : unmetByRows(store, graph))
    .filter((node) => cut.keeps(node.module))
    .sort((a, b) => compareUtf16(a.id, b.id))
  const ofKind = (kind: ArtifactNode['kind']): ArtifactNode[] =>
    artifacts.filter((node) => node.kind === kind).map((node) => cut.node(node))

  return {
    verb: 'orphans',
    scope,
    scopeModule: module,
    filesWithoutGoverning: listed.map(({ shown }) => cut.id(shown)).sort(compareUtf16),
    filesUnrecognized: listedUnread
      .map(({ shown, reason }) => ({ file: cut.id(shown), reason }))
      .sort((a, b) => compareUtf16(a.file, b.file)),
    specsWithoutCode: ofKind('spec'),
    adrsWithoutSpec: ofKind('adr'),
    sentence: sentenceFor(graph, listed),
  }
}

/** Specs that no source file names, and ADRs that no spec implements and that govern none. */
function unmet({ nodes, relations }: ArtifactGraph): ArtifactNode[] {
  const met = new Set<string>()
  for (const { source, type, target } of relations) {
    const [from, to] = [nodes.get(source)?.kind, nodes.get(target)?.kind]
    if (from === 'code') {
      if (to === 'spec') met.add(target)
    } else if (type === 'implements' && from === 'spec' && to === 'adr') met.add(target)
    else if (type === 'governs' && from === 'adr' && to === 'spec') met.add(source)
  }
  return [...nodes.values()].filter(({ id, kind }) => (kind === 'spec' || kind === 'adr') && !met.has(id))
}

/** The same of a plain graph of which no relations are loaded. */
function unmetByRows(store: Store, { layout }: ArtifactGraph): ArtifactNode[] {
  return [...assemble(artifactNodes(store, unmetArtifacts(store)), [], () => [], layout).nodes.values()]
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
  const example = exampleOf(graph)
  if (graph.unrecognized.length > 0 || example === null) return null
  const files = listed.length === 1 ? 'The one source file' : `None of the ${listed.length} source files`
  const has = listed.length === 1 ? 'has no governing comment' : 'has a governing comment'
  return `${files} ${has} (such as \`// Governing: ${example}\`), so code is not linked to artifacts here.`
}

/** The first id, for want of any `ADR-0001`; null where some source file is a node and shows how it is done. */
export function exampleOf({ nodes, verdict }: ArtifactGraph): string | null {
  if (verdict !== null) return verdict.example
  if ([...nodes.values()].some(({ kind }) => kind === 'code')) return null
  const [first = 'ADR-0001'] = [...nodes.keys()].sort(compareUtf16)
  return first
}
