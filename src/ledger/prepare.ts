// From numbers to rows: fetches issues, drafts their cards, has the anchors filled in, and computes the hash. Nothing
// is written here, and no lock is held. The first failure ends it, when what is under way has come back.

import { cardsHash } from '../extract/ledger-cards.ts'
import type { Clock, Talk } from '../model/clock.ts'
import type { Card, LedgerIssue, LedgerSource } from '../model/ledger.ts'
import type { IssueRow } from '../store/queries/ledger-state.ts'
import type { CardRecord, IssueRecord } from '../store/queries/ledger-write.ts'
import { isSettled } from './listing.ts'
import { cardRecord } from './store-cards.ts'

/** Fetches that are under way at a time: GitHub asks for few. */
const LANES = 4

export interface Drafted {
  /** Cards whose anchors have no hashes yet. */
  readonly cards: readonly Card[]
  /** Annotations that the trust filter left out. */
  readonly ignored: number
}

export interface Kitchen {
  readonly source: LedgerSource
  readonly draft: (issue: LedgerIssue) => Drafted | Promise<Drafted>
  /** Fills the hashes of the anchors in: as many cards as were given, in the same order. */
  readonly anchors: (cards: readonly Card[]) => Promise<readonly Card[]>
  readonly talk: Talk
  readonly now: Clock
}

/** An issue to be fetched. */
export interface Wanted {
  readonly number: number
  /** Time of change that the listing gave; null where no listing names the issue. */
  readonly listed: string | null
  /** The row as it was when the run began; null where there was none. */
  readonly stored: IssueRow | null
}

/** What is to be written of one issue. */
export interface Prepared {
  readonly wanted: Wanted
  /** Null where the issue is gone. */
  readonly row: IssueRecord | null
  readonly cards: readonly CardRecord[]
  /** False where the issue has to be fetched again (see listing.ts). */
  readonly settled: boolean
}

interface Fetched extends Drafted {
  readonly wanted: Wanted
  readonly row: Omit<IssueRecord, 'hash'> | null
  readonly settled: boolean
}

/** Fetches and prepares the issues, in the order given. Throws UserError `source`. `done` of `total` is for talk. */
export async function prepare(
  kitchen: Kitchen,
  wanted: readonly Wanted[],
  done: number,
  total: number,
): Promise<Prepared[]> {
  const fetched = await fetchAll(kitchen, wanted, done, total)
  const drafts = fetched.flatMap(({ cards }) => cards)
  const anchored = drafts.length === 0 ? [] : await kitchen.anchors(drafts)
  if (anchored.length !== drafts.length) throw new Error(`${anchored.length} anchors for ${drafts.length} cards`)
  let at = 0
  return fetched.map(({ wanted: issue, row, cards, settled }) => {
    const own = anchored.slice(at, at + cards.length)
    at += cards.length
    return { wanted: issue, row: row && { ...row, hash: cardsHash(own) }, cards: own.map(cardRecord), settled }
  })
}

async function fetchAll(
  kitchen: Kitchen,
  wanted: readonly Wanted[],
  done: number,
  total: number,
): Promise<readonly Fetched[]> {
  const fetched: Fetched[] = []
  let next = 0
  let finished = 0
  const lane = async (): Promise<void> => {
    while (next < wanted.length) {
      const place = next++
      try {
        fetched[place] = await fetchOne(kitchen, wanted[place] as Wanted)
      } catch (error) {
        next = wanted.length
        throw error
      }
      kitchen.talk.progress('issues', done + ++finished, total)
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: LANES }, lane))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return fetched
}

/** Drafts at once, so that a long run does not hold all texts in memory. */
async function fetchOne({ source, draft, now }: Kitchen, wanted: Wanted): Promise<Fetched> {
  const fetchedAt = now()
  const { number, listed, stored } = wanted
  const issue = await source.issue(number)
  if (issue === null) return { wanted, row: null, cards: [], ignored: 0, settled: true }
  const { cards, ignored } = await draft(issue)
  const { pull, state, updatedAt } = issue
  const row = { number, pull, open: state === 'open', updated: updatedAt, ignored }
  // A replica that lags may not know yet what the listing knew, or what was fetched before.
  const behind = [listed, stored?.updated].some((time) => time != null && updatedAt < time)
  return { wanted, row, cards, ignored, settled: !behind && isSettled(updatedAt, fetchedAt) }
}
