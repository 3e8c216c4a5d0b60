// Git's own index file, read in process: which paths git tracks, and for each the blob id and the size that the file
// had on disk when git last looked. 100,000 entries take a few milliseconds where `git ls-files` costs a process.
// Versions 2, 3 and 4. What it does not understand (split and sparse indexes, unknown required extensions) it says so,
// and the caller asks git itself. The surprise: the file goes through a small window, since filling fresh memory with
// all of it takes ten times as long as reading it.

/** Tracked files, in git's order (by path, byte by byte). Entry i of every list is about the same file. */
export interface TrackedTable {
  /** Entries of the whole index, wanted or not. */
  readonly total: number
  readonly names: Buffer
  /** Where the path lies in `names`: from the first byte behind the root's prefix to behind the last. */
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** Where the witness lies in `ids`: WITNESS bytes, four of size (big-endian) and twenty of blob id. */
  readonly ids: Buffer
  readonly id: readonly number[]
  readonly trust: readonly Trust[]
}

/**
 * `file`: git knows the content and looks at the disk. `link`: the same of a symbolic link. `none`: git was told not to
 * look (assume-unchanged, skip-worktree), or it is a conflict, or a file that was only announced.
 */
export type Trust = 'file' | 'link' | 'none'

/** Bytes of a witness: size on disk as git recorded it, and blob id. They lie side by side in the index. */
export const WITNESS = 24

/** Which paths are of interest, judged on the bytes from `start` to `stop` (which may not lie behind `start`). */
export type Selects = (bytes: Buffer, start: number, stop: number) => boolean

/** The index file: how long it is, and what lies at a position of it. */
export interface IndexSource {
  readonly size: number
  /** As fs.readSync: reads up to `length` bytes of the file from `position` to `into[offset]`; returns how many. */
  readonly read: (into: Buffer, offset: number, length: number, position: number) => number
}

const HEADER = 12
const ENTRY = 62
const HASH = 20
const MODE_AT = 24
const SIZE_AT = 36
const FLAGS_AT = 60

const ASSUME_UNCHANGED = 0x80
const EXTENDED = 0x40
const STAGE = 0x30
const SKIP_WORKTREE_OR_INTENT_TO_ADD = 0x60
const LONG_NAME = 0xfff

/** High byte of the mode: 1000 0000 for files (100644, 100755), 1010 0000 for links, 0100 0000 for sparse folders. */
const FILE = 0x80
const LINK = 0xa0
const FOLDER = 0x40

const WINDOW = 256 * 1024
const LARGEST_GUESS = 64 * 1024 * 1024
/** More than an entry usually takes: with less than this in the window, it is filled up. */
const ROOM = 8 * 1024

/** The table being filled. */
interface Rows {
  names: Buffer
  readonly from: number[]
  readonly to: number[]
  ids: Buffer
  readonly id: number[]
  readonly trust: Trust[]
}

/**
 * Parses `.git/index` of a repository with SHA-1 ids. Only entries whose path starts with `prefix` (bytes as latin1)
 * and that `selects` accepts are returned. Conflicts appear once per stage.
 * Returns null for a layout it does not know; throws what reading throws. Source: gitformat-index(5).
 */
