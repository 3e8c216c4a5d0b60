// Brings the ledger to what GitHub says (seed 004 "Invariants", issue 4 §3): what changed since the watermark, one
// issue, or everything anew. Fetching happens before any lock; each batch is one transaction. The watermark moves only
// when a listing completed and everything it showed is in.
// The surprise: whoever fetched earlier may come to write later, so a row that is newer than what was fetched stays.

import { UserError } from '../model/errors.ts'
import type { IssueHead } from '../model/ledger.ts'
import {
  anchorsStart,
  commentsOfCards,
  holdsIssues,
  type IssueRow,
  issueNumbers,
  issueRow,
  ledgerState,
  type RepoRow,
  repoRow,
  setAnchorsStart,
  setUnsettledIssues,
  unanchoredIssues,
  unsettledIssues,
} from '../store/queries/ledger-state.ts'
import { LedgerWriter } from '../store/queries/ledger-write.ts'
import type { Store } from '../store/store.ts'
import { isCurrent, latest, listHeads, listingStart } from './listing.ts'
import { type Kitchen, type Prepared, prepare, prepareAll, unread, type Wanted } from './prepare.ts'
import { type Trust, trustFingerprint } from './trust.ts'

/**
 * `incremental`: what a listing since the watermark shows. `reconcile`: what a listing of everything shows, and what it
 * no longer shows; rows that are current are not fetched. `full`: everything is fetched. `{issue}`: that one.
 */
export type UpdateMode = 'incremental' | 'reconcile' | 'full' | { readonly issue: number }

export interface UpdateOptions extends Omit<Kitchen, 'source'> {
  /** `owner/name`. */
  readonly repo: string
  readonly mode: UpdateMode
  /** The filter that `draft` applies; the ledger keeps its fingerprint. */
  readonly trust: Trust
  /**
   * From which time on history is here (git-history.ts historyStart). Anchors that lack their blob because it began
   * later when they were made are made anew. Absent: nobody knows, and they stay.
   */
  readonly historyStart?: number
}

export interface UpdateReport {
  readonly repo: string
  /** Issues that were fetched; one that is nowhere, neither at the source nor here, is none. */
  readonly fetched: number
  /** Of those: issues whose cards changed. */
  readonly changed: number
  /** Issues that are gone: deleted, or transferred. */
  readonly removed: number
  /** Of the whole ledger of this repository, afterwards. */
  readonly issues: number
  readonly cards: number
  /** Annotations that the trust filter leaves out. */
  readonly ignored: number
  readonly watermark: string | null
  /** True where the watermark stayed although this run had something to move it to. */
  readonly held: boolean
}

/** Issues in one transaction, at least; and transactions in one run, at most: each of them touches most of the terms. */
const BATCH = 50
const MAX_BATCHES = 40

interface Run {
  readonly store: Store
  readonly kitchen: Kitchen
  readonly repo: string
  readonly trust: string
  readonly historyStart: number | null
  readonly tally: { fetched: number; changed: number; removed: number; held: boolean }
}

const DAY_SECONDS = 86_400

type IssueVersion = Pick<IssueRow, 'updated' | 'hash'>

/** What a transaction writes beside its issues. */
interface Ending {
  /** Everything was fetched: rows made under another filter may be replaced. */
  readonly anew?: boolean
  /** With this transaction all anchors are what the history that is here now makes of them. */
  readonly anchored?: boolean
  /** Called with all rows in place: what to set the watermark to, or undefined to leave it. */
  readonly watermark?: (row: RepoRow) => string | null | undefined
}

/**
 * Updates one repository's rows. Throws UserError `source` (committed batches stay, the watermark does not move),
 * `refused` where the rows were made under another trust filter and `mode` is not `full`, and what store.write() throws.
 * Deletions without a time stamp (of a comment, an issue, a transfer) are no part of a listing since a time: an
 * incremental run sees a comment's only while its issue is in the overlap, where the listing counts one less;
 * `reconcile` sees those and what is gone, `{issue}` and `full` also a review comment's, which no listing counts.
 */
export async function updateLedger(
  store: Store,
  source: Kitchen['source'],
  options: UpdateOptions,
): Promise<UpdateReport> {
  const { repo, mode, trust } = options
  const run: Run = {
    store,
    kitchen: { ...options, source },
    repo,
    trust: trustFingerprint(trust),
    historyStart: options.historyStart ?? null,
    tally: { fetched: 0, changed: 0, removed: 0, held: false },
  }
  if (mode === 'full') await rebuild(run)
  else {
    store.read(() => refuseOtherTrust(run, repoRow(store, repo)))
    if (typeof mode === 'object') await updateOne(run, mode.issue)
    else await catchUp(run, mode === 'reconcile')
  }
  const { issues = 0, cards = 0, ignored = 0, watermark = null } = stateOf(run) ?? {}
  return { repo, ...run.tally, issues, cards, ignored, watermark }
}

