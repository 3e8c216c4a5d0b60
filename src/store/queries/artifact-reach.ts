// Transitive closure over the artifact graph: impact (who depends on it, up → down) and ancestors (what it depends on,
// down → up), as recursive CTEs with UNION on the id alone. Whether an edge exists is tested inside the recursion. The
// surprise: rows whose stored ends are not the ends they resolve to (aliases, duplicate ids) are handed in as a
// correction, since only the assembled graph knows them; a repository of exact ids has none and pays nothing.

import { ARTIFACT_WALK, KIND } from '../../model/vocabulary.ts'
import type { Store } from '../store.ts'

/** How the walked edges differ from the rows of `edge`. */
export interface ReachCorrection {
  /** file and place of rows that are no edges as they stand. */
  readonly without: readonly (readonly [file: number, ord: number])[]
  /** Edges between keys that no row gives. */
  readonly also: readonly (readonly [up: number, down: number])[]
}

type End = 'up' | 'down'

const WALKED = `BETWEEN ${ARTIFACT_WALK.lo} AND ${ARTIFACT_WALK.hi}`

function exists(end: End): string {
  return `EXISTS (SELECT 1 FROM node n WHERE n.key = e.${end} AND n.kind BETWEEN ${KIND.adr} AND ${KIND.code})`
}

const RESULT = 'SELECT k.text FROM r JOIN key k ON k.id = r.id WHERE k.text <> @start ORDER BY k.text'

function plain(near: End, far: End): string {
  return `
  WITH RECURSIVE r(id) AS (
    SELECT id FROM key WHERE text = @start
    UNION
    SELECT e.${far} FROM r JOIN edge e ON e.${near} = r.id AND e.type ${WALKED} WHERE ${exists(far)})
  ${RESULT}`
}

function corrected(near: End, far: End): string {
  return `
  WITH RECURSIVE
  without(file, ord) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each(@without)),
  also(up, down) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each(@also)),
  r(id) AS (
    SELECT id FROM key WHERE text = @start
    UNION
    SELECT e.${far} FROM r JOIN edge e ON e.${near} = r.id AND e.type ${WALKED}
     WHERE ${exists(far)} AND (e.file, e.ord) NOT IN (SELECT file, ord FROM without)
    UNION
    SELECT a.${far} FROM r JOIN also a ON a.${near} = r.id)
  ${RESULT}`
}

export const ARTIFACT_REACH_SQL: Readonly<Record<'down' | 'up' | 'downCorrected' | 'upCorrected', string>> = {
  down: plain('up', 'down'),
  up: plain('down', 'up'),
  downCorrected: corrected('up', 'down'),
  upCorrected: corrected('down', 'up'),
}

/**
 * Ids that depend on `start` (direction `down`) or that it depends on (`up`), without itself; code point order. `start` is the
 * id of a node. Source of the rule: behaviour sheet artifact-graph §4.
 */
export function artifactReach(store: Store, direction: End, start: string, correction: ReachCorrection): string[] {
  const none = correction.without.length === 0 && correction.also.length === 0
  if (none) return store.prepare<[object], string>(ARTIFACT_REACH_SQL[direction]).pluck().all({ start })
  const without = JSON.stringify(correction.without)
  const also = JSON.stringify(correction.also)
  const sql = ARTIFACT_REACH_SQL[`${direction}Corrected`]
  return store.prepare<[object], string>(sql).pluck().all({ start, without, also })
}
