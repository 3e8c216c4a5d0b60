// The process as seen by the commands: the only place that knows stdout and stderr, the clock and the environment.
// The status is set by exitCode: process.exit() would cut what a stream has not taken yet.

import type { World } from '../model/clock.ts'
import { forTerminal } from '../render/terminal.ts'
import { type Output, output } from './output.ts'

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
  // Where stderr is the one that fails, nobody can be told.
  const stderr = output(2, () => {
    process.exitCode = 2
  })
  const stdout = output(1, (error) => {
    stderr.write(`error: the answer could not be written (${error.code})\n`)
    process.exitCode = 2
  })
  const { isTty: stdoutIsTty } = stdout
  const { isTty: stderrIsTty } = stderr
  const err = (line: string): void => stderr.write(`${stderrIsTty ? forTerminal(line) : line}\n`)
  return {
    cwd: process.cwd(),
    env: process.env,
    stdoutIsTty,
    stderrIsTty,
    out: (text) => {
      // Here as well, because JSON leaves DEL, C1 and bidirectional controls as they are.
      stdout.write(stdoutIsTty ? forTerminal(text) : text)
    },
    painted: stdout.write,
    err,
    world: {
      now: () => Date.now(),
      env: process.env,
      talk: {
        warn: (message) => {
          if (!quiet) err(`warning: ${message}`)
        },
        progress: quiet || !stderrIsTty ? () => {} : ticker(stderr),
      },
    },
  }
}

/** A one-line ticker on stderr, shown only once the work has lasted half a second. */
function ticker(stderr: Output): (what: string, done: number, total: number) => void {
  let started = 0
  let last = 0
  let shown = false
  return (what, done, total) => {
    const now = Date.now()
    if (started === 0) started = now
    if (done >= total) {
      if (shown) stderr.write('\r\u001b[K')
      started = 0
      shown = false
      return
    }
    if (now - started < PROGRESS_AFTER_MS || now - last < PROGRESS_EVERY_MS) return
    last = now
    shown = true
    stderr.write(`\r${what} ${done} / ${total}\u001b[K`)
  }
}
