// Where a run takes place: the root folder, and the bytes of its configuration file.

import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { findRepository } from './repository.ts'

export const INDEX_FOLDER = '.specdex'
export const CONFIG_FILE = `${INDEX_FOLDER}/config.yml`

/**
 * The root of a run, absolute. Given: as given (it need not exist: an absent root is an empty corpus, sheet
 * spec-graph §1.5). Else the nearest folder upwards with `.specdex/`, else the top of git's work tree, else `cwd`.
 */
export function findRoot(given: string | null, cwd: string): string {
  if (given !== null && given !== '') return path.resolve(cwd, given)
  let folder = cwd
  for (;;) {
    if (isFolder(path.join(folder, INDEX_FOLDER))) return folder
    const parent = path.dirname(folder)
    if (parent === folder) break
    folder = parent
  }
  const repository = findRepository(cwd)
  if (repository === null) return cwd
  // The user's own spelling of the path is kept where it leads to the same place.
  const up = path.relative(repository.top, realpathSync(cwd))
  const spelled = up === '' ? cwd : path.resolve(cwd, ...up.split(path.sep).map(() => '..'))
  return realpathSync(spelled) === repository.top ? spelled : repository.top
}

/** The configuration's bytes, or null without one. Throws UserError config where it is there and cannot be read. */
export function readConfigFile(root: string): Buffer | null {
  try {
    return readFileSync(path.join(root, CONFIG_FILE))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new UserError('config', `${CONFIG_FILE} cannot be read (${code})`, 'make it a readable file, or remove it')
  }
}

/** True where there is a folder (or a link to one). */
export function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}

/** Bytes of a file, or null where there is none. */
export function fileSize(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null
}
