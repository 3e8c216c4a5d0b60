// A family where git answers: tracked files and untracked ones that are not ignored. A folder in which git vouches for
// every file costs one digest over bytes of git's index; only where something differs is a file looked
// at. The surprise: a tracked path can lead through a link that took its folder's place, and then it is gone.

import { dirOfKey, isMangledKey, joinKey, keyOfBytes } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { examine, look, nameOnly } from './file-kind.ts'
import { rawPath, type TrackedTable } from './git-index.ts'
import type { Differences, GitView } from './git-view.ts'
import { type ListedDir, type ListedFile, listedDir } from './listing.ts'
import { mayBeWanted, type Selection } from './selection.ts'
import { bytesOfFolder, visitTracked, vouchedDir, vouchedFile } from './tracked-folders.ts'

/** Files of one folder as they are found. */
interface Folder {
  readonly key: string
  /** Entries of the tracked table. */
  readonly tracked: number[]
  /** What is known one by one: untracked files, names without a witness. */
  readonly others: ListedFile[]
  /** True where git vouches for every tracked file of the folder. */
  vouched: boolean
}

/** Folders of a family, and what proves them. */
export interface FoundByGit {
  readonly dirs: ReadonlyMap<string, ListedDir>
  /** Files that git does not vouch for; null where they are not all that matters. */
  readonly named: NamedFiles | null
  /** Tracked links with the name of a wanted file, and what was made of them. */
  readonly links: readonly LinkState[]
}

/** Keys of files in no order. */
export interface NamedFiles {
  readonly tracked: ReadonlySet<string>
  readonly untracked: ReadonlySet<string>
}

/** A link's key, and its FILE_STATE; null where it points inside the root or at nothing. */
export type LinkState = readonly [key: string, state: number | null]

/** A family where git answers. `now`: when the scan began, milliseconds. */
export function listByGit(root: string, view: GitView, test: Selection, now: number): FoundByGit {
  const folders = new Map<string, Folder>()
  const folderOf = (key: string): Folder => {
    let folder = folders.get(key)
    if (folder === undefined) {
      folder = { key, tracked: [], others: [], vouched: view.vouches }
      folders.set(key, folder)
    }
    return folder
  }
  const closed = new Set(view.closedFolders.filter((key) => test.enters(key)))
  const open = (key: string): boolean => closed.size === 0 || !hasAncestor(closed, key)

  const accepted = (key: string): Folder | null => (test.folder(key) && open(key) ? folderOf(key) : null)
  const undecodable = collectTracked(view.tracked, accepted, test)
  const unvouched = new Set<string>()
  const untracked = new Set<string>()
  for (const raw of view.differing) {
    if (!mayBeWanted(test, raw)) continue
    const key = keyOfBytes(raw)
    const folder = folders.get(dirOfKey(key))
    if (folder === undefined || !(test.file?.(key) ?? true)) continue
    folder.vouched = false
    unvouched.add(key)
  }
  // `ls-files -o` ends the name of an embedded repository with a slash: another project's files.
  const wanted = (raw: string): boolean => !raw.endsWith('/') && mayBeWanted(test, raw)
  const found = view.untracked.filter(wanted).map(keyOfBytes)
  for (const key of [...undecodable, ...found]) {
    const dir = dirOfKey(key)
    const strange = firstUndecodable(key)
    if (strange !== null) {
      if (test.enters(dirOfKey(strange))) closed.add(strange)
    } else if (test.folder(dir) && open(dir) && (test.file?.(key) ?? true)) {
      const file = examine(root, key, nameIn(dir, key), test.tellsLinks)
      if (file !== null) folderOf(dir).others.push(file)
      untracked.add(key)
    }
  }
  const plain = view.vouches && closed.size === 0 && undecodable.length === 0
  for (const key of closed) {
    const dir = dirOfKey(key)
    if (open(dir)) folderOf(dir).others.push(nameOnly(nameIn(dir, key), FILE_STATE.unreadableFolder))
  }

  const dirs = new Map<string, ListedDir>()
  const links: LinkState[] = []
  const reached = folderCheck(root)
  for (const folder of folders.values()) {
    if (plain && !folder.vouched) sortOut(root, view.tracked, folder, links, unvouched)
    const dir =
      folder.vouched && folder.others.length === 0
        ? vouchedDir(view.tracked, folder.key, folder.tracked)
        : listedDir(folder.key, filesOf(root, view, folder, reached, test.tellsLinks === true), now)
    if (dir.count > 0) dirs.set(folder.key, dir)
  }
  return { dirs, named: plain ? { tracked: unvouched, untracked } : null, links }
}

