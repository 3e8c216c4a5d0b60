// The proof that incremental equals full: a second index, built from nothing, compared row by row in logical form.
// The surprise: a tree that is being edited gives two honest indexes that differ, so a difference only counts if the
// first index is still fresh afterwards.

import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import { dumpLines, firstDifferences } from '../store/dump.ts'
import { openTemporaryStore } from '../store/open.ts'
import { isFresh } from './fresh.ts'
import { refresh } from './refresh.ts'
import { type Index, planRefresh } from './session.ts'

const NAMED_DIFFERENCES = 10

/**
 * Builds a second index of the same place from nothing, in a temporary database of SQLite's own (gone with the
 * process), and returns the first differing rows of the two logical dumps; empty when they are equal. Throws UserError
 * busy where the sources changed meanwhile.
 */
export async function verifyIndex(index: Index, world: World): Promise<string[]> {
  const { place, store } = index
  const { families } = place.config
  const second = openTemporaryStore()
  try {
    const { plan } = await planRefresh(second, place, families, world)
    refresh(second, place, plan, world)
    const differences = store.read(() =>
      second.read(() => firstDifferences(dumpLines(store), dumpLines(second), NAMED_DIFFERENCES)),
    )
    if (differences.length === 0) return differences
    const again = await planRefresh(store, place, families, world, { all: true, everything: false })
    if (isFresh(again.plan)) return differences
    throw new UserError('busy', 'the sources changed while the second index was being built', 'run the command again')
  } finally {
    second.close()
  }
}