function stateOf({ store, repo }: Run): ReturnType<typeof ledgerState>['repos'][number] | undefined {
  return ledgerState(store).repos.find(({ name }) => name === repo)
}

async function catchUp(run: Run, everything: boolean): Promise<void> {
  const { store, kitchen, repo, trust, tally } = run
  const before = store.read(() => repoRow(store, repo))
  const from = before?.watermark ?? null
  const { heads, calm } = await listHeads(kitchen.source, everything ? null : listingStart(from))
  if (everything) refuseNothing(run, heads)
  const wanted = store.read(() => {
    const stale = heads.filter((head) => !isUpToDate(run, head))
    return wantedOf(run, heads, [
      ...stale.map(({ number }) => number),
      ...unsettledIssues(store, repo),
      ...unanchored(run),
      ...(everything ? unlisted(run, heads) : []),
    ])
  })
  const reached = latest(heads)
  const advance = (row: RepoRow): string | undefined =>
    reached !== null && (row.watermark === null || row.watermark < reached) ? reached : undefined
  const ahead = advance({ watermark: from, trust }) !== undefined
  tally.held = ahead && !calm
  const ending = { anchored: true, ...(ahead && calm && { watermark: advance }) }
  // Also an empty repository has a row: it has been looked at.
  if (wanted.length === 0 && (before === null || (ahead && calm) || isDeeper(run))) commit(run, [], ending)
  const size = Math.max(BATCH, Math.ceil(wanted.length / MAX_BATCHES))
  for (let at = 0; at < wanted.length; at += size) {
    const { prepared, failure } = await prepare(kitchen, wanted.slice(at, at + size), at, wanted.length)
    if (failure === null) commit(run, prepared, at + size >= wanted.length ? ending : {})
    else {
      // What came whole stays, so that the next run goes on from there.
      if (prepared.length > 0) commit(run, prepared)
      throw failure.reason
    }
  }
}

/** Issues to fetch, each once, in this order. Inside store.read(). */
function wantedOf({ store, repo }: Run, heads: readonly IssueHead[], numbers: readonly number[]): Wanted[] {
  const times = new Map(heads.map(({ number, updatedAt }) => [number, updatedAt]))
  return [...new Set(numbers)].map((number) => ({
    number,
    listed: times.get(number) ?? null,
    stored: issueRow(store, repo, number),
    comments: commentsOfCards(store, repo, number),
  }))
}

/** Whether the row says what the source's last listing says of the issue. Inside store.read(). */
function isUpToDate({ store, repo, kitchen: { source } }: Run, head: IssueHead): boolean {
  return isCurrent(issueRow(store, repo, head.number), head, source.comments?.(head.number) ?? null)
}

/** Whether history reaches further back than when the anchors were made. */
function isDeeper({ store, repo, historyStart }: Run): boolean {
  return historyStart !== null && historyStart < (anchorsStart(store, repo) ?? Number.POSITIVE_INFINITY)
}

/**
 * Issues whose anchors lack the blob that history may have by now. They are fetched again, because a card keeps the day
 * alone of the time that its commit is picked by. Inside store.read().
 */
function unanchored(run: Run): number[] {
  const { store, repo, historyStart } = run
  if (historyStart === null || !isDeeper(run)) return []
  const dayOf = (seconds: number): number => Math.max(-1e9, Math.min(1e9, Math.floor(seconds / DAY_SECONDS)))
  return unanchoredIssues(store, repo, dayOf(historyStart), dayOf(anchorsStart(store, repo) ?? 1e15))
}

/** Notes from when on history was there for the anchors: the latest of all runs since everything was anchored anew. */
function noteHistory({ store, repo, historyStart }: Run, wasEmpty: boolean, anchored: boolean): void {
  if (historyStart === null) return
  const before = anchorsStart(store, repo)
  if (before === null && !wasEmpty && !anchored) return
  const start = anchored || before === null ? historyStart : Math.max(before, historyStart)
  if (start !== before) setAnchorsStart(store, repo, start)
}

/** Rows of issues that a listing of everything does not show. */
function unlisted({ store, repo }: Run, heads: readonly IssueHead[]): number[] {
  const listed = new Set(heads.map(({ number }) => number))
  return issueNumbers(store, repo).filter((number) => !listed.has(number))
}

/** The watermark advances only where one page since then shows nothing that has no current row. */
async function updateOne(run: Run, number: number): Promise<void> {
  const { store, kitchen, repo, tally } = run
  const from = store.read(() => repoRow(store, repo)?.watermark ?? null)
  const wanted = store.read(() => wantedOf(run, [], [number]))
  const prepared = await prepareAll(kitchen, wanted)
  const heads = await onlyPage(kitchen, listingStart(from))
  const reached = heads && latest(heads)
  commit(run, prepared, {
    watermark: (row) => {
      if (reached === null || (row.watermark !== null && reached <= row.watermark)) return undefined
      const seen = heads?.every((head) => isUpToDate(run, head))
      tally.held = !seen
      return seen ? reached : undefined
    },
  })
  tally.held ||= heads === null
}

