// What doctor is told about the index and its place.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fileSystemOf, placeHealth, storeHealth } from '../../src/store/health.ts'
import { APPLICATION_ID } from '../../src/store/migrate.ts'
import { MIGRATIONS } from '../../src/store/migrations.generated.ts'
import { ask, opened, place } from './bakery.ts'
import { bake } from './fill.ts'

test('a sound index: its identity and its sizes', () => {
  const store = opened(place())
  bake(store, { 'recipes/rye.md': [] })
  const health = storeHealth(store)
  expect(health).toMatchObject({
    complaints: [],
    applicationId: APPLICATION_ID,
    migrations: MIGRATIONS.map(({ name }) => name),
    knownMigrations: MIGRATIONS.length,
    journalMode: 'delete',
    sqliteVersion: expect.stringMatching(/^3\./),
    bytes: health.pages * health.pageSize,
  })
  expect(health.pages).toBeGreaterThan(10)
})

test('an index with a page of noise: the check complains', () => {
  const location = place()
  const store = opened(location)
  bake(store, { 'recipes/rye.md': ['recipes/oat.md'] })
  const root = Number(ask(store, "SELECT rootpage FROM sqlite_schema WHERE name = 'edge_down'")[0]?.['rootpage'])
  const { pageSize } = storeHealth(store)
  store.close()
  const bytes = readFileSync(location.path)
  writeFileSync(location.path, bytes.fill(0xa5, (root - 1) * pageSize, root * pageSize))
  expect(storeHealth(opened(location)).complaints[0]).toMatch(/edge_down|page|malformed/)
})

test('the place: journals, moved indexes, leftovers and missing ignore lines', () => {
  const location = place(true)
  opened(location)
  const folder = path.dirname(location.path)
  expect(placeHealth(location)).toEqual({
    companions: [],
    movedAside: [],
    leftovers: [],
    missingIgnores: [],
    fileSystem: expect.objectContaining({ name: expect.any(String) }),
  })
  for (const name of [
    'index.db-journal',
    'index.db.corrupt-10',
    'index.db.corrupt-9',
    'index.db.corrupt-9-wal',
    'index.db.repairing',
  ]) {
    writeFileSync(path.join(folder, name), 'flour')
  }
  writeFileSync(path.join(folder, '.gitignore'), '# ours\r\ncache/ \n')
  expect(placeHealth(location)).toMatchObject({
    companions: [{ name: 'index.db-journal', bytes: 5 }],
    movedAside: ['index.db.corrupt-9', 'index.db.corrupt-10'],
    leftovers: ['index.db.repairing'],
    missingIgnores: ['index.db*', 'setup-facts.json'],
  })
})

test('the place: nothing there, or not ours to care for', () => {
  const missing = place(true)
  expect(placeHealth(missing)).toMatchObject({ companions: [], missingIgnores: null })
  mkdirSync(path.dirname(missing.path))
  writeFileSync(path.join(path.dirname(missing.path), 'config.yml'), '')
  expect(placeHealth(missing).missingIgnores).toHaveLength(3)
  const elsewhere = place(false)
  opened(elsewhere)
  expect(placeHealth(elsewhere).missingIgnores).toBeNull()
})

test.each([
  [0x6969, 'NFS', 'network'],
  [0x517b, 'SMB', 'network'],
  [0xff534d42, 'CIFS', 'network'],
  [0xff534d42 | 0, 'CIFS', 'network'],
  [0xfe534d42, 'SMB2', 'network'],
  [0x65735546, 'FUSE', 'unsure'],
  [0xef53, 'local', 'local'],
])('file system %i is %s, %s', (type, name, kind) => {
  expect(fileSystemOf(type)).toEqual({ name, kind })
})
