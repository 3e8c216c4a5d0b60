// validate, and the gate before every query verb: the loaded graph's diagnostics as an answer. Pure. The surprise:
// findings (findings.ts) are added for lenient modules only, because in the seed's own convention the list of
// diagnostics is a contract.

import type { Diagnostic, GraphErrorView, GraphValidationView } from '../model/artifact-views.ts'
import { moduleOf } from '../model/layout.ts'
import { compareDiagnostics } from './diagnostics.ts'
import { inverseTest } from './edges.ts'
import { findings } from './findings.ts'
import type { ArtifactGraph, Counts } from './graph.ts'
import { ModuleCut } from './modules.ts'

/**
 * Counts and diagnostics; under a module those nodes and edges whose source lies in it. Source of the rules: seed
 * "Graph Validation", sheet artifact-graph §6, README of the cases (counts).
 */
export function validationView(graph: ArtifactGraph, module: string | null): GraphValidationView {
  const cut = new ModuleCut(module)
  const counts = countsOf(graph).filter((one) => cut.keeps(one.module))
  const sum = (count: (one: Counts) => number): number => counts.reduce((total, one) => total + count(one), 0)
  const told = [...graph.diagnostics, ...newsOf(graph)].sort(compareDiagnostics)
  return {
    verb: 'validate',
    nodes: sum(({ artifacts, files }) => artifacts + files),
    authoredEdges: sum(({ authored }) => authored),
    derivedEdges: sum(({ derived }) => derived),
    diagnostics: cutDiagnostics(graph, told, module),
  }
}

/** Of the whole graph, by module, whether or not all of it is loaded. */
export function countsOf({ nodes, relations, verdict }: ArtifactGraph): readonly Counts[] {
  if (verdict !== null) return verdict.counts
  const byModule = new Map<string | null, { -readonly [K in keyof Counts]: Counts[K] }>()
  const of = (module: string | null) => {
    const counts = byModule.get(module) ?? { module, artifacts: 0, files: 0, authored: 0, derived: 0 }
    byModule.set(module, counts)
    return counts
  }
  const at = (id: string) => of(nodes.get(id)?.module ?? null)
  for (const { kind, module } of nodes.values()) of(module)[kind === 'code' ? 'files' : 'artifacts']++
  const hasInverse = inverseTest(relations)
  for (const relation of relations) {
    at(relation.source).authored++
    if (hasInverse(relation)) at(relation.target).derived++
  }
  return [...byModule.values()]
}

/** Whether the whole graph has no artifacts. */
export function isEmpty({ nodes, verdict }: ArtifactGraph): boolean {
  if (verdict !== null) return verdict.counts.every(({ artifacts }) => artifacts === 0)
  return [...nodes.values()].every(({ kind }) => kind === 'code')
}

/** Findings in lenient modules that no diagnostic tells already: those about loose references and taken ids do. */
export function newsOf(graph: ArtifactGraph): readonly Diagnostic[] {
  // Where they are not kept, nobody loads a part to ask for them (cli/graph-source.ts).
  if (graph.verdict !== null) return graph.verdict.news ?? []
  if (graph.layout.modules.every(({ name }) => graph.strict.has(name))) return []
  const taken = new Set(graph.diagnostics.filter(({ code }) => code === 'duplicate-id').map(({ file }) => file))
  return findings(graph).filter(({ code, target_id, file }) => {
    if (graph.strict.has(moduleNameOf(graph, file))) return false
    if (code === 'dangling-supersession') return target_id === null
    return code !== 'duplicate-number' || !taken.has(file)
  })
}

/** The diagnostics of one module, without its prefix; all of them where no module is chosen. */
export function cutDiagnostics(graph: ArtifactGraph, all: readonly Diagnostic[], module: string | null): Diagnostic[] {
  if (module === null) return [...all]
  const cut = new ModuleCut(module)
  const isForeign = (id: string | null): boolean => {
    const node = graph.nodes.get(id ?? '')
    return node !== undefined && !cut.keeps(node.module)
  }
  // A text about two modules keeps its prefixes: without them two ids might look like one.
  const across = new Set(graph.cycles.filter(({ path }) => path.some(isForeign)).map(({ message }) => message))
  return all
    .filter(({ file }) => file === null || cut.keeps(moduleNameOf(graph, file)))
    .map((one) => ({
      ...one,
      message: across.has(one.message) || isForeign(one.target_id) ? one.message : cut.text(one.message),
      source_id: one.source_id === null ? null : cut.id(one.source_id),
      target_id: one.target_id === null ? null : cut.id(one.target_id),
    }))
}

function moduleNameOf({ layout }: ArtifactGraph, file: string | null): string | null {
  return file === null ? null : (moduleOf(layout, file)?.name ?? null)
}

/**
 * The refusal that every query verb but `validate` and `cycles` answers with where the graph has errors, whatever the
 * module; null where it has none. It carries the warnings behind the errors.
 */
export function refusal(graph: ArtifactGraph, verb: string, id: string | null): GraphErrorView | null {
  const { diagnostics } = graph
  if (diagnostics.every(({ severity }) => severity !== 'error')) return null
  const message = 'graph has hard errors'
  return { verb, id, code: 'graph-has-errors', message, suggestions: [], diagnostics }
}
