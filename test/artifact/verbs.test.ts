// Verbs on shelves filled by hand: looking up, orphans, cycles in a scope, next ids, findings, and what --module cuts.

import { describe, expect, test } from 'vitest'
import { cyclesView } from '../../src/artifact/cycles-of.ts'
import { findings } from '../../src/artifact/findings.ts'
import { type ArtifactGraph, loadGraph } from '../../src/artifact/graph.ts'
import { lookUp } from '../../src/artifact/lookup.ts'
import { chosenModule } from '../../src/artifact/modules.ts'
import { nextId } from '../../src/artifact/numbers.ts'
import { orphansView } from '../../src/artifact/orphans.ts'
import { scopeTest } from '../../src/artifact/scope.ts'
import { traverse } from '../../src/artifact/traverse.ts'
import { validationView } from '../../src/artifact/validate.ts'
import type { Layout } from '../../src/model/layout.ts'
import type { Store } from '../../src/store/open.ts'
import { HARBOUR, LENIENT, type Page, STRICT, shelve } from './shelf.ts'

function graphOf(pages: Readonly<Record<string, Page>>, layout: Layout = STRICT): ArtifactGraph & { store: Store } {
  const store = shelve(pages)
  return { ...loadGraph(store, layout), store }
}

const BAKERY: Readonly<Record<string, Page>> = {
  'docs/adrs/ADR-0002-sourdough.md': {
    id: 'ADR-0002',
    title: 'ADR-0002: Sourdough only',
    aliases: ['sourdough', 'bread'],
  },
  'docs/adrs/ADR-0011-rye.md': { id: 'ADR-0011', title: 'ADR-0011: Rye on Fridays', aliases: ['rye', 'bread'] },
  'docs/adrs/ADR-0012-oven.md': { id: 'ADR-0012', title: 'ADR-0012: One oven', edges: [['extends', 'ADR-0011']] },
  'docs/openspec/specs/dough/spec.md': {
    id: 'SPEC-0005',
    title: 'SPEC-0005: Dough',
    edges: [['implements', 'ADR-0002']],
  },
  'src/knead.ts': { id: 'src/knead.ts', edges: [['codeImplements', 'SPEC-0005']] },
}

describe('lookUp', () => {
  const graph = graphOf(BAKERY, LENIENT)
  const found = (typed: string): unknown => {
    const { node, error } = lookUp(graph, 'impact', typed, null)
    return node?.id ?? [error?.code, ...(error?.suggestions ?? [])]
  }

  test.each([
    ['ADR-0011', 'ADR-0011'],
    ['rye', 'ADR-0011'],
    ['src/knead.ts', 'src/knead.ts'],
    ['./src//knead.ts', 'src/knead.ts'],
    ['docs/adrs/ADR-0012-oven.md', 'ADR-0012'],
    ['./docs/openspec/specs/dough/spec.md', 'SPEC-0005'],
    ['bread', ['ambiguous-artifact', 'ADR-0002', 'ADR-0011']],
    ['adr-12', 'ADR-0012'],
    ['ADR-0010', ['unknown-artifact', 'ADR-0011', 'ADR-0012', 'ADR-0002']],
    ['adr-001', ['unknown-artifact', 'ADR-0011', 'ADR-0012', 'ADR-0002']],
    ['FRIDAY', ['unknown-artifact', 'ADR-0011']],
    ['knead', ['unknown-artifact', 'src/knead.ts']],
    ['SPEC-0006', ['unknown-artifact', 'SPEC-0005']],
    ['SPEK-0005', ['unknown-artifact', 'SPEC-0005', 'ADR-0002', 'ADR-0011']],
    ['croissant', ['unknown-artifact', 'ADR-0002', 'ADR-0011', 'ADR-0012']],
    ['', ['unknown-artifact', 'ADR-0002', 'ADR-0011', 'ADR-0012']],
    ['../x', ['unknown-artifact', 'src/knead.ts']],
    ['__proto__', ['unknown-artifact', 'ADR-0002', 'ADR-0011', 'ADR-0012']],
  ])('%s', (typed, expected) => {
    expect(found(typed)).toEqual(expected)
  })

  test('the error repeats what was typed', () => {
    expect(lookUp(graph, 'chain', 'SPEC-0006', null).error).toEqual({
      verb: 'chain',
      id: 'SPEC-0006',
      code: 'unknown-artifact',
      message: 'unknown artifact SPEC-0006',
      suggestions: ['SPEC-0005'],
      diagnostics: [],
    })
  })
})

