// Recall: exact look-ups, ranking, boosts, ties, supersession, and that any question is safe. Cards without a working
// tree are judged by what the ledger says alone, so these tests use anchors only where staleness matters.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recallForPaths } from '../../src/ledger/recall.ts'
import { decay, idf, SCORING } from '../../src/ledger/score.ts'
import { tempTree } from '../support/temp.ts'
import { addCards, ask, decision, ENV, ids, investigation, pattern, shelve, TODAY } from './bookshop.ts'

describe('exact look-ups', () => {
  const cards = [
    pattern('1/pattern/0', { paths: ['till/change.ts'], symbols: ['countCoins'], createdAt: '2026-05-01' }),
    investigation('2/investigation/0', { paths: ['till/change.ts', 'till/drawer.ts'], createdAt: '2026-06-01' }),
    decision('3/decision/0', { paths: ['cellar/change.ts'], decision: 'Till drawers stay locked.' }),
  ]

  test('a file finds the cards that cite it, newest first, and nothing by its words', async () => {
    const store = shelve(cards)
    const view = await ask(store, { files: ['till/change.ts'] })
    expect(ids(view)).toEqual(['2/investigation/0', '1/pattern/0'])
    expect(view.hits.map(({ score }) => score)).toEqual([SCORING.file, SCORING.file])
    expect(ids(await ask(store, { files: ['attic/change.ts'] }))).toEqual([])
    expect(ids(await ask(store, { files: ['change.ts'] }))).toEqual([])
  })

  test('a path may be written with dots or from the root of the disk', async () => {
    const store = shelve(cards)
    const root = tempTree({ 'till/change.ts': 'x', 'till/drawer.ts': 'x' })
    expect(ids(await ask(store, { files: ['./till/../till/drawer.ts'] }, root))).toEqual(['2/investigation/0'])
    expect(ids(await ask(store, { files: [`${root}/till/drawer.ts`] }, root))).toEqual(['2/investigation/0'])
  })

  test('a symbol is found whatever its case; several add up, the same twice does not', async () => {
    const store = shelve([...cards, pattern('9/pattern/0', { symbols: ['countCoins', 'Drawer'] })])
    const view = await ask(store, { symbols: ['COUNTCOINS', 'drawer', 'countCoins'] })
    expect(view.hits.map(({ id, score }) => [id, score])).toEqual([
      ['9/pattern/0', 2 * SCORING.symbol],
      ['1/pattern/0', SCORING.symbol],
    ])
  })

  test('a kind narrows, k cuts', async () => {
    const store = shelve(cards)
    expect(ids(await ask(store, { files: ['till/change.ts'], kind: 'pattern' }))).toEqual(['1/pattern/0'])
    expect(ids(await ask(store, { files: ['till/change.ts'], k: 1 }))).toEqual(['2/investigation/0'])
    expect(ids(await ask(store, { files: ['till/change.ts'], k: 0 }))).toEqual([])
  })

  test('the ids of two repositories may be equal', async () => {
    const store = shelve(cards)
    addCards(store, [pattern('1/pattern/0', { paths: ['till/change.ts'], createdAt: '2026-05-01' })], 'annex/bookshop')
    const view = await ask(store, { files: ['till/change.ts'], kind: 'pattern' })
    expect(view.hits.map(({ repo }) => repo)).toEqual(['annex/bookshop', 'quay-street/bookshop'])
    expect(view.cards).toBe(4)
  })
})

