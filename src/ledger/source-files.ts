// Issues out of files, in GitHub's own REST shapes: `--from DIR` with `issues.json` and `comments/<n>.json`, or
// `--from FILE`. JSON, one JSON value per line, or values one after the other as `gh api --paginate` leaves its pages, in
// arrays or not; comments beside the file or embedded. Reads, never writes. The surprise: nothing is read before the first question, and the issues are
// then read as a whole, so that one listing is of one state.

import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Talk } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import type { IssueHead, LedgerIssue, LedgerSource, LedgerText } from '../model/ledger.ts'
import {
  type IssueRow,
  readComment,
  readIssue,
  readReview,
  sameRepository,
  textsOf,
  wrongShape,
} from './github-shapes.ts'

const ENDINGS = ['.json', '.ndjson', '.jsonl'] as const
const PAGE = 100

/** What may stand beside the issues, in folders of these names or in fields of an issue. */
const BESIDE = [
  { name: 'comments', read: readComment },
  { name: 'reviews', read: readReview },
  { name: 'review_comments', read: readComment },
] as const

interface Kept {
  readonly row: IssueRow
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * A source over a folder or file that somebody exported. Errors (UserError `source`): it is not there, cannot be read,
 * is no regular file, is no JSON, or holds no issues or something else; a file of comments that is not there means that
 * there are none.
 */
export function fileSource(from: string, repo: string, talk: Talk): LedgerSource {
  let kept: ReadonlyMap<number, Kept> | null = null
  const folder = (): string => (isFolder(from) ? from : path.dirname(from))

  function load(): ReadonlyMap<number, Kept> {
    if (kept === null) {
      const file = isFolder(from) ? existing(path.join(from, 'issues')) : from
      if (file === null)
        throw new UserError('source', `${from} holds no issues.json`, 'an export has issues.json in it')
      const values = readValues(file)
      // A listing of nothing says `[]`; a file without any value is an export that failed.
      if (values === null) throw new UserError('source', `${file} holds no issues`, 'an export of none is `[]`')
      kept = ofRepository(values, file, repo, talk)
    }
    return kept
  }

  async function* list(since: string | null): AsyncGenerator<readonly IssueHead[]> {
    const heads = [...load().values()].map(({ row }) => row.head).filter((head) => !since || head.updatedAt >= since)
    heads.sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : a.number - b.number))
    for (let start = 0; start < heads.length; start += PAGE) yield heads.slice(start, start + PAGE)
  }

  async function issue(number: number): Promise<LedgerIssue | null> {
    const found = load().get(number)
    if (found === undefined) return null
    const { row, fields } = found
    const lists = BESIDE.map(({ name, read }): LedgerText[] => {
      const embedded = fields[name]
      const file = Array.isArray(embedded) ? null : existing(path.join(folder(), name, String(number)))
      const values = Array.isArray(embedded) ? embedded : file === null ? [] : readComments(file)
      const where = file ?? `${from}, #${number}, ${name}`
      return values.flatMap((value) => read(value, where) ?? [])
    })
    return { ...row.head, createdAt: row.createdAt, texts: textsOf(row, lists) }
  }

  return { name: from, list, issue, comments: (number) => load().get(number)?.row.comments ?? null }
}

/** The repository's issues by number; of one that is there twice (pages that moved) the later state. */
function ofRepository(values: readonly unknown[], file: string, repo: string, talk: Talk): Map<number, Kept> {
  const kept = new Map<number, Kept>()
  const others = new Map<string, number>()
  for (const value of values) {
    const row = readIssue(value, file)
    if (row.repository !== null && !sameRepository(row.repository, repo)) {
      others.set(row.repository, (others.get(row.repository) ?? 0) + 1)
      continue
    }
    const known = kept.get(row.head.number)
    if (known !== undefined && known.row.head.updatedAt > row.head.updatedAt) continue
    kept.set(row.head.number, { row, fields: value as Kept['fields'] })
  }
  if (others.size > 0) {
    const names = [...others].map(([name, count]) => `${name} (${count})`).join(', ')
    if (kept.size === 0) {
      throw new UserError('source', `${file} holds no issue of ${repo} but of ${names}`, 'name the repository: --repo')
    }
    talk.warn(`${file}: left out what belongs to other repositories: ${names}`)
  }
  return kept
}

/** The file `stem` with one of the usual endings; null where there is none. */
function existing(stem: string): string | null {
  return ENDINGS.map((ending) => stem + ending).find((file) => statSync(file, NEVER) !== undefined) ?? null
}

function isFolder(name: string): boolean {
  return statSync(name, NEVER)?.isDirectory() ?? false
}

const NEVER = { throwIfNoEntry: false } as const

/** What hangs on an issue. One value per line may be none at all; as JSON none is `[]`, and a blank file an accident. */
function readComments(file: string): readonly unknown[] {
  const values = readValues(file)
  if (values === null && file.endsWith('.json')) throw wrongShape(file, 'it is blank; a list of none is `[]`')
  return values ?? []
}

/** All values of a JSON file, or of one with several values, line by line or not; lists are opened. Null: it is blank. */
function readValues(file: string): unknown[] | null {
  const text = readText(file)
  if (text.trim() === '') return null
  const whole = parsed(text)
  if (whole !== undefined) return opened(whole)
  const several = severalValues(text)
  if (several !== null) return several.flatMap(opened)
  const lines = text.split('\n')
  // Where they are no values, the first line that is none says where it went wrong.
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parsed(line)
    if (value === undefined) throw wrongShape(`${file}:${index + 1}`, 'it is no JSON')
    return opened(value)
  })
}

/** Lists and objects that stand one after the other, with nothing but blanks between them; null where they do not. */
function severalValues(text: string): unknown[] | null {
  const values: unknown[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = stringEnd(text, at)
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') {
      depth -= 1
      if (depth > 0) continue
      const value = parsed(text.slice(start, at + 1))
      if (value === undefined) return null
      values.push(value)
      start = at + 1
    }
  }
  return text.slice(start).trim() === '' ? values : null
}

/** Place of the quotation mark that ends the string which starts at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function readText(file: string): string {
  // A pipe could wait forever, and can be read only once.
  const found = statSync(file, NEVER)
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    throw new UserError(
      'source',
      `${file} cannot be read: it is not a regular file`,
      'write the export to a file first',
    )
  }
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new UserError('source', `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function opened(value: unknown): unknown[] {
  return Array.isArray(value) ? value.flat() : [value]
}
