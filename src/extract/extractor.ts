// What an extractor is: text in, facts out. It touches no disk, knows no other file, and never throws for what the
// text says: that becomes a problem fact.

import type { Config } from '../model/config.ts'
import type { Facts } from '../model/facts.ts'
import type { Family } from '../model/families.ts'
import type { Layout } from '../model/layout.ts'

/** One decoded source. Large files come only as lines, so that no extractor needs the whole text in memory. */
export interface SourceText {
  /** Relative to the root, `/`-separated, decoded (malformed name bytes are U+FFFD). */
  readonly path: string
  /** The whole text, or null where it is too large to hold. */
  readonly text: string | null
  /** The text cut at LF only (CR stays); a trailing LF yields one last empty line. */
  readonly lines: () => Iterable<string>
}

/** What an extractor may know beside the text: all of it is part of the fingerprint of its family. */
export interface ExtractContext {
  readonly config: Config
  readonly layout: Layout
}

export interface Extractor {
  readonly family: Family
  /** Part of the family's fingerprint: raising it re-extracts every file of the family, once. */
  readonly version: number
  /** False where the bytes can hold nothing for this extractor; they are not decoded then. */
  readonly concerns?: (bytes: Buffer) => boolean
  readonly extract: (source: SourceText, context: ExtractContext) => Facts
}
