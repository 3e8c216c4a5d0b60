// Assembly and validation on shelves filled by hand: what the handed cases do not hold, above all the conventions that
// are not the seed's, and the places that diagnostics name.

import { expect, test } from 'vitest'
import { type ArtifactGraph, loadGraph } from '../../src/artifact/graph.ts'
import { traverse } from '../../src/artifact/traverse.ts'
import { cutDiagnostics, refusal, validationView } from '../../src/artifact/validate.ts'
import type { ProblemFact } from '../../src/model/facts.ts'
import type { Layout } from '../../src/model/layout.ts'
import type { Store } from '../../src/store/open.ts'
import { HARBOUR, LENIENT, type Page, STRICT, shelve } from './shelf.ts'

function graphOf(pages: Readonly<Record<string, Page>>, layout: Layout = STRICT): ArtifactGraph & { store: Store } {
  const store = shelve(pages)
  return { ...loadGraph(store, layout), store }
}

/** Severity, code, message and place of every diagnostic. */
function told({ diagnostics }: ArtifactGraph): string[] {
  return diagnostics.map((one) => `${one.severity} ${one.code} ${one.file}:${one.line ?? ''} ${one.message}`)
}

function relations({ relations: all }: ArtifactGraph): string[] {
  return all.map(({ source, type, target, file }) => `${source} ${type} ${target} (${file})`).sort()
}

test('a strict reference to nothing is an error at its line, worded by the prefix of what is missing', () => {
  const graph = graphOf({
    'docs/adrs/ADR-0003-tide.md': {
      id: 'ADR-0003',
      edges: [
        ['governs', 'SPEC-9999'],
        ['extends', 'ADR-9'],
        ['related', 'tide-table'],
        ['enables', '[north]/ADR-0001'],
      ],
    },
    'src/pier.ts': {
      id: 'src/pier.ts',
      edges: [
        ['codeGovernedBy', 'ADR-0003'],
        ['codeImplements', 'SPEC-0008'],
      ],
    },
  })
  expect(told(graph)).toEqual([
    'error unresolved-id docs/adrs/ADR-0003-tide.md:5 ADR-0003 enables unknown ADR [north]/ADR-0001',
    'error unresolved-id docs/adrs/ADR-0003-tide.md:3 ADR-0003 extends unknown ADR ADR-9',
    'error unresolved-id docs/adrs/ADR-0003-tide.md:2 ADR-0003 governs unknown spec SPEC-9999',
    'error unresolved-id docs/adrs/ADR-0003-tide.md:4 ADR-0003 related unknown artifact tide-table',
    'warning governing-unresolved src/pier.ts:3 src/pier.ts governing comment names unknown spec SPEC-0008',
  ])
  expect(relations(graph)).toEqual(['src/pier.ts governed-by ADR-0003 (src/pier.ts)'])
  expect(refusal(graph, 'impact', 'ADR-0003')).toMatchObject({
    verb: 'impact',
    id: 'ADR-0003',
    code: 'graph-has-errors',
    // The warnings too, behind the errors.
    diagnostics: graph.diagnostics,
  })
})

test('a folder that cannot be opened is told of, whichever family met it', () => {
  const closed = (code: string): ProblemFact => ({ code, severity: 1, line: null, detail: 'cannot be opened' })
  const graph = graphOf({
    'docs/openspec/specs': { id: null, kind: 'spec', problems: [closed('unreadable-folder')] },
    'src/hold': { id: null, problems: [closed('unreadable-folder'), closed('binary')] },
  })
  expect(told(graph)).toEqual([
    'warning unreadable-file docs/openspec/specs: docs/openspec/specs: cannot be opened',
    'warning unreadable-file src/hold: src/hold: cannot be opened',
  ])
})

test('without errors nothing is refused', () => {
  const graph = graphOf({ 'src/pier.ts': { id: 'src/pier.ts', edges: [['codeGovernedBy', 'ADR-0003']] } })
  expect(graph.diagnostics.map(({ severity }) => severity)).toEqual(['warning'])
  expect(refusal(graph, 'orphans', null)).toBe(null)
})

