// What the folders of a family looked like when their rows were written: the no-op proof compares these.

import type { Store } from '../store.ts'

export interface DirRow {
  /** Rows of the family directly in the folder. */
  readonly files: number
  /** Null: cannot vouch, compare the rows. */
  readonly digest: Buffer | null
}

export const DIRS_SQL = 'SELECT path, files, digest FROM dir WHERE family = ? ORDER BY path'

export const DIR_SQL = 'SELECT files, digest FROM dir WHERE family = ? AND path = ?'

/** One folder of a family; undefined where the family holds nothing in it. */
export function dirRow(store: Store, familyBit: number, path: string): DirRow | undefined {
  return store.prepare<[number, string], DirRow>(DIR_SQL).get(familyBit, path)
}

/** Folders of one family (a bit of FAMILY_BIT) by path; the root is the empty string. */
export function dirRows(store: Store, familyBit: number): Map<string, DirRow> {
  // As arrays: with a thousand folders on every query, making the objects is most of the work.
  const rows = store.prepare<[number], [string, number, Buffer | null]>(DIRS_SQL).raw().all(familyBit)
  return new Map(rows.map(([path, files, digest]) => [path, { files, digest }]))
}
