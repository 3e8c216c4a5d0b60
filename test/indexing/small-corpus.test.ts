// A small spec corpus is proved by the sizes and times of its files, without git; that it was is seen where git cannot
// be started. It must hold exactly as long as the files are those of then.

import { renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseStamp } from '../../src/scan/stamp.ts'
import { getMeta, stampName } from '../../src/store/meta.ts'
import { git } from '../support/git.ts'
import { writeTree } from '../support/temp.ts'
import { BAKERY, bakery, indexed } from './bakery.ts'
import { fileStamp, pause, runIndex, runQuery, WITHOUT_GIT, withStored } from './kitchen.ts'

/** How a question about the specs was proved where git cannot be started. */
async function proof(root: string): Promise<unknown> {
  const { condition, mode, report } = await runQuery(root, ['spec'], WITHOUT_GIT)
  const { changed = [], added = [], removed = [] } = report ?? {}
  return { condition, mode, touched: [...changed, ...added, ...removed] }
}

/** By sizes and times alone: the mode is that of the stamp. */
const AT_ONCE = { condition: 'fresh', mode: 'git', touched: [] }

test('git is not asked, and after an edit not again, as soon as the files are old enough', async () => {
  const root = await bakery()
  await indexed(root, {})
  expect(await proof(root)).toEqual(AT_ONCE)
  writeTree(root, { 'commands/knead.md': '# Knead 2\n', 'docs/rye.md': '# Rye 2\n' })
  expect((await runQuery(root, ['spec'])).report?.changed).toEqual(['commands/knead.md'])
  await pause()
  // Written within a moment of its time stamp, so that another write could have met the same.
  expect((await proof(root)) as object).toMatchObject({ condition: 'fresh', mode: 'walk' })
  await indexed(root, { changed: ['docs/rye.md'], checked: expect.anything() })
  expect(await proof(root)).toEqual(AT_ONCE)
})

const knead = (root: string): string => path.join(root, 'commands/knead.md')
const edits: Record<string, [(root: string) => void, readonly string[]]> = {
  'a same-size edit with the old time stamp': [
    (root) => {
      const { atime, mtime } = statSync(knead(root))
      writeTree(root, { 'commands/knead.md': BAKERY['commands/knead.md'].replace('FLOUR', 'WATER') })
      utimesSync(knead(root), atime, mtime)
    },
    ['commands/knead.md'],
  ],
  'a file in the place of another': [
    (root) => {
      writeTree(root, { 'menu.txt': BAKERY['commands/knead.md'].replace('FLOUR', 'WATER') })
      renameSync(path.join(root, 'menu.txt'), knead(root))
    },
    ['commands/knead.md'],
  ],
  'a new file': [(root) => writeTree(root, { 'commands/deep/new.md': '' }), ['commands/deep/new.md']],
  'a file less': [(root) => rmSync(knead(root)), ['commands/knead.md']],
  'a file that becomes a link': [
    (root) => {
      rmSync(knead(root))
      symlinkSync('/etc/hostname', knead(root))
    },
    ['commands/knead.md'],
  ],
}
test.each(Object.entries(edits))('%s is seen', async (_, [edit, touched]) => {
  const root = await bakery()
  await indexed(root, {})
  await pause()
  edit(root)
  expect(await proof(root)).toEqual({ condition: 'repaired', mode: 'walk', touched })
})

test('a folder in the place of another, with files of the same sizes and times, is seen', async () => {
  const root = await bakery()
  await indexed(root, {})
  const times = (folder: string): string => {
    const { mtimeMs, ctimeMs } = statSync(path.join(root, folder, 'knead.md'))
    return `${mtimeMs} ${ctimeMs}`
  }
  // Files that are written at once mostly have one time.
  do {
    for (const name of ['commands/deep', 'other']) rmSync(path.join(root, name), { recursive: true, force: true })
    writeTree(root, { 'commands/deep/knead.md': '# FORGE:FLOUR\n', 'other/knead.md': '# FORGE:WATER\n' })
  } while (times('commands/deep') !== times('other'))
  git(root, ['add', '--all'])
  await pause()
  await runIndex(root)
  expect(await proof(root)).toEqual(AT_ONCE)
  renameSync(path.join(root, 'commands/deep'), path.join(root, 'once'))
  renameSync(path.join(root, 'other'), path.join(root, 'commands/deep'))
  expect((await runQuery(root, ['spec'])).report?.changed).toEqual(['commands/deep/knead.md'])
})

test('another family does not take the proof away, another checkout does, and `index` writes nothing for it', async () => {
  const root = await bakery()
  await indexed(root, {})
  writeTree(root, { 'docs/oats.md': '' })
  expect((await runQuery(root, ['docs'])).report?.added).toEqual(['docs/oats.md'])
  expect(await proof(root)).toEqual(AT_ONCE)
  git(root, ['add', '--all'])
  await pause()
  await indexed(root, { checked: expect.anything() })

  for (const key of Object.keys(BAKERY)) {
    const file = path.join(root, key)
    const { atimeMs, mtimeMs } = statSync(file)
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000 - 100)
  }
  git(root, ['update-index', '-q', '--refresh'])
  await pause()
  const stamp = fileStamp(root)
  await runIndex(root)
  expect(fileStamp(root)).toBe(stamp)
  expect((await proof(root)) as object).toMatchObject({ mode: 'walk', touched: [] })
})

test('the stamp of a young file says nothing of sizes and times', async () => {
  const root = await bakery()
  const stats = (): string | undefined =>
    withStored(root, (store) => parseStamp(getMeta(store, stampName('spec')) ?? undefined)?.stats)
  await indexed(root, {})
  expect(stats()).toMatch(/^[0-9a-f]{40}$/)
  writeTree(root, { 'commands/knead.md': '# Knead 2\n' })
  await runIndex(root)
  expect(stats() ?? '').toBe('')
})
