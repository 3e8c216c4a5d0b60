// Opens the index for a command and proves it: fresh, repaired, built, or as the policy wants it. Every command that
// answers from the index comes through here, so none can answer from an unproved one by accident.

import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import { bitsOf, FAMILIES, type Family } from '../model/families.ts'
import type { Layout } from '../model/layout.ts'
import type { Listing } from '../scan/listing.ts'
import { isFolder } from '../scan/root.ts'
import type { ScanMode } from '../scan/scan.ts'
import { isSameStamp } from '../scan/stamp.ts'
import { setAside } from '../store/aside.ts'
import { fingerprintName, getMeta, META, stampName } from '../store/meta.ts'
import { openMemoryStore, openStore, type Store } from '../store/open.ts'
import { countFiles } from '../store/queries/count-files.ts'
import type { Plan } from './diff.ts'
import { isFresh } from './fresh.ts'
import type { Place } from './place.ts'
import type { RefreshReport } from './refresh.ts'

/** repair: bring up to date and answer. strict: answer only if fresh. as-is: answer without looking. */
export type Policy = 'repair' | 'strict' | 'as-is'

/** fresh · repaired (was stale) · built (was absent) · stale (strict: nothing was repaired) · as-is (not looked at). */
export type Condition = 'fresh' | 'repaired' | 'built' | 'stale' | 'as-is'

export interface Index {
  readonly store: Store
  readonly place: Place
  readonly condition: Condition
  /** What the refresh did; null where none was needed. */
  readonly report: RefreshReport | null
  /** What a refresh would do; null where nobody looked. */
  readonly plan: Plan | null
  readonly mode: ScanMode | null
  readonly close: () => void
}

/**
 * Opens and proves the index of `place` for some families.
 * An absent index is built, whatever the policy. Where the place cannot be written, the answer comes from an index in
 * memory, with one line of warning. Throws UserError foreign, newer, busy, disk-full, corrupt, config.
 * Source: ARCHITECTURE §4 "query"; seed 000 "Staleness detection (no daemon)".
 */
export async function openIndex(
  place: Place,
  families: readonly Family[],
  policy: Policy,
  world: World,
): Promise<Index> {
  demandFamilies(place, families)
  return recovering(place, world, async () => {
    const store = openOrMemory(place, world)
    try {
      return await prove(store, place, families, policy, world)
    } catch (error) {
      store.close()
      throw error
    }
  })
}

/**
 * An index of some families in memory, built from nothing: neither reads nor writes the one on disk. What `--no-cache`
 * asks for, and what answers under flags that belong to one run only. Throws UserError config.
 */
export async function openUncached(place: Place, families: readonly Family[], world: World): Promise<Index> {
  demandFamilies(place, families)
  const store = openMemoryStore()
  const { plan, mode } = await planRefresh(store, place, families, world)
  const report = await write(store, place, plan, world)
  return { store, place, condition: 'built', report, plan, mode, close: () => store.close() }
}

function demandFamilies(place: Place, families: readonly Family[]): void {
  for (const family of families) {
    if (place.config.families.includes(family)) continue
    throw new UserError('config', `the family '${family}' is switched off in the configuration`, 'add it to `families`')
  }
}

/**
 * Runs `fn`; where it meets damage that the opening could not see, the index is moved aside and `fn` runs once more on
 * a new one. Nothing is lost: what the index holds is rebuilt from the repository.
 */
async function recovering<T>(place: Place, world: World, fn: () => Promise<T>): Promise<T> {
  try {
    return await fn()
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'corrupt') throw error
    const movedTo = setAside(place.location, place.config.limits.busy_ms, 'whole')
    if (movedTo === null) throw error
    world.talk.warn(damageNote(movedTo))
    return fn()
  }
}

function damageNote(movedTo: string): string {
  return `the index was damaged and is kept as ${movedTo}; a new one is built`
}

