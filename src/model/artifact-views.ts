// The artifact graph as it stands after resolution, and what its verbs answer, before anybody decides how it looks.
// `artifact/` fills these, `render/graph-*.ts` turns them into text. Lists arrive sorted by code unit (ids ascending); a
// renderer never sorts and never drops.

export type ArtifactKind = 'adr' | 'spec' | 'code' | 'change'

export interface ArtifactNode {
  /** Canonical id as shown: `ADR-0008`, `[api]/SPEC-0001`, `src/a.ts`, `[api]/src/a.ts`. Under --module without prefix. */
  readonly id: string
  readonly kind: ArtifactKind
  /** Name of the module, null for the root. */
  readonly module: string | null
  /** First heading of the body as it stands, uncut; empty for files and where there is none. */
  readonly title: string
  readonly status: string | null
  /** Path relative to the root. */
  readonly file: string
}

/** One relation as its author wrote it, both ends known. Its inverse is derived from it. */
export interface Relation {
  /** Who wrote it. */
  readonly source: string
  /** Name of the type as written: `governs`, `implements`, `governed-by` (code). */
  readonly type: string
  readonly target: string
  /** Name of the derived inverse, held by the target. */
  readonly inverse: string
  /** True: the target depends on the source (enables, governs). False: the source depends on the target. */
  readonly authorIsUp: boolean
  /** False for `related`. */
  readonly walked: boolean
  readonly file: string
  readonly line: number | null
  /** REQ names of governing comments; empty elsewhere. */
  readonly requirements: readonly string[]
  /** Lenient conventions: the words that came with it ("… clause only"), or null. */
  readonly note: string | null
}

/** One edge as listed: authored, or the derived inverse of an authored one. */
export interface ShownEdge {
  readonly source: string
  readonly type: string
  readonly target: string
  readonly derived: boolean
  readonly requirements: readonly string[]
}

/** A line of a diagram or a table: one dependency, as one of its two ends holds it. */
export interface Dependency {
  /** Id of the node that depends, and of the one it depends on. */
  readonly down: string
  readonly up: string
  /** As the dependent (`down`) holds it: implements, governed-by … */
  readonly fromDown: { readonly type: string; readonly derived: boolean }
  /** As the one depended on (`up`) holds it: implemented-by, governs … */
  readonly fromUp: { readonly type: string; readonly derived: boolean }
  readonly requirements: readonly string[]
}

export type TraversalVerb = 'impact' | 'ancestors' | 'chain'

export interface TraversalResult {
  readonly node: ArtifactNode
  /** Sheet §8: held by the result, to the queried id or another result; and, upward, those that led to it. Sorted. */
  readonly edges: readonly ShownEdge[]
}

export interface TraversalView {
  readonly verb: TraversalVerb
  readonly queried: ArtifactNode
  /** Name given with --module, else null. */
  readonly scopeModule: string | null
  /** By id, without the queried node. */
  readonly results: readonly TraversalResult[]
  /** Ids upward (ancestors) and downward (impact); chain has both, the others one. */
  readonly upward: ReadonlySet<string>
  readonly downward: ReadonlySet<string>
  /**
   * Every relation among queried node and results that the verb's diagram shows, one row per relation, dual authoring
   * kept: sorted by down, up, type. Diagrams take one per pair (authored preferred, then type name).
   */
  readonly dependencies: readonly Dependency[]
}

export interface OrphansView {
  readonly verb: 'orphans'
  readonly scope: string | null
  readonly scopeModule: string | null
  readonly filesWithoutGoverning: readonly string[]
  readonly filesUnrecognized: readonly { readonly file: string; readonly reason: string }[]
  readonly specsWithoutCode: readonly ArtifactNode[]
  readonly adrsWithoutSpec: readonly ArtifactNode[]
  /** Lenient conventions, text formats only: one honest sentence in place of the list of files, or null. */
  readonly sentence: string | null
}

export interface Cycle {
  /** Closed: the first id again at the end. */
  readonly path: readonly string[]
  /** Sorted names of the types on it. */
  readonly types: readonly string[]
  readonly edges: readonly { readonly source: string; readonly type: string; readonly target: string }[]
  readonly message: string
}

export interface CyclesView {
  readonly verb: 'cycles'
  readonly scope: string | null
  readonly cycles: readonly Cycle[]
  /** True where there are more than are listed. */
  readonly capped: boolean
}

export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly source_id: string | null
  readonly field: string | null
  readonly target_id: string | null
  /** Path relative to the root, null where it is about no single file. */
  readonly file: string | null
  readonly line: number | null
}

export interface GraphValidationView {
  readonly verb: 'validate'
  readonly nodes: number
  readonly authoredEdges: number
  readonly derivedEdges: number
  /** Errors first, then by code, source, field, target. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A refusal of a verb: unknown id, or a graph with hard errors. */
export interface GraphErrorView {
  readonly verb: string
  readonly id: string | null
  readonly code: 'unknown-artifact' | 'ambiguous-artifact' | 'graph-has-errors'
  readonly message: string
  readonly suggestions: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}
