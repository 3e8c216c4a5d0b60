// impact and ancestors, asked of the database, against a walk over the pages themselves that knows nothing of keys,
// rows or corrections: names are resolved anew, and the walk is a plain search. And each is the other's inverse.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadGraph } from '../../src/artifact/graph.ts'
import { traverse } from '../../src/artifact/traverse.ts'
import { ARTIFACT_REACH_SQL } from '../../src/store/queries/artifact-reach.ts'
import { effort } from '../support/effort.ts'
import { LENIENT, type Page, STRICT, shelve } from './shelf.ts'

type EdgeName = NonNullable<Page['edges']>[number][0]

/** Who may say it of whom, in the seed's words, and whether the one who says it is what the other depends on. */
const RULES: Readonly<Partial<Record<EdgeName, { joins: string; up: boolean; walked: boolean }>>> = {
  supersedes: { joins: 'adr adr|spec spec', up: false, walked: true },
  extends: { joins: 'adr adr|spec spec', up: false, walked: true },
  implements: { joins: 'spec adr', up: false, walked: true },
  requiresSpec: { joins: 'spec spec', up: false, walked: true },
  enables: { joins: 'adr adr', up: true, walked: true },
  governs: { joins: 'adr spec', up: true, walked: true },
  related: { joins: 'adr adr', up: false, walked: false },
}
/** What other conventions may say beyond that. */
const MORE: Readonly<Partial<Record<EdgeName, string>>> = {
  implements: 'spec spec',
  requiresSpec: 'adr adr|adr spec|spec adr',
  enables: 'spec spec',
}

const kindOf = (id: string): string => (id.startsWith('ADR') ? 'adr' : id.startsWith('SPEC') ? 'spec' : 'code')

/** Ids of a small world, so that edges meet, miss, and repeat. */
const anyId = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map((n) => `ADR-000${n}`),
  fc.integer({ min: 1, max: 5 }).map((n) => `SPEC-000${n}`),
)
const target = fc.oneof(
  { weight: 8, arbitrary: anyId },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 11 }).map((n) => `name-${n}`) },
  { weight: 1, arbitrary: fc.constantFrom('name-shared', 'ADR-9999', 'src/f0.ts') },
)
const artifactEdge = fc.tuple(
  fc.constantFrom<EdgeName>('supersedes', 'extends', 'implements', 'requiresSpec', 'enables', 'governs', 'related'),
  target,
)
const worlds = fc.record({
  artifacts: fc.array(fc.tuple(anyId, fc.array(artifactEdge, { maxLength: 3 }), fc.boolean()), { maxLength: 12 }),
  code: fc.array(
    fc.array(fc.tuple(fc.constantFrom<EdgeName>('codeGovernedBy', 'codeImplements'), target), { maxLength: 2 }),
    {
      maxLength: 3,
    },
  ),
  strict: fc.boolean(),
})
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never

function pagesOf({ artifacts, code, strict }: World): Record<string, Page> {
  const pages: Record<string, Page> = {}
  artifacts.forEach(([id, edges, shares], i) => {
    const aliases = strict ? [] : [`name-${i}`, ...(shares ? ['name-shared'] : [])]
    // Later letters first, so that the first path is not the first row.
    pages[`docs/${String.fromCharCode(122 - i)}.md`] = { id, edges: repeated(edges), aliases }
  })
  code.forEach((edges, i) => {
    pages[`src/f${i}.ts`] = { id: `src/f${i}.ts`, edges: repeated(edges) }
  })
  return pages
}

/** An author says a thing once. */
function repeated<T extends readonly unknown[]>(edges: readonly T[]): T[] {
  return [...new Map(edges.map((edge) => [edge.join(' '), edge])).values()]
}

