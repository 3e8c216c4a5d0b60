// The ranking against a plain computation from the cards' own texts: every score, every order, for random ledgers and
// questions; and that look-ups never scan a table.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cardLength, fieldTokens } from '../../src/extract/ledger-cards.ts'
import { tokensOf } from '../../src/extract/ledger-tokens.ts'
import type { RecallQuestion } from '../../src/ledger/recall.ts'
import { CARD_KINDS, type Card, FIELDS } from '../../src/model/ledger.ts'
import { openMemoryStore } from '../../src/store/open.ts'
import { LEDGER_RECALL_SQL } from '../../src/store/queries/ledger-recall.ts'
import { LEDGER_RENAMES_SQL } from '../../src/store/queries/ledger-renames.ts'
import { effort } from '../support/effort.ts'
import { ask, dayOf, decision, investigation, pattern, QUESTION, shelve } from './bookshop.ts'

const words = fc.array(fc.constantFrom('damp', 'shelf', 'mice', 'sortBooks', 'ink', 'the'), { maxLength: 6 })
const text = words.map((list) => list.join(' '))
const paths = fc.uniqueArray(fc.constantFrom('a/shelf.ts', 'b/shelf.ts', 'mice.ts'), { maxLength: 2 })
const day = fc.constantFrom('2026-06-30', '2026-06-01', '2025-01-01')

const card = fc.record({
  kind: fc.nat(2),
  one: text,
  two: text,
  paths,
  symbols: fc.subarray(['Ink', 'sortBooks']),
  day,
})

const ledger = fc.array(card, { maxLength: 12 }).map((list): Card[] =>
  list.map(({ kind, one, two, paths: own, symbols, day: createdAt }, i) => {
    const base = { paths: own, symbols, createdAt }
    if (kind === 0) return investigation(`${i + 1}/investigation/0`, { ...base, rootCause: one, prevention: two })
    if (kind === 1) return pattern(`${i + 1}/pattern/0`, { ...base, pattern: one, rootCause: two })
    return decision(`${i + 1}/decision/0`, { ...base, decision: one, anomalies: two })
  }),
)

const question = fc.record({
  text: fc.option(text),
  files: fc.uniqueArray(fc.constantFrom('a/shelf.ts', 'c/shelf.ts', 'mice.ts'), { maxLength: 2 }),
  symbols: fc.subarray(['ink', 'SORTBOOKS']),
  kind: fc.constantFrom(null, ...CARD_KINDS),
  minScore: fc.constantFrom(0, 0.1, 1),
  k: fc.constantFrom(1, 3, 50),
})

/** Written down from the formulas, card by card, with no index. */
function plainly(cards: readonly Card[], asked: RecallQuestion): [string, number][] {
  const searched = cards.filter(({ kind }) => asked.kind === null || kind === asked.kind)
  const weightIn = (one: Card, term: string): number => {
    const fields = fieldTokens(one)
    return FIELDS.reduce((sum, { name, weight }) => sum + weight * Math.min(31, fields.get(name)?.get(term) ?? 0), 0)
  }
  const terms = new Set(tokensOf(asked.text ?? ''))
  const average = searched.reduce((sum, one) => sum + cardLength(one), 0) / searched.length || 1
  const scored = searched.map((one) => {
    let score = 0
    for (const term of terms) {
      const found = searched.filter((other) => weightIn(other, term) > 0).length
      const weight = weightIn(one, term)
      const idf = Math.log(1 + (searched.length - found + 0.5) / (found + 0.5))
      score += (idf * weight * 2.2) / (weight + 1.2 * (0.25 + (0.75 * cardLength(one)) / average))
    }
    score *= Math.exp(-Math.max(0, asked.today - dayOf(one.createdAt)) / 180)
    const files = asked.files.filter((file) => one.paths.includes(file)).length
    const symbols = asked.symbols.filter((name) =>
      one.symbols.some((own) => own.toLowerCase() === name.toLowerCase()),
    ).length
    const base = (file: string): string => file.split('/').at(-1) ?? ''
    const alike = asked.files.filter(
      (file) => !one.paths.includes(file) && one.paths.some((own) => base(own) === base(file)),
    )
    score += 5 * files + 3 * symbols + (terms.size > 0 ? 2.5 * alike.length : 0)
    return { one, score: Math.round(score * 1000), exact: files + symbols > 0 }
  })
  return scored
    .filter(({ score, exact }) => exact || (score > 0 && score >= asked.minScore * 1000))
    .sort((a, b) => b.score - a.score || dayOf(b.one.createdAt) - dayOf(a.one.createdAt) || a.one.issue - b.one.issue)
    .slice(0, asked.k)
    .map(({ one, score }) => [one.id, score / 1000])
}

test('scores and order are those of the plain formulas', async () => {
  await fc.assert(
    fc.asyncProperty(ledger, question, async (cards, given) => {
      const asked = { ...QUESTION, ...given }
      const view = await ask(shelve(cards), asked)
      expect(view.hits.map(({ id, score }) => [id, score])).toEqual(plainly(cards, asked))
    }),
    { numRuns: effort(150, 3000) },
  )
})

test('no look-up scans a table', () => {
  const store = openMemoryStore()
  const { facts: _, count: __, ...lookups } = LEDGER_RECALL_SQL
  const { departures, arrivals, known } = LEDGER_RENAMES_SQL
  for (const sql of [...Object.values(lookups), departures, arrivals, known]) {
    const plan = store.db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    const values = { ids: '[]', lo: 0, hi: 2, text: '' }
    const rows = (sql.includes('@') ? plan.all(values) : plan.all(...Array.from(sql.matchAll(/\?/g), () => 0))) as {
      detail: string
    }[]
    const scans = rows
      .map(({ detail }) => detail)
      .filter((detail) => detail.startsWith('SCAN') && !/json_each|\bj\b/.test(detail))
    expect(scans, sql).toEqual([])
  }
  store.close()
})
