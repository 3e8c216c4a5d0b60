// Trees of the artifact graph: which arrow, which corner, which place of a node is the expanded one, and that neither
// depth nor width costs more than the bytes written. The surprise: the large graphs are checked by counting, not by text.

import { describe, expect, test } from 'vitest'
import type { ArtifactNode, CyclesView, OrphansView } from '../../src/model/artifact-views.ts'
import { cyclesDag, orphansDag, traversalDag } from '../../src/render/graph-dag.ts'
import { artifactTitle } from '../../src/render/graph-text.ts'
import { effort } from '../support/effort.ts'
import { workOf } from '../support/work.ts'
import { nodeOf, OPTIONS, traversal, type Written } from './graph-views.ts'

function text(chunks: Iterable<string>): string {
  return [...chunks].join('')
}

const NODES: readonly ArtifactNode[] = [
  nodeOf('ADR-0001', 'ADR-0001: Bake at night'),
  nodeOf('ADR-0002', '# ADR-0002 is odd'),
  nodeOf('ADR-0003', 'ADR-0003 – Sell by weight'),
  nodeOf('SPEC-0001', 'SPEC-0001: Oven plan'),
  nodeOf('SPEC-0002', 'SPEC-0002: Scales'),
  nodeOf('src/oven.ts'),
]
const RELATIONS: readonly Written[] = [
  { source: 'ADR-0001', type: 'enables', target: 'ADR-0002' },
  { source: 'ADR-0003', type: 'extends', target: 'ADR-0001' },
  { source: 'ADR-0001', type: 'governs', target: 'SPEC-0001' },
  { source: 'SPEC-0001', type: 'implements', target: 'ADR-0001' },
  { source: 'SPEC-0002', type: 'requires', target: 'SPEC-0001' },
  { source: 'SPEC-0002', type: 'implements', target: 'ADR-0003' },
  { source: 'ADR-0002', type: 'related', target: 'ADR-0003' },
  { source: 'src/oven.ts', type: 'governed-by', target: 'ADR-0001' },
  { source: 'src/oven.ts', type: 'implements', target: 'SPEC-0001' },
  { source: 'src/oven.ts', type: 'governed-by', target: 'SPEC-0001' },
]

