// Text for people: what came from a repository must not steer their terminal.

import { forTerminal } from '../render/terminal.ts'
import type { Io } from './io.ts'

/** Prints a view for people, in colours where stdout is a terminal and NO_COLOR (no-color.org) does not object. */
export function showColoured(io: Io, render: (terminal: boolean) => string): void {
  if (io.stdoutIsTty && (io.env['NO_COLOR'] ?? '') === '') io.painted(render(true))
  else io.out(printable(io, render(false)))
}

/** Multi-line text with control characters escaped where stdout is a terminal; a pipe gets the bytes. */
export function printable(io: Io, text: string): string {
  return io.stdoutIsTty ? forTerminal(text) : text
}
