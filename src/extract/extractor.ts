// What an extractor is: text in, facts out. It touches no disk, knows no other file, and never throws for what the
// text says: that becomes a problem fact.

import type { Facts } from '../model/facts.ts'
import type { Family } from '../model/families.ts'

/** One decoded source. Large files come only as lines, so that no extractor needs the whole text in memory. */
export interface SourceText {
  /** Relative to the root, `/`-separated, decoded (malformed name bytes are U+FFFD). */
  readonly path: string
  /** The whole text, or null where it is too large to hold. */
  readonly text: string | null
  /** The text cut at LF only (CR stays); a trailing LF yields one last empty line. */
  readonly lines: () => Iterable<string>
}

export interface Extractor {
  readonly family: Family
  /** Part of the family's fingerprint: raising it re-extracts every file of the family, once. */
  readonly version: number
  readonly extract: (source: SourceText) => Facts
}
