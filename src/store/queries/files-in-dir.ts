// Rows of single files: by key, and of everything counted under one folder. Both touch only what they return (and
// one row per subfolder), so that one changed file costs the same in a repository of any size.

import { dirOfKey } from '../../model/source-key.ts'
import type { Store } from '../store.ts'
import type { FileRecord } from '../writer.ts'

/** What the writer wrote is what is read back. */
export type FileRow = FileRecord

export const FILE_BY_KEY_SQL = `
  SELECT k.text AS key, f.family, f.size, f.stat, f.oid, f.state
    FROM key k JOIN file f ON f.id = k.id WHERE k.text = ?`

/** Rows of `keys` by key; what is not in the index is not in the map. */
export function fileRows(store: Store, keys: readonly string[]): Map<string, FileRow> {
  const found = new Map<string, FileRow>()
  store.read(() => {
    const byKey = store.prepare<[string], FileRow>(FILE_BY_KEY_SQL)
    for (const key of keys) {
      const row = byKey.get(key)
      if (row !== undefined) found.set(key, row)
    }
  })
  return found
}

/** A run of keys in code point order, files or not: the caller decides from each where to go on. */
export const KEYS_FROM_SQL = `
  SELECT k.text AS key, f.family, f.size, f.stat, f.oid, f.state
    FROM key k LEFT JOIN file f ON f.id = k.id
   WHERE k.text >= @from AND k.text < @end ORDER BY k.text LIMIT @count`

/** Comes after every text: U+10FFFF is no character that a path holds. */
const AFTER_ALL = '\u{10ffff}'
const FIRST_BATCH = 1
const LARGEST_BATCH = 512

/**
 * Rows of a family that are counted under exactly this folder (dirOfKey), in code point order of their keys.
 * Walks the key index and jumps over each subfolder with one seek, however much lies in it.
 */
export function rowsBelow(store: Store, dir: string, familyBit: number): FileRow[] {
  const prefix = dir === '' ? '' : `${dir}/`
  // `0` follows `/`, so this is the first text behind everything below the folder.
  const end = dir === '' ? AFTER_ALL : `${dir}0`
  const rows: FileRow[] = []
  store.read(() => {
    const keysFrom = store.prepare<[object], FileRow | (FileRow & { family: null })>(KEYS_FROM_SQL)
    let from = prefix
    let count = FIRST_BATCH
    for (;;) {
      const batch = keysFrom.all({ from, end, count })
      let jump: string | null = null
      for (const row of batch) {
        if (row.family !== null && (row.family & familyBit) !== 0 && dirOfKey(row.key) === dir) rows.push(row)
        jump = subfolderEnd(row.key, prefix)
        if (jump !== null) break
      }
      const last = batch.at(-1)
      if (jump === null && (last === undefined || batch.length < count)) return
      from = jump ?? `${last?.key}\0`
      // Few rows after a jump, since the next one is likely to jump again; many where file follows file.
      count = jump !== null ? FIRST_BATCH : Math.min(count * 4, LARGEST_BATCH)
    }
  })
  return rows
}

/** The first text behind the subfolder that `key` lies in, or null where `key` is not in one. */
function subfolderEnd(key: string, prefix: string): string | null {
  const slash = key.indexOf('/', prefix.length)
  if (slash === -1) return null
  const name = key.slice(prefix.length, slash)
  // `caf\ufffd.md//636166ff` is a file in this folder, and may stand between two files of a folder `caf\ufffd.md`.
  return name.includes('\ufffd') ? null : `${prefix}${name}0`
}
