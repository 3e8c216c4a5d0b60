// The tables as drizzle declarations: what drizzle-kit generates `migrations/` from, and the row types of cold reads.
// drizzle knows neither STRICT nor WITHOUT ROWID nor views, so the generated SQL is completed by hand; a test reads
// `PRAGMA table_list` and compares columns. All hot statements are prepared SQL in store/queries and store/writer.ts.

import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
  },
  (t) => [primaryKey({ columns: [t.file, t.ord] })],
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
