// What recall asks of the ledger's rows: postings and facts of cards, packed into one number each, and look-ups by path,
// name and symbol. Ranking is arithmetic and happens in ledger/ranking.ts.
// The surprise: long lists come as one text of decimal numbers. A row that becomes a JavaScript value costs more than its
// digits do, and a join of three common terms with 100,000 cards twice what both lists cost. With the index `card_facts`
// the texts of the cards are never touched.

import type { Store } from '../store.ts'

/** A packed posting is card × this + weight; no weight is greater: 31 × 14 (model/ledger.ts). */
export const WEIGHT_SPAN = 512
export const WEIGHT_BITS = 9
/** Day and length of a card: days since FIRST_DAY × this + length. */
export const LENGTH_SPAN = 4096
export const DAY_SPAN = 32_768
/** 2000-01-01. */
export const FIRST_DAY = 10_957

const LAST_DAY = FIRST_DAY + DAY_SPAN - 1
/** iif(), because min() and max() are calls and take a third of the time. */
const FACTS = `SELECT CAST(group_concat(id || ' ' ||
    (iif(day < ${FIRST_DAY}, 0, iif(day > ${LAST_DAY}, ${DAY_SPAN - 1}, day - ${FIRST_DAY})) * ${LENGTH_SPAN}
     + iif(length < ${LENGTH_SPAN}, length, ${LENGTH_SPAN - 1})), ' ') AS BLOB)
  FROM card WHERE kind BETWEEN @lo AND @hi`

/** An inclusive range of places in CARD_KINDS. */
export interface CardKinds {
  readonly lo: number
  readonly hi: number
}

const OF_KIND = 'c.kind BETWEEN @lo AND @hi'
/** Of the cards whose row ids stand in a JSON array. */
const LISTED = 'FROM json_each(@ids) j CROSS JOIN card c ON c.id = j.value'

export const LEDGER_RECALL_SQL = {
  term: 'SELECT id FROM term WHERE text = ?',
  postings: `SELECT CAST(group_concat(card * ${WEIGHT_SPAN} + min(${WEIGHT_SPAN - 1}, weight), ' ') AS BLOB)
               FROM posting WHERE term = ?`,
  posting: 'SELECT weight, tf FROM posting WHERE term = ? AND card = ?',
  facts: FACTS,
  factsOf: `${FACTS} AND id IN (SELECT value FROM json_each(@ids))`,
  byPath: `SELECT p.card AS card, c.day AS day FROM card_path p JOIN card c ON c.id = p.card WHERE p.path = @text AND ${OF_KIND}`,
  byBase: `SELECT p.card AS card, c.day AS day FROM card_path p JOIN card c ON c.id = p.card WHERE p.base = @text AND ${OF_KIND}`,
  bySymbol: `SELECT s.card AS card, c.day AS day FROM card_symbol s JOIN card c ON c.id = s.card WHERE s.symbol = @text AND ${OF_KIND}`,
  stored: `SELECT c.id AS card, r.name AS repo, i.number AS issue, c.kind AS kind, c.seq AS seq, c.day AS day, c.content AS content
             ${LISTED} JOIN issue i ON i.id = c.issue JOIN ledger_repo r ON r.id = i.repo`,
  ofRepo: `SELECT c.id FROM ledger_repo r JOIN issue i ON i.repo = r.id JOIN card c ON c.issue = i.id WHERE r.name = ?`,
  count: 'SELECT count(*) FROM card',
} as const

/** Row ids of those texts that are terms, in the order given. */
export function termIds(store: Store, texts: readonly string[]): { readonly text: string; readonly id: number }[] {
  const find = store.prepare<[string], { id: number }>(LEDGER_RECALL_SQL.term)
  return texts.flatMap((text) => {
    const row = find.get(text)
    return row === undefined ? [] : [{ text, id: row.id }]
  })
}

/** The term's postings, packed: WEIGHT_SPAN. */
export function packedPostings(store: Store, term: number): Numbers {
  return numbersIn(store.prepare<[number], Buffer | null>(LEDGER_RECALL_SQL.postings).pluck().get(term))
}

/** Whole numbers, as narrow as they allow: what fits in 31 bits is read without allocating. */
export type Numbers = Int32Array | Float64Array

/** Blanks between whole numbers, nothing else. */
function numbersIn(text: Buffer | null | undefined, wide = false): Numbers {
  if (text == null) return new Int32Array(0)
  const most = (text.length + 1) >> 1
  const numbers = wide ? new Float64Array(most) : new Int32Array(most)
  let count = 0
  let number = 0
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number
    if (byte === BLANK) {
      if (!wide && number > NARROW) return numbersIn(text, true)
      numbers[count++] = number
      number = 0
    } else number = number * 10 + byte - ZERO
  }
  if (!wide && number > NARROW) return numbersIn(text, true)
  numbers[count++] = number
  return numbers.subarray(0, count)
}

const NARROW = 2 ** 31 - 1
const BLANK = 0x20
const ZERO = 0x30

/** One posting with its packed counts per field (model/ledger.ts FIELDS). */
export function postingOf(store: Store, term: number, card: number): { weight: number; tf: number } | undefined {
  return store.prepare<[number, number], { weight: number; tf: number }>(LEDGER_RECALL_SQL.posting).get(term, card)
}

/** Of every card of these kinds, or of those listed: its row id, then its day and length packed (LENGTH_SPAN). */
export function packedCards(store: Store, kinds: CardKinds, ids: Iterable<number> | null): Numbers {
  const { lo, hi } = kinds
  const facts = (sql: string) => store.prepare<[object], Buffer | null>(sql).pluck()
  if (ids === null) return numbersIn(facts(LEDGER_RECALL_SQL.facts).get({ lo, hi }))
  return numbersIn(facts(LEDGER_RECALL_SQL.factsOf).get({ lo, hi, ids: JSON.stringify([...ids]) }))
}

export interface CitingCard {
  readonly card: number
  /** Days since 1970. */
  readonly day: number
}

/** Cards that cite a path, a name without folders (in any folder), or a symbol (in small letters), as it stands. */
export function cardsCiting(
  store: Store,
  by: 'byPath' | 'byBase' | 'bySymbol',
  text: string,
  kinds: CardKinds,
): CitingCard[] {
  return store.prepare<[object], CitingCard>(LEDGER_RECALL_SQL[by]).all({ text, lo: kinds.lo, hi: kinds.hi })
}

/** What a public id is made of, and what ties are broken by. */
export interface CardKey {
  readonly card: number
  readonly repo: string
  readonly issue: number
  /** Place in CARD_KINDS. */
  readonly kind: number
  readonly seq: number
  readonly day: number
}

/** Keys and contents of cards by row id; in no order. */
export function storedCards(store: Store, cards: readonly number[]): (CardKey & { readonly content: string })[] {
  const find = store.prepare<[object], CardKey & { readonly content: string }>(LEDGER_RECALL_SQL.stored)
  return find.all({ ids: JSON.stringify(cards) })
}

/** Row ids of a repository's cards. */
export function cardsOfRepo(store: Store, repo: string): Set<number> {
  return new Set(store.prepare<[string], number>(LEDGER_RECALL_SQL.ofRepo).pluck().all(repo))
}

export function countCards(store: Store): number {
  return store.prepare<[], number>(LEDGER_RECALL_SQL.count).pluck().get() ?? 0
}
