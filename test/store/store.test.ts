// Transactions of one store: a query cannot write, a failed write leaves nothing, and the first error is the one told.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { UserError } from '../../src/model/errors.ts'
import { fingerprintName, generationName, getGeneration, getMeta, META, setMeta } from '../../src/store/meta.ts'
import { openMemoryStore, openStore, probeStore } from '../../src/store/open.ts'
import { ask, opened, place } from './bakery.ts'
import { bake } from './fill.ts'

test('a query that writes is a bug, not the user’s read-only disk', () => {
  const store = opened(place())
  const writing = (): unknown => store.db.prepare("INSERT INTO key (text) VALUES ('recipes/rye.md')").run()
  expect(() => store.read(writing)).toThrow(/readonly/)
  expect(() => store.read(writing)).not.toThrow(UserError)
  expect(() => store.prepare("DELETE FROM key WHERE text = 'x'").run()).not.toThrow(UserError)
  store.write(writing)
  expect(ask(store, 'SELECT text FROM key')).toEqual([{ text: 'recipes/rye.md' }])
  expect(() => store.read(writing)).toThrow(/readonly/)
})

test('a write that throws leaves nothing, says its own error, and the store goes on', () => {
  const store = opened(place())
  const failing = (): void =>
    store.write(() => {
      setMeta(store, META.generation, '7')
      throw new Error('the oven went out')
    })
  expect(failing).toThrow('the oven went out')
  expect(getMeta(store, META.generation)).toBeNull()
  expect(store.db.pragma('query_only', { simple: true })).toBe(1)
  bake(store, { 'recipes/rye.md': [] })
  expect(ask(store, 'SELECT path FROM file_view')).toHaveLength(1)
})

test('an error that already ended the transaction is told, and not the failing rollback', () => {
  const store = opened(place())
  const failing = (): void =>
    store.write(() => {
      store.db.exec('ROLLBACK')
      throw new Error('the flour is wet')
    })
  expect(failing).toThrow('the flour is wet')
})

test('reading joins an open transaction; writing inside one is a bug', () => {
  const store = opened(place())
  store.write(() => {
    setMeta(store, META.generation, '1')
    expect(store.read(() => getMeta(store, META.generation))).toBe('1')
    expect(() => store.write(() => {})).toThrow(/inside another transaction/)
  })
  expect(() => store.read(() => store.write(() => {}))).toThrow(/inside another transaction/)
  expect(getMeta(store, META.generation)).toBe('1')
})

test('a transaction reads one state, whatever is committed meanwhile', () => {
  const location = place()
  const reader = opened(location)
  const writer = opened(location, 50)
  reader.read(() => {
    expect(ask(reader, 'SELECT path FROM file_view')).toEqual([])
    // The commit has to wait for the reader, and says so.
    expect(() => bake(writer, { 'recipes/rye.md': [] })).toThrow(/held by another process/)
    expect(ask(reader, 'SELECT path FROM file_view')).toEqual([])
  })
  bake(writer, { 'recipes/rye.md': [] })
  expect(ask(reader, 'SELECT path FROM file_view')).toHaveLength(1)
})

test('the lock comes before the look: a second writer does not even begin', () => {
  const location = place()
  const first = opened(location)
  const second = opened(location, 20)
  let begun = false
  first.write(() => {
    expect(() =>
      second.write(() => {
        begun = true
      }),
    ).toThrow(/held by another process/)
  })
  expect(begun).toBe(false)
})

test('looking at the header of a file on which this process has a transaction is refused', () => {
  const location = place()
  const store = opened(location)
  // Closing the descriptor would drop SQLite's own locks.
  store.read(() => expect(() => probeStore(location)).toThrow(/inside a transaction/))
  expect(probeStore(location)).toBe('fresh')
})

test('a statement is prepared once', () => {
  const store = openMemoryStore()
  expect(store.prepare('SELECT 1')).toBe(store.prepare('SELECT 1'))
})

test('meta values: set, replaced, removed, counted', () => {
  const store = openMemoryStore()
  expect(getGeneration(store, generationName('docs'))).toBe(0)
  store.write(() => {
    setMeta(store, generationName('docs'), '3')
    setMeta(store, fingerprintName('docs'), 'a')
    setMeta(store, fingerprintName('docs'), 'b')
    setMeta(store, META.specHash, '3:cafe')
    setMeta(store, META.specHash, null)
  })
  expect(getGeneration(store, 'generation.docs')).toBe(3)
  expect(getMeta(store, 'fingerprint.docs')).toBe('b')
  expect(getMeta(store, META.specHash)).toBeNull()
})

test('a fault at any statement of a write leaves the old or the new state, and the next write works', () => {
  const location = place()
  const first = openStore(location, { busyMs: 100, create: true })
  bake(first, { 'recipes/rye.md': ['recipes/starter.md'], 'recipes/old.md': [] })
  first.close()
  const before = snapshot()
  let faults = 0
  for (let k = 1; ; k++) {
    let count = 0
    let armed = false
    const store = openStore(location, {
      busyMs: 100,
      create: false,
      trace: () => {
        if (armed && ++count === k) throw new Error('the power failed')
      },
    })
    armed = true
    let failed = false
    try {
      bake(store, { 'recipes/rye.md': ['recipes/leaven.md'], 'recipes/oat.md': ['recipes/rye.md'] })
    } catch (error) {
      expect(String(error)).toContain('the power failed')
      failed = true
    }
    armed = false
    store.close()
    if (!failed) break
    faults++
    const now = snapshot()
    if (now !== before) {
      // Only the step after the commit may fail with the new state in place.
      expect(now).toContain('recipes/leaven.md')
      expect(now).not.toContain('recipes/starter.md')
      bakeAgain()
    }
  }
  expect(faults).toBeGreaterThan(20)
  expect(snapshot()).toContain('recipes/leaven.md')

  function bakeAgain(): void {
    const store = openStore(location, { busyMs: 100, create: false })
    bake(store, { 'recipes/rye.md': ['recipes/starter.md'] })
    store.close()
  }
  function snapshot(): string {
    const store = openStore(location, { busyMs: 100, create: false })
    const text = JSON.stringify(ask(store, 'SELECT source, target FROM graph_edge UNION SELECT text, text FROM key'))
    expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
    store.close()
    return text
  }
})

test('a write that changes nothing leaves the file’s bytes alone', () => {
  const location = place()
  const store = opened(location)
  bake(store, { 'recipes/rye.md': [] })
  const bytes = readFileSync(location.path)
  store.write(() => {})
  expect(readFileSync(location.path).equals(bytes)).toBe(true)
})
