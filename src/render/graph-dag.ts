// Answers of the artifact graph as box-drawing trees, line by line: a deep or wide graph is never held as one text and
// never recursed into, so time is linear in what is written. What a line shows is decided by the views.
// The surprise: the tree of the ancestors grows upwards, so a node is written after everything above it. Which of a
// node's places is the expanded one is the same in both trees: depth first, siblings by id, the first one reached, which
// is also the one that stands highest on the page.

import type {
  ArtifactKind,
  ArtifactNode,
  Cycle,
  CyclesView,
  OrphansView,
  TraversalView,
} from '../model/artifact-views.ts'
import { groupBy } from '../model/group.ts'
import { CYCLES_CAPPED, NO_CYCLES, NO_ORPHANS, orphanGroups } from './graph-flat.ts'
import { allNodes, type Pair, pairsOf } from './graph-pairs.ts'
import { type GraphTextOptions, gathered, nodeLabel, onOneLine } from './graph-text.ts'

const ALREADY_SHOWN = ' (already shown)'
const QUERIED = ' (queried)'
/** Types whose arrow needs no label, by the kinds of its two ends (seed, Output Formats). */
const DEFAULT_TYPES: Readonly<Record<string, string>> = {
  'adr spec': 'governs',
  'spec spec': 'requires',
  'adr adr': 'extends',
}

/** How the nodes of one tree are named. */
interface Names {
  readonly label: (id: string) => string
  readonly kind: (id: string) => ArtifactKind | undefined
}

/** What of a node's neighbours is still to be written. */
interface Frame {
  readonly pairs: readonly Pair[]
  readonly prefix: string
  next: number
  /** Upward only: the node's own line, written below its ancestors. */
  readonly line: string
}

/**
 * The diagram of a traversal in chunks (sheet §9): `impact` grows down from the queried node, `ancestors` up from it,
 * `chain` both ways around it. Nothing found: one line says so, in a chain the queried node alone.
 */
export function traversalDag(view: TraversalView, options: GraphTextOptions): Iterable<string> {
  return gathered(traversalLines(view, options))
}

function* traversalLines(view: TraversalView, options: GraphTextOptions): Generator<string> {
  const { verb, queried, dependencies } = view
  const nodes = new Map(allNodes(view).map((node) => [node.id, node]))
  const names: Names = {
    label: (id) => labelOf(nodes.get(id), id, options),
    kind: (id) => nodes.get(id)?.kind,
  }
  const own = nodeLabel(queried, options)
  if (verb !== 'impact') {
    const above = groupBy(pairsOf(dependencies, 'fromDown'), ({ down }) => down)
    if (verb === 'ancestors' && !above.has(queried.id)) yield '(no ancestors)\n'
    yield* upward(queried.id, above, names)
  }
  yield `${own}${verb === 'impact' ? '' : QUERIED}\n`
  if (verb === 'ancestors') return
  const below = groupBy(pairsOf(dependencies, 'fromUp'), ({ up }) => up)
  if (verb === 'chain' && below.has(queried.id)) yield '│\n'
  if (verb === 'impact' && !below.has(queried.id)) yield '(no dependents)\n'
  yield* downward(queried.id, below, names)
}

function labelOf(node: ArtifactNode | undefined, id: string, options: GraphTextOptions): string {
  return node === undefined ? onOneLine(id, options.terminal) : nodeLabel(node, options)
}

/** Writes a node, then what is below it. */
function* downward(root: string, below: ReadonlyMap<string, readonly Pair[]>, names: Names): Generator<string> {
  const shown = new Set([root])
  const stack: Frame[] = [{ pairs: below.get(root) ?? [], prefix: '', next: 0, line: '' }]
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const pair = frame.pairs[frame.next++]
    if (pair === undefined) {
      stack.pop()
      continue
    }
    const { up, down } = pair
    const isLast = frame.next === frame.pairs.length
    const line = `${frame.prefix}${isLast ? '└' : '├'}${arrow(pair, names.kind(up), names.kind(down))} ${names.label(down)}`
    if (shown.has(down)) {
      yield `${line}${ALREADY_SHOWN}\n`
      continue
    }
    shown.add(down)
    yield `${line}\n`
    stack.push({ pairs: below.get(down) ?? [], prefix: frame.prefix + (isLast ? '  ' : '│ '), next: 0, line: '' })
  }
}

