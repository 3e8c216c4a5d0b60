// The index under real processes: many at once, stopped ones, killed ones, other users, and a full disk.
// `npm run test:long` runs the crowd for longer.

import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openStore, probeStore, type StoreLocation } from '../../src/store/open.ts'
import { effort } from '../support/effort.ts'
import { tempFolder } from '../support/temp.ts'
import { ask, opened, place, runChild, startChild, withChildren } from './bakery.ts'
import { bake } from './fill.ts'

withChildren()

const NOBODY = 65534
const ROOT = process.getuid?.() === 0

function stocked(): StoreLocation {
  const location = place(true)
  const store = openStore(location, { busyMs: 200, create: true })
  bake(store, { 'recipes/rye.md': ['recipes/starter.md'] })
  store.close()
  return location
}

test('many processes open a missing index at once: one index, with what each of them wrote', async () => {
  const location = place(true)
  const names = Array.from({ length: effort(5, 16) }, (_, i) => `loaf-${i}`)
  const at = Date.now() + 300 * names.length
  const answers = await Promise.all(names.map((name) => runChild('first', { location, at, name })))
  for (const answer of answers) expect(answer).toMatchObject({ movedTo: null })
  const paths = ask(opened(location), 'SELECT path FROM file_view ORDER BY path').map((row) => row['path'])
  expect(paths).toEqual(names.map((name) => `recipes/${name}.md`).sort())
  expect(readdirSync(path.dirname(location.path)).sort()).toEqual(['.gitignore', 'index.db'])
})

test('many processes open a damaged index at once: it is moved aside once, and no new one with it', async () => {
  const location = place(true)
  mkdirSync(path.dirname(location.path))
  writeFileSync(location.path, '# not an index\n'.repeat(1000))
  const names = Array.from({ length: effort(5, 16) }, (_, i) => `loaf-${i}`)
  const at = Date.now() + 300 * names.length
  const answers = await Promise.all(names.map((name) => runChild('first', { location, at, name })))
  expect(answers.filter((answer) => Object.hasOwn(answer as object, 'error'))).toEqual([])
  const moved = answers.map((answer) => (answer as { movedTo: string | null }).movedTo).filter((to) => to !== null)
  expect(moved).toEqual([`${location.path}.corrupt-1`])
  const paths = ask(opened(location), 'SELECT path FROM file_view ORDER BY path').map((row) => row['path'])
  expect(paths).toEqual(names.map((name) => `recipes/${name}.md`).sort())
  expect(readdirSync(path.dirname(location.path)).sort()).toEqual(['.gitignore', 'index.db', 'index.db.corrupt-1'])
})

test('the lock for moving aside: whoever waited for a lock file that is gone waits for the new one', async () => {
  const location = stocked()
  const file = `${location.path}.repairing`
  const first = new Database(file)
  first.exec('BEGIN EXCLUSIVE')
  const child = await startChild('set-aside', { location })
  const answer = child.next()
  await sleep(600)
  // What the holder does when it is done; and the next one is faster than the child.
  unlinkSync(file)
  const second = new Database(file)
  second.exec('BEGIN EXCLUSIVE')
  first.close()
  expect(await Promise.race([answer, sleep(600).then(() => 'waiting')])).toBe('waiting')
  unlinkSync(file)
  second.close()
  expect(await answer).toEqual({ movedTo: null })
  expect(existsSync(file)).toBe(false)
})

test('readers and writers for some seconds: nobody is told that the index is busy', async () => {
  const location = stocked()
  const until = Date.now() + effort(1500, 15_000)
  // Locks are not handed out in turn: on a loaded machine one can be unlucky for as long as the crowd lasts.
  const busyMs = effort(10_000, 60_000)
  const readers = effort(4, 8)
  const answers = await Promise.all([
    ...Array.from({ length: readers }, () => runChild('read', { location, until, busyMs })),
    ...Array.from({ length: readers / 2 }, (_, i) =>
      runChild('write', { location, until, busyMs, name: `baker-${i}` }),
    ),
  ])
  for (const answer of answers) expect(answer).toEqual({ rounds: expect.any(Number) })
  const rounds = answers.map((answer) => (answer as { rounds: number }).rounds)
  const store = opened(location)
  expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
  const written = rounds.slice(readers).reduce((sum, n) => sum + n, 0) * 200
  expect(ask(store, 'SELECT count(*) AS files FROM file')).toEqual([{ files: written + 1 }])
})

test('the probe never fails, whenever the writers commit', async () => {
  const location = stocked()
  const writers = await Promise.all(Array.from({ length: 3 }, () => startChild('commit', { location })))
  await Promise.all(writers.map((writer) => writer.next()))
  const seen = new Set<string>()
  const until = Date.now() + effort(1000, 10_000)
  while (Date.now() < until) {
    seen.add(probeStore(location))
    await sleep(0)
  }
  for (const writer of writers) writer.process.kill('SIGKILL')
  await Promise.all(writers.map((writer) => writer.ended))
  expect(seen).toContain('locked')
  expect([...seen].filter((state) => !['fresh', 'locked', 'hot-journal'].includes(state))).toEqual([])
})

