// Anchors from history: the right commit, the right blob, the right five lines; and the table of declarations.

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cardContent, cardsOf } from '../../src/extract/ledger-cards.ts'
import { anchorCards } from '../../src/ledger/anchors.ts'
import { definitionLine, findSnippet, linesOf, snippetAt } from '../../src/ledger/definitions.ts'
import type { Card } from '../../src/model/ledger.ts'
import { cloneRepository, git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { ENV, pattern } from './bookshop.ts'
import { investigation } from './lessons.ts'

function commitOn(root: string, time: string, files: Readonly<Record<string, string>>): string {
  writeTree(root, files)
  git(root, ['add', '--all'])
  git(root, ['commit', '--quiet', '--allow-empty', '--message', 'Shelve'], {
    GIT_AUTHOR_DATE: time,
    GIT_COMMITTER_DATE: time,
  })
  return git(root, ['rev-parse', 'HEAD'])
}

function version(n: number): string {
  return `# ${n}\ndef shelve(book):\n    return   ${n}\n\n\nX = 1\nY = 2\n`
}

function history(): { root: string; blobs: string[] } {
  const root = initRepository(tempFolder('history'))
  const commits = [
    commitOn(root, '2026-01-10T10:00:00Z', { 'a/shelf.py': version(1) }),
    commitOn(root, '2026-02-10T23:59:59Z', { 'a/shelf.py': version(2) }),
    commitOn(root, '2026-02-11T00:00:00Z', { 'a/shelf.py': version(3) }),
  ]
  return { root, blobs: commits.map((commit) => git(root, ['rev-parse', `${commit}:a/shelf.py`])) }
}

function draft(
  id: string,
  createdAt: string,
  path: string | null = 'a/shelf.py',
  symbol: string | null = 'shelve',
): Card {
  return pattern(id, { anchor: { path, symbol }, createdAt })
}

async function shas(root: string, drafts: readonly Card[]): Promise<(string | null | undefined)[]> {
  return (await anchorCards(root, ENV, drafts)).map(({ anchor }) => anchor?.blobSha)
}

test('where the day alone is known, its end counts: midnight UTC', async () => {
  const { root, blobs } = history()
  const days = ['2026-02-11', '2026-01-09', '2026-02-10', '2026-01-10', '2026-02-09', '2027-01-01']
  const [one, two, three] = blobs
  expect(
    await shas(
      root,
      days.map((day, i) => draft(`${i}/pattern/0`, day)),
    ),
  ).toEqual([three, null, two, one, one, three])
})

/** The cards of one comment, as an update drafts them: enriched, with a cost, and with times to the second. */
function drafted(createdAt: string): readonly Card[] {
  const author = { login: 'bookseller', association: 'OWNER' }
  const body = investigation('shelf', 'a/shelf.py').replace('**Severity**', 'cost_usd: 1.5\n**Severity**')
  const context = '<!-- FORGE:CONTEXT -->\n`stackBooks`\n<!-- FORGE:CONTEXT:COMPLETE -->'
  const texts = [body, context].map((text, i) => ({ id: i + 1, body: text, author, createdAt }))
  const issue = { number: 1, pull: false, state: 'closed', updatedAt: createdAt, createdAt, texts } as const
  return cardsOf(issue, { trusts: () => true, adrPaths: [] }).cards
}

test('a drafted card is anchored at the second of its comment, whatever is committed later that day', async () => {
  const { root, blobs } = history()
  const [one, two] = blobs
  const before = drafted('2026-02-10T23:59:58Z')
  expect(before.map(({ kind, createdAt }) => [kind, createdAt])).toEqual([
    ['investigation', '2026-02-10'],
    ['pattern', '2026-02-10'],
  ])
  expect(before[0]).toMatchObject({ costUsd: { total: 1.5 } })
  expect(await shas(root, before)).toEqual([one, one])
  expect(await shas(root, drafted('2026-02-10T23:59:59Z'))).toEqual([two, two])
  expect(await shas(root, drafted('2026-01-10T09:59:59Z'))).toEqual([null, null])
  expect(before.map(cardContent).join()).not.toContain('23:59')

  const noon = drafted('2026-02-20T12:00:00Z')
  const then = await anchorCards(root, ENV, noon)
  commitOn(root, '2026-02-20T12:00:01Z', { 'a/shelf.py': version(4) })
  expect(await anchorCards(root, ENV, noon)).toEqual(then)
})

test('the snippet is five lines from the definition, blanks collapsed', async () => {
  const { root } = history()
  const [card] = await anchorCards(root, ENV, [draft('1/pattern/0', '2026-01-10')])
  const text = ['def shelve(book):', 'return 1', '', '', 'X = 1'].join('\n')
  expect(card?.anchor?.snippetHash).toBe(createHash('sha256').update(text).digest('hex'))
  expect(findSnippet(linesOf(`\n\n${version(1)}`), card?.anchor?.snippetHash ?? '', 'shelve')).toBe(3)
})

test('what history does not have stays empty, and everything else of a card stays as it is', async () => {
  const { root, blobs } = history()
  const drafts = [
    draft('1/pattern/0', '2026-02-20', 'nowhere.py'),
    draft('2/pattern/0', '2026-02-20', 'a'),
    draft('3/pattern/0', '2026-02-20', '../a/shelf.py'),
    draft('4/pattern/0', '2026-02-20', 'a/shelf.py\nHEAD:a/shelf.py'),
    draft('5/pattern/0', '2026-02-20', null),
    draft('6/pattern/0', '2026-02-20', 'a/shelf.py', 'unheard'),
    draft('7/pattern/0', 'no day'),
    pattern('8/pattern/0'),
  ]
  const cards = await anchorCards(root, ENV, drafts)
  expect(cards.map(({ anchor }) => anchor?.blobSha)).toEqual([null, null, null, null, null, blobs[2], null, undefined])
  expect(cards[5]?.anchor?.snippetHash).toBeNull()
  const bare = cards.map((card) => ({
    ...card,
    anchor: card.anchor && { ...card.anchor, blobSha: null, snippetHash: null },
  }))
  expect(bare).toEqual(drafts)
})

test('a rebuild at a later HEAD, with a branch merged late, gives the same anchors', async () => {
  const { root } = history()
  git(root, ['checkout', '--quiet', '-b', 'side', 'HEAD~1'])
  commitOn(root, '2026-02-15T00:00:00Z', { 'b.py': 'side\n' })
  git(root, ['checkout', '--quiet', 'main'])
  const drafts = ['2026-02-16', '2026-02-10'].map((day, i) => draft(`${i}/pattern/0`, day))
  const before = await anchorCards(root, ENV, drafts)
  const dates = { GIT_AUTHOR_DATE: '2026-03-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-03-01T00:00:00Z' }
  git(root, ['merge', '--quiet', '--no-ff', '--message=Merge', 'side'], dates)
  commitOn(root, '2026-03-02T00:00:00Z', { 'a/shelf.py': 'gone\n' })
  expect(await anchorCards(root, ENV, drafts)).toEqual(before)
})

test('no git and a shallow clone leave what they do not know empty; a root below the top works', async () => {
  const { root, blobs } = history()
  const drafts = [draft('1/pattern/0', '2026-02-10'), draft('2/pattern/0', '2026-03-01')]
  expect(await shas(tempTree({ 'a/shelf.py': 'x' }), drafts)).toEqual([null, null])
  expect(await shas(initRepository(tempFolder('empty')), drafts)).toEqual([null, null])
  const clone = cloneRepository(root, `${tempFolder('clone')}/c`, ['--depth=1'])
  expect(await shas(clone, drafts)).toEqual([null, blobs[2]])
  expect(await shas(`${root}/a`, [draft('1/pattern/0', '2026-03-01', 'shelf.py')])).toEqual([blobs[2]])
})

test('many cards and large blobs come through the stream whole', async () => {
  const root = initRepository(tempFolder('many'))
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`f${i}.py`, `# ${'x'.repeat(i * 3000)}\ndef shelve${i}():\n    pass\n`]),
  )
  commitOn(root, '2026-01-01T00:00:00Z', files)
  const drafts = Object.keys(files).map((name, i) => draft(`${i}/pattern/0`, '2026-01-02', name, `shelve${i}`))
  const cards = await anchorCards(root, ENV, drafts)
  cards.forEach((card, i) => {
    expect(card.anchor?.snippetHash).toBe(snippetAt([`def shelve${i}():`, '    pass'], 0))
  })
})

