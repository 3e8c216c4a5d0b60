// Cuts a load-set down to a token budget: nearest files first, and a word on what was left out. Pure.
// The surprise: a file that does not fit is passed over, and a later, smaller one may still come in.

import { distances, type Reached, type Step } from '../graph/distance.ts'
import { compareCodePoints } from '../model/order.ts'
import type { BudgetView, LoadItem } from '../model/spec-views.ts'

/** A spec or document that a load-set reaches. */
export interface LoadFile {
  readonly id: string
  readonly path: string
  /** Bytes on disk. */
  readonly bytes: number
  /** Node type, e.g. `command`. */
  readonly type: string
}

/** A CONTAINS or REQUIRES edge between reached nodes. */
export interface LoadStep {
  readonly from: string
  readonly to: string
  readonly type: string
}

const BYTES_PER_TOKEN = 4

/** The estimate that the budget is counted in: bytes / 4, rounded up. */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

/** What fits into `budget` tokens, nearest first (steps from the command, then path in code point order). */
export function withinBudget(
  id: string,
  files: readonly LoadFile[],
  steps: readonly LoadStep[],
  budget: number,
): BudgetView {
  const sorted = [...steps].sort(
    (a, b) => compareCodePoints(a.from, b.from) || compareCodePoints(a.to, b.to) || compareCodePoints(a.type, b.type),
  )
  const reached = distances(id, sorted.map(asStep))
  const byId = new Map(files.map((file) => [file.id, file]))
  const near = reached
    .flatMap((node) => {
      const file = byId.get(node.id)
      return file === undefined ? [] : [{ node, file }]
    })
    .sort((a, b) => a.node.distance - b.node.distance || compareCodePoints(a.file.path, b.file.path))
  const items: LoadItem[] = []
  const leftOut: LoadItem[] = []
  const seen = new Set<string>()
  let left = budget
  for (const { node, file } of near) {
    if (seen.has(file.path)) continue
    seen.add(file.path)
    const item = { path: file.path, tokens: estimatedTokens(file.bytes), reason: reasonOf(node, file.type) }
    if (item.tokens > left) leftOut.push(item)
    else {
      left -= item.tokens
      items.push(item)
    }
  }
  return { verb: 'budget', id, budget, items, leftOut }
}

function asStep(step: LoadStep): Step<string> {
  return { from: step.from, to: step.to, label: step.type }
}

function reasonOf(node: Reached<string>, type: string): string {
  if (node.by === null) return 'command'
  if (node.by.label === 'REQUIRES') return `required by ${node.by.from}`
  // A Skill call may lead to a top-level command, which is nobody's phase.
  return type === 'command' ? `called by ${node.by.from}` : `sub-phase of ${node.by.from}`
}
