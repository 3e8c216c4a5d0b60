// What the ledger asks of git's history and object store, each in one process for any number of cards: the main line of
// commits with their times, blob ids of paths at commits, and the blobs themselves as they stream by.
// Nothing is written, nothing is fetched: in a partial clone what is not here counts as missing.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { World } from '../model/clock.ts'
import { gitEnv, runGit } from '../scan/git.ts'
import { findRepository } from '../scan/repository.ts'

export type Env = World['env']

export interface HistoryCommit {
  readonly id: string
  /** Committer time, seconds since 1970. */
  readonly at: number
}

/**
 * HEAD's main line, newest first: first parents only, so that a branch which is merged later cannot slip in between.
 * Ends at the first commit that is older than `oldest` (seconds since 1970). Empty without git or commits; as far as it
 * goes in a shallow clone.
 */
export async function mainLine(root: string, env: Env, oldest: number): Promise<HistoryCommit[]> {
  const commits: HistoryCommit[] = []
  let rest = ''
  const args = ['log', '--first-parent', '--no-show-signature', '--format=%H %ct', 'HEAD', '--']
  await withInput(root, env, args, [], (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [id = '', time = ''] = line.split(' ')
      commits.push({ id, at: Number(time) })
      if (Number(time) < oldest) return ENOUGH
    }
    return undefined
  })
  return commits
}

/**
 * From which time on (seconds since 1970) history is here: -Infinity where it is whole, the time of the last commit of
 * the main line in a shallow clone, Infinity without a repository. What was looked for in a history that began later may
 * be found now. Costs one look at the disk where the clone is not shallow.
 */
export async function historyStart(root: string, env: Env): Promise<number> {
  const repository = findRepository(root)
  if (repository === null) return Number.POSITIVE_INFINITY
  if (!existsSync(path.join(repository.commonDir, 'shallow'))) return Number.NEGATIVE_INFINITY
  const line = await mainLine(root, env, Number.NEGATIVE_INFINITY)
  return line.at(-1)?.at ?? Number.POSITIVE_INFINITY
}

/**
 * The commit that HEAD names, as git's own small files tell it; null where they do not say it plainly (no repository, no
 * commit, a branch that is a link or has no plain name, another format of refs): ask git then. Whether the commit is
 * there is not looked at.
 */
export function headOnDisk(root: string): string | null {
  const repository = findRepository(root)
  if (repository === null) return null
  const { gitDir, commonDir } = repository
  const head = readIfThere(path.join(gitDir, 'HEAD'))?.trim() ?? ''
  if (COMMIT.test(head)) return head
  // ASCII alone: another name would be looked for under other bytes, and an old line of packed-refs be taken for it.
  const branch = /^ref: (refs\/heads\/[!-~]+)$/.exec(head)?.[1]
  if (branch === undefined) return null
  const loose = readIfThere(path.join(commonDir, branch))?.trim() ?? null
  const id = loose ?? packedRef(readIfThere(path.join(commonDir, 'packed-refs')) ?? '', branch)
  return COMMIT.test(id) ? id : null
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Lines `ID NAME`; empty where none has the name. */
function packedRef(text: string, name: string): string {
  const line = text.split('\n').find((each) => each.endsWith(` ${name}`)) ?? ''
  return line.slice(0, Math.max(0, line.length - name.length - 1))
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return null
  }
}

/** What a reader answers that wants no more. */
const ENOUGH = 'enough'
type Take = (chunk: Buffer) => typeof ENOUGH | undefined

/** Blob ids for object names such as `COMMIT:path` (no line feed in them), in their order; null: no such blob. */
export async function blobIds(root: string, env: Env, names: readonly string[]): Promise<(string | null)[]> {
  if (names.length === 0) return []
  const lines: string[] = []
  let rest = ''
  const done = await catFile(root, env, ['--batch-check=%(objecttype) %(objectname)'], names, (chunk) => {
    const parts = (rest + chunk.toString('latin1')).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) lines.push(part)
    return undefined
  })
  // One line for each name; `NAME missing` and the like where there is nothing.
  return names.map((_, i) => (done && lines[i]?.startsWith('blob ') === true ? lines[i].slice(5) : null))
}

/**
 * Hands each blob over as it arrives; one at a time is in memory. `names` are ids, or names such as blobIds() takes.
 * Blobs that are missing are left out.
 */
