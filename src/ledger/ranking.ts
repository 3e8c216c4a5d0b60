// Ranking of cards: BM25 over packed postings, decay by age, boosts of exact matches. Reads the store, starts nothing and
// knows no working tree but through the lineage it is given.
// What is searched is every card of the wanted kind, stale ones included: N, document frequency and average length are
// counted over exactly that set, so idf is never negative and leaving stale cards out changes nobody's score. The
// surprise: candidates stay numbers in arrays until the best are known; 100,000 cards would be too many objects.

import { tokensOf } from '../extract/ledger-tokens.ts'
import { CARD_KINDS, type CardKind, FIELDS, type FieldName, TF_BITS } from '../model/ledger.ts'
import type { ScoreParts, TermPart } from '../model/ledger-views.ts'
import {
  type CardKinds,
  cardsCiting,
  cardsOfRepo,
  DAY_SPAN,
  FIRST_DAY,
  LENGTH_SPAN,
  type Numbers,
  packedCards,
  packedPostings,
  postingOf,
  termIds,
  WEIGHT_BITS,
  WEIGHT_SPAN,
} from '../store/queries/ledger-recall.ts'
import type { Store } from '../store/store.ts'
import type { Lineage } from './renames.ts'
import { decay, idf, lengthFactor, SCORING, termScore, thousandths } from './score.ts'

export interface RankingQuestion {
  /** Free text; null or without a word in it: only exact look-ups. */
  readonly text: string | null
  /** Relative to the root. */
  readonly files: readonly string[]
  readonly symbols: readonly string[]
  readonly kind: CardKind | null
  /** `owner/name` as the ledger spells it: only its cards are searched, and counted; null or absent: all. */
  readonly repo?: string | null
  readonly minScore: number
  /** Days since 1970. */
  readonly today: number
}

export interface Candidate {
  readonly card: number
  /** Thousandths. */
  readonly score: number
}

type Boost = ScoreParts['boosts'][number]

interface Term {
  readonly text: string
  readonly id: number
  readonly postings: Numbers
}

/** Everything that decides a score, read once per question. Call inside store.read(). */
export class Ranking {
  readonly #store: Store
  readonly #question: RankingQuestion
  readonly #terms: readonly (Term & { readonly found: number; readonly idf: number })[]
  readonly #boosts: ReadonlyMap<number, readonly Boost[]>
  readonly #facts: Facts
  /** Row ids of the candidates, and their scores in thousandths. */
  readonly #cards: Float64Array
  readonly #scores: Float64Array
  /** Cards that hold words of the question and score less than the least score. */
  readonly below: number

