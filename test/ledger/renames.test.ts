// Renames from real logs, stored, and followed in both directions and by time.

import { describe, expect, test } from 'vitest'
import { headOnDisk } from '../../src/ledger/git-history.ts'
import { Lineage, readRenames, refreshRenames } from '../../src/ledger/renames.ts'
import type { Rename } from '../../src/model/ledger.ts'
import { exportRenames } from '../../src/store/queries/ledger-export.ts'
import { cloneRepository, commitAll, git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { ask, dayOf, ENV, ids, pattern, shelve } from './bookshop.ts'

const TEXT = 'one\ntwo\nthree\nfour\n'

function move(root: string, from: string, to: string, date: string): string {
  git(root, ['mv', from, to])
  return commitOn(root, date, `Move ${from}`)
}

function commitOn(root: string, date: string, message: string): string {
  git(root, ['add', '--all'])
  git(root, ['commit', '--quiet', '--allow-empty', `--date=${date}T12:00:00Z`, '--message', message])
  return git(root, ['rev-parse', 'HEAD'])
}

function pairs(renames: readonly Rename[]): string[] {
  return renames.map(({ from, to }) => `${from} > ${to}`)
}

describe('reading', () => {
  test('names are raw, whatever their characters; the date is the author date', async () => {
    const root = initRepository(tempFolder('log'), { 'büro "alt".txt': TEXT })
    const commit = move(root, 'büro "alt".txt', 'a\tb\nc.txt', '2024-06-03')
    const [rename] = await readRenames(root, ENV)
    expect(rename).toEqual({
      commit,
      at: Date.parse('2024-06-03T12:00:00Z') / 1000,
      from: 'büro "alt".txt',
      to: 'a\tb\nc.txt',
    })
  })

  test('a rename on a branch is told once, one made while merging as well', async () => {
    const root = initRepository(tempFolder('log'), { 'a.txt': TEXT, 'b.txt': `${TEXT}b\n` })
    git(root, ['checkout', '--quiet', '-b', 'side'])
    move(root, 'a.txt', 'a2.txt', '2024-06-01')
    git(root, ['checkout', '--quiet', 'main'])
    writeTree(root, { 'c.txt': 'c\n' })
    commitOn(root, '2024-06-02', 'c')
    git(root, ['merge', '--quiet', '--no-ff', '--no-commit', 'side'])
    git(root, ['mv', 'b.txt', 'b2.txt'])
    commitOn(root, '2024-06-03', 'Merge')
    expect(pairs(await readRenames(root, ENV)).sort()).toEqual(['a.txt > a2.txt', 'b.txt > b2.txt'])
  })

  test('a root below the top sees its own files by their own names', async () => {
    const root = initRepository(tempFolder('log'), { 'shop/a.txt': TEXT, 'x.txt': `${TEXT}x\n` })
    move(root, 'shop/a.txt', 'shop/b.txt', '2024-06-01')
    move(root, 'x.txt', 'y.txt', '2024-06-02')
    expect(pairs(await readRenames(`${root}/shop`, ENV))).toEqual(['a.txt > b.txt'])
  })

  test('no git, no commits and a shallow clone are no failure', async () => {
    expect(await readRenames(tempTree({ 'a.txt': 'a' }), ENV)).toEqual([])
    expect(await readRenames(initRepository(tempFolder('empty')), ENV)).toEqual([])
    const root = initRepository(tempFolder('log'), { 'a.txt': TEXT })
    move(root, 'a.txt', 'b.txt', '2024-06-01')
    commitOn(root, '2024-06-02', 'Nothing')
    const clone = cloneRepository(root, `${tempFolder('clone')}/c`, ['--depth=1'])
    expect(await readRenames(clone, ENV)).toEqual([])
  })

  test('the stored ones follow HEAD: new commits are added, rewritten ones go', async () => {
    const root = initRepository(tempFolder('log'), { 'a.txt': TEXT })
    const store = shelve([])
    expect(await refreshRenames(store, root, ENV)).toBe(0)
    move(root, 'a.txt', 'b.txt', '2024-06-01')
    expect(await refreshRenames(store, root, ENV)).toBe(1)
    expect(await refreshRenames(store, root, ENV)).toBe(0)
    move(root, 'b.txt', 'c.txt', '2024-06-02')
    expect(await refreshRenames(store, root, ENV)).toBe(1)
    expect(pairs(exportRenames(store))).toEqual(['a.txt > b.txt', 'b.txt > c.txt'])
    git(root, ['reset', '--quiet', '--hard', 'HEAD~1'])
    move(root, 'b.txt', 'd.txt', '2024-06-03')
    await refreshRenames(store, root, ENV)
    expect(pairs(exportRenames(store))).toEqual(['a.txt > b.txt', 'b.txt > d.txt'])
    commitAll(root, 'Nothing')
    expect(await refreshRenames(store, root, ENV)).toBe(0)
  })
})

describe('following', () => {
  const at = (date: string): number => dayOf(date) * 86_400 + 43_200
  let commits = 0
  const rename = (date: string, from: string, to: string): Rename => ({
    commit: `c${++commits}`,
    at: at(date),
    from,
    to,
  })

  const CHAIN = [rename('2026-02-10', 'lease.ts', 'leases.ts'), rename('2026-03-03', 'leases.ts', 'table.ts')]

  test('every name of a file finds all cards of it', async () => {
    const root = tempTree({ 'table.ts': '' })
    const cards = [
      // The first two were written after the name had gone out of use.
      pattern('50/pattern/0', { paths: ['lease.ts'], createdAt: '2026-04-20' }),
      pattern('51/pattern/0', { paths: ['leases.ts'], createdAt: '2026-04-21' }),
      pattern('52/pattern/0', { paths: ['table.ts'], createdAt: '2026-04-22' }),
      pattern('53/pattern/0', { paths: ['lease.ts'], createdAt: '2026-01-01' }),
      pattern('54/pattern/0', { paths: ['other.ts'], createdAt: '2026-01-01' }),
    ]
    const store = shelve(cards, CHAIN)
    const all = ['52/pattern/0', '51/pattern/0', '50/pattern/0', '53/pattern/0']
    for (const file of ['lease.ts', 'leases.ts', 'table.ts'])
      expect(ids(await ask(store, { files: [file] }, root)), file).toEqual(all)
  })

  test('a name that two files bore in turn is told apart by the day', async () => {
    const renames = [
      rename('2026-01-20', 'web/Table.tsx', 'web/JobTable.tsx'),
      rename('2026-04-01', 'web/Table.tsx', 'web/LogTable.tsx'),
    ]
    const root = tempTree({ 'web/JobTable.tsx': '', 'web/LogTable.tsx': '' })
    const cards = [
      pattern('1/pattern/0', { paths: ['web/Table.tsx'], createdAt: '2026-01-10' }),
      pattern('2/pattern/0', { paths: ['web/Table.tsx'], createdAt: '2026-03-28' }),
      pattern('3/pattern/0', { paths: ['web/JobTable.tsx'], createdAt: '2026-05-01' }),
    ]
    const store = shelve(cards, renames)
    expect(ids(await ask(store, { files: ['web/JobTable.tsx'] }, root))).toEqual(['3/pattern/0', '1/pattern/0'])
    expect(ids(await ask(store, { files: ['web/LogTable.tsx'] }, root))).toEqual(['2/pattern/0'])
    // The old name means whoever bore it, until a file of that name is there again.
    expect(ids(await ask(store, { files: ['web/Table.tsx'] }, root))).toEqual([
      '3/pattern/0',
      '2/pattern/0',
      '1/pattern/0',
    ])
    const again = tempTree({ 'web/Table.tsx': '' })
    expect(ids(await ask(store, { files: ['web/Table.tsx'] }, again))).toEqual([])
  })

  test('there and back again, also within one second, ends', async () => {
    const back = [rename('2026-02-20', 'audit.py', 'queue.py'), rename('2026-03-09', 'queue.py', 'audit.py')]
    const root = tempTree({ 'audit.py': '' })
    const cards = [
      pattern('1/pattern/0', { paths: ['audit.py'], createdAt: '2026-01-01' }),
      pattern('2/pattern/0', { paths: ['queue.py'], createdAt: '2026-03-01' }),
      pattern('3/pattern/0', { paths: ['audit.py'], createdAt: '2026-05-01' }),
    ]
    const store = shelve(cards, back)
    for (const file of ['audit.py', 'queue.py']) {
      expect(ids(await ask(store, { files: [file] }, root))).toEqual(['3/pattern/0', '2/pattern/0', '1/pattern/0'])
    }
    const circle = shelve([], [rename('2026-02-20', 'a', 'b'), rename('2026-02-20', 'b', 'a')])
    expect(['a', 'b']).toContain(new Lineage(circle, () => false).nameNow('a', dayOf('2026-01-01')))
  })
})

describe('the commit of HEAD, read from disk', () => {
  test('is what git says: a loose branch, a packed one, one packed and moved on, no branch, another work tree', () => {
    const root = initRepository(tempFolder('head'))
    const says = (folder: string): void => expect(headOnDisk(folder)).toBe(git(folder, ['rev-parse', 'HEAD']))
    git(root, ['checkout', '--quiet', '-b', 'side/way'])
    commitOn(root, '2024-01-01', 'One')
    says(root)
    git(root, ['branch', 'x/side/way'])
    git(root, ['pack-refs', '--all'])
    commitOn(root, '2024-01-02', 'Two')
    says(root)
    git(root, ['pack-refs', '--all'])
    git(root, ['tag', '--annotate', '--message', 'T', 't'])
    git(root, ['pack-refs', '--all'])
    says(root)
    const linked = `${tempFolder('linked')}/tree`
    git(root, ['worktree', 'add', '--quiet', '-b', 'other', linked])
    commitOn(linked, '2024-01-03', 'Three')
    says(linked)
    expect(headOnDisk(linked)).not.toBe(headOnDisk(root))
    git(root, ['checkout', '--quiet', '--detach', 'HEAD~1'])
    says(root)
  })

  test('is unknown without a repository, without a commit, and where the branch is a link or has no plain name', () => {
    expect(headOnDisk(tempFolder('bare'))).toBeNull()
    const root = initRepository(tempFolder('empty'))
    git(root, ['checkout', '--quiet', '--orphan', 'nothing'])
    expect(headOnDisk(root)).toBeNull()
    git(root, ['checkout', '--quiet', '-b', 'real'])
    commitOn(root, '2024-01-01', 'One')
    git(root, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/real'])
    git(root, ['symbolic-ref', 'HEAD', 'refs/heads/alias'])
    expect(headOnDisk(root)).toBeNull()
    // Packed and moved on: an old line must not be taken for the branch.
    git(root, ['checkout', '--quiet', '-b', '漢字'])
    git(root, ['pack-refs', '--all'])
    commitOn(root, '2024-01-02', 'Two')
    expect(headOnDisk(root)).toBeNull()
  })
})
