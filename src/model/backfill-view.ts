// What `specdex graph backfill` proposes, before anybody decides how it looks. `artifact/backfill*.ts` fills it,
// `render/graph-backfill.ts` turns it into text and JSON. Lists arrive sorted. Surprise: `before` and `after` are whole
// texts, byte-order mark included, so that a diff of them can be applied.

export interface BackfillEdge {
  readonly field: string
  /** Canonical id. */
  readonly target: string
  /** Which words or which section it was read from, or `edited`. */
  readonly source: string
  readonly confidence: 'high' | 'low'
  /** 1-based line of the mention; null where a person wrote the edge. */
  readonly line: number | null
}

export interface BackfillProposal {
  readonly id: string
  readonly module: string | null
  /** Path relative to the root. */
  readonly file: string
  readonly edges: readonly BackfillEdge[]
  readonly before: string
  readonly after: string
}

export interface BackfillRefusal {
  readonly id: string
  readonly file: string
  readonly reason: string
}

/** What was done with one file on request. */
export interface BackfillOutcome {
  readonly id: string
  readonly file: string
  readonly action: 'accepted' | 'rejected' | 'nothing' | 'refused'
  readonly edges: readonly BackfillEdge[]
  /** Only of `refused` and `nothing`. */
  readonly reason: string | null
}

export interface BackfillView {
  readonly proposals: readonly BackfillProposal[]
  /** Artifacts with proposals whose front matter cannot be extended. */
  readonly refused: readonly BackfillRefusal[]
  /** Edges that the text names and that would close a cycle. */
  readonly cyclic: readonly { readonly source: string; readonly field: string; readonly target: string }[]
  /** One line each, e.g. that lenient conventions get no fields. */
  readonly notes: readonly string[]
}
