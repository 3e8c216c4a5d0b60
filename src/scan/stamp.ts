// By what a scan recognises a family in which nothing changed without reading git's index: the index' own checksum, the
// names that the walk found, and where tracked links lead. Kept by indexing/ beside the rows it speaks of.
// The surprise: a stamp proves nothing alone; git must also say that no file differs and that there is no new one.

import type { LinkState } from './list-by-git.ts'

export interface Stamp {
  /** Of git's index, 40 hex digits. */
  readonly checksum: string
  /** Where the root lies in its repository. */
  readonly prefix: string
  /** namesDigest of the spec corpora; empty for other families. */
  readonly names: string
  readonly links: readonly LinkState[]
}

/** The text of a stamp. */
export function stampText({ checksum, prefix, names, links }: Stamp): string {
  return JSON.stringify([checksum, prefix, names, links])
}

/** The stamp of a text; null for any other text. */
export function parseStamp(text: string | undefined): Stamp | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (!Array.isArray(value)) return null
    const [checksum, prefix, names, links] = value as unknown[]
    if (typeof checksum !== 'string' || typeof prefix !== 'string' || typeof names !== 'string') return null
    return Array.isArray(links) && links.every(isLinkState) ? { checksum, prefix, names, links } : null
  } catch {
    return null
  }
}

function isLinkState(value: unknown): value is LinkState {
  if (!Array.isArray(value)) return false
  const [key, state] = value as unknown[]
  return typeof key === 'string' && (state === null || typeof state === 'number')
}
