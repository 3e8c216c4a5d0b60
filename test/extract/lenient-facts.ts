// What the tests of lenient artifacts share: one decision of a bakery, and facts as lines that can be read. An edge is
// shown as "down -type-> up", so that who depends on whom can be seen.

import { artifactExtractor } from '../../src/extract/artifact.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import type { Facts } from '../../src/model/facts.ts'
import type { ConventionUse, Layout } from '../../src/model/layout.ts'
import { EDGE_TYPES, KINDS } from '../../src/model/vocabulary.ts'

export const NUMBERED: ConventionUse = { name: 'adr-numbered', kind: 'adr', folder: 'docs/adr', why: '' }

export function layoutOf(conventions: readonly ConventionUse[]): Layout {
  return { modules: [{ name: null, path: '', present: true, conventions }], notes: [] }
}

export function factsIn(layout: Layout, file: string, text: string): Facts {
  return artifactExtractor.extract(
    { path: file, text, lines: () => text.split('\n') },
    { config: DEFAULT_CONFIG, layout },
  )
}

/** One decision of a bakery, named as most are. */
export function adr(text: string, file = 'docs/adr/0042-use-rye.md'): Facts {
  return factsIn(layoutOf([NUMBERED]), file, text)
}

export function edgesOf({ edges }: Facts): string[] {
  return edges.map(({ up, down, type, note }) => {
    const name = EDGE_TYPES.find(({ id }) => id === type)?.name
    const { text, reverse, how } = JSON.parse(note ?? '{}')
    const extra = [how, reverse === true ? 'reverse' : '', text ?? ''].filter((word) => word !== '').join(' | ')
    return `${down} -${name}-> ${up} (${extra})`
  })
}

export function nodesOf({ nodes }: Facts): string[] {
  return nodes.map(({ id, kind, title, status }) => {
    const name = KINDS.find((known) => known.id === kind)?.name
    return `${name} ${id} | ${title} | ${status}`
  })
}
