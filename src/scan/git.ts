// Running git. Nothing from the repository is run: no fsmonitor hook,
// no pager; arguments never go through a shell. The surprise: what a surrounding git hook says about its own repository
// and index (GIT_DIR and friends) is taken out of the environment, because ours is found by looking (repository.ts).

import { spawn } from 'node:child_process'
import type { World } from '../model/clock.ts'

/** Variables that would send git to another repository, or change what a pathspec means. */
const ISOLATED: readonly string[] = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY'],
  ...['GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS', 'GIT_ATTR_SOURCE'],
]

/** No hook is run, and no time stamp of a file is left out of the comparison. */
const SETTINGS: readonly string[] = ['core.fsmonitor=false', 'core.trustctime=true', 'core.checkStat=default'].flatMap(
  (setting) => ['-c', setting],
)

export interface GitAnswer {
  /** -1 where git cannot be started. */
  readonly status: number
  readonly stdout: Buffer
  readonly stderr: string
}

/** Runs git in `cwd`, taking path arguments literally. Never rejects. */
export function runGit(cwd: string, args: readonly string[], env: World['env']): Promise<GitAnswer> {
  return startGit(cwd, ['--literal-pathspecs', ...args], env)
}

/** The same with `*` in path arguments matching any characters, slashes included. */
export function startGit(cwd: string, args: readonly string[], env: World['env']): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const child = spawn('git', [...SETTINGS, '--no-pager', ...args], {
      cwd,
      env: gitEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', () => resolve({ status: -1, stdout: Buffer.alloc(0), stderr: 'git could not be started' }))
    child.on('close', (code) =>
      resolve({ status: code ?? -1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') }),
    )
  })
}

/** The records of an answer to `-z`, one latin1 character per byte. */
export function splitZ(bytes: Buffer): string[] {
  const records = bytes.toString('latin1').split('\0')
  records.pop()
  return records
}

/** The environment for git: ours, without what a surrounding hook says about another repository or index. */
export function gitEnv(env: World['env']): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !ISOLATED.includes(name)) clean[name] = value
  }
  // Reading must not write: git would otherwise refresh its own index on the way.
  clean['GIT_OPTIONAL_LOCKS'] = '0'
  // Messages are read for the folders that git could not open.
  clean['LC_ALL'] = 'C'
  return clean
}
