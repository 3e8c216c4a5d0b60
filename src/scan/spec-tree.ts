// The three spec corpora as the contract finds them: a plain walk, no ignore rules, no limits, no links followed
// below the top (sheet spec-graph §1). The walk is the truth about names in every mode; git only vouches for content.
// The surprise: a folder that cannot be opened, or whose name is not valid UTF-8, is empty, but leaves a name with a
// reason behind.

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { dirOfKey, isMangledKey, joinKey, keyOfBytes } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { classifyLink, examine, isInside, look, nameOnly, readFolder, shownName } from './file-kind.ts'
import { rawPath, type TrackedTable } from './git-index.ts'
import type { GitView } from './git-view.ts'
import { isRacy, type ListedDir, type ListedFile, listedDir } from './listing.ts'
import { bytesOfFolder, visitTracked, vouchedDir, vouchedFile } from './tracked-folders.ts'

/** The corpora and the ending of their files. */
export const CORPORA = [
  { folder: 'commands', ending: '.md' },
  { folder: 'scripts', ending: '.sh' },
  { folder: 'devdocs', ending: '.md' },
] as const

/** A name found by the walk; plain files have the state `ok`. */
export interface SpecName {
  readonly name: string
  readonly state: number
}

export interface SpecTree {
  /** Folder key → names in it, in UTF-16 order. */
  readonly dirs: ReadonlyMap<string, readonly SpecName[]>
  /** Attribute files met on the way, absolute. */
  readonly attributeFiles: readonly string[]
}

/** Walks the three corpora below `root`. Missing, unreadable and non-folder tops are empty. */
export function walkSpecTree(root: string): SpecTree {
  const dirs = new Map<string, SpecName[]>()
  const attributeFiles: string[] = []
  const note = (dir: string, name: string, state: number): void => {
    const names = dirs.get(dir)
    if (names === undefined) dirs.set(dir, [{ name, state }])
    else names.push({ name, state })
  }

  const walk = (dir: string, ending: string): void => {
    let entries: ReturnType<typeof readFolder>
    try {
      entries = readFolder(root, dir)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      // A top folder that is none, or a folder that went away under us.
      if (code === 'ENOTDIR' || code === 'ENOENT') return
      const parent = dirOfKey(dir)
      note(parent, parent === '' ? dir : dir.slice(parent.length + 1), FILE_STATE.unreadableFolder)
      return
    }
    for (const entry of entries) {
      const { name } = entry
      const shown = shownName(name)
      if (entry.isDirectory()) {
        if (shown.startsWith('.') || shown === 'node_modules') continue
        if (shown !== name) note(dir, name, FILE_STATE.unreadableFolder)
        else {
          if (name.endsWith(ending)) note(dir, name, FILE_STATE.notAFile)
          walk(joinKey(dir, name), ending)
        }
      } else if (shown.endsWith(ending)) {
        const state = entry.isFile() ? FILE_STATE.ok : oddState(root, joinKey(dir, name), entry.isSymbolicLink())
        if (state !== null) note(dir, name, state)
      } else if (name === '.gitattributes') attributeFiles.push(`${root}/${dir}/${name}`)
    }
  }

  for (const { folder, ending } of CORPORA) {
    const state = topState(root, folder)
    if (state === FILE_STATE.ok) walk(folder, ending)
    else if (state !== null) note('', folder, state)
  }
  for (const names of dirs.values()) names.sort(byName)
  return { dirs, attributeFiles }
}

function byName(a: SpecName, b: SpecName): number {
  // An unreadable folder with the ending of a source is noted twice under one name: the worse state comes last.
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.state - b.state
}

function oddState(root: string, key: string, isLink: boolean): number | null {
  return isLink ? classifyLink(root, key) : FILE_STATE.notAFile
}

/**
 * `ok` where the top folder of a corpus may be entered, null where there is none, else why not: a linked one is
 * followed when it really lies inside the root, in both modes (sheet spec-graph §0, row 1.4).
 */
export function topState(root: string, folder: string): number | null {
  const top = look(root, folder)
  if (top === 'gone') return null
  if (top === 'closed' || !top.isSymbolicLink()) return FILE_STATE.ok
  try {
    const real = realpathSync(root)
    const target = realpathSync(`${root}/${folder}`)
    return target !== real && isInside(real, target) ? FILE_STATE.ok : FILE_STATE.outsideLink
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // A link to nothing is no folder, wherever it points.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    return code === 'ELOOP' ? FILE_STATE.linkLoop : FILE_STATE.outsideLink
  }
}

/** Folders of the spec family. */
export interface SpecFound {
  readonly dirs: ReadonlyMap<string, ListedDir>
  /** Keys of files that git does not vouch for, in no order; null where it vouches for nothing. */
  readonly others: readonly string[] | null
}

/**
 * The spec family's files: the walk's names, with git's witness where git vouches, else a stat. `view` is null where
 * git did not answer; `now`: when the scan began, milliseconds.
 */
