// Shape and defaults of `.specdex/config.yml`. Parsing and checking live in extract/config.ts, because YAML does.
// The index location is deliberately no key: it comes from --db and SPECDEX_DB only (ARCHITECTURE §5).

import type { Family } from './families.ts'
import type { CustomConvention } from './layout.ts'
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
  readonly graph: {
    /** Code points of a title in diagrams, the ellipsis included. */
    readonly title_max: number
    /** Comment openers beyond the usual ones, e.g. `--`. */
    readonly openers: readonly string[]
    /** Endings (`.foo`) or whole names of files that are source code beyond the known ones. */
    readonly sources: readonly string[]
    /** Conventions as `name` or `name:folder` instead of what would be detected; empty: detect. */
    readonly conventions: readonly string[]
    /** Definitions of conventions of the user's own, by name. */
    readonly custom: Readonly<Record<string, CustomConvention>>
  }
  readonly ledger: {
    /** `owner/name` of the repository whose annotations are kept; empty: that of the remote `origin`. */
    readonly repo: string
    /** Author associations whose annotations count. */
    readonly trust: readonly string[]
    /** Logins whose annotations count as well. */
    readonly trusted_bots: readonly string[]
    /** Base address of the REST API; GitHub Enterprise has its own. */
    readonly api: string
    /** Mirror the ledger on the branch `forge-knowledge` after each update. */
    readonly mirror: boolean
  }
}

export const DEFAULT_CONFIG: Config = {
  roots: ['.'],
  include: [],
  ignore: [],
  families: ['spec', 'docs', 'artifact', 'code'],
  compat: 'default',
  limits: { file_bytes: 8 * 1024 * 1024, busy_ms: 10_000, sql_ms: 10_000, sql_rows: 10_000 },
  spec: { scaffold_markers: [] },
  graph: { title_max: 60, openers: [], sources: [], conventions: [], custom: {} },
  ledger: {
    repo: '',
    trust: ['OWNER', 'MEMBER', 'COLLABORATOR'],
    trusted_bots: [],
    api: 'https://api.github.com',
    mirror: false,
  },
}
