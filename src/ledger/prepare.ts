// From numbers to rows: fetches issues, drafts their cards, has the anchors filled in, and computes the hash. Nothing
// is written here, and no lock is held. The first failure ends it, when what is under way has come back; what is whole
// by then is handed over beside the failure.

import { cardsHash } from '../extract/ledger-cards.ts'
import type { Clock, Talk } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
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
  /** Ids of the comments that the stored cards stand in. */
  readonly comments: readonly number[]
}

/** What is to be written of one issue. */
export interface Prepared {
  readonly wanted: Wanted
  /** Null where the issue is gone. */
  readonly row: IssueRecord | null
  readonly cards: readonly CardRecord[]
  /** False where the issue has to be fetched again (see listing.ts). */
  readonly settled: boolean
  /** Of an issue that was read in part: the comments that were read. Null: it was read whole. */
  readonly partOf: ReadonlySet<number> | null
}

export interface Batch {
  readonly prepared: readonly Prepared[]
  /** What ended it early; null where everything was fetched. */
  readonly failure: { readonly reason: unknown } | null
}

interface Fetched extends Drafted {
  readonly wanted: Wanted
  readonly row: Omit<IssueRecord, 'hash'> | null
  readonly settled: boolean
  readonly partOf: Prepared['partOf']
}

/**
 * Fetches and prepares the issues, in the order given; a fetch that failed (mostly UserError `source`) is handed over as
 * `failure`. `done` of `total` is for talk.
 */
export async function prepare(
  kitchen: Kitchen,
  wanted: readonly Wanted[],
  done: number,
  total: number,
): Promise<Batch> {
  const { fetched, failure } = await fetchAll(kitchen, wanted, done, total)
  const drafts = fetched.flatMap(({ cards }) => cards)
  const anchored = drafts.length === 0 ? [] : await kitchen.anchors(drafts)
  if (anchored.length !== drafts.length) throw new Error(`${anchored.length} anchors for ${drafts.length} cards`)
  let at = 0
  const prepared = fetched.map(({ wanted: issue, row, cards, settled, partOf }) => {
    const own = anchored.slice(at, at + cards.length)
    at += cards.length
    return { wanted: issue, row: row && { ...row, hash: cardsHash(own) }, cards: own.map(cardRecord), settled, partOf }
  })
  return { prepared, failure }
}

/** The same where only everything is of use: throws what ended it. */
export async function prepareAll(kitchen: Kitchen, wanted: readonly Wanted[]): Promise<readonly Prepared[]> {
  const { prepared, failure } = await prepare(kitchen, wanted, 0, wanted.length)
  if (failure !== null) throw failure.reason
  return prepared
}

async function fetchAll(
  kitchen: Kitchen,
  wanted: readonly Wanted[],
  done: number,
  total: number,
): Promise<{ fetched: readonly Fetched[]; failure: Batch['failure'] }> {
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
  // Without the holes of what was not fetched.
  return { fetched: fetched.filter(() => true), failure: failure === undefined ? null : { reason: failure.reason } }
}

/**
 * Comments of stored cards that a reading in part does not have: nobody can tell whether they are deleted or hidden.
 */
export function unread(comments: readonly number[], partOf: Prepared['partOf']): number[] {
  return partOf === null ? [] : comments.filter((id) => !partOf.has(id))
}

/** Drafts at once, so that a long run does not hold all texts in memory. */
async function fetchOne({ source, draft, now }: Kitchen, wanted: Wanted): Promise<Fetched> {
  const fetchedAt = now()
  const { number, listed, stored } = wanted
  const issue = await source.issue(number)
  if (issue === null) return { wanted, row: null, cards: [], ignored: 0, settled: true, partOf: null }
  const partOf = issue.partial === true ? new Set(issue.texts.flatMap(({ id }) => id ?? [])) : null
  if (unread(wanted.comments, partOf).length > 0) {
    throw new UserError(
      'source',
      `${source.name}: the reviews of #${number} cannot be read, and the ledger may hold cards from them`,
      'the token needs to read pull requests of this repository',
    )
  }
  const { cards, ignored } = await draft(issue)
  const { pull, state, updatedAt } = issue
  const comments = source.comments?.(number) ?? null
  const row = { number, pull, open: state === 'open', updated: updatedAt, ignored, comments }
  // A replica that lags may not know yet what the listing knew, or what was fetched before.
  const behind = [listed, stored?.updated].some((time) => time != null && updatedAt < time)
  return { wanted, row, cards, ignored, settled: !behind && isSettled(updatedAt, fetchedAt), partOf }
}
