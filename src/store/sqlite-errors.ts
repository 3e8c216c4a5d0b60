// The one place where failures of SQLite and of the file system around it become UserErrors (habits §6.1).
// A hint is a next step and never a destructive command, because people and agents paste hints.
// What is not listed here (constraint, syntax, misuse) is a bug of ours and passes through unchanged.

import { UserError } from '../model/errors.ts'

export interface ErrorContext {
  /** The index as the user knows it. */
  readonly path: string
  /** How long SQLite was allowed to wait for a lock, in milliseconds. */
  readonly busyMs: number
}

/** `850 ms`, `10 s`: how long a lock was waited for. */
function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** True for what SQLite says of a file whose content it cannot make sense of. */
export function isCorruption(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))
}

/** True where another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error))
}

/** What comes of a file that another process moves aside between our look and our opening: look again. */
export function isVanishing(error: unknown): boolean {
  return ['ENOENT', 'SQLITE_CANTOPEN', 'SQLITE_IOERR_FSTAT', 'SQLITE_READONLY_DBMOVED'].includes(codeOf(error))
}

/** The index is damaged; also thrown by our own look at it. */
export function corruptError(path: string): UserError {
  return new UserError(
    'corrupt',
    `the index ${path} is damaged`,
    'run `specdex index --full`: it moves the damaged file aside and builds a new one from the sources',
  )
}

/** The index or its folder cannot be written, and what is there cannot be used as it is. */
export function readOnlyError(path: string, why: string): UserError {
  return new UserError(
    'read-only',
    `${why} (${path})`,
    'give yourself write permission on the folder, or place the index elsewhere with --db or SPECDEX_DB',
  )
}

/**
 * Errors of better-sqlite3 and of node:fs as UserErrors; UserErrors and bugs come back as they are.
 * Throw what it returns.
 */
export function toUserError(error: unknown, { path, busyMs }: ErrorContext): unknown {
  if (error instanceof UserError) return error
  const code = codeOf(error)
  if (isBusy(error)) {
    return new UserError(
      'busy',
      `the index ${path} is held by another process (waited ${duration(busyMs)})`,
      'wait for the other specdex to end and run this again; if none seems to work, look for a stopped one (`ps`, state T)',
    )
  }
  if (isCorruption(error)) return corruptError(path)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new UserError(
      'disk-full',
      `no space left for the index ${path}; nothing was changed`,
      'free some space and run this again, or place the index on another disk with --db or SPECDEX_DB',
    )
  }
  if (code === 'SQLITE_READONLY_DBMOVED') {
    return new UserError('io', `the index ${path} was moved while it was in use`, 'run this again')
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return readOnlyError(path, 'the index cannot be written here')
  }
  if (code.startsWith('SQLITE_CANTOPEN') || code === 'SQLITE_PERM') {
    return new UserError(
      'io',
      `the index ${path} cannot be opened`,
      'check that its folder exists and that you may read and write there, then run `specdex doctor`',
    )
  }
  if (code.startsWith('SQLITE_IOERR') || /^E[A-Z]+$/.test(code)) {
    return new UserError(
      'io',
      `reading or writing the index ${path} failed (${code})`,
      'check the disk and its free space, then run `specdex doctor`',
    )
  }
  return error
}
