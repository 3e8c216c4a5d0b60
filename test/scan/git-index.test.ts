// Git's index read in process against git's own answer about it, in every layout that git can be made to write.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  blobOf,
  parseGitIndex,
  parseLsFiles,
  rawPath,
  sizeOf,
  type TrackedTable,
  UNKNOWN_SIZE,
} from '../../src/scan/git-index.ts'
import { commitAll, git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { gitBytes, gitWith } from './pantry.ts'

const ALL = (): boolean => true

/** Parses bytes that come in pieces of the size asked for or less. */
function parse(bytes: Buffer, prefix = '', most = Number.POSITIVE_INFINITY): TrackedTable | null {
  const read = (into: Buffer, offset: number, length: number, position: number): number =>
    bytes.copy(into, offset, position, position + Math.min(length, most))
  return parseGitIndex({ size: bytes.length, read }, prefix, ALL)
}

function ownReading(root: string, prefix = ''): TrackedTable | null {
  return parse(readFileSync(path.join(root, '.git/index')), prefix)
}

function rows(table: TrackedTable | null): string[] {
  if (table === null) throw new Error('not understood')
  return table.from.map((_, i) => `${blobOf(table, i).toString('hex')} ${table.trust[i]} ${rawPath(table, i)}`)
}

function gitsReading(root: string): string[] {
  return rows(parseLsFiles(gitBytes(root, ['ls-files', '-s', '-v', '-z']), ALL))
}

const BAKERY = {
  'commands/knead.md': '# Knead\n',
  'commands/knead/fold.md': '# Fold\n',
  'commands/rest.md': '# Rest\n',
  'scripts/oven.sh': 'echo warm\n',
  'docs/brød.md': '# Brød\n',
  'docs/empty.md': '',
  [`docs/${'long-'.repeat(40)}name.md`]: 'long\n',
  [`${'deep-folder-with-a-long-name/'.repeat(150)}x.md`]: 'a path of more than 4,095 bytes\n',
}

describe.each(['2', '3', '4'])('index version %s', (version) => {
  function bakery(): string {
    const root = tempFolder('index')
    git(root, ['init', '--quiet', '--initial-branch=main'])
    git(root, ['config', 'index.version', version])
    // The deepest path is longer than the system lets us open at once: it is only told to git.
    const { [Object.keys(BAKERY).at(-1) ?? '']: deep = '', ...rest } = BAKERY
    writeTree(root, rest)
    commitAll(root, 'Open')
    const id = gitWith(deep, root, ['hash-object', '-w', '--stdin'])
    git(root, ['update-index', '--add', '--cacheinfo', `100644,${id},${Object.keys(BAKERY).at(-1)}`])
    // Version 3 is only written where an entry needs it.
    if (version === '3') {
      writeTree(root, { 'docs/announced.md': '# Soon\n' })
      git(root, ['add', '--intent-to-add', 'docs/announced.md'])
    }
    return root
  }

  test('is understood, entry by entry', () => {
    const root = bakery()
    expect(readFileSync(path.join(root, '.git/index')).readUInt32BE(4)).toBe(Number(version))
    const table = ownReading(root)
    // `ls-files` does not say that a file was only announced: nobody vouches for the empty blob it has.
    const expected = gitsReading(root).filter((row) => !row.endsWith('docs/announced.md'))
    expect(rows(table).filter((row) => !row.endsWith('docs/announced.md'))).toEqual(expected)
    expect(expected).toHaveLength(Object.keys(BAKERY).length)
    if (version === '3')
      expect(rows(table)).toContain('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 none docs/announced.md')
  })

  test('gives sizes and cuts the prefix of a root inside the repository', () => {
    const root = bakery()
    const table = ownReading(root, 'commands/')
    if (table === null) throw new Error('not understood')
    expect(table.from.map((_, i) => [rawPath(table, i), sizeOf(table, i)])).toEqual([
      ['knead.md', 8],
      ['knead/fold.md', 7],
      ['rest.md', 7],
    ])
  })

  test('links, submodules, conflicts and files git was told not to look at are not vouched for', () => {
    const root = bakery()
    git(root, ['update-index', '--assume-unchanged', 'commands/knead.md'])
    git(root, ['update-index', '--skip-worktree', 'commands/rest.md'])
    const id = git(root, ['rev-parse', 'HEAD'])
    git(root, ['update-index', '--add', '--cacheinfo', `160000,${id},docs/supplier`])
    git(root, [
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${git(root, ['rev-parse', ':docs/empty.md'])},docs/link.md`,
    ])
    const blob = git(root, ['rev-parse', ':scripts/oven.sh'])
    const stages = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tscripts/oven.sh`).join('\n')
    gitWith(`0 ${'0'.repeat(40)}\tscripts/oven.sh\n${stages}\n`, root, ['update-index', '--index-info'])
    const table = ownReading(root)
    const others = rows(table).filter((row) => !/ file | announced/.test(row.replace('docs/', '')))
    expect(others.map((row) => row.slice(41))).toEqual([
      'none commands/knead.md',
      'none commands/rest.md',
      'link docs/link.md',
      'none scripts/oven.sh',
      'none scripts/oven.sh',
      'none scripts/oven.sh',
    ])
    expect(rows(table).some((row) => row.includes('supplier'))).toBe(false)
  })
})

test('random trees', () => {
  const segment = fc.constantFrom('a', 'b', 'aa', 'a-b', 'rye', 'rye.md', 'spelt', 'Ä', 'x'.repeat(70))
  const paths = fc.uniqueArray(
    fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/')),
    { maxLength: 30 },
  )
  const root = initRepository(tempFolder('index'))
  const id = gitWith('flour\n', root, ['hash-object', '-w', '--stdin'])
  fc.assert(
    fc.property(paths, fc.constantFrom('2', '4'), (names, version) => {
      git(root, ['read-tree', '--empty'])
      git(root, ['update-index', `--index-version=${version}`])
      const input = names.map((name) => `100644 ${id}\t${name}\n`).join('')
      gitWith(input, root, ['update-index', '--add', '--replace', '--index-info'])
      const expected = gitsReading(root)
      expect(rows(ownReading(root))).toEqual(expected)
      expect(rows(parse(readFileSync(path.join(root, '.git/index')), '', 16))).toEqual(expected)
    }),
    { numRuns: 25 },
  )
})

test.each(['2', '4'])('an index larger than the window, version %s', (version) => {
  const root = initRepository(tempFolder('index'))
  const id = gitWith('flour\n', root, ['hash-object', '-w', '--stdin'])
  git(root, ['update-index', `--index-version=${version}`])
  // Now and then a path that is longer than what is usually kept ready.
  const name = (i: number): string => `docs/${'y'.repeat(i % 1000 === 0 ? 9000 : i % 150)}${i}.md`
  const lines = Array.from({ length: 5000 }, (_, i) => `100644 ${id}\t${name(i)}\n`)
  gitWith(lines.join(''), root, ['update-index', '--add', '--index-info'])
  const bytes = readFileSync(path.join(root, '.git/index'))
  expect(bytes.length).toBeGreaterThan(300_000)
  const expected = gitsReading(root)
  expect(rows(ownReading(root))).toEqual(expected)
  expect(rows(parse(bytes, '', 5000))).toEqual(expected)
})

describe('what is not understood is said', () => {
  const root = initRepository(tempFolder('index'), { 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' })
  const bytes = readFileSync(path.join(root, '.git/index'))

  test('split and sparse indexes', () => {
    git(root, ['update-index', '--split-index'])
    writeFileSync(path.join(root, 'docs/a.md'), '# A2\n')
    git(root, ['add', '--all'])
    expect(ownReading(root)).toBeNull()
    git(root, ['update-index', '--no-split-index'])
    expect(ownReading(root)).not.toBeNull()
    const cone = initRepository(tempFolder('sparse'), {
      'docs/a.md': '# A\n',
      'attic/b.md': '# B\n',
      'top.md': '# T\n',
    })
    git(cone, ['sparse-checkout', 'set', '--cone', '--sparse-index', 'docs'])
    expect(ownReading(cone)).toBeNull()
  })

  test('other versions, other files, cut files', () => {
    const other = Buffer.from(bytes)
    other.writeUInt32BE(5, 4)
    expect(parse(other)).toBeNull()
    expect(parse(Buffer.from('not an index, but long enough to be one'))).toBeNull()
    for (let length = 0; length < bytes.length; length += 7) {
      // Never an exception, never an entry that is not there.
      const table = parse(bytes.subarray(0, length))
      expect(table === null || table.from.length <= 2).toBe(true)
    }
  })

  test('git itself does not tell sizes', () => {
    const table = parseLsFiles(gitBytes(root, ['ls-files', '-s', '-v', '-z']), ALL)
    expect(table.ids.readUInt32BE(table.id[0])).toBe(UNKNOWN_SIZE)
    expect(sizeOf(table, 0)).toBeNull()
  })
})
