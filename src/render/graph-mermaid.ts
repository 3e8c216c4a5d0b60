// Answers of the artifact graph as Mermaid flowcharts in a Markdown fence: valid for any title and id, since nodes are
// numbered and their names are quoted. Mermaid refuses large diagrams, so what does not fit is left out, and a comment
// says so. The surprise: what is kept is what lies nearest to the queried node, so that the rest hangs together.

import type { CyclesView, OrphansView, TraversalView } from '../model/artifact-views.ts'
import { groupBy } from '../model/group.ts'
import { CYCLES_CAPPED, NO_CYCLES, NO_ORPHANS, orphanGroups } from './graph-flat.ts'
import { allNodes, pairsOf } from './graph-pairs.ts'
import { type GraphTextOptions, nodeLabel, onOneLine } from './graph-text.ts'

/** Below what Mermaid takes by default: 500 edges, 50,000 characters. */
const MOST_EDGES = 450
const MOST_CHARACTERS = 45_000
/** Kept free for the fence, the direction and the comments. */
const RESERVED = 600

interface Edge {
  readonly from: string
  readonly to: string
  readonly type: string
  readonly derived: boolean
}

/** Takes nodes and edges as long as the diagram stays within Mermaid's limits; both sets keep what was taken. */
class Room {
  readonly nodes = new Set<string>()
  readonly edges = new Set<Edge>()
  #left = MOST_CHARACTERS - RESERVED
  readonly #labelOf: (id: string) => string

  constructor(labelOf: (id: string) => string) {
    this.#labelOf = labelOf
  }

  /** False where it no longer fits. */
  addNode(id: string): boolean {
    return this.#take(this.#costOf(id), () => this.nodes.add(id))
  }

  /** Adds the edge and those of its ends that are not there yet, or nothing at all. */
  addEdge(edge: Edge): boolean {
    if (this.edges.size >= MOST_EDGES) return false
    const cost = edgeLine('n00000', 'n00000', edge).length + this.#costOf(edge.from) + this.#costOf(edge.to)
    return this.#take(cost, () => {
      this.nodes.add(edge.from).add(edge.to)
      this.edges.add(edge)
    })
  }

  #costOf(id: string): number {
    return this.nodes.has(id) ? 0 : nodeLine('n00000', this.#labelOf(id)).length + 2
  }

  #take(cost: number, add: () => void): boolean {
    if (cost > this.#left) return false
    this.#left -= cost
    add()
    return true
  }
}

/**
 * Nodes by id, one edge per two nodes: solid where authored, dotted where derived (sheet §9, cases 01 and 04). `impact`
 * and `chain` point down, `ancestors` up. Ends in a line feed.
 */
export function traversalMermaid(view: TraversalView, options: GraphTextOptions): string {
  const isUpward = view.verb === 'ancestors'
  const edges = pairsOf(view.dependencies, isUpward ? 'fromDown' : 'fromUp').map(({ down, up, type, derived }) =>
    isUpward ? { from: down, to: up, type, derived } : { from: up, to: down, type, derived },
  )
  const nodes = allNodes(view)
  const labels = new Map(nodes.map((node) => [node.id, quoted(nodeLabel(node, options))]))
  const labelOf = (id: string): string => labels.get(id) ?? ''
  const room = new Room(labelOf)
  room.addNode(view.queried.id)
  for (const edge of nearestFirst(view.queried.id, edges)) if (!room.addEdge(edge)) break
  const numbers = numbered(nodes.map(({ id }) => id).filter((id) => room.nodes.has(id)))
  const lines = [...numbers].map(([id, number]) => nodeLine(number, labelOf(id)))
  const kept = groupBy(
    [...edges].filter((edge) => room.edges.has(edge)),
    ({ from }) => from,
  )
  for (const id of numbers.keys()) lines.push(...edgeLines(kept.get(id) ?? [], numbers))
  if (room.edges.size < edges.length) lines.push(leftOut(room.edges.size, edges.length, 'relations'))
  return fenced(isUpward ? 'BT' : 'TB', lines)
}

/** Edges in the order in which a walk from `start`, along and against them, comes upon them. */
function nearestFirst(start: string, edges: readonly Edge[]): Iterable<Edge> {
  const outgoing = groupBy(edges, ({ from }) => from)
  const incoming = groupBy(edges, ({ to }) => to)
  const found = new Set<Edge>()
  const nodes = new Set([start])
  // A set may grow while it is walked through: new nodes come last.
  for (const id of nodes) {
    for (const edge of [...(outgoing.get(id) ?? []), ...(incoming.get(id) ?? [])]) {
      found.add(edge)
      nodes.add(edge.from).add(edge.to)
    }
  }
  return found
}

