// Nodes of the spec graph: all of them, one by id, and what a command's load-set consists of.
// Which of several files that declare one id wins is not decided here: contracts order paths by UTF-16, SQLite by bytes.

import type { Store } from '../store.ts'

/** The node kinds a graph consists of, an inclusive range. */
export interface KindRange {
  readonly lo: number
  readonly hi: number
}

export interface SpecNodeRow {
  /** Key of the id, as edges name it. */
  readonly key: number
  readonly id: string
  /** Name of the kind; for a given document the type as written there. */
  readonly kindName: string
  readonly title: string | null
  /** Key text of the file that is the node; null for nodes that texts only name. */
  readonly file: string | null
  /** Key of that text. */
  readonly fileKey: number | null
}

const OWN = `
  SELECT n.key AS key, k.text AS id, nk.name AS kindName, n.title AS title, f.text AS file, n.file AS fileKey
    FROM node n
    JOIN key k ON k.id = n.key
    JOIN key f ON f.id = n.file
    JOIN node_kind nk ON nk.id = n.kind
   WHERE n.kind BETWEEN @lo AND @hi AND n.own = 1
   ORDER BY n.ord`

const NAMED = `
  SELECT n.key AS key, k.text AS id, nk.name AS kindName, n.title AS title, NULL AS file, NULL AS fileKey
    FROM (SELECT key, kind, title, MIN(ord) AS ord FROM node
           WHERE kind BETWEEN @lo AND @hi AND own = 0 GROUP BY key, kind, title) n
    JOIN key k ON k.id = n.key
    JOIN node_kind nk ON nk.id = n.kind
   ORDER BY n.ord, k.text`

/** Every node: first all rows of files that are nodes, then one row per named node. Several own rows may share an id. */
export function specNodes(store: Store, kinds: KindRange): SpecNodeRow[] {
  return [
    ...store.prepare<[KindRange], SpecNodeRow>(OWN).all(kinds),
    ...store.prepare<[KindRange], SpecNodeRow>(NAMED).all(kinds),
  ]
}

const EXISTS = `
  SELECT 1 AS found FROM key k JOIN node n ON n.key = k.id
   WHERE k.text = @id AND n.kind BETWEEN @lo AND @hi LIMIT 1`

/** Whether some file declares or names a node of exactly this id. */
export function specNodeExists(store: Store, kinds: KindRange, id: string): boolean {
  return store.prepare<[object], { found: number }>(EXISTS).get({ ...kinds, id }) !== undefined
}
