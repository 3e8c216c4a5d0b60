// Every number that ranking depends on, and the three formulas. Pure: no store, no clock.
// The surprise: scores are compared as they are shown, rounded to thousandths, so that equal-looking scores are ties and
// the order of a tie (date, id) can be seen to hold. Source of the numbers: sheet ledger §6, issue "Recall".

/** Constants of ranking; the README prints this table. */
export const SCORING = {
  /** BM25: how soon a repeated term stops counting. */
  k1: 1.2,
  /** BM25: how much a long card is held back. */
  b: 0.75,
  /** The text part falls to 1/e in so many days. */
  decayDays: 180,
  /** A file of the question is one of the card's, renames included. */
  file: 5,
  /** Only its name without folders is. */
  basename: 2.5,
  /** A symbol of the question is one of the card's, whatever the case. */
  symbol: 3,
  /** Results below this are left out, unless they match a file or symbol exactly. */
  minScore: 0.1,
  /** Results, unless asked otherwise. */
  k: 5,
  /** Best candidates among which one may supersede another. */
  window: 200,
} as const

/** ln(1 + (N − df + ½)/(df + ½)): never negative, since df counts cards out of the same N. */
export function idf(cards: number, found: number): number {
  return Math.log(1 + (cards - found + 0.5) / (found + 0.5))
}

/** What one term gives to a card: `weight` is the weighted sum of its counts. */
export function termScore(termIdf: number, weight: number, factor: number): number {
  return (termIdf * weight * SATURATED) / (weight + factor)
}

const SATURATED = SCORING.k1 + 1

/** By how much a card of so many different terms is held back. */
export function lengthFactor(length: number, average: number): number {
  const { k1, b } = SCORING
  return k1 * (1 - b + b * (average > 0 ? length / average : 1))
}

/** Days since 1970 in, factor of the text part out; a card of the future is as good as new. */
export function decay(today: number, day: number): number {
  return Math.exp(-Math.max(0, today - day) / SCORING.decayDays)
}

/** A score in thousandths: what is compared, and shown. */
export function thousandths(score: number): number {
  return Math.round(score * 1000)
}
