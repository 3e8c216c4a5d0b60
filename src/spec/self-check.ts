// The acceptance spot-checks that the exporter runs on what it built (seed 000 "Self-check"). Pure.
// The surprise: by default a corpus that has no such command is not a failure (sheet spec-graph §0 row 18).

import type { SpecMode } from '../model/vocabulary.ts'

export type CheckOutcome = 'PASS' | 'FAIL' | 'SKIP'

export interface SelfCheck {
  readonly outcome: CheckOutcome
  /** As the builder prints it behind the outcome. */
  readonly what: string
}

/** What the checks need to know of the graph they judge. */
export interface CheckedGraph {
  readonly hasNode: (id: string) => boolean
  readonly hasEdge: (from: string, type: string, to: string) => boolean
  readonly builtFromHash: string
}

interface SpotCheck {
  readonly command: string
  readonly type: 'WRITES' | 'READS'
  readonly marker: string
}

/** To add an invariant of a new edge type, add its line here: README "Adding a node or edge type". */
const SPOT_CHECKS: readonly SpotCheck[] = [
  { command: 'work-on', type: 'WRITES', marker: 'FORGE:TRAJECTORY' },
  { command: 'review-pr', type: 'READS', marker: 'FORGE:CONTRACT' },
]

/** All checks in the order in which they are printed. */
export function selfChecks(graph: CheckedGraph, mode: SpecMode): SelfCheck[] {
  const spots = SPOT_CHECKS.map(({ command, type, marker }): SelfCheck => {
    const from = `cmd:${command}`
    const what = `${command} ${type} ${marker}`
    if (graph.hasEdge(from, type, `ann:${marker}`)) return { outcome: 'PASS', what }
    const excused = mode === 'default' && !graph.hasNode(from)
    return { outcome: excused ? 'SKIP' : 'FAIL', what }
  })
  const wellFormed = /^[0-9a-f]{64}$/.test(graph.builtFromHash)
  return [...spots, { outcome: wellFormed ? 'PASS' : 'FAIL', what: 'builtFromHash is a sha256 hex digest' }]
}

/** True unless a check failed. */
export function holds(checks: readonly SelfCheck[]): boolean {
  return checks.every((check) => check.outcome !== 'FAIL')
}
