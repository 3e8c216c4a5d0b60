// impact, ancestors and chain: what is reached is asked of the database, what the answer shows of it comes from the
// loaded graph. The surprise: with --module the whole graph is walked and the answer is cut, so a result may have been
// reached by way of another module and show no edge.

import type {
  ArtifactNode,
  Dependency,
  Relation,
  ShownEdge,
  TraversalVerb,
  TraversalView,
} from '../model/artifact-views.ts'
import { compareUtf16 } from '../model/order.ts'
import { artifactReach } from '../store/queries/artifact-reach.ts'
import type { Store } from '../store/store.ts'
import { authoredEdge, compareEdges, dependencyOf, derivedEdge, inverseTest } from './edges.ts'
import type { ArtifactGraph } from './graph.ts'
import { ModuleCut } from './modules.ts'

/**
 * The answer of a traversal verb from `queried`, a node of the graph; `module` as chosenModule() gave it. The graph must
 * have been loaded from the same state of the store. Source of the rules: sheet artifact-graph §4, §8, §11.
 */
export function traverse(
  store: Store,
  graph: ArtifactGraph,
  verb: TraversalVerb,
  queried: ArtifactNode,
  module: string | null,
): TraversalView {
  const cut = new ModuleCut(module)
  const reach = (direction: 'up' | 'down', verbs: readonly TraversalVerb[]): readonly string[] => {
    if (!verbs.includes(verb)) return []
    const ids = artifactReach(store, direction, queried.id, graph.correction)
    return ids.filter((id) => cut.keeps(graph.nodes.get(id)?.module ?? null))
  }
  const up = reach('up', ['ancestors', 'chain'])
  const down = reach('down', ['impact', 'chain'])
  const reached = new Set([...up, ...down])
  const isShown = (id: string): boolean => reached.has(id) || id === queried.id
  // Cut last: without its prefix an id of the module may be one of the root.
  const relations = cut.relations(graph.relations.filter(({ source, target }) => isShown(source) && isShown(target)))
  const upward = new Set(up.map((id) => cut.id(id)))
  const start = cut.node(queried)
  const held = heldEdges(relations)
  const led = leadingEdges(relations, upward, start.id)
  const results = [...reached].map((id) => {
    const node = cut.node(graph.nodes.get(id) ?? queried)
    const own = (held.get(node.id) ?? []).sort(compareEdges)
    return { node, edges: [...own, ...(led.get(node.id) ?? []).sort(compareLeading)] }
  })
  return {
    verb,
    queried: start,
    scopeModule: module,
    results: results.sort((a, b) => compareUtf16(a.node.id, b.node.id)),
    upward,
    downward: new Set(down.map((id) => cut.id(id))),
    dependencies: relations
      .filter(({ walked }) => walked)
      .map(dependencyOf)
      .sort(compareDependencies),
  }
}

/** Every listed edge by the node that holds it. */
function heldEdges(relations: readonly Relation[]): Map<string, ShownEdge[]> {
  const hasInverse = inverseTest(relations)
  const held = new Map<string, ShownEdge[]>()
  for (const relation of relations) {
    add(held, relation.source, authoredEdge(relation))
    if (hasInverse(relation)) add(held, relation.target, derivedEdge(relation))
  }
  return held
}

/** By the node that is depended on: the edges by which something upward, or the queried node, led to it. */
function leadingEdges(
  relations: readonly Relation[],
  upward: ReadonlySet<string>,
  queried: string,
): Map<string, ShownEdge[]> {
  const led = new Map<string, ShownEdge[]>()
  for (const relation of relations) {
    if (!relation.walked) continue
    const [down, up] = relation.authorIsUp ? [relation.target, relation.source] : [relation.source, relation.target]
    if (!upward.has(up) || (down !== queried && !upward.has(down))) continue
    add(led, up, relation.authorIsUp ? derivedEdge(relation) : authoredEdge(relation))
  }
  return led
}

function add(lists: Map<string, ShownEdge[]>, id: string, edge: ShownEdge): void {
  const list = lists.get(id)
  if (list === undefined) lists.set(id, [edge])
  else list.push(edge)
}

function compareLeading(a: ShownEdge, b: ShownEdge): number {
  return compareUtf16(a.source, b.source) || compareEdges(a, b)
}

function compareDependencies(a: Dependency, b: Dependency): number {
  return compareUtf16(a.down, b.down) || compareUtf16(a.up, b.up) || compareUtf16(a.fromDown.type, b.fromDown.type)
}
