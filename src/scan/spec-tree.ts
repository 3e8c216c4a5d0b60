// The three spec corpora as the contract finds them: a plain walk, no ignore rules, no limits, no links followed
// below the top (sheet spec-graph §1). The walk is the truth about names in every mode; git only vouches for content.
// The surprise: a folder that cannot be opened, or whose name is not valid UTF-8, is empty, but leaves a name with a
// reason behind.

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { dirOfKey, isMangledKey, joinKey } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { classifyLink, examine, isInside, look, nameOnly, readFolder, shownName } from './file-kind.ts'
import { blobOf, rawPath, sizeOf } from './git-index.ts'
import type { GitView } from './git-view.ts'
import { type ListedDir, type ListedFile, listedDir } from './listing.ts'

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
    const top = look(root, folder)
    if (top === 'gone') continue
    const state = top !== 'closed' && top.isSymbolicLink() ? linkedTop(root, folder) : FILE_STATE.ok
    if (state === FILE_STATE.ok) walk(folder, ending)
    else note('', folder, state)
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

/** A linked top folder is followed when it really lies inside the root (sheet spec-graph §0, row 1.4). */
function linkedTop(root: string, folder: string): number {
  try {
    const real = realpathSync(root)
    const target = realpathSync(`${root}/${folder}`)
    return target !== real && isInside(real, target) ? FILE_STATE.ok : FILE_STATE.outsideLink
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? FILE_STATE.linkLoop : FILE_STATE.outsideLink
  }
}

/** Folders of the spec family, and whether git vouches for every file in them. */
export interface SpecFound {
  readonly dirs: ReadonlyMap<string, ListedDir>
  readonly pure: boolean
}

/**
 * The spec family's files: the walk's names, with git's witness where git vouches, else a stat. `view` is null where
 * git did not answer; `now`: when the scan began, milliseconds.
 */
export function listSpec(root: string, tree: SpecTree, view: GitView | null, now: number): SpecFound {
  const tracked = view === null ? NOTHING : vouchedByKey(view)
  const dirs = new Map<string, ListedDir>()
  let pure = view !== null
  for (const [dir, names] of tree.dirs) {
    const files: ListedFile[] = []
    names.forEach(({ name, state }, i) => {
      if (names[i + 1]?.name === name) return
      const file =
        state === FILE_STATE.ok ? witness(root, joinKey(dir, name), name, view, tracked) : nameOnly(name, state)
      if (state === FILE_STATE.ok && file?.blob == null) pure = false
      if (file !== null) files.push(file)
    })
    if (files.length > 0) dirs.set(dir, listedDir(dir, files, now))
  }
  return { dirs, pure }
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

const NOTHING: ReadonlyMap<string, number> = new Map()

/** Tracked files below the corpora for which git vouches, by raw path. */
function vouchedByKey(view: GitView): ReadonlyMap<string, number> {
  const { tracked, differing } = view
  const found = new Map<string, number>()
  if (!view.vouches) return found
  for (let i = 0; i < tracked.from.length; i++) {
    const first = tracked.names[tracked.from[i] ?? 0]
    if (!FIRSTS.includes(first ?? 0) || tracked.trust[i] !== 'file') continue
    const raw = rawPath(tracked, i)
    if (!differing.has(raw)) found.set(raw, i)
  }
  return found
}

const FIRSTS = CORPORA.map(({ folder }) => folder.charCodeAt(0))

function witness(
  root: string,
  key: string,
  name: string,
  view: GitView | null,
  tracked: ReadonlyMap<string, number>,
): ListedFile | null {
  const i = tracked.size === 0 || isMangledKey(key) ? undefined : tracked.get(rawOf(key))
  if (i === undefined || view === null) return examine(root, key, name)
  return { name, blob: blobOf(view.tracked, i), size: sizeOf(view.tracked, i), stat: null, state: FILE_STATE.ok }
}

function rawOf(key: string): string {
  return /^[\x00-\x7f]*$/.test(key) ? key : Buffer.from(key, 'utf8').toString('latin1')
}
