// What the index tests do inside this process: the steps of `specdex index` on a store that the test opened itself
// (with a trace, say), and what such a store holds. It never opens an index behind the test's back.
// The surprise: the clock runs ahead, so that no file is too young for its time stamps to vouch for it.

import { isFresh } from '../../src/indexing/fresh.ts'
import { findPlace, type Place } from '../../src/indexing/place.ts'
import { type RefreshReport, refresh } from '../../src/indexing/refresh.ts'
import { planRefresh } from '../../src/indexing/session.ts'
import { SILENT, type World } from '../../src/model/clock.ts'
import { isSameStamp } from '../../src/scan/stamp.ts'
import { getMeta, stampName } from '../../src/store/meta.ts'
import type { Store } from '../../src/store/open.ts'
import { childEnvironment } from '../support/environment.ts'

const AHEAD_MS = 60_000

/** A quiet world whose clock runs a minute ahead. */
export function quietWorld(): World {
  return { now: () => Date.now() + AHEAD_MS, talk: SILENT, env: childEnvironment() }
}

/** The place of a run in `root` with the index where it usually is. */
export function placeAt(root: string): Promise<Place> {
  return findPlace({ root, db: null, cwd: root, env: {} })
}

/** Brings an open store up to date, bookkeeping included, as `specdex index` does. Null: there was nothing to do. */
export async function update(store: Store, place: Place): Promise<RefreshReport | null> {
  const world = quietWorld()
  const options = { all: true, everything: false, settle: true }
  const { plan } = await planRefresh(store, place, place.config.families, world, options)
  const stamped = [...plan.stamps].every(([family, stamp]) => isSameStamp(getMeta(store, stampName(family)), stamp))
  if (isFresh(plan) && plan.touches.size === 0 && plan.dirs.length === 0 && stamped) return null
  const report = refresh(store, place, plan, world)
  if (report === null) throw new Error('another process changed the index')
  return report
}

/** The rows by which the index recognises content, which the logical dump leaves out. */
export function bookkeeping(store: Store): unknown[] {
  return store.read(() => [
    store.db.prepare('SELECT k.text, f.stat, f.oid FROM file f JOIN key k ON k.id = f.id ORDER BY k.text').raw().all(),
    store.db.prepare('SELECT family, path, files, digest FROM dir ORDER BY family, path').raw().all(),
    store.db.prepare("SELECT name, value FROM meta WHERE name <> 'vocabulary' ORDER BY name").raw().all(),
  ])
}