/** Adds what is made of the tracked links in a folder, and the files that git was told not to look at. */
function sortOut(
  root: string,
  { trust, names, from, to }: TrackedTable,
  folder: Folder,
  links: LinkState[],
  unvouched: Set<string>,
): void {
  for (const i of folder.tracked) {
    if (trust[i] === 'file') continue
    const key = names.toString('utf8', from[i], to[i])
    if (trust[i] === 'none') unvouched.add(key)
    else links.push([key, linkState(root, key)])
  }
}

/**
 * The files that git names, where a family holds them or would hold them, or may have held them. Null where a name says
 * more than that one file may have changed.
 */
export function namedFiles({ differing, untracked }: Differences, test: Selection): NamedFiles | null {
  const keysOf = (names: readonly string[]): Set<string> =>
    new Set(names.filter((raw) => !raw.endsWith('/') && mayBeWanted(test, raw)).map(keyOfBytes))
  const named = { tracked: keysOf(differing), untracked: keysOf(untracked) }
  return [...named.tracked, ...named.untracked].some(isMangledKey) ? null : named
}

/** What there is of some files of a selection now; null for none. */
export function lookAgain(
  root: string,
  keys: Iterable<string>,
  { tellsLinks }: Selection,
): Map<string, ListedFile | null> {
  const reached = folderCheck(root)
  return new Map(
    [...keys].map((key) => {
      const dir = dirOfKey(key)
      return [key, reached(dir) ? examine(root, key, nameIn(dir, key), tellsLinks) : null]
    }),
  )
}

/** What the link `key` is made of just now; see LinkState. */
export function linkState(root: string, key: string): number | null {
  return examine(root, key, key)?.state ?? null
}

/** Sorts tracked files into their folders. Returns the keys of those whose path is not valid UTF-8. */
function collectTracked(
  table: TrackedTable,
  folderOf: (key: string) => Folder | null,
  { endings, others, file: acceptsFile }: Selection,
): string[] {
  const { names, to, trust } = table
  return visitTracked(table, others ? null : endings, folderOf, (folder, i, base) => {
    if (acceptsFile !== null && !acceptsFile(joinKey(folder.key, names.toString('utf8', base, to[i])))) return
    folder.tracked.push(i)
    if (trust[i] !== 'file') folder.vouched = false
  })
}

/** The outermost folder on the way to `key` whose name is not valid UTF-8, as a key; null where all names are. */
function firstUndecodable(key: string): string | null {
  if (!isMangledKey(key)) return null
  const raw = Buffer.from(key.slice(key.indexOf('//') + 2), 'hex').toString('latin1')
  for (let at = raw.indexOf('/'); at !== -1; at = raw.indexOf('/', at + 1)) {
    const folder = keyOfBytes(raw.slice(0, at))
    if (isMangledKey(folder)) return folder
  }
  return null
}

function hasAncestor(folders: ReadonlySet<string>, key: string): boolean {
  for (let dir = key; dir !== ''; dir = dirOfKey(dir)) if (folders.has(dir)) return true
  return false
}

function nameIn(dir: string, key: string): string {
  return dir === '' ? key : key.slice(dir.length + 1)
}

function filesOf(
  root: string,
  view: GitView,
  folder: Folder,
  reached: (dir: string) => boolean,
  tellsLinks: boolean,
): ListedFile[] {
  const { key, tracked, others } = folder
  const skip = bytesOfFolder(key)
  const files: ListedFile[] = []
  let last = ''
  for (const i of tracked) {
    const file = vouchedFile(view.tracked, i, skip)
    if (view.vouches && view.tracked.trust[i] === 'file' && !view.differing.has(rawPath(view.tracked, i))) {
      files.push(file)
    } else if (file.name !== last && reached(key)) {
      // A conflict has up to three entries for one file.
      const seen = examine(root, joinKey(key, file.name), file.name, tellsLinks)
      if (seen !== null) files.push(seen)
    }
    last = file.name
  }
  files.push(...others)
  return files
}

/** Whether a folder is reached through folders only: a tracked path whose folder became a link is gone. */
function folderCheck(root: string): (dir: string) => boolean {
  const known = new Map<string, boolean>([['', true]])
  const check = (dir: string): boolean => {
    let answer = known.get(dir)
    if (answer === undefined) {
      const stat = check(dirOfKey(dir)) ? look(root, dir) : 'gone'
      answer = stat === 'closed' || (stat !== 'gone' && stat.isDirectory())
      known.set(dir, answer)
    }
    return answer
  }
  return check
}
