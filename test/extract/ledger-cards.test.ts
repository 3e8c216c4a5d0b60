// Cards of an issue: numbers, order, enrichment, trust, decisions, cost, links; and their content and hash. The issues
// are a bakery's.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cardContent, cardsHash, cardsOf } from '../../src/extract/ledger-cards.ts'
import type { Card, LedgerIssue, LedgerText } from '../../src/model/ledger.ts'

const OWNER = { login: 'baker', association: 'OWNER' }
const day = (number: number): string => `2026-07-${String(number).padStart(2, '0')}T10:00:00Z`
const comment = (id: number | null, body: string, createdAt = day(id ?? 1)): LedgerText => ({
  ...{ id, body, author: OWNER, createdAt },
})
const issue = (texts: readonly LedgerText[], more: Partial<LedgerIssue> = {}): LedgerIssue => ({
  ...{ number: 7, pull: false, state: 'closed', updatedAt: day(30), createdAt: day(1), texts },
  ...more,
})
const made = (
  texts: readonly LedgerText[],
  more: Partial<LedgerIssue> = {},
  adrPaths: readonly string[] = [],
): Card[] => cardsOf(issue(texts, more), { trusts: () => true, adrPaths }).cards

const investigation = (body: string, verdict = 'CONFIRMED'): string =>
  `<!-- FORGE:INVESTIGATOR -->\n**Verdict**: ${verdict}\n${body}\n<!-- INVESTIGATION:COMPLETE -->`
const pattern = (name: string): string => `### Pattern Metadata\n**Pattern**: ${name}\n`
const trajectory = (body: string): string => `<!-- FORGE:TRAJECTORY -->\n${body}`
const context = (body: string): string => `<!-- FORGE:CONTEXT -->\n${body}\n<!-- FORGE:CONTEXT:COMPLETE -->`

describe('numbers', () => {
  const texts = [
    comment(null, investigation(`### Root Cause\nBody\n${pattern('a')}\n${pattern('b')}`)),
    comment(3, investigation(pattern('c'))),
    comment(4, trajectory('**Decisions**: rye')),
    comment(5, investigation(pattern('d'), 'INVALID')),
    comment(6, trajectory('**Decisions**: wheat')),
  ]

  test('run across all annotations of an issue, by kind', () => {
    expect(made(texts).map(({ id }) => id)).toEqual([
      ...['7/investigation/0', '7/pattern/0', '7/pattern/1', '7/investigation/1', '7/pattern/2'],
      ...['7/decision/0', '7/pattern/3', '7/decision/1'],
    ])
  })

  test('do not depend on the order in which a source lists texts', () => {
    expect(made([...texts].reverse())).toEqual(made(texts))
    const same = [comment(9, investigation('`ovenTimer`'), day(2)), comment(8, investigation('`ryeBread`'), day(2))]
    expect(made(same).map(({ sourceCommentId }) => sourceCommentId)).toEqual([8, 9])
    expect(made([...same].reverse())).toEqual(made(same))
  })

  test('the source and the day are the comment’s', () => {
    expect(made(texts).map(({ sourceCommentId, createdAt }) => [sourceCommentId, createdAt])).toEqual([
      ...[null, null, null].map((id) => [id, '2026-07-01']),
      ...[3, 3, 4, 5, 6].map((id) => [id, `2026-07-0${id}`]),
    ])
    expect(made(texts).every(({ pr }) => pr === null)).toBe(true)
    expect(made(texts, { pull: true, number: 12 }).every(({ pr, id }) => pr === 12 && id.startsWith('12/'))).toBe(true)
  })
})

test('only trusted authors count, and the others are counted', () => {
  const texts = [
    comment(1, investigation('')),
    {
      ...comment(2, `${investigation('')}\n${trajectory('**Decisions**: rye')}`),
      author: { login: 'x', association: 'NONE' },
    },
    { ...comment(3, 'No annotation'), author: { login: 'x', association: 'NONE' } },
  ]
  const { cards, ignored } = cardsOf(issue(texts), {
    trusts: ({ association }) => association === 'OWNER',
    adrPaths: [],
  })
  expect(cards.map(({ id }) => id)).toEqual(['7/investigation/0'])
  expect(ignored).toBe(2)
})

