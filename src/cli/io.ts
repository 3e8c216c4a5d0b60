// The process as seen by the commands: the only place that knows stdin/stdout/stderr, the clock and the environment.
// Output is written with plain write() and the status set by exitCode: process.exit() would cut a pipe at 64 KiB.

import type { World } from '../model/clock.ts'
import { forTerminal } from '../render/terminal.ts'

export interface Io {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTty: boolean
  readonly stderrIsTty: boolean
  /** One document. Renderers end it with one line feed. */
  readonly out: (text: string) => void
  /** For a terminal alone: text that a renderer has escaped already and put its own colours into. */
  readonly painted: (text: string) => void
  /** Talk for people: whole lines without the final line feed. */
  readonly err: (line: string) => void
  readonly world: World
}

const PROGRESS_AFTER_MS = 500
const PROGRESS_EVERY_MS = 100

/** Makes the Io of this process. `quiet` drops warnings and progress, never errors. */
export function processIo(quiet: boolean): Io {
  const stdoutIsTty = process.stdout.isTTY === true
  const stderrIsTty = process.stderr.isTTY === true
  const err = (line: string): void => {
    process.stderr.write(`${stderrIsTty ? forTerminal(line) : line}\n`)
  }
  return {
    cwd: process.cwd(),
    env: process.env,
    stdoutIsTty,
    stderrIsTty,
    out: (text) => {
      // Here as well, because JSON leaves DEL, C1 and bidirectional controls as they are.
      process.stdout.write(stdoutIsTty ? forTerminal(text) : text)
    },
    painted: (text) => {
      process.stdout.write(text)
    },
    err,
    world: {
      now: () => Date.now(),
      env: process.env,
      talk: {
        warn: (message) => {
          if (!quiet) err(`warning: ${message}`)
        },
        progress: quiet || !stderrIsTty ? () => {} : ticker(),
      },
    },
  }
}

/** A one-line ticker on stderr, shown only once the work has lasted half a second. */
function ticker(): (what: string, done: number, total: number) => void {
  let started = 0
  let last = 0
  let shown = false
  return (what, done, total) => {
    const now = Date.now()
    if (started === 0) started = now
    if (done >= total) {
      if (shown) process.stderr.write('\r\u001b[K')
      started = 0
      shown = false
      return
    }
    if (now - started < PROGRESS_AFTER_MS || now - last < PROGRESS_EVERY_MS) return
    last = now
    shown = true
    process.stderr.write(`\r${what} ${done} / ${total}\u001b[K`)
  }
}
