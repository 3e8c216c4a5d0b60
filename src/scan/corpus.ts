// The spec corpus read straight from disk, without any index: discovery, texts and fingerprint of the contract. Used
// where the contract asks for the disk (a given JSON's staleness, the compat validator, a hash nobody cached).

import { createHash } from 'node:crypto'
import { compareUtf16 } from '../model/order.ts'
import { displayPath, joinKey } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { decodeChunks, readChunks, readSource, type SourceRead } from './read.ts'
import { walkSpecTree } from './spec-tree.ts'

export interface CorpusFile {
  /** Source key: path, with a raw-bytes suffix where the name is not valid UTF-8. */
  readonly key: string
  readonly path: string
}

/** All files of the three corpora below `root`, sorted by path in UTF-16 code units (sheet spec-graph §1). */
export function listCorpus(root: string): CorpusFile[] {
  const files: CorpusFile[] = []
  for (const [dir, names] of walkSpecTree(root).dirs) {
    for (const { name, state } of names) {
      if (state !== FILE_STATE.ok) continue
      const key = joinKey(dir, name)
      files.push({ key, path: displayPath(key) })
    }
  }
  return files.sort((a, b) => compareUtf16(a.path, b.path))
}

/** The decoded text of a corpus file; empty where it cannot be read (sheet spec-graph §2). Up to 512 MiB. */
export function readCorpusText(root: string, key: string): string {
  const read = readSource(root, key)
  if (read.kind === 'text') return read.text
  return read.kind === 'large' ? [...decodeChunks(readChunks(root, key))].join('') : ''
}

/** Told of every file as it was read for a fingerprint. */
export type Seen = (key: string, read: SourceRead) => void

/** Feeds one file into a corpus fingerprint: path, NUL, decoded and re-encoded text, NUL. */
function feed(hash: ReturnType<typeof createHash>, root: string, file: CorpusFile, seen: Seen): void {
  hash.update(file.path).update('\0')
  const read = readSource(root, file.key)
  seen(file.key, read)
  // Valid bytes are their own re-encoding.
  if (read.kind === 'text') hash.update(read.valid ? read.bytes : read.text)
  else if (read.kind === 'large') for (const text of decodeChunks(readChunks(root, file.key))) hash.update(text)
  hash.update('\0')
}

/**
 * The fingerprint of some corpus files in the order given, 64 small hex digits. Streams large files.
 * Source: seed 000 "`builtFromHash` — input fingerprint"; sheet spec-graph §3.
 */
export function fingerprintOf(root: string, files: readonly CorpusFile[], seen: Seen): string {
  const hash = createHash('sha256')
  for (const file of files) feed(hash, root, file, seen)
  return hash.digest('hex')
}

/** The fingerprint of the corpus as it lies on disk now. */
export function corpusHash(root: string): string {
  return fingerprintOf(root, listCorpus(root), () => {})
}
