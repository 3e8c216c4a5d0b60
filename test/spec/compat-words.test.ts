// Words that our command line takes and the public tools do not: under compat they are refused as there.

import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tempTree, writeTree } from '../support/temp.ts'
import { spec } from './run-spec.ts'

const COMPAT = ['--compat', 'forgedock-1.7']
const FILES = {
  'commands/work-on.md': 'gh issue comment 7 --body "<!-- FORGE:TRAJECTORY -->"\n',
  'commands/review-pr.md': 'contains("FORGE:CONTRACT")\n',
}

/** A root with a document beside it, and that document's path. */
async function kitchen(): Promise<{ root: string; graph: string }> {
  const root = tempTree(FILES)
  const { stdout } = await spec(['build', '--stdout'], { cwd: root })
  const graph = path.join(root, 'given.json')
  writeFileSync(graph, stdout)
  return { root, graph }
}

test('a value behind = : ours takes it, the public query tool and validator do not (sheet §8.1, §9)', async () => {
  const { root, graph } = await kitchen()
  const readers = ['readers', 'CONTRACT', `--graph=${graph}`]
  expect(await spec(readers, { cwd: root })).toMatchObject({ code: 0, stdout: '["cmd:review-pr"]\n' })
  expect(await spec([...readers, ...COMPAT], { cwd: root })).toEqual({
    code: 1,
    stdout: '',
    stderr: `ERROR: unknown flag: --graph=${graph}\n`,
  })
  expect(await spec(['validate', '--quiet', `--graph=${graph}`], { cwd: root })).toMatchObject({ code: 0 })
  for (const word of [`--graph=${graph}`, `--root=${root}`]) {
    expect(await spec(['validate', '--quiet', word, ...COMPAT], { cwd: root })).toEqual({
      code: 1,
      stdout: '',
      stderr: `ERROR: unknown flag: ${word} (try --help)\n`,
    })
  }
})

test.each(['--root=.', '--out=x.json'])('build %s: exit 2 and help, as the public builder (sheet §7)', async (word) => {
  const root = tempTree(FILES)
  expect(await spec(['build', '--stdout', word], { cwd: root })).toMatchObject({ code: 0 })
  const { code, stdout, stderr } = await spec(['build', '--stdout', word, ...COMPAT], { cwd: root })
  expect({ code, stderr }).toEqual({ code: 2, stderr: `Unknown argument: ${word}\n` })
  expect(stdout).toMatch(/^Usage: specdex spec build/)
})

test('flags that only we have keep their =, and the configuration key counts like the flag', async () => {
  const { root, graph } = await kitchen()
  const own = ['readers', 'CONTRACT', `--root=${root}`, '--compat=forgedock-1.7', '--db=elsewhere.db']
  expect(await spec(own, { cwd: root })).toMatchObject({ code: 0, stdout: '["cmd:review-pr"]\n' })
  writeTree(root, { '.specdex/config.yml': 'compat: forgedock-1.7\n' })
  expect(await spec(['readers', 'CONTRACT', `--graph=${graph}`], { cwd: root })).toMatchObject({ code: 1, stdout: '' })
})

test.each(['--compat', '--db'])(
  'build %s at the end: no document of the wrong mode or place is written',
  async (flag) => {
    const root = tempTree(FILES)
    const { code, stdout, stderr } = await spec(['build', flag], { cwd: root })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^ERROR: ${flag} requires a (version|path)\n$`))
    expect(existsSync(path.join(root, '.forgedock'))).toBe(false)
    // The builder's own flags may lack theirs (sheet §7).
    for (const own of ['--root', '--out']) {
      expect((await spec(['build', '--stdout', own], { cwd: root })).code).toBe(0)
    }
  },
)

test('a verb behind -- that is no query is not offered as its own correction', async () => {
  const root = tempTree(FILES)
  expect(await spec(['--', 'build'], { cwd: root })).toEqual({
    code: 1,
    stdout: '',
    stderr: "ERROR: 'build' takes no --: write specdex spec build\n",
  })
  expect((await spec([...COMPAT, '--', 'build'], { cwd: root })).stderr).toBe(
    "ERROR: unknown subcommand 'build' (one of: readers writers impact deps load-set search)\n",
  )
})
