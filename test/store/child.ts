// What other processes do in the store tests. Bundled by bakery.ts and run by plain Node; answers in JSON lines.

import { UserError } from '../../src/model/errors.ts'
import { setAside } from '../../src/store/aside.ts'
import { connect } from '../../src/store/connect.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, probeStore, type Store, type StoreLocation } from '../../src/store/open.ts'
import { bake } from './fill.ts'
import { migrationOf } from './migration.ts'

interface Input {
  readonly location: StoreLocation
  readonly busyMs?: number
  /** Milliseconds since 1970 at which all children begin at once. */
  readonly at?: number
  readonly until?: number
  readonly name?: string
  readonly migrations?: readonly { name: string; sql: string }[]
}

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

function waitUntil(time: number): void {
  while (Date.now() < time) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(1, time - Date.now()))
}

function open(input: Input, create = true): Store {
  return openStore(input.location, { busyMs: input.busyMs ?? 10_000, create })
}

/** Blocks for good with whatever locks are held. */
function holdForever(): never {
  for (;;) waitUntil(Date.now() + 1000)
}

const ACTIONS: Readonly<Record<string, (input: Input) => void>> = {
  /** Opens at the shared moment and writes one recipe. */
  first(input) {
    waitUntil(input.at ?? 0)
    const store = open(input)
    bake(store, { [`recipes/${input.name}.md`]: ['recipes/starter.md'] })
    say({ found: store.found, movedTo: store.movedTo })
    store.close()
  },
  open(input) {
    const store = open(input)
    const files = store.read(() => store.db.prepare('SELECT count(*) FROM file').pluck().get())
    say({ found: store.found, writable: store.writable, files })
    store.close()
  },
  /** Opens as a query does that may not create. */
  visit(input) {
    const store = open(input, false)
    say({ found: store.found })
    store.close()
  },
  'set-aside'(input) {
    say({ movedTo: setAside(input.location, input.busyMs ?? 10_000, 'quick') })
  },
  probe(input) {
    say({ state: probeStore(input.location) })
  },
  /** Opens and asks, again and again: as many processes would, one after the other. */
  read(input) {
    let rounds = 0
    do {
      const store = open(input, false)
      const torn = store.read(() => {
        const count = store.db.prepare('SELECT count(*) FROM file').pluck()
        const before = count.get()
        store.db.prepare('SELECT count(*) FROM edge JOIN key ON key.id = edge.up').get()
        return before !== count.get()
      })
      store.close()
      if (torn) throw new Error('one transaction saw two states')
      rounds++
    } while (Date.now() < (input.until ?? 0))
    say({ rounds })
  },
  write(input) {
    let rounds = 0
    do {
      const store = open(input, false)
      const book: Record<string, string[]> = {}
      for (let i = 0; i < 200; i++) book[`recipes/${input.name}-${rounds}-${i}.md`] = [`recipes/${input.name}-${i}.md`]
      bake(store, book)
      store.close()
      rounds++
    } while (Date.now() < (input.until ?? 0))
    say({ rounds })
  },
  /** Shuts everybody out for moments, as commits do. */
  commit(input) {
    const db = connect(input.location.path, { readOnly: false, busyMs: 10_000, create: false })
    say({ committing: true })
    for (;;) db.exec('BEGIN EXCLUSIVE; COMMIT')
  },
  /** Takes the write lock and keeps it. */
  hold(input) {
    const store = open(input)
    store.write(() => {
      say({ holding: true })
      holdForever()
    })
  },
  /** Dies in the middle of a transaction whose changed pages already went to the file. */
  crash(input) {
    const store = open(input)
    // Before the transaction: inside one they do nothing.
    store.db.exec('PRAGMA cache_size = 10; PRAGMA cache_spill = ON')
    store.write(() => {
      const insert = store.db.prepare('INSERT INTO key (text) VALUES (?)')
      for (let i = 0; i < 20_000; i++) insert.run(`recipes/half-baked-${i}.md`)
      store.db.exec('DELETE FROM file; DELETE FROM node; DELETE FROM edge')
      process.kill(process.pid, 'SIGKILL')
    })
  },
  /** Writes until the disk is full. */
  fill(input) {
    const store = open(input)
    bake(store, { 'recipes/first.md': [] })
    const book: Record<string, string[]> = {}
    for (let i = 0; i < 50_000; i++) book[`recipes/loaf-${i}.md`] = ['recipes/first.md']
    try {
      bake(store, book)
      say({ error: null })
    } catch (error) {
      const files = store.read(() => store.db.prepare('SELECT count(*) FROM file').pluck().get())
      say({ ...described(error), files })
    }
    store.close()
  },
  migrate(input) {
    const db = connect(input.location.path, { readOnly: false, busyMs: 10_000, create: true })
    say({ ready: true })
    waitUntil(input.at ?? 0)
    const list = (input.migrations ?? []).map(({ name, sql }) => migrationOf(name, sql))
    say({ ran: migrate(db, list, () => {}) })
    db.close()
  },
}

function described(error: unknown): { error: string; message: string; hint: string | null } {
  if (error instanceof UserError) return { error: error.code, message: error.message, hint: error.hint }
  return { error: 'bug', message: error instanceof Error ? String(error.stack) : String(error), hint: null }
}

const [, , action = '', input = '{}'] = process.argv
try {
  ACTIONS[action]?.(JSON.parse(input) as Input)
} catch (error) {
  say(described(error))
  process.exitCode = 1
}
