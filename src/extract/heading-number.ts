// The number that a heading claims for its artifact, and the problem where the file's name says another. One rule for all
// conventions; who tells of it is decided elsewhere. Surprise: a heading without a number claims none and is right.

import { type ProblemFact, SEVERITY } from '../model/facts.ts'

/** The number that a heading claims for itself, or null. */
function claimedNumber(heading: string): number | null {
  const match = /^(?:ADR[-_ ]?#?(\d{1,6})(?!\w)|#?(\d{1,6})\s*[.:)](?=\s))/i.exec(heading)
  return match === null ? null : Number(match[1] ?? match[2])
}

/**
 * The problem heading-mismatch where heading and file name disagree, else null. `digits`: as the name has them.
 * Source: issue 3 §5 "Findings for every convention".
 */
export function headingMismatch(heading: string, digits: string, line: number | null): ProblemFact | null {
  const claimed = claimedNumber(heading)
  if (claimed === null || claimed === Number(digits)) return null
  const detail = `the heading says ${claimed}, the name of the file says ${digits}`
  return { code: 'heading-mismatch', severity: SEVERITY.warning, line, detail, field: null, target: null }
}
