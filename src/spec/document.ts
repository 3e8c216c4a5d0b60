// The spec graph as the contract's one JSON document: which sighting wins, in which order everything stands, which keys
// it has. Pure. The surprise: everything here sorts by UTF-16 code units, and SQLite does not.

import { compareUtf16 } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import { EDGE } from '../model/vocabulary.ts'
import type { Sighting } from '../store/queries/spec-edges.ts'
import { compareFiles, type GraphNode, TYPE_NAMES } from './graph.ts'

/** Sightings by numbers, and what the numbers mean. */
export interface Sightings {
  readonly rows: readonly Sighting[]
  /** Texts of all keys that occur in the rows. */
  readonly texts: ReadonlyMap<number, string>
  /** Keys that are nodes. */
  readonly declared: ReadonlySet<number>
}

export interface DocumentNode {
  readonly id: string
  readonly name: string
  /** Absent for annotations and labels. */
  readonly path?: string
  readonly type: string
}

/** Those present of `authority`, `file`, `line`, `via`, with its keys in that order. */
export interface Evidence {
  readonly authority?: 'required'
  readonly file?: string
  readonly line?: number | null
  readonly via?: 'skill' | 'directory'
}

export interface DocumentEdge {
  readonly evidence: Evidence
  readonly from: string
  readonly to: string
  readonly type: string
}

export interface DocumentStats {
  readonly edges: number
  readonly edgesByType: Readonly<Record<string, number>>
  readonly nodes: number
  readonly nodesByType: Readonly<Record<string, number>>
}

/** What the document holds: first sightings only, sorted, keys of every object in ascending order. */
export interface DocumentGraph {
  readonly builtFromHash: string
  readonly edges: readonly DocumentEdge[]
  readonly generator: 'build-spec-graph.mjs'
  readonly nodes: readonly DocumentNode[]
  readonly root: '.'
  readonly schemaVersion: 1
  readonly stats: DocumentStats
}

/**
 * The document of one mode. `sightings` holds the edge types of that mode only, in any order; `needs` tells which types
 * are edges only between declared nodes. Source: sheet spec-graph §4–§6.
 */
export function documentGraph(
  nodes: ReadonlyMap<string, GraphNode>,
  sightings: Sightings,
  needs: { readonly nlo: number; readonly nhi: number },
  builtFromHash: string,
): DocumentGraph {
  const { rows, texts, declared } = sightings
  const standing = rows.filter(
    ({ type, up, down }) => type < needs.nlo || type > needs.nhi || (declared.has(up) && declared.has(down)),
  )
  const documentNodes = [...nodes.values()].map(documentNode).sort((a, b) => compareUtf16(a.id, b.id))
  const edges = firstSightings(standing, texts).map((sighting) => documentEdge(sighting, texts))
  return {
    builtFromHash,
    edges,
    generator: 'build-spec-graph.mjs',
    nodes: documentNodes,
    root: '.',
    schemaVersion: 1,
    stats: {
      edges: edges.length,
      edgesByType: countByType(edges),
      nodes: documentNodes.length,
      nodesByType: countByType(documentNodes),
    },
  }
}

/** The document's bytes: two blanks of indent, one final line feed (sheet spec-graph §6). */
export function documentText(graph: DocumentGraph): string {
  return `${JSON.stringify({ graph }, null, 2)}\n`
}

/**
 * The first sighting of every (from, type, to), sorted by these: files in path order, directory nesting after all of
 * them. Texts are compared only to rank them; an edge is then one number that sorts as the three texts would.
 */
function firstSightings(sightings: readonly Sighting[], texts: ReadonlyMap<number, string>): Sighting[] {
  const text = (key: number): string => texts.get(key) ?? ''
  const fileKeys = new Set<number>()
  const endKeys = new Set<number>()
  for (const { file, up, down } of sightings) {
    fileKeys.add(file)
    endKeys.add(up).add(down)
  }
  const files = ranks(fileKeys, (a, b) => compareFiles(text(a), text(b)))
  const ends = ranks(endKeys, (a, b) => compareUtf16(text(a), text(b)))
  const names = ranks(new Set(TYPE_NAMES.values()), compareUtf16)
  const types = new Map([...TYPE_NAMES].map(([type, name]) => [type, names.get(name) ?? 0]))
  const place = ({ file, type }: Sighting): number =>
    (files.get(file) ?? 0) + (type === EDGE.containsDirectory ? files.size : 0)

  const first = new Map<number, Sighting>()
  for (const sighting of sightings) {
    const { up, down, type } = sighting
    const edge = ((ends.get(down) ?? 0) * names.size + (types.get(type) ?? 0)) * ends.size + (ends.get(up) ?? 0)
    const seen = first.get(edge)
    if (seen === undefined || (place(sighting) - place(seen) || sighting.ord - seen.ord) < 0) first.set(edge, sighting)
  }
  const sorted: Sighting[] = []
  for (const edge of Float64Array.from(first.keys()).sort()) {
    const sighting = first.get(edge)
    if (sighting !== undefined) sorted.push(sighting)
  }
  return sorted
}

/** The place of each item in sorted order. */
function ranks<T>(items: ReadonlySet<T>, compare: (a: T, b: T) => number): Map<T, number> {
  return new Map([...items].sort(compare).map((item, rank) => [item, rank]))
}

function documentNode({ id, name, path, type }: GraphNode): DocumentNode {
  return path === null ? { id, name, type } : { id, name, path, type }
}

function documentEdge(sighting: Sighting, texts: ReadonlyMap<number, string>): DocumentEdge {
  const { up, down, type } = sighting
  const evidence = evidenceOf(sighting, texts)
  return { evidence, from: texts.get(down) ?? '', to: texts.get(up) ?? '', type: TYPE_NAMES.get(type) ?? '' }
}

function evidenceOf(sighting: Sighting, texts: ReadonlyMap<number, string>): Evidence {
  const { type, line } = sighting
  if (type === EDGE.containsDirectory) return { via: 'directory' }
  const file = displayPath(texts.get(sighting.file) ?? '')
  if (type === EDGE.containsCall) return { file, line, via: 'skill' }
  return type === EDGE.requires ? { authority: 'required', file, line } : { file, line }
}

// Type names of the index are our own constants: none is `__proto__`, none looks like a number, so an object is safe.
function countByType(items: readonly { readonly type: string }[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => compareUtf16(a, b)))
}
