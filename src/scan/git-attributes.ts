// Whether git may change bytes between the repository and the disk. Line ends and $Id$ only ever change the size too,
// and the witness of a tracked file holds blob id and size, so a row whose bytes were hashed once stays right under
// them. Filters (LFS) and encodings need not change the size: where they may apply, the bytes are hashed.
// The surprise: some conversions that are harmless are named here all the same, because where a checkout is known to
// convert, size and times are the cheaper witness.

import { readFileSync } from 'node:fs'

/** How much of a tracked file's witness is known: with the size, line-end conversions show; without, they may not. */
export type WitnessKind = 'blob-and-size' | 'blob'

const CONVERTING: Readonly<Record<WitnessKind, RegExp>> = {
  'blob-and-size': /^(filter|ident|working-tree-encoding)(=.*)?$|^eol=crlf$/,
  blob: /^(text|eol|crlf|filter|ident|working-tree-encoding)(=.*)?$/,
}

/**
 * True if any of the attribute files could make git convert a file with one of the endings (lower case, with dot) in a
 * way that the witness does not show. A file that is not there counts as empty, one that cannot be read as converting.
 */
export function mentionsConversion(
  files: readonly string[],
  endings: readonly string[],
  witness: WitnessKind,
): boolean {
  return files.some((file) => {
    const text = readAttributes(file)
    return text === null || text.split('\n').some((line) => converts(line, endings, witness))
  })
}

function readAttributes(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === 'ENOENT' || code === 'ENOTDIR' ? '' : null
  }
}

/** True if one attribute line could convert a file with one of the endings. */
export function converts(line: string, endings: readonly string[], witness: WitnessKind): boolean {
  const words = line.trim().split(/\s+/)
  const pattern = words[0] ?? ''
  if (pattern === '' || pattern.startsWith('#')) return false
  if (!words.slice(1).some((word) => CONVERTING[witness].test(word))) return false
  if (pattern.startsWith('[attr]')) return true
  // `*.png filter=lfs` and `package-lock.json text` cannot name a Markdown file: the literal ending says so.
  const ending = /\.[A-Za-z0-9_-]+$/.exec(pattern.toLowerCase())
  return ending === null || endings.includes(ending[0])
}
