// What the public views mean: which file stands for a node, which sighting for an edge, and what dangles.

import { expect, test } from 'vitest'
import type { EdgeFact, NodeFact } from '../../src/model/facts.ts'
import { EDGE, KIND } from '../../src/model/vocabulary.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { Writer } from '../../src/store/writer.ts'
import { ask } from './bakery.ts'
import { burnt, linkTo, recipe } from './fill.ts'

interface Page {
  readonly nodes?: readonly NodeFact[]
  readonly edges?: readonly EdgeFact[]
}

/** Files in the order given, which is not the order of their paths: row ids must not decide anything. */
function shelf(pages: Readonly<Record<string, Page>>): Store {
  const store = openMemoryStore()
  store.write(() => {
    const writer = new Writer(store)
    for (const [key, { nodes = [], edges = [] }] of Object.entries(pages)) {
      writer.replaceFile(recipe(key, []).record, { nodes, edges, problems: [] })
    }
    writer.finish()
  })
  return store
}

function named(id: string, title: string | null = null, own = false): NodeFact {
  return { id, kind: own ? KIND.command : KIND.annotation, own, title, status: null, line: null }
}

test('graph_node: own before named, then the first path, then the first place', () => {
  const store = shelf({
    'z.md': { nodes: [named('cmd:bake', 'only named in z'), named('FORGE:CRUST', 'z')] },
    'm.md': {
      nodes: [named('cmd:bake', 'named first'), named('cmd:bake', 'is it in m', true), named('FORGE:CRUST', 'm')],
    },
    'b.md': { nodes: [named('cmd:bake', 'is it in b', true), named('cmd:bake', 'is it in b again', true)] },
    'a.md': { nodes: [named('cmd:bake', 'only named in a')] },
  })
  expect(ask(store, 'SELECT id, kind, title, file, family FROM graph_node ORDER BY id')).toEqual([
    { id: 'FORGE:CRUST', kind: 'annotation', title: 'm', file: null, family: 'spec' },
    { id: 'cmd:bake', kind: 'command', title: 'is it in b', file: 'b.md', family: 'spec' },
  ])
  expect(ask(store, "SELECT title FROM graph_node WHERE id = 'cmd:bake'")).toEqual([{ title: 'is it in b' }])
  expect(ask(store, "SELECT id FROM graph_node WHERE file = 'b.md'")).toEqual([{ id: 'cmd:bake' }])
  expect(ask(store, "SELECT id FROM graph_node WHERE file = 'm.md'")).toEqual([])
})

const ENDS = { nodes: [named('cmd:bake', null, true), named('FORGE:CRUST'), named('cmd:sub', null, true)] }

function edge(type: number, line: number, up = 'FORGE:CRUST', down = 'cmd:bake'): EdgeFact {
  return linkTo(up, down, line, type)
}

test('graph_edge: one row per edge, at its first sighting by path and place', () => {
  const store = shelf({
    'z.md': { ...ENDS, edges: [edge(EDGE.reads, 1)] },
    'a.md': { edges: [edge(EDGE.writes, 2), edge(EDGE.reads, 9), edge(EDGE.reads, 3)] },
  })
  expect(ask(store, 'SELECT source, type, target, derived, file, line, rule FROM graph_edge ORDER BY type')).toEqual([
    {
      source: 'cmd:bake',
      type: 'READS',
      target: 'FORGE:CRUST',
      derived: 0,
      file: 'a.md',
      line: 9,
      rule: 'call-or-reread',
    },
    { source: 'cmd:bake', type: 'WRITES', target: 'FORGE:CRUST', derived: 0, file: 'a.md', line: 2, rule: 'post' },
  ])
})

