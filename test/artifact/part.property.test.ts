// What is told of a plain graph from its verdict and a part of its rows, against what the whole graph tells: random
// graphs of the strict root, of another convention, and of a workspace of both. Nothing is asked of the disk.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cyclesView } from '../../src/artifact/cycles-of.ts'
import { type ArtifactGraph, idsOfTraversal, loadGraph, loadPart, type Verdict } from '../../src/artifact/graph.ts'
import { exampleOf, orphansView } from '../../src/artifact/orphans.ts'
import { traverse } from '../../src/artifact/traverse.ts'
import { cutDiagnostics, isEmpty, refusal, validationView } from '../../src/artifact/validate.ts'
import { verdictOn } from '../../src/artifact/verdict.ts'
import { SEVERITY } from '../../src/model/facts.ts'
import type { Layout } from '../../src/model/layout.ts'
import type { Store } from '../../src/store/open.ts'
import { UNMET_SQL } from '../../src/store/queries/artifact-orphans.ts'
import { effort } from '../support/effort.ts'
import { HARBOUR, LENIENT, type Page, STRICT, shelve } from './shelf.ts'

type EdgeName = NonNullable<Page['edges']>[number][0]

const LAYOUTS: Readonly<Record<string, Layout>> = { STRICT, LENIENT, HARBOUR }
/** Folder and prefix of a module of the harbour. */
const PLACES = [
  ['', ''],
  ['quays/north/', '[north]/'],
  ['quays/south/', '[south]/'],
] as const

/** What joins which kinds, as strict authors may say it. */
const WORDS: Readonly<Record<string, readonly EdgeName[]>> = {
  'adr adr': ['extends', 'supersedes', 'enables', 'related'],
  'adr spec': ['governs'],
  'spec adr': ['implements'],
  'spec spec': ['requiresSpec', 'extends', 'supersedes'],
  // Outside of the strict convention only; no spec, and so it realises nothing.
  'change adr': ['implements'],
  'adr change': ['governs'],
  'code adr': ['codeGovernedBy', 'codeImplements'],
  'code spec': ['codeGovernedBy', 'codeImplements'],
}

const ARTIFACTS: readonly string[] = ['adr', 'spec', 'change']
/** Whoever says it is what the other depends on. */
const UPWARD: readonly EdgeName[] = ['enables', 'governs']

const someone = fc.record({
  kind: fc.constantFrom('adr', 'adr', 'adr', 'spec', 'spec', 'change', 'code', 'bare', 'unread'),
  place: fc.nat({ max: 2 }),
  status: fc.constantFrom(undefined, 'accepted', 'superseded', 'superseded', 'deprecated'),
  title: fc.constantFrom(undefined, 'A bell', 'Ropes, and [north]/ADR-0001'),
  /** Whom it names, by number, with which word, and whether only in part. */
  says: fc.array(
    fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 9 }), fc.constantFrom(undefined, undefined, { text: 'in part' })),
    { minLength: 1, maxLength: 3 },
  ),
})
const worlds = fc.record({
  layout: fc.constantFrom(...Object.keys(LAYOUTS)),
  all: fc.oneof(fc.array(someone, { maxLength: 3 }), fc.array(someone, { minLength: 7, maxLength: 12 })),
  /** Whether any source file says something. */
  isCode: fc.boolean(),
  /** Now and then something that makes a graph other than plain, or is wrong in a plain one. */
  oddity: fc.constantFrom('', 'unknown', '', 'unknown', '', 'taken', 'unlawful', 'circle', 'alias'),
})
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never

function pagesOf({ layout, all, isCode, oddity }: World): Record<string, Page> {
  const placed = all.map(({ kind: chosen, place, ...rest }, i) => {
    const lawful = chosen === 'change' && layout !== 'LENIENT' ? 'adr' : chosen
    const kind = !isCode && ['code', 'unread'].includes(lawful) ? 'bare' : lawful
    const [folder, prefix] = PLACES[layout === 'HARBOUR' ? place : 0] ?? PLACES[0]
    const number = String(i + 1).padStart(4, '0')
    const isFile = !ARTIFACTS.includes(kind)
    const path = isFile ? `src/${kind}${number}.ts` : `docs/adrs/${kind}${number}.md`
    const id = prefix + (isFile ? path : `${kind.toUpperCase()}-${number}`)
    return { ...rest, kind, id, path: folder + path }
  })
  const pages: Record<string, Page> = {}
  for (const [i, { kind, id, path, status, title, says }] of placed.entries()) {
    if (kind === 'bare' || kind === 'unread') {
      const problem = { code: 'governing-unrecognized', severity: SEVERITY.warning, line: 1, detail: 'no-artifact-id' }
      pages[path] = { id: null, kind: 'code', problems: kind === 'unread' ? [problem] : [] }
      continue
    }
    const edges = says.flatMap(([whom, word, note]): NonNullable<Page['edges']>[number][] => {
      const other = placed[whom % placed.length]
      // Whoever comes later depends, so that there are no circles unless they are wanted.
      if (other === undefined || whom % placed.length === i || !ARTIFACTS.includes(other.kind)) return []
      const isLater = whom % placed.length > i
      const words = (WORDS[`${kind} ${other.kind}`] ?? []).filter((name) => UPWARD.includes(name) === isLater)
      const name = words[word % words.length]
      if (name === undefined) return []
      return [note === undefined ? [name, other.id] : [name, other.id, note]]
    })
    const heading = { ...(title === undefined ? {} : { title }), ...(status === undefined ? {} : { status }) }
    pages[path] = {
      id,
      edges: [...new Map(edges.map((edge) => [edge.slice(0, 2).join(' '), edge])).values()],
      ...heading,
    }
  }
  return { ...pages, ...ODD[oddity] }
}

