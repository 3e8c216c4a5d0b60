// Edges as they are listed: each relation as its author wrote it, and the inverse that is derived from it (seed "Inverse
// Edge Derivation"). Pure. The surprise: `related` has a derived mirror only where nobody wrote the mirror, and none
// on itself, so the derived edges are not just as many as the authored ones.

import type { Dependency, Relation, ShownEdge } from '../model/artifact-views.ts'
import { compareUtf16 } from '../model/order.ts'

/** A test for relations that have a derived inverse. */
export function inverseTest(relations: readonly Relation[]): (relation: Relation) => boolean {
  const mirrors = new Set<string>()
  for (const { source, type, target, inverse } of relations) if (type === inverse) mirrors.add(`${source}\n${target}`)
  return ({ source, type, target, inverse }) => type !== inverse || !mirrors.has(`${target}\n${source}`)
}

export function authoredEdge({ source, type, target, requirements }: Relation): ShownEdge {
  return { source, type, target, derived: false, requirements }
}

export function derivedEdge({ source, inverse, target, requirements }: Relation): ShownEdge {
  return { source: target, type: inverse, target: source, derived: true, requirements }
}

/** A walked relation as a dependency; both ends hold it under a name of their own. */
export function dependencyOf(relation: Relation): Dependency {
  const { source, target, authorIsUp, requirements } = relation
  const authored = { type: relation.type, derived: false }
  const derived = { type: relation.inverse, derived: true }
  return authorIsUp
    ? { down: target, up: source, fromDown: derived, fromUp: authored, requirements }
    : { down: source, up: target, fromDown: authored, fromUp: derived, requirements }
}

/** By target, type, derived (sheet artifact-graph §8). */
export function compareEdges(a: ShownEdge, b: ShownEdge): number {
  return compareUtf16(a.target, b.target) || compareUtf16(a.type, b.type) || Number(a.derived) - Number(b.derived)
}
