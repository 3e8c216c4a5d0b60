// Counts for the ledger's health check. Cold: asked by the doctor only.

import type { Store } from '../store.ts'

export const LEDGER_HEALTH_SQL = {
  kinds: 'SELECT kind, count(*) AS cards FROM card GROUP BY kind ORDER BY kind',
  issues: 'SELECT count(DISTINCT issue) AS issues FROM card',
  broken: `SELECT (SELECT count(*) FROM card WHERE issue NOT IN (SELECT id FROM issue))
                + (SELECT count(*) FROM posting WHERE card NOT IN (SELECT id FROM card))
                + (SELECT count(*) FROM posting WHERE term NOT IN (SELECT id FROM term))
                + (SELECT count(*) FROM card_path WHERE card NOT IN (SELECT id FROM card))
                + (SELECT count(*) FROM card_symbol WHERE card NOT IN (SELECT id FROM card)) AS strays,
                (SELECT count(*) FROM card c WHERE c.length > 0 AND NOT EXISTS (SELECT 1 FROM posting p WHERE p.card = c.id)) AS mute`,
} as const

/** Cards by place in CARD_KINDS. */
export function cardsByKind(store: Store): { kind: number; cards: number }[] {
  return store.prepare<[], { kind: number; cards: number }>(LEDGER_HEALTH_SQL.kinds).all()
}

export function issuesWithCards(store: Store): number {
  return store.prepare<[], { issues: number }>(LEDGER_HEALTH_SQL.issues).get()?.issues ?? 0
}

/** Rows that belong to nothing, and cards with text that no term leads to; both are 0 in a sound ledger. */
export function brokenRows(store: Store): { readonly strays: number; readonly mute: number } {
  return store.prepare<[], { strays: number; mute: number }>(LEDGER_HEALTH_SQL.broken).get() ?? { strays: 0, mute: 0 }
}
