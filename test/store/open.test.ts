// Every state in which an opening can find the index: what is done about it, what is said, and what stays untouched.

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { UserError } from '../../src/model/errors.ts'
import { setAside } from '../../src/store/aside.ts'
import { connect } from '../../src/store/connect.ts'
import { APPLICATION_ID } from '../../src/store/migrate.ts'
import { MIGRATIONS } from '../../src/store/migrations.generated.ts'
import { openMemoryStore, openStore, openTemporaryStore, probeStore, type StoreLocation } from '../../src/store/open.ts'
import { peekMeta } from '../../src/store/peek.ts'
import { ask, opened, place } from './bakery.ts'
import { bake } from './fill.ts'

function refusal(work: () => unknown): UserError {
  try {
    work()
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** Opens and closes; with `create` unless said otherwise. */
function visit(location: StoreLocation, create = true): { found: string; movedTo: string | null; writable: boolean } {
  const store = openStore(location, { busyMs: 200, create })
  const { found, movedTo, writable } = store
  store.close()
  return { found, movedTo, writable }
}

function filesBeside(location: StoreLocation): string[] {
  return readdirSync(path.dirname(location.path)).sort()
}

/** An index with one recipe in it, closed. */
function stocked(isDefault = true): StoreLocation {
  const location = place(isDefault)
  const store = openStore(location, { busyMs: 200, create: true })
  bake(store, { 'recipes/rye.md': [] })
  store.close()
  return location
}

/** Something else's content at the index's place. */
function occupied(isDefault: boolean, content: string | Buffer): StoreLocation {
  const location = place(isDefault)
  mkdirSync(path.dirname(location.path))
  writeFileSync(location.path, content)
  return location
}

/** Changes the closed index through SQLite, without our rules. */
function tamper(location: StoreLocation, sql: string): void {
  const db = new Database(location.path)
  db.exec(sql)
  db.close()
}

const README = '# The bakery\n\nOpen from six.\n'.repeat(50)

test('missing: created with its folder and ignored by git, or refused where nothing may be created', () => {
  const location = place(true)
  expect(probeStore(location)).toBe('missing')
  const error = refusal(() => visit(location, false))
  expect(error).toMatchObject({ code: 'no-index', hint: 'run `specdex index`', exit: 2 })
  expect(probeStore(location)).toBe('missing')
  expect(visit(location)).toMatchObject({ found: 'missing', movedTo: null })
  expect(filesBeside(location)).toEqual(['.gitignore', 'index.db'])
  expect(readFileSync(path.join(path.dirname(location.path), '.gitignore'), 'utf8')).toBe(
    'index.db*\ncache/\nsetup-facts.json\n',
  )
  expect(visit(location).found).toBe('fresh')
})

test('missing: an existing .gitignore is left as it is, and a folder that is not ours gets none', () => {
  const location = place(true)
  const ignore = path.join(path.dirname(location.path), '.gitignore')
  mkdirSync(path.dirname(location.path))
  writeFileSync(ignore, 'flour\n')
  visit(location)
  expect(readFileSync(ignore, 'utf8')).toBe('flour\n')
  const elsewhere = place(false)
  visit(elsewhere)
  expect(filesBeside(elsewhere)).toEqual(['index.db'])
})

test('missing: a file of zero bytes is no index yet', () => {
  const location = occupied(false, '')
  expect(probeStore(location)).toBe('missing')
  expect(refusal(() => visit(location, false)).code).toBe('no-index')
  expect(visit(location).found).toBe('missing')
})

test('a new index says whose it is and which schema it has', () => {
  const store = opened(place())
  expect(store.db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID)
  expect(store.db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length)
  expect(Buffer.from('SDEX').readUInt32BE()).toBe(APPLICATION_ID)
})

test('fresh: opening changes no byte, and the pragmas are the ones that are meant', () => {
  const location = stocked()
  const before = { bytes: readFileSync(location.path), stat: statSync(location.path).mtimeMs }
  expect(probeStore(location)).toBe('fresh')
  expect(visit(location, false)).toEqual({ found: 'fresh', movedTo: null, writable: true })
  expect(readFileSync(location.path).equals(before.bytes)).toBe(true)
  expect(statSync(location.path).mtimeMs).toBe(before.stat)
  const store = opened(location)
  const pragma = (name: string): unknown => store.db.pragma(name, { simple: true })
  expect({
    journal_mode: pragma('journal_mode'),
    synchronous: pragma('synchronous'),
    cache_size: pragma('cache_size'),
    cache_spill: pragma('cache_spill'),
    temp_store: pragma('temp_store'),
    busy_timeout: pragma('busy_timeout'),
    query_only: pragma('query_only'),
    trusted_schema: pragma('trusted_schema'),
  }).toEqual({
    journal_mode: 'delete',
    synchronous: 2,
    cache_size: -65536,
    cache_spill: 0,
    temp_store: 2,
    busy_timeout: 2000,
    query_only: 1,
    trusted_schema: 0,
  })
})

test.each([
  [
    'another program’s database at the default place',
    true,
    'PRAGMA application_id = 7; CREATE TABLE bread (name TEXT)',
  ],
  ['a database without an application id', true, 'CREATE TABLE bread (name TEXT)'],
  ['another program’s database under --db', false, 'CREATE TABLE bread (name TEXT)'],
  ['another program’s database in WAL mode', false, 'PRAGMA journal_mode = WAL; CREATE TABLE bread (name TEXT)'],
])('foreign: %s is refused and not touched', (_what, isDefault, sql) => {
  const location = place(isDefault)
  mkdirSync(path.dirname(location.path))
  tamper(location, sql)
  const bytes = readFileSync(location.path)
  const beside = filesBeside(location)
  expect(probeStore(location)).toBe('foreign')
  const error = refusal(() => visit(location))
  expect(error.code).toBe('foreign')
  expect(error.message).toContain('is another program’s database')
  expect(error.hint).toMatch(/--db/)
  expect(readFileSync(location.path).equals(bytes)).toBe(true)
  expect(filesBeside(location)).toEqual(beside)
})

test('foreign: --db README.md is refused and not touched', () => {
  const location = occupied(false, README)
  expect(probeStore(location)).toBe('foreign')
  const error = refusal(() => visit(location))
  expect(error).toMatchObject({ code: 'foreign' })
  expect(error.message).toContain('is not a Specdex index')
  expect(error.hint).toBe('name another file with --db or SPECDEX_DB; this one was left as it is')
  expect(readFileSync(location.path, 'utf8')).toBe(README)
  expect(filesBeside(location)).toEqual(['index.db'])
})

test('foreign: a folder at the index’s place', () => {
  const location = place(false)
  mkdirSync(location.path, { recursive: true })
  expect(probeStore(location)).toBe('foreign')
  expect(refusal(() => visit(location)).message).toContain('is a folder')
})

test.each(['the file', 'the folder'])('foreign: %s of the default place is a link that leads elsewhere', (which) => {
  const location = place(true)
  const elsewhere = path.join(path.dirname(path.dirname(location.path)), 'elsewhere')
  mkdirSync(elsewhere)
  if (which === 'the folder') symlinkSync(elsewhere, path.dirname(location.path))
  else {
    mkdirSync(path.dirname(location.path))
    symlinkSync(path.join(elsewhere, 'target.db'), location.path)
  }
  expect(probeStore(location)).toBe('foreign')
  expect(refusal(() => visit(location)).message).toContain('reached through a symbolic link')
  expect(readdirSync(elsewhere)).toEqual([])
  // Somebody who types the path means it.
  expect(visit({ path: location.path, isDefault: false }).found).toBe('missing')
})

test('newer: refused by count of migrations, and by an unknown last migration; not touched', () => {
  const counted = stocked()
  tamper(counted, `PRAGMA user_version = ${MIGRATIONS.length + 1}`)
  const changed = stocked()
  tamper(changed, "UPDATE migration SET hash = 'cafe'")
  for (const location of [counted, changed]) {
    const bytes = readFileSync(location.path)
    expect(probeStore(location)).toBe('newer')
    const error = refusal(() => visit(location))
    expect(error.code).toBe('newer')
    expect(error.message).toMatch(/written by (a newer|another build of) Specdex/)
    expect(error.hint).toContain('--db')
    expect(readFileSync(location.path).equals(bytes)).toBe(true)
  }
})

test('older: an index that was made but never filled with a schema is brought up to date in place', () => {
  const location = place(true)
  mkdirSync(path.dirname(location.path))
  tamper(
    location,
    `PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')`,
  )
  expect(probeStore(location)).toBe('older')
  expect(visit(location, false).found).toBe('older')
  expect(probeStore(location)).toBe('fresh')
  expect(ask(opened(location), 'SELECT text FROM note')).toEqual([{ text: 'kept' }])
})

test('older: a lost version number is put right, once', () => {
  const location = stocked()
  tamper(location, 'PRAGMA user_version = 0')
  expect(probeStore(location)).toBe('older')
  expect(visit(location, false).found).toBe('older')
  expect(visit(location, false).found).toBe('fresh')
  expect(ask(opened(location), 'SELECT path FROM file_view')).toEqual([{ path: 'recipes/rye.md' }])
})

test('older: a changed vocabulary is mirrored again', () => {
  const location = stocked()
  tamper(location, "UPDATE meta SET value = 'before' WHERE name = 'vocabulary'; DELETE FROM edge_type")
  expect(probeStore(location)).toBe('older')
  expect(visit(location, false).found).toBe('older')
  const store = opened(location)
  expect(store.found).toBe('fresh')
  expect(ask(store, 'SELECT count(*) AS n FROM edge_type')[0]?.['n']).toBeGreaterThan(5)
  expect(ask(store, 'SELECT path FROM file_view')).toEqual([{ path: 'recipes/rye.md' }])
})

const DAMAGES: readonly (readonly [string, (location: StoreLocation) => void])[] = [
  ['a text at the default place', (l) => writeFileSync(l.path, README)],
  ['a single byte at the default place', (l) => writeFileSync(l.path, 'x')],
  ['a file cut off after its header', (l) => writeFileSync(l.path, readFileSync(l.path).subarray(0, 150))],
  [
    'a schema page of noise',
    (l) => writeFileSync(l.path, Buffer.concat([readFileSync(l.path).subarray(0, 100), Buffer.alloc(20_000, 0xa5)])),
  ],
  ['a table that was dropped', (l) => tamper(l, 'DROP TABLE problem')],
  ['a view that was dropped', (l) => tamper(l, 'DROP VIEW graph_edge')],
]

test.each(DAMAGES)('corrupt: %s is moved aside and replaced', (_what, damage) => {
  const location = stocked()
  damage(location)
  const bytes = readFileSync(location.path)
  expect(probeStore(location)).toBe('corrupt')
  // A caller that may not create changes nothing.
  const error = refusal(() => visit(location, false))
  expect(error.code).toBe('corrupt')
  expect(error.message).toContain('is damaged')
  expect(error.hint).toContain('specdex index --full')
  expect(filesBeside(location)).toEqual(['.gitignore', 'index.db'])

  expect(visit(location)).toEqual({ found: 'corrupt', movedTo: `${location.path}.corrupt-1`, writable: true })
  expect(readFileSync(`${location.path}.corrupt-1`).equals(bytes)).toBe(true)
  expect(filesBeside(location)).toEqual(['.gitignore', 'index.db', 'index.db.corrupt-1'])
  expect(visit(location)).toMatchObject({ found: 'fresh', movedTo: null })
})

test('corrupt: the smallest free number is taken and nothing is ever replaced', () => {
  const location = stocked()
  writeFileSync(`${location.path}.corrupt-1`, 'first')
  writeFileSync(`${location.path}.corrupt-3`, 'third')
  writeFileSync(location.path, README)
  expect(visit(location).movedTo).toBe(`${location.path}.corrupt-2`)
  writeFileSync(location.path, README)
  expect(visit(location).movedTo).toBe(`${location.path}.corrupt-4`)
  expect(readFileSync(`${location.path}.corrupt-1`, 'utf8')).toBe('first')
  expect(readFileSync(`${location.path}.corrupt-3`, 'utf8')).toBe('third')
})

test('corrupt: under --db only a file with our id in its header is ours to move', () => {
  const location = stocked(false)
  tamper(location, 'DROP TABLE problem')
  expect(visit(location)).toMatchObject({ found: 'corrupt', movedTo: `${location.path}.corrupt-1` })
})

test('corrupt: the log of a visitor in WAL mode goes with the file it belongs to', () => {
  const location = stocked()
  const guest = new Database(location.path)
  guest.exec('PRAGMA journal_mode = WAL; DROP TABLE problem')
  expect(visit(location).found).toBe('corrupt')
  expect(filesBeside(location)).toEqual([
    '.gitignore',
    'index.db',
    'index.db.corrupt-1',
    'index.db.corrupt-1-shm',
    'index.db.corrupt-1-wal',
  ])
  guest.close()
  expect(visit(location).found).toBe('fresh')
})

test('corrupt: damage that only a query meets is a UserError, and the whole check finds it', () => {
  const location = place(true)
  const book = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`recipes/loaf-${i}.md`, [`recipes/${i}.md`]]))
  const first = openStore(location, { busyMs: 200, create: true })
  bake(first, book)
  const root = Number(ask(first, "SELECT rootpage FROM sqlite_schema WHERE name = 'edge'")[0]?.['rootpage'])
  const size = Number(first.db.pragma('page_size', { simple: true }))
  first.close()
  const bytes = readFileSync(location.path)
  bytes.fill(0xa5, (root - 1) * size, root * size)
  writeFileSync(location.path, bytes)

  const store = opened(location)
  expect(store.found).toBe('fresh')
  for (const work of [
    () => store.read(() => store.db.prepare('SELECT sum(line) FROM edge').get()),
    () => store.prepare('SELECT sum(line) FROM edge').get(),
    () => bake(store, { 'recipes/loaf-7.md': ['recipes/new.md'] }),
  ]) {
    const error = refusal(work)
    expect(error).toMatchObject({ code: 'corrupt' })
    expect(error.hint).toContain('specdex index --full')
  }
  store.close()
  expect(setAside(location, 200, 'quick')).toBeNull()
  expect(setAside(location, 200, 'whole')).toBe(`${location.path}.corrupt-1`)
  expect(visit(location).found).toBe('missing')
})

