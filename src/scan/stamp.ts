// By what a scan recognises, without reading git's index, that no more than a few named files of a family can have
// changed: the index' own checksum, the names that the walk found, where tracked links lead, and which files git did not
// vouch for. Kept by indexing/ beside the rows it speaks of. The surprise: a stamp proves nothing alone; git must also
// say which files differ and which are new, and those are looked at each time, as are the named ones. Only of a small
// spec corpus the sizes and times of all files say enough without asking git.

import type { LinkState } from './list-by-git.ts'

export interface Stamp {
  /** Of git's index, 40 hex digits; empty where that is not worth keeping. */
  readonly checksum: string
  /** Where the root lies in its repository. */
  readonly prefix: string
  /** namesDigest of the spec corpora; of other families the folders below which they lie. */
  readonly names: string
  readonly links: readonly LinkState[]
  /** Keys of tracked files that git did not vouch for, sorted. Of all others the rows are as git's index has them. */
  readonly others: readonly string[]
  /** Keys of untracked files, sorted. One that git names no more is ignored now, or gone. */
  readonly untracked: readonly string[]
  /** statsDigest of the spec corpora; empty for other families, and where it cannot vouch. */
  readonly stats: string
}

/** More files than this are not looked at one by one: the long way costs less. */
export const MOST_OTHERS = 200

/** The text of a stamp. */
export function stampText({ checksum, prefix, names, links, others, untracked, stats }: Stamp): string {
  return JSON.stringify([checksum, prefix, names, links, others, untracked, stats])
}

/** The stamp of a text; null for any other text. */
export function parseStamp(text: string | undefined): Stamp | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (!Array.isArray(value)) return null
    const [checksum, prefix, names, links, others, untracked, stats] = value as unknown[]
    if (typeof checksum !== 'string' || typeof prefix !== 'string' || typeof names !== 'string') return null
    if (typeof stats !== 'string' || !Array.isArray(links) || !links.every(isLinkState)) return null
    return areKeys(others) && areKeys(untracked) ? { checksum, prefix, names, links, others, untracked, stats } : null
  } catch {
    return null
  }
}

/**
 * True where one stamp proves what the other does in any checkout: sizes and times are of one checkout only, and a
 * restored index is not to be written for them.
 */
export function isSameStamp(a: string | null, b: string | null): boolean {
  return a === b || withoutStats(a) === withoutStats(b)
}

function withoutStats(text: string | null): string | null {
  const stamp = parseStamp(text ?? undefined)
  if (stamp === null) return text
  return stamp.checksum === '' ? null : stampText({ ...stamp, stats: '' })
}

function areKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string')
}

function isLinkState(value: unknown): value is LinkState {
  if (!Array.isArray(value)) return false
  const [key, state] = value as unknown[]
  return typeof key === 'string' && (state === null || typeof state === 'number')
}
