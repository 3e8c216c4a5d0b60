// What somebody may have meant: the known words nearest to the one typed. Pure.

import { distance } from 'fastest-levenshtein'
import { compareCodePoints } from '../model/order.ts'

/** At most `count` of `known` within `slips` edits of `typed` (ASCII or not, case aside), nearest first. */
export function nearest(typed: string, known: readonly string[], slips: number, count: number): string[] {
  const wanted = typed.toLowerCase()
  return known
    .map((word) => ({ word, far: distance(wanted, word.toLowerCase()) }))
    .filter(({ far }) => far <= slips)
    .sort((a, b) => a.far - b.far || compareCodePoints(a.word, b.word))
    .slice(0, count)
    .map(({ word }) => word)
}
