// One line per pair of nodes: of all the relations between the same two ends, the one that a diagram shows. The lists
// come sorted, so equal pairs stand together and nothing is sorted here.

import type { ArtifactNode, Dependency, TraversalView } from '../model/artifact-views.ts'

/** A dependency as one of its ends holds it. */
export interface Pair {
  readonly down: string
  readonly up: string
  readonly type: string
  readonly derived: boolean
}

/**
 * One pair per two nodes, in the order given, as its upper (`fromUp`) or lower (`fromDown`) node holds it: authored
 * before derived, then by the name of the type (sheet §4, dual authoring).
 */
export function pairsOf(dependencies: readonly Dependency[], held: 'fromUp' | 'fromDown'): Pair[] {
  const pairs: Pair[] = []
  for (const dependency of dependencies) {
    const { down, up } = dependency
    const { type, derived } = dependency[held]
    const pair = { down, up, type, derived }
    const last = pairs.at(-1)
    if (last === undefined || last.down !== down || last.up !== up) pairs.push(pair)
    else if (isBefore(pair, last)) pairs[pairs.length - 1] = pair
  }
  return pairs
}

function isBefore(a: Pair, b: Pair): boolean {
  return a.derived === b.derived ? a.type < b.type : b.derived
}

/** The queried node among its results, by id. */
export function allNodes(view: TraversalView): ArtifactNode[] {
  const nodes = view.results.map(({ node }) => node)
  const at = nodes.findIndex(({ id }) => id > view.queried.id)
  nodes.splice(at < 0 ? nodes.length : at, 0, view.queried)
  return nodes
}
