// `specdex snapshot FILE`: a consistent copy of the index, for CI caches and backups, safe while others write.

import path from 'node:path'
import { openStore } from '../store/open.ts'
import { snapshotTo } from '../store/snapshot.ts'
import type { Io } from './io.ts'
import { placeOf } from './place.ts'

/** Runs `specdex snapshot`. Exit 0; UserError no-index, refused (the file exists), disk-full. */
export async function runSnapshot(file: string, options: Record<string, unknown>, io: Io): Promise<number> {
  const place = await placeOf(options, io)
  const store = openStore(place.location, { busyMs: place.config.limits.busy_ms, create: false })
  try {
    snapshotTo(store, path.resolve(io.cwd, file))
    return 0
  } finally {
    store.close()
  }
}
