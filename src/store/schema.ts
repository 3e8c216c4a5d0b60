// The tables as drizzle declarations: what drizzle-kit generates `migrations/` from, and the row types of cold reads.
// drizzle knows neither STRICT nor WITHOUT ROWID nor views, so the generated SQL is completed by hand; a test reads
// `PRAGMA table_list` and compares columns. All hot statements are prepared SQL in store/queries and store/writer.ts.

import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The only string store: paths, node ids, reference texts. */
export const key = sqliteTable('key', {
  id: integer().primaryKey(),
  text: text().notNull().unique(),
})

/** One row per source. `id` is the key of its path: no second copy of the path and no second index. */
export const file = sqliteTable('file', {
  id: integer().primaryKey(),
  /** Bit set of families (model/families.ts). */
  family: integer().notNull(),
  /** Bytes on disk. */
  size: integer().notNull(),
  /** mtime and ctime in milliseconds (two doubles); NULL where git vouches for the content. */
  stat: blob({ mode: 'buffer' }),
  /** 20 bytes: git blob id. 32 bytes: sha256 of the bytes on disk. */
  oid: blob({ mode: 'buffer' }).notNull(),
  /** model/vocabulary.ts FILE_STATE. */
  state: integer().notNull(),
})

/** Facts: declared and named nodes. */
export const node = sqliteTable(
  'node',
  {
    file: integer().notNull(),
    ord: integer().notNull(),
    key: integer().notNull(),
    kind: integer().notNull(),
    own: integer().notNull(),
    title: text(),
    status: text(),
    line: integer(),
  },
  (t) => [primaryKey({ columns: [t.file, t.ord] }), index('node_key').on(t.key, t.kind)],
)

/** model/vocabulary.ts KINDS, mirrored for people who ask in SQL. */
export const nodeKind = sqliteTable('node_kind', {
  id: integer().primaryKey(),
  name: text().notNull(),
  family: text().notNull(),
})

/** model/vocabulary.ts EDGE_TYPES, mirrored for people who ask in SQL. */
export const edgeType = sqliteTable(
  'edge_type',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    family: text().notNull(),
    rule: text().notNull(),
    inverse: text(),
    authorIsUp: integer('author_is_up').notNull(),
    rank: integer().notNull(),
    /** 1: belongs to the default graph and so to the public views. */
    listed: integer().notNull(),
  },
  (t) => [index('edge_type_name').on(t.name)],
)

/** Facts: one row per sighting of a reference, oriented when written: `down` depends on `up`. */
export const edge = sqliteTable(
  'edge',
  {
    file: integer().notNull(),
    ord: integer().notNull(),
    up: integer().notNull(),
    down: integer().notNull(),
    type: integer().notNull(),
    line: integer(),
    note: text(),
  },
  (t) => [
    primaryKey({ columns: [t.file, t.ord] }),
    index('edge_up').on(t.up, t.type, t.down),
    index('edge_down').on(t.down, t.type, t.up),
  ],
)

/** Facts: what is wrong in a source's text. */
export const problem = sqliteTable(
  'problem',
  {
    file: integer().notNull(),
    ord: integer().notNull(),
    code: text().notNull(),
    severity: integer().notNull(),
    line: integer(),
    detail: text(),
    /** The front matter field or comment marker that it is about. */
    field: text(),
    /** What the field named, as typed. */
    target: text(),
  },
  (t) => [primaryKey({ columns: [t.file, t.ord] })],
)

/** Facts: other names of nodes. */
export const alias = sqliteTable(
  'alias',
  {
    file: integer().notNull(),
    ord: integer().notNull(),
    /** Key of the other name. */
    ref: integer().notNull(),
    /** Key of the node. */
    key: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.file, t.ord] }),
    index('alias_ref').on(t.ref, t.key),
    index('alias_key').on(t.key, t.ref),
  ],
)

/** What a folder looked like when its rows were written: proves "unchanged" without reading the rows. */
export const dir = sqliteTable(
  'dir',
  {
    /** Bit of one family. */
    family: integer().notNull(),
    path: text().notNull(),
    /** Rows of the family directly in this folder: fewer found means that some were removed. */
    files: integer().notNull(),
    /** NULL: cannot vouch (a file changed too recently); compare the rows. */
    digest: blob({ mode: 'buffer' }),
  },
  (t) => [primaryKey({ columns: [t.family, t.path] })],
)

