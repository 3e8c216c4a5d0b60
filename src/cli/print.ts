// Text for people: what came from a repository must not steer their terminal.

import { forTerminal } from '../render/terminal.ts'
import type { Io } from './io.ts'

/** Multi-line text with control characters escaped where stdout is a terminal; a pipe gets the bytes. */
export function printable(io: Io, text: string): string {
  return io.stdoutIsTty ? forTerminal(text) : text
}
