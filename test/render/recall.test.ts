// Recall as JSON with the contract's keys, and as blocks for people.

import { expect, test } from 'vitest'
import type { RecallHit, RecallView } from '../../src/model/ledger-views.ts'
import { recallHuman, recallJson } from '../../src/render/recall.ts'

const HIT: RecallHit = {
  id: '12/pattern/0',
  kind: 'pattern',
  issue: 12,
  repo: 'quay-street/bookshop',
  score: 4.905,
  paths: ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts'],
  symbols: [],
  pattern: 'damp-shelf',
  rootCause: 'The wall is\u001b[31m wet.',
  prevention: null,
  decision: null,
  anomalies: null,
  verdict: 'CONFIRMED',
  confidence: null,
  severity: 'LOW',
  status: 'moved',
  createdAt: '2026-01-29',
  moved: { path: 'new/a.ts', line: 7 },
  parts: null,
}
const FORM = { terminal: false, web: 'https://github.com' }

function view(...hits: readonly RecallHit[]): RecallView {
  return { hits, stale: 0, below: 0, cards: 1 }
}

test('JSON has the keys of the contract, in its order, and nothing else', () => {
  const [hit] = JSON.parse(recallJson(view(HIT))) as Record<string, unknown>[]
  const keys =
    'id kind issue score paths symbols pattern rootCause prevention decision verdict confidence severity status createdAt'
  expect(Object.keys(hit ?? {})).toEqual(keys.split(' '))
  expect(hit).toMatchObject({ prevention: null, status: 'moved', score: 4.905 })
  expect(recallJson(view())).toBe('[]\n')
})

test('an explanation is a key of its own', () => {
  const term = { term: 'damp', found: 2, idf: 0.51234567, weight: 3, fields: { pattern: 1 }, score: 1.23456789 }
  const boosts = [{ what: 'file', of: 'a.ts', boost: 5 }] as const
  const parts = { terms: [term], length: 4, averageLength: 5, text: 1.23456789, ageDays: 9, decay: 0.95, boosts }
  const hit = { ...HIT, parts: { ...parts, superseded: { by: '13/pattern/0', score: 6.2 } } }
  const [json] = JSON.parse(recallJson(view(hit))) as { explain: Record<string, unknown> }[]
  expect(json?.explain).toMatchObject({ text: 1.234568, ageDays: 9, boosts, moved: { path: 'new/a.ts', line: 7 } })
  expect(recallHuman(view(hit), FORM)).toContain(
    [
      'Score:      text 1.235 × decay 0.950 (9 days) + boosts; length 4, average 5.0',
      '  damp: 1.235 = idf 0.512 (in 2), weight 3 (pattern 1)',
      '  file a.ts: +5',
      '  superseded by 13/pattern/0: 6.200 before',
    ].join('\n'),
  )
})

test('blocks for people: labels, cut lists, where it moved, where it comes from', () => {
  const bare = { ...HIT, rootCause: 'Wet.', status: 'fresh', moved: null } as const
  const note = {
    ...bare,
    kind: 'decision',
    pattern: null,
    rootCause: null,
    decision: 'Oak.',
    anomalies: 'None',
    paths: [],
  } as const
  const found = {
    ...bare,
    kind: 'investigation',
    pattern: null,
    prevention: 'Dry it.',
    status: 'stale',
    paths: [],
  } as const
  expect(recallHuman(view({ ...HIT, rootCause: 'Wet.' }, note, found), FORM)).toBe(`Specdex recall — 3 result(s)

── PATTERN [MOVED] from #12 (score: 4.91) ──
Pattern:    damp-shelf
Root Cause: Wet.
Files:      a.ts, b.ts, c.ts, d.ts, e.ts +1 more
Moved to:   new/a.ts:7
Severity:   LOW
Date:       2026-01-29
Cite:       https://github.com/quay-street/bookshop/issues/12

── DECISION from #12 (score: 4.91) ──
Decision:   Oak.
Severity:   LOW
Date:       2026-01-29
Cite:       https://github.com/quay-street/bookshop/issues/12

── INVESTIGATION [STALE] from #12 (score: 4.91) ──
Root Cause: Wet.
Fix:        Dry it.
Verdict:    CONFIRMED (?)
Severity:   LOW
Date:       2026-01-29
Cite:       https://github.com/quay-street/bookshop/issues/12

`)
  expect(recallHuman(view(), FORM)).toBe('')
})

test('a terminal gets colours of ours and none of anybody else', () => {
  const text = recallHuman(view(HIT), { ...FORM, terminal: true })
  expect(text).toContain('\u001b[36mPATTERN\u001b[0m')
  expect(text).toContain('The wall is\\u001b[31m wet.')
  expect(recallHuman(view({ ...HIT, paths: ['a\nb'] }), FORM)).toContain('a\\u000ab')
})