describe('where a symbol is defined', () => {
  const CASES: readonly [path: string, line: string][] = [
    ['a.ts', 'export async function shelve(book: Book) {'],
    ['a.ts', 'export const shelve = 1'],
    ['a.tsx', '  private async shelve(book: Book): Promise<void> {'],
    ['a.js', '  shelve(book, at = now()) { return book }'],
    ['a.js', '  #shelve = (book) => book'],
    ['a.js', 'exports.shelve = shelve2'],
    ['a.ts', '  readonly shelve?: string'],
    ['a.ts', 'export type shelve<T> = T'],
    ['a.py', '    async def shelve(self):'],
    ['a.py', 'shelve: int = 3'],
    ['a.go', 'func (s *Shop) shelve(b Book) error {'],
    ['a.go', '\tshelve = iota'],
    ['a.rs', '    pub(crate) async fn shelve<T>(b: T) {'],
    ['A.java', '    public static List<Book> shelve(Book b) {'],
    ['a.kt', '    suspend fun shelve(b: Book) = b'],
    ['a.cs', '    internal Book shelve { get; set; }'],
    ['a.c', 'static int *shelve(struct book *b)'],
    ['a.h', '#define shelve(b) (b)'],
    ['a.cc', 'void Shop::shelve(Book b) {'],
    ['a.rb', '  def self.shelve(book)'],
    ['a.php', '    public function &shelve($b) {'],
    ['a.sh', 'shelve() {'],
    ['a.sh', 'export shelve=1'],
    ['a.lua', 'function Shop:shelve(b)'],
    ['a.ex', '  defp shelve(b), do: b'],
    ['a.sql', 'CREATE TABLE IF NOT EXISTS shop.SHELVE ('],
    ['a.sql', 'ALTER TABLE books ADD COLUMN shelve TEXT;'],
    ['a.md', 'Why we shelve books'],
    ['Makefile', 'shelve: all'],
  ]
  test.each(CASES)('%s: %s', (path, line) => {
    expect(definitionLine(path, ['reshelve(x)', '', line], 'shelve')).toBe(2)
  })

  test.each([
    ['a.ts', '// function shelve() {'],
    ['a.ts', '  shelve(book)'],
    ['a.ts', 'if (shelve(book)) {'],
    ['a.ts', 'const x = shelve'],
    ['a.py', '    return shelve(book)'],
    ['a.py', '# def shelve():'],
    ['a.go', '\tshelve(b)'],
    ['A.java', '    return shelve(b);'],
    ['a.c', '  shelve(b);'],
    ['a.md', 'reshelved'],
  ])('not in %s: %s', (path, line) => {
    expect(definitionLine(path, [line], 'shelve')).toBe(-1)
  })

  test('strange names and long lines are no trouble', () => {
    for (const symbol of ['', '.*', '$&', 'a(b', '__proto__', '日本']) {
      expect(definitionLine('a.ts', ['const x = 1'], symbol)).toBe(-1)
    }
    expect(definitionLine('a.ts', ['const $shelf_ = 1'], '$shelf_')).toBe(0)
    const nasty = [`${'a '.repeat(900)}shelve`, `shelve(${'('.repeat(1500)}`, `${'x::'.repeat(600)}shelve`]
    const start = performance.now()
    for (const path of ['a.ts', 'a.cc', 'A.java', 'a.go', 'a.py', 'a.sql', 'a.rs'])
      definitionLine(path, nasty, 'shelve')
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

test('names that history does not have, blanks and all, do not shift the answers for those that it has', async () => {
  const { root, blobs } = history()
  const day = '2026-03-01'
  const present = blobs[2]
  for (const more of [0, 20]) {
    const paths = ['a/no such blob 7', 'a/shelf.py', 'a', 'b blob', ...Array.from({ length: more }, (_, i) => `c/${i}`)]
    const cards = await anchorCards(
      root,
      ENV,
      [...paths, 'a/shelf.py'].map((name, i) => draft(`${i}/pattern/0`, day, name)),
    )
    const shelf = { path: 'a/shelf.py', blobSha: present, snippetHash: expect.any(String) }
    expect(cards[1]?.anchor).toMatchObject(shelf)
    expect(cards.at(-1)?.anchor).toMatchObject(shelf)
    expect(cards.filter(({ anchor }) => anchor?.blobSha != null)).toHaveLength(2)
  }
})

test('few names with a symbol are asked for at once, many or none with a symbol by their ids first', async () => {
  const { root } = history()
  const trace = `${tempFolder('trace')}/git`
  writeTree(path.dirname(trace), { git: '' })
  /** How `git cat-file` was asked, by git's own account. */
  const asked = async (drafts: readonly Card[]): Promise<readonly (string | undefined)[]> => {
    writeFileSync(trace, '')
    await anchorCards(root, { ...ENV, GIT_TRACE: trace }, drafts)
    return [...readFileSync(trace, 'utf8').matchAll(/cat-file .*?(--batch(?:-check)?)/g)].map((match) => match[1])
  }
  const day = '2026-03-01'
  expect(await asked([draft('1/pattern/0', day)])).toEqual(['--batch'])
  // Nobody looks into what has no symbol, and it may be of any size.
  expect(await asked([draft('1/pattern/0', day, 'a/shelf.py', null)])).toEqual(['--batch-check'])
  const many = Array.from({ length: 20 }, (_, i) => draft(`${i}/pattern/0`, day, i === 0 ? 'a/shelf.py' : `c/${i}`))
  expect(await asked(many)).toEqual(['--batch-check', '--batch'])
})
