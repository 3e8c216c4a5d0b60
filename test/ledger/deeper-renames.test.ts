// Renames in a clone whose history gets deeper: what an import brought stays, and what is told now by its own commit is
// told by the merge no more.

import { expect, test } from 'vitest'
import { refreshRenames } from '../../src/ledger/renames.ts'
import { META, setMeta } from '../../src/store/meta.ts'
import { exportRenames } from '../../src/store/queries/ledger-export.ts'
import { saveRenames } from '../../src/store/queries/ledger-renames.ts'
import type { Store } from '../../src/store/store.ts'
import { cloneRepository, git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { ENV, shelve } from './bookshop.ts'

const TEXT = 'one\ntwo\nthree\nfour\n'
const BROUGHT = { commit: 'f'.repeat(40), at: 1, from: 'older.txt', to: 'a.txt' }

function commitOn(root: string, date: string, message: string): string {
  git(root, ['add', '--all'])
  const at = `${date}T12:00:00Z`
  git(root, ['commit', '--quiet', '--allow-empty', '--message', message], {
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_DATE: at,
  })
  return git(root, ['rev-parse', 'HEAD'])
}

/** A rename on a branch, the merge that brings it, and one more commit. Returns the commit of the rename. */
function merged(root: string): string {
  git(root, ['checkout', '--quiet', '-b', 'side'])
  git(root, ['mv', 'a.txt', 'a2.txt'])
  const own = commitOn(root, '2024-06-01', 'Move')
  git(root, ['checkout', '--quiet', 'main'])
  writeTree(root, { 'c.txt': 'c\n' })
  commitOn(root, '2024-06-02', 'c')
  git(root, ['merge', '--quiet', '--no-ff', '--no-commit', 'side'])
  commitOn(root, '2024-06-03', 'Merge')
  return own
}

function told(store: Store): string[] {
  return exportRenames(store).map(({ commit, from, to }) => `${commit} ${from} > ${to}`)
}

test('a deeper history adds to what an import brought, and says each rename once', async () => {
  const root = initRepository(tempFolder('log'), { 'a.txt': TEXT })
  const own = merged(root)
  const clone = cloneRepository(root, `${tempFolder('clone')}/c`, ['--depth=2'])
  const merge = git(clone, ['rev-parse', 'HEAD'])
  const store = shelve([])
  store.write(() => saveRenames(store, [BROUGHT], null, false))
  await refreshRenames(store, clone, ENV)
  const brought = `${BROUGHT.commit} older.txt > a.txt`
  expect(told(store)).toEqual([brought, `${merge} a.txt > a2.txt`])
  git(clone, ['fetch', '--quiet', '--unshallow'])
  expect(await refreshRenames(store, clone, ENV)).toBe(1)
  expect(told(store)).toEqual([brought, `${own} a.txt > a2.txt`])
  expect(await refreshRenames(store, clone, ENV)).toBe(0)
})

test('an index of which nobody knows how deep the history was keeps what an import brought', async () => {
  const root = initRepository(tempFolder('log'), { 'a.txt': TEXT })
  merged(root)
  const store = shelve([])
  store.write(() => saveRenames(store, [BROUGHT], null, false))
  await refreshRenames(store, root, ENV)
  const before = told(store)
  // As the versions before left it.
  store.write(() => setMeta(store, META.renamesStart, null))
  expect(await refreshRenames(store, root, ENV)).toBe(0)
  expect(told(store)).toEqual(before)
})