function openOrMemory(place: Place, world: World): Store {
  // An absent root is an empty corpus (sheet spec-graph §1.5), and asking about it must not create it.
  if (place.location.isDefault && !isFolder(place.root)) return openMemoryStore()
  try {
    const store = openStore(place.location, { busyMs: place.config.limits.busy_ms, create: true })
    if (store.movedTo !== null)
      world.talk.warn(`the index was damaged and is kept as ${store.movedTo}; a new one is built`)
    return store
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'read-only') throw error
    world.talk.warn('the index folder cannot be written: answering from an index in memory')
    return openMemoryStore()
  }
}

async function prove(
  store: Store,
  place: Place,
  families: readonly Family[],
  policy: Policy,
  world: World,
): Promise<Index> {
  const held = families.every((family) => getMeta(store, fingerprintName(family)) !== null)
  const index = (
    into: Store,
    condition: Condition,
    report: RefreshReport | null,
    plan: Plan | null,
    mode: ScanMode | null,
  ): Index => ({ store: into, place, condition, report, plan, mode, close: () => into.close() })
  if (policy === 'as-is' && held) return index(store, 'as-is', null, null, null)

  return unlessOutrun(store, async () => {
    const { plan, mode } = await planRefresh(store, place, families, world)
    if (isFresh(plan)) return index(store, 'fresh', null, plan, mode)
    if (policy === 'strict' && held) return index(store, 'stale', null, plan, mode)
    const condition = held ? 'repaired' : 'built'
    if (!store.writable) {
      world.talk.warn('the index cannot be written: answering from an index in memory')
      store.close()
      const memory = openMemoryStore()
      const fresh = await planRefresh(memory, place, families, world)
      return index(memory, condition, await write(memory, place, fresh.plan, world), plan, mode)
    }
    const report = await write(store, place, plan, world)
    return report === null ? null : index(store, condition, report, plan, mode)
  })
}

/** A scan can be outrun by another process's refresh; then it is made again, this often in all. */
const ATTEMPTS = 5

/** Repeats `attempt` while it gives null, in the end with the write lock held, where nobody can be faster. */
async function unlessOutrun<T>(store: Store, attempt: () => Promise<T | null>): Promise<T> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const done = await attempt()
    if (done !== null) return done
  }
  const done = await store.hold(attempt)
  if (done === null) throw new Error('outrun under the write lock')
  return done
}

export interface PlanOptions {
  /** Also plan to drop families that were switched off. */
  readonly all: boolean
  /** Plan to write every file again. */
  readonly everything: boolean
  /** Read bytes rather than leave a file that every later proof has to look at. */
  readonly settle?: boolean
}

/** Scans and compares; writes nothing. */
export async function planRefresh(
  store: Store,
  place: Place,
  families: readonly Family[],
  world: World,
  options: PlanOptions = { all: false, everything: false },
): Promise<{ plan: Plan; mode: ScanMode }> {
  // Loaded only where something is proved: an answer as it stands needs neither git nor hashes.
  const [{ scan }, { diff }, { fingerprint }, whereabouts] = await Promise.all([
    import('../scan/scan.ts'),
    import('./diff.ts'),
    import('../extract/fingerprint.ts'),
    families.some((family) => NEEDS_LAYOUT.has(family)) ? import('./layout.ts') : null,
  ])
  // Before the scan: what changes from now on has a later time stamp than anything that this scan trusts.
  const scannedAt = world.now()
  const { config } = place
  const { everything, settle = false } = options
  const layout = (await whereabouts?.findLayout(place)) ?? NO_LAYOUT
  const selections = whereabouts?.selectionsOf(layout, config) ?? new Map()
  const nested = whereabouts?.nestedIn(place.root, layout) ?? []
  const fingerprints = new Map(families.map((family) => [family, fingerprint(family, config, layout)]))
  const off = options.all ? switchedOff(store, place) : []
  for (const { family } of off) fingerprints.set(family, OFF)

  const attempt = async (stamps: ReadonlyMap<Family, string>): Promise<{ plan: Plan | null; mode: ScanMode }> => {
    const options = { families, config, env: world.env, now: scannedAt, stamps, selections, nested }
    const { listings, mode } = await scan(place.root, options)
    const how = { fingerprints, scannedAt, everything, settle, layout }
    const plan = diff(store, place.root, [...listings, ...off], how)
    return { plan, mode }
  }
  const first = await attempt(everything ? NO_STAMPS : storedStamps(store, fingerprints))
  const { plan, mode } = first.plan === null ? await attempt(NO_STAMPS) : first
  if (plan === null) throw new Error('a full listing was not compared')
  return { plan, mode }
}

