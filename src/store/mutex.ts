// A lock between processes for the few steps that SQLite's own locks cannot cover: replacing a file by another one.
// It is SQLite's exclusive lock on an empty neighbour file, so the system drops it when its holder dies, even by
// kill -9. The file of a killed holder stays behind, empty, and the next holder removes it.

import { closeSync, fstatSync, openSync, statSync, unlinkSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { connect } from './connect.ts'
import { toUserError } from './sqlite-errors.ts'

/** Does `file` still name what `fd` was opened on? */
function stillNamed(fd: number, file: string): boolean {
  const mine = fstatSync(fd, { bigint: true })
  const named = statSync(file, { bigint: true, throwIfNoEntry: false })
  return named !== undefined && named.ino === mine.ino && named.dev === mine.dev
}

/** A connection that holds the exclusive lock on `file`; null where the file was removed or replaced meanwhile. */
function lock(fd: number, file: string, busyMs: number): Database | null {
  let db: Database | null = null
  try {
    db = connect(file, { readOnly: false, busyMs, create: true })
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db?.close()
    // SQLite stumbles over a file that its last holder has just removed (SQLITE_IOERR_FSTAT, for one).
    if (stillNamed(fd, file)) throw error
    return null
  }
  // Our lock may be on a file that nobody else will find. The descriptor keeps its inode number from being reused,
  // which is what makes this comparison sound.
  if (stillNamed(fd, file)) return db
  db.close()
  return null
}

function tryOnce<T>(file: string, busyMs: number, fn: () => T): { value: T } | null {
  const fd = openSync(file, 'a')
  try {
    const db = lock(fd, file, busyMs)
    if (db === null) return null
    try {
      return { value: fn() }
    } finally {
      unlinkSync(file)
      db.close()
    }
  } finally {
    // Only after db.close(): closing any descriptor drops this process's locks on the file.
    closeSync(fd)
  }
}

/** Runs `fn` while no other process is inside withMutex on the same file. Throws UserError `busy`, `read-only`, … */
export function withMutex<T>(file: string, busyMs: number, fn: () => T): T {
  try {
    for (;;) {
      const done = tryOnce(file, busyMs, fn)
      if (done !== null) return done.value
    }
  } catch (error) {
    throw toUserError(error, { path: file, busyMs })
  }
}
