// What a file writer of this process may know of other processes: its own number, and whether another one still runs.

import type { Writing } from '../spec/graph-file.ts'

/** For writeGraphFile. */
export function processWriting(): Writing {
  return { pid: process.pid, isAlive }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too; only "no such process" says otherwise.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
