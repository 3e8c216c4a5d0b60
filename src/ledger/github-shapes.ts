// What GitHub's REST answers look like, as far as the ledger reads them: issues, comments, reviews, review comments.
// Anything else than these shapes is refused, because a wrong answer that is taken for an empty one deletes cards.
// The surprise: times are brought to one form (`2026-07-04T10:11:12Z`), since they are compared as text.

import { UserError } from '../model/errors.ts'
import type { Author, IssueHead, LedgerText } from '../model/ledger.ts'

/** An issue or pull request as GitHub's listing and its own page show it. */
export interface IssueRow {
  readonly head: IssueHead
  readonly createdAt: string
  readonly body: string
  readonly author: Author
  /** How many issue comments there are; null where the answer does not say. */
  readonly comments: number | null
  /** `owner/name` of the repository that it belongs to; null where the answer does not say. */
  readonly repository: string | null
}

type Fields = Readonly<Record<string, unknown>>

/** Reads one issue or pull request. `where` names the answer, for the UserError `source` that a wrong shape gives. */
export function readIssue(value: unknown, where: string): IssueRow {
  const fields = fieldsOf(value, where)
  const number = positive(fields, 'number', where)
  const at = `${where}, #${number}`
  const state = fields['state']
  if (state !== 'open' && state !== 'closed') throw wrongShape(at, '`state` is neither open nor closed')
  const count = fields['comments']
  return {
    head: {
      number,
      pull: (fields['pull_request'] ?? null) !== null,
      state,
      updatedAt: moment(fields, 'updated_at', at),
    },
    createdAt: moment(fields, 'created_at', at),
    body: body(fields, at),
    author: author(fields, at),
    comments: Number.isSafeInteger(count) ? (count as number) : null,
    repository: repositoryIn(fields['repository_url']),
  }
}

/** Reads an issue comment or a review comment. */
export function readComment(value: unknown, where: string): LedgerText {
  const fields = fieldsOf(value, where)
  const id = positive(fields, 'id', where)
  const at = `${where}, comment ${id}`
  return { id, body: body(fields, at), author: author(fields, at), createdAt: moment(fields, 'created_at', at) }
}

/** Reads a review of a pull request; null for one that is not submitted yet, which only its author can see. */
export function readReview(value: unknown, where: string): LedgerText | null {
  const fields = fieldsOf(value, where)
  const id = positive(fields, 'id', where)
  const at = `${where}, review ${id}`
  if (fields['state'] === 'PENDING') return null
  return { id, body: body(fields, at), author: author(fields, at), createdAt: moment(fields, 'submitted_at', at) }
}

/** Expects a list. */
export function readList(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongShape(where, 'it is no list')
  return value
}

/** Reads what a search found: numbers in GitHub's order, and whether GitHub looked everywhere. */
export function readFound(value: unknown, where: string): { readonly numbers: number[]; readonly complete: boolean } {
  const fields = fieldsOf(value, where)
  const items = readList(fields['items'], `${where}, items`)
  const numbers = items.map((item) => positive(fieldsOf(item, where), 'number', where))
  return { numbers, complete: fields['incomplete_results'] !== true }
}

/**
 * Everything that may hold an annotation, in the order of the ledger: the body first, then by creation and id; texts
 * that came twice (a page that moved while it was read) once, and empty ones not at all.
 */
export function textsOf(row: IssueRow, lists: readonly (readonly LedgerText[])[]): LedgerText[] {
  const later = lists
    .flatMap((texts) => [...new Map(texts.map((text) => [text.id, text])).values()])
    .filter((text) => text.body !== '')
  later.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : (a.id ?? 0) - (b.id ?? 0)))
  return [{ id: null, body: row.body, author: row.author, createdAt: row.createdAt }, ...later]
}

/** The last two parts of `https://api.github.com/repos/owner/name`. */
export function repositoryIn(address: unknown): string | null {
  if (typeof address !== 'string') return null
  return /\/repos\/([^/]+\/[^/]+?)\/?$/.exec(address)?.[1] ?? null
}

/** GitHub does not tell capital letters from small ones in names. */
export function sameRepository(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The error for an answer that is not what GitHub answers. */
export function wrongShape(where: string, why: string): UserError {
  return new UserError('source', `${where}: not what GitHub answers: ${why}`)
}

function fieldsOf(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongShape(where, 'it is no object')
  return value as Fields
}

function positive(fields: Fields, name: string, where: string): number {
  const value = fields[name]
  if (!Number.isSafeInteger(value) || (value as number) < 1) throw wrongShape(where, `\`${name}\` is no number`)
  return value as number
}

/** Null is how GitHub writes an empty body. A missing one is another thing: the answer was cut down. */
function body(fields: Fields, where: string): string {
  const value = fields['body']
  if (value === null) return ''
  if (typeof value !== 'string') throw wrongShape(where, '`body` is no text')
  return value
}

/** GitHub has no user for accounts that were deleted; exports may lack the association. */
function author(fields: Fields, where: string): Author {
  const user = fields['user'] ?? null
  const association = fields['author_association'] ?? null
  if (association !== null && typeof association !== 'string')
    throw wrongShape(where, '`author_association` is no text')
  if (user === null) return { login: null, association }
  const login = fieldsOf(user, `${where}, user`)['login']
  if (typeof login !== 'string') throw wrongShape(where, '`user.login` is no text')
  return { login, association }
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function moment(fields: Fields, name: string, where: string): string {
  const value = fields[name]
  const time = typeof value === 'string' && MOMENT.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw wrongShape(where, `\`${name}\` is no time`)
  return secondOf(time)
}

/** A time as GitHub writes it, to the second. */
export function secondOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