const QUAYS: Readonly<Record<string, Page>> = {
  'docs/adrs/ADR-0001-quays.md': { id: 'ADR-0001' },
  'quays/north/docs/adrs/ADR-0001-bollards.md': { id: '[north]/ADR-0001', edges: [['extends', 'ADR-0001']] },
  'quays/north/docs/openspec/specs/a/spec.md': { id: '[north]/SPEC-0001', edges: [['implements', '[south]/ADR-0001']] },
  'quays/south/docs/adrs/0001-cranes.md': {
    id: '[south]/ADR-0001',
    aliases: ['[south]/cranes'],
    edges: [['extends', '[north]/ADR-0001']],
  },
  'quays/north/src/moor.ts': { id: '[north]/src/moor.ts', edges: [['codeGovernedBy', '[north]/ADR-0001']] },
  'quays/north/src/bare.ts': { id: null },
  'tools/bare.ts': { id: null },
  'tools/empty.ts': { id: null, size: 0 },
  'tools/odd.sql': {
    id: null,
    problems: [{ code: 'governing-unrecognized', severity: 1, line: 1, detail: 'unaccepted-opener' }],
  },
}

describe('--module', () => {
  const graph = graphOf(QUAYS, HARBOUR)

  test('names: ignored without modules, refused where no module has it', () => {
    expect(chosenModule(STRICT, 'anything')).toBe(null)
    expect(chosenModule(HARBOUR, null)).toBe(null)
    expect(chosenModule(HARBOUR, 'north')).toBe('north')
    expect(() => chosenModule(HARBOUR, 'west')).toThrow(
      expect.objectContaining({ code: 'usage', hint: 'modules: north, south' }),
    )
  })

  test('ids are typed without the prefix, with it, or as a path', () => {
    const found = (typed: string, module: string | null): string | undefined =>
      lookUp(graph, 'impact', typed, module).node?.id
    expect(found('ADR-0001', null)).toBe('ADR-0001')
    expect(found('ADR-0001', 'north')).toBe('[north]/ADR-0001')
    expect(found('[north]/ADR-0001', 'north')).toBe('[north]/ADR-0001')
    expect(found('[south]/ADR-0001', 'north')).toBe(undefined)
    expect(found('cranes', 'south')).toBe('[south]/ADR-0001')
    expect(found('src/moor.ts', 'north')).toBe('[north]/src/moor.ts')
    expect(found('quays/north/src/moor.ts', null)).toBe('[north]/src/moor.ts')
    expect(lookUp(graph, 'impact', 'SPEC-0009', 'north').error?.suggestions).toEqual(['SPEC-0001'])
    expect(lookUp(graph, 'impact', '[south]/SPEC-0001', 'north').error?.suggestions[0]).toBe('SPEC-0001')
    expect(lookUp(graph, 'impact', '[north] spec-1', null).error?.suggestions[0]).toBe('[north]/SPEC-0001')
    expect(lookUp(graph, 'impact', 'ADR-0004', null).error?.suggestions).toEqual([
      'ADR-0001',
      '[north]/ADR-0001',
      '[south]/ADR-0001',
    ])
  })

  test('the whole is walked, the answer is cut: the spec was reached by way of the other quay', () => {
    const { node } = lookUp(graph, 'impact', 'ADR-0001', 'north')
    const view = node && traverse(graph.store, graph, 'impact', node, 'north')
    expect(view?.queried.id).toBe('ADR-0001')
    expect(view?.results.map((result) => [result.node.id, result.edges.length])).toEqual([
      ['SPEC-0001', 0],
      ['src/moor.ts', 1],
    ])
    expect(view?.dependencies).toEqual([
      {
        down: 'src/moor.ts',
        up: 'ADR-0001',
        fromDown: { type: 'governed-by', derived: false },
        fromUp: { type: 'governs', derived: true },
        requirements: [],
      },
    ])
  })

  test('orphans of one module, and of all', () => {
    const north = orphansView(graph.store, graph, null, 'north')
    expect(north).toMatchObject({ filesWithoutGoverning: ['src/bare.ts'], filesUnrecognized: [], scopeModule: 'north' })
    expect(north.specsWithoutCode.map(({ id }) => id)).toEqual(['SPEC-0001'])
    expect(north.adrsWithoutSpec.map(({ id }) => id)).toEqual(['ADR-0001'])
    const all = orphansView(graph.store, graph, null, null)
    expect(all.filesWithoutGoverning).toEqual(['[north]/src/bare.ts', 'tools/bare.ts'])
    expect(all.filesUnrecognized).toEqual([{ file: 'tools/odd.sql', reason: 'unaccepted-opener' }])
    expect(all.adrsWithoutSpec.map(({ id }) => id)).toEqual(['ADR-0001', '[north]/ADR-0001'])
  })

  test('a scope is a path from the root, or from the module', () => {
    const listed = (scope: string, module: string | null): readonly string[] =>
      orphansView(graph.store, graph, scope, module).filesWithoutGoverning
    expect(listed('quays/north/src', null)).toEqual(['[north]/src/bare.ts'])
    expect(listed('quays/north/src', 'north')).toEqual(['src/bare.ts'])
    expect(listed('src', 'north')).toEqual(['src/bare.ts'])
    expect(listed('src', null)).toEqual([])
    expect(listed('tool', null)).toEqual([])
  })

  test('next ids', () => {
    expect(nextId(graph, 'adr', null)).toBe('ADR-0002')
    expect(nextId(graph, 'spec', 'north')).toBe('SPEC-0002')
    expect(nextId(graph, 'spec', 'south')).toBe('SPEC-0001')
  })
})

