// Files of the working tree as the ledger looks at them: each is read once, its blob id computed in process. Annotations
// are other people's text, so a path is followed only inside the root: no `..`, no folder that is a link out of it.
// The surprise: a link is its own text, as in git, and is never followed.

import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readSource } from '../scan/read.ts'
import { linesOf } from './definitions.ts'

/** Larger files are not looked into: they count as there and unknown. */
const LARGEST = 8 * 1024 * 1024

/** `unknown`: a folder, a file too large or one that may not be read. */
export type TreeFile = { readonly kind: 'unknown' } | TextFile

export interface TextFile {
  readonly kind: 'text'
  readonly lines: readonly string[]
  /** Whether these bytes, taken as they are, have this blob id (SHA-1 or SHA-256). */
  readonly isBlob: (id: string) => boolean
}

/** True for a path relative to the root that leads nowhere else by its letters alone. */
export function isPlainPath(name: string): boolean {
  if (name === '' || /[\0\n\r\\]/.test(name)) return false
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

export class TreeFiles {
  readonly #root: string | null
  readonly #files = new Map<string, TreeFile | null>()
  readonly #folders = new Map<string, boolean>()

  /** `root`: absolute; null where there is no working tree. */
  constructor(root: string | null) {
    this.#root = root === null ? null : real(root)
  }

  /** Whether anything but a folder stands there. */
  exists(name: string): boolean {
    const place = this.#place(name)
    if (place === null) return false
    return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === false
  }

  /** Null: nothing is there. */
  get(name: string): TreeFile | null {
    let file = this.#files.get(name)
    if (file === undefined) {
      file = this.#read(name)
      this.#files.set(name, file)
    }
    return file
  }

  #read(name: string): TreeFile | null {
    const place = this.#place(name)
    if (place === null || this.#root === null) return null
    const stat = lstatSync(place, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (stat.isSymbolicLink()) return linkText(place)
    if (!stat.isFile()) return { kind: 'unknown' }
    const read = readSource(this.#root, name, LARGEST)
    if (read.kind === 'unreadable' && read.gone) return null
    // The bytes are valid until the next read only: what is kept of them is taken out here.
    return read.kind === 'text' ? textFile(read.text, read.bytes) : { kind: 'unknown' }
  }

  /** The absolute place, or null where the path leads out of the root or through something that is no folder. */
  #place(name: string): string | null {
    if (this.#root === null || !isPlainPath(name)) return null
    const slash = name.lastIndexOf('/')
    return slash < 0 || this.#isInside(name.slice(0, slash)) ? `${this.#root}/${name}` : null
  }

  #isInside(folder: string): boolean {
    let inside = this.#folders.get(folder)
    if (inside === undefined) {
      const found = real(`${this.#root}/${folder}`)
      inside = found?.startsWith(this.#root === path.sep ? path.sep : `${this.#root}${path.sep}`) === true
      this.#folders.set(folder, inside)
    }
    return inside
  }
}

function real(place: string): string | null {
  try {
    return realpathSync.native(place)
  } catch {
    return null
  }
}

function linkText(place: string): TreeFile {
  try {
    const bytes = readlinkSync(place, 'buffer')
    return textFile(bytes.toString('utf8'), bytes)
  } catch {
    return { kind: 'unknown' }
  }
}

function textFile(text: string, bytes: Buffer): TextFile {
  const sha1 = blobId('sha1', bytes)
  let lines: readonly string[] | null = null
  return {
    kind: 'text',
    get lines() {
      lines ??= linesOf(text)
      return lines
    },
    // Repositories with SHA-256 ids are rare; theirs are made from the text, which suits valid UTF-8 only.
    isBlob: (id) => id === sha1 || (id.length === 64 && id === blobId('sha256', Buffer.from(text, 'utf8'))),
  }
}

function blobId(algorithm: 'sha1' | 'sha256', bytes: Buffer): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