test('a writer held by a stopped process: a clear message after the bounded wait, and readers go on', async () => {
  const location = stocked()
  const holder = await startChild('hold', { location })
  await holder.next()
  holder.process.kill('SIGSTOP')
  const reading = openStore(location, { busyMs: 300, create: false })
  expect(ask(reading, 'SELECT path FROM file_view')).toHaveLength(1)
  const start = performance.now()
  const writing = (): void => bake(reading, { 'recipes/oat.md': [] })
  expect(writing).toThrow(
    expect.objectContaining({
      code: 'busy',
      message: expect.stringContaining('held by another process (waited 300 ms)'),
      hint: expect.stringContaining('look for a stopped one'),
    }),
  )
  const waited = performance.now() - start
  expect(waited).toBeGreaterThan(250)
  expect(waited).toBeLessThan(5000)
  reading.close()
  expect(probeStore(location)).toBe('locked')
  // Its end frees the lock, and its transaction never happened.
  holder.process.kill('SIGKILL')
  await holder.ended
  const store = opened(location)
  bake(store, { 'recipes/oat.md': [] })
  expect(ask(store, 'SELECT path FROM file_view')).toHaveLength(2)
})

test('kill -9 in the middle of a transaction: a hot journal, which the next opening rolls back', async () => {
  const location = stocked()
  const crashed = await startChild('crash', { location })
  expect(await crashed.ended).toBe('SIGKILL')
  expect(statSync(`${location.path}-journal`).size).toBeGreaterThan(0)
  const size = statSync(location.path).size
  expect(probeStore(location)).toBe('hot-journal')
  // The probe changed nothing.
  expect(statSync(location.path).size).toBe(size)
  expect(probeStore(location)).toBe('hot-journal')

  const store = openStore(location, { busyMs: 200, create: false })
  expect(store.found).toBe('hot-journal')
  expect(ask(store, 'SELECT path FROM file_view')).toEqual([{ path: 'recipes/rye.md' }])
  expect(ask(store, "SELECT count(*) AS n FROM key WHERE text LIKE '%half-baked%'")).toEqual([{ n: 0 }])
  expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
  store.close()
  expect(existsSync(`${location.path}-journal`)).toBe(false)
  expect(probeStore(location)).toBe('fresh')
})

test('a live writer’s journal is not taken for a hot one', async () => {
  const location = stocked()
  const store = opened(location)
  store.write(() => {
    store.db.exec("INSERT INTO key (text) VALUES ('recipes/rising.md')")
    expect(statSync(`${location.path}-journal`).size).toBeGreaterThan(0)
    const answer = spawnProbe(location)
    expect(answer).toEqual({ state: 'locked' })
  })

  function spawnProbe(where: StoreLocation): unknown {
    // In a process of its own: POSIX locks do not hold against the process that has them.
    const code = `const D = require('better-sqlite3')
      const db = new D(process.argv[1], { readonly: true, timeout: 0 })
      db.prepare('SELECT count(*) FROM file').get()
      const w = new D(process.argv[1], { timeout: 0 })
      try { w.exec('BEGIN IMMEDIATE'); console.log('{"state":"fresh"}') } catch { console.log('{"state":"locked"}') }`
    const child = spawnSync(process.execPath, ['-e', code, where.path], {
      cwd: path.resolve(import.meta.dirname, '../..'),
    })
    return JSON.parse(child.stdout.toString())
  }
})

/** A folder that user nobody may enter but not write in. */
function closeFolder(location: StoreLocation): void {
  const folder = path.dirname(location.path)
  chmodSync(path.dirname(folder), 0o755)
  chmodSync(folder, 0o755)
  chmodSync(location.path, 0o644)
  onTestFinished(() => chmodSync(folder, 0o755))
  if (!ROOT) chmodSync(folder, 0o555)
}

const asNobody = ROOT ? { uid: NOBODY } : {}

test('read-only folder: the index is read there, and nothing is left behind', async () => {
  const location = stocked()
  closeFolder(location)
  expect(await runChild('probe', { location }, asNobody)).toEqual({ state: 'read-only' })
  expect(await runChild('open', { location }, asNobody)).toEqual({ found: 'read-only', writable: false, files: 1 })
  expect(await runChild('write', { location, until: Date.now() + 60_000, name: 'x' }, asNobody)).toMatchObject({
    error: 'read-only',
    hint: expect.stringContaining('SPECDEX_DB'),
  })
  expect(readdirSync(path.dirname(location.path)).sort()).toEqual(['.gitignore', 'index.db'])
})

test('read-only folder: a file that may be written in a folder that may not', async () => {
  const location = stocked()
  closeFolder(location)
  if (ROOT) chownSync(location.path, NOBODY, NOBODY)
  expect(await runChild('open', { location }, asNobody)).toEqual({ found: 'read-only', writable: false, files: 1 })
})

