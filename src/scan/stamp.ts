// By what a scan recognises, without reading git's index, that no more than a few named files of a family can have
// changed: the index' own checksum, the names that the walk found, where tracked links lead, and which files git did not
// vouch for. Kept by indexing/ beside the rows it speaks of. The surprise: a stamp proves nothing alone; git must also
// say which files differ and which are new, and those are looked at each time, as are the named ones.

import type { LinkState } from './list-by-git.ts'

export interface Stamp {
  /** Of git's index, 40 hex digits. */
  readonly checksum: string
  /** Where the root lies in its repository. */
  readonly prefix: string
  /** namesDigest of the spec corpora; empty for other families. */
  readonly names: string
  readonly links: readonly LinkState[]
  /** Keys of the files that git did not vouch for, sorted. Of all others the rows are as git's index has them. */
  readonly others: readonly string[]
}

/** More files than this are not looked at one by one: the long way costs less. */
export const MOST_OTHERS = 200

/** The text of a stamp. */
export function stampText({ checksum, prefix, names, links, others }: Stamp): string {
  return JSON.stringify([checksum, prefix, names, links, others])
}

/** The stamp of a text; null for any other text. */
export function parseStamp(text: string | undefined): Stamp | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (!Array.isArray(value)) return null
    const [checksum, prefix, names, links, others] = value as unknown[]
    if (typeof checksum !== 'string' || typeof prefix !== 'string' || typeof names !== 'string') return null
    if (!Array.isArray(links) || !links.every(isLinkState) || !Array.isArray(others)) return null
    return others.every((key) => typeof key === 'string') ? { checksum, prefix, names, links, others } : null
  } catch {
    return null
  }
}

function isLinkState(value: unknown): value is LinkState {
  if (!Array.isArray(value)) return false
  const [key, state] = value as unknown[]
  return typeof key === 'string' && (state === null || typeof state === 'number')
}