test('a healthy index is never moved aside, and the lock file is gone afterwards', () => {
  const location = stocked()
  expect(setAside(location, 200, 'whole')).toBeNull()
  writeFileSync(`${location.path}.repairing`, '')
  expect(setAside(location, 200, 'quick')).toBeNull()
  expect(filesBeside(location)).toEqual(['.gitignore', 'index.db'])
})

test('locked: found by the probe; a reader waits in vain for a commit, a writer for the lock', () => {
  const location = stocked()
  const other = new Database(location.path)
  const store = opened(location, 60)
  other.exec('BEGIN IMMEDIATE')
  expect(probeStore(location)).toBe('locked')
  expect(ask(store, 'SELECT path FROM file_view')).toHaveLength(1)
  const writing = refusal(() => bake(store, { 'recipes/oat.md': [] }))
  expect(writing).toMatchObject({ code: 'busy', exit: 2 })
  expect(writing.message).toContain('held by another process (waited 60 ms)')
  other.exec('COMMIT; BEGIN EXCLUSIVE')
  expect(probeStore(location)).toBe('locked')
  expect(refusal(() => ask(store, 'SELECT path FROM file_view')).code).toBe('busy')
  expect(refusal(() => visit(location)).message).toContain('waited 200 ms')
  expect(peekMeta(location, 'generation')).toBeNull()
  other.exec('COMMIT')
  other.close()
  bake(store, { 'recipes/oat.md': [] })
  expect(probeStore(location)).toBe('fresh')
})

