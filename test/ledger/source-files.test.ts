// `--from`: every form in which GitHub's answers are found in files, and everything that must not pass for one.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileSource } from '../../src/ledger/source-files.ts'
import { SILENT } from '../../src/model/clock.ts'
import { tempTree } from '../support/temp.ts'
import { failure, listed } from './source-ways.ts'

const REPO = 'harbour/pier'

function row(number: number, minute: number, more: object = {}): Record<string, unknown> {
  const at = `2026-05-01T06:${String(minute).padStart(2, '0')}:00Z`
  const times = { created_at: '2026-04-01T00:00:00Z', updated_at: at }
  return { number, state: 'closed', body: `berth ${number}`, user: { login: 'ada' }, ...times, ...more }
}

function comment(id: number, body: string | null, more: object = {}): Record<string, unknown> {
  const created_at = `2026-04-02T00:00:${String(id).padStart(2, '0')}Z`
  return { id, body, user: { login: 'pilot' }, created_at, ...more }
}

const lines = (values: readonly unknown[]): string => `${values.map((value) => JSON.stringify(value)).join('\r\n')}\n`
const source = (from: string): ReturnType<typeof fileSource> => fileSource(from, REPO, SILENT)
const bodies = async (from: string, number: number): Promise<string[] | undefined> =>
  (await source(from).issue(number))?.texts.map(({ body }) => body)

const ROWS = [row(2, 9), row(1, 30), row(3, 5, { state: 'open', pull_request: {} })]

describe.each([
  ['issues.json', JSON.stringify(ROWS, null, 2)],
  ['issues.ndjson', lines(ROWS)],
  ['issues.jsonl', lines([ROWS.slice(0, 2), ROWS.slice(2)])],
  ['issues.json', `\uFEFF${JSON.stringify([ROWS.slice(0, 1), ROWS.slice(1)])}`],
])('%s', (name, text) => {
  const tree = { [name]: text, 'comments/1.json': JSON.stringify([comment(2, 'later'), comment(1, 'first')]) }

  test('is read from its folder and by its own name', async () => {
    const folder = tempTree(tree)
    for (const from of [folder, path.join(folder, name)]) {
      expect((await listed(source(from))).map(({ number }) => number)).toEqual([3, 2, 1])
      expect(await bodies(from, 1)).toEqual(['berth 1', 'first', 'later'])
      expect(await bodies(from, 2)).toEqual(['berth 2'])
      expect(await source(from).issue(4)).toBeNull()
    }
  })
})

test('a listing begins with the very moment that it is asked from', async () => {
  const folder = tempTree({ 'issues.json': JSON.stringify(ROWS) })
  expect((await listed(source(folder), '2026-05-01T06:09:00Z')).map(({ number }) => number)).toEqual([2, 1])
  expect(await listed(source(folder), '2026-05-01T06:30:01Z')).toEqual([])
})

test('comments, reviews and review comments may be embedded, or stand beside', async () => {
  const reviews = [
    { ...comment(5, 'a review'), created_at: undefined, submitted_at: '2026-04-02T00:00:05Z', state: 'APPROVED' },
    { ...comment(6, 'a draft'), created_at: undefined, state: 'PENDING' },
  ]
  const embedded = row(1, 1, {
    comments: [comment(9, 'embedded')],
    reviews,
    review_comments: [comment(3, 'on a line')],
  })
  const folder = tempTree({
    'issues.json': JSON.stringify([embedded, row(2, 2, { comments: 1, review_comments: 1 })]),
    'comments/2.ndjson': lines([comment(1, 'beside'), comment(1, 'beside'), comment(2, null)]),
    'reviews/2.json': JSON.stringify(reviews),
    'review_comments/2.jsonl': lines([comment(4, 'beside a line')]),
  })
  expect(await bodies(folder, 1)).toEqual(['berth 1', 'on a line', 'a review', 'embedded'])
  expect(await bodies(folder, 2)).toEqual(['berth 2', 'beside', 'beside a line', 'a review'])
})

test('an author without an association, without an account, and times of another form', async () => {
  const folder = tempTree({
    'issues.json': JSON.stringify([
      row(1, 1, { updated_at: '2026-05-01T08:00:00.250+02:00', author_association: 'OWNER', user: null, body: null }),
    ]),
    'comments/1.json': JSON.stringify([comment(1, 'hello')]),
  })
  const issue = await source(folder).issue(1)
  expect(issue?.updatedAt).toBe('2026-05-01T06:00:00Z')
  expect(issue?.texts.map(({ author }) => author)).toEqual([
    { login: null, association: 'OWNER' },
    { login: 'pilot', association: null },
  ])
})

