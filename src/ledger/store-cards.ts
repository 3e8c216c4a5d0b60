// A card as the store takes it: its content as text, and what is derived from it (day, length, paths, symbols, packed
// counts of terms). Used by whatever writes cards: the update, the import, the merge of a mirror.

import { cardContent, cardLength, fieldTokens } from '../extract/ledger-cards.ts'
import { CARD_KINDS, type Card, FIELDS, TF_BITS } from '../model/ledger.ts'
import type { CardIndex, CardRecord, TermRecord } from '../store/queries/ledger-write.ts'

const MOST = 2 ** TF_BITS - 1
const DAY_MS = 86_400_000

/** The card as a record. Its index is worked out only when the store asks for it. */
export function cardRecord(card: Card): CardRecord {
  const seq = Number(card.id.slice(card.id.lastIndexOf('/') + 1))
  return { kind: CARD_KINDS.indexOf(card.kind), seq, content: cardContent(card), index: () => cardIndex(card) }
}

function cardIndex(card: Card): CardIndex {
  const fields = fieldTokens(card)
  return {
    day: Math.floor(Date.parse(`${card.createdAt}T00:00:00Z`) / DAY_MS),
    length: cardLength(card, fields),
    paths: card.paths,
    symbols: card.symbols.map((symbol) => symbol.toLowerCase()),
    terms: termsOf(fields),
  }
}

/** One record per term: counts of at most 31 per field, in the order of FIELDS, and their weighted sum. */
function termsOf(fields: ReturnType<typeof fieldTokens>): TermRecord[] {
  const terms = new Map<string, { weight: number; tf: number }>()
  for (const [place, { name, weight }] of FIELDS.entries()) {
    for (const [text, found] of fields.get(name) ?? []) {
      const count = Math.min(found, MOST)
      const term = terms.get(text) ?? { weight: 0, tf: 0 }
      term.weight += weight * count
      // No shifts: those are 32 bits wide, and this is up to 45.
      term.tf += count * 2 ** (TF_BITS * place)
      terms.set(text, term)
    }
  }
  return [...terms].map(([text, { weight, tf }]) => ({ text, weight, tf }))
}