test('strict duplicates: the first path is the node, each further one is an error, and what it says is not heard', () => {
  const graph = graphOf({
    'docs/adrs/ADR-0001-c.md': { id: 'ADR-0001', title: 'third', edges: [['extends', 'ADR-0002']] },
    'docs/adrs/ADR-0001-a.md': { id: 'ADR-0001', title: 'first', edges: [] },
    'docs/adrs/ADR-0001-b.md': { id: 'ADR-0001', title: 'second', edges: [['extends', 'ADR-7777']] },
    'docs/adrs/ADR-0002-d.md': { id: 'ADR-0002' },
  })
  expect(graph.nodes.get('ADR-0001')?.title).toBe('first')
  expect(told(graph)).toEqual([
    'error duplicate-id docs/adrs/ADR-0001-b.md: ADR-0001 declared by multiple files: docs/adrs/ADR-0001-a.md, docs/adrs/ADR-0001-b.md',
    'error duplicate-id docs/adrs/ADR-0001-c.md: ADR-0001 declared by multiple files: docs/adrs/ADR-0001-a.md, docs/adrs/ADR-0001-c.md',
  ])
  expect(graph.relations).toEqual([])
  const node = graph.nodes.get('ADR-0002')
  expect(node && [...traverse(graph.store, graph, 'impact', node, null).downward]).toEqual([])
})

test('lenient duplicates: a warning that names both, the second goes by its slug and keeps its edges', () => {
  const graph = graphOf(
    {
      'docs/adr/0007-ropes.md': {
        id: 'ADR-0007',
        aliases: ['ADR-7', 'ADR-0007-ropes'],
        edges: [['extends', 'ADR-0001']],
      },
      'docs/adr/0007-sails.md': {
        id: 'ADR-0007',
        aliases: ['ADR-7', 'ADR-0007-sails'],
        edges: [['supersedes', 'ADR-0007']],
      },
      'docs/adr/0001-hulls.md': { id: 'ADR-0001', aliases: [], edges: [['related', 'ADR-0007-sails']] },
      'docs/adr/x/0001-hulls.md': { id: 'ADR-0001', aliases: [] },
    },
    LENIENT,
  )
  expect(told(graph)).toEqual([
    'warning duplicate-id docs/adr/x/0001-hulls.md: ADR-0001 is claimed by docs/adr/0001-hulls.md and docs/adr/x/0001-hulls.md; the second goes by docs/adr/x/0001-hulls.md',
    'warning duplicate-id docs/adr/0007-sails.md: ADR-0007 is claimed by docs/adr/0007-ropes.md and docs/adr/0007-sails.md; the second goes by ADR-0007-sails',
    'warning status-inconsistent docs/adr/0007-sails.md:2 ADR-0007-sails supersedes ADR-0007 but its status is unset',
  ])
  expect(relations(graph)).toEqual([
    'ADR-0001 related ADR-0007-sails (docs/adr/0001-hulls.md)',
    'ADR-0007 extends ADR-0001 (docs/adr/0007-ropes.md)',
    'ADR-0007-sails supersedes ADR-0007 (docs/adr/0007-sails.md)',
  ])
  const node = graph.nodes.get('ADR-0001')
  expect(node && [...traverse(graph.store, graph, 'impact', node, null).downward]).toEqual([
    'ADR-0007',
    'ADR-0007-sails',
  ])
})

test('lenient references: by another name; to nothing a warning; by a name of two an error with both', () => {
  const graph = graphOf(
    {
      'docs/adr/0001-nets.md': { id: 'ADR-0001', aliases: ['nets', 'gear'] },
      'docs/adr/0002-lines.md': { id: 'ADR-0002', aliases: ['lines', 'gear'] },
      'docs/adr/0003-boats.md': {
        id: 'ADR-0003',
        edges: [
          ['extends', 'nets'],
          ['requiresSpec', 'gear'],
          ['supersedes', 'ADR-0099'],
          ['supersedes', 'ADR-0098', { reverse: true }],
        ],
      },
      'src/boat.ts': {
        id: 'src/boat.ts',
        edges: [
          ['codeGovernedBy', 'lines'],
          ['codeGovernedBy', 'gear'],
        ],
      },
    },
    LENIENT,
  )
  expect(relations(graph)).toEqual([
    'ADR-0003 extends ADR-0001 (docs/adr/0003-boats.md)',
    'src/boat.ts governed-by ADR-0002 (src/boat.ts)',
  ])
  expect(told(graph)).toEqual([
    'error ambiguous-reference docs/adr/0003-boats.md:3 ADR-0003 requires gear, which may be ADR-0001, ADR-0002',
    'warning ambiguous-reference src/boat.ts:3 src/boat.ts governed-by gear, which may be ADR-0001, ADR-0002',
    'warning unresolved-reference docs/adr/0003-boats.md:5 ADR-0003 superseded-by unknown ADR ADR-0098',
    'warning unresolved-reference docs/adr/0003-boats.md:4 ADR-0003 supersedes unknown ADR ADR-0099',
  ])
  expect(graph.danglingSupersessions).toHaveLength(2)
})