describe('what later phases cite', () => {
  const early = context('`bakery/early.ts` `earlyHelper`')
  const late = context('`bakery/late.ts` `bakery/oven.ts`')
  const lesson = investigation('### Affected Files\n1. `bakery/oven.ts`\n### Evidence\n`ovenTimer`')

  test('is added to the first lesson, whenever it was written', () => {
    const [card, ...others] = made([comment(1, early), comment(2, lesson), comment(3, late), comment(4, lesson)])
    expect(card).toMatchObject({
      paths: ['bakery/oven.ts', 'bakery/early.ts', 'bakery/late.ts'],
      symbols: ['ovenTimer', 'earlyHelper'],
      anchor: { path: 'bakery/oven.ts', symbol: 'ovenTimer', blobSha: null, snippetHash: null, citedAtIssue: 7 },
    })
    expect(others.map(({ paths }) => paths)).toEqual([['bakery/oven.ts']])
    expect(made([comment(1, lesson), comment(2, early), comment(3, late), comment(4, lesson)])[0]?.paths).toEqual(
      card?.paths,
    )
  })

  test('goes to no decision, and not to an anchor', () => {
    const [decision, bare] = made([
      comment(1, trajectory('**Decisions**: rye')),
      comment(2, investigation('')),
      comment(3, early),
    ])
    expect(decision).toMatchObject({ kind: 'decision', paths: [], symbols: [], anchor: null })
    expect(bare).toMatchObject({ paths: ['bakery/early.ts'], symbols: ['earlyHelper'], anchor: null })
    expect(made([comment(1, early), comment(2, trajectory('**Decisions**: rye'))])[0]?.paths).toEqual([])
  })

  test('stops at twenty paths and thirty symbols', () => {
    const much = Array.from({ length: 50 }, (_, at) => `\`bakery/f${at}.ts\` \`loaf_${at}\``).join(' ')
    const [card] = made([comment(1, lesson), comment(2, context(much))])
    expect([card?.paths.length, card?.symbols.length]).toEqual([20, 30])
  })
})

