// What the public validator reads, for compat only: every file below commands/, whatever its name, line by line with
// the rules of the tools it was made of (sheet spec-graph §9.2–9.3). Our own validator reads stored facts instead.
// The surprise: none of its patterns can cross a malformed byte, so such a byte simply ends the line.

import { isUtf8 } from 'node:buffer'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { FILE_STATE } from '../model/vocabulary.ts'
import { topState } from './spec-tree.ts'

export interface CompatLine {
  /** From `commands/` on. */
  readonly path: string
  readonly text: string
}

/**
 * Lines of every file below `root`/commands that hold one of `needles`; nothing where that cannot be read, or is a link
 * out of the root (sheet spec-graph §0, row 1.4).
 */
export function* compatLines(root: string, needles: readonly string[]): Generator<CompatLine> {
  if (topState(root, 'commands') !== FILE_STATE.ok) return
  for (const file of filesBelow(path.join(root, 'commands'), 'commands')) {
    for (const text of linesOf(file.absolute, needles)) yield { path: file.path, text }
  }
}

interface FoundFile {
  readonly path: string
  readonly absolute: string | Buffer
}

/** Regular files at any depth, hidden ones included; links inside are not followed. Names may be any bytes. */
function filesBelow(folder: string | Buffer, shown: string): FoundFile[] {
  return entriesOf(folder).flatMap((entry) => {
    const name = entry.name.toString('utf8')
    const absolute = Buffer.concat([Buffer.from(folder), Buffer.from('/'), entry.name])
    const inside = `${shown}/${name}`
    if (entry.isDirectory()) return filesBelow(absolute, inside)
    return entry.isFile() ? [{ path: inside, absolute }] : []
  })
}

function entriesOf(folder: string | Buffer): Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
  } catch {
    return []
  }
}

/** The read buffer of the public tool: a NUL byte silences the one it lies in and everything behind it. */
const READ_BUFFER = 96 * 1024

function* linesOf(file: string | Buffer, needles: readonly string[]): Generator<string> {
  const bytes = audible(read(file))
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start)
    const line = bytes.subarray(start, end < 0 ? bytes.length : end)
    if (needles.some((needle) => line.includes(needle))) yield* readable(line)
    start = end < 0 ? bytes.length : end + 1
  }
}

function audible(bytes: Buffer): Buffer {
  const nul = bytes.indexOf(0)
  if (nul < 0) return bytes
  const cut = nul - (nul % READ_BUFFER)
  return bytes.subarray(0, bytes.lastIndexOf(0x0a, cut) + 1)
}

function read(file: string | Buffer): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

const REPLACEMENT = Buffer.from('\ufffd').toString('latin1')

/** The line's text, cut where it is not valid UTF-8. */
function readable(line: Buffer): string[] {
  if (isUtf8(line)) return [line.toString('utf8')]
  // Replacement characters that were typed are out of the way first; then each one that is left marks a bad byte.
  const bytes = Buffer.from(line.toString('latin1').replaceAll(REPLACEMENT, '?'), 'latin1')
  return bytes.toString('utf8').split('\ufffd')
}