test('a strict author is not understood by another name', () => {
  const graph = graphOf({
    'docs/adrs/ADR-0001-nets.md': { id: 'ADR-0001', aliases: ['nets'] },
    'docs/adrs/ADR-0002-lines.md': { id: 'ADR-0002', edges: [['extends', 'nets']] },
  })
  expect(graph.diagnostics.map(({ code, target_id }) => [code, target_id])).toEqual([['unresolved-id', 'nets']])
})

test('said from both ends is one relation, the own words count', () => {
  const graph = graphOf(
    {
      'docs/adr/0001-oars.md': {
        id: 'ADR-0001',
        status: 'superseded',
        edges: [['supersedes', 'ADR-0002', { reverse: true, text: 'mostly' }]],
      },
      'docs/adr/0002-motors.md': { id: 'ADR-0002', edges: [['supersedes', 'ADR-0001', { text: 'for freight only' }]] },
      'docs/adr/0003-tugs.md': { id: 'ADR-0003', edges: [['extends', 'ADR-0002', { reverse: true }]] },
    },
    LENIENT,
  )
  expect(graph.relations).toHaveLength(2)
  expect(graph.relations.find(({ type }) => type === 'supersedes')).toMatchObject({
    source: 'ADR-0002',
    target: 'ADR-0001',
    inverse: 'superseded-by',
    file: 'docs/adr/0002-motors.md',
    note: 'for freight only',
  })
  expect(graph.relations.find(({ type }) => type === 'extends')).toMatchObject({
    source: 'ADR-0002',
    target: 'ADR-0003',
  })
  expect(graph.diagnostics).toEqual([])
})

test('targets of the wrong kind: the seed allows less than other conventions do', () => {
  const pages: Record<string, Page> = {
    'a.md': {
      id: 'ADR-0001',
      edges: [
        ['requiresSpec', 'ADR-0002'],
        ['extends', 'SPEC-0001'],
        ['related', 'SPEC-0001'],
      ],
    },
    'b.md': { id: 'ADR-0002' },
    'c.md': { id: 'SPEC-0001', edges: [['changes', 'SPEC-0001']] },
    'd.md': { id: 'CHANGE:add-buoys', edges: [['changes', 'SPEC-0001']] },
  }
  const strict = graphOf(pages)
  expect(told(strict)).toEqual([
    'error cycle c.md:2 cycle detected (changes): SPEC-0001 -> SPEC-0001',
    'warning schema-misuse a.md:3 ADR-0001 extends may not target a spec: SPEC-0001',
    'warning schema-misuse a.md:4 ADR-0001 related may not target a spec: SPEC-0001',
    'warning schema-misuse a.md:2 ADR-0001 requires may not target an ADR: ADR-0002',
  ])
  const lenient = graphOf(pages, LENIENT)
  expect(lenient.diagnostics.map(({ code }) => code)).toEqual(['cycle', 'schema-misuse'])
  expect(relations(lenient)).toContain('CHANGE:add-buoys changes SPEC-0001 (d.md)')
})

test('the deltas of a change: files that are no nodes speak for it, and may name what is not there yet', () => {
  const delta = (spec: string, author = 'CHANGE:add-buoys'): Page => ({
    id: null,
    author,
    edges: [['changes', spec, { how: 'delta' }]],
  })
  const graph = graphOf(
    {
      'openspec/changes/add-buoys/proposal.md': { id: 'CHANGE:add-buoys' },
      'openspec/changes/add-buoys/specs/lights/spec.md': delta('SPEC:lights'),
      'openspec/changes/add-buoys/specs/buoys/spec.md': delta('SPEC:buoys'),
      'openspec/changes/gone/specs/lights/spec.md': delta('SPEC:lights', 'CHANGE:gone'),
      'openspec/specs/lights/spec.md': { id: 'SPEC:lights' },
    },
    LENIENT,
  )
  expect(graph.diagnostics).toEqual([])
  expect(relations(graph)).toEqual([
    'CHANGE:add-buoys changes SPEC:lights (openspec/changes/add-buoys/specs/lights/spec.md)',
  ])
  const node = graph.nodes.get('SPEC:lights')
  expect(node && [...traverse(graph.store, graph, 'impact', node, null).downward]).toEqual(['CHANGE:add-buoys'])
})

