// What the ledger holds and how far it got: the rows of repositories and issues, counts, and the logical dump by which
// two ledgers are compared. Read-only but for the list of unsettled issues, which stands in `meta`.
// The surprise: an issue is unsettled while its row cannot vouch for it, because it was fetched so soon after its last
// change that GitHub's time stamp, in whole seconds, would not tell the next change apart.

import { anchorsStartName, getMeta, setMeta, unsettledName } from '../meta.ts'
import type { Store } from '../store.ts'

export const LEDGER_STATE_SQL = {
  repo: 'SELECT watermark, trust FROM ledger_repo WHERE name = ?',
  // Mostly there is one repository, and then every card is its own: counted through issues they would take long.
  repos: `SELECT r.name, r.watermark, r.trust,
                 (SELECT count(*) FROM issue i WHERE i.repo = r.id) AS issues,
                 CASE WHEN (SELECT count(*) FROM ledger_repo) = 1 THEN (SELECT count(*) FROM card)
                      ELSE (SELECT count(*) FROM issue i JOIN card c ON c.issue = i.id WHERE i.repo = r.id) END AS cards,
                 (SELECT coalesce(sum(i.ignored), 0) FROM issue i WHERE i.repo = r.id) AS ignored
            FROM ledger_repo r ORDER BY r.name`,
  issue: `SELECT i.pull, i.open, i.updated, i.hash, i.comments
            FROM ledger_repo r JOIN issue i ON i.repo = r.id WHERE r.name = ? AND i.number = ?`,
  commented: `SELECT DISTINCT json_extract(c.content, '$.sourceCommentId') AS comment
                FROM ledger_repo r JOIN issue i ON i.repo = r.id JOIN card c ON c.issue = i.id
               WHERE r.name = ? AND i.number = ? AND comment IS NOT NULL`,
  // Anchors with a path for which history gave no blob, on days that it may reach now and did not reach then.
  unanchored: `SELECT DISTINCT i.number
                 FROM ledger_repo r JOIN issue i ON i.repo = r.id JOIN card c ON c.issue = i.id
                WHERE r.name = @repo AND c.day BETWEEN @from AND @to
                  AND json_extract(c.content, '$.anchor.path') IS NOT NULL
                  AND json_extract(c.content, '$.anchor.blobSha') IS NULL ORDER BY i.number`,
  numbers: `SELECT i.number FROM ledger_repo r JOIN issue i ON i.repo = r.id WHERE r.name = ? ORDER BY i.number`,
  // As it is written first: an index may hold both from before capitals counted for nothing.
  name: 'SELECT name FROM ledger_repo WHERE lower(name) = lower(@name) ORDER BY name <> @name, name LIMIT 1',
  any: `SELECT EXISTS (SELECT 1 FROM ledger_repo r JOIN issue i ON i.repo = r.id WHERE r.name = ?) AS found`,
} as const

export interface RepoRow {
  readonly watermark: string | null
  /** Fingerprint of the filter that the cards were made under. */
  readonly trust: string
}

export interface RepoState extends RepoRow {
  readonly name: string
  readonly issues: number
  readonly cards: number
  /** Annotations that the trust filter left out. */
  readonly ignored: number
}

export interface IssueRow {
  /** 1: a pull request. */
  readonly pull: number
  readonly open: number
  readonly updated: string
  readonly hash: string
  /** Comments that the source counted when the cards were made; null: unknown. */
  readonly comments: number | null
}

/** The repository's row; null where nothing of it was ever written. */
export function repoRow(store: Store, repo: string): RepoRow | null {
  return store.prepare<[string], RepoRow>(LEDGER_STATE_SQL.repo).get(repo) ?? null
}

/** The spelling under which the repository is kept, since GitHub tells no capitals apart; where it is not, the one given. */
export function storedName(store: Store, name: string): string {
  return store.prepare<[{ name: string }], { name: string }>(LEDGER_STATE_SQL.name).get({ name })?.name ?? name
}

export function issueRow(store: Store, repo: string, number: number): IssueRow | null {
  return store.prepare<[string, number], IssueRow>(LEDGER_STATE_SQL.issue).get(repo, number) ?? null
}

/** Ids of the comments that the issue's cards stand in. */
export function commentsOfCards(store: Store, repo: string, number: number): number[] {
  const rows = store.prepare<[string, number], { comment: number }>(LEDGER_STATE_SQL.commented).all(repo, number)
  return rows.map(({ comment }) => comment)
}

/** Numbers of all issues that have a row, ascending. */
export function issueNumbers(store: Store, repo: string): number[] {
  const rows = store.prepare<[string], { number: number }>(LEDGER_STATE_SQL.numbers).all(repo)
  return rows.map(({ number }) => number)
}

