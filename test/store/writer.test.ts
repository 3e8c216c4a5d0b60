// The writer: facts are replaced as a whole, nothing is left behind, and no history shows in what is stored.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Facts } from '../../src/model/facts.ts'
import { EDGE, FILE_STATE, KIND } from '../../src/model/vocabulary.ts'
import { logicalDump } from '../../src/store/dump.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { type FileRecord, type RowCounts, Writer } from '../../src/store/writer.ts'
import { effort } from '../support/effort.ts'
import { ask } from './bakery.ts'
import { bake, burnt, DOCS, document, linkTo, recipe } from './fill.ts'

function writing(store: Store, work: (writer: Writer) => void): RowCounts {
  return store.write(() => {
    const writer = new Writer(store)
    work(writer)
    return writer.finish()
  })
}

function keys(store: Store): string[] {
  return ask(store, 'SELECT text FROM key ORDER BY text').map((row) => String(row['text']))
}

test('a file’s facts are stored in the order of the arrays', () => {
  const store = openMemoryStore()
  const record = { ...recipe('recipes/rye.md', []).record, state: FILE_STATE.problem }
  const facts: Facts = {
    nodes: [document('recipes/rye.md', 'Rye'), { ...document('recipes/crust'), own: false, status: 'draft', line: 4 }],
    edges: [
      linkTo('recipes/b.md', 'recipes/rye.md', 1),
      { ...linkTo('recipes/a.md', 'recipes/rye.md', 1), note: 'see' },
    ],
    problems: [burnt(9), burnt(2)],
  }
  const counts = writing(store, (writer) => writer.replaceFile(record, facts))
  expect(counts).toEqual({ file: 1, node: 2, edge: 2, problem: 2, alias: 0, key: 4, dir: 0, deleted: 0 })
  expect(logicalDump(store)).toEqual([
    '["file","recipes/rye.md",2,100,1]',
    '["node","recipes/rye.md",0,"recipes/rye.md",10,1,"Rye",null,null]',
    '["node","recipes/rye.md",1,"recipes/crust",10,0,null,"draft",4]',
    '["edge","recipes/rye.md",0,"recipes/b.md","recipes/rye.md",20,1,null]',
    '["edge","recipes/rye.md",1,"recipes/a.md","recipes/rye.md",20,1,"see"]',
    '["problem","recipes/rye.md",0,"burnt-crust",1,9,"too dark",null,null]',
    '["problem","recipes/rye.md",1,"burnt-crust",1,2,"too dark",null,null]',
    '["key","recipes/a.md"]',
    '["key","recipes/b.md"]',
    '["key","recipes/crust"]',
    '["key","recipes/rye.md"]',
  ])
})

test('replacing removes what the file no longer says, and keys that nothing names any more', () => {
  const store = openMemoryStore()
  bake(store, { 'recipes/rye.md': ['recipes/starter.md', 'recipes/salt.md'], 'recipes/oat.md': ['recipes/salt.md'] })
  bake(store, { 'recipes/rye.md': ['recipes/water.md'] })
  expect(keys(store)).toEqual(['recipes/oat.md', 'recipes/rye.md', 'recipes/salt.md', 'recipes/water.md'])
  writing(store, (writer) => writer.removeFile('recipes/oat.md'))
  expect(keys(store)).toEqual(['recipes/rye.md', 'recipes/water.md'])
})

test('a removed file that others link to leaves its key and nothing else', () => {
  const store = openMemoryStore()
  bake(store, { 'recipes/rye.md': ['recipes/oat.md'], 'recipes/oat.md': [] })
  const counts = writing(store, (writer) => {
    writer.removeFile('recipes/oat.md')
    writer.removeFile('recipes/oat.md')
    writer.removeFile('recipes/never-there.md')
  })
  expect(counts).toMatchObject({ deleted: 2, file: 0 })
  expect(keys(store)).toEqual(['recipes/oat.md', 'recipes/rye.md'])
  expect(ask(store, 'SELECT target FROM dangling')).toEqual([{ target: 'recipes/oat.md' }])
})

test('a key let go by one file and taken up by a later one in the same run stays the same', () => {
  const store = openMemoryStore()
  bake(store, { 'recipes/rye.md': ['recipes/starter.md'] })
  const before = ask(store, "SELECT id FROM key WHERE text = 'recipes/starter.md'")
  writing(store, (writer) => {
    writer.removeFile('recipes/rye.md')
    const { record, facts } = recipe('recipes/oat.md', ['recipes/starter.md'])
    writer.replaceFile(record, facts)
  })
  expect(ask(store, "SELECT id FROM key WHERE text = 'recipes/starter.md'")).toEqual(before)
  expect(keys(store)).toEqual(['recipes/oat.md', 'recipes/starter.md'])
})

test('a file that comes twice in the first run is written once', () => {
  const store = openMemoryStore()
  writing(store, (writer) => {
    for (const links of [['recipes/old.md'], ['recipes/new.md']]) {
      const { record, facts } = recipe('recipes/rye.md', links)
      writer.replaceFile(record, facts)
    }
  })
  expect(keys(store)).toEqual(['recipes/new.md', 'recipes/rye.md'])
})

