// Git's own index file, read in process: which paths git tracks, and for each the blob id and the size that the file
// had on disk when git last looked. 100,000 entries take a few milliseconds where `git ls-files` costs a process.
// Versions 2, 3 and 4. What it does not understand (split and sparse indexes, unknown required extensions) it says so,
// and the caller asks git itself. The surprise: no object per entry; numbers point into the bytes of the index.

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

/** A table being filled. */
interface Rows {
  readonly from: number[]
  readonly to: number[]
  readonly id: number[]
  readonly trust: Trust[]
}

/**
 * Parses the bytes of `.git/index` of a repository with SHA-1 ids. Only entries whose path starts with `prefix` (bytes
 * as latin1) and that `selects` accepts are returned. Conflicts appear once per stage.
 * Returns null for a layout it does not know; throws nothing. Source: gitformat-index(5).
 */
export function parseGitIndex(bytes: Buffer, prefix: string, selects: Selects): TrackedTable | null {
  if (bytes.length < HEADER + HASH || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const rows: Rows = { from: [], to: [], id: [], trust: [] }
  const count = bytes.readUInt32BE(8)
  const wanted = Buffer.from(prefix, 'latin1')
  const names =
    version === 4 ? prefixed(bytes, count, wanted, selects, rows) : plain(bytes, count, wanted, selects, rows)
  return names === null ? null : { total: count, names, ids: bytes, ...rows }
}

/** Versions 2 and 3: whole paths, entries padded to eight bytes. Returns where the names lie, or null. */
function plain(bytes: Buffer, count: number, prefix: Buffer, selects: Selects, rows: Rows): Buffer | null {
  const end = bytes.length - HASH
  let at = HEADER
  for (let i = 0; i < count; i++) {
    if (at + ENTRY > end) return null
    const flags = bytes[at + FLAGS_AT] ?? 0
    const length = ((flags & 0x0f) << 8) | (bytes[at + FLAGS_AT + 1] ?? 0)
    const start = at + ENTRY + ((flags & EXTENDED) >> 5)
    const stop = length < LONG_NAME ? start + length : bytes.indexOf(0, start)
    if (stop < start || stop >= end) return null
    if ((bytes[at + MODE_AT + 2] ?? 0) === FOLDER) return null
    if (selects(bytes, start + prefix.length, stop) && startsWith(bytes, start, prefix)) {
      take(bytes, at, flags, start + prefix.length, stop, rows)
    }
    at += (stop - at + 8) & ~7
  }
  return hasForeignExtension(bytes, at, end) ? null : bytes
}

/** Version 4: each path says how much of the one before it keeps. Selected paths are written out into one buffer. */
function prefixed(bytes: Buffer, count: number, prefix: Buffer, selects: Selects, rows: Rows): Buffer | null {
  const end = bytes.length - HASH
  let at = HEADER
  let names = Buffer.allocUnsafe(64 * 1024)
  // The path at hand lies at `base`; a selected one stays there and the next is written behind it.
  let base = 0
  let length = 0
  for (let i = 0; i < count; i++) {
    if (at + ENTRY > end) return null
    const flags = bytes[at + FLAGS_AT] ?? 0
    let start = at + ENTRY + ((flags & EXTENDED) >> 5)
    let byte = bytes[start++] ?? 0
    let strip = byte & 0x7f
    while (byte & 0x80) {
      byte = bytes[start++] ?? 0
      strip = (strip + 1) * 128 + (byte & 0x7f)
    }
    const nul = bytes.indexOf(0, start)
    if (nul === -1 || nul >= end || strip > length) return null
    const kept = length - strip
    length = kept + nul - start
    while (base + 2 * length > names.length) names = Buffer.concat([names], names.length * 2)
    bytes.copy(names, base + kept, start, nul)
    if ((bytes[at + MODE_AT + 2] ?? 0) === FOLDER) return null
    if (selects(names, base + prefix.length, base + length) && startsWith(names, base, prefix)) {
      take(bytes, at, flags, base + prefix.length, base + length, rows)
      names.copy(names, base + length, base, base + length)
      base += length
    }
    at = nul + 1
  }
  return hasForeignExtension(bytes, at, end) ? null : names
}

/** Adds one entry to the rows; submodules (1110 0000) are no text. */
function take(bytes: Buffer, at: number, flags: number, from: number, to: number, rows: Rows): void {
  // The two low bytes of the mode say it all.
  const kind = (bytes[at + MODE_AT + 2] ?? 0) & 0xf0
  if (kind !== FILE && kind !== LINK) return
  const more = (flags & EXTENDED) === 0 ? 0 : (bytes[at + ENTRY] ?? 0)
  rows.from.push(from)
  rows.to.push(to)
  rows.id.push(at + SIZE_AT)
  const looked = (flags & (ASSUME_UNCHANGED | STAGE)) === 0 && (more & SKIP_WORKTREE_OR_INTENT_TO_ADD) === 0
  rows.trust.push(!looked ? 'none' : kind === FILE ? 'file' : 'link')
}

function startsWith(bytes: Buffer, start: number, prefix: Buffer): boolean {
  for (let i = 0; i < prefix.length; i++) if (bytes[start + i] !== prefix[i]) return false
  return true
}

/** Extensions with a small first letter must be understood: `link` (split index) and `sdir` (sparse) are not. */
function hasForeignExtension(bytes: Buffer, from: number, end: number): boolean {
  let at = from
  while (at + 8 <= end) {
    const first = bytes[at] ?? 0
    if (first < 0x41 || first > 0x5a) return true
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return false
}

const TAB = 0x09

/**
 * Parses `git ls-files -s -v -z`, the answer for index layouts that parseGitIndex does not know. Paths are relative to
 * where git ran. `H` is the tag of an ordinary entry. Sizes are not told: they are UNKNOWN_SIZE.
 */
export function parseLsFiles(output: Buffer, selects: Selects): TrackedTable {
  const rows: Rows = { from: [], to: [], id: [], trust: [] }
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