  constructor(store: Store, question: RankingQuestion, lineage: Lineage) {
    this.#store = store
    this.#question = question
    const kinds = kindRange(question.kind)
    const words = question.text === null ? [] : [...new Set(tokensOf(question.text))].sort()
    const isExact = words.length === 0
    // A name without its folder is a hint beside a text, and no exact look-up.
    const boosts = boostsOf(store, question, kinds, lineage, !isExact)
    const own = question.repo == null ? null : cardsOfRepo(store, question.repo)
    if (own !== null) for (const card of boosts.keys()) if (!own.has(card)) boosts.delete(card)
    this.#boosts = boosts
    const facts = unpack(packedCards(store, kinds, isExact ? boosts.keys() : own))
    this.#facts = facts
    const terms = termIds(store, words).map(({ text, id }) => ({ text, id, postings: packedPostings(store, id) }))
    this.#terms = terms.map((term) => {
      const found = countSearched(term.postings, facts)
      return { ...term, found, idf: idf(facts.cards, found) }
    })
    const { cards, scores, below } = this.#rank()
    this.#cards = cards
    this.#scores = scores
    this.below = below
  }

  get size(): number {
    return this.#cards.length
  }

  /** At least the `n` best by score, with all that are level with the last of them; unsorted. */
  best(n: number): Candidate[] {
    const scores = this.#scores
    const least = n >= scores.length ? 0 : nthBest(scores, n)
    const best: Candidate[] = []
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i] as number
      if (score >= least) best.push({ card: this.#cards[i] as number, score })
    }
    return best
  }

  /** How the card's score came about. */
  explain(card: number): ScoreParts {
    const length = this.#facts.lengths[card] ?? 0
    const day = (this.#facts.days[card] ?? 0) + FIRST_DAY
    const { average } = this.#facts
    const terms = this.#terms.flatMap(({ id, text, found, idf: termIdf }): TermPart[] => {
      const posting = postingOf(this.#store, id, card)
      if (posting === undefined) return []
      const { weight, tf } = posting
      const score = termScore(termIdf, weight, lengthFactor(length, average))
      return [{ term: text, found, idf: termIdf, weight, fields: unpackFields(tf), score }]
    })
    const { today } = this.#question
    return {
      terms,
      length,
      averageLength: average,
      text: terms.reduce((sum, { score }) => sum + score, 0),
      ageDays: Math.max(0, today - day),
      decay: decay(today, day),
      boosts: this.#boosts.get(card) ?? [],
      superseded: null,
    }
  }

  #rank(): { readonly cards: Float64Array; readonly scores: Float64Array; readonly below: number } {
    const { minScore, today } = this.#question
    const { days } = this.#facts
    // Of a question without a word no other card is a candidate.
    const boosted = this.#terms.length > 0 ? null : [...this.#boosts.keys()].sort((a, b) => a - b)
    const text = this.#textScores()
    // By day, worked out when first needed: no factor is 0.
    const factors = new Float64Array(DAY_SPAN)
    const cards = new Float64Array(days.length)
    const scores = new Float64Array(days.length)
    let size = 0
    let below = 0
    const hasBoosts = this.#boosts.size > 0
    const candidates = boosted?.length ?? days.length
    for (let i = 0; i < candidates; i++) {
      const card = boosted === null ? i : (boosted[i] as number)
      // None where the card is newer than the facts.
      let score = text[card] ?? 0
      if (score === 0 && !hasBoosts) continue
      const boosts = hasBoosts ? this.#boosts.get(card) : undefined
      const day = days[card] as number
      if ((score === 0 && boosts === undefined) || !(day >= 0)) continue
      if (factors[day] === 0) factors[day] = decay(today, day + FIRST_DAY)
      score *= factors[day] as number
      if (boosts !== undefined) for (const { boost } of boosts) score += boost
      score = thousandths(score)
      const isExact = boosts?.some(({ what }) => what !== 'basename') === true
      // Rounded to nothing by age it is still an answer to who asks for all.
      if (!isExact && score < minScore * 1000) {
        below += 1
        continue
      }
      cards[size] = card
      scores[size] = score
      size++
    }
    return { cards: cards.subarray(0, size), scores: scores.subarray(0, size), below }
  }

  /** By row id: the sum over the terms. */
  #textScores(): Float64Array {
    const { days, average } = this.#facts
    const text = new Float64Array(days.length)
    // By length, worked out when first needed: no factor is 0.
    const factors = new Float64Array(LENGTH_SPAN)
    for (const { postings, idf: termIdf } of this.#terms)
      addTerm(text, postings, this.#facts, factors, termIdf, average)
    return text
  }
}

/** The inner loop, by itself so that it is compiled early. */
function addTerm(
  text: Float64Array,
  postings: Numbers,
  { days, lengths }: Facts,
  factors: Float64Array,
  termIdf: number,
  average: number,
): void {
  const isNarrow = postings instanceof Int32Array
  for (let i = 0; i < postings.length; i++) {
    const posting = postings[i] as number
    const card = isNarrow ? posting >> WEIGHT_BITS : Math.floor(posting / WEIGHT_SPAN)
    // Also where the card is newer than the facts, and the look-up gives nothing.
    if (!((days[card] as number) >= 0)) continue
    const length = lengths[card] as number
    if (factors[length] === 0) factors[length] = lengthFactor(length, average)
    text[card] = (text[card] as number) + termScore(termIdf, posting & (WEIGHT_SPAN - 1), factors[length] as number)
  }
}

/** What is known of the cards that are searched, by row id. */
interface Facts {
  readonly cards: number
  readonly average: number
  /** Days since FIRST_DAY; negative: not searched. */
  readonly days: Int32Array
  readonly lengths: Int32Array
}

