// What a scan says about one family: every name it found, folder by folder, each with a witness of its content that
// costs no read: git's blob id and size where git vouches for the bytes, size and times elsewhere. Folders carry a
// digest over names and witnesses, so that "nothing changed" is proved without looking at rows.
// The surprise: a folder's files are only made when somebody asks, since most proofs end at the digest.

import { createHash } from 'node:crypto'
import type { Family } from '../model/families.ts'
import { type TrackedTable, UNKNOWN_SIZE, WITNESS } from './git-index.ts'

/** Size and times of a file as lstat gave them, milliseconds. */
export interface Stat {
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
}

export interface ListedFile {
  /** Name within the folder; see model/source-key.ts for names that are not valid UTF-8. */
  readonly name: string
  /** 20 bytes where git vouches for the bytes on disk, else null. */
  readonly blob: Buffer | null
  /** Bytes on disk where that is known without a look; modulo 2^32 where git vouches. */
  readonly size: number | null
  /** Null where git vouches, and for names that cannot be looked at. */
  readonly stat: Stat | null
  /** model/vocabulary.ts FILE_STATE: `ok` for a file to read, or why the name is no source. */
  readonly state: number
}

export interface ListedDir {
  /** Key of the folder, empty for the root. */
  readonly path: string
  readonly count: number
  /** Over names and witnesses; null where one of the files is too young to vouch for (see isRacy). */
  readonly digest: Buffer | null
  readonly files: () => readonly ListedFile[]
}

/** A family as a scan found it: every folder, or the few files that can differ from what a stamp stands for. */
export type Listing = FullListing | PartListing

export interface FullListing {
  readonly family: Family
  readonly dirs: ReadonlyMap<string, ListedDir>
  /** What the next scan can recognise the family by; null where that is not possible. */
  readonly stamp: string | null
}

export interface PartListing {
  readonly family: Family
  readonly dirs: null
  /** By key, the files that were looked at; null where there is none of that name. */
  readonly files: ReadonlyMap<string, ListedFile | null>
  /** The stamp that stands for all other files. */
  readonly basis: string
  readonly stamp: string
}

/** A change within this many milliseconds of the file's own time stamp could be invisible to a later stat. */
const FINE_GRANULE_MS = 20
const COARSE_GRANULE_MS = 2_000

/**
 * True where a stat taken at `now` or later cannot vouch for the content: another write could still land on the same
 * time stamp. Every write moves ctime, so ctime decides. File systems that keep whole seconds get the wide margin.
 */
export function isRacy(stat: Stat, now: number): boolean {
  const granule = stat.ctimeMs % 1000 === 0 ? COARSE_GRANULE_MS : FINE_GRANULE_MS
  return now - stat.ctimeMs <= granule
}

/** The bytes kept in `file.stat`. */
export function statBytes(stat: Stat): Buffer {
  const bytes = Buffer.allocUnsafe(16)
  bytes.writeDoubleLE(stat.mtimeMs, 0)
  bytes.writeDoubleLE(stat.ctimeMs, 8)
  return bytes
}

/** Between a name and the next in a digest, by kind of witness. */
const BY_GIT = '\0g\0'
const BY_STAT = '\0s\0'
const BY_STATE = '\0-'

// One pair of buffers serves all folders: names with the kind of their witness, and the witnesses, WITNESS bytes each.
let names: Buffer = Buffer.allocUnsafe(16 * 1024)
let numbers: Float64Array = new Float64Array(3 * 256)
let witnesses: Buffer = Buffer.from(numbers.buffer)

function makeRoom(files: number, bytes: number): void {
  if (names.length < bytes) names = Buffer.allocUnsafe(bytes * 2)
  if (numbers.length < files * 3) {
    numbers = new Float64Array(files * 6)
    witnesses = Buffer.from(numbers.buffer)
  }
}

/** A folder whose files are known one by one. `now`: the time at which the scan began, for young files. */
export function listedDir(path: string, files: readonly ListedFile[], now: number): ListedDir {
  return { path, count: files.length, digest: digestOf(files, now), files: () => files }
}

function digestOf(files: readonly ListedFile[], now: number): Buffer | null {
  makeRoom(files.length, 0)
  let text = ''
  let at = 0
  for (const { name, state, blob, size, stat } of files) {
    if (blob !== null) {
      text += name + BY_GIT
      witnesses.writeUInt32BE(size ?? UNKNOWN_SIZE, at * 8)
      blob.copy(witnesses, at * 8 + 4)
    } else if (stat !== null) {
      if (isRacy(stat, now)) return null
      text += name + BY_STAT
      numbers[at] = stat.size
      numbers[at + 1] = stat.mtimeMs
      numbers[at + 2] = stat.ctimeMs
    } else {
      text += `${name}${BY_STATE}${state}\0`
      numbers.fill(0, at, at + 3)
    }
    at += 3
  }
  return createHash('sha1')
    .update(text)
    .update(witnesses.subarray(0, at * 8))
    .digest()
}

/**
 * The same digest for a folder in which git vouches for every file, from the bytes of the table alone. `entries` are
 * its files in the table's order, `skip` is how many bytes of each path are folder.
 */
export function vouchedDigest(table: TrackedTable, entries: readonly number[], skip: number): Buffer {
  const { from, to, ids, id } = table
  let bytes = 0
  for (const i of entries) bytes += (to[i] ?? 0) - (from[i] ?? 0) + BY_GIT.length
  makeRoom(entries.length, bytes)
  // Byte by byte: for so few bytes a call of copy() costs more.
  const into = names
  const beside = witnesses
  let at = 0
  let row = 0
  for (const i of entries) {
    const stop = to[i] ?? 0
    for (let j = (from[i] ?? 0) + skip; j < stop; j++) into[at++] = table.names[j] ?? 0
    for (let j = 0; j < BY_GIT.length; j++) into[at++] = BY_GIT.charCodeAt(j)
    const first = id[i] ?? 0
    for (let j = 0; j < WITNESS; j++) beside[row++] = ids[first + j] ?? 0
  }
  return createHash('sha1').update(names.subarray(0, at)).update(witnesses.subarray(0, row)).digest()
}
