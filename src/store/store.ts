// One open index: its connection, its cached statements, its transactions. It is made by open.ts only.
// Every failure of SQLite inside read() or write() leaves as a UserError; anything else is a bug and passes through.
// The surprise: the connection is query_only except inside write(), so a query cannot change the index by accident.

import path from 'node:path'
import type { Database, Statement } from 'better-sqlite3'
import { UserError } from '../model/errors.ts'
import { quietly, setQueryOnly } from './connect.ts'
import { countTransaction, type StoreLocation } from './header.ts'
import { readOnlyError, toUserError } from './sqlite-errors.ts'

/** What was found at the index's place; `fresh` means usable as it is (nothing is said about the sources). */
export type OpeningState =
  | 'missing'
  | 'foreign'
  | 'newer'
  | 'older'
  | 'corrupt'
  | 'locked'
  | 'hot-journal'
  | 'read-only'
  | 'fresh'

export interface StoreParts {
  readonly db: Database
  readonly location: StoreLocation
  readonly found: OpeningState
  readonly movedTo: string | null
  readonly writable: boolean
  readonly inMemory: boolean
  readonly busyMs: number
}

/** Milliseconds that a write which can be done without waits for another writer. */
const KEEP_MS = 100
/** Why it may be done without. */
const UNKEPT: readonly string[] = ['busy', 'disk-full', 'read-only']

export class Store {
  readonly db: Database
  readonly location: StoreLocation
  /** The state before this opening: `missing`, `older`, `corrupt` and `hot-journal` have been put right. */
  readonly found: OpeningState
  /** Where a damaged index was moved to, or null. */
  readonly movedTo: string | null
  readonly writable: boolean
  readonly inMemory: boolean
  readonly busyMs: number
  readonly #file: string
  readonly #statements = new Map<string, Statement>()
  #writing = false
  #held = false

  constructor(parts: StoreParts) {
    this.db = parts.db
    this.location = parts.location
    this.found = parts.found
    this.movedTo = parts.movedTo
    this.writable = parts.writable
    this.inMemory = parts.inMemory
    this.busyMs = parts.busyMs
    this.#file = path.resolve(parts.location.path)
    setQueryOnly(this.db, true)
  }

  /** A statement, prepared once per store; its failures are translated like those of read() and write(). */
  prepare<Params extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Params, Row> {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#guarded(() => this.db.prepare(sql))()
      // On the instance, so that it stays a Statement: SQLite finds damage and locks when a statement runs.
      for (const method of ['all', 'get', 'run'] as const) {
        const plain = statement[method].bind(statement)
        Object.defineProperty(statement, method, { value: this.#guarded(plain) })
      }
      this.#statements.set(sql, statement)
    }
    return statement as unknown as Statement<Params, Row>
  }

  /**
   * Runs `fn` on one consistent snapshot; joins a transaction that is already open. Read rows with `.all()`: an open
   * iterator keeps its lock, and a writer could not commit.
   */
  read<T>(fn: () => T): T {
    if (this.db.inTransaction) return fn()
    return this.#transaction('BEGIN', fn)
  }

  /**
   * Runs `fn` in one write transaction: all of it is in the index when this returns, or nothing is. Waits up to busyMs
   * for another writer. Throws UserError `busy`, `disk-full`, `read-only`, `corrupt`, `io`. Inside hold() it joins.
   */
  write<T>(fn: () => T): T {
    if (this.#held) return fn()
    this.#startWriting()
    try {
      const result = this.#transaction('BEGIN IMMEDIATE', fn)
      setQueryOnly(this.db, true)
      return result
    } catch (error) {
      throw this.#shut(error)
    } finally {
      this.#writing = false
    }
  }

  /**
   * As write(), for what only spares the next run some work: where somebody else is writing, or nothing can be written,
   * it is not kept, and nobody is told or waits.
   */
  keep(fn: () => void): void {
    this.db.pragma(`busy_timeout = ${Math.min(KEEP_MS, this.busyMs)}`)
    try {
      this.write(fn)
    } catch (error) {
      if (!(error instanceof UserError) || !UNKEPT.includes(error.code)) throw error
    } finally {
      this.db.pragma(`busy_timeout = ${this.busyMs}`)
    }
  }

  /**
   * As write(), but `fn` may wait for other things: nobody else writes meanwhile, readers go on, and write() joins.
   * For a refresh that was outrun too often.
   */
  async hold<T>(fn: () => Promise<T>): Promise<T> {
    this.#startWriting()
    countTransaction(this.#file, 1)
    try {
      this.prepare('BEGIN IMMEDIATE').run()
      this.#held = true
      const result = await fn()
      this.prepare('COMMIT').run()
      setQueryOnly(this.db, true)
      return result
    } catch (error) {
      throw this.#shut(this.#undone(error))
    } finally {
      this.#held = false
      countTransaction(this.#file, -1)
      this.#writing = false
    }
  }

  close(): void {
    this.#statements.clear()
    this.db.close()
  }

  #transaction<T>(begin: string, fn: () => T): T {
    countTransaction(this.#file, 1)
    try {
      this.prepare(begin).run()
      const result = fn()
      this.prepare('COMMIT').run()
      return result
    } catch (error) {
      throw this.#undone(error)
    } finally {
      countTransaction(this.#file, -1)
    }
  }

  /** Rolls back and returns what to throw. SQLite itself rolls back after some errors. */
  #undone(error: unknown): unknown {
    if (this.db.inTransaction) quietly(() => this.db.exec('ROLLBACK'))
    return this.#translated(error)
  }

  #startWriting(): void {
    if (this.db.inTransaction) throw new Error('write() inside another transaction of the same store')
    if (!this.writable) throw readOnlyError(this.location.path, 'the index is open for reading only')
    this.#writing = true
    try {
      setQueryOnly(this.db, false)
    } catch (error) {
      this.#writing = false
      throw this.#shut(error)
    }
  }

  /** After a failure: for reading only again. Returns what to throw. */
  #shut(error: unknown): unknown {
    quietly(() => setQueryOnly(this.db, true))
    return this.#translated(error)
  }

  #guarded<Args extends unknown[], T>(fn: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      try {
        return fn(...args)
      } catch (error) {
        throw this.#translated(error)
      }
    }
  }

  #translated(error: unknown): unknown {
    // On a writable store this code outside write() means that a query tried to write: a bug, not the user's disk.
    const ourBug = this.writable && !this.#writing && isReadOnlyViolation(error)
    return ourBug ? error : toUserError(error, { path: this.location.path, busyMs: this.busyMs })
  }
}

function isReadOnlyViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_READONLY'
}
