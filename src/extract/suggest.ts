// "Did you mean": the nearest of some known words. Pure; the caller decides what to say with it.
// Surprise: case does not count for nearness, but the words come back as they were given.

import { distance } from 'fastest-levenshtein'
import { compareUtf16 } from '../model/order.ts'

const MOST = 5
/** Nobody types an id of that length. */
const LONGEST_TYPED = 200
/** Shorter words are contained in almost anything. */
const CONTAINED_FROM = 3

/**
 * The candidates nearest to a mistyped word, best first, at most five; none where nothing is near. Near is at most
 * four edits in ten characters (one at least), or containing the word. Order: edits, then text.
 */
export function suggest(word: string, candidates: Iterable<string>): string[] {
  const wanted = word.toLowerCase()
  const allowed = Math.max(1, Math.floor(wanted.length * 0.4))
  const near = new Map<string, number>()
  for (const candidate of candidates) {
    const known = candidate.toLowerCase()
    const contains = wanted.length >= CONTAINED_FROM && known.includes(wanted)
    // The difference in length is a lower bound of the edits, and much cheaper.
    if (!contains && Math.abs(known.length - wanted.length) > allowed) continue
    const edits = distance(wanted, known)
    if (contains || edits <= allowed) near.set(candidate, edits)
  }
  return [...near]
    .sort((a, b) => a[1] - b[1] || compareUtf16(a[0], b[0]))
    .slice(0, MOST)
    .map(([candidate]) => candidate)
}

/** The candidates with the fewest edits to a word, however far they are; of equals the first text. */
export function nearest(word: string, candidates: Iterable<string>, most: number): string[] {
  const wanted = word.slice(0, LONGEST_TYPED).toLowerCase()
  return [...candidates]
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits || compareUtf16(a.candidate, b.candidate))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}
