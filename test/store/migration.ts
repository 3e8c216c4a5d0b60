// A migration from its text, as embed-migrations.mjs makes them from the folder.

import { createHash } from 'node:crypto'
import type { Migration } from '../../src/store/migrate.ts'

export function migrationOf(name: string, sql: string): Migration {
  return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
}