function unpack(packed: Numbers): Facts {
  let last = -1
  for (let i = 0; i < packed.length; i += 2) last = Math.max(last, packed[i] as number)
  const days = new Int32Array(last + 1).fill(-1)
  const lengths = new Int32Array(last + 1)
  const cards = packed.length / 2
  let sum = 0
  for (let i = 0; i < packed.length; i += 2) {
    const card = packed[i] as number
    const fact = packed[i + 1] as number
    const length = fact & (LENGTH_SPAN - 1)
    days[card] = (fact - length) / LENGTH_SPAN
    lengths[card] = length
    sum += length
  }
  return { cards, average: cards === 0 ? 0 : sum / cards, days, lengths }
}

function countSearched(postings: Numbers, { days }: Facts): number {
  const isNarrow = postings instanceof Int32Array
  let found = 0
  for (let i = 0; i < postings.length; i++) {
    const posting = postings[i] as number
    const card = isNarrow ? posting >> WEIGHT_BITS : Math.floor(posting / WEIGHT_SPAN)
    if ((days[card] as number) >= 0) found++
  }
  return found
}

/** The n-th greatest of whole numbers that are small enough to be counted. */
function nthBest(scores: Float64Array, n: number): number {
  let most = 0
  for (let i = 0; i < scores.length; i++) most = Math.max(most, scores[i] as number)
  most = Math.min(most, COUNTED)
  const counts = new Uint32Array(most + 1)
  for (let i = 0; i < scores.length; i++) {
    const score = Math.min(scores[i] as number, most)
    counts[score] = (counts[score] as number) + 1
  }
  let left = n
  for (let score = most; score > 0; score--) {
    left -= counts[score] as number
    if (left <= 0) return score
  }
  return 0
}

/** Thousandths up to which scores are told apart when the best are picked. */
const COUNTED = 1_000_000

function kindRange(kind: CardKind | null): CardKinds {
  const place = kind === null ? -1 : CARD_KINDS.indexOf(kind)
  return place < 0 ? { lo: 0, hi: CARD_KINDS.length - 1 } : { lo: place, hi: place }
}

function boostsOf(
  store: Store,
  { files, symbols }: RankingQuestion,
  kinds: CardKinds,
  lineage: Lineage,
  withNames: boolean,
): Map<number, Boost[]> {
  const boosts = new Map<number, Boost[]>()
  const add = (cards: Iterable<number>, boost: Boost): void => {
    for (const card of cards) {
      const mine = boosts.get(card)
      if (mine === undefined) boosts.set(card, [boost])
      else mine.push(boost)
    }
  }
  for (const file of new Set(files)) {
    const exact = cardsOfFile(store, file, kinds, lineage)
    add(exact, { what: 'file', of: file, boost: SCORING.file })
    if (!withNames) continue
    const name = file.slice(file.lastIndexOf('/') + 1)
    const alike = new Set(cardsCiting(store, 'byBase', name, kinds).map(({ card }) => card))
    for (const card of exact) alike.delete(card)
    add(alike, { what: 'basename', of: file, boost: SCORING.basename })
  }
  for (const symbol of new Set(symbols.map((text) => text.toLowerCase()))) {
    const cards = new Set(cardsCiting(store, 'bySymbol', symbol, kinds).map(({ card }) => card))
    add(cards, { what: 'symbol', of: symbol, boost: SCORING.symbol })
  }
  return boosts
}

/** Cards that cite the file under whatever name it had when they were written. */
function cardsOfFile(store: Store, file: string, kinds: CardKinds, lineage: Lineage): Set<number> {
  const { names, means } = lineage.citing(file)
  const cards = new Set<number>()
  for (const name of names) {
    for (const { card, day } of cardsCiting(store, 'byPath', name, kinds)) if (means(name, day)) cards.add(card)
  }
  return cards
}

function unpackFields(tf: number): Partial<Record<FieldName, number>> {
  const fields: Partial<Record<FieldName, number>> = {}
  for (const [place, { name }] of FIELDS.entries()) {
    const count = Math.floor(tf / 2 ** (TF_BITS * place)) % 2 ** TF_BITS
    if (count > 0) fields[name] = count
  }
  return fields
}
