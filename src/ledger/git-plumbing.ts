// What the mirror asks of git: only commands that write objects, one branch, or a remote. No checkout, no index, no
// FETCH_HEAD, no hook, no shell. Failures of git become one line of a UserError.
// The surprise: a fetch writes no ref at all, so that two runs in one clone cannot get into each other's way.

import { spawn } from 'node:child_process'
import { UserError } from '../model/errors.ts'
import { type GitAnswer, gitEnv } from '../scan/git.ts'

/** Runs git in one folder; `input` goes to its stdin. Never rejects. */
export type Git = (args: readonly string[], input?: Buffer | string) => Promise<GitAnswer>

const SETTINGS: readonly string[] = [
  // No hook runs: a mirror is no push of the user's work.
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'push.followTags=false',
  // Nothing goes on in the background when a command has ended.
  'gc.auto=0',
  'maintenance.auto=false',
  // A remote that has fallen silent is given up: the mirror must not stall a pipeline.
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
].flatMap((setting) => ['-c', setting])

/** Git in `root`, with the environment of the command line. */
export function gitIn(root: string, env: Readonly<Record<string, string | undefined>>): Git {
  return (args, input) =>
    new Promise((resolve) => {
      const child = spawn('git', [...SETTINGS, '--no-pager', ...args], {
        cwd: root,
        env: gitEnv(env),
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      const out: Buffer[] = []
      const err: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
      // Git may end before it has read everything; its exit code says so.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      child.on('error', () => resolve({ status: -1, stdout: Buffer.alloc(0), stderr: 'git could not be started' }))
      child.on('close', (code) =>
        resolve({ status: code ?? -1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') }),
      )
    })
}

/** `origin`, or the only remote there is. Throws UserError `config` where there is neither, or no repository. */
export async function remoteName(git: Git): Promise<string> {
  const answer = await git(['remote'])
  if (answer.status !== 0) throw new UserError('config', `no repository to mirror through: ${lastWords(answer)}`, null)
  const names = linesOf(answer)
  const [only] = names
  if (names.includes('origin')) return 'origin'
  if (only !== undefined && names.length === 1) return only
  const found = names.length === 0 ? 'no remote' : 'several remotes and none called origin'
  throw new UserError(
    'config',
    `the repository has ${found}: nowhere to mirror the ledger`,
    'git remote add origin URL',
  )
}

/** The commit that the branch is at on the remote; null where there is no such branch. Throws UserError `io`. */
export async function remoteTip(git: Git, remote: string, branch: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`
  const lines = linesOf(await succeed(git, ['ls-remote', remote, ref], `cannot reach ${remote}`))
  // The pattern also matches names that only end like this.
  const found = lines.map((line) => line.split('\t')).find(([, name]) => name === ref)
  return found?.[0] ?? null
}

/**
 * Files of a commit's top folder that is at the tip of a remote's branch, fetched where it is not here yet, whatever
 * the clone's depth and branches; null in the place of one that is not there. Throws UserError `io`.
 */
export async function filesOf(
  git: Git,
  remote: string,
  branch: string,
  commit: string,
  names: readonly string[],
): Promise<(Buffer | null)[]> {
  const [here, ...found] = await objects(git, [`${commit}^{tree}`, ...names.map((name) => `${commit}:${name}`)])
  if (here != null) return found
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-prune', '--refmap=']
  await succeed(git, ['fetch', ...flags, remote, `refs/heads/${branch}`], `cannot fetch from ${remote}`)
  return objects(
    git,
    names.map((name) => `${commit}:${name}`),
  )
}

/** What `cat-file --batch` prints: a line `<id> <type> <size>`, the bytes and a line end, or a line ending in `missing`. */
async function objects(git: Git, names: readonly string[]): Promise<(Buffer | null)[]> {
  const { stdout } = await succeed(git, ['cat-file', '--batch'], 'cannot read the mirror', `${names.join('\n')}\n`)
  let at = 0
  return names.map(() => {
    const end = stdout.indexOf(10, at)
    const [, type, size] = / (\w+) (\d+)$/.exec(stdout.toString('latin1', at, end)) ?? []
    const from = end + 1
    const to = from + Number(size ?? -1)
    at = to + 1
    return type === 'blob' || type === 'tree' ? stdout.subarray(from, to) : null
  })
}

/**
 * Writes a commit with these files in its top folder, and beside them what the parent had there. Returns its id.
 * Throws UserError `config` where git knows nobody to commit as, `io` where it cannot write.
 */
export async function commitFiles(
  git: Git,
  files: ReadonlyMap<string, Buffer>,
  parent: string | null,
  message: string,
): Promise<string> {
  const what = 'cannot write to the repository'
  const others = parent === null ? [] : await otherEntries(git, parent, files)
  const own = [...files].map(async ([name, content]) => {
    const id = wordOf(await succeed(git, ['hash-object', '-w', '--stdin'], what, content))
    return Buffer.from(`100644 blob ${id}\t${name}\0`)
  })
  const entries = Buffer.concat([...others, ...(await Promise.all(own))])
  const tree = wordOf(await succeed(git, ['mktree', '-z'], what, entries))
  const parents = parent === null ? [] : ['-p', parent]
  await requireIdentity(git)
  return wordOf(await succeed(git, ['commit-tree', tree, ...parents], what, `${message}\n`))
}

/** Throws UserError `config` where git knows nobody to commit as. An empty address is none, although git takes it. */
async function requireIdentity(git: Git): Promise<void> {
  for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const answer = await git(['var', name])
    if (answer.status === 0 && /^\s*[^\s<].*<[^\s>][^>]*> \d/.test(answer.stdout.toString('utf8'))) continue
    const hint = 'git config user.name NAME; git config user.email ADDRESS'
    throw new UserError('config', 'git knows no identity to commit the mirror with; nothing was pushed', hint)
  }
}

/** Pushes a commit as the branch; `outrun` where somebody else moved it meanwhile. Throws UserError `io`. */
export async function pushCommit(git: Git, remote: string, branch: string, commit: string): Promise<'done' | 'outrun'> {
  const flags = ['--porcelain', '--no-verify', '--recurse-submodules=no']
  const answer = await git(['push', ...flags, remote, `${commit}:refs/heads/${branch}`])
  if (answer.status === 0) return 'done'
  const said = `${answer.stdout.toString('utf8')}\n${answer.stderr}`
  if (OUTRUN.test(said)) return 'outrun'
  throw new UserError('io', `cannot push to ${remote}: ${refusalIn(said) ?? lastWords(answer)}`, null)
}

/** What git says when another push was faster, before or while it looked. */
const OUTRUN = /\[rejected\]|cannot lock ref|failed to update ref|incorrect old value|fetch first|non-fast-forward/

/**
 * Moves the local branch to a commit: never backwards, never away from commits of its own, and never where it is
 * checked out, because that working tree would look changed. Returns whether the branch is there now.
 */
export async function moveBranch(git: Git, branch: string, commit: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`
  const answer = await git(['for-each-ref', '--format=%(objectname) %(worktreepath)', ref])
  const [, old = '', worktree = ''] = /^(\S+) (.*)/.exec(answer.stdout.toString('latin1')) ?? []
  if (old === commit) return true
  if (worktree !== '') return false
  // A HEAD on a branch without commits is on no list, and would come to life under the user's index.
  if (old === '' && wordOf(await git(['symbolic-ref', '--quiet', 'HEAD'])) === ref) return false
  if (old !== '' && (await git(['merge-base', '--is-ancestor', old, commit])).status !== 0) return false
  return (await git(['update-ref', '-m', 'specdex: ledger mirror', ref, commit, old])).status === 0
}

/** The parent's other entries as `ls-tree -z` gives them, which is what `mktree -z` takes. Names stay bytes. */
async function otherEntries(git: Git, parent: string, files: ReadonlyMap<string, Buffer>): Promise<Buffer[]> {
  const { stdout } = await succeed(git, ['ls-tree', '-z', '--full-tree', parent], 'cannot read the mirror')
  const records = stdout.toString('latin1').split('\0').slice(0, -1)
  const kept = records.filter((record) => !files.has(record.slice(record.indexOf('\t') + 1)))
  return kept.map((record) => Buffer.from(`${record}\0`, 'latin1'))
}

async function succeed(
  git: Git,
  args: readonly string[],
  what = `git ${args[0]} failed`,
  input?: Buffer | string,
): Promise<GitAnswer> {
  const answer = await git(args, input)
  if (answer.status !== 0) throw new UserError('io', `${what}: ${lastWords(answer)}`, null)
  return answer
}

/** The line in which git says why, without what a terminal would obey and without a password in an address. */
function lastWords({ status, stderr }: GitAnswer): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((candidate) => /^(fatal|error|remote): /.test(candidate)) ?? lines.at(-1)
  return line === undefined ? `git ended with ${status}` : plain(line.replace(/^(fatal|error): /, ''))
}

function plain(line: string): string {
  return line
    .replace(/\p{Cc}/gu, '')
    .replace(/:\/\/[^/@\s]+@/g, '://')
    .trim()
}

/** The summary in brackets of a refused ref, which `push --porcelain` prints. */
function refusalIn(said: string): string | null {
  const summary = /^!\t[^\t]*\t(.*)$/m.exec(said)?.[1]
  return summary === undefined ? null : plain(summary)
}

function wordOf(answer: GitAnswer): string {
  return answer.stdout.toString('utf8').trim()
}

function linesOf(answer: GitAnswer): string[] {
  return answer.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
}
