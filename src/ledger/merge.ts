// Two ledgers of one repository made one, issue by issue: the newer `updated` wins. Pure; it knows neither git nor rows.
// The surprise: an issue that only one side has was either never seen by the other, or is gone from GitHub. The other
// side's watermark tells: it has listed everything up to there.

import { UserError } from '../model/errors.ts'
import type { Card, Rename } from '../model/ledger.ts'
import { compareRenames, type IssueContent, type LedgerContent } from './content.ts'
import { OVERLAP_SECONDS } from './listing.ts'

export interface Merged {
  readonly content: LedgerContent
  /** Issues whose state is that of `theirs`, ascending. */
  readonly taken: readonly number[]
  /** Issues of `mine` that are gone by what `theirs` has listed. */
  readonly dropped: readonly number[]
  /** Issues of `theirs` that are gone by what `mine` has listed. */
  readonly withheld: readonly number[]
}

/**
 * Merges; where both sides say the same time, isBetter decides, so that all clones agree. Issue 4 §5 ("a diverged remote is merged per issue").
 * Throws UserError `refused` where the ledgers are of two repositories or were made under two trust filters: then what
 * one side left out on purpose would come in by the other.
 */
export function mergeLedgers(mine: LedgerContent, theirs: LedgerContent): Merged {
  requireSameRepo(mine.repo, theirs.repo)
  if (mine.trust !== theirs.trust) {
    const hint = 'run: specdex ledger update --full-rebuild'
    throw new UserError('refused', 'the mirror was made under another trust filter than the ledger here', hint, 1)
  }
  const issues = new Map<number, IssueContent>()
  const [taken, dropped, withheld]: [number[], number[], number[]] = [[], [], []]
  for (const number of numbersOf(mine, theirs)) {
    const [ours, other] = [mine.issues.get(number), theirs.issues.get(number)]
    if (ours !== undefined && other === undefined && isListed(ours, theirs.watermark)) dropped.push(number)
    else if (ours === undefined && other !== undefined && isListed(other, mine.watermark)) withheld.push(number)
    else if (other !== undefined && (ours === undefined || isBetter(other, ours))) {
      taken.push(number)
      issues.set(number, other)
    } else if (ours !== undefined) issues.set(number, ours)
  }
  const watermark = later(mine.watermark, theirs.watermark)
  const renames = unitedRenames(mine.renames, theirs.renames)
  return { content: { repo: mine.repo, trust: mine.trust, watermark, issues, renames }, taken, dropped, withheld }
}

/** GitHub does not tell capitals apart in names of repositories. */
export function requireSameRepo(here: string, there: string): void {
  if (here.toLowerCase() === there.toLowerCase()) return
  throw new UserError('refused', `the mirror holds the ledger of ${there}, not of ${here}`, null, 1)
}

/** Whether `content` has listed everything that `other` has. Who never completed a listing has not. */
export function isAsComplete(content: LedgerContent, other: LedgerContent): boolean {
  if (content.watermark === null) return false
  return other.watermark === null || time(content.watermark) >= time(other.watermark)
}

/**
 * Whether a listing that went up to the watermark must have shown the issue, were it still there, in the state of this
 * time. Not said of what changed shortly before the watermark: listings lag, and times are in whole seconds.
 */
export function isListed({ updated }: IssueContent, watermark: string | null): boolean {
  return watermark !== null && time(updated) < time(watermark) - OVERLAP_SECONDS * 1000
}

/**
 * Whether the issue is newer; of the same time the one whose anchors know more history (another clone may have been
 * shallow), then, so that both sides say the same, the one with the smaller hash.
 */
function isBetter(one: IssueContent, other: IssueContent): boolean {
  const later = time(one.updated) - time(other.updated)
  if (later !== 0 || one.hash === other.hash) return later > 0
  const fewer = emptyAnchors(other) - emptyAnchors(one)
  return fewer === 0 ? one.hash < other.hash : fewer > 0
}

function emptyAnchors({ cards }: IssueContent): number {
  return cards.filter(lacksBlob).length
}

/** Whether the anchor of a card (its line) was made without history. */
export function lacksBlob(line: string): boolean {
  return (JSON.parse(line) as Card).anchor?.blobSha === null
}

function numbersOf(mine: LedgerContent, theirs: LedgerContent): number[] {
  return [...new Set([...mine.issues.keys(), ...theirs.issues.keys()])].sort((a, b) => a - b)
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return time(b) > time(a) ? b : a
}

function unitedRenames(mine: readonly Rename[], theirs: readonly Rename[]): Rename[] {
  const all = new Map<string, Rename>()
  for (const rename of [...theirs, ...mine]) all.set(`${rename.commit}\0${rename.from}\0${rename.to}`, rename)
  return [...all.values()].sort(compareRenames)
}

function time(text: string): number {
  return Date.parse(text)
}
