// Terms: identifiers of every style, scripts of every kind, words that are properties of every object; and what a card's
// fields hold of them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardLength, fieldTokens } from '../../src/extract/ledger-cards.ts'
import { tokensOf } from '../../src/extract/ledger-tokens.ts'
import type { DecisionCard, InvestigationCard } from '../../src/model/ledger.ts'

describe('terms of a text', () => {
  test.each([
    ['ovenTimer', ['oventimer', 'oven', 'timer']],
    ['OvenTimer', ['oventimer', 'oven', 'timer']],
    ['OVEN_TIMER', ['oven_timer', 'oven', 'timer']],
    ['parseJSONCrumb', ['parsejsoncrumb', 'parse', 'json', 'crumb']],
    ['JSON', ['json']],
    ['sha256Sum', ['sha256sum', 'sha', '256', 'sum']],
    ['utf8', ['utf8', 'utf']],
    ['x86_64', ['x86_64', 'x86', '86', '64']],
    ['bakeV2', ['bakev2', 'bake']],
    ['bread-knife', ['bread', 'knife']],
    ['bread/knife.ts', ['bread', 'knife', 'ts']],
    ['bread bread', ['bread', 'bread']],
    ['breadBread', ['breadbread', 'bread']],
    ['a b c', []],
    ['ｆｕｌｌＷｉｄｔｈ', ['fullwidth', 'full', 'width']],
    ['ﬁle', ['file']],
    ['cafe\u0301 café', ['café', 'café']],
    ['ПекарьХлеба', ['пекарьхлеба', 'пекарь', 'хлеба']],
    ['שלום', ['שלום']],
    ['हिन्दी', ['हिन्दी']],
    ['パン屋parser', ['パン', 'ン屋', 'parser']],
    ['麦', ['麦']],
    ['빵집', ['빵집']],
    ['𠮷野家', ['𠮷野', '野家']],
    [
      'constructor __proto__ hasOwnProperty',
      [...['constructor', '__proto__', 'proto', 'hasownproperty', 'has', 'own', 'property']],
    ],
    ['\ud83d \udea2 🚢', []],
    ['', []],
  ])('%j', (text, expected) => expect(tokensOf(text)).toEqual(expected))

  test('a text of ASCII alone has the terms that it has beside other letters', () => {
    const ascii = fc.string({ unit: fc.constantFrom(...'aabzABZ0099__ -./#\n\u0000\u007f'), maxLength: 60 })
    fc.assert(
      fc.property(fc.oneof(ascii, fc.string({ unit: 'binary-ascii' })), (text) => {
        expect([...tokensOf(text), '麦']).toEqual(tokensOf(`${text} 麦`))
      }),
      { numRuns: 2000 },
    )
    expect([...tokensOf('xY'.repeat(1500)), '麦']).toEqual(tokensOf(`${'xY'.repeat(1500)} 麦`))
  })

  test('a term has an end, and what was cut is found by the same text', () => {
    const word = 'x'.repeat(5000)
    for (const term of tokensOf(word)) expect(term).toBe('x'.repeat(64))
    expect(tokensOf('\u{1d7ce}\u{10428}'.repeat(500)).every((term) => !/\p{Cs}/u.test(term))).toBe(true)
  })
})

describe('terms of a card', () => {
  const base = {
    schemaVersion: 1,
    issue: 7,
    pr: null,
    sourceCommentId: 1,
    anchor: null,
    createdAt: '2026-07-04',
  } as const
  const lesson: InvestigationCard = {
    ...base,
    ...{ id: '7/investigation/0', kind: 'investigation', verdict: 'CONFIRMED', confidence: 'HIGH', severity: 'LOW' },
    ...{ taskType: 'Bug Fix', rootCause: 'Dough, dough, doughTimer', prevention: '' },
    ...{
      paths: ['bakery/dough.ts', 'bakery/oven/'],
      symbols: ['doughTimer', 'constructor'],
      outcome: { fixMerged: true },
    },
  }

  test('are counted per field; folders are not searched', () => {
    const fields = fieldTokens(lesson)
    expect([...fields.keys()].sort()).toEqual(['paths', 'rootCause', 'symbols', 'taskType', 'verdict'])
    expect(fields.get('rootCause')).toEqual(
      new Map([
        ['dough', 3],
        ['doughtimer', 1],
        ['timer', 1],
      ]),
    )
    expect(fields.get('paths')).toEqual(
      new Map([
        ['dough', 1],
        ['ts', 1],
        ['oven', 1],
      ]),
    )
    expect(fields.get('symbols')?.get('constructor')).toBe(1)
    expect([...fields.values()].some((counts) => counts.has('high') || counts.has('low') || counts.has('bakery'))).toBe(
      false,
    )
  })

  test('a card is as long as it has different terms', () => {
    // dough doughtimer timer | constructor | ts oven | confirmed | bug fix
    expect(cardLength(lesson)).toBe(9)
    expect(cardLength(lesson, fieldTokens(lesson))).toBe(9)
    const decision: DecisionCard = {
      ...base,
      ...{ id: '7/decision/0', kind: 'decision', decision: 'Rye', anomalies: null, paths: [], symbols: [] },
    }
    expect(cardLength(decision)).toBe(1)
    expect(fieldTokens({ ...decision, anomalies: 'None' }).get('anomalies')).toEqual(new Map([['none', 1]]))
  })
})