test.each([
  ['.', 'a/b.ts', true],
  ['./a/', 'a/b.ts', true],
  ['a//x/../b.ts', 'a/b.ts', true],
  ['a/b', 'a/b.ts', false],
  ['', 'a/b.ts', true],
  ['..', 'a/b.ts', false],
  ['/a', 'a/b.ts', false],
  ['../a', 'a/b.ts', false],
  ['.hid', 'hid/x.ts', false],
])('scope %s takes %s: %s', (scope, path, expected) => {
  expect(scopeTest(scope)(path)).toBe(expected)
})

test('next ids: further files of a number count, folders have three digits, names have none', () => {
  const ids = (...all: string[]): ArtifactGraph =>
    graphOf(Object.fromEntries(all.map((id, i) => [`${i}.md`, { id, aliases: [`${id}-slug${i}`] }])), LENIENT)
  expect(nextId(ids('ADR-0007', 'ADR-0009', 'ADR-0009'), 'adr', null)).toBe('ADR-0010')
  expect(nextId(ids('ADR-9999'), 'adr', null)).toBe('ADR-10000')
  expect(nextId(ids('SPEC:002-merkle', 'SPEC:010-trees'), 'spec', null)).toBe('011-')
  expect(nextId(ids('SPEC:checkout'), 'spec', null)).toBe(null)
  expect(nextId(ids('ADR:20240101-use-yeast'), 'adr', null)).toBe(null)
  expect(nextId(ids('SPEC:checkout'), 'adr', null)).toBe('ADR-0001')
})

test('cycles: those with a file in the scope, told in full', () => {
  const graph = graphOf({
    'docs/adrs/ADR-0001-a.md': { id: 'ADR-0001', edges: [['extends', 'ADR-0002']] },
    'docs/adrs/ADR-0002-b.md': { id: 'ADR-0002', edges: [['extends', 'ADR-0001']] },
    'docs/openspec/specs/a/spec.md': { id: 'SPEC-0001', edges: [['requiresSpec', 'SPEC-0001']] },
  })
  const paths = (scope: string | null): unknown =>
    cyclesView(graph, scope, null).cycles.map(({ path }) => path.join(' '))
  expect(paths(null)).toEqual(['ADR-0001 ADR-0002 ADR-0001', 'SPEC-0001 SPEC-0001'])
  expect(paths('docs/openspec')).toEqual(['SPEC-0001 SPEC-0001'])
  expect(paths('docs/adrs/ADR-0002-b.md')).toEqual(['ADR-0001 ADR-0002 ADR-0001'])
  expect(paths('src')).toEqual([])
})

