// The query verbs on a graph that was already chosen and proved: one function per question, plain views out
// (seed 000 "Querying the graph", sheet spec-graph §8.3–8.4). Nothing here knows where the graph came from.

import { UserError } from '../model/errors.ts'
import { compareCodePoints } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import type { BudgetView, DepsView, ListView, SearchView } from '../model/spec-views.ts'
import { forward, impact as reachDown } from '../store/queries/reach.ts'
import { specSources, specTargets } from '../store/queries/spec-edges.ts'
import { loadFiles, loadSteps } from '../store/queries/spec-load.ts'
import { specNodeExists } from '../store/queries/spec-nodes.ts'
import { type LoadFile, withinBudget } from './budget.ts'
import { compareFiles, type GraphNode, graphNodes, type SpecGraph } from './graph.ts'
import { nearest } from './nearest.ts'
import { asCommandId, asImpactId, asMarkerId, lowerAscii } from './normalise.ts'

/** `contract`: errors worded as the contract's; `ours`: closest ids are named, and readers/writers know strangers. */
export type Wording = 'ours' | 'contract'

/** Specs with a READS or WRITES edge to a marker. Ours: throws UserError not-found for a marker that nothing names. */
export function neighbours(
  graph: SpecGraph,
  verb: 'readers' | 'writers',
  argument: string,
  wording: Wording,
): ListView {
  const id = asMarkerId(argument)
  if (wording === 'ours' && !exists(graph, id)) throw unknownNode(graph, 'annotation node', id, argument, wording)
  const entries = specSources(graph.store, graph.types, verb === 'readers' ? 'READS' : 'WRITES', id)
  return { verb, id, entries }
}

/** Everything that depends on the node, transitively, without the node itself. Throws UserError not-found. */
export function impact(graph: SpecGraph, argument: string, wording: Wording): ListView {
  const id = asImpactId(argument, (candidate) => exists(graph, candidate))
  if (!exists(graph, id)) throw unknownNode(graph, 'node', id, argument, wording)
  return { verb: 'impact', id, entries: reachDown(graph.store, graph.types, id) }
}

/** All outgoing edges of a command, by type. Throws UserError not-found. */
export function deps(graph: SpecGraph, argument: string, wording: Wording): DepsView {
  const id = command(graph, argument, wording)
  const groups = new Map<string, { first: number; targets: string[] }>()
  for (const { type, target, first } of specTargets(graph.store, graph.types, id)) {
    const group = groups.get(type) ?? { first, targets: [] }
    group.first = Math.min(group.first, first)
    group.targets.push(target)
    groups.set(type, group)
  }
  const sorted = [...groups].map(([type, group]) => ({ type, ...group }))
  // Keys come in order of first appearance in the document; in one that we build, that is alphabetical.
  sorted.sort((a, b) => (graph.given ? a.first - b.first : compareCodePoints(a.type, b.type)))
  return { verb: 'deps', id, groups: sorted.map(({ type, targets }) => ({ type, targets })) }
}

/** Paths of the command, its reachable sub-phases and required documents. Throws UserError not-found. */
export function loadSet(graph: SpecGraph, argument: string, wording: Wording): ListView {
  const id = command(graph, argument, wording)
  const paths = new Set(filesOf(graph, forward(graph.store, graph.loadTypes, id)).map((file) => file.path))
  return { verb: 'load-set', id, entries: [...paths].sort(compareCodePoints) }
}

/**
 * The load-set within a token budget. `sizeOf` gives the bytes of a path where the graph does not know them (a given
 * document). Throws UserError not-found.
 */
export function budgetedLoadSet(
  graph: SpecGraph,
  argument: string,
  budget: number,
  wording: Wording,
  sizeOf: (path: string) => number,
): BudgetView {
  const id = command(graph, argument, wording)
  const ids = forward(graph.store, graph.loadTypes, id)
  const files = filesOf(graph, ids).map(
    ({ id: node, type, path, bytes }): LoadFile => ({ id: node, type, path, bytes: bytes ?? sizeOf(path) }),
  )
  return withinBudget(id, files, loadSteps(graph.store, graph.loadTypes, ids), budget)
}

/** Nodes whose id, name or path holds the text, ASCII case aside. Never fails. */
export function search(graph: SpecGraph, text: string): SearchView {
  const needle = lowerAscii(text)
  const hit = (node: GraphNode): boolean =>
    [node.id, node.name, node.path ?? ''].some((field) => lowerAscii(field).includes(needle))
  const rows = [...graphNodes(graph).values()].filter(hit).sort((a, b) => compareCodePoints(a.id, b.id))
  return { verb: 'search', rows: rows.map(({ id, type, name }) => ({ id, type, name })) }
}

function exists(graph: SpecGraph, id: string): boolean {
  return specNodeExists(graph.store, graph.kinds, id)
}

function command(graph: SpecGraph, argument: string, wording: Wording): string {
  const id = asCommandId(argument)
  if (!exists(graph, id)) throw unknownNode(graph, 'command/spec node', id, argument, wording)
  return id
}

interface ReachedFile {
  readonly id: string
  readonly type: string
  readonly path: string
  readonly bytes: number | null
}

/** Files of some nodes, one per id: the file that wins the id. */
function filesOf(graph: SpecGraph, ids: readonly string[]): ReachedFile[] {
  const rows = loadFiles(graph.store, graph.kinds, ids)
  if (!graph.given) rows.sort((a, b) => compareFiles(a.file, b.file))
  const files = new Map<string, ReachedFile>()
  for (const { id: node, kindName, file, bytes } of rows) {
    if (files.has(node)) continue
    files.set(node, { id: node, type: kindName, path: graph.given ? file : displayPath(file), bytes })
  }
  return [...files.values()]
}

const CLOSEST = 3

/** The error of a verb that was asked about something that is not there (seed 000 "Exit codes"; sheet §0 rows 15, 8.3). */
function unknownNode(graph: SpecGraph, what: string, id: string, argument: string, wording: Wording): UserError {
  if (wording === 'contract') {
    return new UserError(
      'not-found',
      `no ${what} '${id}' in the graph (try: graph-query.sh search ${argument})`,
      null,
      1,
    )
  }
  const nodes = graphNodes(graph)
  const byPath = [...nodes.values()].filter((node) => node.path === argument).map((node) => node.id)
  const near = byPath.length > 0 ? byPath : closest(id, [...nodes.keys()])
  const named = near.length === 0 ? '' : `; closest: ${near.join(', ')}`
  return new UserError(
    'not-found',
    `no ${what} '${id}' in the graph${named} (try: specdex spec search ${argument})`,
    null,
    1,
  )
}

/** Ids of the same kind (same prefix) that a slip of the finger could have meant, nearest first. */
function closest(id: string, ids: readonly string[]): string[] {
  const prefix = KIND_PREFIXES.find((each) => id.startsWith(each))
  if (prefix === undefined) return []
  const names = ids.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length))
  const typed = id.slice(prefix.length)
  const slips = Math.min(3, Math.ceil(typed.length / 3))
  return nearest(typed, names, slips, CLOSEST).map((name) => prefix + name)
}

const KIND_PREFIXES = ['ann:FORGE:', 'cmd:', 'label:workflow:', 'script:', 'devdoc:devdocs/'] as const