export function holdsIssues(store: Store, repo: string): boolean {
  return store.prepare<[string], { found: number }>(LEDGER_STATE_SQL.any).get(repo)?.found === 1
}

/** Every repository with its counts, by name. */
export function ledgerState(store: Store): { readonly repos: readonly RepoState[] } {
  return { repos: store.read(() => store.prepare<[], RepoState>(LEDGER_STATE_SQL.repos).all()) }
}

/** Issues whose rows are to be fetched again whatever the listing says, ascending. */
export function unsettledIssues(store: Store, repo: string): number[] {
  return JSON.parse(getMeta(store, unsettledName(repo)) ?? '[]') as number[]
}

/** From which time on history was there for the anchors of the repository (seconds since 1970); null: nobody knows. */
export function anchorsStart(store: Store, repo: string): number | null {
  const start = getMeta(store, anchorsStartName(repo))
  return start === null ? null : Number(start)
}

/** Inside store.write() only. */
export function setAnchorsStart(store: Store, repo: string, start: number): void {
  setMeta(store, anchorsStartName(repo), String(start))
}

/** Issues with anchors that lack their blob, of cards whose day is among these (since 1970), ascending. */
export function unanchoredIssues(store: Store, repo: string, from: number, to: number): number[] {
  const rows = store.prepare<[object], { number: number }>(LEDGER_STATE_SQL.unanchored).all({ repo, from, to })
  return rows.map(({ number }) => number)
}

/** Inside store.write() only. */
export function setUnsettledIssues(store: Store, repo: string, numbers: Iterable<number>): void {
  const sorted = [...numbers].sort((a, b) => a - b)
  setMeta(store, unsettledName(repo), sorted.length > 0 ? JSON.stringify(sorted) : null)
}

const OF_CARD = 'r.name, i.number, c.kind, c.seq'
const CARDS = 'card c JOIN issue i ON i.id = c.issue JOIN ledger_repo r ON r.id = i.repo'

export const LEDGER_DUMP_SQL = {
  repo: 'SELECT name, trust FROM ledger_repo ORDER BY name',
  issue: `SELECT r.name, i.number, i.pull, i.open, i.updated, i.hash, i.ignored
            FROM issue i JOIN ledger_repo r ON r.id = i.repo ORDER BY r.name, i.number`,
  card: `SELECT ${OF_CARD}, c.day, c.length, c.content FROM ${CARDS} ORDER BY ${OF_CARD}`,
  path: `SELECT ${OF_CARD}, p.path, p.base FROM card_path p JOIN ${CARDS} WHERE c.id = p.card ORDER BY ${OF_CARD}, p.path`,
  symbol: `SELECT ${OF_CARD}, s.symbol FROM card_symbol s JOIN ${CARDS} WHERE c.id = s.card ORDER BY ${OF_CARD}, s.symbol`,
  posting: `SELECT ${OF_CARD}, t.text, p.weight, p.tf FROM posting p JOIN term t ON t.id = p.term JOIN ${CARDS}
             WHERE c.id = p.card ORDER BY ${OF_CARD}, t.text`,
  rename: 'SELECT commit_id, at, old_path, new_path FROM file_rename ORDER BY at, commit_id, old_path, new_path',
  stray: `SELECT (SELECT count(*) FROM issue WHERE repo NOT IN (SELECT id FROM ledger_repo)),
                 (SELECT count(*) FROM card WHERE issue NOT IN (SELECT id FROM issue)),
                 (SELECT count(*) FROM card_path WHERE card NOT IN (SELECT id FROM card)),
                 (SELECT count(*) FROM card_symbol WHERE card NOT IN (SELECT id FROM card)),
                 (SELECT count(*) FROM card_tier WHERE card NOT IN (SELECT id FROM card)),
                 (SELECT count(*) FROM posting WHERE card NOT IN (SELECT id FROM card)),
                 (SELECT count(*) FROM posting WHERE term NOT IN (SELECT id FROM term)),
                 (SELECT count(*) FROM term WHERE id NOT IN (SELECT term FROM posting))`,
} as const

/**
 * Everything the ledger says, as JSON arrays in canonical order: repositories, issues, cards, paths, symbols, postings,
 * renames, and at last the counts of rows that belong to nothing, which are all 0. Without row ids, watermarks, cached
 * tiers, counts of comments and the list of the unsettled: those are bookkeeping. Two ledgers of the same state of GitHub are equal here.
 */
export function ledgerDump(store: Store): string[] {
  return store.read(() =>
    Object.entries(LEDGER_DUMP_SQL).flatMap(([table, sql]) => {
      const rows = store.prepare<[], unknown[]>(sql).raw().all()
      return rows.map((row) => JSON.stringify([table, ...row]))
    }),
  )
}