/** A subgraph per category of orphans that has any. */
export function orphansMermaid(view: OrphansView, options: GraphTextOptions): string {
  const room = new Room((label) => label)
  const lines: string[] = []
  let shown = 0
  let all = 0
  for (const [i, { title, sentence, entries }] of orphanGroups(view, options).entries()) {
    const labels = sentence === null ? entries.map(({ label }) => label) : [onOneLine(sentence, options.terminal)]
    all += labels.length
    const kept: string[] = []
    for (const label of labels) {
      // The same file may stand in two categories only by mistake; its place in the set is by category.
      if (!room.addNode(`${i} ${quoted(label)}`)) break
      kept.push(`  ${nodeLine(`n${shown++}`, quoted(label))}`)
    }
    if (kept.length > 0) lines.push(`  subgraph c${i}["${title}"]\n`, ...kept, '  end\n')
  }
  if (all === 0) lines.push(`  %% ${NO_ORPHANS}\n`)
  if (shown < all) lines.push(leftOut(shown, all, 'entries'))
  return fenced('TB', lines)
}

/** The nodes and the edges of all cycles, each once, as they were written. */
export function cyclesMermaid(view: CyclesView, options: GraphTextOptions): string {
  const labelOf = (id: string): string => quoted(onOneLine(id, options.terminal))
  const room = new Room(labelOf)
  const edges = new Map<string, Edge>()
  for (const { source, type, target } of view.cycles.flatMap((cycle) => cycle.edges)) {
    edges.set(JSON.stringify([source, type, target]), { from: source, to: target, type, derived: false })
  }
  for (const edge of edges.values()) if (!room.addEdge(edge)) break
  const numbers = numbered(room.nodes)
  const lines = [...numbers].map(([id, number]) => nodeLine(number, labelOf(id)))
  lines.push(...edgeLines(room.edges, numbers))
  if (view.cycles.length === 0) lines.push(`  %% ${NO_CYCLES}\n`)
  if (room.edges.size < edges.size) lines.push(leftOut(room.edges.size, edges.size, 'relations'))
  if (view.capped) lines.push(`  %% ${CYCLES_CAPPED}\n`)
  return fenced('TB', lines)
}

function numbered(ids: Iterable<string>): Map<string, string> {
  return new Map([...ids].map((id, i) => [id, `n${i}`]))
}

function nodeLine(number: string, label: string): string {
  return `  ${number}["${label}"]\n`
}

function edgeLines(edges: Iterable<Edge>, numbers: ReadonlyMap<string, string>): string[] {
  return [...edges].map((edge) => edgeLine(numbers.get(edge.from) ?? '', numbers.get(edge.to) ?? '', edge))
}

function edgeLine(from: string, to: string, { type, derived }: Edge): string {
  return derived ? `  ${from} -. "${type} (derived)" .-> ${to}\n` : `  ${from} -- "${type}" --> ${to}\n`
}

function leftOut(shown: number, all: number, what: string): string {
  return `  %% ${shown} of ${all} ${what} shown: a diagram stops at ${MOST_EDGES} relations or ${MOST_CHARACTERS} characters.\n`
}

function fenced(direction: string, lines: readonly string[]): string {
  return `\`\`\`mermaid\nflowchart ${direction}\n${lines.join('')}\`\`\`\n`
}

/**
 * A label that Mermaid takes for nothing but a label: no closing quote, entity, directive or comment (`%%`), Markdown
 * string (a back-tick in front), HTML attribute (`=` before the closing quote, which Mermaid would rewrite) or style (of
 * which it would drop the last semicolon).
 */
function quoted(label: string): string {
  return label
    .replaceAll(/#(?=\w+;)/g, '#35;')
    .replaceAll('"', '#quot;')
    .replaceAll(/%(?=%)/g, '#37;')
    .replace(/^`/, '#96;')
    .replace(/=$/, '#61;')
    .replaceAll(/(?:s(?=tyle)|c(?=lassDef))(?=.*:\S*#.*;)/g, (letter) => `#${letter.charCodeAt(0)};`)
}
