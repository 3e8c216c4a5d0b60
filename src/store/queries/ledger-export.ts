// The ledger of one repository read whole, for its export: everything comes in the order in which the files say it.
// It writes nothing. The surprise: postings are asked term by term, because at 100k cards one answer with all of them
// would be some millions of objects at once.

import type { Rename } from '../../model/ledger.ts'
import type { Store } from '../store.ts'

export interface LedgerRepoRow {
  readonly id: number
  readonly watermark: string | null
  readonly trust: string
}

const REPO = 'SELECT id, watermark, trust FROM ledger_repo WHERE name = ?'

/** The repository's row, by `owner/name`. */
export function ledgerRepoRow(store: Store, name: string): LedgerRepoRow | undefined {
  return store.prepare<[string], LedgerRepoRow>(REPO).get(name)
}

export interface ExportIssueRow {
  readonly id: number
  readonly number: number
  readonly pull: number
  readonly open: number
  readonly updated: string
  readonly hash: string
  readonly ignored: number
}

const ISSUES = 'SELECT id, number, pull, open, updated, hash, ignored FROM issue WHERE repo = ? ORDER BY number'

/** Every issue of the repository, those without cards among them. */
export function exportIssues(store: Store, repo: number): ExportIssueRow[] {
  return store.prepare<[number], ExportIssueRow>(ISSUES).all(repo)
}

/** row of the card, number of the issue, kind, seq, content */
export type ExportCardRow = readonly [number, number, number, number, string]

const CARDS = `
  SELECT c.id, i.number, c.kind, c.seq, c.content
    FROM issue i JOIN card c ON c.issue = i.id
   WHERE i.repo = ?
   ORDER BY i.number, c.kind, c.seq`

/** Every card in canonical order: number of the issue, kind, seq. */
export function exportCards(store: Store, repo: number): ExportCardRow[] {
  return store.prepare<[number], ExportCardRow>(CARDS).raw().all(repo)
}

const TERMS = 'SELECT id, text FROM term ORDER BY text'

/** All terms of all repositories, by code point. */
export function exportTerms(store: Store): { id: number; text: string }[] {
  return store.prepare<[], { id: number; text: string }>(TERMS).all()
}

const POSTINGS = 'SELECT card, tf FROM posting WHERE term = ?'

/** row of the card, packed counts (model/ledger.ts FIELDS) */
export type ExportPostingRow = readonly [number, number]

/** The cards of all repositories that hold a term. */
export function exportPostings(store: Store, term: number): ExportPostingRow[] {
  return store.prepare<[number], ExportPostingRow>(POSTINGS).raw().all(term)
}

const RENAMES = `
  SELECT commit_id AS "commit", at, old_path AS "from", new_path AS "to"
    FROM file_rename ORDER BY at, commit_id, old_path, new_path`

/** All renames, oldest first. They belong to the working tree, not to a repository of the ledger. */
export function exportRenames(store: Store): Rename[] {
  return store.prepare<[], Rename>(RENAMES).all()
}