describe('traversals', () => {
  test('impact: as the upper node holds it, authored first, one line per pair', () => {
    expect(text(traversalDag(traversal('impact', 'ADR-0001', NODES, RELATIONS), OPTIONS))).toBe(`\
ADR-0001: Bake at night
├─[enables]► ADR-0002: # ADR-0002 is odd
├─ ─[extended-by]► ADR-0003: Sell by weight
│ └─ ─[implemented-by]► SPEC-0002: Scales
├───► SPEC-0001: Oven plan
│ ├─ ─[depended-on-by]► SPEC-0002: Scales (already shown)
│ └─ ─[governs]► src/oven.ts
└─ ─[governs]► src/oven.ts (already shown)
`)
  })

  test('ancestors: as the lower node holds it, the highest place expanded', () => {
    expect(text(traversalDag(traversal('ancestors', 'SPEC-0002', NODES, RELATIONS), OPTIONS))).toBe(`\
  ┌───► ADR-0001: Bake at night
┌─[implements]► ADR-0003: Sell by weight
│ ┌─[implements]► ADR-0001: Bake at night (already shown)
├───► SPEC-0001: Oven plan
SPEC-0002: Scales (queried)
`)
  })

  test('ancestors of a file: solid and labelled', () => {
    expect(text(traversalDag(traversal('ancestors', 'src/oven.ts', NODES, RELATIONS), OPTIONS))).toBe(`\
┌─[governed-by]► ADR-0001: Bake at night
│ ┌─[implements]► ADR-0001: Bake at night (already shown)
├─[governed-by]► SPEC-0001: Oven plan
src/oven.ts (queried)
`)
  })

  test('chain: one bar below the queried node', () => {
    expect(text(traversalDag(traversal('chain', 'SPEC-0001', NODES, RELATIONS), OPTIONS))).toBe(`\
┌─[implements]► ADR-0001: Bake at night
SPEC-0001: Oven plan (queried)
│
├─ ─[depended-on-by]► SPEC-0002: Scales
└─ ─[governs]► src/oven.ts
`)
  })

  test('an ADR that depends on its specs only by governing them is told by a dashed line', () => {
    const relations = [{ source: 'ADR-0001', type: 'governs', target: 'SPEC-0001' }]
    expect(text(traversalDag(traversal('ancestors', 'SPEC-0001', NODES, relations), OPTIONS))).toBe(
      '┌─ ─[governed-by]► ADR-0001: Bake at night\nSPEC-0001: Oven plan (queried)\n',
    )
  })

  test('of two authored relations of a pair the first by name is shown', () => {
    const both = ['requires', 'extends'].map((type) => ({ source: 'SPEC-0002', type, target: 'SPEC-0001' }))
    const first = (verb: 'impact' | 'ancestors', id: string, relations: readonly Written[]) =>
      text(traversalDag(traversal(verb, id, NODES, relations), OPTIONS))
    expect(first('ancestors', 'SPEC-0002', both)).toMatch(/^┌─\[extends\]► SPEC-0001/)
    expect(first('impact', 'SPEC-0001', both)).toContain('\n└─ ─[depended-on-by]► SPEC-0002')
  })

  test.each([
    ['impact', 'ADR-0001: Bake at night\n(no dependents)\n'],
    ['ancestors', '(no ancestors)\nADR-0001: Bake at night (queried)\n'],
    ['chain', 'ADR-0001: Bake at night (queried)\n'],
  ] as const)('%s of a node that stands alone', (verb, expected) => {
    expect(text(traversalDag(traversal(verb, 'ADR-0001', NODES, []), OPTIONS))).toBe(expected)
  })

  test('a cycle, answered on demand, ends', () => {
    const relations = [
      { source: 'ADR-0001', type: 'extends', target: 'ADR-0003' },
      { source: 'ADR-0003', type: 'extends', target: 'ADR-0001' },
    ]
    expect(text(traversalDag(traversal('chain', 'ADR-0001', NODES, relations), OPTIONS))).toBe(`\
  ┌───► ADR-0001: Bake at night (already shown)
┌───► ADR-0003: Sell by weight
ADR-0001: Bake at night (queried)
│
└─ ─[extended-by]► ADR-0003: Sell by weight
  └─ ─[extended-by]► ADR-0001: Bake at night (already shown)
`)
  })

  test('names never break a line nor steer a terminal', () => {
    const nodes = [nodeOf('ADR-0001', 'ADR-0001: a\u001b[2Jb'), nodeOf('src/a\nb.ts')]
    const view = traversal('impact', 'ADR-0001', nodes, [
      { source: 'src/a\nb.ts', type: 'governed-by', target: 'ADR-0001' },
    ])
    expect(text(traversalDag(view, OPTIONS))).toBe('ADR-0001: a\u001b[2Jb\n└─ ─[governs]► src/a\\u000ab.ts\n')
    expect(text(traversalDag(view, { ...OPTIONS, terminal: true }))).toContain('a\\u001b[2Jb\n')
  })
})

