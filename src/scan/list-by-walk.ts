// A family where git does not answer: a walk of our own that honours the `.gitignore` files it meets, and those
// above the root where the root lies in a repository. Every file is looked at, none is read. Embedded repositories
// are other projects, as for git. The surprise: `.git/info/exclude` counts, git's global ignore file does not.

import path from 'node:path'
import { dirOfKey, joinKey } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { examine, nameOnly, readFolder, shownName } from './file-kind.ts'
import { type IgnoreStack, ignoreStack } from './gitignore.ts'
import { type ListedDir, type ListedFile, listedDir } from './listing.ts'
import { gitDirOf, type Repository } from './repository.ts'
import { mayBeWanted, type Selection } from './selection.ts'

/**
 * Folders of a family by walking from the folder `start` on. `repository` is the one that holds the root, if any; `now`
 * when the scan began.
 */
export async function listByWalk(
  root: string,
  repository: Repository | null,
  test: Selection,
  now: number,
  start = '',
): Promise<ReadonlyMap<string, ListedDir>> {
  const found = new Map<string, ListedFile[]>()
  const note = (dir: string, file: ListedFile): void => {
    const files = found.get(dir)
    if (files === undefined) found.set(dir, [file])
    else files.push(file)
  }
  const outer = await rulesAbove(repository)
  // Keys are relative to the root, rules above it are not.
  const prefix = repository === null ? '' : Buffer.from(repository.prefix, 'latin1').toString('utf8')

  const visit = (dir: string, rules: IgnoreStack): void => {
    let entries: ReturnType<typeof readFolder>
    try {
      entries = readFolder(root, dir)
    } catch (error) {
      if (!isGone(error)) note(dirOfKey(dir), nameOnly(path.posix.basename(dir) || '.', FILE_STATE.unreadableFolder))
      return
    }
    if (dir !== start && entries.some((entry) => entry.name === '.git') && gitDirOf(path.join(root, dir)) !== null)
      return
    const ignoreFile = entries.find((entry) => entry.name === '.gitignore' && entry.isFile())
    const within = rules.inside(
      (prefix + dir).replace(/\/$/, ''),
      ignoreFile === undefined ? null : path.join(root, dir, '.gitignore'),
    )
    const holds = test.folder(dir)
    const names: string[] = []
    const folders: string[] = []
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(entry.name)
      else if (holds && mayBeWanted(test, shownName(entry.name))) names.push(entry.name)
    }
    for (const name of names.sort()) {
      const key = joinKey(dir, name)
      if ((test.file !== null && !test.file(key)) || within.ignores(prefix + joinKey(dir, shownName(name)))) continue
      const file = examine(root, key, name, test.tellsLinks)
      if (file !== null) note(dir, file)
    }
    for (const name of folders.sort()) {
      const key = joinKey(dir, name)
      if (name === '.git' || name === 'node_modules' || !test.enters(key)) continue
      if (within.ignores(`${prefix}${joinKey(dir, shownName(name))}/`)) continue
      // A folder whose name is not valid UTF-8 is not entered (sheet spec-graph §1.8).
      if (shownName(name) === name) visit(key, within)
      else note(dir, nameOnly(name, FILE_STATE.unreadableFolder))
    }
  }
  visit(start, outer)

  const dirs = new Map<string, ListedDir>()
  for (const [dir, files] of found) dirs.set(dir, listedDir(dir, files, now))
  return dirs
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** What a repository ignores above the root; nothing where it ignores the root as a whole, which was meant all the same. */
async function rulesAbove(repository: Repository | null): Promise<IgnoreStack> {
  const none = await ignoreStack()
  if (repository === null) return none
  const { top, commonDir, prefix } = repository
  let rules = none.inside('', path.join(commonDir, 'info/exclude'))
  let dir = ''
  for (const name of Buffer.from(prefix, 'latin1').toString('utf8').split('/').slice(0, -1)) {
    rules = rules.inside(dir, path.join(top, dir, '.gitignore'))
    dir = joinKey(dir, name)
    if (rules.ignores(`${dir}/`)) return none
  }
  return rules
}