test('graph_edge: rules of one name are one edge, and a lower rank is shown before an earlier path', () => {
  const store = shelf({
    'z.md': { ...ENDS, edges: [edge(EDGE.containsCall, 7, 'cmd:sub', 'cmd:bake')] },
    'a.md': {
      edges: [edge(EDGE.containsDirectory, 1, 'cmd:sub', 'cmd:bake'), edge(EDGE.readsPlain, 5), edge(EDGE.reads, 6)],
    },
  })
  expect(ask(store, 'SELECT type, file, line, rule FROM graph_edge ORDER BY type')).toEqual([
    { type: 'CONTAINS', file: 'z.md', line: 7, rule: 'skill-call' },
    { type: 'READS', file: 'a.md', line: 5, rule: 'plain-read' },
  ])
})

test('graph_edge: types of other modes are not listed, and an edge needs both its ends', () => {
  const store = shelf({
    'a.md': {
      nodes: [named('cmd:bake', null, true), named('FORGE:CRUST')],
      edges: [edge(EDGE.readsVerbatim, 1), edge(EDGE.removes, 2), edge(EDGE.writes, 3, 'FORGE:NOWHERE')],
    },
  })
  expect(ask(store, 'SELECT * FROM graph_edge')).toEqual([])
  expect(ask(store, 'SELECT file, line, type, rule, target FROM dangling')).toEqual([
    { file: 'a.md', line: 3, type: 'WRITES', rule: 'post', target: 'FORGE:NOWHERE' },
  ])
})

test('graph_edge: inverses are derived, and found by source and target', () => {
  const store = openMemoryStore()
  store.write(() => {
    const writer = new Writer(store)
    for (const [key, links] of [
      ['b.md', ['a.md']],
      ['a.md', []],
    ] as const) {
      const { record, facts } = recipe(key, links)
      writer.replaceFile(record, facts)
    }
    writer.finish()
  })
  const both = [
    { source: 'a.md', type: 'LINKED_BY', target: 'b.md', derived: 1, file: 'b.md' },
    { source: 'b.md', type: 'LINKS', target: 'a.md', derived: 0, file: 'b.md' },
  ]
  const columns = 'SELECT source, type, target, derived, file FROM graph_edge'
  expect(ask(store, `${columns} ORDER BY source`)).toEqual(both)
  expect(ask(store, `${columns} WHERE source = 'a.md'`)).toEqual([both[0]])
  expect(ask(store, `${columns} WHERE target = 'a.md'`)).toEqual([both[1]])
})

test('graph_edge: where the author is what others depend on, source and target change sides', () => {
  const store = shelf({ 'a.md': { ...ENDS, edges: [edge(EDGE.writes, 1)] } })
  store.write(() =>
    store.db.exec("UPDATE edge_type SET author_is_up = 1, inverse = 'WRITTEN_BY' WHERE name = 'WRITES'"),
  )
  expect(ask(store, 'SELECT source, type, target, derived FROM graph_edge ORDER BY derived')).toEqual([
    { source: 'FORGE:CRUST', type: 'WRITES', target: 'cmd:bake', derived: 0 },
    { source: 'cmd:bake', type: 'WRITTEN_BY', target: 'FORGE:CRUST', derived: 1 },
  ])
})

test('finding: problems of the texts, and links that lead nowhere', () => {
  const store = openMemoryStore()
  store.write(() => {
    const writer = new Writer(store)
    const { record, facts } = recipe('rye.md', ['gone.md'])
    const call = edge(EDGE.containsCall, 4, 'cmd:gone', 'rye.md')
    const example = edge(EDGE.containsCall, 5, 'cmd:X', 'rye.md')
    writer.replaceFile(record, { ...facts, edges: [...facts.edges, call, example], problems: [burnt(2)] })
    writer.finish()
  })
  expect(ask(store, "SELECT code, severity, line, detail FROM finding WHERE file = 'rye.md' ORDER BY code")).toEqual([
    { code: 'burnt-crust', severity: 'warning', line: 2, detail: 'too dark' },
    { code: 'dangling-link', severity: 'warning', line: 1, detail: 'gone.md' },
    { code: 'dangling-ref', severity: 'error', line: 4, detail: 'cmd:gone' },
  ])
})
