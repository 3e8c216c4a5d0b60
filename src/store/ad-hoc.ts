// SQL that a person typed (`specdex sql`). One statement that only reads, rows up to a cap, and no way around either.
// It has no time limit, because better-sqlite3 cannot interrupt: the command line runs it in a child that it kills.
// The surprise: query_only and `stmt.readonly` are not enough. Both let pragmas through that change the connection or
// the file (locking_mode, optimize), so only pragmas that answer are admitted, by name.

import type { Statement } from 'better-sqlite3'
import { DEFAULT_CONFIG } from '../model/config.ts'
import { UserError } from '../model/errors.ts'
import { openStore, type Store, type StoreLocation } from './open.ts'

/** A value as JSON can hold it: blobs are hex, integers beyond 2^53 are decimal text. */
export type Cell = string | number | null

export interface AdHocResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** True where there were more rows than the cap. */
  readonly cut: boolean
}

/** Pragmas that only answer: with an argument that names something, and without any. */
const ANSWERING = {
  withArgument: new Set([
    ...['table_info', 'table_xinfo', 'index_list', 'index_info', 'index_xinfo', 'foreign_key_list'],
    ...['foreign_key_check', 'integrity_check', 'quick_check', 'table_list'],
  ]),
  bare: new Set([
    ...['table_list', 'database_list', 'collation_list', 'function_list', 'module_list', 'pragma_list'],
    ...['compile_options', 'integrity_check', 'quick_check', 'foreign_key_check', 'application_id', 'user_version'],
    ...['schema_version', 'data_version', 'page_count', 'page_size', 'freelist_count', 'encoding', 'journal_mode'],
  ]),
}

/** Leading white space and comments, then `pragma [schema.]name` and what follows the name. */
const PRAGMA = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*pragma\s+(?:\w+\s*\.\s*)?(\w+)\s*([=(]?)/i

function admitted(sql: string, statement: Statement): boolean {
  if (!statement.reader || !statement.readonly) return false
  if (!/^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*pragma\b/i.test(sql)) return true
  const [, name = '', argument = ''] = PRAGMA.exec(sql) ?? []
  return (argument === '' ? ANSWERING.bare : ANSWERING.withArgument).has(name.toLowerCase())
}

function sqlError(message: string): UserError {
  return new UserError(
    'sql',
    message,
    'see `specdex sql --schema` for what can be asked; one SELECT (or WITH) at a time',
  )
}

/**
 * Runs one reading statement on the index and returns at most `rows` rows. Throws UserError `sql` for anything but
 * one reading statement and for what SQLite says about it, and what openStore throws (`no-index`, …).
 */
export function runAdHoc(
  location: StoreLocation,
  sql: string,
  { rows: cap, busyMs = DEFAULT_CONFIG.limits.busy_ms }: AdHocOptions,
): AdHocResult {
  const store = openStore(location, { busyMs, create: false })
  try {
    return store.read(() => run(store, sql, cap))
  } finally {
    store.close()
  }
}

export interface AdHocOptions {
  /** Rows to return at most. */
  readonly rows: number
  /** Milliseconds to wait for a process that holds the index; as the configuration's default where not given. */
  readonly busyMs?: number
}

function run(store: Store, sql: string, cap: number): AdHocResult {
  const statement = prepared(store, sql)
  if (!admitted(sql, statement)) throw sqlError('only statements that read are run here')
  const columns = statement.columns().map((column) => column.name)
  const rows: Cell[][] = []
  try {
    // Row by row: `.all()` on a cross join would fill the memory long before the cap could cut it.
    for (const row of statement.raw().safeIntegers().iterate() as Iterable<unknown[]>) {
      if (rows.length === cap) return { columns, rows, cut: true }
      rows.push(row.map(cellOf))
    }
  } catch (error) {
    throw asSqlError(error)
  }
  return { columns, rows, cut: false }
}

function prepared(store: Store, sql: string): Statement {
  try {
    return store.db.prepare(sql)
  } catch (error) {
    throw asSqlError(error)
  }
}

/** What is wrong with the statement, in SQLite's words; failures of the file (busy, damaged) stay what they are. */
function asSqlError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const aboutTheFile = /^SQLITE_(BUSY|LOCKED|CORRUPT|NOTADB|IOERR|CANTOPEN|FULL|READONLY)/.test(code)
  // Without a code: better-sqlite3 itself, about two statements, no statement, or a missing parameter.
  return aboutTheFile ? error : sqlError(error.message)
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  }
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return value as Cell
}

/** What each public view answers; a test holds this equal to the views there are. */
export const PUBLIC_VIEWS: Readonly<Record<string, string>> = {
  graph_node: 'one row per node: a command, annotation, document, … `file` is null where no file is the node',
  graph_edge:
    'one row per edge with both ends declared, at its first sighting; derived = 1: the inverse of another row',
  dangling: 'references to what nobody declares',
  file_view: 'one row per source with its state and the hash that proves it unchanged',
  card_view: 'one row per lesson of the ledger; `content` is the card as JSON',
  posting_view: 'one row per term and lesson, with the counts per field',
  rename_view: 'renames of files that the ledger follows',
  finding: 'what is wrong in the sources, and links that lead nowhere',
  index_state: 'generations and fingerprints of the index itself',
}

export const SCHEMA_SQL = `
  SELECT name, type, sql FROM sqlite_schema
   WHERE sql IS NOT NULL ORDER BY type = 'view' DESC, type = 'table' DESC, name`

/** The schema for people: public views with a comment each, then the private rest. */
export function schemaText(store: Store): string {
  const objects = store.prepare<[], { name: string; type: string; sql: string }>(SCHEMA_SQL).all()
  const open = objects.filter(({ name, type }) => type === 'view' && name in PUBLIC_VIEWS)
  const hidden = objects.filter((object) => !open.includes(object))
  return [
    '-- Public views: ask these, they stay.',
    ...open.map(({ name, sql }) => `\n-- ${name}: ${PUBLIC_VIEWS[name]}\n${sql};`),
    '\n-- Private: these may change with any version.',
    ...hidden.map(({ sql }) => `\n${sql};`),
    '',
  ].join('\n')
}
