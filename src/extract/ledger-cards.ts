// The cards of an issue, and a card as data: its content, hash and searched terms. A pure function of what stands in
// the issue: no working tree, no clock, no other issue. How one annotation becomes a card is in ledger-lessons.ts.
// Surprise: what later phases cite is added to the issue's first lesson, whether they were written before it or after.

import { createHash } from 'node:crypto'
import {
  type Author,
  CARD_KEYS,
  type Card,
  type FieldName,
  type LedgerIssue,
  type LedgerText,
} from '../model/ledger.ts'
import { compareCodePoints } from '../model/order.ts'
import { annotationsIn } from './ledger-annotations.ts'
import { Deck, type DraftCard, type Found } from './ledger-lessons.ts'
import { wellFormed } from './ledger-lines.ts'
import { tokensOf } from './ledger-tokens.ts'

export interface CardOptions {
  /** Whether an author's annotations count (issue §1, `--trust`). */
  readonly trusts: (author: Author) => boolean
  /** Paths of all ADR files of the repository, for the link of a decision to its file. */
  readonly adrPaths: readonly string[]
}

/** The body first, then by creation and id; the last resort is for ids that two kinds of comment share. */
function byAge(one: LedgerText, other: LedgerText): number {
  if ((one.id === null) !== (other.id === null)) return one.id === null ? -1 : 1
  return (
    compareCodePoints(one.createdAt, other.createdAt) ||
    (one.id ?? 0) - (other.id ?? 0) ||
    compareCodePoints(one.body, other.body)
  )
}

/**
 * The cards of an issue, in order of their annotations, and how many annotations were ignored because their author is
 * not trusted. Never throws. Source: sheet ledger §2 with its §10, issue 4 §2 and §6.
 */
export function cardsOf(
  issue: LedgerIssue,
  { trusts, adrPaths }: CardOptions,
): { readonly cards: DraftCard[]; readonly ignored: number } {
  const found: Found[] = []
  let ignored = 0
  for (const text of [...issue.texts].sort(byAge)) {
    const annotations = annotationsIn(wellFormed(text.body))
    if (!trusts(text.author)) ignored += annotations.length
    else for (const annotation of annotations) found.push({ ...annotation, text })
  }
  const whole = found.filter(({ state }) => state !== 'interrupted')
  const deck = new Deck(issue)
  for (const annotation of whole) {
    if (annotation.type === 'INVESTIGATOR') deck.investigator(annotation)
    else if (annotation.type === 'TRAJECTORY') deck.trajectory(annotation, adrPaths)
  }
  deck.enrich(whole)
  return { cards: deck.cards, ignored }
}

/** Keys of what stands inside a card; a list of keys given to JSON.stringify is their order at every depth. */
const INNER_KEYS = [
  ...['path', 'symbol', 'blobSha', 'snippetHash', 'citedAtIssue', 'fixMerged'],
  ...['investigation', 'build', 'review', 'total'],
]

/** A card as it is stored, hashed and exported: compact JSON, keys in the order of CARD_KEYS, no others. */
export function cardContent(card: Card): string {
  return JSON.stringify(card, [...CARD_KEYS[card.kind], ...INNER_KEYS])
}

/** First 16 hex digits of the sha256 over the contents of an issue's cards, by id (sheet ledger §3.4). */
export function cardsHash(cards: readonly Card[]): string {
  const contents = [...cards].sort((one, other) => compareCodePoints(one.id, other.id)).map(cardContent)
  return createHash('sha256')
    .update(`[${contents.join(',')}]`)
    .digest('hex')
    .slice(0, 16)
}

/** A path's last name: folders are not searched for (sheet ledger §6). */
function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1)
}

function textsOf(card: Card): readonly (readonly [FieldName, readonly (string | null)[]])[] {
  const cited = [
    ['symbols', card.symbols],
    ['paths', card.paths.map(baseName)],
  ] as const
  switch (card.kind) {
    case 'investigation':
      return [
        ['rootCause', [card.rootCause]],
        ...cited,
        ['prevention', [card.prevention]],
        ['verdict', [card.verdict]],
        ['taskType', [card.taskType]],
      ]
    case 'pattern':
      return [
        ['pattern', [card.pattern]],
        ['rootCause', [card.rootCause]],
        ...cited,
        ['prevention', [card.prevention]],
        ['verdict', [card.verdict]],
      ]
    case 'decision':
      return [...cited, ['decision', [card.decision]], ['anomalies', [card.anomalies]]]
  }
}

/**
 * How often each searched field of a card holds each term; fields without terms are left out. Source: sheet ledger §6
 * (which fields), issue §4 (counts per field).
 */
export function fieldTokens(card: Card): Map<FieldName, Map<string, number>> {
  const fields = new Map<FieldName, Map<string, number>>()
  for (const [field, texts] of textsOf(card)) {
    const counts = new Map<string, number>()
    for (const text of texts) {
      for (const term of tokensOf(text ?? '')) counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    if (counts.size > 0) fields.set(field, counts)
  }
  return fields
}

/**
 * Length of a card in BM25's sense: how many different terms its searched fields hold, that is its number of postings
 * (issue §4: lengths are counted over what is searched). `fields` spares the work where it is done already.
 */
export function cardLength(
  card: Card,
  fields: ReadonlyMap<FieldName, ReadonlyMap<string, number>> = fieldTokens(card),
): number {
  return new Set([...fields.values()].flatMap((counts) => [...counts.keys()])).size
}