describe('size', () => {
  function id(i: number): string {
    return `ADR-${String(i).padStart(5, '0')}`
  }

  /** A chain of so many levels below the first. */
  function chain(levels: number) {
    const nodes = Array.from({ length: levels + 1 }, (_, i) => nodeOf(id(i), `${id(i)}: Level ${i}`))
    const written = nodes.slice(1).map((node, i) => ({ source: node.id, type: 'extends', target: id(i) }))
    return { nodes, written }
  }

  /** Bytes and lines, chunk by chunk, as a stream would take them. */
  function measure(chunks: Iterable<string>) {
    let bytes = 0
    let lines = 0
    let largest = 0
    for (const chunk of chunks) {
      const buffer = Buffer.from(chunk)
      bytes += buffer.length
      largest = Math.max(largest, buffer.length)
      for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) lines++
    }
    return { bytes, lines, largest }
  }

  test.each(['impact', 'ancestors'] as const)('%s over 2,000 levels takes less than a second of work', (verb) => {
    const { nodes, written } = chain(2000)
    const view = traversal(verb, id(verb === 'impact' ? 0 : 2000), nodes, written)
    expect(workOf(() => measure(traversalDag(view, OPTIONS)))).toBeLessThan(1000)
    const { bytes, lines } = measure(traversalDag(view, OPTIONS))
    expect(lines).toBe(2001)
    // Two columns of indentation per level: quadratic by the contract.
    expect(bytes).toBeGreaterThan(2000 * 1999)
  })

  // Both ways take one path through the code; the short chains above tell them apart.
  test.each((['impact', 'ancestors'] as const).slice(0, effort(1, 2)))(
    '%s over 10,000 levels overflows nothing',
    (verb) => {
      const { nodes, written } = chain(10_000)
      const view = traversal(verb, id(verb === 'impact' ? 0 : 10_000), nodes, written)
      const { lines, largest } = measure(traversalDag(view, OPTIONS))
      expect(lines).toBe(10_001)
      expect(largest).toBeLessThan(200_000)
    },
  )

  test.each(['impact', 'ancestors'] as const)('%s over a ladder writes one line per relation', (verb) => {
    // Sixteen layers of two, each rung on both of the layer before: 2^16 paths, 62 relations.
    const layers = Array.from({ length: 16 }, (_, layer) => [id(layer * 2), id(layer * 2 + 1)])
    const nodes = layers.flat().map((one) => nodeOf(one, one))
    const written = layers
      .slice(1)
      .flatMap((layer, i) =>
        layer.flatMap((source) => (layers[i] ?? []).map((target) => ({ source, type: 'extends', target }))),
      )
    const view = traversal(verb, verb === 'impact' ? id(0) : id(31), nodes, written)
    expect(measure(traversalDag(view, OPTIONS)).lines).toBe(1 + view.dependencies.length)
  })

  test('a wide graph is written in chunks', () => {
    const nodes = Array.from({ length: 20_000 }, (_, i) => nodeOf(`src/shelf/${i + 10_000}.ts`))
    const written = nodes.map((node) => ({ source: node.id, type: 'governed-by', target: 'ADR-0001' }))
    const view = traversal('impact', 'ADR-0001', [...NODES, ...nodes], written)
    expect(workOf(() => measure(traversalDag(view, OPTIONS)))).toBeLessThan(1000)
    const { lines, largest } = measure(traversalDag(view, OPTIONS))
    expect(lines).toBe(20_001)
    expect(largest).toBeLessThan(200_000)
  })
})

