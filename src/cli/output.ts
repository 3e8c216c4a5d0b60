// Stdout and stderr. What goes into a file or a pipe is written at once, with the system call itself: Node's streams take
// longer to load than most commands take to answer. A terminal, and anything else, gets Node's stream. Whoever ends a
// pipe early (`specdex … | head`) is told nothing; a full disk behind a redirection is an error.

import { fstatSync, writeSync } from 'node:fs'

export interface Output {
  readonly isTty: boolean
  readonly write: (text: string) => void
}

/** One of the two; `failed` is called once, with what kept the text from being written. Never throws. */
export function output(fd: 1 | 2, failed: (error: NodeJS.ErrnoException) => void): Output {
  let broken = false
  const fail = (error: NodeJS.ErrnoException): void => {
    if (broken) return
    broken = true
    if (error.code !== 'EPIPE') failed(error)
  }
  if (!isPlain(fd)) {
    const stream = fd === 1 ? process.stdout : process.stderr
    stream.on('error', fail)
    return { isTty: stream.isTTY === true, write: (text) => void stream.write(text) }
  }
  const write = (text: string): void => {
    let rest = Buffer.from(text)
    while (rest.length > 0 && !broken) {
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') pause()
        else fail(error as NodeJS.ErrnoException)
      }
    }
  }
  return { isTty: false, write }
}

/** A pipe that another Node has made is a socket. */
function isPlain(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFile() || stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}

const PAUSE_MS = 1

/** A pipe whose other end has set it not to block is full: let the reader read. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}
