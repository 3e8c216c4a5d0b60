// What the indexing tests share: runs on one folder in this process, and the comparison that everything comes down to,
// the index as it became step by step against one built from nothing.

import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { findPlace, type Place } from '../../src/indexing/place.ts'
import { type RefreshReport, refresh } from '../../src/indexing/refresh.ts'
import { type Index, openIndex, type Policy, planRefresh, updateIndex } from '../../src/indexing/session.ts'
import { indexedCorpusHash } from '../../src/indexing/spec-hash.ts'
import { SILENT, type World } from '../../src/model/clock.ts'
import { bitsOf, FAMILIES, type Family } from '../../src/model/families.ts'
import { isMangledKey } from '../../src/model/source-key.ts'
import { FILE_STATE, FIRST_SKIPPED_STATE, type SpecMode } from '../../src/model/vocabulary.ts'
import { exportSpecGraph } from '../../src/spec/export.ts'
import { firstDifferences, logicalDump } from '../../src/store/dump.ts'
import { openMemoryStore, openStore, type Store } from '../../src/store/open.ts'
import { allFiles } from '../../src/store/queries/all-files.ts'
import type { FileRow } from '../../src/store/queries/files-in-dir.ts'
import { childEnvironment } from '../support/environment.ts'

/** The world of a run in this process: a real clock, nobody listening. */
export const WORLD: World = { now: () => Date.now(), talk: SILENT, env: childEnvironment() }

/** A world whose PATH holds no git. */
export const WITHOUT_GIT: World = { ...WORLD, env: { ...WORLD.env, PATH: '/nowhere' } }

/** The place of a run in `root`, with its configuration as it is now. */
export function placeAt(root: string): Promise<Place> {
  return findPlace({ root, db: null, cwd: root, env: {} })
}

export interface Run {
  readonly report: RefreshReport
  readonly plan: NonNullable<Index['plan']>
  readonly condition: Index['condition']
  readonly mode: Index['mode']
}

/** What `specdex index` does. */
export async function runIndex(root: string, world: World = WORLD, full = false): Promise<Run> {
  const index = await updateIndex(await placeAt(root), full, world)
  index.close()
  if (index.plan === null) throw new Error('nobody looked')
  return { report: index.report, plan: index.plan, condition: index.condition, mode: index.mode }
}

/** What a query of these families does before it asks. */
export async function runQuery(
  root: string,
  families: readonly Family[],
  world: World = WORLD,
  policy: Policy = 'repair',
): Promise<Index> {
  const index = await openIndex(await placeAt(root), families, policy, world)
  index.close()
  return index
}

/** An index of `root` built from nothing, in memory. Close it. */
export async function freshStore(root: string, world: World = WORLD): Promise<Store> {
  const place = await placeAt(root)
  const store = openMemoryStore()
  const { plan } = await planRefresh(store, place, place.config.families, world)
  refresh(store, place, plan, world)
  return store
}

/** Opens the index of `root` as it stands, and closes it. */
export function withStored<T>(root: string, use: (store: Store) => T): T {
  const store = openStore(
    { path: path.join(root, '.specdex/index.db'), isDefault: true },
    { busyMs: 5000, create: false },
  )
  try {
    return use(store)
  } finally {
    store.close()
  }
}

/** The logical dump of the index as it stands. */
export function storedDump(root: string): string[] {
  return withStored(root, logicalDump)
}

/** The logical dump of an index built from nothing. */
export async function freshDump(root: string, world: World = WORLD): Promise<string[]> {
  const store = await freshStore(root, world)
  try {
    return logicalDump(store)
  } finally {
    store.close()
  }
}

/** The heart of the matter: the index as it stands says what one built from nothing says. */
export async function expectEqualToFresh(root: string, world: World = WORLD): Promise<void> {
  expect(firstDifferences(storedDump(root), await freshDump(root, world), 10)).toEqual([])
}

/** The exported document of a mode. */
export function exported(place: Place, store: Store, mode: SpecMode): string {
  const index: Index = { store, place, condition: 'fresh', report: null, plan: null, mode: null, close: () => {} }
  return exportSpecGraph(store, mode, indexedCorpusHash(index)).text
}

export interface Expected {
  readonly added: string[]
  readonly changed: string[]
  readonly removed: string[]
}

/** What a full refresh of the index as it stands must report to become `fresh`, judged by the bytes on disk alone. */
export function expectedReport(root: string, fresh: Store): Expected {
  const all = bitsOf(FAMILIES)
  const now = new Map(allFiles(fresh, all).map((row) => [row.key, row]))
  const before = new Map(withStored(root, (store) => allFiles(store, all)).map((row) => [row.key, row]))
  const keys = [...now.keys()]
  return {
    added: keys.filter((key) => !before.has(key)).sort(),
    removed: [...before.keys()].filter((key) => !now.has(key)).sort(),
    changed: keys.filter((key) => differs(root, before.get(key), now.get(key))).sort(),
  }
}

function differs(root: string, before: FileRow | undefined, now: FileRow | undefined): boolean {
  if (before === undefined || now === undefined) return false
  // Names that are no sources, and files kept out unread: their state and size are all there is.
  const unread = (row: FileRow): boolean => row.state >= FIRST_SKIPPED_STATE || row.oid.length === 0
  if (unread(before) || unread(now)) return before.state !== now.state || before.size !== now.size
  if (isMangledKey(now.key) || now.state === FILE_STATE.unreadable) return before.state !== now.state
  const bytes = readFileSync(path.join(root, now.key))
  const kind = before.oid.length === 20 ? createHash('sha1').update(`blob ${bytes.length}\0`) : createHash('sha256')
  return !kind.update(bytes).digest().equals(before.oid)
}

/** Bytes and time of the index file, to see whether anything wrote to it. */
export function fileStamp(root: string): string {
  const file = path.join(root, '.specdex/index.db')
  const { ino, mtimeMs, ctimeMs, size } = lstatSync(file)
  return `${ino} ${mtimeMs} ${ctimeMs} ${size} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`
}

/** Long enough for a time stamp to be trusted (see isRacy). */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 40))
}
