// The question behind every verb, apart from the code that plans: whether anything is to be done.

import type { Plan } from './diff.ts'

/** True where the index answers exactly as a fresh one would. */
export function isFresh(plan: Plan): boolean {
  return plan.changes.size === 0 && plan.fingerprints.size === 0
}