export function parseGitIndex(source: IndexSource, prefix: string, selects: Selects): TrackedTable | null {
  const end = source.size - HASH
  let window: Buffer = Buffer.allocUnsafeSlow(WINDOW)
  if (end < HEADER || source.read(window, 0, HEADER, 0) < HEADER) return null
  if (window.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = window.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const total = window.readUInt32BE(8)

  const cut = Buffer.from(prefix, 'latin1')
  const rows: Rows = {
    // Memory that is never touched costs nothing.
    names: Buffer.allocUnsafeSlow(Math.max(WINDOW, Math.min(source.size, LARGEST_GUESS))),
    from: [],
    to: [],
    ids: Buffer.allocUnsafeSlow(Math.max(WINDOW, Math.min(total * WITNESS, LARGEST_GUESS))),
    id: [],
    trust: [],
  }
  // Version 4 says of each path how much of the one before it keeps: this is the one before.
  let path: Buffer = Buffer.allocUnsafe(ROOM)
  let pathLength = 0
  // The window holds `filled` bytes of the file from `position` on; the entry at hand starts at `at`.
  let position = HEADER
  let filled = 0
  let at = 0
  let need = ROOM
  for (let i = 0; i < total; ) {
    if (at + need > filled && position + filled < end) {
      window.copyWithin(0, at, filled)
      position += at
      filled -= at
      at = 0
      if (need > window.length) window = grown(window, filled, need * 2)
      const got = source.read(
        window,
        filled,
        Math.min(window.length - filled, end - position - filled),
        position + filled,
      )
      if (got === 0) return null
      filled += got
      continue
    }
    if (at + ENTRY > filled) return null
    const flags = window[at + FLAGS_AT] ?? 0
    if ((window[at + MODE_AT + 2] ?? 0) === FOLDER) return null
    let start = at + ENTRY + ((flags & EXTENDED) >> 5)
    let stop: number
    let bytes = window
    let next: number
    if (version === 4) {
      let byte = window[start++] ?? 0
      let strip = byte & 0x7f
      while (byte & 0x80) {
        byte = window[start++] ?? 0
        strip = (strip + 1) * 128 + (byte & 0x7f)
      }
      const nul = window.indexOf(0, start)
      next = nul + 1
      if (nul === -1 || nul >= filled) next = -1
      else {
        if (strip > pathLength) return null
        const kept = pathLength - strip
        pathLength = kept + nul - start
        if (pathLength > path.length) path = grown(path, kept, pathLength * 2)
        window.copy(path, kept, start, nul)
      }
      bytes = path
      start = 0
      stop = pathLength
    } else {
      const length = ((flags & 0x0f) << 8) | (window[at + FLAGS_AT + 1] ?? 0)
      stop = length < LONG_NAME ? start + length : window.indexOf(0, start)
      next = stop < start || stop >= filled ? -1 : at + ((stop - at + 8) & ~7)
    }
    if (next === -1) {
      // The entry does not end in the window: a long name, or no index at all.
      if (position + filled >= end) return null
      need = filled - at + ROOM
      continue
    }
    need = ROOM
    if (selects(bytes, start + cut.length, stop) && startsWith(bytes, start, cut)) {
      take(rows, window, at, flags, bytes, start + cut.length, stop)
    }
    at = next
    i++
  }
  return hasForeignExtension(source, position + at, end) ? null : { total, ...rows }
}

/** Adds one entry to the rows; submodules (1110 0000) are no text. */
function take(rows: Rows, window: Buffer, at: number, flags: number, bytes: Buffer, start: number, stop: number): void {
  // The two low bytes of the mode say it all.
  const kind = (window[at + MODE_AT + 2] ?? 0) & 0xf0
  if (kind !== FILE && kind !== LINK) return
  const more = (flags & EXTENDED) === 0 ? 0 : (window[at + ENTRY] ?? 0)
  const looked = (flags & (ASSUME_UNCHANGED | STAGE)) === 0 && (more & SKIP_WORKTREE_OR_INTENT_TO_ADD) === 0
  const count = rows.from.length
  const from = count === 0 ? 0 : (rows.to[count - 1] ?? 0)
  const to = from + stop - start
  const id = count * WITNESS
  if (to > rows.names.length) rows.names = grown(rows.names, from, to * 2)
  if (id + WITNESS > rows.ids.length) rows.ids = grown(rows.ids, id, rows.ids.length * 2)
  // Byte by byte: for so few bytes a call of copy() costs more.
  const { names, ids } = rows
  for (let i = 0; i < stop - start; i++) names[from + i] = bytes[start + i] ?? 0
  for (let i = 0; i < WITNESS; i++) ids[id + i] = window[at + SIZE_AT + i] ?? 0
  rows.from.push(from)
  rows.to.push(to)
  rows.id.push(id)
  rows.trust.push(!looked ? 'none' : kind === FILE ? 'file' : 'link')
}

function grown(bytes: Buffer, used: number, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length)
  bytes.copy(larger, 0, 0, used)
  return larger
}

function startsWith(bytes: Buffer, start: number, prefix: Buffer): boolean {
  for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false
  return true
}

/** Extensions with a small first letter must be understood: `link` (split index) and `sdir` (sparse) are not. */
function hasForeignExtension(source: IndexSource, from: number, end: number): boolean {
  const head = Buffer.alloc(8)
  let at = from
  while (at + 8 <= end && source.read(head, 0, 8, at) === 8) {
    const first = head[0] ?? 0
    if (first < 0x41 || first > 0x5a) return true
    at += 8 + head.readUInt32BE(4)
  }
  return false
}

const TAB = 0x09

/**
 * Parses `git ls-files -s -v -z`, the answer for index layouts that parseGitIndex does not know. Paths are relative to
 * where git ran. `H` is the tag of an ordinary entry. Sizes are not told: they are UNKNOWN_SIZE.
 */
export function parseLsFiles(output: Buffer, selects: Selects): TrackedTable {
  const rows: Omit<Rows, 'names' | 'ids'> = { from: [], to: [], id: [], trust: [] }
  const ids: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const nul = output.indexOf(0, at)
    const stop = nul === -1 ? output.length : nul
    const tab = output.indexOf(TAB, at)
    const match = /^(\S) (10|12)\d{4} ([0-9a-f]{40,64}) (\d)$/.exec(output.toString('latin1', at, tab))
    if (match !== null && tab < stop && selects(output, tab + 1, stop)) {
      const [, tag, kind, hex = '', stage] = match
      const witness = Buffer.alloc(WITNESS, 0xff)
      witness.write(hex.slice(0, 40), 4, 'hex')
      rows.from.push(tab + 1)
      rows.to.push(stop)
      rows.id.push(ids.length * WITNESS)
      const looked = tag === 'H' && stage === '0' && hex.length === 40
      rows.trust.push(!looked ? 'none' : kind === '10' ? 'file' : 'link')
      ids.push(witness)
    }
    at = stop + 1
  }
  return { total: rows.from.length, names: output, ids: Buffer.concat(ids), ...rows }
}

/** The size of a witness that has none: git's own answer does not tell it. */
export const UNKNOWN_SIZE = 0xffffffff

/** The path of entry `i` relative to the root: raw bytes, one latin1 character each. */
export function rawPath(table: TrackedTable, i: number): string {
  return table.names.toString('latin1', table.from[i], table.to[i])
}

/** Size on disk of entry `i` modulo 2^32 as git recorded it, or null where that is not known. */
export function sizeOf(table: TrackedTable, i: number): number | null {
  const size = table.ids.readUInt32BE(table.id[i] ?? 0)
  return size === UNKNOWN_SIZE ? null : size
}

/** Blob id of entry `i`, 20 bytes that stay valid as long as the table. */
export function blobOf(table: TrackedTable, i: number): Buffer {
  const at = (table.id[i] ?? 0) + 4
  return table.ids.subarray(at, at + HASH)
}
