// A selection in a scan of its own: the names that it wants are found by git and by walk alike, modules that are
// repositories of their own included, and what git is asked for is never narrower than what is wanted.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import type { Family } from '../../src/model/families.ts'
import { joinKey } from '../../src/model/source-key.ts'
import { FILE_STATE } from '../../src/model/vocabulary.ts'
import { STAMPS_FROM, scan } from '../../src/scan/scan.ts'
import { mayBeWanted, pathspecs, type Selection } from '../../src/scan/selection.ts'
import { MOST_OTHERS, parseStamp } from '../../src/scan/stamp.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { gitEnvironment, gitWith } from './pantry.ts'

const LETTERS: Selection = {
  roots: ['letters', 'od[d] *:box'],
  endings: ['.md'],
  others: false,
  enters: (dir) => dir === '' || /^(letters|od\[d\] \*:box)(\/|$)/.test(dir),
  folder: (dir) => /^(letters|od\[d\] \*:box)(\/|$)/.test(dir),
  file: (key) => !key.endsWith('draft.md'),
}
/** Any name without a dot, and those with one ending, anywhere but in attics. */
const TOOLS: Selection = {
  roots: [''],
  endings: ['.tool'],
  others: true,
  enters: (dir) => !/(^|\/)attic(\/|$)/.test(dir),
  folder: (dir) => !/(^|\/)(attic|\.\w+)(\/|$)/.test(dir),
  file: (key) => /(^|\/)([^./]+|[^/]*\.tool)$/.test(key),
}
const SELECTIONS: ReadonlyMap<Family, Selection> = new Map([
  ['artifact', LETTERS],
  ['code', TOOLS],
])

const FARM = {
  'letters/one.md': 'one',
  'letters/deep/two.md': 'two',
  'letters/draft.md': 'draft',
  'letters/three.txt': 'three',
  'od[d] *:box/four.md': 'four',
  'odd x:box/no.md': 'no',
  'other/five.md': 'five',
  Plough: 'steel',
  'barn/rake.tool': 'wood',
  'barn/attic/saw.tool': 'rust',
  'barn/rake.txt': 'text',
  '.hidden/awl.tool': 'awl',
}

interface Found {
  readonly docs: readonly string[]
  readonly artifact: readonly string[]
  readonly code: readonly string[]
  /** Of each family the files that its stamp does not stand for; null where it has none. */
  readonly stamped: readonly (readonly string[] | null)[]
}

async function found(
  root: string,
  nested: readonly string[] = [],
  families: readonly Family[] = ['artifact', 'code'],
): Promise<Found> {
  const options = {
    families,
    config: DEFAULT_CONFIG,
    env: gitEnvironment(),
    now: Date.now(),
    stamps: new Map(),
    selections: SELECTIONS,
    nested,
  }
  const { listings } = await scan(root, options)
  const names = (family: Family): string[] =>
    [...(listings.find((listing) => listing.family === family)?.dirs?.values() ?? [])]
      .flatMap((dir) =>
        dir
          .files()
          .map((file) => `${joinKey(dir.path, file.name)}${file.state === FILE_STATE.ok ? '' : ` (${file.state})`}`),
      )
      .sort()
  const stamped = listings.map(({ stamp }) => {
    const parsed = parseStamp(stamp ?? undefined)
    return parsed === null ? null : [...parsed.others, ...parsed.untracked].sort()
  })
  return { docs: names('docs'), artifact: names('artifact'), code: names('code'), stamped }
}

const LISTED = {
  artifact: ['letters/deep/two.md', 'letters/one.md', 'od[d] *:box/four.md'],
  code: ['Plough', 'barn/rake.tool'],
}

describe('pathspecs and mayBeWanted', () => {
  test('special characters of folders are taken literally, endings are not', () => {
    expect(pathspecs(LETTERS)).toEqual(['letters/*.md', 'od\\[d\\] \\*:box/*.md'])
    expect(pathspecs({ ...LETTERS, roots: [':top'] })).toEqual(['./:top/*.md'])
    expect(pathspecs(TOOLS)).toEqual(['*'])
    expect(pathspecs({ ...TOOLS, roots: ['barn'] })).toEqual(['barn/*'])
  })

  test('an ending rules a name out only where nothing else is wanted', () => {
    expect(['a.md', 'b.txt', 'md'].map((name) => mayBeWanted(LETTERS, name))).toEqual([true, false, false])
    expect(mayBeWanted(TOOLS, 'anything')).toBe(true)
  })
})

