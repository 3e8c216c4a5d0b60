// The one place that makes a database connection and sets pragmas, each with its reason. It decides nothing about
// what the file is: that is open.ts. The surprise: there is no journal_mode at each opening, because DELETE is what
// SQLite does unless the file itself says WAL.

import path from 'node:path'
import Database from 'better-sqlite3'
import { UserError } from '../model/errors.ts'
import { addonError, addonPath } from './addon.ts'

/** Receives the text of every statement as it runs; for tests that fail the k-th one. */
export type Trace = (sql: string) => void

export interface ConnectOptions {
  readonly readOnly: boolean
  /** Milliseconds that SQLite waits for another process's lock. */
  readonly busyMs: number
  /** Make the file where there is none. */
  readonly create: boolean
  readonly trace?: Trace | undefined
  /** Only for tests: another native addon than ours. */
  readonly addon?: string
}

const CONNECTION_PRAGMAS = [
  // The rollback journal is deleted at commit, and both are on disk before commit returns: an index that survived
  // a power cut is either the old or the new one. (FULL is SQLite's default; stated because NORMAL would not do.)
  'PRAGMA synchronous = FULL',
  // 64 MiB of page cache: with SQLite's default a large refresh spills, and a spill takes the exclusive lock early.
  'PRAGMA cache_size = -65536',
  // Never write changed pages before commit: readers stay shut out for the commit only (45 ms instead of 1.3 s).
  'PRAGMA cache_spill = OFF',
  // Sorting and recursion queues stay in memory: a query leaves no temporary file, not even after kill -9.
  'PRAGMA temp_store = MEMORY',
  // An index may arrive by `git clone`: whatever views and triggers it brings run with harmless functions only.
  'PRAGMA trusted_schema = OFF',
].join(';')

/**
 * A connection with every pragma set, still allowed to write (see setQueryOnly). `file` is a path, `:memory:`, or
 * empty for a temporary file of SQLite's own.
 * Throws SQLite's own errors, and UserError `io` where the native addon does not load.
 */
export function connect(file: string, options: ConnectOptions): Database.Database {
  const addon = options.addon ?? addonPath()
  const ofItsOwn = file === ':memory:' || file === ''
  // better-sqlite3 trims file names, and so would open another file than the one we looked at.
  if (file !== file.trim()) {
    throw new UserError('usage', `the index path ends in white space: "${file}"`, 'choose another name for the index')
  }
  let db: Database.Database
  try {
    db = new Database(ofItsOwn ? file : path.resolve(file), {
      readonly: options.readOnly,
      fileMustExist: !options.create && !ofItsOwn,
      timeout: options.busyMs,
      nativeBinding: addon,
      ...(options.trace && { verbose: options.trace as (message?: unknown) => void }),
    })
  } catch (error) {
    throw addonError(error, addon) ?? error
  }
  try {
    db.exec(CONNECTION_PRAGMAS)
    // A temporary database has no readers to shut out, and is there in order not to fill the memory.
    if (file === '') db.pragma('cache_spill = ON')
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/**
 * Queries run read-write with `query_only`: a read-only handle cannot roll back the hot journal that a killed writer
 * left, not even as root (SQLITE_READONLY_ROLLBACK).
 */
export function setQueryOnly(db: Database.Database, on: boolean): void {
  db.pragma(on ? 'query_only = ON' : 'query_only = OFF')
}

/**
 * A visit with `sqlite3` or Datasette can leave the file in WAL mode, which cannot be read from a read-only folder and
 * is three files at rest. Switching needs the file alone, so this tries once and leaves it for the next opening.
 */
export function leaveWal(db: Database.Database): void {
  const wait = db.pragma('busy_timeout', { simple: true })
  try {
    db.pragma('busy_timeout = 0')
    db.pragma('journal_mode = DELETE')
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
  } finally {
    db.pragma(`busy_timeout = ${Number(wait)}`)
  }
}

/**
 * Cleaning up after a first error, which a second one must not hide. False where it failed: an unfinished rollback
 * is done by closing the connection or, at the latest, by the next opening.
 */
export function quietly(cleanUp: () => unknown): boolean {
  try {
    cleanUp()
    return true
  } catch {
    return false
  }
}
