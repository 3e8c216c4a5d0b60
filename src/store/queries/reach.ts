// Transitive closure over stored edges: impact (who depends on it, up → down) and the walk forwards (what it depends
// on, down → up). UNION on the id (and one flag) keeps cycles finite and is 20 times faster than carrying a depth, so
// distances are counted in graph/. The surprise: whether an edge exists is tested inside the recursion. Testing only
// what came out would be faster and wrong: the walk would already have gone through ids that nobody declares.

import type { Store } from '../store.ts'
import type { EdgeTypes } from './spec-edges.ts'

/**
 * The walk from `near` to `far` over the types @lo..@hi, one range (an IN list would seek once per type and node).
 * An edge of @nlo..@nhi stands only if both its ends are declared. Testing the far end of every edge costs twice the
 * walk itself, so an id that was reached over such an edge (sure = 0) is tested once, before it is walked from: the
 * condition on r alone runs outside the loop over its edges. An id reached over any other edge (sure = 1) is in the
 * answer as it is, and is tested only for its edges of @nlo..@nhi.
 */
function walk(near: 'up' | 'down', far: 'up' | 'down'): string {
  const declared = 'EXISTS (SELECT 1 FROM node n WHERE n.key = r.id)'
  return `
  WITH RECURSIVE r(id, sure) AS (
    SELECT id, 1 FROM key WHERE text = @id
    UNION
    SELECT e.${far}, e.type NOT BETWEEN @nlo AND @nhi
      FROM r JOIN edge e ON e.${near} = r.id AND e.type BETWEEN @lo AND @hi
     WHERE (r.sure OR ${declared})
       AND (e.type NOT BETWEEN @nlo AND @nhi OR NOT r.sure OR ${declared}))
  SELECT k.text FROM key k WHERE k.id IN (SELECT r.id FROM r WHERE r.sure OR ${declared})`
}

export const IMPACT_SQL: string = `${walk('up', 'down')} AND k.text <> @id ORDER BY k.text`
export const FORWARD_SQL: string = `${walk('down', 'up')} ORDER BY k.text`

/** Everything that depends on `id`, directly or not, without `id` itself; code point order. */
export function impact(store: Store, types: EdgeTypes, id: string): string[] {
  return store
    .prepare<[object], string>(IMPACT_SQL)
    .pluck()
    .all({ ...types, id })
}

/** Everything that `id` depends on, directly or not, and `id` itself where the index knows the text. */
export function forward(store: Store, types: EdgeTypes, id: string): string[] {
  return store
    .prepare<[object], string>(FORWARD_SQL)
    .pluck()
    .all({ ...types, id })
}
