// Where git does not answer for a root that lies in a repository, and which documents the configuration asks for: the
// walk finds what git would have found.

import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { configured, scanned } from './pantry.ts'
import { ALL_VOUCHED, BAKERY, bakery, shown } from './shop.ts'

describe('git does not answer', () => {
  const ways: Record<string, () => { root: string; env?: Record<string, string> }> = {
    'there is no git': () => ({ root: bakery(), env: { PATH: tempFolder('path') } }),
    'the work tree is somewhere else': () => {
      const root = bakery()
      git(root, ['config', 'core.worktree', tempFolder('elsewhere')])
      return { root }
    },
    'the repository is bare': () => {
      const root = bakery()
      git(root, ['config', 'core.bare', 'true'])
      return { root }
    },
    'its configuration is broken': () => {
      const root = bakery()
      writeFileSync(path.join(root, '.git/config'), '[core\n')
      return { root }
    },
    'its index is broken': () => {
      const root = bakery()
      writeFileSync(path.join(root, '.git/index'), 'DIRCnonsense')
      return { root }
    },
    'its git folder is gone': () => {
      const root = path.join(tempFolder('scan'), 'branch')
      const main = bakery()
      git(main, ['worktree', 'add', '--quiet', root])
      rmSync(path.join(main, '.git'), { recursive: true })
      return { root }
    },
  }
  test.each(Object.keys(ways))('because %s: the walk finds the same names', async (way) => {
    const { root, env = {} } = ways[way]?.() ?? { root: '' }
    const found = await scanned(root, undefined, env)
    expect(found.mode).toBe('walk')
    expect(Object.keys(found.docs).sort()).toEqual(Object.keys(ALL_VOUCHED.docs))
    expect(Object.keys(found.spec).sort()).toEqual(Object.keys(ALL_VOUCHED.spec).sort())
    expect(new Set(Object.values({ ...found.docs, ...found.spec }))).toEqual(new Set(['stat']))
  })

  test('a .git folder that is no repository is passed over', async () => {
    const outer = initRepository(tempFolder('scan'))
    const root = path.join(outer, 'shop')
    writeTree(root, { ...BAKERY, '.git/HEAD': 'ref: refs/heads/main\n' })
    git(outer, ['add', '--all'])
    expect(shown(await scanned(root))).toEqual(ALL_VOUCHED)
  })

  test('variables of a surrounding hook do not send git elsewhere', async () => {
    const other = initRepository(tempFolder('other'), { 'docs/other.md': '# Other\n' })
    const env = {
      GIT_DIR: path.join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: path.join(other, '.git/index'),
      GIT_LITERAL_PATHSPECS: '1',
    }
    expect(shown(await scanned(bakery(), undefined, env))).toEqual(ALL_VOUCHED)
  })
})

test('roots, include and ignore lists', async () => {
  const root = bakery()
  writeTree(root, {
    '.github/x.md': '',
    'docs/.hidden/x.md': '',
    'docs/a.md': '',
    'docs/[odd]/b.md': '',
    'node_modules/p/x.md': '',
    'docs/node_modules/x.md': '',
    'docs/.draft.md': '',
    'docs/drafts/c.md': '',
  })
  const docs = async (changes: Parameters<typeof configured>[0]): Promise<string[]> => {
    const inGit = Object.keys((await scanned(root, configured(changes))).docs).sort()
    const walked = Object.keys((await scanned(root, configured(changes), { PATH: '/nowhere' })).docs).sort()
    expect(walked).toEqual(inGit)
    return inGit
  }
  const below = ['docs/.draft.md', 'docs/[odd]/b.md', 'docs/a.md', 'docs/adr/0001-rye.md', 'docs/drafts/c.md']
  expect(await docs({})).toEqual(
    [...Object.keys(ALL_VOUCHED.docs), ...below].filter((name, i, all) => all.indexOf(name) === i).sort(),
  )
  expect(await docs({ roots: ['docs'] })).toEqual(below)
  expect(await docs({ roots: ['./docs/', 'docs/adr'] })).toEqual(below)
  expect(await docs({ roots: ['d*s'] })).toEqual([...below, 'devdocs/flour.md'].sort())
  expect(await docs({ roots: ['.github'] })).toEqual(['.github/x.md'])
  expect(await docs({ roots: ['nowhere'] })).toEqual([])
  expect(await docs({ roots: ['docs'], ignore: ['**/drafts/**', 'docs/a.md'] })).toEqual([
    'docs/.draft.md',
    'docs/[odd]/b.md',
    'docs/adr/0001-rye.md',
  ])
  expect(await docs({ roots: ['docs'], ignore: ['docs/drafts', './docs/adr/'] })).toEqual([
    'docs/.draft.md',
    'docs/[odd]/b.md',
    'docs/a.md',
  ])
  expect(await docs({ include: ['docs/*.md', '.github/**/*.md', 'src/*.ts'] })).toEqual(['.github/x.md', 'docs/a.md'])
  expect(await docs({ include: ['**/*.md'], ignore: ['docs/**', 'commands/**'] })).toEqual([
    'README.md',
    'devdocs/flour.md',
  ])
})