test('cycles of a module: whole ids where they leave it', () => {
  const graph = graphOf(
    {
      'docs/adrs/ADR-0001-quays.md': { id: 'ADR-0001', edges: [['extends', '[north]/ADR-0001']] },
      'quays/north/a.md': { id: '[north]/ADR-0001', edges: [['extends', 'ADR-0001']] },
      'quays/north/b.md': { id: '[north]/ADR-0002', edges: [['extends', '[north]/ADR-0002']] },
    },
    HARBOUR,
  )
  const paths = (module: string | null): unknown => cyclesView(graph, null, module).cycles.map(({ message }) => message)
  const across = 'cycle detected (extends): ADR-0001 -> [north]/ADR-0001 -> ADR-0001'
  expect(paths(null)).toEqual([across, 'cycle detected (extends): [north]/ADR-0002 -> [north]/ADR-0002'])
  expect(paths('north')).toEqual([across, 'cycle detected (extends): ADR-0002 -> ADR-0002'])
  expect(paths('south')).toEqual([])
  const told = validationView(graph, 'north').diagnostics.map(({ message }) => message)
  expect(told).toEqual(['cycle detected (extends): ADR-0002 -> ADR-0002'])
  expect(validationView(graph, null).diagnostics).toHaveLength(2)
})

test('diagnostics of a module: whole ids where they are about another one', () => {
  const graph = graphOf(
    {
      'docs/adrs/ADR-0001-quays.md': { id: 'ADR-0001', status: 'accepted' },
      'quays/north/a.md': {
        id: '[north]/ADR-0001',
        edges: [
          ['supersedes', 'ADR-0001'],
          ['supersedes', '[north]/ADR-0002'],
        ],
      },
      'quays/north/b.md': { id: '[north]/ADR-0002', status: 'draft' },
    },
    HARBOUR,
  )
  expect(validationView(graph, 'north').diagnostics.map(({ message, target_id }) => [target_id, message])).toEqual([
    ['ADR-0001', '[north]/ADR-0001 supersedes ADR-0001 but its status is accepted'],
    ['ADR-0002', 'ADR-0001 supersedes ADR-0002 but its status is draft'],
  ])
})

describe('the sentence in place of a list of files', () => {
  const page = (id: string | null): Page => ({ id })

  test('lenient and nobody writes comments', () => {
    const pages = { 'adr/1.md': page('ADR-0001'), 'src/a.ts': page(null), 'src/b.ts': page(null) }
    const graph = graphOf(pages, LENIENT)
    expect(orphansView(graph.store, graph, null, null).sentence).toContain('None of the 2 source files')
    const strict = graphOf(pages)
    expect(orphansView(strict.store, strict, null, null).sentence).toBe(null)
  })

  test('one comment is enough for the list', () => {
    const graph = graphOf(
      { 'adr/1.md': page('ADR-0001'), 'src/a.ts': page('src/a.ts'), 'src/b.ts': page(null) },
      LENIENT,
    )
    expect(orphansView(graph.store, graph, null, null).sentence).toBe(null)
  })
})