describe('a scan with selections of its own', () => {
  test('finds the same by git, tracked or not, and by walk', async () => {
    const plain = tempTree(FARM)
    expect(await found(plain)).toMatchObject(LISTED)
    const root = initRepository(tempFolder('farm'), { 'README.md': '# Farm\n' })
    writeTree(root, FARM)
    expect(await found(root)).toMatchObject(LISTED)
    git(root, ['add', '--all'])
    expect(await found(root)).toMatchObject(LISTED)
    writeTree(root, { '.gitignore': 'deep/\n*.tool\n', 'barn/new.tool': '', 'letters/deep/new.md': '' })
    // Git goes on with what it tracks; new names that are ignored stay out.
    expect(await found(root)).toMatchObject(LISTED)
    git(root, ['rm', '--quiet', '-r', '--cached', 'barn', 'letters/deep'])
    const less = { artifact: LISTED.artifact.slice(1), code: ['Plough'] }
    expect(await found(root)).toMatchObject(less)
    writeTree(plain, { '.gitignore': 'deep/\n*.tool\n' })
    expect(await found(plain)).toMatchObject(less)
  })

  test('a module that is a repository of its own is listed where it is named, with its own rules', async () => {
    const module = { 'hand.tool': '', 'made/x.tool': '', 'attic/y.tool': '', '.gitignore': 'made/\n' }
    for (const root of [tempTree(FARM), initRepository(tempFolder('farm'), FARM)]) {
      initRepository(path.join(root, 'fields/north'), module)
      expect((await found(root)).code).toEqual(LISTED.code)
      expect((await found(root, ['fields/north'])).code).toEqual([...LISTED.code, 'fields/north/hand.tool'])
      expect((await found(root, ['fields/nowhere'])).code).toEqual(LISTED.code)
      // A repository inside that one is another project again, until it is named too.
      initRepository(path.join(root, 'fields/north/inner'), { 'nail.tool': '' })
      expect((await found(root, ['fields/north'])).code).toEqual([...LISTED.code, 'fields/north/hand.tool'])
      expect((await found(root, ['fields/north', 'fields/north/inner'])).code).toContain('fields/north/inner/nail.tool')
      // Folders above it may be ignored: what is a module was named on purpose.
      writeTree(root, { '.gitignore': 'fields/\n' })
      expect((await found(root, ['fields/north'])).code).toContain('fields/north/hand.tool')
    }
  })

  test('a folder or a link in the place of a file', async () => {
    const outside = tempTree({ 'x.tool': '', 'y.md': '' })
    for (const root of [tempTree(FARM), initRepository(tempFolder('farm'), FARM)]) {
      rmSync(path.join(root, 'barn/rake.tool'))
      mkdirSync(path.join(root, 'barn/rake.tool'))
      symlinkSync(path.join(outside, 'x.tool'), path.join(root, 'barn/far.tool'))
      symlinkSync('one.md', path.join(root, 'letters/again.md'))
      rmSync(path.join(root, 'letters/deep'), { recursive: true })
      symlinkSync(outside, path.join(root, 'letters/deep'))
      const { artifact, code } = await found(root)
      expect(artifact).toEqual(LISTED.artifact.slice(1))
      const out = `(${FILE_STATE.outsideLink})`
      expect(code).toEqual(['Plough', `barn/far.tool ${out}`, `letters/deep ${out}`])
    }
  })

  test.each(['by git', 'by walk'])('documents have the whole ending, whoever is asked beside them, %s', async (how) => {
    const files = { 'barn/hay.md': '', 'barn/hay.d': '', 'barn/hay.cmd': '', 'barn/hay.markdown': '', md: '' }
    const root = how === 'by git' ? initRepository(tempFolder('farm'), files) : tempTree(files, 'farm')
    for (const others of [[], ['artifact'], ['code'], ['artifact', 'code']] as const) {
      expect((await found(root, [], ['docs', ...others])).docs).toEqual(['barn/hay.md'])
    }
  })

  test('stamps: each names the files that git does not vouch for, a module of its own leaves nobody one', async () => {
    const root = initRepository(tempFolder('farm'), FARM)
    const blob = git(root, ['rev-parse', 'HEAD:Plough'])
    const lines = Array.from({ length: STAMPS_FROM }, (_, i) => `100644 ${blob}\tlogs/${i}.txt\n`)
    gitWith(lines.join(''), root, ['update-index', '--index-info'])
    // They need not be there: git is told not to look.
    gitWith(git(root, ['ls-files', 'logs']), root, ['update-index', '--skip-worktree', '--stdin'])
    expect((await found(root)).stamped).toEqual([[], []])
    writeTree(root, { 'barn/rake.tool': 'ash' })
    expect((await found(root)).stamped).toEqual([[], ['barn/rake.tool']])
    git(root, ['add', 'barn'])
    writeTree(root, { 'letters/new.md': '' })
    rmSync(path.join(root, 'letters/one.md'))
    git(root, ['update-index', '--assume-unchanged', 'letters/deep/two.md'])
    expect((await found(root)).stamped).toEqual([['letters/deep/two.md', 'letters/new.md', 'letters/one.md'], []])
    for (let i = 0; i < MOST_OTHERS; i++) writeTree(root, { [`letters/${i}.md`]: '' })
    expect((await found(root)).stamped).toEqual([null, []])
    git(root, ['add', 'letters'])
    initRepository(path.join(root, 'fields'), { 'hoe.tool': '' })
    expect((await found(root, ['fields'])).stamped).toEqual([null, null])
  })
})
