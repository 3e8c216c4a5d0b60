// What state the index is in, found out without changing anything. Shared with open.ts, which then acts on it.
// The surprise: a read-only handle is what tells a killed writer from a working one. SQLite looks for the writer's
// lock before it calls a journal hot, and a handle that may not roll it back says so.

import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import { connect } from './connect.ts'
import { examine } from './examine.ts'
import { lookAt, type StoreLocation } from './header.ts'
import { MIGRATIONS } from './migrations.generated.ts'
import { isBusy, isCorruption, isVanishing, toUserError } from './sqlite-errors.ts'
import type { OpeningState } from './store.ts'

/**
 * The state of the index, for `status` and `doctor`: never writes, never waits, and throws only where even looking is
 * refused by the system (UserError `io` or `read-only`).
 */
export function probeStore(location: StoreLocation): OpeningState {
  try {
    return probeOnce(location)
  } catch (error) {
    // Another process put something else there while we looked.
    if (isVanishing(error) && lookAt(location).kind === 'missing') return 'missing'
    throw toUserError(error, { path: location.path, busyMs: 0 })
  }
}

function probeOnce(location: StoreLocation): OpeningState {
  const look = lookAt(location)
  if (look.kind === 'missing' || look.kind === 'foreign') return look.kind
  if (look.kind === 'garbage') return 'corrupt'
  // Even a read-only look through SQLite would leave -shm and -wal files behind: the header has to do.
  if (look.wal) return compareVersion(look.version) ?? (isWritable(location) ? 'fresh' : 'read-only')
  return probeOurs(location)
}

function probeOurs(location: StoreLocation): OpeningState {
  const seen = tryReading(location)
  if (seen !== 'fresh') return seen
  if (!isWritable(location)) return 'read-only'
  // Takes the writer's lock for a moment and writes nothing: finds a writer that has not changed anything yet.
  return looking(location, false, (db) => {
    db.exec('BEGIN IMMEDIATE')
    db.exec('ROLLBACK')
    return 'fresh'
  })
}

/** The state as a reader sees it, through a handle that cannot write. */
export function tryReading(location: StoreLocation): OpeningState {
  return looking(location, true, (db) => {
    const version = Number(db.pragma('user_version', { simple: true }))
    return compareVersion(version) ?? examine(db)
  })
}

/** What `look` says, or what SQLite's refusal means; connecting already reads the file, and may be refused as well. */
function looking(location: StoreLocation, readOnly: boolean, look: (db: Database) => OpeningState): OpeningState {
  let db: Database | null = null
  try {
    db = connect(location.path, { readOnly, busyMs: 0, create: false })
    return look(db)
  } catch (error) {
    if (isBusy(error)) return 'locked'
    if (isCorruption(error)) return 'corrupt'
    if (isHotJournalError(error)) return 'hot-journal'
    throw error
  } finally {
    db?.close()
  }
}

function isHotJournalError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_READONLY_ROLLBACK'
}

export function compareVersion(version: number): 'newer' | 'older' | null {
  if (version === MIGRATIONS.length) return null
  return version > MIGRATIONS.length ? 'newer' : 'older'
}

export function canWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Writing needs the folder too: the rollback journal is made beside the file. */
export function isWritable({ path: file }: StoreLocation): boolean {
  return canWrite(file) && canWrite(path.dirname(file))
}
