// Git as a commit hook needs it: what is staged, what the index being committed holds, and putting a file into it. It
// differs from git.ts in one point that matters: a hook's GIT_DIR and GIT_INDEX_FILE are kept, because they say which
// index is being committed. They may be relative to the work tree's top, so every call runs there.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'

export interface WorkTree {
  /** Absolute path of its top folder. */
  readonly top: string
  readonly env: World['env']
}

interface GitAnswer {
  readonly status: number
  readonly out: Buffer
}

function runGit(cwd: string, env: World['env'], args: readonly string[], input: Buffer = NOTHING): GitAnswer {
  // check-ignore refuses literal pathspecs; it takes plain paths anyway.
  const literal = args[0] === 'check-ignore' ? [] : ['--literal-pathspecs']
  const child = spawnSync('git', ['-c', 'core.fsmonitor=false', ...literal, '--no-pager', ...args], {
    cwd,
    env: { ...env, LC_ALL: 'C' },
    input,
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return { status: child.status ?? -1, out: child.stdout ?? NOTHING }
}

const NOTHING = Buffer.alloc(0)

/** As runGit; throws UserError refused, naming the git command, where it fails. */
function demandGit(tree: WorkTree, args: readonly string[], input?: Buffer): Buffer {
  const { status, out } = runGit(tree.top, tree.env, args, input)
  if (status !== 0) throw new UserError('refused', `git ${args[0] ?? ''} failed (status ${status})`, null, 1)
  return out
}

function line(out: Buffer): string {
  return out.toString('utf8').replace(/\n$/, '')
}

/** The work tree that holds `folder`, or null where there is none or git cannot be started. */
export function workTreeOf(folder: string, env: World['env']): WorkTree | null {
  const { status, out } = runGit(folder, env, ['rev-parse', '--show-toplevel'])
  const top = line(out)
  return status === 0 && top !== '' ? { top, env } : null
}

/** The folder that core.hooksPath names, absolute, or null where it is not set. */
export function configuredHooks(tree: WorkTree): string | null {
  const { status, out } = runGit(tree.top, tree.env, ['config', '--type=path', '--get', 'core.hooksPath'])
  return status === 0 ? path.resolve(tree.top, line(out)) : null
}

/** The folder in which git itself keeps hooks, absolute, whatever core.hooksPath says. */
export function builtInHooks(tree: WorkTree): string {
  const common = line(demandGit(tree, ['rev-parse', '--git-common-dir']))
  return path.resolve(tree.top, common, 'hooks')
}

/** Paths relative to the top that the commit adds, changes or removes; a rename is both. Bytes as latin1, like the index. */
export function stagedPaths(tree: WorkTree): string[] {
  const args = ['diff', '--cached', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=all', '-z']
  return split(demandGit(tree, args))
}

/**
 * Checks out what is being committed below some folders into `into`, keeping paths relative to the top. Line ends and
 * filters apply, as they will in the work tree: the fingerprint of a graph is that of checked-out files.
 */
export function checkOutStaged(tree: WorkTree, folders: readonly string[], into: string): void {
  // The tree that the commit will have: unlike a listing of the index it leaves out what is only intended to be added.
  const id = line(demandGit(tree, ['write-tree']))
  const files = split(demandGit(tree, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', id, '--', ...folders]))
  if (files.length === 0) return
  const input = Buffer.from(`${files.join('\0')}\0`, 'latin1')
  demandGit(tree, ['checkout-index', '-q', '-z', '--stdin', `--prefix=${into}${path.sep}`], input)
}

/** Whether git ignores an untracked path; a tracked one is never ignored. */
export function isIgnored(tree: WorkTree, file: string): boolean {
  return runGit(tree.top, tree.env, ['check-ignore', '-q', '--', file]).status === 0
}

/** Puts a file of the work tree into the index being committed. Throws UserError refused. */
export function stage(tree: WorkTree, file: string): void {
  demandGit(tree, ['add', '--', file])
  const waiting = indexInWaiting(tree)
  if (waiting !== null) demandGit({ ...tree, env: { ...tree.env, GIT_INDEX_FILE: waiting } }, ['add', '--', file])
}

/**
 * `git commit PATH` commits from a temporary index and puts another one, already written, in the place of the real one
 * afterwards. What the hook stages must be in both, or the commit would seem undone in the next `git status`.
 */
function indexInWaiting(tree: WorkTree): string | null {
  const current = tree.env.GIT_INDEX_FILE ?? ''
  if (!/^next-index-\d+\.lock$/.test(path.basename(current))) return null
  const waiting = path.join(path.dirname(path.resolve(tree.top, current)), 'index.lock')
  return existsSync(waiting) ? waiting : null
}

function split(zeroTerminated: Buffer): string[] {
  return zeroTerminated
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '')
}
