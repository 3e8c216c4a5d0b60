// The queries of the store, each against a plain computation of the same thing.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SEVERITY } from '../../src/model/facts.ts'
import { compareCodePoints } from '../../src/model/order.ts'
import { dirOfKey } from '../../src/model/source-key.ts'
import { EDGE, KIND } from '../../src/model/vocabulary.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { allFiles } from '../../src/store/queries/all-files.ts'
import { countFacts } from '../../src/store/queries/counts.ts'
import { dirRows } from '../../src/store/queries/dirs.ts'
import { fileRows, rowsBelow } from '../../src/store/queries/files-in-dir.ts'
import { problems } from '../../src/store/queries/problems.ts'
import { forward, impact } from '../../src/store/queries/reach.ts'
import { Writer } from '../../src/store/writer.ts'
import { effort } from '../support/effort.ts'
import { bake, burnt, DOCS, linkTo, recipe } from './fill.ts'

const SPEC = 1

function writing(store: Store, work: (writer: Writer) => void): void {
  store.write(() => {
    const writer = new Writer(store)
    work(writer)
    writer.finish()
  })
}

function withFiles(files: Readonly<Record<string, number>>): Store {
  const store = openMemoryStore()
  writing(store, (writer) => {
    for (const [key, family] of Object.entries(files)) {
      const { record, facts } = recipe(key, [])
      writer.replaceFile({ ...record, family }, facts)
    }
  })
  return store
}

test('dirs: by family, with and without a digest', () => {
  const store = openMemoryStore()
  writing(store, (writer) => {
    writer.setDir(DOCS, '', 2, null)
    writer.setDir(DOCS, 'recipes', 3, Buffer.from('d'))
    writer.setDir(SPEC, 'commands', 1, Buffer.from('s'))
  })
  expect([...dirRows(store, DOCS)]).toEqual([
    ['', { files: 2, digest: null }],
    ['recipes', { files: 3, digest: Buffer.from('d') }],
  ])
})

test('fileRows and allFiles: rows of what is there', () => {
  const store = withFiles({ 'recipes/rye.md': DOCS, 'commands/bake.md': SPEC, 'commands/a.md': SPEC | DOCS })
  const row = { size: 100, stat: null, oid: Buffer.alloc(20, 7), state: 0 }
  expect([...fileRows(store, ['recipes/rye.md', 'recipes/gone.md', 'commands/a.md'])]).toEqual([
    ['recipes/rye.md', { key: 'recipes/rye.md', family: 2, ...row }],
    ['commands/a.md', { key: 'commands/a.md', family: 3, ...row }],
  ])
  expect(allFiles(store, SPEC).map(({ key }) => key)).toEqual(['commands/a.md', 'commands/bake.md'])
  expect(allFiles(store, SPEC | DOCS)).toHaveLength(3)
})

test('rowsBelow: directly in the folder, whatever lies in its subfolders and beside it', () => {
  const deep = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`recipes/deep/${i}.md`, DOCS]))
  const flat = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`cellar/${i}.md`, DOCS]))
  const store = withFiles({
    ...deep,
    ...flat,
    'top.md': DOCS,
    'recipes/rye.md': DOCS,
    'recipes/rye.md.bak/x.md': DOCS,
    'recipes/zucchini.md': DOCS,
    'recipes/script.sh': SPEC,
    'recipes.md': DOCS,
    recipes0: DOCS,
    'recipes/deep.md': DOCS,
    // A name that is not UTF-8 carries its bytes behind `//`, and a folder may really be called the same.
    'recipes/caf\ufffd.md//72': DOCS,
    'recipes/caf\ufffd.md/.hidden.md': DOCS,
    'recipes/caf\ufffd.md/in.md': DOCS,
  })
  writing(store, (writer) => {
    const { record, facts } = recipe('links.md', ['recipes/not-a-file.md', 'recipes/deep/not-one.md'])
    writer.replaceFile(record, facts)
  })
  expect(rowsBelow(store, 'recipes', DOCS).map(({ key }) => key)).toEqual([
    'recipes/caf\ufffd.md//72',
    'recipes/deep.md',
    'recipes/rye.md',
    'recipes/zucchini.md',
  ])
  expect(rowsBelow(store, 'recipes/caf\ufffd.md', DOCS)).toHaveLength(2)
  expect(rowsBelow(store, '', DOCS).map(({ key }) => key)).toEqual(['links.md', 'recipes.md', 'recipes0', 'top.md'])
  expect(rowsBelow(store, 'cellar', DOCS)).toHaveLength(700)
  expect(rowsBelow(store, 'cellar', SPEC)).toEqual([])
  expect(rowsBelow(store, 'nowhere', DOCS)).toEqual([])
})

