// How many files the index holds, for reports.

import type { Store } from '../store.ts'

export const COUNT_FILES_SQL = 'SELECT count(*) AS count FROM file WHERE family & ?'

/** Files that belong to at least one of the families. */
export function countFiles(store: Store, familyBits: number): number {
  return store.read(() => store.prepare<[number], { count: number }>(COUNT_FILES_SQL).get(familyBits)?.count ?? 0)
}