describe('ranking', () => {
  test('the score is BM25 over the fields, times the decay', async () => {
    const cards = [
      pattern('1/pattern/0', { pattern: 'damp shelf', rootCause: 'damp cellar', createdAt: '2026-01-01' }),
      pattern('2/pattern/0', { pattern: 'loose page' }),
    ]
    const view = await ask(shelve(cards), { text: 'damp', explain: true, k: 1 })
    const [hit] = view.hits
    // Three different words against two: weights 3 + 2 for one that stands in the pattern and the root cause.
    const length = 3 / 2.5
    const bm25 = (Math.log(1 + 1.5 / 1.5) * 5 * 2.2) / (5 + 1.2 * (0.25 + 0.75 * length))
    expect(hit?.score).toBeCloseTo(bm25 * Math.exp(-181 / 180), 3)
    expect(hit?.parts).toMatchObject({ length: 3, averageLength: 2.5, ageDays: 181, boosts: [], superseded: null })
    expect(hit?.parts?.terms).toMatchObject([
      { term: 'damp', found: 1, weight: 5, fields: { pattern: 1, rootCause: 1 } },
    ])
  })

  test('every part of an identifier finds it, in any script', async () => {
    const cards = [
      pattern('1/pattern/0', { symbols: ['parseHTTPHeader2'] }),
      pattern('2/pattern/0', { rootCause: '本棚が湿っている' }),
      pattern('3/pattern/0', { rootCause: 'Größe naïve' }),
      pattern('4/pattern/0', { pattern: 'constructor __proto__ toString' }),
    ]
    const store = shelve(cards)
    for (const text of ['parse', 'HTTP', 'header', 'parseHTTPHeader2'])
      expect(ids(await ask(store, { text }))).toEqual(['1/pattern/0'])
    expect(ids(await ask(store, { text: '本棚' }))).toEqual(['2/pattern/0'])
    expect(ids(await ask(store, { text: 'GRÖSSE größe' }))).toEqual(['3/pattern/0'])
    for (const text of ['constructor', '__proto__', 'tostring'])
      expect(ids(await ask(store, { text }))).toEqual(['4/pattern/0'])
  })

  test('idf is never negative, and a word in every card still finds', async () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), (a, b) => {
        expect(idf(Math.max(a, b), Math.min(a, b))).toBeGreaterThanOrEqual(0)
      }),
    )
    const cards = [1, 2, 3].map((n) => pattern(`${n}/pattern/0`, { pattern: 'damp shelf' }))
    expect(ids(await ask(shelve(cards), { text: 'damp' }))).toEqual(['1/pattern/0', '2/pattern/0', '3/pattern/0'])
  })

  test('neither another kind nor a stale card changes the score of a card', async () => {
    const root = tempTree({ 'shelf.ts': '' })
    const cards = [
      pattern('1/pattern/0', { pattern: 'damp shelf' }),
      pattern('2/pattern/0', { pattern: 'damp floor', anchor: { path: 'gone.ts', symbol: 'floor' } }),
      decision('3/decision/0', { decision: 'Damp is normal.' }),
    ]
    const store = shelve(cards)
    const without = await ask(store, { text: 'damp', kind: 'pattern' }, root)
    const withStale = await ask(store, { text: 'damp', kind: 'pattern', includeStale: true }, root)
    expect(ids(without)).toEqual(['1/pattern/0'])
    expect(without.stale).toBe(1)
    expect(withStale.hits.map(({ id, status }) => [id, status])).toEqual([
      ['1/pattern/0', 'fresh'],
      ['2/pattern/0', 'stale'],
    ])
    expect(withStale.hits[0]?.score).toBe(without.hits[0]?.score)
    // Two cards are searched, both hold the word; the decision is not among them.
    const [explained] = (await ask(store, { text: 'damp', kind: 'pattern', explain: true }, root)).hits
    expect(explained?.parts?.terms[0]?.found).toBe(2)
  })

  test('boosts beside a text: exact file, same name, symbol; they do not age', async () => {
    const old = '2024-01-01'
    const cards = [
      pattern('1/pattern/0', { pattern: 'damp', paths: ['a/shelf.ts'], createdAt: old }),
      pattern('2/pattern/0', { pattern: 'damp', paths: ['b/shelf.ts'], createdAt: old }),
      pattern('3/pattern/0', { pattern: 'damp', symbols: ['dry'], createdAt: old }),
      pattern('4/pattern/0', { pattern: 'damp' }),
    ]
    const view = await ask(shelve(cards), { text: 'damp', files: ['a/shelf.ts'], symbols: ['Dry'], explain: true })
    const boosts = view.hits.map(({ id, parts }) => [id, parts?.boosts.map(({ boost }) => boost)])
    expect(boosts).toEqual([
      ['1/pattern/0', [5]],
      ['3/pattern/0', [3]],
      ['2/pattern/0', [2.5]],
      ['4/pattern/0', []],
    ])
  })

  test('a minimum leaves out, but no exact match', async () => {
    const cards = [
      pattern('1/pattern/0', { pattern: 'damp' }),
      pattern('2/pattern/0', { pattern: 'page', paths: ['a.ts'] }),
    ]
    const view = await ask(shelve(cards), { text: 'damp', files: ['a.ts'], minScore: 9 })
    expect(ids(view)).toEqual(['2/pattern/0'])
  })

  test('ties go to the later date, then to the id by number, whatever the order of writing', async () => {
    const cards = [
      pattern('10/pattern/0', { pattern: 'damp' }),
      pattern('9/pattern/0', { pattern: 'damp' }),
      pattern('9/pattern/1', { pattern: 'damp' }),
      // A day older: less by its age, so compared by score; both within a thousandth would fall to the date.
      pattern('1/pattern/0', { pattern: 'damp', createdAt: '2026-06-29' }),
    ]
    const wanted = ['9/pattern/0', '9/pattern/1', '10/pattern/0', '1/pattern/0']
    expect(ids(await ask(shelve(cards), { text: 'damp' }))).toEqual(wanted)
    expect(ids(await ask(shelve([...cards].reverse()), { text: 'damp' }))).toEqual(wanted)
    // Also where only some of the tied are shown.
    expect(ids(await ask(shelve([...cards].reverse()), { text: 'damp', k: 2 }))).toEqual(wanted.slice(0, 2))
  })

  test('a card of tomorrow is as good as one of today', () => {
    expect(decay(TODAY, TODAY + 3)).toBe(1)
    expect(decay(TODAY, TODAY - 180)).toBeCloseTo(1 / Math.E, 12)
  })
})

