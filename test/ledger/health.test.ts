// The ledger's health, from rows and from the working tree, and what it looks like.

import { expect, test } from 'vitest'
import { ledgerHealth } from '../../src/ledger/health.ts'
import { healthHuman, healthJson } from '../../src/render/recall.ts'
import type { Store } from '../../src/store/open.ts'
import { LedgerWriter } from '../../src/store/queries/ledger-write.ts'
import { tempTree } from '../support/temp.ts'
import { decision, ENV, pattern, REPO, shelve, TODAY } from './bookshop.ts'

const CARDS = [
  pattern('1/pattern/0', { pattern: 'damp', anchor: { path: 'a.ts', symbol: 'dry', blobSha: 'a'.repeat(40) } }),
  pattern('1/pattern/1', { pattern: 'dust', anchor: { path: 'gone.ts' } }),
  decision('2/decision/0', { decision: 'Shelves are oak.' }),
]

function settled(store: Store, watermark: string | null): Store {
  store.write(() => new LedgerWriter(store, REPO, 'trust').setWatermark(watermark))
  return store
}

test('a healthy ledger: counts, age and the line that pipelines look for', async () => {
  const root = tempTree({ 'a.ts': 'const dry = 1\n' })
  const health = await ledgerHealth(settled(shelve(CARDS), '2026-06-28T09:00:00Z'), { root, env: ENV }, TODAY)
  expect(health).toEqual({
    cards: 3,
    stale: 1,
    issues: 2,
    byKind: { investigation: 0, pattern: 2, decision: 1 },
    dangling: 1,
    repos: [{ name: REPO, watermark: '2026-06-28T09:00:00Z', ageDays: 3, issues: 2, cards: 3, ignored: 0 }],
    problems: [],
  })
  expect(healthHuman(health, false)).toBe(
    [
      'Ledger health',
      '─────────────',
      'Total cards:    3',
      'Stale:          1 (33%)',
      'Unique issues:  2',
      'By kind:        {"investigation":0,"pattern":2,"decision":1}',
      'Dangling:       1 anchor(s) without history',
      'Repository:     quay-street/bookshop (2 issues, 3 cards, 0 ignored annotations)',
      'Watermark:      2026-06-28T09:00:00Z (3 days old)',
      'Health:         ok',
      '',
    ].join('\n'),
  )
  expect(JSON.parse(healthJson(health))).toMatchObject({ schema_version: '1', healthy: true, cards: 3 })
})

test('what makes it unhealthy', async () => {
  const tree = { root: null, env: ENV }
  const empty = shelve([])
  empty.write(() => empty.prepare('DELETE FROM ledger_repo').run())
  expect((await ledgerHealth(empty, tree, TODAY)).problems).toEqual(['no repository was ever indexed'])
  const store = shelve(CARDS)
  expect((await ledgerHealth(store, tree, TODAY)).problems).toEqual([`no listing of ${REPO} was ever completed`])
  settled(store, '2026-06-28T09:00:00Z')
  store.write(() => store.prepare('DELETE FROM posting WHERE card = 1').run())
  store.write(() => store.prepare('DELETE FROM card WHERE id = 2').run())
  const broken = await ledgerHealth(store, tree, TODAY)
  expect(broken.problems).toEqual([
    expect.stringMatching(/^\d+ row\(s\) belong to nothing$/),
    '1 card(s) cannot be found by text',
  ])
  expect(healthHuman(broken, true)).toContain('\u001b[31munhealthy')
})

test('more than half of the anchored cards stale is told', async () => {
  const cards = Array.from({ length: 12 }, (_, i) =>
    pattern(`${i + 1}/pattern/0`, { pattern: 'damp', anchor: { path: `f${i}.ts` } }),
  )
  const root = tempTree({ 'f0.ts': '' })
  const health = await ledgerHealth(settled(shelve(cards), '2026-06-28T09:00:00Z'), { root, env: ENV }, TODAY)
  expect(health.problems).toEqual(['11 of 12 anchored cards are stale'])
})

test('few cards are no excuse: nothing but stale ones is unhealthy, exactly half is not', async () => {
  const cards = ['a', 'b'].map((name, i) =>
    pattern(`${i + 1}/pattern/0`, { pattern: 'damp', anchor: { path: `${name}.ts` } }),
  )
  const problems = async (files: Record<string, string>): Promise<readonly string[]> => {
    const store = settled(shelve(cards), '2026-06-28T09:00:00Z')
    return (await ledgerHealth(store, { root: tempTree(files), env: ENV }, TODAY)).problems
  }
  expect(await problems({})).toEqual(['2 of 2 anchored cards are stale'])
  expect(await problems({ 'a.ts': '' })).toEqual([])
})