describe('investigations', () => {
  const first = (body: string): Card | undefined => made([comment(1, investigation(body))])[0]

  test('headings in fences are code, and fenced text stays in its section', () => {
    const text = '### Root Cause\nSee\n```sh\n## not a heading\nbake `a.ts`\n```\n### Recommendation\nCool'
    expect(first(text)).toMatchObject({
      rootCause: 'See ```sh ## not a heading bake `a.ts` ```',
      prevention: 'Cool',
      symbols: [],
    })
    expect(first('### Affected Files\n```\n1. `a.ts`\n```\n2. `b.ts`')).toMatchObject({ paths: ['b.ts'] })
    expect(first('```\n### Root Cause\nExample\n```')).toMatchObject({ rootCause: null })
    expect(made([comment(1, investigation(`\`\`\`\n${pattern('example')}\n\`\`\``))])).toHaveLength(1)
  })

  test('what is quoted is somebody else’s', () => {
    const quoted = `### Root Cause\n> ### Recommendation\n> Cool\n${pattern('example').replace(/^/gm, '> ')}\n> \`ovenTimer\``
    const cards = made([comment(1, investigation(quoted))])
    expect(cards).toHaveLength(1)
    expect(cards[0]).toMatchObject({ rootCause: expect.stringMatching(/^> ### Rec/), prevention: null, symbols: [] })
  })

  test('CRLF reads like LF', () => {
    const text = `### Root Cause\nOne\n\nTwo\n### Affected Files\n1. \`bakery/oven.ts\`\n${pattern('rye')}`
    const lf = made([comment(1, investigation(text))])
    expect(made([comment(1, investigation(text).replaceAll('\n', '\r\n'))])).toEqual(lf)
    expect(lf[0]).toMatchObject({ rootCause: 'One Two', paths: ['bakery/oven.ts'] })
  })

  test('a block takes what it lacks from the investigation', () => {
    const text =
      '**Severity**: LOW\n### Root Cause\nSteam\n### Recommendation\nVent\n### Affected Files\n1. `bakery/oven.ts`\n'
    const block =
      '**Pattern**:\n**Root Cause**: Heat\n**Prevention**:\n\nWait\n**Severity**: HIGH\n**Symbols**: `openDoor()`, none'
    const cards = made([comment(1, investigation(`${text}${pattern('rye')}\n## Pattern\n${block}`))])
    expect(cards[1]).toMatchObject({ pattern: 'rye', rootCause: 'Steam', prevention: 'Vent', severity: 'LOW' })
    expect(cards[1]).toMatchObject({ paths: ['bakery/oven.ts'], symbols: ['openDoor'] })
    expect(cards[2]).toMatchObject({ pattern: '', rootCause: 'Heat', prevention: 'Wait', severity: 'HIGH' })
    expect(cards[2]).toMatchObject({ paths: ['bakery/oven.ts'], symbols: ['openDoor', 'none'] })
    expect(cards[0]).toMatchObject({ severity: 'LOW' })
  })

  test('half characters are never kept', () => {
    const text = `### Root Cause\nA\ud83d ${'🚢'.repeat(300)}\n### Recommendation\n${'x'.repeat(399)}🚢`
    const card = first(text)
    expect(JSON.stringify(card)).not.toMatch(/\\ud/)
    expect(card).toMatchObject({ prevention: 'x'.repeat(399) })
  })

  test('only a closed issue is merged', () => {
    expect(made([comment(1, investigation(''))], { state: 'open' })[0]).toMatchObject({ outcome: { fixMerged: false } })
  })
})

describe('decisions', () => {
  const decision = (body: string): unknown => {
    const card = made([comment(1, trajectory(body))])[0]
    return card?.kind === 'decision' ? [card.decision, card.anomalies] : null
  }

  test.each([
    ['**Decisions**: rye\n**Anomalies**: None', ['rye', 'None']],
    ['**Decisions**: rye\nas ever\n\nOther text', ['rye as ever', null]],
    [
      '**Decisions**:\n\n- rye\n  as ever\n\n- **wheat**: no\n1. oats\n\n**Anomalies**:\n* one\n* two',
      ['rye as ever; **wheat**: no; oats', 'one; two'],
    ],
    ['- **Decisions**:\n  - rye\n- **Anomalies**: heat', ['rye', 'heat']],
    ['**Decisions**: rye\n- wheat\n| a | b |', ['rye; wheat', null]],
    ['**Decisions**:\n- rye\n---\n- wheat', ['rye', null]],
    ['**Decisions**:\n**Anomalies**: heat', null],
    ['**Decisions**:\n## Next', null],
    ['**Decisions**:', null],
    ['**Decisions**: None', null],
    ['**Decisions**:\n- None.', null],
    ['Nothing', null],
  ])('%j', (body, expected) => expect(decision(body)).toEqual(expected))

  test('each point is cut, but no point is lost', () => {
    const points = Array.from({ length: 30 }, (_, at) => `- ${at} ${'x'.repeat(500)}`).join('\n')
    const [card] = made([comment(1, trajectory(`**Decisions**:\n${points}`))])
    expect(card).toMatchObject({ decision: expect.stringMatching(/^0 x{398}; 1 x{398}; .*; 29 x{397}$/) })
  })

  test('link to the file of the same number', () => {
    const link = (...adrPaths: string[]): unknown =>
      made([comment(1, trajectory('**Decisions**: rye'))], {}, adrPaths).map(
        (card) => 'adrPath' in card && card.adrPath,
      )
    expect(link('devdocs/decisions/70-a.md', 'devdocs/decisions/7-b.md', 'devdocs/decisions/7-a.md')).toEqual([
      'devdocs/decisions/7-a.md',
    ])
    expect(link('devdocs/decisions/7.md', 'devdocs/decisions/7-a/b.md', 'x/devdocs/decisions/7-a.md')).toEqual([false])
  })
})

describe('cost', () => {
  const costs = (...bodies: string[]): unknown =>
    made(bodies.map((body, at) => comment(at + 1, body))).map((card) => card.costUsd)
  const builder = (body: string): string => `<!-- FORGE:BUILDER -->\n${body}\n<!-- FORGE:BUILDER:COMPLETE -->`

  test('is summed without noise and paid by the first lesson', () => {
    expect(costs(trajectory('**Decisions**: rye'), investigation('cost_usd: 0.1'), builder('cost_usd: 0.2'))).toEqual([
      undefined,
      { investigation: 0.1, build: 0.2, review: null, total: 0.3 },
    ])
  })

  test('a later one wins, if it names any; without a lesson the decision pays', () => {
    expect(
      costs(builder('cost_usd: 1'), builder('cost_usd: 2'), builder(''), trajectory('**Decisions**: rye')),
    ).toEqual([{ investigation: null, build: 2, review: null, total: 2 }])
  })
})

describe('content', () => {
  const cards = made([
    comment(1, investigation(`### Affected Files\n1. \`bakery/oven.ts\`\n${pattern('rye')}`)),
    comment(2, trajectory('**Decisions**: rye')),
  ])

  test('has its keys in one order, whatever the card’s own', () => {
    for (const card of cards) {
      const shuffled = Object.fromEntries(Object.entries(card).reverse()) as unknown as Card
      const anchor =
        card.anchor && (Object.fromEntries(Object.entries(card.anchor).reverse()) as unknown as Card['anchor'])
      expect(cardContent({ ...shuffled, anchor })).toBe(cardContent(card))
      expect(cardContent(Object.assign({ status: 'stale' }, card))).toBe(cardContent(card))
      expect(JSON.parse(cardContent(card))).toEqual(card)
    }
    expect(cardContent(cards[2] ?? expect.unreachable())).toBe(
      '{"schemaVersion":1,"id":"7/decision/0","kind":"decision","issue":7,"pr":null,"sourceCommentId":2,' +
        '"decision":"rye","anomalies":null,"paths":[],"symbols":[],"anchor":null,"createdAt":"2026-07-02"}',
    )
  })

  test('the hash is over all contents by id', () => {
    const contents = ['7/decision/0', '7/investigation/0', '7/pattern/0'].map((id) => {
      return cardContent(cards.find((card) => card.id === id) ?? expect.unreachable(id))
    })
    const expected = createHash('sha256')
      .update(`[${contents.join(',')}]`)
      .digest('hex')
      .slice(0, 16)
    expect(cardsHash(cards)).toBe(expected)
    expect(cardsHash([...cards].reverse())).toBe(expected)
    expect(cardsHash(cards.slice(1))).not.toBe(expected)
  })
})