describe('supersession', () => {
  const earlier = pattern('3/pattern/0', { pattern: 'damp damp damp shelf', createdAt: '2026-06-01' })

  test('a later card that names the card or its issue stands above it', async () => {
    for (const name of ['#3', '3/pattern/0']) {
      const later = pattern('7/pattern/0', { rootCause: `Unlike ${name}, the shelf was not damp at all that winter.` })
      const view = await ask(shelve([earlier, later]), { text: 'damp', explain: true })
      expect(ids(view)).toEqual(['7/pattern/0', '3/pattern/0'])
      const [top, below] = view.hits
      expect(below?.score).toBe(top?.score)
      expect(below?.parts?.superseded).toMatchObject({ by: '7/pattern/0' })
      expect(below?.parts?.superseded?.score).toBeGreaterThan(top?.score ?? 0)
    }
  })

  test('what merely looks like a name is none', async () => {
    for (const name of ['#33', 'annex/bookshop#3', '&#3;', '13/pattern/0', '#3rd', 'v#3', '3/pattern/01x']) {
      const later = pattern('7/pattern/0', { rootCause: `Unlike ${name}, the shelf was not damp at all that winter.` })
      expect(ids(await ask(shelve([earlier, later]), { text: 'damp' })), name).toEqual(['3/pattern/0', '7/pattern/0'])
    }
  })

  test('an earlier card supersedes nothing, nor does a lesson of the same issue', async () => {
    const cards = [
      pattern('2/pattern/0', { rootCause: 'See #3 about the damp shelf in the winter.', createdAt: '2026-05-01' }),
      pattern('3/pattern/1', { rootCause: 'See #3 about the damp shelf in the winter.', createdAt: '2026-06-02' }),
    ]
    expect(ids(await ask(shelve([earlier, ...cards]), { text: 'damp' }))[0]).toBe('3/pattern/0')
  })

  test('chains hold', async () => {
    const cards = [
      earlier,
      pattern('4/pattern/0', { pattern: 'damp damp', rootCause: 'Not #3.', createdAt: '2026-06-02' }),
      pattern('5/pattern/0', { rootCause: 'Neither #4 nor damp: mice, as was found out after weeks of looking.' }),
    ]
    expect(ids(await ask(shelve(cards), { text: 'damp' }))).toEqual(['5/pattern/0', '4/pattern/0', '3/pattern/0'])
  })
})

test('--for: lessons of any of the paths, more of them first; stale ones are counted, never shown', async () => {
  const root = tempTree({ 'a.ts': 'export function shelf() {}\n', 'b.ts': 'x\n' })
  const cards = [
    pattern('1/pattern/0', { paths: ['a.ts'], anchor: { path: 'a.ts', symbol: 'shelf' } }),
    pattern('2/pattern/0', { paths: ['a.ts', 'b.ts'], anchor: { path: 'b.ts' } }),
    pattern('3/pattern/0', { paths: ['a.ts'], anchor: { path: 'a.ts', symbol: 'ladder' } }),
  ]
  const question = { k: 1, kind: null, today: TODAY, explain: false }
  const view = await recallForPaths(shelve(cards), ['a.ts', 'b.ts'], question, { root, env: ENV })
  expect(ids(view)).toEqual(['2/pattern/0'])
  expect(view.stale).toBe(1)
})

test('any question is safe and gives the same answer twice', async () => {
  const store = shelve([
    pattern('1/pattern/0', { pattern: 'damp constructor', paths: ['a.ts'], symbols: ['hasOwnProperty'] }),
    decision('2/decision/0', { decision: 'None of #1', paths: ['日本/設計.md'] }),
  ])
  const word = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', '%', "'; DROP", '\0', '\ud83d'),
  )
  await fc.assert(
    fc.asyncProperty(
      word,
      fc.array(word, { maxLength: 2 }),
      fc.array(word, { maxLength: 2 }),
      async (text, files, symbols) => {
        const first = await ask(store, { text, files, symbols, explain: true })
        expect(await ask(store, { text, files, symbols, explain: true })).toEqual(first)
        for (const { score } of first.hits) expect(Number.isFinite(score)).toBe(true)
      },
    ),
    { numRuns: 150 },
  )
})

test('row ids past four million are as good as any', async () => {
  const store = shelve([pattern('1/pattern/0', { pattern: 'damp' }), pattern('2/pattern/0', { pattern: 'damp shelf' })])
  const before = await ask(store, { text: 'damp' })
  store.write(() => {
    store.prepare('UPDATE card SET id = id + 5000000').run()
    store.prepare('UPDATE posting SET card = card + 5000000').run()
  })
  expect(await ask(store, { text: 'damp' })).toEqual(before)
})
