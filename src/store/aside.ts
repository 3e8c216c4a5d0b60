// Moves a damaged index aside as `index.db.corrupt-<n>`: never deleted, never over another file, and never a healthy
// index that another process has just put in its place. So: one process at a time (mutex.ts), and a second look
// through SQLite once it is our turn.

import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { connect } from './connect.ts'
import { examine } from './examine.ts'
import { lookAt, type StoreLocation } from './header.ts'
import { MIGRATIONS } from './migrations.generated.ts'
import { withMutex } from './mutex.ts'
import { isCorruption, toUserError } from './sqlite-errors.ts'

/** Files that SQLite keeps beside a database. */
export const COMPANIONS = ['-journal', '-wal', '-shm'] as const

/** The lock file of setAside; left behind, empty, only by a run that was killed in it. */
export function repairMutex(file: string): string {
  return `${file}.repairing`
}

/**
 * Moves the index aside if it is damaged and returns where to, or null where it turns out to be usable or gone
 * (another process was faster). `quick` looks as an opening does; `whole` runs SQLite's integrity check, for damage
 * that a query met (`specdex index --full`). Throws UserError `busy`, `read-only`, `io`.
 */
export function setAside(location: StoreLocation, busyMs: number, depth: 'quick' | 'whole'): string | null {
  return withMutex(repairMutex(location.path), busyMs, () => {
    try {
      return isDamaged(location, busyMs, depth) ? moveAside(location.path) : null
    } catch (error) {
      throw toUserError(error, { path: location.path, busyMs })
    }
  })
}

function isDamaged(location: StoreLocation, busyMs: number, depth: 'quick' | 'whole'): boolean {
  const { kind } = lookAt(location)
  if (kind === 'missing' || kind === 'foreign') return false
  let db: Database | null = null
  try {
    db = connect(location.path, { readOnly: false, busyMs, create: false })
    // Reading through SQLite waits for a first run that is just writing the file, and rolls back a hot journal.
    const version = Number(db.pragma('user_version', { simple: true }))
    if (kind === 'garbage' && version === 0) return lookAt(location).kind === 'garbage'
    if (version === MIGRATIONS.length && examine(db) === 'corrupt') return true
    return depth === 'whole' && db.pragma('integrity_check(1)', { simple: true }) !== 'ok'
  } catch (error) {
    if (isCorruption(error)) return true
    throw error
  } finally {
    db?.close()
  }
}

function moveAside(file: string): string {
  const target = claimName(file)
  // The index goes last: as long as it stands there, nobody starts a new one whose journal could be moved by mistake.
  for (const companion of COMPANIONS) {
    if (existsSync(file + companion)) renameSync(file + companion, target + companion)
  }
  renameSync(file, target)
  return target
}

/** The smallest free `<file>.corrupt-<n>`, taken by creating it empty: two claimants never get the same one. */
function claimName(file: string): string {
  for (let n = 1; ; n++) {
    const name = `${file}.corrupt-${n}`
    try {
      closeSync(openSync(name, 'wx'))
      return name
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}
