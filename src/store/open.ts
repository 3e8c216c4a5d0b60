// Opens the index: looks at what lies there, puts right what may be put right, refuses the rest with a UserError.
// It never deletes: a damaged index is moved aside (aside.ts), a stranger's file is left alone. Opening stays cheap,
// because every query pays for it: no quick_check, two tiny reads. The surprise: what the header says is a first
// opinion only, since a hot journal can still change it; SQLite has the last word.

import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import { UserError } from '../model/errors.ts'
import { setAside } from './aside.ts'
import { connect, leaveWal, type Trace } from './connect.ts'
import { examine } from './examine.ts'
import { createFolders } from './folders.ts'
import { type Look, lookAt, type StoreLocation } from './header.ts'
import { APPLICATION_ID, migrate, writeVocabulary } from './migrate.ts'
import { MIGRATIONS } from './migrations.generated.ts'
import { canWrite, compareVersion, isWritable, tryReading } from './probe.ts'
import { corruptError, isVanishing, readOnlyError, toUserError } from './sqlite-errors.ts'
import { type OpeningState, Store } from './store.ts'

export type { StoreLocation } from './header.ts'
export { probeStore } from './probe.ts'
export { type OpeningState, Store } from './store.ts'

export interface OpenOptions {
  /** Milliseconds to wait for another process that holds the index. */
  readonly busyMs: number
  /** Make the index where there is none, and replace a damaged one. */
  readonly create: boolean
  readonly trace?: Trace
}

/** Lines of `.specdex/.gitignore`; doctor names those that an existing file lacks. */
export const GITIGNORE_LINES: readonly string[] = ['index.db*', 'cache/', 'setup-facts.json']

/** Every round either opens, throws, or has seen another process change the file in between. */
const MAX_ROUNDS = 8

/**
 * Opens the index at `location`. Throws UserError `no-index` (missing and not `create`), `foreign`, `newer`,
 * `corrupt` (not `create`), `busy`, `read-only` (nothing usable in a place that cannot be written: answer from
 * memory), `disk-full`, `io`.
 */
export function openStore(location: StoreLocation, options: OpenOptions): Store {
  const context = { path: location.path, busyMs: options.busyMs }
  let movedTo: string | null = null
  let last: unknown = null
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      const store = openOnce(location, options, movedTo)
      if (store !== null) return store
    } catch (error) {
      last = toUserError(error, context)
      if (isVanishing(error)) continue
      if (!(last instanceof UserError) || last.code !== 'corrupt') throw last
      if (!canWrite(path.dirname(location.path))) throw readOnlyError(location.path, 'the index is damaged')
      if (!options.create) throw last
      movedTo = setAside(location, options.busyMs, 'quick') ?? movedTo
    }
  }
  throw last ?? new UserError('io', `the index ${location.path} keeps changing`, 'run this again')
}

/** An index of this process only, for places that cannot be written. */
export function openMemoryStore(trace?: Trace): Store {
  return openPrivate(':memory:', trace)
}

/** An index in a temporary file of SQLite's own, gone with the process: a second opinion of any size. */
export function openTemporaryStore(): Store {
  return openPrivate('')
}

function openPrivate(place: ':memory:' | '', trace?: Trace): Store {
  const db = connect(place, { readOnly: false, busyMs: 0, create: true, trace })
  migrate(db, MIGRATIONS, () => writeVocabulary({ db }))
  const location = { path: place, isDefault: false }
  return new Store({ db, location, found: 'missing', movedTo: null, writable: true, inMemory: true, busyMs: 0 })
}

/** One attempt; null where the file turned out to be something else than it looked like. */
function openOnce(location: StoreLocation, options: OpenOptions, movedTo: string | null): Store | null {
  const look = lookAt(location)
  switch (look.kind) {
    case 'missing':
      return createStore(location, options, movedTo)
    case 'foreign':
      throw foreignError(location, look.what)
    case 'garbage':
      throw corruptError(location.path)
    case 'ours':
      return openExisting(location, look, options, movedTo)
  }
}