const PART = fc.constantFrom('a', 'b', 'a0', 'a-', '.a', 'ä', '\ufffd', '😀', 'a b')
const KEY = fc
  .tuple(fc.array(PART, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([parts, mangled]) => parts.join('/') + (mangled && parts.includes('\ufffd') ? '//ff' : ''))

test('rowsBelow equals filtering all rows by the folder of their key', () => {
  fc.assert(
    fc.property(fc.uniqueArray(KEY, { maxLength: 30 }), fc.array(PART, { maxLength: 2 }), (keys, parts) => {
      const store = withFiles(Object.fromEntries(keys.map((key) => [key, DOCS])))
      const dir = parts.join('/')
      const expected = keys.filter((key) => dirOfKey(key) === dir).sort(compareCodePoints)
      expect(rowsBelow(store, dir, DOCS).map(({ key }) => key)).toEqual(expected)
      store.close()
    }),
    { numRuns: effort(200, 3000) },
  )
})

test('problems: by family and severity, in the order of files and places', () => {
  const store = openMemoryStore()
  writing(store, (writer) => {
    for (const [key, family] of [
      ['z.md', DOCS],
      ['a.md', DOCS],
      ['commands/c.md', SPEC],
    ] as const) {
      const { record, facts } = recipe(key, [])
      const info = { ...burnt(1), severity: SEVERITY.info }
      writer.replaceFile({ ...record, family }, { ...facts, problems: [burnt(5), info] })
    }
  })
  expect(problems(store, DOCS).map(({ file, line }) => [file, line])).toEqual([
    ['a.md', 5],
    ['a.md', 1],
    ['z.md', 5],
    ['z.md', 1],
  ])
  expect(problems(store, SPEC | DOCS, SEVERITY.warning)).toHaveLength(3)
})

test('counts: by family, kind, type and code', () => {
  const store = openMemoryStore()
  expect(countFacts(store)).toEqual({
    files: { spec: 0, docs: 0, artifact: 0, code: 0 },
    nodes: {},
    edges: {},
    problems: {},
  })
  bake(store, { 'recipes/rye.md': ['recipes/oat.md', 'recipes/salt.md'], 'recipes/oat.md': [] })
  writing(store, (writer) => {
    const { record } = recipe('commands/bake.md', [])
    const edges = [EDGE.reads, EDGE.readsPlain, EDGE.writes].map((type) => linkTo('FORGE:CRUST', 'cmd:bake', 1, type))
    writer.replaceFile({ ...record, family: SPEC | DOCS }, { nodes: [], edges, problems: [burnt(1), burnt(2)] })
  })
  expect(countFacts(store)).toEqual({
    files: { spec: 1, docs: 3, artifact: 0, code: 0 },
    nodes: { document: 2 },
    edges: { LINKS: 2, READS: 2, WRITES: 1 },
    problems: { 'burnt-crust': 2 },
  })
})

// Reach, against a walk in memory. An edge stands if its type needs nothing or both its ends are declared.
const IDS = Array.from('abcdefgh')
const ID = fc.constantFrom(...IDS)
const NEEDS = { nlo: EDGE.invokes, nhi: EDGE.readsPlain }
const GRAPH = fc.record({
  declared: fc.uniqueArray(ID),
  edges: fc.array(fc.record({ up: ID, down: ID, type: fc.integer({ min: 0, max: 9 }) }), { maxLength: 20 }),
  lo: fc.integer({ min: 0, max: 9 }),
  hi: fc.integer({ min: 0, max: 9 }),
})

test('reach equals a walk over the edges that stand, both ways', () => {
  fc.assert(
    fc.property(GRAPH, ID, ({ declared, edges, lo, hi }, start) => {
      const store = openMemoryStore()
      writing(store, (writer) => {
        const nodes = declared.map((id) => ({
          id,
          kind: KIND.command,
          own: false,
          title: null,
          status: null,
          line: null,
        }))
        const facts = edges.map(({ up, down, type }) => linkTo(up, down, 1, type))
        writer.replaceFile(recipe('graph.md', []).record, { nodes, edges: facts, problems: [] })
      })
      const needy = (type: number): boolean => type >= NEEDS.nlo && type <= NEEDS.nhi
      const standing = edges.filter(
        ({ up, down, type }) =>
          type >= lo && type <= hi && (!needy(type) || (declared.includes(up) && declared.includes(down))),
      )
      const walk = (near: 'up' | 'down', far: 'up' | 'down'): string[] => {
        const reached = new Set([start])
        for (const id of reached) for (const edge of standing) if (edge[near] === id) reached.add(edge[far])
        return [...reached].sort()
      }
      const types = { lo, hi, ...NEEDS }
      const known = declared.includes(start) || edges.some(({ up, down }) => up === start || down === start)
      expect(impact(store, types, start)).toEqual(walk('up', 'down').filter((id) => id !== start))
      expect(forward(store, types, start)).toEqual(known ? walk('down', 'up') : [])
      store.close()
    }),
    { numRuns: effort(400, 6000) },
  )
})

test('reach ends in cycles, and orders by code point', () => {
  const store = openMemoryStore()
  bake(store, { a: ['😀'], '😀': ['\uffff', 'a'], '\uffff': ['a'], b: ['a'] })
  const types = { lo: EDGE.links, hi: EDGE.links, nlo: EDGE.links, nhi: EDGE.links }
  expect(impact(store, types, 'a')).toEqual(['b', '\uffff', '😀'])
  expect(forward(store, types, 'a')).toEqual(['a', '\uffff', '😀'])
  expect(impact(store, types, 'unknown')).toEqual([])
})
