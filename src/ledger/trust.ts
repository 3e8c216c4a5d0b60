// Whose annotations count: anybody can post a marker on a public issue (issue 4 §1). Says it for one author, and as a
// fingerprint that the ledger keeps, so that cards made under another filter are never mixed in.

import { createHash } from 'node:crypto'
import type { Author } from '../model/ledger.ts'

export interface Trust {
  /** Author associations as GitHub spells them: `OWNER`, `MEMBER`. */
  readonly associations: readonly string[]
  /** Logins that count as well. */
  readonly bots: readonly string[]
}

/** Raise it whenever the same annotations would give other cards or other postings: a full rebuild is asked for then. */
const CARDS_VERSION = 1

/** Where a source names no association (an export), everybody counts. Case is ignored, as GitHub does in logins. */
export function trusts({ associations, bots }: Trust, author: Author): boolean {
  const among = (names: readonly string[], name: string): boolean =>
    names.some((candidate) => candidate.toLowerCase() === name.toLowerCase())
  if (author.association === null || among(associations, author.association)) return true
  return author.login !== null && among(bots, author.login)
}

/** Sixteen hex digits; equal for equal filters, whatever their order, case and repetitions. */
export function trustFingerprint({ associations, bots }: Trust): string {
  const set = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.toLowerCase()))].sort()
  const parts = JSON.stringify([CARDS_VERSION, set(associations), set(bots)])
  return createHash('sha256').update(parts).digest('hex').slice(0, 16)
}
