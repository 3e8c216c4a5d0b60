// What recall and the health check of the ledger answer, before anybody prints it. Pure words: no status is computed
// here. The surprise: `status` belongs to an answer and never to a card (model/ledger.ts), since it is asked of the
// working tree each time.

import type { CardKind, FieldName } from './ledger.ts'

/** How a lesson stands; `live`: not from the ledger but from GitHub's own search. */
export type RecallStatus = 'fresh' | 'moved' | 'stale' | 'live'

/** What one word of the question gave to a card's score. */
export interface TermPart {
  readonly term: string
  /** Cards that hold the term, among those searched. */
  readonly found: number
  readonly idf: number
  /** Weighted sum over the fields. */
  readonly weight: number
  readonly fields: Readonly<Partial<Record<FieldName, number>>>
  readonly score: number
}

/** How a score came about: (sum of terms) × decay + boosts, then the cap of a superseded lesson. */
export interface ScoreParts {
  readonly terms: readonly TermPart[]
  readonly length: number
  readonly averageLength: number
  readonly text: number
  readonly ageDays: number
  readonly decay: number
  /** Boosts in the order of the question: exact file, file of the same name, symbol. */
  readonly boosts: readonly {
    readonly what: 'file' | 'basename' | 'symbol'
    readonly of: string
    readonly boost: number
  }[]
  /** The score before the cap; null where nothing supersedes the lesson. */
  readonly superseded: { readonly by: string; readonly score: number } | null
}

export interface RecallHit {
  readonly id: string
  readonly kind: CardKind
  readonly issue: number
  /** `owner/name`. */
  readonly repo: string
  /** Rounded to three decimals; what is shown is what was compared. */
  readonly score: number
  readonly paths: readonly string[]
  readonly symbols: readonly string[]
  readonly pattern: string | null
  readonly rootCause: string | null
  readonly prevention: string | null
  readonly decision: string | null
  readonly anomalies: string | null
  readonly verdict: string | null
  readonly confidence: string | null
  readonly severity: string | null
  readonly status: RecallStatus
  readonly createdAt: string
  /** Where the anchor is now; null unless it moved. The line counts from 1. */
  readonly moved: { readonly path: string; readonly line: number | null } | null
  /** Only where an explanation was asked for. */
  readonly parts: ScoreParts | null
}

export interface RecallView {
  readonly hits: readonly RecallHit[]
  /** Stale lessons that were left out on the way to the last hit; all of them where paths were asked for. */
  readonly stale: number
  /** Lessons that hold words of the question and score less than was asked for. */
  readonly below: number
  /** Cards of the whole ledger, or of the repository that was asked for; 0: nothing of it was ever indexed. */
  readonly cards: number
}

export interface HealthRepo {
  readonly name: string
  readonly watermark: string | null
  /** Whole days from the watermark to today; null without a watermark. */
  readonly ageDays: number | null
  readonly issues: number
  readonly cards: number
  /** Annotations that the trust filter left out. */
  readonly ignored: number
}

export interface LedgerHealth {
  readonly cards: number
  readonly stale: number
  /** Issues that have at least one card. */
  readonly issues: number
  readonly byKind: Readonly<Record<CardKind, number>>
  /** Anchors with a path for which history gave no blob. */
  readonly dangling: number
  readonly repos: readonly HealthRepo[]
  /** What is wrong, one sentence each; empty means healthy. */
  readonly problems: readonly string[]
}
