// A copy of the index at one moment, for CI caches and for looking around in. VACUUM INTO reads one snapshot while
// others write (a writer waits with its commit), and the copy gets its name only when it is whole and on disk.
// It never replaces a file. The surprise: link + unlink instead of rename, because rename would replace one.

import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { setQueryOnly } from './connect.ts'
import { withMutex } from './mutex.ts'
import { canWrite } from './probe.ts'
import { toUserError } from './sqlite-errors.ts'
import type { Store } from './store.ts'

/**
 * Writes a copy of the index to `file` and returns its size in bytes. The folder must exist and the file must not.
 * Throws UserError `refused` (exists), `io` (no such folder), `disk-full`, `busy`, `read-only`.
 */
export function snapshotTo(store: Store, file: string): number {
  const target = path.resolve(file)
  if (!statSync(path.dirname(target), { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError('io', `the folder of ${file} does not exist`, 'make the folder first, or name another file')
  }
  if (!canWrite(path.dirname(target))) {
    // Said here, because everything below speaks of the index, which may be writable all the same.
    throw new UserError('read-only', `the folder of ${file} cannot be written`, 'name a file in another folder')
  }
  // One snapshot to this name at a time, so that a part file found here is a killed run's.
  return withMutex(`${target}.specdex-lock`, store.busyMs, () => {
    if (existsSync(target)) throw existsError(file)
    const part = `${target}.specdex-part`
    rmSync(part, { force: true })
    try {
      copyTo(store, part)
      onDisk(part)
      nameIt(part, target, file)
      return statSync(target).size
    } catch (error) {
      throw toUserError(error, { path: file, busyMs: store.busyMs })
    } finally {
      rmSync(part, { force: true })
    }
  })
}

/** query_only also forbids this, although it changes nothing here. */
function copyTo(store: Store, part: string): void {
  setQueryOnly(store.db, false)
  try {
    store.db.prepare('VACUUM INTO ?').run(part)
  } finally {
    setQueryOnly(store.db, true)
  }
}

function existsError(file: string): UserError {
  return new UserError('refused', `${file} exists and is not replaced`, 'name a file that does not exist yet')
}

/** VACUUM INTO does not sync what it wrote. */
function onDisk(file: string): void {
  const fd = openSync(file, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function nameIt(part: string, target: string, file: string): void {
  try {
    linkSync(part, target)
    unlinkSync(part)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EEXIST') throw existsError(file)
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
    // A file system without hard links.
    if (existsSync(target)) throw existsError(file)
    renameSync(part, target)
  }
}
