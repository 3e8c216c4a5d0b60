// Every row of `file` of some families, for `index --verify` and for whoever must see them all.

import type { Store } from '../store.ts'
import type { FileRow } from './files-in-dir.ts'

export const ALL_FILES_SQL = `
  SELECT k.text AS key, f.family, f.size, f.stat, f.oid, f.state
    FROM file f JOIN key k ON k.id = f.id WHERE f.family & ? ORDER BY k.text`

/** Rows of files that belong to at least one of the families, in code point order of their keys. */
export function allFiles(store: Store, familyBits: number): FileRow[] {
  return store.prepare<[number], FileRow>(ALL_FILES_SQL).all(familyBits)
}
