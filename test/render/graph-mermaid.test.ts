// Mermaid charts of the artifact graph, read by the real parser without a browser: valid for any title and any path, the
// label arrives as it was, and a large graph stays within the limits that Mermaid has by default.
// The surprise: Mermaid cleans labels with a library that needs a window, so this file alone runs in one.
// @vitest-environment jsdom

import fc from 'fast-check'
import mermaid from 'mermaid'
import { describe, expect, test } from 'vitest'
import type { CyclesView, OrphansView } from '../../src/model/artifact-views.ts'
import { cyclesMermaid, orphansMermaid, traversalMermaid } from '../../src/render/graph-mermaid.ts'
import { effort } from '../support/effort.ts'
import { nodeOf, OPTIONS, traversal, type Written } from './graph-views.ts'

/** What stands between the fences. */
function inside(answer: string): string {
  const found = /^```mermaid\n([\s\S]*)```\n$/.exec(answer)
  if (found === null) throw new Error(`no fence around ${answer}`)
  return found[1] ?? ''
}

interface Vertex {
  readonly text: string
  readonly labelType: string
}

/** What Mermaid understood. Throws where it refuses. */
async function parsed(answer: string) {
  await mermaid.parse(inside(answer))
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(inside(answer))
  const chart = db as unknown as {
    getVertices: () => Map<string, Vertex>
    getEdges: () => readonly { start: string; end: string; text: string; stroke: string }[]
    getSubGraphs: () => readonly { title: string; nodes: readonly string[] }[]
  }
  const vertices = [...chart.getVertices()].map(([id, { text, labelType }]) => ({ id, text: shown(text), labelType }))
  return { vertices, edges: chart.getEdges(), groups: chart.getSubGraphs() }
}

/** Mermaid keeps entities in a form of its own until it draws them. */
function shown(text: string): string {
  return text
    .replaceAll('ﬂ°°', '&#')
    .replaceAll('ﬂ°', '&')
    .replaceAll('¶ß', ';')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
}

const NODES = [
  nodeOf('ADR-0001', 'ADR-0001: Number the berths'),
  nodeOf('SPEC-0001', 'SPEC-0001: Berths'),
  nodeOf('src/b.ts'),
]
const RELATIONS: readonly Written[] = [
  { source: 'ADR-0001', type: 'governs', target: 'SPEC-0001' },
  { source: 'SPEC-0001', type: 'implements', target: 'ADR-0001' },
  { source: 'src/b.ts', type: 'governed-by', target: 'SPEC-0001' },
]

describe('traversals', () => {
  test('downward: solid authored, dotted derived, one edge per pair', async () => {
    const answer = traversalMermaid(traversal('impact', 'ADR-0001', NODES, RELATIONS), OPTIONS)
    expect(answer).toBe(`\
\`\`\`mermaid
flowchart TB
  n0["ADR-0001: Number the berths"]
  n1["SPEC-0001: Berths"]
  n2["src/b.ts"]
  n0 -- "governs" --> n1
  n1 -. "governs (derived)" .-> n2
\`\`\`
`)
    const { edges } = await parsed(answer)
    expect(edges.map(({ start, end, text, stroke }) => [start, end, text, stroke])).toEqual([
      ['n0', 'n1', 'governs', 'normal'],
      ['n1', 'n2', 'governs (derived)', 'dotted'],
    ])
  })

  test('upward', async () => {
    const answer = traversalMermaid(traversal('ancestors', 'src/b.ts', NODES, RELATIONS), OPTIONS)
    expect(inside(answer).split('\n').slice(0, 1)).toEqual(['flowchart BT'])
    expect(inside(answer)).toContain('  n1 -- "implements" --> n0\n  n2 -- "governed-by" --> n1\n')
    expect((await parsed(answer)).edges).toHaveLength(2)
  })

  test('a node that stands alone', async () => {
    const answer = traversalMermaid(traversal('chain', 'ADR-0001', NODES, []), OPTIONS)
    expect((await parsed(answer)).vertices.map(({ text }) => text)).toEqual(['ADR-0001: Number the berths'])
  })
})

/** Titles with what Mermaid, Markdown and HTML take for more than text. */
const NASTY = [
  'say "no"',
  '`code`',
  'a #35; b #quot; c #x',
  '%% no comment %%{init: {"theme":"dark"}}%%',
  '<b x="',
  'a <i y=',
  'end',
  'subgraph x',
  'style a:#b;',
  'click n0 "x"',
  '---',
  ']) }} -->',
  '\\" \\',
  'a;b\tc',
  '🥐 עברית 日本',
  '```',
  'accTitle: x',
]

