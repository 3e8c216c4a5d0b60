// Puts a given spec-graph document into the tables of an in-memory store, so that the same queries answer from it.
// Document order is kept in `ord`. All rows belong to one pseudo file, except nodes with a path: those belong to it.

import type { Store } from '../store.ts'

export interface GivenNodeRecord {
  readonly id: string
  readonly kind: number
  readonly title: string
  readonly path: string | null
}

export interface GivenEdgeRecord {
  readonly from: string
  readonly to: string
  readonly type: number
}

/** Kinds or edge types that the vocabulary does not know, under numbers of their own. */
export interface NameRecord {
  readonly id: number
  readonly name: string
}

const KEY_ID = 'SELECT id FROM key WHERE text = ?'
const KEY_INSERT = 'INSERT INTO key (text) VALUES (?)'
const KIND = `INSERT OR REPLACE INTO node_kind (id, name, family) VALUES (?, ?, 'spec')`
const TYPE = `INSERT OR REPLACE INTO edge_type (id, name, family, rule, inverse, author_is_up, rank, listed)
              VALUES (?, ?, 'spec', 'given', NULL, 0, 0, 1)`
const NODE = 'INSERT INTO node (file, ord, key, kind, own, title) VALUES (?, ?, ?, ?, ?, ?)'
const EDGE = 'INSERT INTO edge (file, ord, up, down, type) VALUES (?, ?, ?, ?, ?)'

/** A text that no path and no id has to be: the file of everything without a path. */
const PSEUDO_FILE = '//given'

/** Writes everything in one transaction. The store must be empty but for its vocabulary. */
export function insertGiven(
  store: Store,
  kinds: readonly NameRecord[],
  types: readonly NameRecord[],
  nodes: readonly GivenNodeRecord[],
  edges: readonly GivenEdgeRecord[],
): void {
  store.write(() => {
    const known = new Map<string, number>()
    const key = (text: string): number => {
      let id = known.get(text)
      if (id === undefined) {
        const found = store.prepare<[string], { id: number }>(KEY_ID).get(text)
        id = found?.id ?? Number(store.prepare<[string]>(KEY_INSERT).run(text).lastInsertRowid)
        known.set(text, id)
      }
      return id
    }
    const pseudo = key(PSEUDO_FILE)
    for (const { id, name } of kinds) store.prepare<[number, string]>(KIND).run(id, name)
    for (const { id, name } of types) store.prepare<[number, string]>(TYPE).run(id, name)
    const insertNode = store.prepare<(number | string | null)[]>(NODE)
    nodes.forEach((node, ord) => {
      const file = node.path === null ? pseudo : key(node.path)
      insertNode.run(file, ord, key(node.id), node.kind, node.path === null ? 0 : 1, node.title)
    })
    const insertEdge = store.prepare<number[]>(EDGE)
    edges.forEach((edge, ord) => {
      insertEdge.run(pseudo, ord, key(edge.to), key(edge.from), edge.type)
    })
  })
}
