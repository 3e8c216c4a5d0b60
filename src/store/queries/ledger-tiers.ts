// Cached tiers of cards: how an anchor stood at some HEAD. Whether a cached one still holds (same HEAD, clean paths) is
// decided in ledger/staleness.ts; rows go with their cards (ledger-write.ts) and with new renames (ledger-renames.ts).

import type { Tier } from '../../model/ledger.ts'
import type { Store } from '../store.ts'

export interface TierRow {
  readonly card: number
  readonly tier: Tier
  /** Where the anchor moved to; null unless it moved. */
  readonly path: string | null
  /** Counted from 1. */
  readonly line: number | null
}

export const LEDGER_TIERS_SQL = {
  load: 'SELECT card, tier, path, line FROM card_tier WHERE head = ? ORDER BY card',
  save: `INSERT INTO card_tier (card, head, tier, path, line) SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM card WHERE id = ?)
         ON CONFLICT (card) DO UPDATE SET head = excluded.head, tier = excluded.tier, path = excluded.path, line = excluded.line`,
  anchors: `SELECT id AS card, day, content ->> '$.anchor' AS anchor FROM card ORDER BY id`,
} as const

/** All tiers that were judged at this commit. */
export function loadTiers(store: Store, head: string): TierRow[] {
  return store.prepare<[string], TierRow>(LEDGER_TIERS_SQL.load).all(head)
}

/** Keeps tiers; a card that went meanwhile is passed over. Inside store.write() only. */
export function saveTiers(store: Store, head: string, rows: readonly TierRow[]): void {
  const save = store.prepare(LEDGER_TIERS_SQL.save)
  for (const { card, tier, path, line } of rows) save.run(card, head, tier, path, line, card)
}

export interface AnchorRow {
  readonly card: number
  readonly day: number
  /** JSON of the anchor, or null. */
  readonly anchor: string | null
}

/** Every card's anchor, for the health check. */
export function allAnchors(store: Store): AnchorRow[] {
  return store.prepare<[], AnchorRow>(LEDGER_TIERS_SQL.anchors).all()
}
