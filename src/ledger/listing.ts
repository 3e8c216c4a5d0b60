// What a listing of issues says, and whether a row may be left as it is. A listing comes in pages that GitHub counts
// anew for each request, so an issue that changes meanwhile makes another one fall between two pages.
// The surprise: such a listing is taken again, and one that does not come to rest must not move a watermark.

import type { IssueHead, LedgerSource } from '../model/ledger.ts'
import { compareUtf16 } from '../model/order.ts'
import type { IssueRow } from '../store/queries/ledger-state.ts'

/**
 * Seconds. A listing begins this long before the watermark; and a row fetched within this time of the issue's last
 * change is unsettled. It covers the second that hides a second change, replicas that lag, and clocks that differ.
 */
export const OVERLAP_SECONDS = 60

const MAX_PASSES = 4

export interface Listing {
  /** Oldest change first. */
  readonly heads: readonly IssueHead[]
  /** False where issues kept changing while they were listed: some may be missing. */
  readonly calm: boolean
}

/** Lists everything that changed since; all where `since` is null. Throws UserError `source`. */
export async function listHeads(source: LedgerSource, since: string | null): Promise<Listing> {
  const heads = new Map<number, IssueHead>()
  let calm = false
  for (let pass = 0; pass < MAX_PASSES && !calm; pass++) calm = await listOnce(source, since, heads)
  return { heads: [...heads.values()].sort(byChange), calm }
}

/** Whether no issue came twice with different times. */
async function listOnce(source: LedgerSource, since: string | null, heads: Map<number, IssueHead>): Promise<boolean> {
  const seen = new Map<number, string>()
  let calm = true
  for await (const page of source.list(since)) {
    for (const head of page) {
      const before = seen.get(head.number)
      if (before !== undefined && before !== head.updatedAt) calm = false
      seen.set(head.number, head.updatedAt)
      const known = heads.get(head.number)
      if (known === undefined || known.updatedAt <= head.updatedAt) heads.set(head.number, head)
    }
  }
  return calm
}

function byChange(a: IssueHead, b: IssueHead): number {
  return compareUtf16(a.updatedAt, b.updatedAt) || a.number - b.number
}

/**
 * Whether the row says what the listing says of the issue. `comments` is how many the listing counts (null: it does not
 * say): a comment that was deleted may have left no other trace. An unknown count proves nothing.
 */
export function isCurrent(row: IssueRow | null, head: IssueHead, comments: number | null): boolean {
  if (row === null || row.updated !== head.updatedAt) return false
  if (row.comments !== null && comments !== null && row.comments !== comments) return false
  return (row.pull === 1) === head.pull && (row.open === 1) === (head.state === 'open')
}

/** The greatest time of change; null where there is none. */
export function latest(heads: readonly IssueHead[]): string | null {
  return heads.reduce<string | null>((max, { updatedAt }) => (max === null || max < updatedAt ? updatedAt : max), null)
}

/** From when to list: a little before the watermark; everything where there is none. */
export function listingStart(watermark: string | null): string | null {
  const at = watermark === null ? Number.NaN : Date.parse(watermark)
  if (Number.isNaN(at)) return null
  return new Date(at - OVERLAP_SECONDS * 1000).toISOString().replace('.000Z', 'Z')
}

/** Whether a fetch that began at `fetchedAt` (milliseconds) can be trusted to know all changes up to `updatedAt`. */
export function isSettled(updatedAt: string, fetchedAt: number): boolean {
  return fetchedAt - Date.parse(updatedAt) >= OVERLAP_SECONDS * 1000
}