test('findings: of every convention, and among the diagnostics of the lenient ones alone', () => {
  const pages: Readonly<Record<string, Page>> = {
    'adr/0001-flour.md': { id: 'ADR-0001', status: 'superseded' },
    'adr/0002-spelt.md': { id: 'ADR-0002', edges: [['supersedes', 'ADR-0001']] },
    'adr/0003-bread.md': {
      id: 'ADR-0003',
      edges: [
        ['extends', 'ADR-0001'],
        ['related', 'ADR-0001'],
      ],
    },
    'adr/0004-cake.md': { id: 'ADR-0004', status: 'superseded', edges: [['extends', 'ADR-0001']] },
    'specs/002-mill/spec.md': { id: 'SPEC:002-mill' },
    'specs/002-oven/spec.md': {
      id: 'SPEC:002-oven',
      problems: [{ code: 'heading-mismatch', severity: 1, line: 1, detail: 'heading says 3' }],
    },
    'src/dough.ts': {
      id: 'src/dough.ts',
      edges: [
        ['codeGovernedBy', 'ADR-0001'],
        ['codeGovernedBy', 'ADR-0004'],
      ],
    },
  }
  const strict = graphOf(pages)
  const told = findings(strict).map(({ severity, code, message, file }) => `${severity} ${code} ${file} ${message}`)
  expect(told).toEqual([
    'warning cites-superseded adr/0003-bread.md ADR-0003 extends ADR-0001, which was superseded by ADR-0002',
    'warning cites-superseded src/dough.ts src/dough.ts governed-by ADR-0001, which was superseded by ADR-0002',
    'warning cites-superseded src/dough.ts src/dough.ts governed-by ADR-0004, which is superseded',
    'warning dangling-supersession adr/0004-cake.md ADR-0004 is superseded, but nothing says that it supersedes it',
    'warning duplicate-number specs/002-oven/spec.md 2 artifacts have number 2: specs/002-mill/spec.md, specs/002-oven/spec.md',
    'warning heading-mismatch specs/002-oven/spec.md heading says 3',
  ])
  expect(validationView(strict, null).diagnostics).toEqual([])
  expect(validationView(graphOf(pages, LENIENT), null).diagnostics).toHaveLength(6)
})

test('findings: who cites is who wrote it, and what is superseded in part is in force', () => {
  const graph = graphOf(
    {
      'adr/0001-flour.md': { id: 'ADR-0001', status: 'accepted' },
      'adr/0002-spelt.md': { id: 'ADR-0002', edges: [['supersedes', 'ADR-0001', { text: 'weekends only' }]] },
      'adr/0003-bread.md': {
        id: 'ADR-0003',
        edges: [
          ['extends', 'ADR-0001'],
          ['enables', 'ADR-0004', { reverse: true }],
        ],
      },
      'adr/0004-mill.md': { id: 'ADR-0004', status: 'superseded' },
      'adr/0005-stone.md': { id: 'ADR-0005', edges: [['supersedes', 'ADR-0004']] },
    },
    LENIENT,
  )
  expect(findings(graph).map(({ message, file }) => [file, message])).toEqual([
    ['adr/0003-bread.md', 'ADR-0003 enabled-by ADR-0004, which was superseded by ADR-0005'],
  ])
  expect(graph.diagnostics).toEqual([])
})

test('findings: what a diagnostic tells already is not told twice', () => {
  const graph = graphOf(
    {
      'adr/0001-flour.md': {
        id: 'ADR-0001',
        aliases: ['ADR-0001-flour'],
        status: 'superseded',
        edges: [['supersedes', 'ADR-0099', { reverse: true }]],
      },
      'adr/0001-salt.md': { id: 'ADR-0001', aliases: ['ADR-0001-salt'] },
    },
    LENIENT,
  )
  expect(findings(graph).map(({ code }) => code)).toEqual(['dangling-supersession', 'duplicate-number'])
  expect(validationView(graph, null).diagnostics.map(({ code }) => code)).toEqual([
    'duplicate-id',
    'unresolved-reference',
  ])
})

test('requirements of a comment stand on both directions of its edge', () => {
  const graph = graphOf({
    'a.md': { id: 'SPEC-0001' },
    'src/a.ts': { id: 'src/a.ts', edges: [['codeImplements', 'SPEC-0001', { requirements: ['Proofing'] }]] },
  })
  const { node } = lookUp(graph, 'ancestors', 'src/a.ts', null)
  const view = node && traverse(graph.store, graph, 'ancestors', node, null)
  expect(view?.results[0]?.edges).toEqual([
    { source: 'SPEC-0001', type: 'implemented-by', target: 'src/a.ts', derived: true, requirements: ['Proofing'] },
    { source: 'src/a.ts', type: 'implements', target: 'SPEC-0001', derived: false, requirements: ['Proofing'] },
  ])
})
