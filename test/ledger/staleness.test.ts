// The five tiers, from bytes on disk, from git's list, and from the cache. The anchors are made by the code under test
// from real history wherever there is one.

import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorCards } from '../../src/ledger/anchors.ts'
import { snippetAt } from '../../src/ledger/definitions.ts'
import { judgeOf } from '../../src/ledger/recall.ts'
import { refreshRenames } from '../../src/ledger/renames.ts'
import { type Judgement, judgeCards } from '../../src/ledger/staleness.ts'
import { type Anchor, type Card, TIER } from '../../src/model/ledger.ts'
import type { Store } from '../../src/store/open.ts'
import { loadTiers } from '../../src/store/queries/ledger-tiers.ts'
import { effort } from '../support/effort.ts'
import { commitAll, git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { ask, dayOf, ENV, pattern, shelve } from './bookshop.ts'

const SHELF = `import { wood } from './wood'

export function sortShelf(books) {
  const copy = [...books]
  copy.sort()
  return copy
}

export const DUST = 3
`
const FRESH: Judgement = { tier: TIER.fresh, path: null, line: null }
const STALE: Judgement = { tier: TIER.stale, path: null, line: null }

/** Repository of the year 2024 (fixed dates of test/support/git.ts) with one shelf. */
function shop(files: Readonly<Record<string, string>> = { 'src/shelf.ts': SHELF }): string {
  return initRepository(tempFolder('shop'), files)
}

function card(anchor: Partial<Anchor>, createdAt = '2024-05-02', id = '1/pattern/0'): Card {
  return pattern(id, { anchor, createdAt, paths: anchor.path == null ? [] : [anchor.path] })
}

/** Judges one card; `many` 1 makes git's list and the cache take part. */
async function judged(store: Store, one: Card, root: string | null, many = 1000): Promise<Judgement | undefined> {
  const asked = { card: 1, day: dayOf(one.createdAt), anchor: one.anchor }
  return (await judgeCards(store, [asked], judgeOf(store, { root, env: ENV }), many)).get(1)
}

async function anchored(root: string, anchor: Partial<Anchor>): Promise<Card> {
  const [one] = await anchorCards(root, ENV, [card(anchor)])
  return one as Card
}

const SORT = { path: 'src/shelf.ts', symbol: 'sortShelf' }
const LISTS: readonly (readonly [string, number])[] = [
  ['from disk', 1000],
  ["with git's list", 1],
]

describe.each(LISTS)('%s', (_, many) => {
  test('the same blob is fresh', async () => {
    const root = shop()
    const one = await anchored(root, SORT)
    expect(one.anchor?.blobSha).toBe(git(root, ['rev-parse', 'HEAD:src/shelf.ts']))
    expect(await judged(shelve([one]), one, root, many)).toEqual(FRESH)
  })

  test('another blob is fresh while the symbol is defined, stale once it is only spoken of', async () => {
    const root = shop()
    const one = await anchored(root, SORT)
    const store = shelve([one])
    writeTree(root, { 'src/shelf.ts': 'const a = 1\nexport const sortShelf = async (b) => b\n' })
    expect(await judged(store, one, root, many)).toEqual(FRESH)
    writeTree(root, { 'src/shelf.ts': '// sortShelf went away\nuse(sortShelf(1))\n' })
    expect(await judged(store, one, root, many)).toEqual(STALE)
    rmSync(path.join(root, 'src/shelf.ts'))
    expect(await judged(store, one, root, many)).toEqual(STALE)
  })

  test('a renamed file is followed: same bytes, same snippet, or still defined', async () => {
    const root = shop()
    const one = await anchored(root, SORT)
    const store = shelve([one])
    mkdirSync(path.join(root, 'lib'))
    renameSync(path.join(root, 'src/shelf.ts'), path.join(root, 'lib/shelves.ts'))
    commitAll(root, 'Move the shelf')
    git(root, ['commit', '--amend', '--no-edit', '--quiet', '--date=2024-06-01T00:00:00Z'])
    expect(await judged(store, one, root, many)).toEqual(STALE)
    expect(await refreshRenames(store, root, ENV)).toBe(1)
    const moved = { tier: TIER.movedByRename, path: 'lib/shelves.ts', line: 3 }
    expect(await judged(store, one, root, many)).toEqual(moved)
    writeTree(root, { 'lib/shelves.ts': `// head\n${SHELF}` })
    expect(await judged(store, one, root, many)).toEqual({ ...moved, line: 4 })
    writeTree(root, { 'lib/shelves.ts': 'function sortShelf() {}\n' })
    expect(await judged(store, one, root, many)).toEqual({ ...moved, line: 1 })
    writeTree(root, { 'lib/shelves.ts': 'function sort() {}\n' })
    expect(await judged(store, one, root, many)).toEqual(STALE)
  })

  test('a folder is fresh; nothing outside the root is looked at', async () => {
    const root = shop()
    const outside = tempTree({ 'secret.ts': SHELF })
    symlinkSync(outside, path.join(root, 'link'))
    for (const [name, wanted] of [
      ['src', FRESH],
      ['../secret.ts', STALE],
      ['link/secret.ts', STALE],
      [`${outside}/secret.ts`, STALE],
      ['src/shelf.ts\0', STALE],
    ] as const) {
      const one = card({ path: name, symbol: 'sortShelf' })
      expect(await judged(shelve([one]), one, root, many), name).toEqual(wanted)
    }
  })

  test('line endings that git changes on the way make no lesson stale', async () => {
    const root = shop({ '.gitattributes': '*.txt text eol=crlf\n', 'rota.txt': 'Ada\nBob\n' })
    const one = await anchored(root, { path: 'rota.txt', symbol: 'Carol' })
    rmSync(path.join(root, 'rota.txt'))
    git(root, ['checkout', '--', 'rota.txt'])
    const symbol = { ...one, anchor: { ...(one.anchor as Anchor), snippetHash: 'e'.repeat(64) } }
    expect(await judged(shelve([symbol]), symbol, root, many)).toEqual(FRESH)
  })
})

// What is read of a file that changed, whoever told of the change: `npm test` asks the disk, the long run both.
describe.each(LISTS.slice(0, effort(1, 2)))('%s', (_, many) => {
  test('a snippet that stands elsewhere in the file has moved', async () => {
    const root = shop()
    // An anchor without a symbol, as another tool may have exported it.
    const lines = SHELF.split('\n')
    const one = card({ path: 'src/shelf.ts', blobSha: 'f'.repeat(40), snippetHash: snippetAt(lines, 2) })
    writeTree(root, { 'src/shelf.ts': `// new\n// head\n${SHELF.replaceAll('  ', '\t ')}` })
    expect(await judged(shelve([one]), one, root, many)).toEqual({
      tier: TIER.movedInFile,
      path: 'src/shelf.ts',
      line: 5,
    })
    writeTree(root, { 'src/shelf.ts': SHELF.replace('return copy', 'return books') })
    expect(await judged(shelve([one]), one, root, many)).toEqual(STALE)
  })

  test('without a symbol the anchor is the file; without a path there is nothing to lose', async () => {
    const root = shop()
    const one = await anchored(root, { path: 'src/shelf.ts' })
    writeTree(root, { 'src/shelf.ts': 'all new\n' })
    expect(await judged(shelve([one]), one, root, many)).toEqual(FRESH)
    rmSync(path.join(root, 'src/shelf.ts'))
    expect(await judged(shelve([one]), one, root, many)).toEqual(STALE)
    const bare = card({ symbol: 'sortShelf' })
    expect(await judged(shelve([bare]), bare, root, many)).toEqual(FRESH)
  })

  test('a symbol that was never defined there is looked for as a word', async () => {
    const root = shop()
    const one = await anchored(root, { path: 'src/shelf.ts', symbol: 'wood' })
    const never = await anchored(root, { path: 'src/shelf.ts', symbol: 'books' })
    expect(never.anchor?.snippetHash).toBeNull()
    writeTree(root, { 'src/shelf.ts': 'use(books, wood)\n' })
    expect(await judged(shelve([never]), never, root, many)).toEqual(FRESH)
    expect(one.anchor?.snippetHash).toBeNull()
    writeTree(root, { 'src/shelf.ts': 'use(booksellers)\n' })
    expect(await judged(shelve([never]), never, root, many)).toEqual(STALE)
  })

  test('a symbol that not even the anchored blob holds says nothing of the file', async () => {
    const root = shop()
    const one = await anchored(root, { path: 'src/shelf.ts', symbol: 'ladder' })
    writeTree(root, { 'src/shelf.ts': 'all new\n' })
    expect(await judged(shelve([one]), one, root, many)).toEqual(FRESH)
    rmSync(path.join(root, 'src/shelf.ts'))
    expect(await judged(shelve([one]), one, root, many)).toEqual(STALE)
  })
})

test('without git the files on disk decide', async () => {
  const root = tempTree({ 'src/shelf.ts': SHELF })
  const one = card({ path: 'src/shelf.ts', symbol: 'sortShelf' })
  const gone = card({ path: 'src/gone.ts', symbol: 'sortShelf' })
  for (const many of [1, 1000]) {
    expect(await judged(shelve([one]), one, root, many)).toEqual(FRESH)
    expect(await judged(shelve([gone]), gone, root, many)).toEqual(STALE)
  }
  expect(await judged(shelve([gone]), gone, null)).toEqual(FRESH)
})

test('the blob id in process is that of git', async () => {
  const root = tempTree({ 'a.txt': 'größe\n' })
  const blobSha = execFileSync('git', ['hash-object', 'a.txt'], { cwd: root }).toString().trim()
  const one = card({ path: 'a.txt', symbol: 'no', blobSha, snippetHash: 'e'.repeat(64) })
  expect(await judged(shelve([one]), one, root)).toEqual(FRESH)
})

describe('the cache', () => {
  test('holds for a HEAD and clean paths only', async () => {
    const root = shop({ 'a.ts': SHELF, 'b.ts': SHELF })
    const one = await anchored(root, { path: 'a.ts', symbol: 'sortShelf' })
    const store = shelve([one])
    const head = git(root, ['rev-parse', 'HEAD'])
    expect(await judged(store, one, root, 1)).toEqual(FRESH)
    expect(loadTiers(store, head)).toEqual([{ card: 1, ...FRESH }])
    // Were it asked alone, this would be the answer.
    store.write(() => store.prepare('UPDATE card_tier SET tier = 3').run())
    expect(await judged(store, one, root, 1)).toEqual(STALE)
    writeFileSync(path.join(root, 'a.ts'), `${SHELF}\n`)
    expect(await judged(store, one, root, 1)).toEqual(FRESH)
    git(root, ['checkout', '--', 'a.ts'])
    commitAll(root, 'Nothing')
    git(root, ['commit', '--amend', '--quiet', '--allow-empty', '--message=Another HEAD'])
    expect(await judged(store, one, root, 1)).toEqual(FRESH)
  })

  test('a file that comes back untracked is seen, and so is a new rename', async () => {
    const root = shop({ 'a.ts': SHELF })
    const one = card({ path: 'gone.ts', symbol: 'sortShelf' })
    const store = shelve([one])
    expect(await judged(store, one, root, 1)).toEqual(STALE)
    expect(await judged(store, one, root, 1)).toEqual(STALE)
    writeTree(root, { 'gone.ts': SHELF })
    expect(await judged(store, one, root, 1)).toEqual(FRESH)
    rmSync(path.join(root, 'gone.ts'))
    const renamed = shelve(
      [one],
      [{ commit: 'c'.repeat(40), at: dayOf('2024-06-01') * 86_400, from: 'gone.ts', to: 'a.ts' }],
    )
    expect(await judged(renamed, one, root, 1)).toEqual({ tier: TIER.movedByRename, path: 'a.ts', line: 3 })
  })

  test('recall of a handful writes nothing', async () => {
    const root = shop()
    const one = await anchored(root, { path: 'src/shelf.ts', symbol: 'sortShelf' })
    const store = shelve([one])
    const before = store.db.prepare('SELECT total_changes() AS n').get()
    expect((await ask(store, { files: ['src/shelf.ts'] }, root)).hits[0]?.status).toBe('fresh')
    expect(store.db.prepare('SELECT total_changes() AS n').get()).toEqual(before)
  })
})
