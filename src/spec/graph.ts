// A spec graph that can be asked: the index seen in one mode, or a given document loaded into a store in memory. Both
// have the same tables and are asked by the same statements; they differ in ranges and in how a name is found.

import { compareUtf16 } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import { specNodeName } from '../model/spec-names.ts'
import {
  EDGE,
  EDGE_TYPES,
  KIND,
  KINDS,
  type KindName,
  LOAD_SET_RANGE,
  NEEDS_TARGET,
  SPEC_RANGE,
  type SpecMode,
} from '../model/vocabulary.ts'
import type { EdgeTypes } from '../store/queries/spec-edges.ts'
import { insertGiven, type NameRecord } from '../store/queries/spec-given.ts'
import { type KindRange, type SpecNodeRow, specNodes } from '../store/queries/spec-nodes.ts'
import type { Store } from '../store/store.ts'
import type { GivenGraph } from './given.ts'

export interface SpecGraph {
  readonly store: Store
  /** Every edge type of the graph. */
  readonly types: EdgeTypes
  /** What load-set follows. */
  readonly loadTypes: EdgeTypes
  readonly kinds: KindRange
  /** True for a given document: names are as written, and order is that of the document. */
  readonly given: boolean
}

/** A node as verbs see it: one per id, the first taker of the id. */
export interface GraphNode {
  readonly id: string
  readonly type: string
  readonly name: string
  /** Null for annotations and labels. */
  readonly path: string | null
}

const SPEC_KINDS: KindRange = { lo: KIND.command, hi: KIND.devdoc }

/** Numbers for kinds and types that only a given document has; above everything the vocabulary will ever use. */
const FIRST_FOREIGN = 1000
const ANY = Number.MAX_SAFE_INTEGER

/** The index as a graph of one mode (sheet spec-graph §0: both modes read the same facts). */
export function indexGraph(store: Store, mode: SpecMode): SpecGraph {
  const needs = { nlo: NEEDS_TARGET.lo, nhi: NEEDS_TARGET.hi }
  return {
    store,
    types: { ...SPEC_RANGE[mode], ...needs },
    loadTypes: { ...LOAD_SET_RANGE, ...needs },
    kinds: SPEC_KINDS,
    given: false,
  }
}

/**
 * Loads a given document into `store`, which must be empty but for its vocabulary. A document is trusted: its
 * dangling edges count (sheet spec-graph §8.2), so no type needs a declared target.
 */
export function givenGraph(store: Store, document: GivenGraph): SpecGraph {
  const kinds = numbered(document.nodes, new Map(KINDS.map(({ name, id }) => [name, id])))
  const types = numbered(document.edges, new Map(Object.entries(GIVEN_TYPE)))
  insertGiven(
    store,
    kinds.foreign,
    types.foreign,
    document.nodes.map((node) => ({ id: node.id, kind: kinds.of(node.type), title: node.name, path: node.path })),
    document.edges.map((edge) => ({ from: edge.from, to: edge.to, type: types.of(edge.type) })),
  )
  const none = { nlo: 1, nhi: 0 }
  return {
    store,
    types: { lo: 0, hi: ANY, ...none },
    loadTypes: { ...LOAD_SET_RANGE, ...none },
    kinds: { lo: 0, hi: ANY },
    given: true,
  }
}

/** The number under which an edge type of the contract is stored when it comes from a document. */
const GIVEN_TYPE: Readonly<Record<string, number>> = {
  WRITES: EDGE.writes,
  READS: EDGE.reads,
  TRANSITIONS: EDGE.transitions,
  INVOKES: EDGE.invokes,
  CONTAINS: EDGE.containsCall,
  REQUIRES: EDGE.requires,
}

interface Numbered {
  readonly of: (name: string) => number
  readonly foreign: readonly NameRecord[]
}

function numbered(items: readonly { readonly type: string }[], known: ReadonlyMap<string, number>): Numbered {
  const numbers = new Map(known)
  const foreign: NameRecord[] = []
  for (const { type } of items) {
    if (numbers.has(type)) continue
    const id = FIRST_FOREIGN + foreign.length
    numbers.set(type, id)
    foreign.push({ id, name: type })
  }
  return { of: (name) => numbers.get(name) ?? FIRST_FOREIGN, foreign }
}

/** All nodes by id. Who wins an id: the first file in path order, then what texts name (sheet spec-graph §4). */
export function graphNodes(graph: SpecGraph): Map<string, GraphNode> {
  return winningNodes(graph, specNodes(graph.store, graph.kinds))
}

/** As graphNodes, from rows that were read before. */
export function winningNodes(graph: SpecGraph, rows: readonly SpecNodeRow[]): Map<string, GraphNode> {
  const winners = new Map<string, SpecNodeRow>()
  for (const row of rows) {
    const taker = winners.get(row.id)
    if (taker === undefined || (!graph.given && precedes(row, taker))) winners.set(row.id, row)
  }
  return new Map([...winners].map(([id, row]) => [id, graphNode(graph, row)]))
}

/** Ids of different corpora never meet, so comparing paths suffices. */
function precedes(row: SpecNodeRow, taker: SpecNodeRow): boolean {
  if (row.file === null) return false
  return taker.file === null || compareFiles(row.file, taker.file) < 0
}

function graphNode(graph: SpecGraph, row: SpecNodeRow): GraphNode {
  const { id } = row
  if (graph.given) return { id, type: row.kindName, name: row.title ?? id, path: row.file }
  // Of the index, kinds are those of the vocabulary.
  const name = specNodeName(row.kindName as KindName, id)
  return { id, type: row.kindName, name, path: row.file === null ? null : displayPath(row.file) }
}

/** Order of two file keys in which the contract visits files: decoded path in UTF-16 units, then the raw name. */
export function compareFiles(a: string, b: string): number {
  return compareUtf16(displayPath(a), displayPath(b)) || compareUtf16(a, b)
}

/** Names of the index's edge types by number. */
export const TYPE_NAMES: ReadonlyMap<number, string> = new Map(EDGE_TYPES.map((type) => [type.id, type.name]))
