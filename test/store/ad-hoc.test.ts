// SQL from people: one reading statement, and no way to change, attach or export anything.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PUBLIC_VIEWS, runAdHoc, schemaText } from '../../src/store/ad-hoc.ts'
import { openMemoryStore, openStore, type StoreLocation } from '../../src/store/open.ts'
import { tempFolder } from '../support/temp.ts'
import { place } from './bakery.ts'
import { bake } from './fill.ts'

function stocked(): StoreLocation {
  const location = place()
  const store = openStore(location, { busyMs: 200, create: true })
  bake(store, { 'recipes/rye.md': ['recipes/oat.md'], 'recipes/oat.md': [], 'recipes/salt.md': [] })
  store.close()
  return location
}

const LOCATION = stocked()

function ask(sql: string, rows = 100): ReturnType<typeof runAdHoc> {
  return runAdHoc(LOCATION, sql, { rows, busyMs: 200 })
}

test('a view is asked; columns keep their order and may share a name', () => {
  expect(ask('SELECT id, kind, id FROM graph_node ORDER BY id')).toEqual({
    columns: ['id', 'kind', 'id'],
    rows: [
      ['recipes/oat.md', 'document', 'recipes/oat.md'],
      ['recipes/rye.md', 'document', 'recipes/rye.md'],
      ['recipes/salt.md', 'document', 'recipes/salt.md'],
    ],
    cut: false,
  })
})

test('values are what JSON can hold', () => {
  expect(
    ask("SELECT x'00ff', 9007199254740991, 9007199254740993, -9223372036854775807, 1.5, 'crumb', NULL").rows,
  ).toEqual([['00ff', 9007199254740991, '9007199254740993', '-9223372036854775807', 1.5, 'crumb', null]])
  expect(JSON.stringify(ask('SELECT * FROM file').rows)).toContain('"0707')
})

test('rows beyond the cap are cut, said, and not computed', () => {
  expect(ask('SELECT id FROM graph_node ORDER BY id', 2)).toMatchObject({
    rows: [['recipes/oat.md'], ['recipes/rye.md']],
    cut: true,
  })
  expect(ask('SELECT id FROM graph_node', 3)).toMatchObject({ cut: false })
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'
  expect(ask(endless, 5).rows).toEqual([[1], [2], [3], [4], [5]])
})

test.each([
  'PRAGMA table_info(node)',
  'pragma main.table_list',
  '-- what is there?\n/* all */ PRAGMA table_list',
  'PRAGMA integrity_check',
  'PRAGMA user_version',
  "SELECT name FROM pragma_table_info('node')",
  'EXPLAIN QUERY PLAN SELECT * FROM graph_edge',
  'WITH x AS (SELECT 1 AS one) SELECT one FROM x',
  'VALUES (1), (2)',
  'SELECT 1;',
])('admitted: %s', (sql) => {
  expect(ask(sql).rows.length).toBeGreaterThan(0)
})

const TARGET = path.join(tempFolder('export'), 'out.db')

test.each([
  ['two statements', 'SELECT 1; SELECT 2'],
  ['a write behind a query', 'SELECT 1; DELETE FROM file'],
  ['nothing', ''],
  ['a comment', '-- SELECT 1'],
  ['a write', "INSERT INTO key (text) VALUES ('x')"],
  ['a write that answers', "INSERT INTO key (text) VALUES ('x') RETURNING id"],
  ['a write behind WITH', 'WITH x AS (SELECT 1) DELETE FROM key RETURNING id'],
  ['a temporary table', 'CREATE TEMP TABLE t (a)'],
  ['ATTACH', `ATTACH '${TARGET}' AS other`],
  ['DETACH', 'DETACH main'],
  ['VACUUM', 'VACUUM'],
  ['VACUUM INTO', `VACUUM INTO '${TARGET}'`],
  ['BEGIN', 'BEGIN IMMEDIATE'],
  ['lifting the ban', 'PRAGMA query_only = OFF'],
  ['lifting the ban with brackets', 'PRAGMA query_only(0)'],
  ['another journal', 'PRAGMA journal_mode = WAL'],
  ['a lasting lock', 'PRAGMA locking_mode = EXCLUSIVE'],
  ['a lasting lock, behind a comment', '/* look */ PRAGMA main.locking_mode(EXCLUSIVE)'],
  ['statistics', 'PRAGMA optimize'],
  ['a version', 'PRAGMA user_version = 7'],
  ['memory mapping', 'PRAGMA mmap_size = 1000000000'],
  ['a checkpoint', 'PRAGMA wal_checkpoint'],
  ['an extension', "SELECT load_extension('/tmp/x.so')"],
  ['a syntax error', 'SELEC id FROM graph_node'],
  ['an unknown view', 'SELECT * FROM bread'],
  ['a missing parameter', 'SELECT ?'],
  ['an error while running', "SELECT json_extract('{', '$.a')"],
])('refused: %s', (_what, sql) => {
  const before = readFileSync(LOCATION.path)
  expect(() => ask(sql)).toThrow(
    expect.objectContaining({ code: 'sql', exit: 2, hint: expect.stringContaining('--schema') }),
  )
  expect(readFileSync(LOCATION.path).equals(before)).toBe(true)
  expect(existsSync(TARGET)).toBe(false)
})

test('SQLite’s own words are passed on', () => {
  expect(() => ask('SELECT * FROM bread')).toThrow('no such table: bread')
})

test('where there is no index, that is said', () => {
  expect(() => runAdHoc(place(), 'SELECT 1', { rows: 1 })).toThrow(expect.objectContaining({ code: 'no-index' }))
})

test('the schema: public views first, each with its comment, then the private rest', () => {
  const text = schemaText(openMemoryStore())
  const views = Object.entries(PUBLIC_VIEWS)
  for (const [name, comment] of views) {
    expect(text).toContain(`-- ${name}: ${comment}\nCREATE VIEW ${name} AS`)
    expect(text.indexOf(`CREATE VIEW ${name} `)).toBeLessThan(text.indexOf('-- Private'))
  }
  expect(text.indexOf('CREATE VIEW edge_shown')).toBeGreaterThan(text.indexOf('-- Private'))
  expect(text.indexOf('CREATE TABLE `edge`')).toBeGreaterThan(text.indexOf('-- Private'))
  expect(text.endsWith(';\n')).toBe(true)
})