test('a file left in WAL mode is switched back when nobody else has it', () => {
  const location = stocked()
  const guest = new Database(location.path)
  guest.pragma('journal_mode = WAL')
  guest.prepare('SELECT * FROM graph_node').all()
  expect(probeStore(location)).toBe('fresh')
  const shared = openStore(location, { busyMs: 200, create: false })
  expect(shared.db.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(shared.db.pragma('busy_timeout', { simple: true })).toBe(200)
  expect(ask(shared, 'SELECT path FROM file_view')).toHaveLength(1)
  shared.close()
  guest.close()
  const store = opened(location)
  expect(store.db.pragma('journal_mode', { simple: true })).toBe('delete')
  bake(store, { 'recipes/oat.md': [] })
  expect(filesBeside(location)).toEqual(['.gitignore', 'index.db'])
})

test('the probe of a WAL file leaves nothing behind', () => {
  const location = stocked()
  tamper(location, 'PRAGMA journal_mode = WAL')
  expect(probeStore(location)).toBe('fresh')
  expect(peekMeta(location, 'generation')).toBeNull()
  expect(filesBeside(location)).toEqual(['.gitignore', 'index.db'])
})

test('a folder that cannot be made is a UserError', () => {
  const location = { path: path.join(occupied(false, README).path, 'under', 'index.db'), isDefault: false }
  expect(refusal(() => visit(location)).code).toBe('io')
})

test('an index path that ends in white space is refused instead of opening another file', () => {
  const location = { path: `${place().path} `, isDefault: false }
  expect(refusal(() => visit(location)).code).toBe('usage')
})

test('a missing or foreign native addon is one line and the command that mends it', () => {
  const location = occupied(false, README)
  const options = { readOnly: false, busyMs: 0, create: true }
  const missing = refusal(() => connect(':memory:', { ...options, addon: `${location.path}-none.node` }))
  expect(missing.message).toContain('was not built')
  const broken = `${location.path}.node`
  writeFileSync(broken, README)
  const wrong = refusal(() => connect(':memory:', { ...options, addon: broken }))
  expect(wrong.message).toContain('does not load')
  for (const error of [missing, wrong]) {
    expect(error.message).not.toContain('\n')
    expect(error.hint).toContain('npm rebuild better-sqlite3')
    expect(error.hint).toContain('npm install-scripts approve better-sqlite3')
  }
})

test('memory and temporary stores hold the same schema and touch no folder', () => {
  for (const store of [openMemoryStore(), openTemporaryStore()]) {
    bake(store, { 'recipes/rye.md': [] })
    expect(store).toMatchObject({ inMemory: true, writable: true, found: 'missing', movedTo: null })
    expect(ask(store, 'SELECT path FROM file_view')).toEqual([{ path: 'recipes/rye.md' }])
    store.close()
  }
})

test('every statement of an opening is traced', () => {
  const seen: string[] = []
  const store = openStore(place(), { busyMs: 0, create: true, trace: (sql) => seen.push(sql) })
  bake(store, { 'recipes/rye.md': [] })
  store.close()
  expect(seen.join('\n')).toMatch(/synchronous = FULL[\s\S]*CREATE TABLE `key`[\s\S]*BEGIN IMMEDIATE[\s\S]*COMMIT/)
})

test.runIf(process.getuid?.() !== 0)('read-only: as the user that runs the tests', () => {
  const location = stocked()
  chmodSync(path.dirname(location.path), 0o555)
  expect(probeStore(location)).toBe('read-only')
  expect(visit(location)).toMatchObject({ found: 'read-only', writable: false })
  chmodSync(path.dirname(location.path), 0o755)
})