export async function readBlobs(
  root: string,
  env: Env,
  names: readonly string[],
  take: (id: string, bytes: Buffer, name: string) => void,
): Promise<void> {
  if (names.length === 0) return
  let place = 0
  let parts: Buffer[] = []
  let held = 0
  let wanted = 1
  await catFile(root, env, ['--batch'], names, (chunk) => {
    parts.push(chunk)
    held += chunk.length
    if (held < wanted) return undefined
    let bytes = parts.length === 1 ? chunk : Buffer.concat(parts)
    for (;;) {
      const end = bytes.indexOf(LINE_FEED)
      if (end < 0) {
        wanted = bytes.length + 1
        break
      }
      // `NAME missing` and the like have no content behind them.
      const [, id = '', type = '', size = ''] = OBJECT.exec(bytes.toString('latin1', 0, end)) ?? []
      const length = size === '' ? 0 : Number(size) + 1
      if (bytes.length < end + 1 + length) {
        wanted = end + 1 + length
        break
      }
      const name = names[place++] as string
      if (type === 'blob') take(id, bytes.subarray(end + 1, end + length), name)
      bytes = bytes.subarray(end + 1 + length)
    }
    parts = [bytes]
    held = bytes.length
    return undefined
  })
}

const LINE_FEED = 0x0a
const OBJECT = /^([0-9a-f]{40,64}) (\w+) (\d+)$/

/** Blob ids that git would give the files as they are on disk, filters and line endings applied; null where it cannot. */
export async function hashOnDisk(root: string, env: Env, paths: readonly string[]): Promise<(string | null)[]> {
  if (paths.length === 0) return []
  const chunks: Buffer[] = []
  const done = await withInput(root, env, ['hash-object', '--stdin-paths'], paths, (chunk) => {
    chunks.push(chunk)
    return undefined
  })
  const ids = Buffer.concat(chunks).toString('latin1').split('\n')
  return paths.map((_, i) => (done ? (ids[i] ?? null) : null))
}

function catFile(
  root: string,
  env: Env,
  args: readonly string[],
  lines: readonly string[],
  take: Take,
): Promise<boolean> {
  return withInput(root, env, ['cat-file', '--buffer', ...args], lines, take)
}

/** Runs git with lines on its stdin. True where it ended well. Never rejects. */
function withInput(
  root: string,
  env: Env,
  args: readonly string[],
  lines: readonly string[],
  take: Take,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['-c', 'core.fsmonitor=false', '--no-pager', ...args], {
      cwd: root,
      env: { ...gitEnv(env), GIT_NO_LAZY_FETCH: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        if (take(chunk) !== ENOUGH) return
        resolve(true)
      } catch (error) {
        reject(error)
      }
      child.stdout.removeAllListeners('data')
      child.kill()
    })
    // Git may end before it has read everything; its exit status says so.
    child.stdin.on('error', () => {})
    child.on('error', () => resolve(false))
    child.on('close', (status) => resolve(status === 0))
    child.stdin.end(`${lines.join('\n')}\n`)
  })
}

export interface TreeState {
  /** The commit that is checked out. */
  readonly head: string
  /** Blob ids of tracked files by path relative to the root. */
  readonly blobs: ReadonlyMap<string, string>
  /** Paths that differ from HEAD, in the index or on disk, or may. */
  readonly dirty: ReadonlySet<string>
}

/** All that git knows of the tree, for judging many cards at once; null without git or commits. */
export async function readTreeState(root: string, env: Env): Promise<TreeState | null> {
  const [head, files, dirty] = await Promise.all([
    runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], env),
    runGit(root, ['ls-files', '-s', '-z'], env),
    runGit(root, ['diff-index', '--name-only', '-z', '--relative', '--no-ext-diff', 'HEAD', '--'], env),
  ])
  if (head.status !== 0 || files.status !== 0 || dirty.status !== 0) return null
  const blobs = new Map<string, string>()
  for (const record of files.stdout.toString('utf8').split('\0')) {
    const tab = record.indexOf('\t')
    // Mode, id, stage: only what is merged.
    const [mode = '', id = '', stage = ''] = record.slice(0, Math.max(0, tab)).split(' ')
    if (stage === '0' && mode.startsWith('10')) blobs.set(record.slice(tab + 1), id)
  }
  return { head: head.stdout.toString('utf8').trim(), blobs, dirty: new Set(dirty.stdout.toString('utf8').split('\0')) }
}
