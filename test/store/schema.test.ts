// The schema as SQLite sees it: what drizzle does not know (STRICT, WITHOUT ROWID, views), that every statement
// prepares on it, and that the public views are answered by look-ups.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { EDGE_TYPES, FILE_STATE, KINDS } from '../../src/model/vocabulary.ts'
import { PUBLIC_VIEWS } from '../../src/store/ad-hoc.ts'
import { SCHEMA_OBJECTS } from '../../src/store/examine.ts'
import { openMemoryStore } from '../../src/store/open.ts'
import * as schema from '../../src/store/schema.ts'
import { ask } from './bakery.ts'

const store = openMemoryStore()

test('every table is strict, and facts are stored under their key', () => {
  const tables = ask(store, "SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .filter(({ name }) => !String(name).startsWith('sqlite_'))
    .map(({ name, strict, wr }) => [name, strict, wr])
  expect(Object.fromEntries(tables.map(([name, ...rest]) => [name, rest]))).toEqual({
    alias: [1, 1],
    card: [1, 0],
    card_path: [1, 1],
    card_symbol: [1, 1],
    card_tier: [1, 0],
    dir: [1, 1],
    edge: [1, 1],
    edge_type: [1, 0],
    file: [1, 0],
    file_rename: [1, 1],
    issue: [1, 0],
    key: [1, 0],
    ledger_repo: [1, 0],
    meta: [1, 1],
    migration: [1, 0],
    node: [1, 1],
    node_kind: [1, 0],
    posting: [1, 1],
    problem: [1, 1],
    term: [1, 0],
  })
})

test('the declarations in schema.ts are the tables that the migrations make', () => {
  const declared = (Object.values(schema) as SQLiteTable[]).map((table) => {
    const { name, columns, primaryKeys } = getTableConfig(table)
    const composite = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
    return [
      name,
      columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        notnull: column.notNull || column.primary ? 1 : 0,
        pk: column.primary ? 1 : composite.indexOf(column.name) + 1,
      })),
    ]
  })
  const real = declared.map(([name]) => [
    name,
    ask(store, 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) ORDER BY cid', name).map((column) => ({
      ...column,
      type: String(column['type']).toUpperCase(),
    })),
  ])
  expect(real).toEqual(declared)
})

test('the declared indexes are the real ones', () => {
  const declared = (Object.values(schema) as SQLiteTable[]).flatMap((table) =>
    getTableConfig(table).indexes.map((index) => [
      index.config.name,
      index.config.columns.map((column) => (column as { name: string }).name),
    ]),
  )
  const real = declared.map(([name]) => [
    name,
    ask(store, 'SELECT name FROM pragma_index_info(?) ORDER BY seqno', name).map((column) => column['name']),
  ])
  expect(declared.length).toBeGreaterThan(3)
  expect(real).toEqual(declared)
})

test('the look at opening knows every object of the schema', () => {
  const objects = ask(store, "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").map(({ name }) => name)
  expect([...SCHEMA_OBJECTS].sort()).toEqual(objects.sort())
})

test('the vocabulary is mirrored, number by number', () => {
  expect(ask(store, 'SELECT id, name, family FROM node_kind ORDER BY id')).toEqual(KINDS)
  expect(
    ask(store, 'SELECT id, name, family, rule, inverse, author_is_up, rank, listed FROM edge_type ORDER BY id'),
  ).toEqual(
    EDGE_TYPES.map(({ id, name, family, rule, inverse, authorIsUp, rank }) => ({
      id,
      name,
      family,
      rule,
      inverse,
      author_is_up: authorIsUp ? 1 : 0,
      rank,
      listed: id === 0 || id === 9 ? 0 : 1,
    })),
  )
})

test('file_view names every file state', () => {
  for (const [name, number] of Object.entries(FILE_STATE)) {
    const shown = store.write(() => {
      store.db.prepare("INSERT OR REPLACE INTO key (id, text) VALUES (1, 'recipes/rye.md')").run()
      store.db.prepare("INSERT OR REPLACE INTO file VALUES (1, 2, 10, NULL, x'', ?)").run(number)
      return store.db.prepare('SELECT state FROM file_view').pluck().get()
    })
    expect(shown).toBe(name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  }
})

test('every view but the inner one is public and has a comment', () => {
  const views = ask(store, "SELECT name FROM sqlite_schema WHERE type = 'view'").map(({ name }) => String(name))
  expect(views.filter((name) => name !== 'edge_shown').sort()).toEqual(Object.keys(PUBLIC_VIEWS).sort())
})

const SOURCE = path.resolve(import.meta.dirname, '../../src/store')
const FILES = ['', 'queries/'].flatMap((folder) =>
  readdirSync(path.join(SOURCE, folder))
    .filter((name) => name.endsWith('.ts') && name !== 'schema.ts')
    .map((name) => `${folder}${name}`),
)

/** Exported SQL texts, also those that stand in an exported record. */
async function statementsOf(file: string): Promise<(readonly [string, string, string])[]> {
  const module: Record<string, unknown> = await import(path.join(SOURCE, file))
  return Object.entries(module)
    .flatMap(([name, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, text]) => [`${name}.${key}`, text])
        : [[name, value]],
    )
    .filter(([, text]) => typeof text === 'string' && /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/.test(text))
    .map(([name, text]) => [file, name, String(text)] as const)
}

const STATEMENTS = (await Promise.all(FILES.map(statementsOf))).flat()

test('the collection of statements is not empty by accident', () => {
  const files = new Set(STATEMENTS.map(([file]) => file))
  for (const file of ['writer.ts', 'meta.ts', 'dump.ts', 'queries/reach.ts', 'queries/files-in-dir.ts']) {
    expect(files, `exported statements of ${file}`).toContain(file)
  }
})

test.each(STATEMENTS)('%s %s prepares on the real schema', (_file, _name, sql) => {
  expect(() => store.db.prepare(sql)).not.toThrow()
})

/** Lines of the plan that read a whole table or index; the two tables of the vocabulary are a few rows. */
function scans(sql: string): string[] {
  return ask(store, `EXPLAIN QUERY PLAN ${sql}`)
    .map(({ detail }) => String(detail))
    .filter((detail) => /^SCAN/.test(detail) && !/^SCAN (t|tx|nk|edge_type|node_kind)\b/.test(detail))
}

test.each([
  "graph_node WHERE id = 'recipes/rye.md'",
  "graph_edge WHERE source = 'recipes/rye.md'",
  "graph_edge WHERE target = 'recipes/rye.md'",
  "graph_edge WHERE file = 'recipes/rye.md'",
  "graph_edge WHERE source = 'recipes/rye.md' AND type = 'LINKS'",
  "dangling WHERE file = 'recipes/rye.md'",
  "file_view WHERE path = 'recipes/rye.md'",
  "finding WHERE file = 'recipes/rye.md'",
  "index_state WHERE name = 'generation'",
])('%s is a look-up', (rest) => {
  expect(scans(`SELECT * FROM ${rest}`)).toEqual([])
})

test('graph_node by file looks up the files that are nodes, and does not begin with those that only name some', () => {
  // The second arm's file is NULL: its condition is false before the first row, but SQLite still plans a scan for it.
  expect(scans("SELECT * FROM graph_node WHERE file = 'recipes/rye.md'")).toEqual(['SCAN k'])
})

test('the plan reader does see a scan', () => {
  expect(scans('SELECT * FROM graph_edge WHERE line = 3')).not.toEqual([])
})
