// Anchors and renames that were read from a history that was cut off: once it is there, the next update makes of them
// what a full rebuild makes; and what no history can fill is not fetched again for it.

import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git, initRepository } from '../support/git.ts'
import { runHere } from '../support/run-here.ts'
import { folderOfFile, tempFolder, writeTree } from '../support/temp.ts'
import { investigation } from './lessons.ts'

const REPO = 'harbour/crane'
const NAMES = ['knowledge.jsonl', 'renames.jsonl', 'manifest.json', 'postings.json'] as const

function commitOn(folder: string, at: string, message: string): void {
  git(folder, ['add', '--all'])
  git(folder, ['commit', '--quiet', '--message', message], { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at })
}

let first: string | null = null

/** Three commits: the crane, its new name, and a last word; a copy of those of the first test. */
function harbour(): string {
  first ??= firstHarbour()
  const folder = path.join(tempFolder('whole'), 'crane')
  cpSync(first, folder, { recursive: true })
  git(folder, ['update-index', '--refresh'])
  return folder
}

function firstHarbour(): string {
  const folder = initRepository(path.join(folderOfFile('whole'), 'crane'))
  writeTree(folder, { 'src/crane.ts': 'export function liftLoad() {\n  return 1\n}\n// brake\n// rope\n' })
  commitOn(folder, '2026-03-01T08:00:00Z', 'Build the crane')
  git(folder, ['mv', 'src/crane.ts', 'src/hoist.ts'])
  commitOn(folder, '2026-04-01T08:00:00Z', 'Call it a hoist')
  writeTree(folder, { 'log.txt': 'high tide\n' })
  commitOn(folder, '2026-05-01T08:00:00Z', 'Keep a log')
  return folder
}

function issue(number: number, day: string, file: string): object {
  const at = `${day}T12:00:00Z`
  const body = investigation(`winch${number}`, file)
  const updated_at = number === 3 ? '2026-05-21T06:00:00Z' : '2026-05-20T06:00:00Z'
  return { number, state: 'closed', body, user: null, created_at: at, updated_at }
}

/** The first issue is older than what a shallow clone has, the second cites what never was, the third is young. */
const ISSUES = [
  issue(1, '2026-03-10', 'src/crane.ts'),
  issue(2, '2026-03-11', 'src/never.ts'),
  issue(3, '2026-05-10', 'src/hoist.ts'),
]

async function run(cwd: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(words, { cwd })
  expect({ code, stderr, words }).toEqual({ code: 0, stderr: '', words })
  return stdout
}

async function update(cwd: string, ...flags: string[]): Promise<{ fetched: number; changed: number }> {
  return updateWith(ISSUES, cwd, ...flags)
}

async function updateWith(
  issues: readonly object[],
  cwd: string,
  ...flags: string[]
): Promise<{ fetched: number; changed: number }> {
  const from = path.join(tempFolder('issues'), 'issues.json')
  writeFileSync(from, JSON.stringify(issues))
  return JSON.parse(await run(cwd, 'ledger', 'update', '--from', from, '--repo', REPO, '--json', ...flags))
}

async function exported(cwd: string): Promise<Record<string, string>> {
  const folder = path.join(tempFolder('export'), 'ledger')
  await run(cwd, 'ledger', 'export', folder, '--repo', REPO)
  return Object.fromEntries(NAMES.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

function shallow(whole: string, ...flags: string[]): string {
  const folder = path.join(tempFolder('shallow'), 'crane')
  git(whole, ['clone', '--quiet', ...flags, `file://${whole}`, folder])
  return folder
}

const dangling = async (cwd: string): Promise<number> => {
  const { stdout } = await runHere(['recall', '--doctor', '--json'], { cwd })
  return (JSON.parse(stdout) as { dangling: number }).dangling
}

test('what a shallow clone left open is filled in once the history is there, and is what a rebuild makes', async () => {
  const whole = harbour()
  await update(whole, '--full-rebuild')
  const expected = await exported(whole)
  expect(expected['renames.jsonl']).toContain('src/hoist.ts')

  const clone = shallow(whole, '--depth=1')
  expect(await update(clone)).toMatchObject({ fetched: 3 })
  expect(await dangling(clone)).toBe(4)
  expect(await update(clone)).toMatchObject({ fetched: 0 })

  git(clone, ['fetch', '--quiet', '--unshallow'])
  // The young one has its anchor, and is left alone.
  expect(await update(clone)).toMatchObject({ fetched: 2, changed: 1 })
  expect(await exported(clone)).toEqual(expected)
  // Two cards cite a file that never was: they are not asked for again.
  expect(await dangling(clone)).toBe(2)
  expect(await update(clone)).toMatchObject({ fetched: 0, changed: 0 })
})

test('--issue in between neither fills in nor forgets what is open', async () => {
  const whole = harbour()
  await update(whole, '--full-rebuild')
  const clone = shallow(whole, '--depth=1')
  await update(clone)
  git(clone, ['fetch', '--quiet', '--unshallow'])
  expect(await update(clone, '--issue', '3')).toMatchObject({ fetched: 1, changed: 0 })
  expect(await dangling(clone)).toBe(4)
  expect(await update(clone)).toMatchObject({ fetched: 2, changed: 1 })
  expect(await exported(clone)).toEqual(await exported(whole))
})

test('a history that becomes a little deeper is looked into, one that does not is not', async () => {
  const whole = harbour()
  const clone = shallow(whole, '--depth=1')
  await update(clone)
  git(clone, ['fetch', '--quiet', '--depth=2'])
  // One commit more, from April: neither of the issues of March can have been looked for there.
  expect(await update(clone)).toMatchObject({ fetched: 0 })
  git(clone, ['fetch', '--quiet', '--depth=3'])
  expect(await update(clone)).toMatchObject({ fetched: 2, changed: 1 })
})

test('what came from somebody else’s shallow clone is looked at once', async () => {
  const whole = harbour()
  const clone = shallow(whole, '--depth=1')
  await update(clone)
  const folder = path.join(tempFolder('carried'), 'ledger')
  await run(clone, 'ledger', 'export', folder, '--repo', REPO)
  await run(whole, 'ledger', 'import', folder)
  expect(await update(whole)).toMatchObject({ fetched: 3, changed: 1 })
  expect(await dangling(whole)).toBe(2)
  expect(await update(whole)).toMatchObject({ fetched: 0 })
})

test('of what is pulled from there, only that is looked at again', async () => {
  const whole = harbour()
  const remote = path.join(tempFolder('remote'), 'crane.git')
  git(whole, ['clone', '--quiet', '--bare', whole, remote])
  git(whole, ['remote', 'add', 'origin', remote])
  // Another issue whose file never was: nothing of it is open here.
  const known = issue(4, '2026-03-12', 'src/never.ts')
  await updateWith([known], whole)
  const clone = shallow(remote, '--depth=1')
  await updateWith([...ISSUES, known], clone)
  await run(clone, 'ledger', 'push', '--repo', REPO)
  expect(await run(whole, 'ledger', 'pull', '--repo', REPO)).toContain('3 issues taken')
  expect(await updateWith([...ISSUES, known], whole)).toMatchObject({ fetched: 3, changed: 1 })
  expect(await dangling(whole)).toBe(4)
  expect(await updateWith([...ISSUES, known], whole)).toMatchObject({ fetched: 0 })
})