const ODD: Readonly<Record<string, Record<string, Page>>> = {
  unknown: { 'docs/adrs/x.md': { id: 'ADR-0091', edges: [['extends', 'ADR-9999']] } },
  taken: { 'docs/adrs/x.md': { id: 'ADR-0091' }, 'docs/adrs/y.md': { id: 'ADR-0091', aliases: ['ADR-0091-y'] } },
  unlawful: {
    'docs/adrs/x.md': { id: 'ADR-0091', edges: [['implements', 'ADR-0092']] },
    'docs/adrs/y.md': { id: 'ADR-0092' },
  },
  circle: {
    'docs/adrs/x.md': { id: 'ADR-0091', edges: [['extends', 'ADR-0092']] },
    'docs/adrs/y.md': { id: 'ADR-0092', edges: [['extends', 'ADR-0091']] },
  },
  alias: {
    'docs/adrs/x.md': { id: 'ADR-0091', edges: [['extends', 'a-name']] },
    'docs/adrs/y.md': { id: 'ADR-0092', aliases: ['a-name'] },
  },
}

/** All that the verbs say of a graph; of a part nothing is asked that it was not loaded for. */
function told(store: Store, graph: ArtifactGraph, { modules }: Layout): unknown[] {
  const scopes = [null, 'src', 'quays/north', 'quays/north/src', '../elsewhere']
  return [null, ...modules.flatMap(({ name }) => name ?? [])].map((module) => ({
    validation: validationView(graph, module),
    orphans: scopes.map((scope) => orphansView(store, graph, scope, module)),
    cycles: cyclesView(graph, null, module),
    warnings: cutDiagnostics(graph, graph.diagnostics, module),
    refused: refusal(graph, 'impact', 'ADR-0001'),
    isEmpty: isEmpty(graph),
    example: exampleOf(graph),
  }))
}

function kept(graph: ArtifactGraph): Verdict {
  return JSON.parse(JSON.stringify(verdictOn(graph))) as Verdict
}

test('a verdict and some rows tell the same as the whole graph', () => {
  let plain = 0
  const seen = new Set<string>()
  const runs = effort(100, 4000)
  fc.assert(
    fc.property(worlds, (world) => {
      const layout = LAYOUTS[world.layout] ?? STRICT
      const store = shelve(pagesOf(world))
      const graph = loadGraph(store, layout)
      if (graph.plain) {
        plain++
        const verdict = kept(graph)
        expect(told(store, loadPart(store, layout, [], verdict), layout)).toEqual(told(store, graph, layout))
        for (const { id, module } of graph.nodes.values()) {
          for (const verb of ['impact', 'ancestors', 'chain'] as const) {
            const part = loadPart(store, layout, idsOfTraversal(store, verb, id), verdict)
            const node = part.nodes.get(id)
            expect(node).toEqual(graph.nodes.get(id))
            if (node === undefined) continue
            expect(traverse(store, part, verb, node, module)).toEqual(traverse(store, graph, verb, node, module))
            expect(cutDiagnostics(part, part.diagnostics, module)).toEqual(
              cutDiagnostics(graph, graph.diagnostics, module),
            )
          }
        }
        for (const { code } of [...verdict.diagnostics, ...(verdict.news ?? [])]) seen.add(code)
        if (orphansView(store, graph, null, null).sentence !== null) seen.add('sentence')
        if (graph.relations.length > 3) seen.add('edges')
      }
      store.close()
    }),
    { numRuns: runs },
  )
  // Worth nothing if graphs were seldom plain, or if there was nothing to be told of them.
  expect(plain).toBeGreaterThan(runs / 3)
  for (const what of ['edges', 'dangling-supersession', 'cites-superseded', 'unresolved-id', 'sentence']) {
    expect([...seen]).toContain(what)
  }
})

test('a graph is plain only where each row is a node of its own', () => {
  const isPlain = (pages: Readonly<Record<string, Page>>, layout = STRICT): boolean => {
    const store = shelve(pages)
    try {
      return loadGraph(store, layout).plain
    } finally {
      store.close()
    }
  }
  const one: Page = { id: 'ADR-0001' }
  expect(isPlain({ 'docs/adrs/a.md': one, 'src/a.ts': { id: 'src/a.ts' } })).toBe(true)
  expect(isPlain({ 'docs/adrs/a.md': one, ...ODD['unknown'] })).toBe(true)
  expect(isPlain({ 'docs/adrs/a.md': one, ...ODD['circle'] })).toBe(false)
  expect(isPlain({ 'docs/adrs/a.md': one, ...ODD['unlawful'] })).toBe(false)
  expect(isPlain({ 'docs/adrs/a.md': one, ...ODD['alias'] }, LENIENT)).toBe(false)
  expect(isPlain({ 'docs/adrs/a.md': one, ...ODD['taken'] })).toBe(false)
  expect(isPlain({ 'docs/adrs/a.md': one, ...ODD['taken'] }, LENIENT)).toBe(false)
  // A source file whose path is somebody's id.
  expect(isPlain({ 'docs/adrs/a.md': one, 'ADR-0001': { id: 'ADR-0001', kind: 'code' } })).toBe(false)
})

test('orphans of a plain graph: no edge is read but by search', () => {
  const store = shelve({ 'docs/a.md': { id: 'ADR-0001' } })
  const plan = store.db.prepare(`EXPLAIN QUERY PLAN ${UNMET_SQL}`).all() as { detail: string }[]
  store.close()
  const details = plan.map(({ detail }) => detail)
  expect(details.filter((detail) => /^SCAN (?!n USING COVERING INDEX)/.test(detail))).toEqual([])
  expect(details.filter((detail) => /^SEARCH e USING COVERING INDEX edge_up/.test(detail))).toHaveLength(2)
})
