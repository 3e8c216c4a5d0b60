// Replaces a file as a whole: whoever reads it meanwhile gets the old text or the new one, and so does whoever finds it
// after a crash. What may be written is decided by the caller.

import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the new content stands until it is complete, beside the file. */
function temporaryName(file: string, pid: number): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${pid}.tmp`)
}

/** Replaces a file (absolute, no link) or makes it. Permissions stay. `pid` is this process's. Throws what node:fs throws. */
export function replaceFile(file: string, text: string, pid: number): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  const temporary = temporaryName(file, pid)
  try {
    // Exclusive: a neighbour of that name may be a link to somewhere else.
    rmSync(temporary, { force: true })
    const handle = openSync(temporary, 'wx', mode === undefined ? 0o666 : mode & 0o777)
    try {
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
