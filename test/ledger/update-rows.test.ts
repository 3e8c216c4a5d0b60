// Which rows an update writes: what differs, and no more.

import { expect, onTestFinished, test } from 'vitest'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { ledgerDump } from '../../src/store/queries/ledger-state.ts'
import { ask } from '../store/bakery.ts'
import { differences, freshDump, update } from './harbour.ts'
import { busyPier, decision, investigation } from './pier.ts'

/** Notes every write to `posting` from now on. */
function watch(store: Store): void {
  const note = (what: string): string =>
    `CREATE TEMP TRIGGER on_${what} AFTER ${what} ON posting BEGIN INSERT INTO written VALUES ('${what}'); END;`
  store.write(() =>
    store.db.exec(`CREATE TEMP TABLE written (what TEXT); ${['insert', 'update', 'delete'].map(note).join(' ')}`),
  )
}

test('where only words changed a row keeps its id and the postings that stay; another anchor makes another row', async () => {
  const pier = busyPier(3)
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  pier.edit(3, 2, decision('ask swan swan hand'))
  pier.wait(3600)
  await update(store, pier)
  watch(store)
  const rows = (): unknown[] => ask(store, 'SELECT id, kind FROM card ORDER BY id')
  const before = rows()
  pier.edit(3, 2, decision('ask swan head'))
  pier.wait(3600)
  expect(await update(store, pier)).toMatchObject({ fetched: 1, changed: 1 })
  expect(rows()).toEqual(before)
  expect(ask(store, 'SELECT what FROM written ORDER BY what')).toEqual(
    ['delete', 'insert', 'update'].map((what) => ({ what })),
  )
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
  pier.edit(1, 1, investigation('drops crate 1', 'lowerLoad'))
  pier.wait(3600)
  expect(await update(store, pier)).toMatchObject({ fetched: 1, changed: 1 })
  expect(rows()).not.toEqual(before)
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})
