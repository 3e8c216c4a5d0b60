// The migration runner against each hazard of drizzle's own (habits §5.1), with invented migrations of a bakery.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { UserError } from '../../src/model/errors.ts'
import { APPLICATION_ID, type Migration, migrate } from '../../src/store/migrate.ts'
import { MIGRATIONS } from '../../src/store/migrations.generated.ts'
import { tempFolder } from '../support/temp.ts'
import { startChild, withChildren } from './bakery.ts'
import { migrationOf } from './migration.ts'

withChildren()

const RECORDS = 'CREATE TABLE migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL) STRICT;'

const OVENS = migrationOf(
  '0000_ovens',
  `${RECORDS}
--> statement-breakpoint
CREATE TABLE oven (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
--> statement-breakpoint
CREATE TABLE loaf (id INTEGER PRIMARY KEY, oven INTEGER NOT NULL REFERENCES oven (id) ON DELETE CASCADE);`,
)
const FLOUR = migrationOf('0001_flour', 'CREATE TABLE flour (name TEXT);')
const SALT = migrationOf('0001_salt', 'CREATE TABLE salt (name TEXT);')
/** As drizzle-kit writes it for a changed column: with pragmas that do nothing inside a transaction. */
const REBUILD = migrationOf(
  '0001_rebuild',
  `PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE __new_oven (id INTEGER PRIMARY KEY, name TEXT NOT NULL, heat INTEGER DEFAULT 240 NOT NULL);--> statement-breakpoint
INSERT INTO __new_oven (id, name) SELECT id, name FROM oven;--> statement-breakpoint
DROP TABLE oven;--> statement-breakpoint
ALTER TABLE __new_oven RENAME TO oven;--> statement-breakpoint
PRAGMA foreign_keys=ON;`,
)

function bakery(file = ':memory:'): Database.Database {
  const db = new Database(file)
  onTestFinished(() => {
    db.close()
  })
  return db
}

function run(db: Database.Database, migrations: readonly Migration[]): number {
  return migrate(db, migrations, () => {})
}