/** Writes what is above a node, then the node; the root itself is the caller's. */
function* upward(root: string, above: ReadonlyMap<string, readonly Pair[]>, names: Names): Generator<string> {
  const shown = new Set([root])
  const stack: Frame[] = [{ pairs: above.get(root) ?? [], prefix: '', next: 0, line: '' }]
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const pair = frame.pairs[frame.next++]
    if (pair === undefined) {
      stack.pop()
      if (frame.line !== '') yield frame.line
      continue
    }
    const { up, down } = pair
    const isFirst = frame.next === 1
    const line = `${frame.prefix}${isFirst ? '┌' : '├'}${arrow(pair, names.kind(down), names.kind(up))} ${names.label(up)}`
    if (shown.has(up)) {
      yield `${line}${ALREADY_SHOWN}\n`
      continue
    }
    shown.add(up)
    const prefix = frame.prefix + (isFirst ? '  ' : '│ ')
    stack.push({ pairs: above.get(up) ?? [], prefix, next: 0, line: `${line}\n` })
  }
}

/** Solid for authored, dashed for derived, labelled unless it is the usual type between two such nodes. */
function arrow(pair: Pair, holder: ArtifactKind | undefined, held: ArtifactKind | undefined): string {
  if (pair.derived) return `─ ─[${pair.type}]►`
  return DEFAULT_TYPES[`${holder} ${held}`] === pair.type ? '───►' : `─[${pair.type}]►`
}

/** Orphans as one block per category that has any, parted by a `▼` line (issue, decided questions). */
export function orphansDag(view: OrphansView, options: GraphTextOptions): Iterable<string> {
  return gathered(orphanLines(view, options))
}

function* orphanLines(view: OrphansView, options: GraphTextOptions): Generator<string> {
  const groups = orphanGroups(view, options)
  if (groups.length === 0) yield `${NO_ORPHANS}\n`
  let isFirst = true
  for (const { title, sentence, entries } of groups) {
    if (!isFirst) yield '▼\n'
    isFirst = false
    yield `${title}\n`
    if (sentence !== null) yield `└── ${onOneLine(sentence, options.terminal)}\n`
    for (const [i, { label }] of entries.entries()) yield `${i === entries.length - 1 ? '└' : '├'}── ${label}\n`
  }
}

/**
 * Cycles as one block per cycle, parted by an empty line: down the path, the first node again at the end. An arrow that
 * points left was written by the node below it.
 */
export function cyclesDag(view: CyclesView, options: GraphTextOptions): Iterable<string> {
  return gathered(cycleLines(view, options))
}

function* cycleLines(view: CyclesView, options: GraphTextOptions): Generator<string> {
  if (view.cycles.length === 0) yield `${NO_CYCLES}\n`
  for (const [i, cycle] of view.cycles.entries()) {
    if (i > 0) yield '\n'
    yield* cycleBlock(cycle, options)
  }
  if (view.capped) yield `\n${CYCLES_CAPPED}\n`
}

function* cycleBlock({ path, edges }: Cycle, options: GraphTextOptions): Generator<string> {
  const label = (id: string): string => onOneLine(id, options.terminal)
  const [first = ''] = path
  yield `${label(first)}\n`
  let prefix = ''
  for (const [i, id] of path.slice(1).entries()) {
    const edge = edges[i]
    const type = edge === undefined ? '' : `[${edge.type}]`
    const isForward = edge === undefined || (edge.source === path[i] && edge.target === id)
    const again = i === path.length - 2 ? ALREADY_SHOWN : ''
    yield `${prefix}└${isForward ? `─${type}►` : `◄${type}─`} ${label(id)}${again}\n`
    prefix += '  '
  }
}
