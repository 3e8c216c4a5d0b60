// One meta value of an index, read before the index is properly opened: the parsed configuration, which says how to
// open it. Never waits, never repairs, never throws: what cannot be read now is not known.

import { connect } from './connect.ts'
import { lookAt, type StoreLocation } from './header.ts'
import { GET_META_SQL } from './meta.ts'

/** The value of a meta row, or null where there is none or it cannot be read just now. */
export function peekMeta(location: StoreLocation, name: string): string | null {
  try {
    const look = lookAt(location)
    // A read-only look at a WAL file would leave files behind.
    if (look.kind !== 'ours' || look.wal) return null
    const db = connect(location.path, { readOnly: true, busyMs: 0, create: false })
    try {
      const row = db.prepare<[string], { value: string | null }>(GET_META_SQL).get(name)
      return row?.value ?? null
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}