function refusal(work: () => unknown): UserError {
  try {
    work()
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

function tables(db: Database.Database): unknown[] {
  return db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all()
}

test('migrations run in order, once, and leave their record and their number', () => {
  const db = bakery()
  let completed = 0
  expect(migrate(db, [OVENS], () => completed++)).toBe(1)
  expect(migrate(db, [OVENS, FLOUR], () => completed++)).toBe(1)
  expect(migrate(db, [OVENS, FLOUR], () => completed++)).toBe(0)
  expect(completed).toBe(2)
  expect(db.prepare('SELECT id, name, hash FROM migration ORDER BY id').all()).toEqual([
    { id: 1, name: OVENS.name, hash: OVENS.hash },
    { id: 2, name: FLOUR.name, hash: FLOUR.hash },
  ])
  expect(db.pragma('user_version', { simple: true })).toBe(2)
  expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID)
})

test('a parent table is rebuilt and its children stay', () => {
  const db = bakery()
  run(db, [OVENS])
  db.exec("INSERT INTO oven VALUES (1, 'stone'); INSERT INTO loaf VALUES (1, 1), (2, 1), (3, 1)")
  run(db, [OVENS, REBUILD])
  expect(db.prepare('SELECT count(*) FROM loaf').pluck().get()).toBe(3)
  expect(db.prepare('SELECT heat FROM oven').pluck().all()).toEqual([240])
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
})

test('children without their parent are found before the commit, and nothing is applied', () => {
  const db = bakery()
  run(db, [OVENS])
  db.exec("INSERT INTO oven VALUES (1, 'stone'); INSERT INTO loaf VALUES (1, 1)")
  const closing = migrationOf('0001_closing', 'DELETE FROM oven;')
  expect(() => run(db, [OVENS, closing])).toThrow(/loaf without their oven/)
  expect(db.prepare('SELECT count(*) FROM oven').pluck().get()).toBe(1)
  expect(db.prepare('SELECT count(*) FROM migration').pluck().get()).toBe(1)
  expect(db.pragma('user_version', { simple: true })).toBe(1)
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
})

test('of several migrations all are applied or none, and a failure leaves foreign keys as they were', () => {
  const db = bakery()
  const broken = migrationOf('0002_broken', 'CREATE TABLE yeast (name TEXT); CREATE TABLE yeast (name TEXT);')
  expect(() => run(db, [OVENS, FLOUR, broken])).toThrow(/already exists/)
  expect(tables(db)).toEqual([])
  expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  db.pragma('foreign_keys = OFF')
  run(db, [OVENS])
  expect(db.pragma('foreign_keys', { simple: true })).toBe(0)
})

test('an applied migration that was edited is refused', () => {
  const db = bakery()
  run(db, [OVENS, FLOUR])
  const edited = migrationOf(FLOUR.name, 'CREATE TABLE flour (name TEXT, grams INTEGER);')
  const error = refusal(() => run(db, [OVENS, edited]))
  expect(error).toMatchObject({ code: 'newer', message: 'migration 0001_flour was changed after it ran here' })
  expect(error.hint).toContain('--db')
})

test('an older migration that was merged late is refused, not skipped', () => {
  const db = bakery()
  run(db, [OVENS, SALT])
  const error = refusal(() => run(db, [OVENS, FLOUR, SALT]))
  expect(error.message).toBe('migration 0001_flour was added before 0001_salt, which already ran here')
  expect(tables(db)).not.toContain('flour')
})

test('a database with more migrations than are known is refused', () => {
  const db = bakery()
  run(db, [OVENS, FLOUR])
  const error = refusal(() => run(db, [OVENS]))
  expect(error).toMatchObject({ code: 'newer' })
  expect(error.message).toContain('0001_flour')
})

test('a stranger’s database is not migrated into', () => {
  const db = bakery()
  db.exec('CREATE TABLE invoice (id INTEGER)')
  expect(refusal(() => run(db, [OVENS])).code).toBe('foreign')
  expect(tables(db)).toEqual(['invoice'])
})

test('a second process looks only after it has the lock', async () => {
  const file = path.join(tempFolder('migrate'), 'bakery.db')
  const db = bakery(file)
  db.exec('BEGIN IMMEDIATE')
  const child = await startChild('migrate', { location: { path: file }, migrations: [OVENS, FLOUR] })
  await child.next()
  // The child stands at its BEGIN IMMEDIATE now. Had it looked before, it would create the tables again.
  await new Promise((resolve) => setTimeout(resolve, 300))
  db.exec(OVENS.sql)
  db.prepare('INSERT INTO migration VALUES (1, ?, ?)').run(OVENS.name, OVENS.hash)
  db.pragma(`application_id = ${APPLICATION_ID}`)
  db.exec('COMMIT')
  expect(await child.next()).toEqual({ ran: 1 })
  expect(db.prepare('SELECT name FROM migration ORDER BY id').pluck().all()).toEqual([OVENS.name, FLOUR.name])
})

test('many processes at once: one migrates, the others find it done', async () => {
  const file = path.join(tempFolder('migrate'), 'bakery.db')
  const at = Date.now() + 1500
  const input = { location: { path: file }, at, migrations: [OVENS, REBUILD] }
  const children = await Promise.all(Array.from({ length: 6 }, () => startChild('migrate', input)))
  const ran = await Promise.all(
    children.map(async (child) => {
      await child.next()
      return ((await child.next()) as { ran: number }).ran
    }),
  )
  expect(ran.sort()).toEqual([0, 0, 0, 0, 0, 2])
})

test('the embedded migrations are those of the folder, in the journal’s order', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const folder = path.join(root, 'migrations')
  const journal = JSON.parse(readFileSync(path.join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { idx: number; tag: string }[]
  }
  expect(journal.entries.map((entry) => entry.idx)).toEqual(journal.entries.map((_, i) => i))
  expect(MIGRATIONS).toEqual(
    journal.entries.map(({ tag }) => migrationOf(tag, readFileSync(path.join(folder, `${tag}.sql`), 'utf8'))),
  )
  const check = spawnSync(process.execPath, [path.join(root, 'src/store/embed-migrations.mjs'), '--check'])
  expect(check.status, check.stderr.toString()).toBe(0)
})
