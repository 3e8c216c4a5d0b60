// The tools of the other tests: what they promise about folders, processes and repositories.

import { existsSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cloneRepository, commitAll, git, initRepository } from './git.ts'
import { runProgram } from './run.ts'
import { tempFolder, tempTree, writeTree } from './temp.ts'

const made: string[] = []

test('a temporary folder is a real path and holds the files that were asked for', () => {
  const root = tempTree({ 'devdocs/oven.md': '# Oven\n', 'scripts/knead.sh': Buffer.from([0xff]) })
  made.push(root)
  expect(statSync(path.join(root, 'scripts/knead.sh')).size).toBe(1)
  symlinkSync(path.resolve(import.meta.dirname), path.join(root, 'link'))
})

test('it is gone after its test, and what a link in it named is not', () => {
  expect(made.map((folder) => existsSync(folder))).toEqual([false])
  expect(existsSync(import.meta.dirname)).toBe(true)
})

test('a repository has the same commit id on every machine and at every time', () => {
  const root = initRepository(tempFolder(), { 'commands/bake.md': '# Bake\n' })
  expect(git(root, ['rev-parse', 'HEAD'])).toBe('93e752fc8d3be06a1e9930f0a4530a6902ab70b6')
  writeTree(root, { 'commands/bake.md': '# Bake longer\n' })
  commitAll(root, 'Bake longer')
  const second = git(root, ['rev-parse', 'HEAD'])
  expect(git(root, ['log', '--format=%an %at', '-1'])).toBe('Ada Baker 1714537800')
  const shallow = cloneRepository(root, path.join(tempFolder(), 'clone'), ['--depth=1'])
  expect(git(shallow, ['rev-list', '--all'])).toBe(second)
})

test('a failing git says what it said', () => {
  expect(() => git(tempFolder(), ['rev-parse', 'HEAD'])).toThrow(/not a git repository/)
})

test('a child process gets its input and a cleaned environment', async () => {
  const script = 'cat; echo "$GIT_DIR|$CI|$LOAF" >&2; exit 3'
  const run = await runProgram('sh', ['-c', script], { cwd: tempFolder(), input: 'dough', env: { LOAF: 'rye' } })
  expect(run).toMatchObject({ code: 3, stdout: 'dough', stderr: '||rye\n' })
})

test('a child process that takes too long is killed', async () => {
  const run = await runProgram('sleep', ['30'], { cwd: tempFolder(), timeout: 200 })
  expect(run).toMatchObject({ code: null, signal: 'SIGKILL' })
})
