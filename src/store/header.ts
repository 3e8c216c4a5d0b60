// What lies at the index's place, judged from names and the first 100 bytes, before SQLite touches anything: opening
// a stranger's database through SQLite could already change it (a WAL file is checkpointed, a journal rolled back).
// The surprise: closing a descriptor drops every POSIX lock that this process has on the file, even SQLite's own, so
// reading the header while a transaction of ours is open is refused as a bug.

import { closeSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { APPLICATION_ID } from './migrate.ts'

/** Where the index is. `isDefault`: `.specdex/index.db` under the root, so whatever lies there is ours. */
export interface StoreLocation {
  readonly path: string
  readonly isDefault: boolean
}

export type Look =
  | { readonly kind: 'missing' }
  /** Somebody else's; never touched. `what` completes "… is". */
  | { readonly kind: 'foreign'; readonly what: string }
  /** Not a database, in a place that is ours. */
  | { readonly kind: 'garbage' }
  /** Ours by its header, or possibly so once SQLite rolled the journal back. */
  | { readonly kind: 'ours'; readonly wal: boolean; readonly version: number; readonly journal: boolean }

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

const inTransaction = new Map<string, number>()

/** Store tells here when it opens (+1) and ends (-1) a transaction on a file. */
export function countTransaction(file: string, change: 1 | -1): void {
  const open = (inTransaction.get(file) ?? 0) + change
  if (open === 0) inTransaction.delete(file)
  else inTransaction.set(file, open)
}

function statOrNull(file: string, follow: boolean): Stats | null {
  return (follow ? statSync(file, { throwIfNoEntry: false }) : lstatSync(file, { throwIfNoEntry: false })) ?? null
}

function readHeader(file: string): Buffer {
  if (inTransaction.has(path.resolve(file))) throw new Error(`header of ${file} read inside a transaction`)
  const header = Buffer.alloc(HEADER_BYTES)
  const fd = openForReading(file)
  try {
    return header.subarray(0, readSync(fd, header, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(fd)
  }
}

function openForReading(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))) throw error
    const hint = 'give yourself read permission on it, or place the index elsewhere with --db or SPECDEX_DB'
    throw new UserError('io', `the index ${file} may not be read`, hint)
  }
}

/** True where a rollback journal lies beside the file: a writer is at work, or was killed. */
export function hasJournal(file: string): boolean {
  return (statOrNull(`${file}-journal`, true)?.size ?? 0) > 0
}

/** Looks without writing. Throws what node:fs throws where the place cannot be read. */
export function lookAt({ path: file, isDefault }: StoreLocation): Look {
  if (isDefault) {
    // A cloned repository must not be able to point our writes somewhere else.
    for (const place of [path.dirname(file), file]) {
      if (statOrNull(place, false)?.isSymbolicLink())
        return { kind: 'foreign', what: 'reached through a symbolic link' }
    }
  }
  const stat = statOrNull(file, true)
  if (stat === null) return { kind: 'missing' }
  if (stat.isDirectory()) return { kind: 'foreign', what: 'a folder' }
  if (!stat.isFile()) return { kind: 'foreign', what: 'not a regular file' }
  if (stat.size === 0) return { kind: 'missing' }

  const header = readHeader(file)
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 16) !== MAGIC) {
    return isDefault ? { kind: 'garbage' } : { kind: 'foreign', what: 'not a Specdex index' }
  }
  const owner = header.readUInt32BE(68)
  const journal = hasJournal(file)
  // A first run that was killed while it committed leaves id 0 and a journal: SQLite rolls that back to nothing.
  const unfinished = owner === 0 && journal && isDefault
  if (owner !== APPLICATION_ID && !unfinished) return { kind: 'foreign', what: 'another program’s database' }
  return { kind: 'ours', wal: header[18] === 2 || header[19] === 2, version: header.readUInt32BE(60), journal }
}