test('of an issue that is there twice the later state counts', async () => {
  const folder = tempTree({ 'issues.json': JSON.stringify([row(1, 9), row(1, 3, { body: 'old' })]) })
  expect(await bodies(folder, 1)).toEqual(['berth 1'])
})

test('issues of other repositories are left out and told; nothing but such is an error', async () => {
  const other = (number: number): object =>
    row(number, 1, { repository_url: 'https://api.github.com/repos/harbour/yard' })
  const own = row(2, 2, { repository_url: 'https://git.harbour.example/api/v3/repos/Harbour/Pier' })
  const warnings: string[] = []
  const talk = { ...SILENT, warn: (line: string) => void warnings.push(line) }
  const mixed = fileSource(tempTree({ 'issues.json': JSON.stringify([other(1), own, other(3)]) }), REPO, talk)
  expect((await listed(mixed)).map(({ number }) => number)).toEqual([2])
  expect(warnings).toEqual([expect.stringContaining('harbour/yard (2)')])
  const error = await failure(listed(source(tempTree({ 'issues.json': JSON.stringify([other(1)]) }))))
  expect(error).toMatchObject({ code: 'source', hint: expect.stringContaining('--repo') })
})

describe('refused with code `source`:', () => {
  test.each([
    ['no such folder', {}, 'nowhere', 'cannot be read: ENOENT'],
    ['a folder without issues', { 'notes.md': '' }, '.', 'holds no issues.json'],
    ['a file that was cut', { 'issues.json': JSON.stringify(ROWS).slice(0, -20) }, '.', 'issues.json:1: '],
    ['lines that were cut', { 'issues.ndjson': lines(ROWS).slice(0, -20) }, '.', 'issues.ndjson:3: '],
    ['an error message', { 'issues.json': '{"message":"Not Found"}' }, '.', '`number` is no number'],
    ['no state', { 'issues.json': JSON.stringify([row(1, 1, { state: null })]) }, '.', '`state`'],
    ['no time', { 'issues.json': JSON.stringify([row(1, 1, { updated_at: 'yesterday' })]) }, '.', '`updated_at`'],
    [
      'a day that is none',
      { 'issues.json': JSON.stringify([row(1, 1, { updated_at: '2026-13-01T00:00:00Z' })]) },
      '.',
      '`updated_at`',
    ],
    ['no body', { 'issues.json': JSON.stringify([row(1, 1, { body: undefined })]) }, '.', '`body`'],
    ['a nameless user', { 'issues.json': JSON.stringify([row(1, 1, { user: {} })]) }, '.', '`user.login`'],
    ['a listing without any value', { 'issues.ndjson': '' }, '.', 'issues.ndjson holds no issues'],
    ['a blank file', { 'all.json': '\uFEFF \n' }, 'all.json', 'all.json holds no issues'],
    ['a device', {}, '/dev/null', '/dev/null cannot be read: it is not a regular file'],
    ['a number', { 'issues.json': '7' }, '.', 'it is no object'],
  ] as const)('%s', async (_what, tree, from, words) => {
    const error = await failure(listed(source(path.resolve(tempTree(tree), from))))
    expect(error).toMatchObject({ name: 'UserError', code: 'source', message: expect.stringContaining(words) })
  })

  test.each([
    ['comments that were cut', '[{"id": 1, "bo'],
    ['a comment without a time', JSON.stringify([comment(1, 'x', { created_at: null })])],
    ['a comment without an id', JSON.stringify([comment(1, 'x', { id: '1' })])],
  ])('%s', async (_what, text) => {
    const folder = tempTree({ 'issues.json': JSON.stringify(ROWS), 'comments/1.json': text })
    expect((await failure(source(folder).issue(1))).code).toBe('source')
  })

  test('a folder in the place of comments', async () => {
    const folder = tempTree({ 'issues.json': JSON.stringify(ROWS), 'comments/1.json/x': '' })
    expect((await failure(source(folder).issue(1))).message).toContain('EISDIR')
  })
})

test('a pipe is refused before anybody waits for it; a blank file of comments holds none', async () => {
  const folder = tempTree({ 'issues.json': JSON.stringify(ROWS), 'comments/1.ndjson': '' })
  expect(await bodies(folder, 1)).toEqual(['berth 1'])
  const pipe = path.join(folder, 'pipe.json')
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
  expect(await failure(listed(source(pipe)))).toMatchObject({
    code: 'source',
    message: expect.stringContaining('it is not a regular file'),
  })
})

test('an empty export lists nothing', async () => {
  expect(await listed(source(tempTree({ 'issues.json': '[]' })))).toEqual([])
})