export function listSpec(root: string, tree: SpecTree, view: GitView | null, now: number): SpecFound {
  const tracked = view === null ? NOTHING : vouchedByFolder(view)
  const dirs = new Map<string, ListedDir>()
  const others: string[] = []
  for (const [dir, names] of tree.dirs) {
    const entries = tracked.get(dir) ?? []
    if (view !== null && areNames(view.tracked, entries, bytesOfFolder(dir), names)) {
      dirs.set(dir, vouchedDir(view.tracked, dir, entries))
      continue
    }
    const known = view === null ? NO_FILES : vouchedFiles(view, entries, dir)
    const files: ListedFile[] = []
    names.forEach(({ name, state }, i) => {
      if (names[i + 1]?.name === name) return
      const vouched = state === FILE_STATE.ok ? known.get(name) : undefined
      const key = joinKey(dir, name)
      if (state === FILE_STATE.ok && vouched === undefined) others.push(key)
      const file = state === FILE_STATE.ok ? (vouched ?? examine(root, key, name)) : nameOnly(name, state)
      if (file !== null) files.push(file)
    })
    if (files.length > 0) dirs.set(dir, listedDir(dir, files, now))
  }
  return { dirs, others: view?.vouches === true && !others.some(isMangledKey) ? others : null }
}

/**
 * What there is now of the files that git names, and of those known, where the walk found the same names as then: those
 * that it passed over are no sources.
 */
export function lookAtSpecs(
  root: string,
  tree: SpecTree,
  differing: readonly string[],
  known: readonly string[],
): ReadonlyMap<string, ListedFile | null> {
  const files = new Map<string, ListedFile | null>()
  for (const key of new Set([...known, ...differing.map(keyOfBytes)])) {
    const dir = dirOfKey(key)
    const name = dir === '' ? key : key.slice(dir.length + 1)
    const isSource = tree.dirs.get(dir)?.some((one) => one.name === name && one.state === FILE_STATE.ok)
    if (isSource === true) files.set(key, examine(root, key, name))
  }
  return files
}

/** A hash over all names of the walk and what they are. */
export function namesDigest({ dirs }: SpecTree): string {
  const hash = createHash('sha1')
  for (const dir of [...dirs.keys()].sort()) {
    let text = `${dir}\0`
    for (const { name, state } of dirs.get(dir) ?? [])
      text += state === FILE_STATE.ok ? `${name}\0` : `${name}\0${state}\0`
    // A name cannot be empty: the end of the folder.
    hash.update(`${text}\0`)
  }
  return hash.digest('hex')
}

/** With more files than this it is quicker to ask git which of them differ. */
const MOST_STATS = 3_000

/**
 * A hash over all names of the walk and the sizes and times of their files: while it is the same, so are their contents.
 * Null where it would not say so: a file is too young (see isRacy; `now`: when the scan began), or cannot be looked at;
 * and where there are many.
 */
export function statsDigest(root: string, tree: SpecTree, now: number): string | null {
  let count = 0
  for (const names of tree.dirs.values()) count += names.length
  if (count > MOST_STATS) return null
  const hash = createHash('sha1').update(namesDigest(tree))
  for (const dir of [...tree.dirs.keys()].sort()) {
    for (const { name, state } of tree.dirs.get(dir) ?? []) {
      if (state !== FILE_STATE.ok) continue
      const stat = look(root, joinKey(dir, name))
      if (typeof stat === 'string' || !stat.isFile() || isRacy(stat, now)) return null
      // Its number as well: a folder that is put in the place of another leaves the times of its files alone.
      hash.update(`${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} `)
    }
  }
  return hash.digest('hex')
}

const NOTHING: ReadonlyMap<string, number[]> = new Map()
const NO_FILES: ReadonlyMap<string, ListedFile> = new Map()

/** Tracked files of the corpora for which git vouches, by folder and in git's order. */
function vouchedByFolder({ tracked, differing, vouches }: GitView): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>()
  if (!vouches) return found
  const folderOf = (key: string): number[] | null => {
    if (!CORPORA.some(({ folder }) => key.startsWith(folder))) return null
    const entries = found.get(key) ?? []
    found.set(key, entries)
    return entries
  }
  visitTracked(tracked, null, folderOf, (entries, i) => {
    if (tracked.trust[i] === 'file' && (differing.size === 0 || !differing.has(rawPath(tracked, i)))) entries.push(i)
  })
  return found
}

/** True where the entries are exactly the names, all of them plain files. `skip`: bytes of each path that are folder. */
function areNames(
  { names, from, to }: TrackedTable,
  entries: readonly number[],
  skip: number,
  wanted: readonly SpecName[],
): boolean {
  if (entries.length !== wanted.length) return false
  for (let n = 0; n < entries.length; n++) {
    const i = entries[n] ?? 0
    const start = (from[i] ?? 0) + skip
    const { name, state } = wanted[n] ?? NOBODY
    if (state !== FILE_STATE.ok || (to[i] ?? 0) - start !== name.length) return false
    // Only of plain ASCII names are there as many characters as bytes, and each the same.
    for (let j = 0; j < name.length; j++) if (names[start + j] !== name.charCodeAt(j)) return false
  }
  return true
}

const NOBODY: SpecName = { name: '', state: FILE_STATE.notAFile }

function vouchedFiles({ tracked }: GitView, entries: readonly number[], dir: string): ReadonlyMap<string, ListedFile> {
  const skip = bytesOfFolder(dir)
  return new Map(entries.map((i) => vouchedFile(tracked, i, skip)).map((file) => [file.name, file]))
}