function foreignError({ path: file, isDefault }: StoreLocation, what: string): UserError {
  const hint = isDefault
    ? 'move it away yourself, or place the index elsewhere with --db or SPECDEX_DB'
    : 'name another file with --db or SPECDEX_DB; this one was left as it is'
  return new UserError('foreign', `${file} is ${what}`, hint)
}

function createStore(location: StoreLocation, options: OpenOptions, movedTo: string | null): Store | null {
  if (!options.create) {
    throw new UserError('no-index', `there is no index at ${location.path}`, 'run `specdex index`')
  }
  const folder = path.dirname(location.path)
  createFolders(folder)
  if (!canWrite(folder)) throw readOnlyError(location.path, 'the index cannot be created here')
  if (location.isDefault) ignoreInGit(folder)
  const db = connect(location.path, { readOnly: false, busyMs: options.busyMs, create: true, trace: options.trace })
  // Two processes may both find nothing: the second one waits for the first one's lock and finds all migrations done.
  return finish(db, location, options, movedTo, 'missing', true)
}

function ignoreInGit(folder: string): void {
  try {
    writeFileSync(path.join(folder, '.gitignore'), `${GITIGNORE_LINES.join('\n')}\n`, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Also beside an index that came from a cache, which brings no ignore file along. */
function ensureIgnored({ path: file, isDefault }: StoreLocation, options: OpenOptions): void {
  const folder = path.dirname(file)
  if (isDefault && options.create && !existsSync(path.join(folder, '.gitignore'))) ignoreInGit(folder)
}

function openExisting(
  location: StoreLocation,
  look: Look & { kind: 'ours' },
  options: OpenOptions,
  movedTo: string | null,
): Store | null {
  const writable = isWritable(location)
  if (writable) ensureIgnored(location, options)
  let found: OpeningState = writable ? 'fresh' : 'read-only'
  if (look.journal && !look.wal && tryReading(location) === 'hot-journal') {
    if (!writable)
      throw readOnlyError(location.path, 'a killed run left the index unfinished, and it cannot be repaired')
    found = 'hot-journal'
  }
  let db: Database
  try {
    db = connect(location.path, { readOnly: !writable, busyMs: options.busyMs, create: false, trace: options.trace })
  } catch (error) {
    // A read-only WAL file needs its -shm, which cannot be made here.
    if (look.wal && !writable) throw readOnlyError(location.path, 'the index was left in WAL mode')
    throw error
  }
  return finish(db, location, options, movedTo, found, look.wal)
}

/** Migrates, checks and wraps the connection; closes it on every other way out. */
function finish(
  db: Database,
  location: StoreLocation,
  { busyMs }: OpenOptions,
  movedTo: string | null,
  found: OpeningState,
  wal: boolean,
): Store | null {
  let store: Store | null = null
  try {
    const writable = !db.readonly
    let state = found
    if (found !== 'missing') {
      if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) return null
      if (wal && writable) leaveWal(db)
    }
    const version = Number(db.pragma('user_version', { simple: true }))
    const compared = compareVersion(version)
    if (compared === 'newer') {
      throw new UserError(
        'newer',
        `the index ${location.path} was written by a newer Specdex (schema ${version}, this one knows ${MIGRATIONS.length})`,
        'use that Specdex, or give this one another place with --db: it builds its own index there',
      )
    }
    if (compared === 'older') {
      if (!writable) throw readOnlyError(location.path, 'the index was written by an older Specdex')
      migrate(db, MIGRATIONS, () => writeVocabulary({ db }))
      if (found === 'fresh') state = 'older'
    }
    const seen = examine(db)
    if (seen === 'corrupt') throw corruptError(location.path)
    if (seen === 'newer') {
      throw new UserError(
        'newer',
        `the index ${location.path} was written by another build of Specdex`,
        'use that build, or give this one another place with --db: it builds its own index there',
      )
    }
    if (seen === 'older' && writable) {
      db.transaction(() => writeVocabulary({ db })).immediate()
      if (found === 'fresh') state = 'older'
    }
    if (movedTo !== null) state = 'corrupt'
    store = new Store({ db, location, found: state, movedTo, writable, inMemory: false, busyMs })
    return store
  } finally {
    if (store === null) db.close()
  }
}