/** Families whose files lie where conventions and modules say. */
const NEEDS_LAYOUT: ReadonlySet<Family> = new Set(['artifact', 'code'])
const NO_LAYOUT: Layout = { modules: [], notes: [] }

const NO_STAMPS: ReadonlyMap<Family, string> = new Map()

/** Stamps of the families whose facts were made as they would be made now; the others must be listed. */
function storedStamps(store: Store, fingerprints: ReadonlyMap<Family, string>): Map<Family, string> {
  const stamps = new Map<Family, string>()
  store.read(() => {
    for (const [family, current] of fingerprints) {
      const stamp = getMeta(store, fingerprintName(family)) === current ? getMeta(store, stampName(family)) : null
      if (stamp !== null) stamps.set(family, stamp)
    }
  })
  return stamps
}

/** Null where the index moved on: scan and plan again. */
async function write(store: Store, place: Place, plan: Plan, world: World): Promise<RefreshReport | null> {
  // Extractors and their libraries are loaded only where something is extracted.
  const { refresh } = await import('./refresh.ts')
  return refresh(store, place, plan, world)
}

/** The fingerprint of a family that the configuration switched off after it had been indexed. */
const OFF = 'off'

/** Empty listings for families that hold rows and are no longer configured: their rows go. */
function switchedOff(store: Store, place: Place): Listing[] {
  return FAMILIES.filter((family) => {
    if (place.config.families.includes(family)) return false
    const held = getMeta(store, fingerprintName(family))
    return held !== null && held !== OFF
  }).map((family) => ({ family, dirs: new Map(), stamp: null }))
}

/**
 * Brings all configured families up to date, bookkeeping included: what `specdex index` runs. `full` writes every
 * file again. Without anything to do, no write transaction is opened. Errors as openIndex.
 */
export async function updateIndex(
  place: Place,
  full: boolean,
  world: World,
): Promise<Index & { readonly report: RefreshReport }> {
  if (!isFolder(place.root)) throw new UserError('not-found', `there is no folder ${place.root}`)
  return recovering(place, world, () => updateOnce(place, full, world))
}

async function updateOnce(
  place: Place,
  full: boolean,
  world: World,
): Promise<Index & { readonly report: RefreshReport }> {
  const store = openStore(place.location, { busyMs: place.config.limits.busy_ms, create: true })
  if (store.movedTo !== null) world.talk.warn(damageNote(store.movedTo))
  const options: PlanOptions = { all: true, everything: full, settle: true }
  try {
    return await unlessOutrun(store, async () => {
      const { plan, mode } = await planRefresh(store, place, place.config.families, world, options)
      const report = isIdle(store, place, plan) ? unchangedReport(store, plan) : await write(store, place, plan, world)
      if (report === null) return null
      const condition: Condition = plan.absent.length > 0 ? 'built' : isFresh(plan) ? 'fresh' : 'repaired'
      return { store, place, condition, report, plan, mode, close: () => store.close() }
    })
  } catch (error) {
    store.close()
    throw error
  }
}

/** The report of a run that found nothing to do. */
function unchangedReport(store: Store, plan: Plan): RefreshReport {
  const unchanged = countFiles(store, bitsOf(plan.families))
  return { added: [], changed: [], removed: [], reextracted: [], unchanged, checked: plan.read, rows: {} }
}

/** True where not even bookkeeping is to be written. */
function isIdle(store: Store, { configNote }: Place, plan: Plan): boolean {
  if (!isFresh(plan) || plan.touches.size > 0 || plan.dirs.length > 0) return false
  if (configNote !== null && getMeta(store, META.config) !== configNote) return false
  return [...plan.stamps].every(([family, stamp]) => isSameStamp(getMeta(store, stampName(family)), stamp))
}