/** The ledger: repositories whose annotations are held. No foreign key ties it to files. */
export const ledgerRepo = sqliteTable('ledger_repo', {
  id: integer().primaryKey(),
  /** `owner/name`. */
  name: text().notNull().unique(),
  /** Greatest update time up to which a listing completed; NULL: never. */
  watermark: text(),
  /** Fingerprint of the trust filter that the cards were made under. */
  trust: text().notNull(),
})

export const issue = sqliteTable(
  'issue',
  {
    id: integer().primaryKey(),
    repo: integer().notNull(),
    number: integer().notNull(),
    pull: integer().notNull(),
    /** 1: open. */
    open: integer().notNull(),
    /** `updated_at` as GitHub gave it when the cards were made. */
    updated: text().notNull(),
    /** Over the issue's cards: sheet ledger §3.4. */
    hash: text().notNull(),
    /** Annotations that the trust filter left out. */
    ignored: integer().notNull(),
    /** Issue comments that GitHub counted when the cards were made; NULL: unknown. A listing shows the number as well. */
    comments: integer(),
  },
  (t) => [uniqueIndex('issue_number').on(t.repo, t.number)],
)

export const card = sqliteTable(
  'card',
  {
    id: integer().primaryKey(),
    issue: integer().notNull(),
    /** Place in model/ledger.ts CARD_KINDS. */
    kind: integer().notNull(),
    seq: integer().notNull(),
    /** Days since 1970 of createdAt. */
    day: integer().notNull(),
    /** Distinct tokens, the length that BM25 divides by. */
    length: integer().notNull(),
    /** The card as compact JSON, keys in the order of CARD_KEYS. */
    content: text().notNull(),
  },
  (t) => [
    uniqueIndex('card_seq').on(t.issue, t.kind, t.seq),
    // What ranking needs of every card, without its content.
    index('card_facts').on(t.kind, t.day, t.length),
  ],
)

export const cardPath = sqliteTable(
  'card_path',
  { path: text().notNull(), card: integer().notNull(), base: text().notNull() },
  (t) => [
    primaryKey({ columns: [t.path, t.card] }),
    index('card_path_base').on(t.base, t.card),
    index('card_path_card').on(t.card, t.path),
  ],
)

export const cardSymbol = sqliteTable(
  'card_symbol',
  {
    /** In small letters. */
    symbol: text().notNull(),
    card: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.symbol, t.card] }), index('card_symbol_card').on(t.card, t.symbol)],
)

export const term = sqliteTable('term', { id: integer().primaryKey(), text: text().notNull().unique() })

/** One row per term and card. `weight` is the weighted sum, `tf` packs the counts per field (model/ledger.ts FIELDS). */
export const posting = sqliteTable(
  'posting',
  {
    term: integer().notNull(),
    card: integer().notNull(),
    weight: integer().notNull(),
    tf: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.term, t.card] }), index('posting_card').on(t.card, t.term)],
)

/** Renames of files, from the log of the working tree's repository. */
export const rename = sqliteTable(
  'file_rename',
  {
    commitId: text('commit_id').notNull(),
    /** Author date, seconds since 1970. */
    at: integer().notNull(),
    oldPath: text('old_path').notNull(),
    newPath: text('new_path').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.commitId, t.oldPath, t.newPath] }),
    index('rename_old').on(t.oldPath, t.at),
    index('rename_new').on(t.newPath, t.at),
  ],
)

/** How a card's anchor stood when it was last looked at; only good for that HEAD and a clean path. */
export const cardTier = sqliteTable('card_tier', {
  card: integer().primaryKey(),
  head: text().notNull(),
  /** model/ledger.ts TIER. */
  tier: integer().notNull(),
  /** Where it moved to. */
  path: text(),
  line: integer(),
})

/** Generations, fingerprints, watermarks, cached values. Names are constants of store/meta.ts. */
export const meta = sqliteTable('meta', {
  name: text().primaryKey(),
  value: text(),
})

/** Which migrations ran, in order; written in the same transaction as the migration itself. */
export const migration = sqliteTable('migration', {
  id: integer().primaryKey(),
  name: text().notNull(),
  hash: text().notNull(),
})
