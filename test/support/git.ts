// Real git repositories for tests: fixed identity, fixed dates, no configuration of the machine.
// Every call is synchronous and throws with git's own words when git fails. Starting git is most of what many tests cost:
// what is the same in several of them is made once per test file and copied.

import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { childEnvironment, type Env } from './environment.ts'
import { folderOfFile, writeTree } from './temp.ts'

const SETTINGS = [
  'commit.gpgsign=false',
  'tag.gpgsign=false',
  'protocol.file.allow=always',
  'advice.detachedHead=false',
  'gc.auto=0',
  'maintenance.auto=false',
]
const PREFIX: readonly string[] = SETTINGS.flatMap((setting) => ['-c', setting])

/** Runs git in a folder and returns what it printed, without the last line end. */
export function git(cwd: string, args: readonly string[], env: Env = {}): string {
  const child = spawnSync('git', [...PREFIX, ...args], { cwd, env: childEnvironment(env), maxBuffer: 1 << 28 })
  if (child.error) throw child.error
  if (child.status !== 0) throw new Error(`git ${args.join(' ')} failed (${child.status}): ${child.stderr}`)
  return child.stdout.toString('utf8').replace(/\n$/, '')
}

type Files = Readonly<Record<string, string | Uint8Array>>

/** Repositories by the files that they started with. */
const made = new Map<Files | null, string>()

/** Makes `folder` a repository on branch `main`; with files, these are written and committed. */
export function initRepository(folder: string, files?: Files): string {
  cpSync(madeOnce(files ?? null), folder, { recursive: true })
  // Git knows the files that it committed by more than their bytes.
  if (files !== undefined) git(folder, ['update-index', '--refresh'])
  return folder
}

function madeOnce(files: Files | null): string {
  const known = made.get(files)
  // The folders of another test file are gone.
  if (known !== undefined && existsSync(known)) return known
  const folder = folderOfFile('repository')
  if (files === null) {
    git(folder, ['init', '--quiet', '--initial-branch=main'])
    // For where git is started without the settings above.
    appendFileSync(path.join(folder, '.git/config'), '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n')
  } else {
    initRepository(folder)
    writeTree(folder, files)
    commitAll(folder, 'Open the bakery')
  }
  made.set(files, folder)
  return folder
}

/** Stages everything and commits it, even if nothing changed. */
export function commitAll(folder: string, message: string): void {
  git(folder, ['add', '--all'])
  git(folder, ['commit', '--quiet', '--allow-empty', '--no-verify', '--message', message])
}

/** Clones a local repository; flags such as `--depth=1` go into `flags` (with a depth, git needs a file:// address). */
export function cloneRepository(from: string, to: string, flags: readonly string[] = []): string {
  const source = flags.some((flag) => flag.startsWith('--depth')) ? `file://${from}` : from
  git(from, ['clone', '--quiet', ...flags, source, to])
  return to
}
