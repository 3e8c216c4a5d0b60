// Any text at all: nothing throws, nothing that cannot be stored comes out, the order of texts does not matter, and no
// text is slow. fast-check prints the seed.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { annotationsIn } from '../../src/extract/ledger-annotations.ts'
import { cardContent, cardLength, cardsOf, fieldTokens } from '../../src/extract/ledger-cards.ts'
import { tokensOf } from '../../src/extract/ledger-tokens.ts'
import { FIELDS, type LedgerIssue, type LedgerText } from '../../src/model/ledger.ts'
import { effort } from '../support/effort.ts'

const PIECES = [
  ...[
    '<!-- FORGE:INVESTIGATOR -->',
    '<!-- FORGE:TRAJECTORY -->',
    '<!-- FORGE:CONTEXT -->',
    '<!-- FORGE:REVIEWER:X -->',
  ],
  ...['<!-- INVESTIGATION:COMPLETE -->', '<!-- FORGE:CONTEXT:COMPLETE -->', '<!-- FORGE:CARD: v1 -->', '<!--', '-->'],
  ...[
    '**Verdict**: CONFIRMED',
    '**Severity**: LOW',
    '**Decisions**:',
    '**Anomalies**: heat',
    '**Pattern**: p',
    '**',
    ':',
  ],
  ...['### Root Cause', '### Affected Files', '### Recommendation', '## Pattern', 'Pattern Metadata:', 'cost_usd: 1.5'],
  ...[
    '**Root Cause**: r',
    '**Files**: `a/b.ts`',
    '**Symbols**: ovenTimer `x()`',
    '1. `bakery/oven.ts:7`',
    '`__proto__`',
  ],
  ...[
    '```',
    '~~~',
    '    ',
    '> ',
    '- ',
    '\r',
    '\n',
    '\n\n',
    '\ud83d',
    '\udea2',
    '🚢',
    '\u0000',
    '日本語',
    'constructor',
  ],
]
const text = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary', maxLength: 12 })), {
    maxLength: 40,
  })
  .chain((pieces) => fc.constantFrom('\n', '\n', ' ', '').map((glue) => pieces.join(glue)))
const texts = fc.array(
  fc.record({ body: text, id: fc.integer({ min: 1, max: 9 }), day: fc.integer({ min: 1, max: 9 }) }),
  {
    maxLength: 4,
  },
)

const issueOf = (comments: readonly LedgerText[]): LedgerIssue => {
  return { number: 3, pull: false, state: 'open', updatedAt: '', createdAt: '2026-07-01T00:00:00Z', texts: comments }
}
const OPTIONS = { trusts: () => true, adrPaths: [] }

test('cards of any texts can be stored, are numbered once and do not depend on the order', () => {
  fc.assert(
    fc.property(texts, (parts) => {
      const comments = parts.map(({ body, id, day }): LedgerText => {
        return { id, body, author: { login: null, association: null }, createdAt: `2026-07-0${day}T00:00:00Z` }
      })
      const { cards, ignored } = cardsOf(issueOf(comments), OPTIONS)
      expect(ignored).toBe(0)
      expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length)
      expect(cardsOf(issueOf([...comments].reverse()), OPTIONS).cards).toEqual(cards)
      for (const card of cards) {
        const content = cardContent(card)
        expect(Buffer.from(content, 'utf8').toString('utf8')).toBe(content)
        expect(content).not.toMatch(/\\ud[89a-f]/)
        expect(JSON.parse(content)).toEqual(card)
        const fields = fieldTokens(card)
        for (const { name } of FIELDS) {
          for (const [term, count] of fields.get(name) ?? []) {
            expect(term).not.toMatch(/\p{Cs}|\s/u)
            expect(count).toBeGreaterThan(0)
          }
        }
        expect(cardLength(card)).toBe(new Set([...fields.values()].flatMap((counts) => [...counts.keys()])).size)
      }
    }),
    { numRuns: effort(400, 20_000) },
  )
})

test('every word of a text is found by itself, alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (any) => {
      const terms = new Set(tokensOf(any))
      for (const word of any.split(/\s+/)) for (const term of tokensOf(word)) expect(terms).toContain(term)
    }),
    { numRuns: effort(300, 20_000) },
  )
})

describe('no text is slow', () => {
  const cpu = (work: () => void): number => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const cards = (body: string) =>
    cardsOf(
      issueOf([{ id: 1, body, author: { login: null, association: null }, createdAt: '2026-07-01T00:00:00Z' }]),
      OPTIONS,
    )
  const HEAD = '<!-- FORGE:INVESTIGATOR -->\n**Verdict**: CONFIRMED\n<!-- INVESTIGATION:COMPLETE -->\n'

  // GitHub's longest comment has 64 kB; a file may hold more.
  test.each([
    ...[
      '<!-- FORGE:TRAJECTORY -->\n**Decisions**: a\n',
      'Pattern Metadata:\n**Pattern**: a\n',
      '### Root Cause\n',
      '**Pattern**',
    ],
    ...[
      '`',
      '``` ',
      '`a.ts` ',
      '**a',
      '**abc** ',
      '- ',
      '> ',
      '#',
      '## ',
      '1. `a',
      '**Files**: ',
      '<!--',
      '&lt;!--',
      ' ',
      '\n',
    ],
    ...[
      '[',
      '~~~\n',
      '```\n',
      'Pattern Metadata ',
      'cost_usd: ',
      'FORGE:',
      '<!-- FORGE:A:',
      'A',
      'aB',
      '1a',
      'a\u0301',
      '日',
    ],
  ])('very many × %j', (piece) => {
    const body = piece.repeat(effort(10_000, 20_000))
    expect(cpu(() => cards(`${HEAD}${body}`))).toBeLessThan(3_000)
    expect(cpu(() => cards(`<!-- FORGE:TRAJECTORY -->\n**Decisions**: x\n**Anomalies**: ${body}`))).toBeLessThan(3_000)
    expect(cpu(() => annotationsIn(`<!-- FORGE:${body}`))).toBeLessThan(1_000)
    expect(cpu(() => tokensOf(body))).toBeLessThan(1_000)
  })
})
