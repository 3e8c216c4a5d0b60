// `ledger push` and `ledger pull`: the ledger on the orphan branch `forge-knowledge` of a remote (seed 004, issue 4 §5,
// sheet ledger §8). Nothing but objects and that branch is written: working tree, index and HEAD stay as they are.
// The surprise: a push builds on what the remote has now, merged issue by issue, and starts over when it was outrun.

import { UserError } from '../model/errors.ts'
import type { Store } from '../store/store.ts'
import {
  cardCount,
  contentFiles,
  FILE_NAMES,
  type LedgerContent,
  type LedgerFileName,
  type LedgerFiles,
  postingsOf,
} from './content.ts'
import { exportLedger, type LedgerExport, storedContent } from './export.ts'
import { commitFiles, filesOf, type Git, gitIn, moveBranch, pushCommit, remoteName, remoteTip } from './git-plumbing.ts'
import { isEmpty, writeContent } from './import.ts'
import { isAsComplete, type Merged, mergeLedgers, requireSameRepo } from './merge.ts'
import { readLedgerFiles } from './read-files.ts'

export const MIRROR_BRANCH = 'forge-knowledge'

/** How often a push starts over when others were faster. Each time somebody's push went through. */
const ATTEMPTS = 16

type Env = Readonly<Record<string, string | undefined>>

export interface PushReport {
  readonly remote: string
  /** Where the branch is on the remote now. */
  readonly commit: string
  /** False where the remote held the same already. */
  readonly pushed: boolean
  /** Of the mirror, afterwards. */
  readonly issues: number
  readonly cards: number
  /** Issues that the mirror knows better than the index: newer, alone, or gone. `ledger pull` brings them. */
  readonly newer: number
  /** Issues of the mirror that the index knows to be gone from GitHub. */
  readonly gone: number
  /** False where the local branch has commits of its own or is checked out, and stayed where it was. */
  readonly branchMoved: boolean
}

export interface PullReport {
  readonly remote: string
  readonly commit: string
  /** Of the index, afterwards. */
  readonly issues: number
  readonly cards: number
  /** Issues that were written, because the mirror knew them newer, or alone. */
  readonly taken: number
  /** Issues that were removed, because the mirror knows that they are gone. */
  readonly removed: number
  readonly branchMoved: boolean
}

/**
 * Brings the ledger of `repo` to the remote's branch. Commits nothing where cards, postings, renames and hashes are
 * there already; the watermark alone is no change (issue 4 §6). The index itself is not changed.
 * Throws UserError `not-found` (no ledger), `config` (no repository, remote or identity), `refused` (the branch holds
 * something else), `io` (git or the remote said no), `busy` (outrun too often).
 */
export async function pushMirror(root: string, env: Env, store: Store, repo: string): Promise<PushReport> {
  const mine = exportLedger(store, repo)
  const { git, remote } = await openRemote(root, env)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const tip = await remoteTip(git, remote, MIRROR_BRANCH)
    const before = tip === null ? null : await mirrorFiles(git, remote, tip)
    const theirs = before === null ? null : readLedgerFiles(before)
    const { content, files, newer, gone } = theirs === null ? { ...mine, ...NO_CHANGES } : mergedWith(mine, theirs)
    const counts = { issues: content.issues.size, cards: cardCount(content), newer, gone }
    if (tip !== null && theirs !== null && before !== null && saysTheSame(content, theirs, files, before)) {
      const branchMoved = await moveBranch(git, MIRROR_BRANCH, tip)
      return { remote, commit: tip, pushed: false, ...counts, branchMoved }
    }
    const message = `Ledger of ${content.repo}: ${counts.cards} cards of ${counts.issues} issues`
    const commit = await commitFiles(git, files, tip, message)
    if ((await pushCommit(git, remote, MIRROR_BRANCH, commit)) === 'done') {
      const branchMoved = await moveBranch(git, MIRROR_BRANCH, commit)
      return { remote, commit, pushed: true, ...counts, branchMoved }
    }
  }
  throw new UserError('busy', `${remote} was pushed to by others ${ATTEMPTS} times in a row`, 'try again')
}

