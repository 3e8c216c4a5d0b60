// Shape and defaults of `.specdex/config.yml`. Parsing and checking live in extract/config.ts, because YAML does.
// The index location is deliberately no key: it comes from --db and SPECDEX_DB only (ARCHITECTURE §5).

import type { Family } from './families.ts'
import type { SpecMode } from './vocabulary.ts'

export interface Config {
  /** Folders (globs allowed) in which the docs family looks, relative to the root. */
  readonly roots: readonly string[]
  /** Globs of documents, relative to the root; empty: every `*.md` below the roots. */
  readonly include: readonly string[]
  /** Globs that are left out of the docs family. The three spec corpora are exempt. */
  readonly ignore: readonly string[]
  readonly families: readonly Family[]
  readonly compat: SpecMode
  readonly limits: {
    /** Bytes above which a docs file is skipped with a reason. */
    readonly file_bytes: number
    /** Milliseconds to wait for another process that holds the index. */
    readonly busy_ms: number
    /** Milliseconds after which `specdex sql` is stopped. */
    readonly sql_ms: number
    /** Rows after which `specdex sql` cuts and says so. */
    readonly sql_rows: number
  }
  readonly spec: {
    /** Further markers (`FORGE:NAME`) that the validator takes for inline scaffolding. */
    readonly scaffold_markers: readonly string[]
  }
}

export const DEFAULT_CONFIG: Config = {
  roots: ['.'],
  include: [],
  ignore: [],
  families: ['spec', 'docs'],
  compat: 'default',
  limits: { file_bytes: 8 * 1024 * 1024, busy_ms: 10_000, sql_ms: 10_000, sql_rows: 10_000 },
  spec: { scaffold_markers: [] },
}