test('each module by its own rules: strict beside lenient, edges across', () => {
  const graph = graphOf(
    {
      'docs/adrs/ADR-0001-quays.md': {
        id: 'ADR-0001',
        edges: [
          ['extends', '[south]/ADR-0001'],
          ['extends', '[south]/cranes'],
        ],
      },
      'quays/north/docs/adrs/ADR-0001-bollards.md': { id: '[north]/ADR-0001', edges: [['extends', 'ADR-0001']] },
      'quays/south/docs/adr/0001-cranes.md': {
        id: '[south]/ADR-0001',
        aliases: ['[south]/cranes'],
        edges: [['extends', '[south]/gone']],
      },
      'quays/south/src/crane.ts': { id: '[south]/src/crane.ts', edges: [['codeGovernedBy', '[south]/cranes']] },
    },
    HARBOUR,
  )
  expect(told(graph)).toEqual([
    'error unresolved-id docs/adrs/ADR-0001-quays.md:3 ADR-0001 extends unknown artifact [south]/cranes',
    'warning unresolved-reference quays/south/docs/adr/0001-cranes.md:2 [south]/ADR-0001 extends unknown artifact [south]/gone',
  ])
  expect(graph.nodes.get('[south]/src/crane.ts')).toMatchObject({ module: 'south', file: 'quays/south/src/crane.ts' })
  expect(relations(graph)).toHaveLength(3)
  expect(validationView(graph, 'south')).toMatchObject({ nodes: 2, authoredEdges: 1, derivedEdges: 2 })
  expect(
    cutDiagnostics(graph, graph.diagnostics, 'south').map(({ message, source_id }) => [source_id, message]),
  ).toEqual([['ADR-0001', 'ADR-0001 extends unknown artifact gone']])
})

test('problems of the files: those of other readers are left out, unread artifacts are told', () => {
  const problem = (code: string, detail: string, severity = 1, field: string | null = null) => ({
    code,
    severity,
    line: 4,
    detail,
    field,
    target: null,
  })
  const graph = graphOf({
    'docs/adrs/ADR-0001-fog.md': {
      id: 'ADR-0001',
      problems: [
        problem('malformed-yaml', 'ADR-0001: what', 2, 'extends'),
        problem('malformed-front-matter', 'a document'),
        problem('heading-mismatch', 'ADR-0001: heading says 12'),
      ],
    },
    'docs/adrs/ADR-0002-mist.md': {
      id: null,
      kind: 'adr',
      problems: [problem('unreadable-file', 'is not valid UTF-8')],
    },
    'docs/openspec/specs/x/spec.md': {
      id: null,
      kind: 'spec',
      problems: [problem('too-large', 'larger than limits.file_bytes')],
    },
    'src/horn.ts': {
      id: null,
      problems: [problem('too-large', 'larger'), problem('governing-unrecognized', 'no-artifact-id')],
    },
  })
  expect(told(graph)).toEqual([
    'error malformed-yaml docs/adrs/ADR-0001-fog.md:4 ADR-0001: what',
    'warning governing-unrecognized src/horn.ts:4 src/horn.ts: governing comment names no ADR-NNNN or SPEC-NNNN (no-artifact-id)',
    'warning unreadable-file docs/adrs/ADR-0002-mist.md:4 docs/adrs/ADR-0002-mist.md: is not valid UTF-8',
    'warning unreadable-file docs/openspec/specs/x/spec.md:4 docs/openspec/specs/x/spec.md: larger than limits.file_bytes',
  ])
  expect(graph.diagnostics.map(({ source_id }) => source_id)).toEqual([
    'ADR-0001',
    'src/horn.ts',
    'ADR-0002',
    'docs/openspec/specs/x/spec.md',
  ])
  expect(graph.headings).toHaveLength(1)
})