/**
 * Brings what the remote's branch knows newer, or alone, into the index, in one transaction; an empty ledger is
 * hydrated. Throws as pushMirror does, and `not-found` where the remote has no such branch.
 */
export async function pullMirror(root: string, env: Env, store: Store, repo: string): Promise<PullReport> {
  const { git, remote } = await openRemote(root, env)
  const commit = await remoteTip(git, remote, MIRROR_BRANCH)
  if (commit === null) {
    throw new UserError('not-found', `${remote} has no branch ${MIRROR_BRANCH}`, 'run: specdex ledger push')
  }
  const theirs = readLedgerFiles(await mirrorFiles(git, remote, commit))
  const { content, taken, dropped } = takeIn(store, repo, theirs)
  const branchMoved = await moveBranch(git, MIRROR_BRANCH, commit)
  const counts = { issues: content.issues.size, cards: cardCount(content) }
  return { remote, commit, ...counts, taken: taken.length, removed: dropped.length, branchMoved }
}

/** Merges and writes; in one transaction, so that nothing that another process wrote meanwhile is lost. */
function takeIn(store: Store, repo: string, theirs: LedgerContent): Merged {
  return store.write(() => {
    const held = storedContent(store, repo)
    // An empty ledger takes the mirror's filter over; the next update notices where it is not the configured one.
    const mine = held === null || isEmpty(held) ? emptyLike(theirs, repo, held) : held
    const merged = mergeLedgers(mine, theirs)
    writeContent(store, merged.content, { replaced: merged.taken, removed: merged.dropped })
    return merged
  })
}

function emptyLike(theirs: LedgerContent, repo: string, held: LedgerContent | null): LedgerContent {
  return { repo, trust: theirs.trust, watermark: null, issues: new Map(), renames: held?.renames ?? [] }
}

async function openRemote(root: string, env: Env): Promise<{ git: Git; remote: string }> {
  const git = gitIn(root, env)
  return { git, remote: await remoteName(git) }
}

async function mirrorFiles(git: Git, remote: string, tip: string): Promise<LedgerFiles> {
  const found = await filesOf(git, remote, MIRROR_BRANCH, tip, FILE_NAMES)
  const files = new Map<LedgerFileName, Buffer>()
  for (const [i, name] of FILE_NAMES.entries()) {
    const content = found[i]
    if (content == null) {
      const hint = 'the branch is of another tool: rename or delete it on the remote'
      throw new UserError('refused', `${MIRROR_BRANCH} of ${remote} holds no ${name}`, hint, 1)
    }
    files.set(name, content)
  }
  return files
}

const NO_CHANGES = { newer: 0, gone: 0 }

/** What the mirror is to hold: the index and the mirror made one. */
function mergedWith(mine: LedgerExport, theirs: LedgerContent): LedgerExport & typeof NO_CHANGES {
  requireSameRepo(mine.content.repo, theirs.repo)
  // Under another trust filter nothing is mixed: who has seen at least as much replaces the whole.
  if (mine.content.trust !== theirs.trust && isAsComplete(mine.content, theirs)) return { ...mine, ...NO_CHANGES }
  const { content, taken, dropped, withheld } = mergeLedgers(mine.content, theirs)
  const files = contentFiles(content, postingsOf(content))
  return { content, files, newer: taken.length + dropped.length, gone: withheld.length }
}

/** Cards, postings, renames and hashes; not the watermark, nor what else the manifest says of an issue. */
function saysTheSame(now: LedgerContent, then: LedgerContent, files: LedgerFiles, before: LedgerFiles): boolean {
  const equal = (name: LedgerFileName): boolean => files.get(name)?.equals(before.get(name) ?? Buffer.alloc(0)) === true
  return (
    then.trust === now.trust &&
    hashesOf(then) === hashesOf(now) &&
    equal('knowledge.jsonl') &&
    equal('renames.jsonl') &&
    equal('postings.json')
  )
}

function hashesOf({ issues }: LedgerContent): string {
  return JSON.stringify([...issues].map(([number, { hash }]) => [number, hash]))
}
