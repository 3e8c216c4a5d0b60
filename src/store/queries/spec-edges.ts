// Edges of the spec graph: all sightings for the exporter, mentions for the validator, the neighbours of one node.
// In every spec edge the command is `down` and what it depends on is `up`. Types from @nlo to @nhi are edges only if
// both ends are declared; all other types stand by themselves.

import type { Store } from '../store.ts'

/** The types a question looks at, and those among them that need both ends declared. Empty: nlo > nhi. */
export interface EdgeTypes {
  readonly lo: number
  readonly hi: number
  readonly nlo: number
  readonly nhi: number
}

const STANDS = `
  (e.type NOT BETWEEN @nlo AND @nhi
   OR (EXISTS (SELECT 1 FROM node n WHERE n.key = e.up) AND EXISTS (SELECT 1 FROM node n WHERE n.key = e.down)))`

/** One sighting by numbers: a corpus has few texts, and numbers are cheap to compare. */
export interface Sighting {
  /** Key of the file that says so. */
  readonly file: number
  /** Place among the facts of the file. */
  readonly ord: number
  /** Key of the target; for directory nesting of the child. */
  readonly up: number
  /** Key of the command the edge starts from; for directory nesting of the parent. */
  readonly down: number
  readonly type: number
  readonly line: number | null
}

const SIGHTINGS = 'SELECT file, ord, up, down, type, line FROM edge WHERE type BETWEEN @lo AND @hi'

/** Every sighting of some types, resolved or not, in no promised order. */
export function specSightings(store: Store, lo: number, hi: number): Sighting[] {
  return store.prepare<[object], Sighting>(SIGHTINGS).all({ lo, hi })
}

const KEY_TEXTS = 'SELECT k.id AS key, k.text AS text FROM json_each(@keys) j JOIN key k ON k.id = j.value'

/** The texts of some keys. */
export function keyTexts(store: Store, keys: readonly number[]): { readonly key: number; readonly text: string }[] {
  return store.prepare<[object], { key: number; text: string }>(KEY_TEXTS).all({ keys: JSON.stringify(keys) })
}

export interface Mention {
  /** Key text of the file. */
  readonly file: string
  readonly target: string
}

const MENTIONS = `
  SELECT f.text AS file, u.text AS target
    FROM edge e JOIN key f ON f.id = e.file JOIN key u ON u.id = e.up
   WHERE e.type = @type`

/** Where files mention something by one rule, once per sighting, resolved or not, in no promised order. */
export function specMentions(store: Store, type: number): Mention[] {
  return store.prepare<[object], Mention>(MENTIONS).all({ type })
}

const SOURCES = `
  SELECT DISTINCT d.text AS id
    FROM key u
    JOIN edge e ON e.up = u.id AND e.type BETWEEN @lo AND @hi
    JOIN edge_type t ON t.id = e.type AND t.name = @name
    JOIN key d ON d.id = e.down
   WHERE u.text = @id AND ${STANDS}
   ORDER BY d.text`

/** Ids with an edge of that name to `id`, in code point order. */
export function specSources(store: Store, types: EdgeTypes, name: string, id: string): string[] {
  const rows = store.prepare<[object], { id: string }>(SOURCES).all({ ...types, name, id })
  return rows.map((row) => row.id)
}

export interface SpecTarget {
  readonly type: string
  readonly target: string
  /** Place of the first sighting among the facts of its file. */
  readonly first: number
}

const TARGETS = `
  SELECT t.name AS type, u.text AS target, MIN(e.ord) AS first
    FROM key d
    JOIN edge e ON e.down = d.id AND e.type BETWEEN @lo AND @hi
    JOIN edge_type t ON t.id = e.type
    JOIN key u ON u.id = e.up
   WHERE d.text = @id AND ${STANDS}
   GROUP BY t.name, u.text
   ORDER BY t.name, u.text`

/** Outgoing edges of `id`, by type and target in code point order. */
export function specTargets(store: Store, types: EdgeTypes, id: string): SpecTarget[] {
  return store.prepare<[object], SpecTarget>(TARGETS).all({ ...types, id })
}

const EDGE_EXISTS = `
  SELECT 1 AS found
    FROM key d
    JOIN edge e ON e.down = d.id AND e.type BETWEEN @lo AND @hi
    JOIN edge_type t ON t.id = e.type AND t.name = @name
    JOIN key u ON u.id = e.up
   WHERE d.text = @from AND u.text = @to AND ${STANDS}
   LIMIT 1`

/** Whether the edge is in the graph. */
export function specEdgeExists(store: Store, types: EdgeTypes, from: string, name: string, to: string): boolean {
  return store.prepare<[object], { found: number }>(EDGE_EXISTS).get({ ...types, from, name, to }) !== undefined
}

const POINTED_AT = `
  SELECT DISTINCT t.name AS type, u.text AS target
    FROM edge e
    JOIN edge_type t ON t.id = e.type
    JOIN key u ON u.id = e.up
   WHERE e.type BETWEEN @lo AND @hi AND t.name IN ('WRITES', 'READS', 'TRANSITIONS') AND ${STANDS}`

/** What WRITES, READS and TRANSITIONS edges point at, in no promised order. */
export function specPointedAt(store: Store, types: EdgeTypes): { readonly type: string; readonly target: string }[] {
  return store.prepare<[object], { type: string; target: string }>(POINTED_AT).all({ ...types })
}
