// Numbers in ids: which number an artifact has, and the next free one. Pure. The surprise: a date in front of a slug is
// no number, and neither is a capability's name, so there need not be a next id.

import type { ArtifactNode } from '../model/artifact-views.ts'
import { withoutModule } from './diagnostics.ts'
import type { ArtifactGraph } from './graph.ts'

/** The number of an artifact: `ADR-0007`, `ADR-0007-slug`, `SPEC:002-merkle`; null where it has none. */
export function numberOf({ id, kind }: ArtifactNode): number | null {
  if (kind !== 'adr' && kind !== 'spec') return null
  const digits = /^(?:ADR|SPEC)[-:](\d{1,6})(?=$|-)/.exec(withoutModule(id))?.[1]
  return digits === undefined ? null : Number(digits)
}

/**
 * The id that the next artifact of a kind may take in a module (null is the root), without the module's prefix: one more
 * than the highest number in use, numbers of further files with one number counted. Folders that carry numbers get the
 * number alone (`003-`). Null where the artifacts of that kind carry none.
 */
export function nextId(graph: ArtifactGraph, kind: 'adr' | 'spec', module: string | null): string | null {
  const nodes = [...graph.nodes.values()].filter((node) => node.kind === kind && node.module === module)
  const prefix = kind === 'adr' ? 'ADR' : 'SPEC'
  if (nodes.length === 0) return `${prefix}-0001`
  const numbered = nodes.filter((node) => numberOf(node) !== null)
  if (numbered.length === 0) return null
  const highest = numbered.reduce((most, node) => Math.max(most, numberOf(node) ?? 0), 0)
  const inFolders = numbered.every(({ id }) => withoutModule(id).startsWith(`${prefix}:`))
  return inFolders ? `${String(highest + 1).padStart(3, '0')}-` : `${prefix}-${String(highest + 1).padStart(4, '0')}`
}