/** Dependencies by the names that the graph gives its nodes. */
function plainly(
  pages: Readonly<Record<string, Page>>,
  strict: boolean,
): { ids: Set<string>; ups: Map<string, Set<string>> } {
  const paths = Object.keys(pages).sort()
  const nameOf = new Map<string, string>()
  const ids = new Set<string>()
  for (const path of paths) {
    const { id, aliases = [] } = pages[path] as Page
    const name = !ids.has(id ?? '') ? (id ?? '') : strict ? '' : (aliases[0] ?? '')
    if (name === '') continue
    ids.add(name)
    nameOf.set(path, name)
  }
  const resolve = (typed: string): string | null => {
    if (ids.has(typed)) return typed
    const owners = [...nameOf].filter(([path]) => (pages[path]?.aliases ?? []).includes(typed))
    return owners.length === 1 ? (owners[0]?.[1] ?? null) : null
  }
  const idOf = new Map([...nameOf].map(([path, name]) => [name, pages[path]?.id ?? '']))
  const ups = new Map<string, Set<string>>()
  for (const [path, name] of nameOf) {
    for (const [type, typed] of pages[path]?.edges ?? []) {
      const other = resolve(typed)
      if (other === null) continue
      const rule = RULES[type] ?? { joins: 'code adr|code spec', up: false, walked: true }
      const pair = `${kindOf(idOf.get(name) ?? '')} ${kindOf(idOf.get(other) ?? '')}`
      const joins = strict ? rule.joins : `${rule.joins}|${MORE[type] ?? ''}`
      if (!joins.split('|').includes(pair) || !rule.walked) continue
      const [down, up] = rule.up ? [other, name] : [name, other]
      ups.set(down, (ups.get(down) ?? new Set()).add(up))
    }
  }
  return { ids, ups }
}

function reachable(start: string, ups: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>()
  const queue = [start]
  for (const id of queue) {
    for (const up of ups.get(id) ?? []) {
      if (found.has(up)) continue
      found.add(up)
      queue.push(up)
    }
  }
  found.delete(start)
  return found
}

test('equals a plain walk over the pages, and impact is the inverse of ancestors', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const pages = pagesOf(world)
      const store = shelve(pages)
      const graph = loadGraph(store, world.strict ? STRICT : LENIENT)
      const { ids, ups } = plainly(pages, world.strict)
      expect(new Set(graph.nodes.keys())).toEqual(ids)
      const impacts = new Map<string, ReadonlySet<string>>()
      for (const node of graph.nodes.values()) {
        const { upward, downward } = traverse(store, graph, 'chain', node, null)
        expect(upward).toEqual(reachable(node.id, ups))
        expect(traverse(store, graph, 'ancestors', node, null).upward).toEqual(upward)
        expect(traverse(store, graph, 'impact', node, null).downward).toEqual(downward)
        impacts.set(node.id, downward)
      }
      for (const id of ids) {
        for (const up of reachable(id, ups)) expect(impacts.get(up)).toContain(id)
        for (const down of impacts.get(id) ?? []) expect(reachable(down, ups)).toContain(id)
      }
      store.close()
    }),
    { numRuns: effort(150, 3000) },
  )
})

test('an edge of the answer has both ends in it, and every result hangs on the queried node', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const store = shelve(pagesOf(world))
      const graph = loadGraph(store, world.strict ? STRICT : LENIENT)
      for (const node of graph.nodes.values()) {
        const { results, dependencies, queried } = traverse(store, graph, 'ancestors', node, null)
        const shown = new Set([queried.id, ...results.map((result) => result.node.id)])
        const ups = new Map<string, Set<string>>()
        for (const { down, up } of dependencies) ups.set(down, (ups.get(down) ?? new Set()).add(up))
        expect(reachable(queried.id, ups).size).toBe(results.length)
        for (const { edges } of results) {
          for (const { source, target } of edges) expect(shown.has(source) && shown.has(target)).toBe(true)
        }
      }
      store.close()
    }),
    { numRuns: effort(60, 1000) },
  )
})

test.each(Object.entries(ARTIFACT_REACH_SQL))('%s: no table is read whole for a step', (_name, sql) => {
  const store = shelve({ 'docs/a.md': { id: 'ADR-0001' } })
  const plan = store.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ start: '', without: '[]', also: '[]' }) as {
    detail: string
  }[]
  const details = plan.map(({ detail }) => detail)
  expect(details.filter((detail) => /^SCAN (?:e|n|k|key|edge|node)\b/.test(detail))).toEqual([])
  expect(
    details.some((detail) => /^SEARCH e USING COVERING INDEX edge_|^SEARCH e USING INDEX edge_/.test(detail)),
  ).toBe(true)
  store.close()
})
