// Git's table of tracked files by folder. A folder in which git vouches for every file costs one digest over bytes of
// the table; its files become objects only when somebody asks for them.

import { isMangledKey, keyOfBytes } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { blobOf, rawPath, sizeOf, type TrackedTable } from './git-index.ts'
import { type ListedDir, type ListedFile, vouchedDigest } from './listing.ts'

const SLASH = 0x2f

/**
 * Calls `visit` for every entry whose path has one of the endings (null: any path), in the table's order: with what
 * `folderOf` made of its folder's key, and where its name starts in the table's bytes. Entries of folders for which that
 * is null are passed over. Returns the keys of entries whose path is not valid UTF-8; they are not visited.
 */
export function visitTracked<T>(
  table: TrackedTable,
  endings: readonly string[] | null,
  folderOf: (key: string) => T | null,
  visit: (folder: T, i: number, base: number) => void,
): string[] {
  const { names, from, to } = table
  const undecodable: string[] = []
  const wanted = endings?.map((ending) => Buffer.from(ending))
  let folder: T | null = null
  let strange = false
  let folderFrom = 0
  let folderLength = -1
  for (let i = 0; i < from.length; i++) {
    const start = from[i] ?? 0
    const stop = to[i] ?? 0
    if (wanted !== undefined && !hasEnding(names, start, stop, wanted)) continue
    let base = stop
    let bits = 0
    for (; base > start && names[base - 1] !== SLASH; base--) bits |= names[base - 1] ?? 0
    // Neighbours mostly share their folder: compare bytes before making a string.
    if (base - start !== folderLength || !sameBytes(names, start, folderFrom, folderLength)) {
      folderFrom = start
      folderLength = base - start
      const key = keyOfBytes(names.toString('latin1', start, base === start ? base : base - 1))
      strange = isMangledKey(key)
      folder = strange ? null : folderOf(key)
    }
    if (folder === null && !strange) continue
    if (folder === null || (bits >= 0x80 && isMangledKey(keyOfBytes(rawPath(table, i))))) {
      undecodable.push(keyOfBytes(rawPath(table, i)))
    } else visit(folder, i, base)
  }
  return undecodable
}

/** On bytes, before any text is made of them. */
function hasEnding(bytes: Buffer, start: number, stop: number, endings: readonly Buffer[]): boolean {
  for (const ending of endings) {
    const from = stop - ending.length
    if (from >= start && holds(bytes, from, ending)) return true
  }
  return false
}

function holds(bytes: Buffer, at: number, part: Buffer): boolean {
  for (let i = 0; i < part.length; i++) if (bytes[at + i] !== part[i]) return false
  return true
}

function sameBytes(bytes: Buffer, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false
  return true
}

/** Bytes of a path in the folder `key` that are folder. */
export function bytesOfFolder(key: string): number {
  return key === '' ? 0 : Buffer.byteLength(key) + 1
}

/** A folder in which git vouches for everything: digest now, files when asked for. `entries` in the table's order. */
export function vouchedDir(table: TrackedTable, key: string, entries: readonly number[]): ListedDir {
  const skip = bytesOfFolder(key)
  const files = (): ListedFile[] => entries.map((i) => vouchedFile(table, i, skip))
  return { path: key, count: entries.length, digest: vouchedDigest(table, entries, skip), files }
}

/** One file for which git vouches. `skip`: bytes of its path that are folder. */
export function vouchedFile(table: TrackedTable, i: number, skip: number): ListedFile {
  const name = table.names.toString('utf8', (table.from[i] ?? 0) + skip, table.to[i])
  return { name, blob: blobOf(table, i), size: sizeOf(table, i), stat: null, state: FILE_STATE.ok }
}
