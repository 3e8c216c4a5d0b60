// Answers of the artifact graph as Markdown tables. Every row is one line and every cell one cell, whatever a title or a
// path holds. The surprise: a dependency is always named as its dependent holds it, but stands under the *result*, so
// the rows of an ancestor start with the node that is depended on (case 14).

import type { CyclesView, Dependency, OrphansView, TraversalView } from '../model/artifact-views.ts'
import { groupBy } from '../model/group.ts'
import { CYCLES_CAPPED, NO_CYCLES, NO_ORPHANS, orphanGroups } from './graph-flat.ts'
import { type GraphTextOptions, gathered, onOneLine } from './graph-text.ts'

const TRAVERSAL_COLUMNS = ['ID', 'Type', 'Edge type', 'Linked artifact', 'Authored']

/** One row per dependency of each result (sheet §9). Nothing found: one sentence. */
export function traversalTable(view: TraversalView, options: GraphTextOptions): Iterable<string> {
  return gathered(traversalRows(view, options))
}

function* traversalRows(view: TraversalView, options: GraphTextOptions): Generator<string> {
  if (view.results.length === 0) {
    yield `${emptySentence(view, options)}\n`
    return
  }
  yield* head(TRAVERSAL_COLUMNS)
  const cell = (text: string): string => escaped(onOneLine(text, options.terminal))
  const byDown = groupBy(view.dependencies, ({ down }) => down)
  const byUp = groupBy(view.dependencies, ({ up }) => up)
  const isAbove = (id: string): boolean => id === view.queried.id || view.upward.has(id)
  const row = (id: string, kind: string, linked: string, { fromDown, requirements }: Dependency): string => {
    const names = options.tableRequirements === true ? requirements.map((name) => ` REQ "${name}"`).join('') : ''
    return line([cell(id), kind, fromDown.type, cell(linked + names), fromDown.derived ? 'derived' : 'authored'])
  }
  for (const { node } of view.results) {
    const { id, kind } = node
    if (view.downward.has(id)) {
      for (const dependency of byDown.get(id) ?? []) yield row(id, kind, dependency.up, dependency)
    }
    if (view.upward.has(id)) {
      for (const dependency of byUp.get(id) ?? []) {
        if (isAbove(dependency.down)) yield row(id, kind, dependency.down, dependency)
      }
    }
  }
}

function emptySentence({ verb, queried }: TraversalView, options: GraphTextOptions): string {
  const id = onOneLine(queried.id, options.terminal)
  switch (verb) {
    case 'impact':
      return `Nothing depends on ${id}.`
    case 'ancestors':
      return `${id} depends on nothing.`
    case 'chain':
      return `${id} depends on nothing, and nothing depends on it.`
  }
}

/** A heading and a table per category that has any (sheet §9). */
export function orphansTable(view: OrphansView, options: GraphTextOptions): Iterable<string> {
  return gathered(orphanRows(view, options))
}

function* orphanRows(view: OrphansView, options: GraphTextOptions): Generator<string> {
  const groups = orphanGroups(view, options)
  if (groups.length === 0) yield `${NO_ORPHANS}\n`
  let isFirst = true
  for (const { title, columns, sentence, entries } of groups) {
    yield `${isFirst ? '' : '\n'}## ${title}\n\n`
    isFirst = false
    if (sentence !== null) yield `${onOneLine(sentence, options.terminal)}\n`
    else yield* head(columns)
    for (const { cells } of entries) {
      yield line(cells.map(({ text, isFile }) => (isFile ? code(text) : escaped(text))))
    }
  }
}

/** One row per cycle: its types and its path (case 05). */
export function cyclesTable(view: CyclesView, options: GraphTextOptions): Iterable<string> {
  return gathered(cycleRows(view, options))
}

function* cycleRows(view: CyclesView, options: GraphTextOptions): Generator<string> {
  if (view.cycles.length === 0) {
    yield `${NO_CYCLES}\n`
    return
  }
  yield* head(['Types', 'Cycle'])
  for (const { types, path } of view.cycles) {
    const ids = path.map((id) => escaped(onOneLine(id, options.terminal)))
    yield line([types.join(', '), ids.join(' -> ')])
  }
  if (view.capped) yield `\n${CYCLES_CAPPED}\n`
}

function* head(columns: readonly string[]): Generator<string> {
  yield line(columns)
  yield `|${columns.map((column) => '-'.repeat(column.length + 2)).join('|')}|\n`
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')
}

/** A path as code. Inside code a backslash cannot be escaped, so paths with one (or a back-tick) are plain text. */
function code(path: string): string {
  return /[`\\]/.test(path) ? escaped(path).replaceAll('`', '\\`') : `\`${path.replaceAll('|', '\\|')}\``
}
