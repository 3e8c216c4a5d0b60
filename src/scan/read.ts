// Reads one source: text and hash come from one read, so that what is stored is what was extracted. Small files come
// whole; spec files too large to hold come as a stream of lines. Never follows a link at the last step.
// The surprise: the bytes of a read are valid until the next one, because the buffer is used again.

import { isUtf8 } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { isMangledKey } from '../model/source-key.ts'
import type { Stat } from './listing.ts'

/** Above this a text is streamed: a whole one and its lines can take twenty times its bytes. */
export const STREAM_ABOVE = 16 * 1024 * 1024

/** What a single line may hold before it is cut, when streaming. */
const LONGEST_LINE = 64 * 1024 * 1024

const CHUNK = 1024 * 1024

export interface TextRead {
  readonly kind: 'text'
  /** Decoded when asked for, which must be before the next read. */
  readonly text: string
  readonly bytes: Buffer
  /** False where malformed bytes were decoded as U+FFFD. */
  readonly valid: boolean
  readonly stat: Stat
}

export type SourceRead =
  | TextRead
  | { readonly kind: 'large'; readonly stat: Stat; readonly lines: () => Iterable<string> }
  /** Larger than was asked for; nothing was read. */
  | { readonly kind: 'over'; readonly stat: Stat }
  /** `gone`: nothing is there, or nothing that is a plain file. */
  | { readonly kind: 'unreadable'; readonly gone: boolean }

// A fresh Buffer per file costs more than the read.
let scratch: Buffer = Buffer.allocUnsafe(CHUNK)

/** O_NONBLOCK: a FIFO that took the file's place since the scan must not hang us. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Reads the source `key` below `root`. Files of more than `most` bytes are not read. A name that is not valid UTF-8 is
 * unreadable by contract (sheet spec-graph §1.8).
 */
export function readSource(root: string, key: string, most: number = Number.POSITIVE_INFINITY): SourceRead {
  if (isMangledKey(key)) return { kind: 'unreadable', gone: false }
  let fd: number
  try {
    fd = openSync(`${root}/${key}`, FLAGS)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    // ENXIO: a socket. ELOOP: a link.
    return { kind: 'unreadable', gone: ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(code) }
  }
  try {
    const info = fstatSync(fd)
    if (!info.isFile()) return { kind: 'unreadable', gone: true }
    const stat = { size: info.size, mtimeMs: info.mtimeMs, ctimeMs: info.ctimeMs }
    if (info.size > most) return { kind: 'over', stat }
    if (info.size > STREAM_ABOVE) return { kind: 'large', stat, lines: () => streamLines(root, key) }
    const length = readAll(fd, info.size)
    return textRead(scratch.subarray(0, length), { ...stat, size: length })
  } catch {
    return { kind: 'unreadable', gone: false }
  } finally {
    closeSync(fd)
  }
}

function textRead(bytes: Buffer, stat: Stat): TextRead {
  return {
    kind: 'text',
    bytes,
    stat,
    get text() {
      return bytes.toString('utf8')
    },
    get valid() {
      return isUtf8(bytes)
    },
  }
}

/** Fills `scratch` from the file, however long it has become since it was measured. */
function readAll(fd: number, expected: number): number {
  if (scratch.length <= expected || scratch.length > 4 * Math.max(expected, CHUNK)) {
    scratch = Buffer.allocUnsafe(Math.max(expected + 1, CHUNK))
  }
  let length = 0
  for (;;) {
    if (length === scratch.length) scratch = Buffer.concat([scratch], scratch.length * 2)
    const room = scratch.length - length
    const got = readSync(fd, scratch, length, room, null)
    length += got
    // A read that was given less than it had room for ends where the file was measured: no second one has to say so.
    if (got === 0 || (got < room && length === expected)) return length
  }
}

/** The raw chunks of a file, for hashing what is too large to hold. Empty where it cannot be read. */
export function* readChunks(root: string, key: string): Generator<Buffer> {
  if (isMangledKey(key)) return
  let fd: number
  try {
    fd = openSync(`${root}/${key}`, FLAGS)
  } catch {
    return
  }
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK)
      const got = readSync(fd, chunk, 0, CHUNK, null)
      if (got === 0) return
      yield chunk.subarray(0, got)
    }
  } finally {
    closeSync(fd)
  }
}

/** Decoded text in pieces, malformed bytes as U+FFFD exactly as if decoded at once; a byte-order mark stays. */
export function* decodeChunks(chunks: Iterable<Buffer>): Generator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

function* streamLines(root: string, key: string): Generator<string> {
  let open: string[] = []
  let length = 0
  for (const text of decodeChunks(readChunks(root, key))) {
    let from = 0
    for (;;) {
      const end = text.indexOf('\n', from)
      if (end === -1) break
      open.push(text.slice(from, end))
      yield open.join('')
      open = []
      length = 0
      from = end + 1
    }
    if (from < text.length && length < LONGEST_LINE) {
      open.push(text.slice(from))
      length += text.length - from
    }
  }
  yield open.join('')
}

/** Which of two hashes: `sha256` of the bytes on disk (32 bytes), or git's `blob` id of them (20 bytes). */
export type HashKind = 'sha256' | 'blob'

function hashOf(kind: HashKind, size: number): Hash {
  // Git hashes a header before the bytes: that the bytes are a blob, and how many there are.
  return kind === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`)
}

/** One of the two hashes of bytes at hand. */
export function hashBytes(kind: HashKind, bytes: Buffer): Buffer {
  return hashOf(kind, bytes.length).update(bytes).digest()
}

/** The same for a file that is streamed. `size` must be the number of bytes that will come. */
export function hashLarge(root: string, key: string, kind: HashKind, size: number): Buffer {
  const hash = hashOf(kind, size)
  for (const chunk of readChunks(root, key)) hash.update(chunk)
  return hash.digest()
}

/** Whether a streamed file is valid UTF-8. */
export function isLargeUtf8(root: string, key: string): boolean {
  let rest: Buffer = Buffer.alloc(0)
  for (const chunk of readChunks(root, key)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.length - openEnd(bytes)
    if (!isUtf8(bytes.subarray(0, end))) return false
    rest = bytes.subarray(end)
  }
  return rest.length === 0
}

/** Bytes at the end that may be the start of one character; at most three. */
function openEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back
  }
  return 0
}
