// Applies migrations. drizzle-kit writes them, but drizzle's own runner switches foreign keys off inside a
// transaction (where SQLite ignores it: a table rebuild cascades and deletes child rows), skips older migrations that
// were merged late, never notices edited ones, and looks before it locks. So: keys off first, lock, look, apply,
// check, commit. A migration and the record that it ran are one transaction.

import type { Database } from 'better-sqlite3'
import { UserError } from '../model/errors.ts'
import { EDGE, EDGE_TYPES, KINDS } from '../model/vocabulary.ts'
import { quietly } from './connect.ts'

/** One migration; `hash` is the sha256 of `sql`, in hex. */
export interface Migration {
  readonly name: string
  readonly hash: string
  readonly sql: string
}

/** "SDEX" in the file's header says whose database it is. */
export const APPLICATION_ID = 0x53444558

const BREAKPOINT = '--> statement-breakpoint'

/** Why the applied migrations are no beginning of the known ones, or null where they are. */
function divergence(applied: readonly { name: string; hash: string }[], known: readonly Migration[]): UserError | null {
  const hint = 'use the Specdex that wrote this index, or give this one another place with --db: it builds its own'
  for (const [i, { name, hash }] of applied.entries()) {
    const mine = known[i]
    if (mine?.hash === hash) continue
    if (mine === undefined) {
      return new UserError('newer', `the index was written by a newer Specdex (it has migration ${name})`, hint)
    }
    // Migrations that this build knows, but in another order: one was added before others that already ran.
    if (known.some((other) => other.hash === hash)) {
      return new UserError('newer', `migration ${mine.name} was added before ${name}, which already ran here`, hint)
    }
    return new UserError('newer', `migration ${name} was changed after it ran here`, hint)
  }
  return null
}

function hasTable(db: Database, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
}

/**
 * Brings the database to the last of `migrations` and returns how many ran. `complete` runs in the same transaction
 * when something was applied. Throws UserError `newer` where the applied ones are no prefix of those given, and
 * `foreign` for a database that is neither empty nor ours. The connection must be allowed to write.
 */
export function migrate(db: Database, migrations: readonly Migration[], complete: () => void): number {
  const keys = db.pragma('foreign_keys', { simple: true }) === 1 ? 'ON' : 'OFF'
  db.pragma('foreign_keys = OFF')
  try {
    db.exec('BEGIN IMMEDIATE')
    const ran = applyPending(db, migrations, complete)
    db.exec('COMMIT')
    return ran
  } catch (error) {
    if (db.inTransaction) quietly(() => db.exec('ROLLBACK'))
    throw error
  } finally {
    // Inside a transaction that could not be rolled back this does nothing, and the connection is closed anyway.
    quietly(() => db.pragma(`foreign_keys = ${keys}`))
  }
}

function applyPending(db: Database, migrations: readonly Migration[], complete: () => void): number {
  if (!hasTable(db, 'migration')) {
    const objects = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
    const owner = db.pragma('application_id', { simple: true })
    if (objects !== 0 && owner !== APPLICATION_ID) throw new UserError('foreign', 'the file is not a Specdex index')
  }
  const applied = hasTable(db, 'migration')
    ? (db.prepare('SELECT name, hash FROM migration ORDER BY id').all() as { name: string; hash: string }[])
    : []
  const refused = divergence(applied, migrations)
  if (refused !== null) throw refused
  const pending = migrations.slice(applied.length)
  for (const [i, migration] of pending.entries()) {
    for (const statement of migration.sql.split(BREAKPOINT)) {
      if (statement.trim() !== '') db.exec(statement)
    }
    db.prepare('INSERT INTO migration (id, name, hash) VALUES (?, ?, ?)').run(
      applied.length + i + 1,
      migration.name,
      migration.hash,
    )
  }
  const broken = db.pragma('foreign_key_check') as { table: string; parent: string }[]
  if (broken[0] !== undefined) {
    throw new Error(`migration left rows of ${broken[0].table} without their ${broken[0].parent}`)
  }
  if (pending.length > 0) complete()
  stamp(db, 'application_id', APPLICATION_ID)
  stamp(db, 'user_version', migrations.length)
  return pending.length
}

/** Header fields, written only where they differ: a run that finds everything done changes no byte. */
function stamp(db: Database, name: 'application_id' | 'user_version', value: number): void {
  if (db.pragma(name, { simple: true }) !== value) db.pragma(`${name} = ${value}`)
}

/** What a vocabulary looks like from outside: a changed one is mirrored at the next opening. No hash, which costs start-up. */
export const VOCABULARY_TEXT: string = JSON.stringify([KINDS, EDGE_TYPES])

/** Name in `meta` under which VOCABULARY_TEXT stands once it was mirrored. */
export const VOCABULARY_META = 'vocabulary'

/** Types that are not in the default graph: verbatim reads (compat only) and REMOVES (the validator's). */
const UNLISTED: ReadonlySet<number> = new Set([EDGE.readsVerbatim, EDGE.removes])

/** Mirrors model/vocabulary.ts into node_kind and edge_type. The caller holds the write transaction. */
export function writeVocabulary({ db }: { readonly db: Database }): void {
  db.exec('DELETE FROM node_kind; DELETE FROM edge_type')
  const kind = db.prepare('INSERT INTO node_kind (id, name, family) VALUES (?, ?, ?)')
  for (const { id, name, family } of KINDS) kind.run(id, name, family)
  const type = db.prepare(
    'INSERT INTO edge_type (id, name, family, rule, inverse, author_is_up, rank, listed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  for (const t of EDGE_TYPES) {
    const listed = UNLISTED.has(t.id) ? 0 : 1
    type.run(t.id, t.name, t.family, t.rule, t.inverse, t.authorIsUp ? 1 : 0, t.rank, listed)
  }
  db.prepare(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  ).run(VOCABULARY_META, VOCABULARY_TEXT)
}
