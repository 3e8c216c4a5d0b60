// What a name on disk really is, without following links out of the root. Answers are about names that a folder or git
// listed; "nothing there" and "may not be looked at" are different answers, since the second is still a source.

import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'
import { displayPath, isMangledKey, joinKey, keyOfBytes, rawPathOf } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import type { ListedFile } from './listing.ts'

/** lstat, `gone` where there is nothing, `closed` where it may not be looked at. */
export function look(root: string, key: string): Stats | 'gone' | 'closed' {
  const raw = rawPathOf(key)
  const file = typeof raw === 'string' ? `${root}/${raw}` : Buffer.concat([Buffer.from(`${root}/`), raw])
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? 'gone'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'gone' : 'closed'
  }
}

/**
 * The witness of a plain file, or what else a name with a source's ending is. Null where there is nothing to list, and
 * for links inside the root unless they are told of.
 */
export function examine(root: string, key: string, name: string, tellsLinks = false): ListedFile | null {
  const stat = look(root, key)
  if (stat === 'gone') return null
  // A name that is no valid UTF-8 cannot be read by contract (sheet spec-graph §1.8): the name alone is its witness.
  if (stat === 'closed' || (stat.isFile() && isMangledKey(key))) return nameOnly(name, FILE_STATE.ok)
  if (stat.isFile()) {
    const { size, mtimeMs, ctimeMs } = stat
    return { name, blob: null, size, stat: { size, mtimeMs, ctimeMs }, state: FILE_STATE.ok }
  }
  if (stat.isDirectory()) return null
  if (!stat.isSymbolicLink()) return nameOnly(name, FILE_STATE.notAFile)
  const state = classifyLink(root, key) ?? (tellsLinks ? FILE_STATE.notAFile : null)
  return state === null ? null : nameOnly(name, state)
}

/** A file of which only the name and a state are known. */
export function nameOnly(name: string, state: number): ListedFile {
  return { name, blob: null, size: null, stat: null, state }
}

/**
 * Judges a symbolic link: outsideLink, linkLoop, or null where it points at something inside the root (which is a
 * source under its own name) or at nothing.
 */
export function classifyLink(root: string, key: string): number | null {
  if (isMangledKey(key)) return null
  try {
    return isInside(realpathSync(root), realpathSync(`${root}/${key}`)) ? null : FILE_STATE.outsideLink
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? FILE_STATE.linkLoop : null
  }
}

/** True where one real path is another or lies below it. */
export function isInside(folder: string, place: string): boolean {
  const relative = path.relative(folder, place)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

/**
 * The entries of a folder; names that are not valid UTF-8 carry their raw bytes as source keys do, so that joinKey
 * makes a key of any of them. Throws what node:fs throws.
 */
export function readFolder(root: string, dir: string): Dirent[] {
  const folder = dir === '' ? root : `${root}/${dir}`
  const entries = readdirSync(folder, { withFileTypes: true })
  // A replacement character may stand for bytes that are no UTF-8: ask again for the bytes.
  if (!entries.some((entry) => entry.name.includes('\ufffd'))) return entries
  const before = dir === '' ? '' : `${Buffer.from(dir, 'utf8').toString('latin1')}/`
  const raw = readdirSync(folder, { withFileTypes: true, encoding: 'latin1' as BufferEncoding })
  for (const entry of raw) entry.name = keyOfBytes(before + entry.name).slice(joinKey(dir, '').length)
  return raw
}

/** The name of an entry as shown, without raw bytes. */
export function shownName(name: string): string {
  return displayPath(name)
}
