// Real git repositories for tests: fixed identity, fixed dates, no configuration of the machine.
// Every call is synchronous and throws with git's own words when git fails.

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { childEnvironment, type Env } from './environment.ts'
import { writeTree } from './temp.ts'

const SETTINGS = [
  'commit.gpgsign=false',
  'tag.gpgsign=false',
  'protocol.file.allow=always',
  'advice.detachedHead=false',
]
const PREFIX: readonly string[] = SETTINGS.flatMap((setting) => ['-c', setting])

/** Runs git in a folder and returns what it printed, without the last line end. */
export function git(cwd: string, args: readonly string[], env: Env = {}): string {
  const child = spawnSync('git', [...PREFIX, ...args], { cwd, env: childEnvironment(env), maxBuffer: 1 << 28 })
  if (child.error) throw child.error
  if (child.status !== 0) throw new Error(`git ${args.join(' ')} failed (${child.status}): ${child.stderr}`)
  return child.stdout.toString('utf8').replace(/\n$/, '')
}

/** Makes `folder` a repository on branch `main`; with files, these are written and committed. */
export function initRepository(folder: string, files?: Readonly<Record<string, string | Uint8Array>>): string {
  mkdirSync(folder, { recursive: true })
  git(folder, ['init', '--quiet', '--initial-branch=main'])
  if (files !== undefined) {
    writeTree(folder, files)
    commitAll(folder, 'Open the bakery')
  }
  return folder
}

/** Stages everything and commits it, even if nothing changed. Returns the commit id. */
export function commitAll(folder: string, message: string): string {
  git(folder, ['add', '--all'])
  git(folder, ['commit', '--quiet', '--allow-empty', '--no-verify', '--message', message])
  return git(folder, ['rev-parse', 'HEAD'])
}

/** Clones a local repository; flags such as `--depth=1` go into `flags` (with a depth, git needs a file:// address). */
export function cloneRepository(from: string, to: string, flags: readonly string[] = []): string {
  const source = flags.some((flag) => flag.startsWith('--depth')) ? `file://${from}` : from
  git(from, ['clone', '--quiet', ...flags, source, to])
  return to
}
