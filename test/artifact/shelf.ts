// What the artifact tests share: a memory store filled with facts by hand, and the graph of it. Free of files.

import type { AliasFact, EdgeFact, Facts, NodeFact, ProblemFact } from '../../src/model/facts.ts'
import { FAMILY_BIT } from '../../src/model/families.ts'
import type { ConventionName, Layout, ModuleLayout } from '../../src/model/layout.ts'
import { EDGE, EDGE_TYPES, FILE_STATE, KIND } from '../../src/model/vocabulary.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { Writer } from '../../src/store/writer.ts'

/** One file and what it says. The kind of its node goes by the id; edges are `[field, target]`. */
export interface Page {
  readonly id: string | null
  /** Whose words they are, where the file is no node itself. */
  readonly author?: string
  readonly title?: string
  readonly status?: string
  readonly edges?: readonly (readonly [type: keyof typeof EDGE, target: string, note?: object])[]
  readonly aliases?: readonly string[]
  readonly problems?: readonly ProblemFact[]
  readonly kind?: keyof typeof KIND
  readonly size?: number
}

const AUTHOR_IS_UP = new Set<number>(EDGE_TYPES.filter(({ authorIsUp }) => authorIsUp).map(({ id }) => id))

function kindOf(id: string): keyof typeof KIND {
  const bare = id.replace(/^\[.*\]\//, '')
  if (bare.startsWith('ADR')) return 'adr'
  if (bare.startsWith('SPEC')) return 'spec'
  return bare.startsWith('CHANGE') ? 'change' : 'code'
}

function factsOf(page: Page): Facts {
  const { id, author = id, title = null, status = null, edges = [], aliases = [], problems = [] } = page
  if (author === null) return { nodes: [], edges: [], problems }
  const node: NodeFact = { id: author, kind: KIND[page.kind ?? kindOf(author)], own: true, title, status, line: null }
  const written = edges.map(([name, target, note], i): EdgeFact => {
    const type = EDGE[name]
    const reverse = note !== undefined && 'reverse' in note
    const [up, down] = AUTHOR_IS_UP.has(type) !== reverse ? [author, target] : [target, author]
    return { up, down, type, line: i + 2, note: note === undefined ? null : JSON.stringify(note) }
  })
  const names = aliases.map((ref): AliasFact => ({ ref, id: author }))
  return { nodes: id === null ? [] : [node], edges: written, problems, aliases: names }
}

/** A memory store with these files, by path. */
export function shelve(pages: Readonly<Record<string, Page>>): Store {
  const store = openMemoryStore()
  store.write(() => {
    const writer = new Writer(store)
    for (const [key, page] of Object.entries(pages)) {
      const code = (page.kind ?? kindOf(page.id ?? page.author ?? key)) === 'code'
      const family = code ? FAMILY_BIT.code : FAMILY_BIT.artifact
      const record = { key, family, size: page.size ?? 100, stat: null, oid: Buffer.alloc(20, 7), state: FILE_STATE.ok }
      writer.replaceFile(record, factsOf(page))
    }
    writer.finish()
  })
  return store
}

function moduleWith(name: string | null, path: string, convention: ConventionName): ModuleLayout {
  const use = { name: convention, kind: 'adr', folder: 'docs/adrs', why: 'said so' } as const
  return { name, path, present: true, conventions: [use] }
}

export const STRICT: Layout = { modules: [moduleWith(null, '', 'sdd')], notes: [] }
export const LENIENT: Layout = { modules: [moduleWith(null, '', 'adr-numbered')], notes: [] }
/** A harbour of two quays beside the strict root. */
export const HARBOUR: Layout = {
  modules: [
    moduleWith(null, '', 'sdd'),
    moduleWith('north', 'quays/north', 'sdd'),
    moduleWith('south', 'quays/south', 'adr-numbered'),
  ],
  notes: [],
}
