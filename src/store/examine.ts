// The two tiny reads that every opening makes: are all tables, views and indexes there, and was the schema made by
// these migrations? It finds what somebody's sqlite3 dropped; damage inside the pages shows when it is met.

import type { Database } from 'better-sqlite3'
import { VOCABULARY_META, VOCABULARY_TEXT } from './migrate.ts'
import { MIGRATIONS } from './migrations.generated.ts'

/** Everything the migrations make. A test holds this equal to a new index; further objects are the user's affair. */
export const SCHEMA_OBJECTS: readonly string[] = [
  ...['alias', 'dir', 'edge', 'edge_type', 'file', 'key', 'meta', 'migration', 'node', 'node_kind', 'problem'],
  ...['card', 'card_path', 'card_symbol', 'card_tier', 'file_rename', 'issue', 'ledger_repo', 'posting', 'term'],
  ...['alias_key', 'alias_ref', 'edge_down', 'edge_type_name', 'edge_up', 'key_text_unique', 'node_key'],
  ...[
    'card_facts',
    'card_path_base',
    'card_path_card',
    'card_seq',
    'card_symbol_card',
    'issue_number',
    'ledger_repo_name_unique',
  ],
  ...['posting_card', 'rename_new', 'rename_old', 'term_text_unique'],
  ...['dangling', 'edge_shown', 'file_view', 'finding', 'graph_edge', 'graph_node', 'index_state'],
  ...['card_view', 'posting_view', 'rename_view'],
]

const OBJECTS_SQL = `SELECT count(*) FROM sqlite_schema WHERE name IN (${SCHEMA_OBJECTS.map((name) => `'${name}'`).join(', ')})`
const STAMP_SQL = `SELECT (SELECT hash FROM migration WHERE id = ?) AS migration, (SELECT value FROM meta WHERE name = ?) AS vocabulary`

/**
 * `fresh`; `corrupt` where something is missing; `newer` where the last migration is not ours (another build);
 * `older` where only the mirrored vocabulary is. Throws SQLite's errors.
 */
export function examine(db: Database): 'fresh' | 'corrupt' | 'newer' | 'older' {
  if (db.prepare(OBJECTS_SQL).pluck().get() !== SCHEMA_OBJECTS.length) return 'corrupt'
  const stamp = db.prepare(STAMP_SQL).get(MIGRATIONS.length, VOCABULARY_META) as {
    migration: string | null
    vocabulary: string | null
  }
  if (stamp.migration !== MIGRATIONS.at(-1)?.hash) return 'newer'
  return stamp.vocabulary === VOCABULARY_TEXT ? 'fresh' : 'older'
}
