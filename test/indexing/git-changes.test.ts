// What a refresh does when the repository changes: clones, branches, the staging area, line ends and filters, roots
// inside a larger repository. Only what really differs on disk may be extracted again.

import { cpSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cloneRepository, commitAll, git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { ALL, BAKERY, bakery, indexed } from './bakery.ts'
import { expectEqualToFresh, fileStamp, pause, runIndex, runQuery, storedDump, WITHOUT_GIT } from './kitchen.ts'

describe('by git', () => {
  test('a restored index in a fresh clone reads nothing and has nothing to write', async () => {
    const root = await bakery()
    const clone = path.join(tempFolder('changes'), 'clone')
    cloneRepository(root, clone, ['--depth=1'])
    cpSync(path.join(root, '.specdex'), path.join(clone, '.specdex'), { recursive: true })
    const stamp = fileStamp(clone).split(' ').at(-1)
    for (const full of [false, true]) {
      const { plan, condition } = full ? await runIndex(clone) : await runQuery(clone, ['spec', 'docs'])
      expect(condition).toBe('fresh')
      expect(plan?.read).toBe(0)
      expect(plan?.dirs).toEqual([])
    }
    expect(fileStamp(clone).split(' ').at(-1)).toBe(stamp)
    await expectEqualToFresh(clone)
  })

  test('and so do a linked work tree and a repository with `* text=auto`', async () => {
    const root = await bakery()
    writeTree(root, { '.gitattributes': '* text=auto\n' })
    commitAll(root, 'Attributes')
    await indexed(root, {})
    const branch = path.join(tempFolder('changes'), 'branch')
    git(root, ['worktree', 'add', '--quiet', branch])
    cpSync(path.join(root, '.specdex'), path.join(branch, '.specdex'), { recursive: true })
    const { plan } = await indexed(branch, {})
    expect(plan.read).toBe(0)
  })

  test('a branch switched, merged, rebased, reset: only what differs is extracted', async () => {
    const root = await bakery()
    const before = storedDump(root)
    git(root, ['checkout', '--quiet', '-b', 'dark'])
    writeTree(root, { 'docs/rye.md': '# Dark rye\n', 'commands/dark.md': '# Dark\n' })
    commitAll(root, 'Dark')
    const commit = git(root, ['rev-parse', 'HEAD'])
    await indexed(root, { added: ['commands/dark.md'], changed: ['docs/rye.md'] })
    git(root, ['checkout', '--quiet', 'main'])
    await indexed(root, { removed: ['commands/dark.md'], changed: ['docs/rye.md'] })
    expect(storedDump(root)).toEqual(before)
    writeTree(root, { 'README.md': '# Bakery 2\n' })
    commitAll(root, 'Readme')
    await indexed(root, { changed: ['README.md'] })
    git(root, ['merge', '--quiet', '--no-edit', 'dark'])
    await indexed(root, { added: ['commands/dark.md'], changed: ['docs/rye.md'] })
    git(root, ['reset', '--quiet', '--hard', 'HEAD~1'])
    await indexed(root, { removed: ['commands/dark.md'], changed: ['docs/rye.md'] })
    git(root, ['rebase', '--quiet', 'dark'])
    await indexed(root, { added: ['commands/dark.md'], changed: ['docs/rye.md'] })
    git(root, ['checkout', '--quiet', '--detach', commit])
    await indexed(root, { changed: ['README.md'] })
  })

  test('add, commit, stash, mixed reset: what is on disk counts, not what is staged', async () => {
    const root = await bakery()
    writeTree(root, { 'docs/rye.md': '# Rye 2\n', 'docs/new.md': '# New\n' })
    await indexed(root, { added: ['docs/new.md'], changed: ['docs/rye.md'] })
    git(root, ['add', '--all'])
    // Now git vouches: the rows learn its blob ids, which takes one look at the bytes.
    await indexed(root, { checked: 2 })
    git(root, ['commit', '--quiet', '--message', 'New'])
    await indexed(root, {})
    git(root, ['reset', '--quiet', 'HEAD~1'])
    const { report } = await runIndex(root)
    expect(report).toMatchObject({ added: [], changed: [], removed: [], reextracted: [] })
    git(root, ['stash', 'push', '--quiet', '--include-untracked'])
    await indexed(root, { removed: ['docs/new.md'], changed: ['docs/rye.md'] })
    git(root, ['stash', 'pop', '--quiet'])
    await indexed(root, { added: ['docs/new.md'], changed: ['docs/rye.md'] })
  })

  test('a file taken out of git, or hidden from it, is the same file', async () => {
    const root = await bakery()
    git(root, ['rm', '--quiet', '--cached', 'docs/rye.md'])
    git(root, ['update-index', '--assume-unchanged', 'docs/spelt.md'])
    git(root, ['update-index', '--skip-worktree', 'commands/knead.md'])
    const { report } = await runIndex(root)
    expect(report).toMatchObject({ added: [], changed: [], removed: [], reextracted: [] })
    writeTree(root, { 'docs/spelt.md': '# Spelt 2\n', 'commands/knead.md': '# Knead 2\n' })
    expect(git(root, ['status', '--porcelain'])).not.toContain('spelt')
    await indexed(root, { changed: ['commands/knead.md', 'docs/spelt.md'] })
  })

  test('line ends that a checkout converts are noticed, however git finds the tree clean', async () => {
    const root = await bakery()
    const old = (): void => utimesSync(path.join(root, 'docs/rye.md'), 1_600_000_000, 1_600_000_000)
    const checkOut = (): void => {
      rmSync(path.join(root, 'docs/rye.md'))
      git(root, ['checkout', '--quiet', '--', 'docs/rye.md'])
      old()
      git(root, ['update-index', '--refresh'])
    }
    git(root, ['config', 'core.autocrlf', 'true'])
    checkOut()
    git(root, ['config', 'core.autocrlf', 'false'])
    expect(git(root, ['status', '--porcelain'])).toBe('')
    expect((await runIndex(root)).report.changed).toEqual(['docs/rye.md'])
    await expectEqualToFresh(root)
    // Git vouches for bytes that are not there: queries go by the time stamp, and read nothing.
    await pause()
    expect((await runIndex(root)).report.changed).toEqual([])
    expect((await runQuery(root, ['docs'])).plan).toMatchObject({ read: 0 })
    const { size } = statSync(path.join(root, 'docs/rye.md'))
    expect(size).toBe(BAKERY['docs/rye.md'].length + 3)
    // Back again: same blob id all the time, other bytes.
    git(root, ['config', 'core.autocrlf', 'input'])
    checkOut()
    await indexed(root, { changed: ['docs/rye.md'] })
    expect(git(root, ['status', '--porcelain'])).toBe('')
  })

  test('a filter is a reason to look at the bytes, and its end is one too', async () => {
    const root = await bakery()
    writeTree(root, { '.gitattributes': '*.md filter=rot\n', '.git/rot': '#!/bin/sh\ntr a-zA-Z n-za-mN-ZA-M\n' })
    git(root, ['config', 'filter.rot.clean', 'tr a-zA-Z n-za-mN-ZA-M'])
    git(root, ['config', 'filter.rot.smudge', 'tr a-zA-Z n-za-mN-ZA-M'])
    rmSync(path.join(root, 'docs/spelt.md'))
    // The blob stays, the bytes on disk are turned, and the size is the same.
    git(root, ['checkout', '--quiet', '--', 'docs/spelt.md'])
    const { report } = await runIndex(root)
    expect(report.changed).toEqual(['docs/spelt.md'])
    expect(storedDump(root).some((line) => line.includes('Fcryg'))).toBe(true)
    await expectEqualToFresh(root)
  })

  test('an edit that puts the time back is noticed, whatever git was told to overlook', async () => {
    const root = await bakery()
    git(root, ['config', 'core.trustctime', 'false'])
    git(root, ['config', 'core.checkStat', 'minimal'])
    const file = path.join(root, 'docs/rye.md')
    utimesSync(file, 1_600_000_000, 1_600_000_000)
    git(root, ['update-index', '--refresh'])
    await runIndex(root)
    // Git compares times by the second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    writeFileSync(file, BAKERY['docs/rye.md'].replace('Rye', 'Oat'))
    utimesSync(file, 1_600_000_000, 1_600_000_000)
    expect(git(root, ['status', '--porcelain'])).toBe('')
    await indexed(root, { changed: ['docs/rye.md'] })
  })

  test('git goes and comes: nothing but bookkeeping', async () => {
    const root = await bakery()
    // Without git every file has to be looked at once, and documents that git ignores by other files might appear.
    const away = await runIndex(root, WITHOUT_GIT)
    expect(away.report).toMatchObject({ added: [], changed: [], removed: [], reextracted: [] })
    expect(away.report.checked).toBeGreaterThan(0)
    await indexed(root, {}, WITHOUT_GIT)
    const back = await runIndex(root)
    expect(back.report).toMatchObject({ added: [], changed: [], removed: [], reextracted: [], checked: 0 })
  })
})

test('a root below the top of its repository, with rules from above', async () => {
  const top = initRepository(tempFolder('changes'), { '.gitignore': 'drafts/\n', ...inShop(BAKERY) })
  const root = path.join(top, 'shop')
  writeTree(root, { 'docs/drafts/x.md': '# X\n' })
  await pause()
  await indexed(root, { added: ALL })
  writeTree(top, { '.gitignore': '' })
  await indexed(root, { added: ['docs/drafts/x.md'] })
  writeTree(top, { 'docs/outside.md': '# Outside\n', 'shop/docs/rye.md': '# Rye 2\n' })
  commitAll(top, 'More')
  await runIndex(root)
  await expectEqualToFresh(root)
  expect(storedDump(root).some((line) => line.includes('outside'))).toBe(false)
})

function inShop(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`shop/${name}`, text]))
}
