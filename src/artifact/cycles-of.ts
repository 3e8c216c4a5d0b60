// Cycles of the artifact graph: loops among dependencies, whatever their types, told as a closed path. Pure. The
// surprise: enables and governs are turned round first, so "A enables B" with "B extends A" is one statement made
// twice, and "A enables B" with "A extends B" is a contradiction (sheet artifact-graph §6 "Cycle rule").

import { cyclicVertices, elementaryCycles } from '../graph/cycles.ts'
import type { ArtifactNode, Cycle, CyclesView, Diagnostic, Relation } from '../model/artifact-views.ts'
import { compareUtf16 } from '../model/order.ts'
import { diagnostic } from './diagnostics.ts'
import { ModuleCut } from './modules.ts'
import { scopeTest } from './scope.ts'

/** There can be exponentially many. */
const MOST_CYCLES = 1000

export interface GraphCycles {
  readonly cycles: readonly Cycle[]
  readonly capped: boolean
}

/** All elementary cycles, at most a thousand, sorted by path; each starts at its smallest id. */
export function graphCycles(relations: readonly Relation[]): GraphCycles {
  // Only source files write governed-by, and nothing depends on a source file.
  const walked = relations.filter((relation) => relation.walked && relation.type !== 'governed-by')
  const all = stepsOf(walked, [])
  const cyclic = cyclicVertices(all.next)
  if (cyclic.size === 0) return { cycles: [], capped: false }
  const suspects = all.ids.filter((_, v) => cyclic.has(v)).sort(compareUtf16)
  const isSuspect = new Set(suspects)
  const { ids, steps, next } = stepsOf(
    walked.filter(({ source, target }) => isSuspect.has(source) && isSuspect.has(target)),
    suspects,
  )
  const { cycles, capped } = elementaryCycles(next, MOST_CYCLES)
  const told = cycles.map((vertices) => {
    const edges = vertices.flatMap((v, i) => steps[v]?.get(vertices[(i + 1) % vertices.length] ?? v) ?? [])
    return tell(
      vertices.map((v) => ids[v] ?? ''),
      edges,
    )
  })
  return { cycles: told.sort((a, b) => compareLists(a.path, b.path)), capped }
}

/** Relations as steps from dependent to dependency between numbered ids: those given, then others as they come. */
function stepsOf(
  relations: readonly Relation[],
  given: readonly string[],
): { ids: string[]; steps: Map<number, Relation>[]; next: number[][] } {
  const ids = [...given]
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const steps: Map<number, Relation>[] = ids.map(() => new Map())
  const numberOf = (id: string): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, ids.length)
    steps.push(new Map())
    return ids.push(id) - 1
  }
  for (const relation of relations) {
    const { source, target, authorIsUp } = relation
    const down = numberOf(authorIsUp ? target : source)
    const up = numberOf(authorIsUp ? source : target)
    const before = steps[down]?.get(up)
    if (before === undefined || isShownBefore(relation, before)) steps[down]?.set(up, relation)
  }
  return { ids, steps, next: steps.map((map) => [...map.keys()].sort((a, b) => a - b)) }
}

/** Of several relations of one pair a diagram shows what the dependent wrote, then the first type. */
function isShownBefore(a: Relation, b: Relation): boolean {
  return (Number(a.authorIsUp) - Number(b.authorIsUp) || compareUtf16(a.type, b.type)) < 0
}

function tell(vertices: readonly string[], relations: readonly Relation[]): Cycle {
  const [start = ''] = vertices
  // A path of nothing but enables is told as its authors wrote it.
  const authored = relations.every(({ authorIsUp }) => authorIsUp)
  const inner = vertices.slice(1)
  const path = [start, ...(authored ? inner.reverse() : inner), start]
  const edges = (authored ? relations.toReversed() : relations).map(({ source, type, target }) => ({
    source,
    type,
    target,
  }))
  const types = [...new Set(edges.map(({ type }) => type))].sort(compareUtf16)
  return { path, types, edges, message: `cycle detected (${types.join(', ')}): ${path.join(' -> ')}` }
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareUtf16(a[i] ?? '', b[i] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** One error per cycle, at the place of its first edge; and one that says so where there are more than are told. */
export function cycleDiagnostics({ cycles, capped }: GraphCycles, relations: readonly Relation[]): Diagnostic[] {
  if (cycles.length === 0) return []
  const places = new Map(
    relations.map((relation) => [`${relation.source}\n${relation.type}\n${relation.target}`, relation]),
  )
  const found = cycles.map(({ path, edges: [first], message }) => {
    const place = first === undefined ? undefined : places.get(`${first.source}\n${first.type}\n${first.target}`)
    const about = { source: path[0] ?? null, file: place?.file ?? null, line: place?.line ?? null }
    return diagnostic('error', 'cycle', message, about)
  })
  if (capped) {
    found.push(
      diagnostic('warning', 'cycles-capped', `there are more than ${MOST_CYCLES} cycles; the rest is not listed`, {}),
    )
  }
  return found
}

/**
 * The answer of `cycles`: with `scope` those with at least one artifact file below that folder, with `module` those
 * with at least one artifact of it.
 */
export function cyclesView(
  { cycles, capped, nodes }: GraphCycles & { readonly nodes: ReadonlyMap<string, ArtifactNode> },
  scope: string | null,
  module: string | null,
): CyclesView {
  const cut = new ModuleCut(module)
  const inScope = scopeTest(scope)
  const isOurs = (id: string): boolean => cut.keeps(nodes.get(id)?.module ?? null)
  const shown = cycles.filter(({ path }) => path.some((id) => isOurs(id) && inScope(nodes.get(id)?.file ?? '')))
  // A cycle that leaves the module keeps its prefixes: without them two ids might look like one.
  const told = shown.map((cycle) => (cycle.path.every(isOurs) ? cutCycle(cut, cycle) : cycle))
  return { verb: 'cycles', scope, cycles: told, capped }
}

function cutCycle(cut: ModuleCut, { path, types, edges, message }: Cycle): Cycle {
  return {
    path: path.map((id) => cut.id(id)),
    types,
    edges: edges.map(({ source, type, target }) => ({ source: cut.id(source), type, target: cut.id(target) })),
    message: cut.text(message),
  }
}
