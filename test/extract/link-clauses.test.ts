// One line that relates an artifact to several others: every phrase counts that starts a clause and names somebody.

import { expect, test } from 'vitest'
import { adr, edgesOf } from './lenient-facts.ts'

const SUPERSEDES = 'ADR-0042 -supersedes-> ADR-0001 (line)'

test.each([
  ['Supersedes [ADR 1](0001-a.md), amends [ADR 2](0002-b.md)', 'extends', 'ADR-0002-b'],
  ['Supersedes ADR-0001, related to ADR-0002', 'related', 'ADR-0002'],
  ['Supersedes ADR-0001; related: ADR-0002', 'related', 'ADR-0002'],
  ['**Supersedes:** ADR-0001, **Related:** ADR-0002', 'related', 'ADR-0002'],
  ['Supersedes ADR-0001, but builds on ADR-0002', 'extends', 'ADR-0002'],
  ['Supersedes ADR-0001 and partially supersedes ADR-0002', 'extends', 'ADR-0002'],
  ['Supersedes ADR-0001, and also amends ADR-0002', 'extends', 'ADR-0002'],
  ['Supersedes ADR-0001 / Amends ADR-0002', 'extends', 'ADR-0002'],
  ['Supersedes ADR-0001 - Amends ADR-0002', 'extends', 'ADR-0002'],
])('%s', (line, type, target) => {
  const first = line.includes('](') ? SUPERSEDES.replace('ADR-0001', 'ADR-0001-a') : SUPERSEDES
  expect(edgesOf(adr(`# 42. Rye\n\n${line}\n`))).toEqual([first, `ADR-0042 -${type}-> ${target} (line)`])
})

test.each([
  'Supersedes ADR-0001, related work is in ADR-0002',
  'Supersedes ADR-0001, requires some care: ADR-0002',
  'Supersedes ADR-0001 (see notes/amends-all.md), whatever ADR-0002 may say',
])('prose behind it is none: %s', (line) => {
  expect(edgesOf(adr(`# 42. Rye\n\n${line}\n`)).filter((edge) => edge.includes('-> ADR-0002'))).toEqual([])
})

test('the slug behind a number is kept, since two files may have that number', () => {
  const { edges } = adr('# 42. Rye\n\nExtends ADR-1-oven\n')
  expect(edges.map(({ up, note }) => [up, JSON.parse(note ?? '')])).toEqual([
    ['ADR-0001', { slug: 'ADR-0001-oven', how: 'line' }],
  ])
})
