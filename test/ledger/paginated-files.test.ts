// Files as `gh api --paginate > file` leaves them: one array per page, one after the other, on one line or on many. And
// what is torn or blank, which must never pass for the end of the pages.

import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileSource } from '../../src/ledger/source-files.ts'
import { SILENT } from '../../src/model/clock.ts'
import { tempTree } from '../support/temp.ts'
import { failure, listed } from './source-ways.ts'

const source = (from: string): ReturnType<typeof fileSource> => fileSource(from, 'harbour/pier', SILENT)

function row(number: number, body: string | null = null): object {
  const at = `2026-05-0${number}T06:00:00Z`
  return { number, state: 'closed', body, user: null, created_at: at, updated_at: at }
}

function comment(id: number, body: string): object {
  return { id, body, user: null, created_at: `2026-05-02T00:00:0${id}Z` }
}

const TRICKY = 'a "quoted" ][ }{ \\ end\\"\n```\n]'

describe('pages one after the other', () => {
  const pages = [[row(1, TRICKY), row(2)], [], [row(3)]]
  test.each([
    ['on one line', pages.map((page) => JSON.stringify(page)).join('')],
    ['a line each', pages.map((page) => JSON.stringify(page)).join('\n')],
    ['indented, with blanks between', pages.map((page) => JSON.stringify(page, null, 2)).join(' \r\n\t')],
    ['as --slurp has them', JSON.stringify(pages)],
    [
      'objects without a list',
      [row(1, TRICKY), row(2), row(3)].map((value) => JSON.stringify(value, null, 1)).join(''),
    ],
    ['behind a byte order mark', `\uFEFF${pages.map((page) => JSON.stringify(page)).join('')}\n`],
  ])('%s', async (_, text) => {
    const folder = tempTree({ 'issues.json': text })
    expect((await listed(source(folder))).map(({ number }) => number)).toEqual([1, 2, 3])
    expect((await source(folder).issue(1))?.texts[0]?.body).toBe(TRICKY)
  })

  test('of comments, reviews and review comments', async () => {
    const two = (id: number): string => JSON.stringify([comment(id, 'x')]) + JSON.stringify([comment(id + 1, 'y')])
    const review = (id: number): string =>
      JSON.stringify([{ id, body: 'z', user: null, submitted_at: '2026-05-03T00:00:00Z' }])
    const folder = tempTree({
      'issues.json': JSON.stringify([row(1)]),
      'comments/1.json': two(1),
      'review_comments/1.json': two(3),
      'reviews/1.json': review(5) + review(6),
    })
    expect((await source(folder).issue(1))?.texts.map(({ id }) => id)).toEqual([null, 1, 2, 3, 4, 5, 6])
  })

  test('empty pages are a listing of none', async () => {
    expect(await listed(source(tempTree({ 'issues.json': '[][]' })))).toEqual([])
  })
})

describe('what is no whole page', () => {
  const whole = JSON.stringify([row(1)])
  test.each([
    ['a page that is torn', `${whole}[{"number": 2`],
    ['a bracket that nothing closes', `${whole}[`],
    ['a bracket that nothing opened', `${whole}]`],
    ['words between the pages', `${whole}gh: HTTP 502${whole}`],
    ['a comma between the pages', `${whole},${whole}`],
    ['a string that does not end', `${whole}["`],
  ])('%s', async (_, text) => {
    const folder = tempTree({ 'issues.json': text })
    expect(await failure(listed(source(folder)))).toMatchObject({
      code: 'source',
      message: `${path.join(folder, 'issues.json')}:1: not what GitHub answers: it is no JSON`,
    })
  })

  test('a blank file of comments is an export that failed, unless its form is a value per line', async () => {
    const blank = tempTree({ 'issues.json': whole, 'comments/1.json': '\n' })
    expect(await failure(source(blank).issue(1))).toMatchObject({
      code: 'source',
      message: expect.stringContaining('comments/1.json: not what GitHub answers: it is blank'),
    })
    const none = tempTree({ 'issues.json': whole, 'comments/1.jsonl': '' })
    expect((await source(none).issue(1))?.texts).toHaveLength(1)
    const said = tempTree({ 'issues.json': whole, 'comments/1.json': '[]' })
    expect((await source(said).issue(1))?.texts).toHaveLength(1)
  })
})
