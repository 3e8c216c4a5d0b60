// Copies of the index: whole, never over something else, and made while others write.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { logicalDump } from '../../src/store/dump.ts'
import { openMemoryStore, openStore } from '../../src/store/open.ts'
import { snapshotTo } from '../../src/store/snapshot.ts'
import { effort } from '../support/effort.ts'
import { tempFolder } from '../support/temp.ts'
import { opened, place, startChild, withChildren } from './bakery.ts'
import { bake } from './fill.ts'

withChildren()

test('a snapshot is an index of its own with the same content', () => {
  const store = opened(place())
  bake(store, { 'recipes/rye.md': ['recipes/oat.md'] })
  const folder = tempFolder('copies')
  const file = path.join(folder, 'copy of index.db')
  expect(snapshotTo(store, file)).toBe(readFileSync(file).length)
  const copy = openStore({ path: file, isDefault: false }, { busyMs: 0, create: false })
  expect(copy.found).toBe('fresh')
  expect(logicalDump(copy)).toEqual(logicalDump(store))
  copy.close()
  expect(readdirSync(folder)).toEqual(['copy of index.db'])
})

test('a snapshot of an index in memory', () => {
  const store = openMemoryStore()
  bake(store, { 'recipes/rye.md': [] })
  const file = path.join(tempFolder('copies'), 'index.db')
  snapshotTo(store, file)
  const copy = openStore({ path: file, isDefault: false }, { busyMs: 0, create: false })
  expect(logicalDump(copy)).toEqual(logicalDump(store))
  copy.close()
})

test('no existing file is replaced, not even an empty one or the index itself', () => {
  const location = place()
  const store = opened(location)
  const empty = path.join(tempFolder('copies'), 'empty.db')
  writeFileSync(empty, '')
  for (const file of [empty, location.path]) {
    const before = readFileSync(file)
    expect(() => snapshotTo(store, file)).toThrow(expect.objectContaining({ code: 'refused' }))
    expect(readFileSync(file).equals(before)).toBe(true)
  }
})

test('the folder must exist', () => {
  const file = path.join(tempFolder('copies'), 'attic', 'index.db')
  expect(() => snapshotTo(openMemoryStore(), file)).toThrow(expect.objectContaining({ code: 'io' }))
})

test('what a killed run left is cleaned up', () => {
  const folder = tempFolder('copies')
  const file = path.join(folder, 'index.db')
  writeFileSync(`${file}.specdex-part`, 'half a copy')
  writeFileSync(`${file}.specdex-lock`, '')
  snapshotTo(openMemoryStore(), file)
  expect(readdirSync(folder)).toEqual(['index.db'])
})

test('a failure leaves nothing behind and is a UserError', () => {
  const store = openMemoryStore()
  bake(store, { 'recipes/rye.md': [] })
  store.db.close()
  const folder = tempFolder('copies')
  expect(() => snapshotTo(store, path.join(folder, 'index.db'))).toThrow()
  expect(readdirSync(folder)).toEqual([])
})

test('snapshots while others write: every one is sound, and the writers are not told that the index is busy', async () => {
  const location = place()
  const store = opened(location, 10_000)
  bake(store, { 'recipes/rye.md': [] })
  const until = Date.now() + effort(1500, 10_000)
  const writers = await Promise.all(['ada', 'ben'].map((name) => startChild('write', { location, until, name })))
  const folder = tempFolder('copies')
  let copies = 0
  while (Date.now() < until) {
    const file = path.join(folder, `${copies++}.db`)
    snapshotTo(store, file)
    const copy = new Database(file, { readonly: true })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    // A recipe book is written in one transaction of 200.
    expect(Number(copy.prepare('SELECT count(*) FROM file').pluck().get()) % 200).toBe(1)
    copy.close()
    // Both are children of this process's patience: let them have the lock.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  for (const writer of writers) expect(await writer.next()).toEqual({ rounds: expect.any(Number) })
  expect(copies).toBeGreaterThan(2)
})