describe('orphans and cycles', () => {
  const orphans: OrphansView = {
    verb: 'orphans',
    scope: null,
    scopeModule: null,
    filesWithoutGoverning: ['src/a.ts', 'src/b.ts'],
    filesUnrecognized: [{ file: 'src/c.sql', reason: 'unaccepted-opener' }],
    specsWithoutCode: [],
    adrsWithoutSpec: [nodeOf('ADR-0001', 'ADR-0001: Bake at night')],
    sentence: null,
  }
  const cycles: CyclesView = {
    verb: 'cycles',
    scope: null,
    cycles: [
      {
        path: ['ADR-0001', 'ADR-0003', 'ADR-0001'],
        types: ['enables', 'extends'],
        edges: [
          { source: 'ADR-0001', type: 'extends', target: 'ADR-0003' },
          { source: 'ADR-0001', type: 'enables', target: 'ADR-0003' },
        ],
        message: '',
      },
      {
        path: ['SPEC-0001', 'SPEC-0001'],
        types: ['requires'],
        edges: [{ source: 'SPEC-0001', type: 'requires', target: 'SPEC-0001' }],
        message: '',
      },
    ],
    capped: true,
  }

  test('one block per category, parted by ▼', () => {
    expect(text(orphansDag(orphans, OPTIONS))).toBe(`\
Source files without governing artifacts
├── src/a.ts
└── src/b.ts
▼
Source files with unrecognized governing comments
└── src/c.sql (unaccepted-opener)
▼
ADRs with no implementing spec
└── ADR-0001: Bake at night
`)
  })

  test('one honest sentence in place of the files', () => {
    const sentence = 'No source file has a governing comment.'
    const lines = text(orphansDag({ ...orphans, sentence }, OPTIONS)).split('\n')
    expect(lines.slice(0, 3)).toEqual(['Source files without governing artifacts', `└── ${sentence}`, '▼'])
  })

  test('one block per cycle; an arrow to the left was written by the node below', () => {
    expect(text(cyclesDag(cycles, OPTIONS))).toBe(`\
ADR-0001
└─[extends]► ADR-0003
  └◄[enables]─ ADR-0001 (already shown)

SPEC-0001
└─[requires]► SPEC-0001 (already shown)

There are more cycles than are listed here.
`)
  })

  test('nothing found', () => {
    const none = { filesWithoutGoverning: [], filesUnrecognized: [], adrsWithoutSpec: [] }
    expect(text(orphansDag({ ...orphans, ...none }, OPTIONS))).toBe('No orphans detected.\n')
    expect(text(cyclesDag({ ...cycles, cycles: [], capped: false }, OPTIONS))).toBe('No cycles detected.\n')
  })
})

describe('titles', () => {
  test.each([
    ['ADR-0008', 'ADR-0008: Sell by weight', 'Sell by weight'],
    ['ADR-0008', 'ADR-0008 - Sell  by\tweight ', 'Sell by weight'],
    ['ADR-0008', 'ADR-0008 — Sell by weight', 'Sell by weight'],
    ['ADR-0008', 'ADR-0008. Sell by weight', 'Sell by weight'],
    ['ADR-0008', 'ADR-0008 Sell by weight', 'Sell by weight'],
    ['ADR-0008', 'ADR-8: Sell by weight', 'Sell by weight'],
    ['ADR-0008', 'adr 008: Sell by weight', 'Sell by weight'],
    ['ADR-0008', '8. Sell by weight', 'Sell by weight'],
    ['ADR-0008', '8 loaves a day', '8 loaves a day'],
    ['ADR-0008', 'ADR-0009: Sell by weight', 'ADR-0009: Sell by weight'],
    ['ADR-0008', 'ADR-00081: Sell by weight', 'ADR-00081: Sell by weight'],
    ['ADR-0008', 'Replace ADR-0008: sell', 'Replace ADR-0008: sell'],
    ['ADR-0008', 'ADR-0008', ''],
    ['ADR-0008', '-- dashes kept --', '-- dashes kept --'],
    ['SPEC-0008', 'ADR-0008: Sell by weight', 'ADR-0008: Sell by weight'],
    ['[mill/lib]/SPEC-0008', 'SPEC-0008: Sacks', 'Sacks'],
    ['oven-plan', 'Oven plan', 'Oven plan'],
    ['src/oven.ts', '', ''],
  ])('%s under the heading %j', (id, heading, title) => {
    expect(artifactTitle(nodeOf(id, heading), 60)).toBe(title)
  })

  test.each([
    ['a'.repeat(60), 60, 'a'.repeat(60)],
    ['a'.repeat(61), 60, `${'a'.repeat(59)}…`],
    ['🥐'.repeat(60), 60, '🥐'.repeat(60)],
    ['🥐'.repeat(61), 60, `${'🥐'.repeat(59)}…`],
    ['abc', 1, '…'],
  ])('%j cut to %i code points', (heading, max, title) => {
    expect(artifactTitle(nodeOf('oven', heading), max)).toBe(title)
  })
})
