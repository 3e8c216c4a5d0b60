// Words of the ledger: what a source hands over, what a card is, which fields are searched and what they weigh. The
// ledger's rows are rebuilt from GitHub's annotations and tied to no file of the index (ARCHITECTURE §1.2).

/** What decides whether somebody's annotations count: GitHub's `author_association`; null where a source has none. */
export interface Author {
  readonly login: string | null
  readonly association: string | null
}

/** One text of an issue: its own body, a comment, a review or a review comment. */
export interface LedgerText {
  /** GitHub's id of the comment; null for the body of the issue itself. */
  readonly id: number | null
  readonly body: string
  readonly author: Author
  /** As GitHub writes it: `2026-07-04T10:11:12Z`. */
  readonly createdAt: string
}

/** What a listing tells of an issue or pull request. */
export interface IssueHead {
  readonly number: number
  readonly pull: boolean
  readonly state: 'open' | 'closed'
  readonly updatedAt: string
}

/** An issue or pull request with everything in which an annotation may stand: body first, then by creation and id. */
export interface LedgerIssue extends IssueHead {
  readonly createdAt: string
  readonly texts: readonly LedgerText[]
  /** True where the source was refused a part of the texts, so that what is not there may still exist. */
  readonly partial?: boolean
}

/**
 * Where issues come from: `gh`, the REST API, or files. All methods reject with UserError `source` where the source
 * does not answer or answers nonsense; then nothing may be concluded from what came before.
 */
export interface LedgerSource {
  /** For talk: `gh`, `api.github.com`, a path. */
  readonly name: string
  /** Pages of issues and pull requests, all states, oldest change first; from `since` on (inclusive), or all. */
  readonly list: (since: string | null) => AsyncIterable<readonly IssueHead[]>
  /** One issue, whole; null where it is gone (deleted, or transferred to another repository). */
  readonly issue: (number: number) => Promise<LedgerIssue | null>
  /**
   * How many comments the issue had when this source last named it, in a listing or by itself; null where it did not
   * say. Reviews and review comments are not among them: no listing counts those.
   */
  readonly comments?: (number: number) => number | null
}

export const CARD_KINDS = ['investigation', 'pattern', 'decision'] as const
export type CardKind = (typeof CARD_KINDS)[number]

export interface Anchor {
  readonly path: string | null
  readonly symbol: string | null
  /** Blob id of the path in the newest commit that is not younger than the annotation; null without that history. */
  readonly blobSha: string | null
  /** sha256 of the five lines from the symbol's defining line, blanks collapsed; null where there is none. */
  readonly snippetHash: string | null
  readonly citedAtIssue: number
}

export interface CostUsd {
  readonly investigation: number | null
  readonly build: number | null
  readonly review: number | null
  readonly total: number
}

interface CardBase {
  readonly schemaVersion: 1
  /** `{issue}/{kind}/{seq}`. */
  readonly id: string
  readonly issue: number
  /** Number of the pull request that the annotation stands in; null for an issue. */
  readonly pr: number | null
  readonly sourceCommentId: number | null
  readonly paths: readonly string[]
  readonly symbols: readonly string[]
  readonly anchor: Anchor | null
  /** The day on which the annotation's comment was created, `2026-07-04`. */
  readonly createdAt: string
  readonly costUsd?: CostUsd
}

export interface InvestigationCard extends CardBase {
  readonly kind: 'investigation'
  readonly verdict: string
  readonly confidence: string | null
  readonly severity: string | null
  readonly taskType: string | null
  readonly rootCause: string | null
  readonly prevention: string | null
  readonly outcome: { readonly fixMerged: boolean }
}

export interface PatternCard extends CardBase {
  readonly kind: 'pattern'
  readonly pattern: string
  readonly rootCause: string | null
  readonly prevention: string | null
  readonly severity: string | null
  readonly verdict: string | null
  readonly confidence: string | null
  readonly outcome: { readonly fixMerged: boolean }
}

export interface DecisionCard extends CardBase {
  readonly kind: 'decision'
  readonly decision: string
  readonly anomalies: string | null
  readonly adrPath?: string
}

/** A lesson, without its status: that is asked of the working tree, and no part of what a card says. */
export type Card = InvestigationCard | PatternCard | DecisionCard

/** Order of keys in `knowledge.jsonl`, by kind (sheet ledger §2.1, without `status`). */
export const CARD_KEYS: Readonly<Record<CardKind, readonly string[]>> = {
  investigation: [
    ...[
      'schemaVersion',
      'id',
      'kind',
      'issue',
      'pr',
      'sourceCommentId',
      'verdict',
      'confidence',
      'severity',
      'taskType',
    ],
    ...['rootCause', 'prevention', 'paths', 'symbols', 'anchor', 'outcome', 'createdAt', 'costUsd'],
  ],
  pattern: [
    ...[
      'schemaVersion',
      'id',
      'kind',
      'issue',
      'pr',
      'sourceCommentId',
      'pattern',
      'rootCause',
      'prevention',
      'severity',
    ],
    ...['verdict', 'confidence', 'outcome', 'paths', 'symbols', 'anchor', 'createdAt', 'costUsd'],
  ],
  decision: [
    ...['schemaVersion', 'id', 'kind', 'issue', 'pr', 'sourceCommentId', 'decision', 'anomalies', 'paths', 'symbols'],
    ...['anchor', 'createdAt', 'adrPath', 'costUsd'],
  ],
}

/**
 * Searched fields and their weights, in the order in which `posting.tf` packs their counts: TF_BITS bits each, the
 * first lowest. Numbers are stored: never reorder, only add. Source: sheet ledger §6.
 */
export const FIELDS = [
  { name: 'pattern', weight: 3 },
  { name: 'rootCause', weight: 2 },
  { name: 'symbols', weight: 2 },
  { name: 'paths', weight: 2 },
  { name: 'prevention', weight: 1 },
  { name: 'decision', weight: 1 },
  { name: 'anomalies', weight: 1 },
  { name: 'verdict', weight: 1 },
  { name: 'taskType', weight: 1 },
] as const

export type FieldName = (typeof FIELDS)[number]['name']

/** Nine fields of five bits fit in what JavaScript counts exactly; a field with more than 31 of a term says 31. */
export const TF_BITS = 5

/** How a card's anchor stands in the working tree (seed 004 "Staleness Detection"). Numbers are stored. */
export const TIER = { fresh: 0, movedInFile: 1, movedByRename: 2, stale: 3 } as const
export type Tier = (typeof TIER)[keyof typeof TIER]

export interface Rename {
  readonly commit: string
  /** Author date, seconds since 1970. */
  readonly at: number
  readonly from: string
  readonly to: string
}
