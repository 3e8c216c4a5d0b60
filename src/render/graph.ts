// Which renderer answers for which view and format: the one door for the commands. It renders nothing itself.

import type { CyclesView, OrphansView, TraversalView } from '../model/artifact-views.ts'
import { cyclesDag, orphansDag, traversalDag } from './graph-dag.ts'
import { cyclesJson, orphansJson, traversalJson } from './graph-json.ts'
import { cyclesMermaid, orphansMermaid, traversalMermaid } from './graph-mermaid.ts'
import { cyclesTable, orphansTable, traversalTable } from './graph-table.ts'
import type { GraphTextOptions } from './graph-text.ts'

export type GraphFormat = 'dag' | 'table' | 'mermaid' | 'json'

/**
 * The answer of a query verb in chunks, to be written one after the other. `format` null: by shape, the diagram for
 * traversals and the table for `orphans` and `cycles` (seed, Output Formats).
 */
export function graphAnswer(
  view: TraversalView | OrphansView | CyclesView,
  format: GraphFormat | null,
  options: GraphTextOptions,
): Iterable<string> {
  switch (view.verb) {
    case 'orphans':
      return orphansAnswer(view, format ?? 'table', options)
    case 'cycles':
      return cyclesAnswer(view, format ?? 'table', options)
    default:
      return traversalAnswer(view, format ?? 'dag', options)
  }
}

function traversalAnswer(view: TraversalView, format: GraphFormat, options: GraphTextOptions): Iterable<string> {
  switch (format) {
    case 'dag':
      return traversalDag(view, options)
    case 'table':
      return traversalTable(view, options)
    case 'mermaid':
      return [traversalMermaid(view, options)]
    case 'json':
      return [traversalJson(view)]
  }
}

function orphansAnswer(view: OrphansView, format: GraphFormat, options: GraphTextOptions): Iterable<string> {
  switch (format) {
    case 'dag':
      return orphansDag(view, options)
    case 'table':
      return orphansTable(view, options)
    case 'mermaid':
      return [orphansMermaid(view, options)]
    case 'json':
      return [orphansJson(view)]
  }
}

function cyclesAnswer(view: CyclesView, format: GraphFormat, options: GraphTextOptions): Iterable<string> {
  switch (format) {
    case 'dag':
      return cyclesDag(view, options)
    case 'table':
      return cyclesTable(view, options)
    case 'mermaid':
      return [cyclesMermaid(view, options)]
    case 'json':
      return [cyclesJson(view)]
  }
}
