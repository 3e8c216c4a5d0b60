// Where a run takes place when nobody says so.

import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findRoot } from '../../src/scan/root.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'

test('a given root is taken as it is, even where nothing is', () => {
  expect(findRoot('shop', '/bakery')).toBe('/bakery/shop')
  expect(findRoot('/elsewhere/shop', '/bakery')).toBe('/elsewhere/shop')
})

test('the nearest folder with .specdex, before the top of the work tree', () => {
  const top = initRepository(tempFolder('root'), { 'shops/north/docs/x.md': '', 'shops/north/.specdex/config.yml': '' })
  expect(findRoot(null, path.join(top, 'shops/north/docs'))).toBe(path.join(top, 'shops/north'))
  expect(findRoot('', path.join(top, 'shops/north/docs'))).toBe(path.join(top, 'shops/north'))
  expect(findRoot(null, path.join(top, 'shops'))).toBe(top)
})

test('a file called .specdex is no place for an index', () => {
  const top = initRepository(tempFolder('root'), { 'docs/.specdex': '' })
  expect(findRoot(null, path.join(top, 'docs'))).toBe(top)
})

test('the top of a linked work tree and of a submodule', () => {
  const top = initRepository(tempFolder('root'), { 'docs/x.md': '' })
  const branch = path.join(tempFolder('root'), 'branch')
  git(top, ['worktree', 'add', '--quiet', branch])
  expect(findRoot(null, path.join(branch, 'docs'))).toBe(branch)
  git(branch, ['submodule', '--quiet', 'add', top, 'shop'])
  expect(findRoot(null, path.join(branch, 'shop/docs'))).toBe(path.join(branch, 'shop'))
})

test('without either, the working directory', () => {
  const folder = tempTree({ 'docs/x.md': '', '.git/HEAD': 'no repository\n' }, 'root')
  expect(findRoot(null, path.join(folder, 'docs'))).toBe(path.join(folder, 'docs'))
})

test('the spelling of the user is kept where it leads to the same place', () => {
  const top = initRepository(tempFolder('root'), { 'docs/adr/x.md': '' })
  const links = tempFolder('root')
  symlinkSync(top, path.join(links, 'top'))
  expect(findRoot(null, path.join(links, 'top/docs'))).toBe(path.join(links, 'top'))
  mkdirSync(path.join(links, 'docs'))
  symlinkSync(path.join(top, 'docs/adr'), path.join(links, 'docs/adr'))
  expect(findRoot(null, path.join(links, 'docs/adr'))).toBe(top)
  writeTree(top, { '.specdex/.gitignore': '' })
  expect(findRoot(null, path.join(top, 'docs'))).toBe(top)
})
