// What a load-set consists of, once reach.ts has said which ids it holds: the files behind them and the steps between
// them. Ids come in as one JSON list, because a list of parameters has a limit.

import type { Store } from '../store.ts'
import type { EdgeTypes } from './spec-edges.ts'
import type { KindRange } from './spec-nodes.ts'

export interface LoadFileRow {
  readonly id: string
  readonly kindName: string
  /** Key text of the file that is the node. */
  readonly file: string
  /** Bytes on disk; null where the graph is a given document. */
  readonly bytes: number | null
}

const FILES = `
  SELECT k.text AS id, nk.name AS kindName, kf.text AS file, f.size AS bytes
    FROM json_each(@ids) j
    JOIN key k ON k.text = j.value
    JOIN node n ON n.key = k.id AND n.own = 1 AND n.kind BETWEEN @lo AND @hi
    JOIN node_kind nk ON nk.id = n.kind
    JOIN key kf ON kf.id = n.file
    LEFT JOIN file f ON f.id = n.file
   ORDER BY n.ord, kf.text`

/** The files that are these nodes; several files may be one node. */
export function loadFiles(store: Store, kinds: KindRange, ids: readonly string[]): LoadFileRow[] {
  return store.prepare<[object], LoadFileRow>(FILES).all({ ...kinds, ids: JSON.stringify(ids) })
}

export interface LoadStepRow {
  readonly from: string
  readonly to: string
  readonly type: string
}

const STEPS = `
  SELECT DISTINCT k.text AS "from", u.text AS "to", t.name AS type
    FROM json_each(@ids) j
    JOIN key k ON k.text = j.value
    JOIN edge e ON e.down = k.id AND e.type BETWEEN @lo AND @hi
    JOIN edge_type t ON t.id = e.type
    JOIN key u ON u.id = e.up
   ORDER BY k.text, u.text, t.name`

/** Edges of some types that start at these nodes, resolved or not. */
export function loadSteps(store: Store, types: EdgeTypes, ids: readonly string[]): LoadStepRow[] {
  return store.prepare<[object], LoadStepRow>(STEPS).all({ lo: types.lo, hi: types.hi, ids: JSON.stringify(ids) })
}
