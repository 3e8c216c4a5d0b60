// What a refresh does, and how little of it: for each way in which a tree, its repository or its configuration changes,
// the files that are read, extracted again, and written about. That the outcome is right is checked everywhere.

import { cpSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { World } from '../../src/model/clock.ts'
import { fingerprintName, generationName, getGeneration, META, setMeta } from '../../src/store/meta.ts'
import { cloneRepository, commitAll, git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import {
  expectEqualToFresh,
  fileStamp,
  pause,
  type Run,
  runIndex,
  runQuery,
  storedDump,
  WITHOUT_GIT,
  WORLD,
  withStored,
} from './kitchen.ts'

const BAKERY = {
  'commands/knead.md': '# Knead\n\nRe-read FORGE:FLOUR.\n',
  'commands/rest.md': '# Rest\n\nSkill(skill="knead")\n',
  'scripts/oven.sh': 'echo warm\n',
  'devdocs/flour.md': '# Flour\n',
  'docs/rye.md': '# Rye\n\nSee [spelt](spelt.md).\n',
  'docs/spelt.md': '# Spelt\n',
  'README.md': '# Bakery\n',
  '.gitignore': '.specdex/\n',
}

const SPEC = ['commands/knead.md', 'commands/rest.md', 'devdocs/flour.md', 'scripts/oven.sh']
const DOCS = ['README.md', 'commands/knead.md', 'commands/rest.md', 'devdocs/flour.md', 'docs/rye.md', 'docs/spelt.md']
const ALL = [...new Set([...SPEC, ...DOCS])].sort()

/** An indexed bakery whose files are old enough to be trusted by their time stamps. */
async function bakery(world: World = WORLD): Promise<string> {
  const root = world === WITHOUT_GIT ? tempTree(BAKERY, 'changes') : initRepository(tempFolder('changes'), BAKERY)
  await pause()
  await runIndex(root, world)
  return root
}

interface Done {
  readonly added?: readonly string[]
  readonly changed?: readonly string[]
  readonly removed?: readonly string[]
  readonly reextracted?: readonly string[]
  /** Files whose bytes were read to see that they had not changed. */
  readonly checked?: number
}

/** One `specdex index`: what it did, that it is right, and that the next one has nothing to do. */
async function indexed(root: string, done: Done, world: World = WORLD): Promise<Run> {
  const run = await runIndex(root, world)
  const { added, changed, removed, reextracted, checked } = run.report
  const expected = { added: [], changed: [], removed: [], reextracted: [], checked: 0, ...done }
  expect({ added, changed, removed, reextracted, checked }).toEqual(expected)
  await expectEqualToFresh(root, world)
  await pause()
  await runIndex(root, world)
  const stamp = fileStamp(root)
  const { plan } = await runIndex(root, world)
  expect({ changes: plan.changes.size, dirs: plan.dirs, touches: plan.touches.size, read: plan.read }).toEqual({
    changes: 0,
    dirs: [],
    touches: 0,
    read: 0,
  })
  expect(fileStamp(root)).toBe(stamp)
  return run
}

function touchAll(root: string): void {
  for (const name of Object.keys(BAKERY)) utimesSync(path.join(root, name), new Date(), new Date())
}

describe.each([
  ['in a repository', WORLD],
  ['without git', WITHOUT_GIT],
])('%s', (_name, world) => {
  test('the first index adds everything; the second does nothing', async () => {
    const root = world === WITHOUT_GIT ? tempTree(BAKERY, 'changes') : initRepository(tempFolder('changes'), BAKERY)
    await pause()
    const { condition, mode, report } = await indexed(root, { added: ALL }, world)
    expect(condition).toBe('built')
    expect(mode).toBe(world === WITHOUT_GIT ? 'walk' : 'git')
    expect(report.rows['node']).toBeGreaterThan(ALL.length)
    expect((await runIndex(root, world)).report.unchanged).toBe(ALL.length)
  })

  test('an edit, a new file, a removed one, a renamed one', async () => {
    const root = await bakery(world)
    writeTree(root, { 'docs/rye.md': '# Rye!\n', 'docs/oats.md': '# Oats\n' })
    rmSync(path.join(root, 'devdocs'), { recursive: true })
    renameSync(path.join(root, 'commands/rest.md'), path.join(root, 'commands/wait.md'))
    await indexed(
      root,
      {
        added: ['commands/wait.md', 'docs/oats.md'],
        changed: ['docs/rye.md'],
        removed: ['commands/rest.md', 'devdocs/flour.md'],
      },
      world,
    )
  })

  test('every file touched: read once, nothing extracted; a query writes nothing, the index repairs its bookkeeping', async () => {
    const root = await bakery(world)
    touchAll(root)
    await pause()
    const stamp = fileStamp(root)
    for (let i = 0; i < 2; i++) {
      const query = await runQuery(root, ['spec', 'docs'], world)
      expect(query.condition).toBe('fresh')
      expect(query.plan?.read).toBe(ALL.length + SPEC.length - 1)
    }
    expect(fileStamp(root)).toBe(stamp)
    const { report } = await indexed(root, { checked: ALL.length + SPEC.length - 1 }, world)
    expect(report.unchanged).toBe(ALL.length)
  })

  test('an edit of the same size in the same instant', async () => {
    const root = await bakery(world)
    for (let i = 0; i < 12; i++) {
      writeTree(root, { 'docs/rye.md': `# Rye ${'ab'[i % 2]}\n` })
      await runIndex(root, world)
      writeTree(root, { 'docs/rye.md': `# Rye ${'ba'[i % 2]}\n` })
      await runIndex(root, world)
      expect(storedDump(root).some((line) => line.includes(`Rye ${'ba'[i % 2]}`))).toBe(true)
    }
    await expectEqualToFresh(root, world)
  })

  test('an edit of the same size that puts the time back', async () => {
    const root = await bakery(world)
    const file = path.join(root, 'docs/rye.md')
    const { atime, mtime, size } = statSync(file)
    writeFileSync(file, BAKERY['docs/rye.md'].replace('Rye', 'Oat'))
    utimesSync(file, atime, mtime)
    expect(statSync(file)).toMatchObject({ size, mtime })
    await indexed(root, { changed: ['docs/rye.md'] }, world)
  })

  test('a file that becomes a folder and a file again', async () => {
    const root = await bakery(world)
    rmSync(path.join(root, 'commands/knead.md'))
    writeTree(root, { 'commands/knead.md/deep.md': '# Deep\n' })
    await indexed(root, { added: ['commands/knead.md/deep.md'], changed: ['commands/knead.md'] }, world)
    rmSync(path.join(root, 'commands/knead.md'), { recursive: true })
    writeTree(root, { 'commands/knead.md': BAKERY['commands/knead.md'] })
    await indexed(root, { changed: ['commands/knead.md'], removed: ['commands/knead.md/deep.md'] }, world)
  })

  test('a file removed and put back', async () => {
    const root = await bakery(world)
    const before = storedDump(root)
    rmSync(path.join(root, 'docs/rye.md'))
    await indexed(root, { removed: ['docs/rye.md'] }, world)
    writeTree(root, { 'docs/rye.md': BAKERY['docs/rye.md'] })
    await indexed(root, { added: ['docs/rye.md'] }, world)
    expect(storedDump(root)).toEqual(before)
  })

  test('a renamed checkout', async () => {
    const root = await bakery(world)
    renameSync(root, `${root}-moved`)
    mkdirSync(root)
    renameSync(`${root}-moved`, path.join(root, 'shop'))
    const { plan } = await indexed(path.join(root, 'shop'), {}, world)
    expect(plan.read).toBe(0)
  })

  test('documents that become ignored, and are no longer', async () => {
    const root = await bakery(world)
    writeTree(root, { 'docs/draft.md': '# Draft\n', 'commands/draft.md': '# Draft\n' })
    await indexed(root, { added: ['commands/draft.md', 'docs/draft.md'] }, world)
    writeTree(root, { '.gitignore': '.specdex/\ndraft.md\n' })
    // The spec corpora know no ignore rules: there the file loses one of its two families.
    await indexed(root, { removed: ['docs/draft.md'], reextracted: ['commands/draft.md'] }, world)
    writeTree(root, { '.gitignore': '.specdex/\n' })
    await indexed(root, { added: ['docs/draft.md'], reextracted: ['commands/draft.md'] }, world)
  })

  test('roots, include and ignore lists, limits: only documents are extracted again', async () => {
    const root = await bakery(world)
    const configure = (text: string): unknown => writeTree(root, { '.specdex/config.yml': text })
    const both = DOCS.filter((name) => SPEC.includes(name))
    configure('roots: [docs]\n')
    await indexed(root, { removed: ['README.md'], reextracted: [...both, 'docs/rye.md', 'docs/spelt.md'] }, world)
    configure('roots: [docs]\nignore: [docs/rye.md]\n')
    await indexed(root, { removed: ['docs/rye.md'], reextracted: ['docs/spelt.md'] }, world)
    configure('include: [README.md, "docs/*.md"]\nlimits: {file_bytes: 10}\n')
    await indexed(root, { added: ['README.md', 'docs/rye.md'], reextracted: ['docs/spelt.md'] }, world)
    configure('limits: {file_bytes: 11}\n')
    const { report } = await indexed(root, { reextracted: DOCS }, world)
    expect(report.unchanged).toBe(1)
    configure('compat: forgedock-1.7\nlimits: {file_bytes: 11, busy_ms: 5}\n')
    await indexed(root, {}, world)
  })

  test('families switched off and on again', async () => {
    const root = await bakery(world)
    const before = storedDump(root)
    const both = DOCS.filter((name) => SPEC.includes(name))
    const alone = DOCS.filter((name) => !SPEC.includes(name))
    writeTree(root, { '.specdex/config.yml': 'families: [spec]\n' })
    await indexed(root, { removed: alone, reextracted: both }, world)
    await expect(runQuery(root, ['docs'], world)).rejects.toThrow("'docs' is switched off")
    writeTree(root, { 'docs/spelt.md': '# Spelt flour\n' })
    await indexed(root, {}, world)
    writeTree(root, { 'docs/spelt.md': BAKERY['docs/spelt.md'], '.specdex/config.yml': 'families: [docs]\n' })
    await indexed(root, { added: alone, removed: ['scripts/oven.sh'], reextracted: both }, world)
    rmSync(path.join(root, '.specdex/config.yml'))
    await indexed(root, { added: ['scripts/oven.sh'], reextracted: both }, world)
    expect(storedDump(root)).toEqual(before)
  })

  test.each(['spec', 'docs'] as const)('another extractor of the %s family: that family, once', async (family) => {
    const root = await bakery(world)
    const generations = (): number[] =>
      withStored(root, (store) => (['spec', 'docs'] as const).map((name) => getGeneration(store, generationName(name))))
    const before = generations()
    withStored(root, (store) => store.write(() => setMeta(store, fingerprintName(family), 'an older one')))
    // The other family neither notices nor waits.
    const other = await runQuery(root, [family === 'spec' ? 'docs' : 'spec'], world)
    expect(other.condition).toBe('fresh')
    const stale = await runQuery(root, [family], world, 'strict')
    expect(stale.condition).toBe('stale')
    await indexed(root, { reextracted: family === 'spec' ? SPEC : DOCS }, world)
    // Files of both families were written anew, so both moved on.
    expect(generations()).toEqual(before.map((generation) => generation + 1))
  })

  test('--full extracts everything again and changes nothing', async () => {
    const root = await bakery(world)
    const before = storedDump(root)
    writeTree(root, { 'docs/rye.md': '# Rye 2\n' })
    const { report } = await runIndex(root, world, true)
    expect(report).toMatchObject({ added: [], changed: ['docs/rye.md'], removed: [] })
    expect(report.reextracted).toEqual(ALL.filter((name) => name !== 'docs/rye.md'))
    writeTree(root, { 'docs/rye.md': BAKERY['docs/rye.md'] })
    await runIndex(root, world, true)
    expect(storedDump(root)).toEqual(before)
  })

  test('a query repairs its own family, and the other learns of it', async () => {
    const root = await bakery(world)
    writeTree(root, {
      'commands/knead.md': '# Knead 2\n\nRe-read FORGE:WATER.\n',
      'commands/new.md': '# New\n',
      'docs/rye.md': '# Rye 2\n',
    })
    rmSync(path.join(root, 'commands/rest.md'))
    const spec = await runQuery(root, ['spec'], world)
    expect(spec.condition).toBe('repaired')
    expect(spec.report).toMatchObject({
      added: ['commands/new.md'],
      changed: ['commands/knead.md'],
      removed: ['commands/rest.md'],
    })
    expect((await runQuery(root, ['spec'], world)).condition).toBe('fresh')
    expect(storedDump(root).some((line) => line.includes('"Rye 2"'))).toBe(false)
    // What the spec query rewrote is right for documents too, only not yet proved; what it added is no document yet.
    await indexed(root, { changed: ['docs/rye.md'], reextracted: ['commands/new.md'] }, world)
  })

  test('a fresh repair by a query of documents, then of specs', async () => {
    const root = await bakery(world)
    writeTree(root, { 'commands/knead.md': '# Knead 3\n', 'scripts/oven.sh': 'echo cold\n' })
    expect((await runQuery(root, ['docs'], world)).report?.changed).toEqual(['commands/knead.md'])
    expect((await runQuery(root, ['spec'], world)).report?.changed).toEqual(['scripts/oven.sh'])
    await indexed(root, {}, world)
  })

  test('a linked top folder, inside and outside', async () => {
    const root = await bakery(world)
    renameSync(path.join(root, 'devdocs'), path.join(root, 'real'))
    symlinkSync('real', path.join(root, 'devdocs'))
    // The same path through the link: a spec still, a document no more (that one is `real/flour.md`).
    const byGit = { added: ['real/flour.md'], reextracted: ['devdocs/flour.md'] }
    await runIndex(root, world)
    await expectEqualToFresh(root, world)
    expect(storedDump(root).filter((line) => line.startsWith('["file"') && line.includes('flour'))).toHaveLength(2)
    expect(byGit.added).toHaveLength(1)
    rmSync(path.join(root, 'devdocs'))
    symlinkSync('/etc', path.join(root, 'devdocs'))
    await indexed(root, { added: ['devdocs'], removed: ['devdocs/flour.md'] }, world)
  })
})

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
    const commit = commitAll(root, 'Dark')
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
    await runIndex(root)
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

test('the parsed configuration is kept by content, and not believed when it has another shape', async () => {
  const root = await bakery()
  writeTree(root, { '.specdex/config.yml': 'roots: [docs]\n' })
  await runIndex(root)
  const kept = withStored(root, (store) => store.db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(META.config))
  expect(kept).toContain('"roots":["docs"]')
  for (const forged of [String(kept).replace('["docs"]', '"/etc"'), String(kept).replace('"roots":["docs"],', ''), `${String(kept).split(':')[0]}:{`]) {
    withStored(root, (store) => store.write(() => setMeta(store, META.config, forged)))
    const { report } = await runIndex(root)
    expect(report).toMatchObject({ added: [], changed: [], removed: [], reextracted: [] })
    await expectEqualToFresh(root)
  }
})

test('an absent root is an empty corpus to a query, is not created, and is an error to index', async () => {
  const root = path.join(tempFolder('changes'), 'nowhere')
  const query = await runQuery(root, ['spec'])
  expect(query.condition).toBe('built')
  expect(query.store.inMemory).toBe(true)
  expect(() => statSync(root)).toThrow()
  await expect(runIndex(root)).rejects.toThrow('there is no folder')
})
