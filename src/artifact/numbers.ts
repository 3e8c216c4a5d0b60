// Numbers in ids: which number an artifact has, and the next free one. Pure. The surprise: a date in front of a slug is
// no number, and neither is a capability's name, so there need not be a next id.

import { numberedName } from '../extract/conventions/names.ts'
import type { ArtifactNode } from '../model/artifact-views.ts'
import type { ConventionUse } from '../model/layout.ts'
import { withoutModule } from './diagnostics.ts'
import type { ArtifactGraph } from './graph.ts'

/** The number of an artifact: `ADR-0007`, `ADR-0007-slug`, `SPEC:002-merkle`; null where it has none. */
export function numberOf({ id, kind }: ArtifactNode): number | null {
  if (kind !== 'adr' && kind !== 'spec') return null
  const digits = /^(?:ADR|SPEC)[-:](\d{1,6})(?=$|-)/.exec(withoutModule(id))?.[1]
  return digits === undefined ? null : Number(digits)
}

/** The numbers that the names in the folder of a use take, whether or not what has them is an artifact yet. */
export function takenNumbers({ name, kind }: ConventionUse, names: readonly string[]): number[] {
  const digits = names.flatMap((entry) => {
    if (name === 'spec-kit') return /^\d{3,6}(?=-)/.exec(entry)?.[0] ?? []
    if (name === 'sdd' && kind === 'adr') return /^ADR-(\d{4})(?:-.*)?\.md$/s.exec(entry)?.[1] ?? []
    return name === 'adr-numbered' || name === 'backstage' ? (numberedName(entry)?.digits ?? []) : []
  })
  return digits.map(Number)
}

/** What ends in its number, as a custom convention makes ids; null for other templates. */
function customPrefix(uses: readonly ConventionUse[]): string | null {
  const [template, ...others] = new Set(uses.map(({ custom }) => custom?.id))
  if (template === undefined || others.length > 0 || !template.endsWith('{number}')) return null
  const prefix = template.slice(0, -'{number}'.length)
  return prefix.includes('{') ? null : prefix
}

/**
 * The id that the next artifact of a kind may take in a module (null is the root), without the module's prefix: one more
 * than the highest number in use, numbers of further files with one number and those that are `taken` by files that are no
 * artifacts (a copied template, what cannot be read) counted. Folders that carry numbers get the number alone (`003-`).
 * Null where the artifacts of that kind carry none.
 */
export function nextId(
  graph: ArtifactGraph,
  kind: 'adr' | 'spec',
  module: string | null,
  taken: readonly number[] = [],
): string | null {
  const nodes = [...graph.nodes.values()].filter((node) => node.kind === kind && node.module === module)
  const uses = (graph.layout.modules.find(({ name }) => name === module)?.conventions ?? []).filter(
    (use) => use.kind === kind,
  )
  const prefix = kind === 'adr' ? 'ADR' : 'SPEC'
  const own = customPrefix(uses)
  if (own !== null) {
    const digits = nodes.flatMap(({ id }) => /\d+$/.exec(withoutModule(id))?.[0] ?? [])
    const next = digits.reduce((most, one) => Math.max(most, Number(one)), 0) + 1
    return own + String(next).padStart(Math.max(0, ...digits.map(({ length }) => length)), '0')
  }
  const numbers = nodes.flatMap((node) => numberOf(node) ?? [])
  if (nodes.length > 0 && numbers.length === 0 && taken.length === 0) return null
  const next = [...numbers, ...taken].reduce((most, one) => Math.max(most, one), 0) + 1
  const numbered = nodes.filter((node) => numberOf(node) !== null)
  const inFolders =
    numbered.length > 0
      ? numbered.every(({ id }) => withoutModule(id).startsWith(`${prefix}:`))
      : uses.length > 0 && uses.every(({ name }) => name === 'spec-kit')
  return inFolders ? `${String(next).padStart(3, '0')}-` : `${prefix}-${String(next).padStart(4, '0')}`
}
