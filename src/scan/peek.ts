// A few looks at a folder, for finding out what is kept where: which names there are, and short texts. Nothing that a
// symbolic link leads out of the root is seen, and nothing is an error: what cannot be looked at is not there.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { isInside } from './file-kind.ts'

export interface PeekEntry {
  readonly name: string
  readonly folder: boolean
}

/** Looks below one folder; paths are relative to it and `/`-separated. */
export interface Peek {
  readonly exists: (path: string) => boolean
  /** What the folder itself is; one that cannot be opened holds, for all that is known, something. */
  readonly state: () => 'gone' | 'empty' | 'there'
  /** True where a symbolic link stands on the way to `path`, or there. */
  readonly isLinked: (path: string) => boolean
  /** True where a symbolic link leads `path` out of the root, to something that is there. */
  readonly leadsOut: (path: string) => boolean
  /** Names in a folder that are symbolic links to folders, inside the root or out of it. */
  readonly linkedFolders: (dir: string) => readonly string[]
  /** Entries by name; empty where there is no such folder. */
  readonly list: (dir: string) => readonly PeekEntry[]
  /** The text of a file of at most 1 MiB, else null. */
  readonly read: (path: string) => string | null
}

const MOST_BYTES = 1024 * 1024

/** Looks below `folder` (relative to the absolute `root`); see the head of this file for what is not seen. */
export function peekAt(root: string, folder: string): Peek {
  const base = folder === '' ? root : `${root}/${folder}`
  const top = quietly(() => realpathSync(root))
  const real = (path: string): string | null => quietly(() => realpathSync(path === '' ? base : `${base}/${path}`))
  const inRoot = (found: string): boolean => top !== null && isInside(top, found)
  /** The real place, or null where it is not below the root. */
  const place = (path: string): string | null => {
    const found = real(path)
    return found !== null && inRoot(found) ? found : null
  }
  return {
    exists: (path) => place(path) !== null,
    state: () => {
      const found = place('')
      if (found === null || quietly(() => statSync(found).isDirectory()) !== true) return 'gone'
      return quietly(() => readdirSync(found).length) === 0 ? 'empty' : 'there'
    },
    isLinked: (path) => {
      const names = (folder === '' ? path : `${folder}/${path}`).split('/').filter((name) => name !== '')
      return names.some(
        (_, i) => quietly(() => lstatSync(`${root}/${names.slice(0, i + 1).join('/')}`).isSymbolicLink()) === true,
      )
    },
    leadsOut: (path) => {
      const found = real(path)
      return found !== null && !inRoot(found)
    },
    linkedFolders: (dir) => {
      const folder = place(dir)
      const entries = folder === null ? [] : (quietly(() => readdirSync(folder, { withFileTypes: true })) ?? [])
      return entries
        .filter((entry) => entry.isSymbolicLink() && quietly(() => statSync(`${folder}/${entry.name}`).isDirectory()))
        .map(({ name }) => name)
        .sort()
    },
    list: (dir) => {
      const folder = place(dir)
      const entries = folder === null ? [] : (quietly(() => readdirSync(folder, { withFileTypes: true })) ?? [])
      return entries
        .map((entry) => ({
          name: entry.name,
          folder: entry.isDirectory() || (entry.isSymbolicLink() && isFolder(entry.name, dir)),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    read: (path) => {
      const found = place(path)
      return found === null ? null : quietly(() => readText(found))
    },
  }

  function isFolder(name: string, dir: string): boolean {
    const found = place(dir === '' ? name : `${dir}/${name}`)
    return found !== null && (quietly(() => statSync(found).isDirectory()) ?? false)
  }
}

function readText(file: string): string | null {
  // A FIFO must not hang us.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile() || stat.size > MOST_BYTES) return null
    const bytes = Buffer.alloc(stat.size)
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, stat.size, 0))
  } finally {
    closeSync(fd)
  }
}

function quietly<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}