test('read-only folder: missing, damaged, older and unfinished indexes are UserErrors that send the caller to memory', async () => {
  const missing = place(true)
  mkdirSync(path.dirname(missing.path))
  const damaged = stocked()
  writeFileSync(damaged.path, '# not an index\n'.repeat(100))
  const older = stocked()
  const changed = openStore(older, { busyMs: 0, create: false })
  changed.write(() => changed.db.pragma('user_version = 0'))
  changed.close()
  const unfinished = stocked()
  expect(await (await startChild('crash', { location: unfinished })).ended).toBe('SIGKILL')
  chmodSync(`${unfinished.path}-journal`, 0o644)
  const states = [
    [missing, 'missing'],
    [unfinished, 'hot-journal'],
    [damaged, 'corrupt'],
    [older, 'older'],
  ] as const
  for (const [location, state] of states.slice(0, effort(2, states.length))) {
    if (location === missing) writeFileSync(location.path, '')
    closeFolder(location)
    expect(await runChild('probe', { location }, asNobody), state).toEqual({ state })
    expect(await runChild('open', { location }, asNobody), state).toMatchObject({ error: 'read-only' })
    expect(await runChild('visit', { location }, asNobody), state).toMatchObject({
      error: state === 'missing' ? 'no-index' : 'read-only',
    })
  }
})

test('read-only folder: left in WAL mode', async () => {
  const location = stocked()
  const store = openStore(location, { busyMs: 0, create: false })
  store.write(() => {})
  store.db.pragma('query_only = OFF')
  store.db.pragma('journal_mode = WAL')
  store.close()
  closeFolder(location)
  expect(await runChild('probe', { location }, asNobody)).toEqual({ state: 'read-only' })
  expect(await runChild('open', { location }, asNobody)).toMatchObject({ error: 'read-only' })
})

test('no folder can be made in a read-only place', async () => {
  const outer = tempFolder('outer')
  chmodSync(outer, 0o555)
  onTestFinished(() => chmodSync(outer, 0o755))
  const location = { path: path.join(outer, '.specdex', 'index.db'), isDefault: true }
  expect(await runChild('open', { location }, asNobody)).toMatchObject({ error: 'read-only' })
})

test('disk full: SQLite’s own page limit', () => {
  const store = opened(place())
  const pages = Number(store.db.pragma('page_count', { simple: true }))
  store.db.pragma(`max_page_count = ${pages + 2}`)
  const book = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`recipes/loaf-${i}.md`, []]))
  expect(() => bake(store, book)).toThrow(expect.objectContaining({ code: 'disk-full', exit: 2 }))
  expect(ask(store, 'SELECT path FROM file_view')).toEqual([])
})

/** Mounts a file system of 1 MiB; null where this user may not. */
function tinyDisk(): string | null {
  const folder = tempFolder('disk')
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  if (mounted.status !== 0) return null
  onTestFinished(() => {
    spawnSync('umount', [folder])
  })
  return folder
}

test.skipIf(!ROOT)('an index that may not be read is said to be just that', async () => {
  const location = stocked()
  chmodSync(path.dirname(path.dirname(location.path)), 0o755)
  chmodSync(location.path, 0o000)
  const wanted = { error: 'io', message: `the index ${location.path} may not be read` }
  expect(await runChild('open', { location }, asNobody)).toMatchObject(wanted)
  expect(await runChild('probe', { location }, asNobody)).toMatchObject(wanted)
})

test('disk full: a real one', async (context) => {
  const disk = tinyDisk()
  if (disk === null) {
    console.warn('skipped because no file system can be mounted here')
    context.skip()
  }
  const location = { path: path.join(disk ?? '', '.specdex', 'index.db'), isDefault: true }
  expect(await runChild('fill', { location })).toMatchObject({
    error: 'disk-full',
    message: expect.stringContaining('no space left'),
    hint: expect.stringContaining('--db'),
    files: 1,
  })
  expect(await runChild('open', { location })).toMatchObject({ files: 1 })
})

test('a limit on the size of files', async () => {
  const location = place(true)
  // 2048 blocks of 512 bytes; dash counts so, bash counts 1024 bytes.
  const answer = await runChild('fill', { location }, { under: ['sh', '-c', 'ulimit -f 2048; exec "$@"', 'sh'] })
  expect(answer).toMatchObject({ error: expect.stringMatching(/^(disk-full|io)$/), files: 1 })
  expect(opened(location).db.pragma('integrity_check', { simple: true })).toBe('ok')
})

test('kill -9 at many moments: the old or the new state, and the next run works', async () => {
  const location = stocked()
  for (let i = 0; i < effort(2, 40); i++) {
    const writer = await startChild('write', { location, until: Date.now() + 60_000, name: `baker-${i}` })
    await sleep(100 + ((i * 37) % 300))
    writer.process.kill('SIGKILL')
    await writer.ended
    const store = openStore(location, { busyMs: 1000, create: true })
    expect(store.movedTo).toBeNull()
    expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
    const files = Number(ask(store, 'SELECT count(*) AS n FROM file')[0]?.['n'])
    expect(files % 200).toBe(1)
    store.close()
  }
})