test('statuses: tolerant for ADRs, exact for specs of the seed', () => {
  const shelf = (kind: 'ADR' | 'SPEC', statuses: readonly (string | undefined)[]): Record<string, Page> => ({
    'new.md': { id: `${kind}-0100`, edges: statuses.map((_, i) => ['supersedes', `${kind}-000${i}`] as const) },
    ...Object.fromEntries(
      statuses.map((status, i) => [`${i}.md`, { id: `${kind}-000${i}`, ...(status === undefined ? {} : { status }) }]),
    ),
  })
  const bad = (pages: Record<string, Page>, layout: Layout): (string | null)[] =>
    graphOf(pages, layout).diagnostics.map(({ target_id }) => target_id)
  const statuses = [
    'superseded',
    ' Superseded ',
    'superseded by ADR-0100',
    'Deprecated',
    'supersededish',
    'accepted',
    undefined,
  ]
  expect(bad(shelf('ADR', statuses), STRICT)).toEqual(['ADR-0004', 'ADR-0005', 'ADR-0006'])
  expect(bad(shelf('SPEC', statuses), STRICT)).toEqual([
    'SPEC-0000',
    'SPEC-0001',
    'SPEC-0002',
    'SPEC-0004',
    'SPEC-0005',
    'SPEC-0006',
  ])
  expect(bad(shelf('SPEC', statuses), LENIENT)).toEqual(['SPEC-0004', 'SPEC-0005', 'SPEC-0006'])
})

test('derived edges: one per relation, but none for a mirrored or own related', () => {
  const graph = graphOf({
    'a.md': {
      id: 'ADR-0001',
      edges: [
        ['related', 'ADR-0002'],
        ['related', 'ADR-0001'],
        ['governs', 'SPEC-0001'],
      ],
    },
    'b.md': {
      id: 'ADR-0002',
      edges: [
        ['related', 'ADR-0001'],
        ['related', 'ADR-0003'],
      ],
    },
    'c.md': { id: 'ADR-0003' },
    'd.md': { id: 'SPEC-0001', edges: [['implements', 'ADR-0001']] },
  })
  expect(validationView(graph, null)).toEqual({
    verb: 'validate',
    nodes: 4,
    authoredEdges: 6,
    derivedEdges: 3,
    diagnostics: [],
  })
})

test('parallel statements of one dependency are told once, by what the dependent wrote', () => {
  const graph = graphOf({
    'a.md': {
      id: 'ADR-0001',
      edges: [
        ['enables', 'ADR-0002'],
        ['extends', 'ADR-0002'],
      ],
    },
    'b.md': { id: 'ADR-0002', edges: [['extends', 'ADR-0001']] },
  })
  expect(graph.cycles).toEqual([
    {
      path: ['ADR-0001', 'ADR-0002', 'ADR-0001'],
      types: ['extends'],
      edges: [
        { source: 'ADR-0001', type: 'extends', target: 'ADR-0002' },
        { source: 'ADR-0002', type: 'extends', target: 'ADR-0001' },
      ],
      message: 'cycle detected (extends): ADR-0001 -> ADR-0002 -> ADR-0001',
    },
  ])
  expect(graph.diagnostics).toMatchObject([{ code: 'cycle', source_id: 'ADR-0001', file: 'a.md', line: 3 }])
})

test('more cycles than are told: said so', () => {
  const id = (n: number): string => `ADR-00${String(n).padStart(2, '0')}`
  const all = Array.from({ length: 9 }, (_, n) => n)
  const pages = Object.fromEntries(
    all.map((n) => [
      `${n}.md`,
      { id: id(n), edges: all.filter((m) => m !== n).map((m) => ['extends', id(m)] as const) },
    ]),
  )
  const graph = graphOf(pages)
  expect(graph.capped).toBe(true)
  expect(graph.cycles).toHaveLength(1000)
  expect(graph.diagnostics.filter(({ code }) => code === 'cycle')).toHaveLength(1000)
  expect(graph.diagnostics.at(-1)).toMatchObject({ severity: 'warning', code: 'cycles-capped' })
})

test('a chain of 10,000 levels', () => {
  const id = (n: number): string => `SPEC-${String(n).padStart(5, '0')}`
  const pages = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, n) => [
      `${n}.md`,
      { id: id(n), edges: n === 0 ? [] : [['requiresSpec', id(n - 1)] as const] },
    ]),
  )
  const graph = graphOf(pages)
  expect(graph.diagnostics).toEqual([])
  const deepest = graph.nodes.get(id(9999))
  expect(deepest && traverse(graph.store, graph, 'ancestors', deepest, null).results).toHaveLength(9999)
})
