// A bookshop's ledger for the tests of recall: cards with as little said as needed, written by the real writer, and a
// question with the usual answers to everything that is not asked.

import { onTestFinished } from 'vitest'
import { cardsHash } from '../../src/extract/ledger-cards.ts'
import { type RecallQuestion, recall } from '../../src/ledger/recall.ts'
import { cardRecord } from '../../src/ledger/store-cards.ts'
import type { Anchor, Card, DecisionCard, InvestigationCard, PatternCard, Rename } from '../../src/model/ledger.ts'
import type { RecallView } from '../../src/model/ledger-views.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { saveRenames } from '../../src/store/queries/ledger-renames.ts'
import { LedgerWriter } from '../../src/store/queries/ledger-write.ts'
import { childEnvironment } from '../support/environment.ts'

export const REPO = 'quay-street/bookshop'

/** Days since 1970. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000
}

export const TODAY = dayOf('2026-07-01')

interface Base {
  readonly paths?: readonly string[]
  readonly symbols?: readonly string[]
  readonly anchor?: Partial<Anchor> | null
  readonly createdAt?: string
}

function base(id: string, { paths = [], symbols = [], anchor = null, createdAt = '2026-06-30' }: Base) {
  const issue = Number(id.split('/')[0])
  const empty = { path: null, symbol: null, blobSha: null, snippetHash: null, citedAtIssue: issue }
  const at = anchor === null ? null : { ...empty, ...anchor }
  return {
    schemaVersion: 1,
    id,
    issue,
    pr: null,
    sourceCommentId: 100 + issue,
    paths,
    symbols,
    anchor: at,
    createdAt,
  } as const
}

export function pattern(id: string, said: Base & Partial<Omit<PatternCard, keyof Base>> = {}): PatternCard {
  const {
    pattern: name = '',
    rootCause = '',
    prevention = '',
    severity = null,
    verdict = null,
    confidence = null,
  } = said
  const outcome = { fixMerged: true }
  return {
    ...base(id, said),
    kind: 'pattern',
    pattern: name,
    rootCause,
    prevention,
    severity,
    verdict,
    confidence,
    outcome,
  }
}

export function investigation(
  id: string,
  said: Base & Partial<Omit<InvestigationCard, keyof Base>> = {},
): InvestigationCard {
  const { rootCause = '', prevention = '', verdict = 'CONFIRMED', confidence = 'HIGH', severity = null } = said
  const { taskType = null } = said
  const texts = { verdict, confidence, severity, taskType, rootCause, prevention }
  return { ...base(id, said), kind: 'investigation', ...texts, outcome: { fixMerged: true } }
}

export function decision(id: string, said: Base & Partial<Omit<DecisionCard, keyof Base>> = {}): DecisionCard {
  const { decision: text = '', anomalies = null } = said
  return { ...base(id, said), kind: 'decision', decision: text, anomalies }
}

/** An index in memory that holds these cards, written in the order given; closed when the test ends. */
export function shelve(cards: readonly Card[], renames: readonly Rename[] = [], repo = REPO): Store {
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  addCards(store, cards, repo)
  store.write(() => saveRenames(store, renames, null, false))
  return store
}

export function addCards(store: Store, cards: readonly Card[], repo = REPO): void {
  const issues = group(cards)
  store.write(() => {
    const writer = new LedgerWriter(store, repo, 'trust')
    for (const [number, own] of issues) {
      const row = {
        number,
        pull: false,
        open: false,
        updated: '2026-06-30T00:00:00Z',
        hash: cardsHash(own),
        ignored: 0,
      }
      writer.replaceIssue(row, own.map(cardRecord))
    }
    writer.finish()
  })
}

function group(cards: readonly Card[]): Map<number, Card[]> {
  const issues = new Map<number, Card[]>()
  for (const card of cards) issues.set(card.issue, [...(issues.get(card.issue) ?? []), card])
  return issues
}

export const ENV = childEnvironment()

export const QUESTION: RecallQuestion = {
  text: null,
  files: [],
  symbols: [],
  k: 5,
  kind: null,
  minScore: 0.1,
  includeStale: false,
  today: TODAY,
  explain: false,
}

/** Asks with the usual answers; `root`: the working tree, or none. */
export function ask(store: Store, question: Partial<RecallQuestion>, root: string | null = null): Promise<RecallView> {
  return recall(store, { ...QUESTION, ...question }, { root, env: ENV })
}

export function ids(view: RecallView): string[] {
  return view.hits.map(({ id }) => id)
}
