// Views of the artifact graph for the renderers' tests, made from relations as an author would write them. No test of its
// own. It must stay independent of artifact/: what it derives, it derives by the plain table below.

import type {
  ArtifactKind,
  ArtifactNode,
  Dependency,
  ShownEdge,
  TraversalVerb,
  TraversalView,
} from '../../src/model/artifact-views.ts'
import { groupBy } from '../../src/model/group.ts'

/** Type as written → its inverse, and whether its author is the one depended on. */
const TYPES: Readonly<Record<string, readonly [string, boolean]>> = {
  supersedes: ['superseded-by', false],
  extends: ['extended-by', false],
  enables: ['enabled-by', true],
  governs: ['governed-by', true],
  implements: ['implemented-by', false],
  requires: ['depended-on-by', false],
  related: ['related', false],
  'governed-by': ['governs', false],
}

export interface Written {
  readonly source: string
  readonly type: string
  readonly target: string
  readonly requirements?: readonly string[]
}

export const OPTIONS: { readonly titleMax: number; readonly terminal: boolean } = { titleMax: 60, terminal: false }

/** Kind by the look of the id: ADR-…, SPEC-…, anything else is a file. */
export function nodeOf(id: string, title = '', module: string | null = null): ArtifactNode {
  const bare = id.replace(/^\[.*\]\//, '')
  const kind: ArtifactKind = bare.startsWith('ADR-') ? 'adr' : bare.startsWith('SPEC-') ? 'spec' : 'code'
  return { id, kind, module, title, status: null, file: bare }
}

function dependencyOf({ source, type, target, requirements = [] }: Written): Dependency {
  const [inverse, authorIsUp] = TYPES[type] ?? ['', false]
  const authored = { type, derived: false }
  const derived = { type: inverse, derived: true }
  return authorIsUp
    ? { up: source, down: target, fromUp: authored, fromDown: derived, requirements }
    : { up: target, down: source, fromUp: derived, fromDown: authored, requirements }
}

/** The relation that a listed edge belongs to, as its author wrote it. */
export function writtenOf(edge: Pick<ShownEdge, 'source' | 'type' | 'target' | 'derived'>): Written {
  const { source, type, target, derived } = edge
  if (!derived) return { source, type, target }
  // The inverse `governs` is that of a comment, `governed-by` that of an ADR.
  const back = Object.entries(TYPES).find(([, [inverse]]) => inverse === type)?.[0] ?? ''
  return { source: target, type: back, target: source }
}

function by(...parts: readonly string[]): string {
  return parts.join('\u0000')
}

function sortedBy<T>(things: readonly T[], keyOf: (thing: T) => string): T[] {
  return [...things].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
}

/** Everything reached from `start` in one direction, without it. */
function reach(
  start: string,
  dependencies: readonly Dependency[],
  from: 'up' | 'down',
  to: 'up' | 'down',
): Set<string> {
  const next = new Map<string, string[]>()
  for (const one of dependencies) {
    const others = next.get(one[from])
    if (others === undefined) next.set(one[from], [one[to]])
    else others.push(one[to])
  }
  const found = new Set([start])
  for (const id of found) for (const other of next.get(id) ?? []) found.add(other)
  found.delete(start)
  return found
}

/** The view of a traversal over the relations given; `edges` of the results hold what they author. */
export function traversal(
  verb: TraversalVerb,
  id: string,
  nodes: readonly ArtifactNode[],
  written: readonly Written[],
): TraversalView {
  const all = written.filter(({ type }) => type !== 'related').map(dependencyOf)
  const unique = new Map(all.map((one) => [by(one.down, one.up, one.fromDown.type), one]))
  const dependencies = sortedBy([...unique.values()], (one) => by(one.down, one.up, one.fromDown.type))
  const upward = verb === 'impact' ? new Set<string>() : reach(id, dependencies, 'down', 'up')
  const downward = verb === 'ancestors' ? new Set<string>() : reach(id, dependencies, 'up', 'down')
  const isShown = (other: string): boolean => other === id || upward.has(other) || downward.has(other)
  const authored = groupBy(written, ({ source }) => source)
  const results = sortedBy(
    nodes.filter((node) => node.id !== id && isShown(node.id)),
    (node) => node.id,
  ).map((node) => {
    const own = (authored.get(node.id) ?? []).filter(({ target }) => isShown(target))
    return {
      node,
      edges: sortedBy(own, (edge) => by(edge.target, edge.type)).map(({ source, type, target, requirements = [] }) => {
        return { source, type, target, derived: false, requirements }
      }),
    }
  })
  return {
    verb,
    queried: nodes.find((node) => node.id === id) ?? nodeOf(id),
    scopeModule: null,
    results,
    upward,
    downward,
    dependencies: dependencies.filter(({ up, down }) => isShown(up) && isShown(down)),
  }
}
