// Finding the repository that holds a folder, by looking at the disk. Starts nothing, and so loads nothing that can:
// every command finds its root through here.

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

export interface Repository {
  /** Absolute real path of the folder that holds `.git`. */
  readonly top: string
  /** This work tree's own git folder (for a linked worktree not the common one). */
  readonly gitDir: string
  readonly commonDir: string
  /** The root relative to top with a final slash, or empty; bytes as latin1, like the index. */
  readonly prefix: string
}

/**
 * The repository that holds `root`: the nearest folder upwards with a `.git` folder, or a `.git` file that names one
 * (worktrees, submodules). Null without one. Reads a few small files; runs nothing. Whether git agrees is another
 * question (unsafe owner, other work tree): then git answers with an error and the caller walks.
 */
export function findRepository(root: string): Repository | null {
  let top: string
  try {
    top = realpathSync(root)
  } catch {
    return null
  }
  const real = top
  for (;;) {
    const gitDir = gitDirOf(top)
    if (gitDir !== null) {
      const relative = path.relative(top, real)
      const prefix = relative === '' ? '' : `${relative.split(path.sep).join('/')}/`
      return { top, gitDir, commonDir: commonDirOf(gitDir), prefix: Buffer.from(prefix, 'utf8').toString('latin1') }
    }
    const parent = path.dirname(top)
    if (parent === top) return null
    top = parent
  }
}

/** The git folder of a work tree whose top is `folder`, or null where it is none. */
export function gitDirOf(folder: string): string | null {
  const dotGit = path.join(folder, '.git')
  try {
    const stat = statSync(dotGit, { throwIfNoEntry: false })
    if (stat === undefined) return null
    // Git's own test: anything less is passed over and git looks further up.
    if (stat.isDirectory()) {
      return ['HEAD', 'objects', 'refs'].every((name) => existsSync(path.join(dotGit, name))) ? dotGit : null
    }
    const match = /^gitdir: (.+?)[\r\n]*$/.exec(readFileSync(dotGit, 'utf8'))
    return match?.[1] === undefined ? null : path.resolve(folder, match[1])
  } catch {
    return null
  }
}

function commonDirOf(gitDir: string): string {
  try {
    return path.resolve(gitDir, readFileSync(path.join(gitDir, 'commondir'), 'utf8').trim())
  } catch {
    return gitDir
  }
}