describe('any name', () => {
  test.each(NASTY)('%j arrives as it is', async (title) => {
    const nodes = [nodeOf('ADR-0001', `ADR-0001: ${title}`), nodeOf(title), nodeOf('SPEC-0001', 'SPEC-0001: <i z="> x')]
    const view = traversal('impact', 'ADR-0001', nodes, [
      { source: title, type: 'governed-by', target: 'ADR-0001' },
      { source: 'SPEC-0001', type: 'implements', target: 'ADR-0001' },
    ])
    const { vertices, edges } = await parsed(traversalMermaid(view, { ...OPTIONS, titleMax: 500 }))
    expect(vertices).toHaveLength(3)
    // What looks like HTML is cleaned by Mermaid itself.
    if (!title.includes('<')) expect(vertices.map(({ text }) => text)).toContain(title)
    expect(vertices.every(({ labelType }) => labelType === 'string')).toBe(true)
    expect(edges).toHaveLength(2)
  })

  test('any title and any path is taken', async () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({ unit: fc.constantFrom(...'"#;%{}[]()<>=`\\|\'-.:& \n\r\tax1') }),
      fc.array(fc.constantFrom(...NASTY), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(name, name, name, async (first, second, file) => {
        const path = `src/${file}`
        const nodes = [nodeOf('ADR-0001', first), nodeOf('SPEC-0001', second), nodeOf(path)]
        const view = traversal('impact', 'ADR-0001', nodes, [
          { source: 'SPEC-0001', type: 'implements', target: 'ADR-0001' },
          { source: path, type: 'governed-by', target: 'SPEC-0001' },
        ])
        const { vertices, edges } = await parsed(traversalMermaid(view, OPTIONS))
        expect(vertices.map(({ id }) => id)).toEqual(['n0', 'n1', 'n2'])
        expect(edges).toHaveLength(2)
      }),
      { numRuns: effort(100, 1000) },
    )
  })
})

describe('limits', () => {
  function pad(i: number): string {
    return String(i).padStart(4, '0')
  }

  test('a wide graph stops and says so', async () => {
    const nodes = Array.from({ length: 2000 }, (_, i) => nodeOf(`src/quay/${pad(i)}.ts`))
    const written = nodes.map(({ id }) => ({ source: id, type: 'governed-by', target: 'ADR-0001' }))
    const answer = traversalMermaid(traversal('impact', 'ADR-0001', [...NODES, ...nodes], written), OPTIONS)
    expect(answer).toContain('%% 450 of 2000 relations shown')
    const { vertices, edges } = await parsed(answer)
    expect([vertices.length, edges.length]).toEqual([451, 450])
  })

  test('long names stop it by characters, and what is left hangs together', async () => {
    const ids = Array.from({ length: 900 }, (_, i) => `ADR-${pad(900 - i)}`)
    const nodes = ids.map((id) => nodeOf(id, `${id}: ${'long '.repeat(100)}`))
    const written = ids.slice(1).map((id, i) => ({ source: id, type: 'extends', target: ids[i] ?? '' }))
    const view = traversal('impact', 'ADR-0900', nodes, written)
    const answer = traversalMermaid(view, { ...OPTIONS, titleMax: 400 })
    expect(answer.length).toBeLessThanOrEqual(45_000)
    expect(answer.length).toBeGreaterThan(40_000)
    expect(answer).toContain(' of 899 relations shown')
    const { vertices, edges } = await parsed(answer)
    expect(edges.length).toBeGreaterThan(50)
    expect(vertices.length).toBe(edges.length + 1)
    expect(vertices.at(-1)?.text).toMatch(/^ADR-0900/)
  })
})

describe('orphans and cycles', () => {
  const orphans: OrphansView = {
    verb: 'orphans',
    scope: null,
    scopeModule: null,
    filesWithoutGoverning: ['src/a"b.ts'],
    filesUnrecognized: [],
    specsWithoutCode: [nodeOf('SPEC-0001', 'SPEC-0001: Berths')],
    adrsWithoutSpec: [],
    sentence: null,
  }
  const cycles: CyclesView = {
    verb: 'cycles',
    scope: null,
    cycles: [
      {
        path: ['ADR-0001', 'ADR-0002', 'ADR-0001'],
        types: ['extends'],
        edges: [
          { source: 'ADR-0001', type: 'extends', target: 'ADR-0002' },
          { source: 'ADR-0002', type: 'extends', target: 'ADR-0001' },
        ],
        message: '',
      },
    ],
    capped: true,
  }

  test('a subgraph per category that has any', async () => {
    const { groups, vertices } = await parsed(orphansMermaid(orphans, OPTIONS))
    expect(groups.map(({ title, nodes }) => [title, nodes])).toEqual([
      ['Source files without governing artifacts', ['n0']],
      ['Specs with no implementing code', ['n1']],
    ])
    expect(vertices.map(({ text }) => text)).toEqual(['src/a"b.ts', 'SPEC-0001: Berths'])
  })

  test('very many orphans stop and say so', async () => {
    const files = Array.from({ length: 20_000 }, (_, i) => `src/quay/${i + 10_000}.ts`)
    const answer = orphansMermaid({ ...orphans, filesWithoutGoverning: files }, OPTIONS)
    expect(answer.length).toBeLessThanOrEqual(45_000)
    expect(answer).toMatch(/%% \d+ of 20001 entries shown/)
    expect((await parsed(answer)).vertices.length).toBeGreaterThan(500)
  })

  test('cycles: each node and edge once', async () => {
    const twice = { ...cycles, cycles: [...cycles.cycles, ...cycles.cycles] }
    const answer = cyclesMermaid(twice, OPTIONS)
    expect(answer).toContain('  n0 -- "extends" --> n1\n  n1 -- "extends" --> n0\n  %% There are more cycles')
    expect((await parsed(answer)).edges).toHaveLength(2)
  })

  test('nothing found is a chart without nodes that says so', async () => {
    const none = orphansMermaid({ ...orphans, filesWithoutGoverning: [], specsWithoutCode: [] }, OPTIONS)
    expect(inside(none)).toBe('flowchart TB\n  %% No orphans detected.\n')
    expect((await parsed(none)).vertices).toEqual([])
    const noCycles = cyclesMermaid({ ...cycles, cycles: [], capped: false }, OPTIONS)
    expect(inside(noCycles)).toBe('flowchart TB\n  %% No cycles detected.\n')
  })
})
