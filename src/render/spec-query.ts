// The answers of the spec query verbs as text: one line of JSON, or the lists that --human asks for. Pure; what goes to
// a terminal is escaped entry by entry, so that a line feed in a file name cannot fake an entry.

import { assertNever } from '../model/errors.ts'
import type { BudgetView, DepsView, ListView, QueryView, SearchView } from '../model/spec-views.ts'
import { compactJson, compactObject } from './json.ts'
import { alignedRows } from './table.ts'
import { entryForTerminal } from './terminal.ts'

/** One compact JSON line with its line feed (sheet spec-graph §8.4). */
export function queryJson(view: QueryView): string {
  switch (view.verb) {
    case 'deps':
      return `${compactObject(view.groups.map((group) => [group.type, group.targets] as const))}\n`
    case 'search':
      return `${compactJson(view.rows.map(({ id, type, name }) => ({ id, type, name })))}\n`
    case 'budget':
      return `${compactJson(view.items.map(({ path, tokens, reason }) => ({ path, tokens, reason })))}\n`
    case 'readers':
    case 'writers':
    case 'impact':
    case 'load-set':
      return `${compactJson(view.entries)}\n`
    default:
      return assertNever(view)
  }
}

/**
 * The `--human` form (sheet spec-graph §8.5). `terminal`: escape control characters that came from the repository;
 * without it the contract's bytes.
 */
export function queryHuman(view: QueryView, terminal: boolean): string {
  const shown = terminal ? entryForTerminal : (text: string): string => text
  switch (view.verb) {
    case 'deps':
      return depsHuman(view, shown)
    case 'search':
      return searchHuman(view, shown)
    case 'budget':
      return budgetHuman(view, shown)
    case 'readers':
    case 'writers':
    case 'impact':
    case 'load-set':
      return titled(listTitle(view, shown), view.entries.map(shown))
    default:
      return assertNever(view)
  }
}

function listTitle(view: ListView, shown: (text: string) => string): string {
  const id = shown(view.id)
  switch (view.verb) {
    case 'readers':
      return `Specs that READ ${id}:`
    case 'writers':
      return `Specs that WRITE ${id}:`
    case 'impact':
      return `Impact (blast radius) of changing ${id}:`
    case 'load-set':
      return `Minimal spec set for ${id}:`
    default:
      return assertNever(view.verb)
  }
}

function titled(title: string, entries: readonly string[]): string {
  const lines = entries.length === 0 ? ['  (none)'] : entries.map((entry) => `  ${entry}`)
  return `${[title, ...lines].join('\n')}\n`
}

function depsHuman(view: DepsView, shown: (text: string) => string): string {
  const lines = [`Dependencies of ${shown(view.id)}:`]
  if (view.groups.length === 0) lines.push('(no outbound edges)')
  for (const group of view.groups) {
    lines.push(`${shown(group.type)}:`)
    for (const target of group.targets) lines.push(`  ${shown(target)}`)
  }
  return `${lines.join('\n')}\n`
}

function searchHuman(view: SearchView, shown: (text: string) => string): string {
  return alignedRows(view.rows.map((row) => [shown(row.type), shown(row.id)]))
}

function budgetHuman(view: BudgetView, shown: (text: string) => string): string {
  const rows = (items: BudgetView['items']): string =>
    items.length === 0
      ? '  (none)\n'
      : alignedRows(items.map((item) => [`  ${shown(item.path)}`, `${item.tokens} tokens`, shown(item.reason)]))
  const spent = view.items.reduce((sum, item) => sum + item.tokens, 0)
  const title = `Minimal spec set for ${shown(view.id)} (${spent} of ${view.budget} tokens):\n`
  if (view.leftOut.length === 0) return title + rows(view.items)
  return `${title}${rows(view.items)}Left out, over the budget:\n${rows(view.leftOut)}`
}