/** The listing where it is one page; null where there are more. */
async function onlyPage({ source }: Kitchen, since: string | null): Promise<readonly IssueHead[] | null> {
  let only: readonly IssueHead[] | null = null
  for await (const page of source.list(since)) {
    if (page.length === 0) continue
    if (only !== null) return null
    only = page
  }
  return only ?? []
}

/** Stages everything and swaps it in with one transaction; what is listed no longer is asked for before it goes. */
async function rebuild(run: Run): Promise<void> {
  const { store, kitchen, tally } = run
  const { heads, calm } = await listHeads(kitchen.source, null)
  refuseNothing(run, heads)
  const listed = heads.map(({ number }) => number)
  const wanted = store.read(() => wantedOf(run, heads, [...listed, ...unlisted(run, heads)]))
  const prepared = await prepareAll(kitchen, wanted)
  tally.held = !calm
  commit(run, prepared, { anew: true, anchored: true, ...(calm && { watermark: () => latest(heads) }) })
}

/** One transaction: the issues, the list of the unsettled, and what the ending says. */
function commit(
  run: Run,
  prepared: readonly Prepared[],
  { anew = false, anchored = false, watermark }: Ending = {},
): void {
  const { store, repo, trust, tally } = run
  let changed = 0
  let removed = 0
  store.write(() => {
    const before = repoRow(store, repo)
    if (!anew) refuseOtherTrust(run, before)
    const otherTrust = before !== null && before.trust !== trust
    const wasEmpty = !holdsIssues(store, repo)
    const unsettled = new Set(unsettledIssues(store, repo))
    const writer = new LedgerWriter(store, repo, trust)
    writer.setTrust(trust)
    // Rows that came in after the full run had listed them were made under the old filter.
    if (anew && otherTrust) for (const number of missing(run, prepared)) unsettled.add(number)
    for (const { wanted, row, cards, settled, partOf } of prepared) {
      const { number } = wanted
      const now = issueRow(store, repo, number)
      // Somebody wrote it since this run began; a row that was newer then is the source gone back in time.
      const touched = !isSame(now, wanted.stored) && !isSame(now, row)
      if (touched && !otherTrust && now !== null && row !== null && now.updated > row.updated) continue
      // Somebody who may see more wrote cards since then that this reading would take away.
      if (unread(touched ? commentsOfCards(store, repo, number) : [], partOf).length > 0) {
        unsettled.add(number)
        continue
      }
      // Of two different fetches with one time nobody knows which was later.
      if (settled && !touched) unsettled.delete(number)
      else unsettled.add(number)
      if (row === null) removed += writer.removeIssue(number) ? 1 : 0
      else changed += writer.replaceIssue(row, cards, otherTrust) ? 1 : 0
    }
    setUnsettledIssues(store, repo, unsettled)
    noteHistory(run, wasEmpty, anchored)
    const to = watermark?.(repoRow(store, repo) ?? { watermark: null, trust })
    if (to !== undefined) writer.setWatermark(to)
    writer.finish()
  })
  tally.fetched += prepared.filter(({ wanted, row }) => row !== null || wanted.stored !== null).length
  tally.changed += changed
  tally.removed += removed
}

function isSame(a: IssueVersion | null, b: IssueVersion | null): boolean {
  return a?.updated === b?.updated && a?.hash === b?.hash
}

function missing({ store, repo }: Run, prepared: readonly Prepared[]): number[] {
  const known = new Set(prepared.map(({ wanted }) => wanted.number))
  return issueNumbers(store, repo).filter((number) => !known.has(number))
}

function refuseOtherTrust({ store, repo, trust }: Run, row: RepoRow | null): void {
  if (row === null || row.trust === trust || !holdsIssues(store, repo)) return
  throw new UserError(
    'refused',
    `the ledger of ${repo} was made under another trust filter, or by another version of specdex`,
    'run `specdex ledger update --full-rebuild`: it judges every annotation anew; ' +
      'or restore the filter, ledger.trust in .specdex/config.yml',
    1,
  )
}

/** A listing of everything with nothing in it is mostly a wrong source, and would delete all there is. */
function refuseNothing({ store, kitchen, repo }: Run, heads: readonly IssueHead[]): void {
  if (heads.length > 0 || !store.read(() => holdsIssues(store, repo))) return
  throw new UserError(
    'refused',
    `${kitchen.source.name} lists no issue of ${repo}, and the ledger holds some`,
    'the source is empty; where its issues are really gone, `specdex ledger update --issue N` drops them one by one',
    1,
  )
}
