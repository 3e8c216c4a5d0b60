// What the spec verbs answer, before anybody decides how it looks. `spec/` fills these, `render/` turns them into text.
// Lists arrive sorted (code points, sheet spec-graph §8.4); a renderer never sorts and never drops.

export type ListVerb = 'readers' | 'writers' | 'impact' | 'load-set'

/** The answer of readers, writers, impact and load-set: ids, for load-set paths. */
export interface ListView {
  readonly verb: ListVerb
  /** The normalised id that was asked for. */
  readonly id: string
  readonly entries: readonly string[]
}

export interface DepsGroup {
  readonly type: string
  readonly targets: readonly string[]
}

/** The answer of deps: groups in the order in which the JSON object lists its keys. */
export interface DepsView {
  readonly verb: 'deps'
  readonly id: string
  readonly groups: readonly DepsGroup[]
}

export interface SearchRow {
  readonly id: string
  readonly type: string
  readonly name: string
}

export interface SearchView {
  readonly verb: 'search'
  readonly rows: readonly SearchRow[]
}

/** One file of a budgeted load-set. */
export interface LoadItem {
  readonly path: string
  /** Estimated: bytes / 4, rounded up. */
  readonly tokens: number
  readonly reason: string
}

/** The answer of `load-set --budget N`: nearest first. */
export interface BudgetView {
  readonly verb: 'budget'
  readonly id: string
  readonly budget: number
  readonly items: readonly LoadItem[]
  readonly leftOut: readonly LoadItem[]
}

export type QueryView = ListView | DepsView | SearchView | BudgetView

export const FINDING_SEVERITIES = ['HARD', 'SOFT', 'INFO'] as const
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number]

export type FindingClass =
  | 'orphan-annotation'
  | 'scaffold-annotation'
  | 'dangling-ref'
  | 'broken-transition'
  | 'transition-asymmetry'

export interface SpecFinding {
  readonly severity: FindingSeverity
  readonly class: FindingClass
  readonly message: string
}

/** The answer of validate: findings sorted by severity, class, message. */
export interface ValidationView {
  /** How the report names the graph it judged. */
  readonly graph: string
  readonly findings: readonly SpecFinding[]
}