test('touching changes the witness and no fact', () => {
  const store = openMemoryStore()
  bake(store, { 'recipes/rye.md': ['recipes/starter.md'] })
  const before = logicalDump(store)
  const stat = Buffer.alloc(16, 1)
  const record: FileRecord = {
    ...recipe('recipes/rye.md', ['x']).record,
    stat,
    oid: Buffer.alloc(32, 9),
    state: 4,
    family: 1,
  }
  writing(store, (writer) => writer.touchFile(record))
  expect(ask(store, 'SELECT stat, oid, family, state FROM file')).toEqual([
    { stat, oid: Buffer.alloc(32, 9), family: DOCS, state: FILE_STATE.ok },
  ])
  expect(logicalDump(store)).toEqual(before)
  expect(() => writing(store, (writer) => writer.touchFile(recipe('recipes/oat.md', []).record))).toThrow(/no row/)
})

test('folders: set, replaced, tainted, removed', () => {
  const store = openMemoryStore()
  writing(store, (writer) => {
    writer.setDir(DOCS, 'recipes', 3, Buffer.from('one'))
    writer.setDir(DOCS, 'recipes', 4, Buffer.from('two'))
    writer.setDir(1, 'recipes', 9, Buffer.from('other family'))
    writer.setDir(DOCS, '', 1, null)
    writer.setDir(DOCS, 'cellar', 1, Buffer.from('x'))
    writer.taintDir(DOCS, 'cellar')
    writer.taintDir(DOCS, 'attic')
  })
  expect(ask(store, 'SELECT family, path, files, digest FROM dir ORDER BY family, path')).toEqual([
    { family: 1, path: 'recipes', files: 9, digest: Buffer.from('other family') },
    { family: 2, path: '', files: 1, digest: null },
    { family: 2, path: 'cellar', files: 1, digest: null },
    { family: 2, path: 'recipes', files: 4, digest: Buffer.from('two') },
  ])
  writing(store, (writer) => writer.removeDir(DOCS, 'recipes'))
  expect(ask(store, 'SELECT path FROM dir WHERE family = 2')).toHaveLength(2)
})

test.each([true, false])('texts that SQLite stores alike are one key (first index: %s)', (first) => {
  const store = openMemoryStore()
  if (!first) bake(store, { 'recipes/rye.md': [] })
  bake(store, { 'recipes/odd.md': ['half a \ud83c', 'half a \ufffd', 'with \0 inside', 'with \0 outside'] })
  expect(keys(store).filter((text) => !text.startsWith('recipes/'))).toEqual([
    'half a \ufffd',
    'with \0 inside',
    'with \0 outside',
  ])
})

// Few names, so that files name each other, themselves, and what is not there.
const NAME = fc.constantFrom(...Array.from('abcdefg', (letter) => `recipes/${letter}.md`))
const FACTS: fc.Arbitrary<Facts> = fc.record({
  nodes: fc.array(
    fc.record({
      id: NAME,
      kind: fc.constantFrom(KIND.document, KIND.annotation),
      own: fc.boolean(),
      title: fc.option(fc.constantFrom('Rye', 'Oat')),
      status: fc.option(fc.constant('draft')),
      line: fc.option(fc.nat(9)),
    }),
    { maxLength: 3 },
  ),
  edges: fc.array(
    fc.record({
      up: NAME,
      down: NAME,
      type: fc.constantFrom(EDGE.links, EDGE.reads, EDGE.containsDirectory),
      line: fc.option(fc.nat(9)),
      note: fc.option(fc.constant('see')),
    }),
    { maxLength: 4 },
  ),
  problems: fc.array(fc.nat(9).map(burnt), { maxLength: 2 }),
})
const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.record({ key: NAME, facts: FACTS, family: fc.constantFrom(1, 2, 3) }) },
  { weight: 1, arbitrary: fc.record({ key: NAME, facts: fc.constant(null), family: fc.constant(0) }) },
)
const ENOUGH = { numRuns: effort(150, 3000) }

test('any sequence of replacing and removing equals writing the outcome afresh', () => {
  fc.assert(
    fc.property(fc.array(fc.array(STEP, { maxLength: 5 }), { maxLength: 8 }), (runs) => {
      const store = openMemoryStore()
      const outcome = new Map<string, { record: FileRecord; facts: Facts }>()
      for (const run of runs) {
        writing(store, (writer) => {
          for (const { key, facts, family } of run) {
            if (facts === null) {
              outcome.delete(key)
              writer.removeFile(key)
            } else {
              const record = { ...recipe(key, []).record, family }
              outcome.set(key, { record, facts })
              writer.replaceFile(record, facts)
            }
          }
        })
      }
      const fresh = openMemoryStore()
      writing(fresh, (writer) => {
        for (const { record, facts } of outcome.values()) writer.replaceFile(record, facts)
      })
      expect(logicalDump(store)).toEqual(logicalDump(fresh))
      const orphans = ask(
        store,
        `SELECT text FROM key WHERE id NOT IN (SELECT id FROM file UNION SELECT key FROM node
           UNION SELECT up FROM edge UNION SELECT down FROM edge)`,
      )
      expect(orphans).toEqual([])
      store.close()
      fresh.close()
    }),
    ENOUGH,
  )
})
