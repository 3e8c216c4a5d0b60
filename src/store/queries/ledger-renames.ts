// Renames of files, from the log of the working tree's repository: kept as rows, asked by old or by new name.
// What they mean for a path at some time is ledger/renames.ts.

import type { Rename } from '../../model/ledger.ts'
import { getMeta, META, setMeta } from '../meta.ts'
import type { Store } from '../store.ts'

export interface RenameStep {
  /** Seconds since 1970. */
  readonly at: number
  /** The name at the other end. */
  readonly name: string
}

export const LEDGER_RENAMES_SQL = {
  departures: 'SELECT at, new_path AS name FROM file_rename WHERE old_path = ? ORDER BY at, new_path',
  arrivals: 'SELECT at, old_path AS name FROM file_rename WHERE new_path = ? ORDER BY at, old_path',
  known: 'SELECT 1 FROM file_rename WHERE old_path = ? AND new_path = ? LIMIT 1',
  insert: 'INSERT INTO file_rename (commit_id, at, old_path, new_path) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  forget: 'DELETE FROM file_rename WHERE commit_id = ? AND old_path = ? AND new_path = ?',
  clear: 'DELETE FROM file_rename',
  clearTiers: 'DELETE FROM card_tier',
} as const

/** Where files of this name went, oldest first. */
export function departuresOf(store: Store, path: string): RenameStep[] {
  return store.prepare<[string], RenameStep>(LEDGER_RENAMES_SQL.departures).all(path)
}

/** Where files of this name came from, oldest first. */
export function arrivalsOf(store: Store, path: string): RenameStep[] {
  return store.prepare<[string], RenameStep>(LEDGER_RENAMES_SQL.arrivals).all(path)
}

/** Whether some commit renamed one to the other. */
export function knowsRename(store: Store, from: string, to: string): boolean {
  return store.prepare<[string, string]>(LEDGER_RENAMES_SQL.known).get(from, to) !== undefined
}

/** The commit up to which the log has been read, or null. */
export function renamesHead(store: Store): string | null {
  return getMeta(store, META.renamesHead)
}

/** Takes renames out again. Cached tiers go with them, as in saveRenames(). Inside store.write() only. */
export function forgetRenames(store: Store, renames: readonly Rename[]): void {
  const forget = store.prepare(LEDGER_RENAMES_SQL.forget)
  let gone = 0
  for (const { commit, from, to } of renames) gone += forget.run(commit, from, to).changes
  if (gone > 0) store.prepare(LEDGER_RENAMES_SQL.clearTiers).run()
}

/**
 * Adds renames, or with `anew` makes them all there is, and notes the commit they reach to. Cached tiers go when
 * something changed, because they may rest on a rename. Inside store.write() only. Returns how many rows are new.
 */
export function saveRenames(store: Store, renames: readonly Rename[], head: string | null, anew: boolean): number {
  const removed = anew ? store.prepare(LEDGER_RENAMES_SQL.clear).run().changes : 0
  const insert = store.prepare(LEDGER_RENAMES_SQL.insert)
  let added = 0
  for (const { commit, at, from, to } of renames) added += insert.run(commit, at, from, to).changes
  if (removed > 0 || added > 0) store.prepare(LEDGER_RENAMES_SQL.clearTiers).run()
  if (head !== renamesHead(store)) setMeta(store, META.renamesHead, head)
  return added
}
