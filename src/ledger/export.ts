// `ledger export`: the ledger of one repository as four files, byte-identical for equal content (issue 4 §5, sheet
// ledger §10.10). It reads the index only. The surprise: how a card stands (its tier) is asked of a working tree and is
// never exported, and neither is any time but GitHub's.

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { CARD_KINDS } from '../model/ledger.ts'
import { createFolders } from '../store/folders.ts'
import {
  type ExportIssueRow,
  exportCards,
  exportIssues,
  exportPostings,
  exportRenames,
  exportTerms,
  ledgerRepoRow,
} from '../store/queries/ledger-export.ts'
import type { Store } from '../store/store.ts'
import {
  byId,
  contentFiles,
  FILE_NAMES,
  type IssueContent,
  type LedgerContent,
  type LedgerFiles,
  type TermPostings,
  unpackCounts,
} from './content.ts'

export interface LedgerExport {
  readonly content: LedgerContent
  readonly files: LedgerFiles
}

/**
 * The ledger of `repo` (`owner/name`) and its four files, from one snapshot of the index.
 * Throws UserError `not-found` where the index holds none.
 */
export function exportLedger(store: Store, repo: string): LedgerExport {
  return store.read(() => {
    const content = storedContent(store, repo)
    if (content === null) {
      throw new UserError('not-found', `the index holds no ledger of ${repo}`, 'run: specdex ledger update')
    }
    return { content, files: contentFiles(content, storedPostings(store, repo)) }
  })
}

/** What the index holds of `repo`, or null. Call it inside read() or write(). */
export function storedContent(store: Store, repo: string): LedgerContent | null {
  const row = ledgerRepoRow(store, repo)
  if (row === undefined) return null
  const cards = new Map<number, string[]>()
  for (const [, issue, , , content] of exportCards(store, row.id)) {
    const held = cards.get(issue)
    if (held === undefined) cards.set(issue, [content])
    else held.push(content)
  }
  const issues = exportIssues(store, row.id).map((issue) => entryOf(issue, cards.get(issue.number) ?? []))
  const { watermark, trust } = row
  return { repo, watermark, trust, issues: new Map(issues), renames: exportRenames(store) }
}

/**
 * Makes `folder` hold the four files: each is replaced as a whole, and only where its bytes differ.
 * Returns the names of those that were written. Throws UserError `io`.
 */
export function writeLedgerFolder(folder: string, files: LedgerFiles): string[] {
  const written: string[] = []
  try {
    createFolders(folder)
    for (const name of FILE_NAMES) {
      const content = files.get(name)
      if (content !== undefined && replaceFile(path.join(folder, name), content)) written.push(name)
    }
  } catch (error) {
    throw new UserError('io', `cannot write the export: ${error instanceof Error ? error.message : String(error)}`)
  }
  return written
}

function entryOf(row: ExportIssueRow, cards: readonly string[]): [number, IssueContent] {
  const { hash, updated, ignored } = row
  return [row.number, { hash, updated, pull: row.pull === 1, open: row.open === 1, ignored, cards }]
}

function* storedPostings(store: Store, repo: string): Generator<TermPostings> {
  const row = ledgerRepoRow(store, repo)
  const ids = new Map<number, string>()
  for (const [card, issue, kind, seq] of row === undefined ? [] : exportCards(store, row.id)) {
    ids.set(card, `${issue}/${CARD_KINDS[kind]}/${seq}`)
  }
  for (const { id: term, text } of exportTerms(store)) {
    const cards: { id: string; counts: number[] }[] = []
    for (const [card, tf] of exportPostings(store, term)) {
      const id = ids.get(card)
      // Terms are shared by all repositories of the index.
      if (id !== undefined) cards.push({ id, counts: unpackCounts(tf) })
    }
    if (cards.length > 0) yield { term: text, cards: byId(cards) }
  }
}

/** A file beside it and a rename, so that nobody reads half a file and a link is replaced, not followed. */
function replaceFile(file: string, content: Buffer): boolean {
  if (holds(file, content)) return false
  // A folder that nobody had before: neither a user's file nor a link can be in the way.
  const beside = mkdtempSync(path.join(path.dirname(file), `.${path.basename(file)}.`))
  try {
    removeLeftovers(file, beside)
    const fresh = path.join(beside, path.basename(file))
    writeFileSync(fresh, content)
    renameSync(fresh, file)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
  return true
}

/** No export takes this long. */
const LEFT_ALONE_MS = 3_600_000

/**
 * Removes the folders that killed runs left beside `file`: of the same kind as `beside`, which this run made, and so much
 * older that nobody works in them. Whatever holds anything else is not ours.
 */
function removeLeftovers(file: string, beside: string): void {
  const folder = path.dirname(file)
  const name = path.basename(file)
  const ours = path.basename(beside)
  const made = statSync(beside).mtimeMs
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const isAlike = entry.name.length === ours.length && entry.name.startsWith(`.${name}.`) && entry.isDirectory()
    if (!isAlike) continue
    const left = path.join(folder, entry.name)
    const info = statSync(left, { throwIfNoEntry: false })
    if (info === undefined || made - info.mtimeMs < LEFT_ALONE_MS) continue
    if (readdirSync(left).every((inner) => inner === name)) rmSync(left, { recursive: true, force: true })
  }
}

function holds(file: string, content: Buffer): boolean {
  try {
    return readFileSync(file).equals(content)
  } catch {
    return false
  }
}
