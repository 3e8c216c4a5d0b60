// Facts of artifacts of every lenient convention: whole fixtures as tables, ids, titles and aliases, and any text at all.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/extract/config.ts'
import { claims } from '../../src/extract/conventions/claims.ts'
import { detectConventions } from '../../src/extract/conventions/detect.ts'
import { log4brainsFolders } from '../../src/extract/conventions/log4brains.ts'
import type { Layout } from '../../src/model/layout.ts'
import { peekAt } from '../../src/scan/peek.ts'
import { effort } from '../support/effort.ts'
import { adr, edgesOf, factsIn, layoutOf, NUMBERED, nodesOf } from './lenient-facts.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/conventions')

/** Nodes, edges and problems of a whole fixture, file by file. */
function fixture(name: string): string[] {
  const root = path.join(FIXTURES, name)
  const own = name === 'custom' ? readFileSync(`${root}.config.yml`, 'utf8') : ''
  const peek = peekAt(root, '')
  const yaml = peek.read('.log4brains.yml')
  const folders = { adr: null, spec: null, log4brains: yaml === null ? [] : log4brainsFolders(yaml) }
  const conventions = detectConventions(peek, parseConfig(own, name).graph, folders)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  return files
    .filter((file) => conventions.some((use) => claims(use, file)))
    .flatMap((file) => {
      const facts = factsIn(layoutOf(conventions), file, readFileSync(path.join(root, file), 'utf8'))
      return [...nodesOf(facts), ...edgesOf(facts), ...facts.problems.map(({ code, detail }) => `${code}: ${detail}`)]
    })
}

describe('fixtures', () => {
  test('adr-numbered', () => {
    expect(fixture('adr-numbered')).toEqual([
      'adr ADR-0001 | Keep a sourdough starter | Accepted',
      'ADR-0006-feed-the-starter-twice-a-day -extends-> ADR-0001 (status | reverse)',
      'adr ADR-0002 | Bake in a wood oven | superseded',
      'ADR-0005-bake-in-an-electric-oven -supersedes-> ADR-0002 (status | reverse)',
      'adr ADR-0003 | Weigh flour on one scale | accepted',
      'ADR-0003 -extends-> ADR-0001-keep-a-sourdough-starter (line)',
      'ADR-0003 -related-> ADR-0004 (field)',
      'ADR-0003 -related-> ADR-0002-bake-in-a-wood-oven (link)',
      'adr ADR-0004 | Open at six | ACCEPTED (by the whole shift)',
      'ADR-0004 -enables-> ADR-0001 (line | reverse)',
      'ADR-0008 -supersedes-> ADR-0004 (line | reverse | weekend clause only)',
      'adr ADR-0005 | Bake in an electric oven | Accepted',
      'ADR-0005 -supersedes-> ADR-0002-bake-in-a-wood-oven (status)',
      'adr ADR-0006 | Feed the starter twice a day | Accepted',
      'ADR-0006 -extends-> ADR-0001-keep-a-sourdough-starter (status)',
      'adr ADR-0007 | Give bread to the shelter | Proposed',
      'ADR-0007 -related-> ADR-0007-sell-yesterdays-bread (line)',
      'ADR-0007 -related-> ADR-0099 (line)',
      "adr ADR-0007 | Sell yesterday's bread | on hold",
      'ADR-0007 -extends-> ADR-0004 (field)',
      "ADR-0007 -extends-> ADR-0003 (line | the shop's own rules)",
      'adr ADR-0008 | Stay closed on Sundays | Accepted',
      'ADR-0008 -supersedes-> ADR-0004 (line | weekend clause only)',
      'heading-mismatch: the heading says 9, the name of the file says 0008',
    ])
  })

  test('log4brains', () => {
    expect(fixture('log4brains')).toEqual([
      'adr ADR:20230105-lend-by-card | Lend by card | superseded',
      'ADR:20230420-lend-by-phone -supersedes-> ADR:20230105-lend-by-card (status | reverse)',
      'adr ADR:20230212-shelve-by-colour | Shelve by colour | rejected',
      'adr ADR:20230420-lend-by-phone | Lend by phone | accepted',
      'ADR:20230420-lend-by-phone -supersedes-> ADR:20230105-lend-by-card (line)',
      'ADR:20230601-keep-no-phone-numbers -extends-> ADR:20230420-lend-by-phone (line | reverse)',
      'adr ADR:20230601-keep-no-phone-numbers | Keep no phone numbers | accepted',
      'ADR:20230601-keep-no-phone-numbers -extends-> ADR:20230420-lend-by-phone (line | for readers below sixteen)',
      'ADR:20230601-keep-no-phone-numbers -related-> ADR:20230901-drop-the-late-fee (line)',
      'adr ADR:20231010-open-on-mondays | Open on Mondays | draft',
      'ADR:20231010-open-on-mondays -related-> ADR:20230212-shelve-by-colour (line)',
      'adr ADR:20230901-drop-the-late-fee | Drop the late fee | proposed',
      'ADR:20230901-drop-the-late-fee -enables-> ADR:20230420-lend-by-phone (line | reverse)',
    ])
  })

  test('openspec: a delta is an edge of its change and no second spec', () => {
    expect(fixture('openspec')).toEqual([
      'change CHANGE:add-night-berths | Add night berths | null',
      'CHANGE:add-night-berths -changes-> SPEC:berth-booking (delta)',
      'CHANGE:add-night-berths -changes-> SPEC:quay-lamps (delta)',
      'change CHANGE:move-the-crane | null | null',
      'CHANGE:move-the-crane -changes-> SPEC:crane-shifts (delta)',
      'spec SPEC:berth-booking | berth-booking Specification | null',
      'spec SPEC:crane-shifts | crane-shifts Specification | null',
      'spec SPEC:harbour-dues | harbour-dues Specification | null',
      'SPEC:harbour-dues -related-> SPEC:berth-booking (link)',
      'spec SPEC-0003 | Tide table | null',
    ])
  })

  test('spec-kit: an untouched template is no spec', () => {
    expect(fixture('spec-kit')).toEqual([
      'spec SPEC:001-seat-plan | Seat plan | Approved',
      'spec SPEC:002-cloak-room | Cloak room | In Review',
      'spec SPEC:002-ticket-sale | Ticket sale | Draft',
      'SPEC:002-ticket-sale -requires-> SPEC-0001 (line)',
      'spec SPEC:003-season-pass | Season pass | Draft',
      'SPEC:003-season-pass -extends-> SPEC:002-ticket-sale (line | for regulars)',
      'spec SPEC:004-stage-lights | Stage lights | superseded',
      'SPEC:005-light-desk -supersedes-> SPEC:004-stage-lights (status | reverse)',
      'spec SPEC:005-light-desk | Light desk | Implemented',
    ])
  })

  test('kiro', () => {
    expect(fixture('kiro')).toEqual([
      'spec SPEC:bee-house | null | null',
      'SPEC:bee-house -requires-> SPEC:tool-shed (line)',
      'spec SPEC:compost-heap | Compost heap | null',
      'SPEC:compost-heap -related-> SPEC:water-the-beds (link)',
      'spec SPEC-0012 | Greenhouse | draft',
      'spec SPEC:leaking-hose | null | null',
      'spec SPEC:tool-shed | Tool shed | null',
      'spec SPEC:water-the-beds | null | null',
    ])
  })

  test('backstage', () => {
    expect(fixture('backstage')).toEqual([
      'adr ADR-0001 | Keep a log of decisions | null',
      'adr ADR-0002 | Use one gauge | null',
      'ADR-0002 -related-> ADR-0001-decision-log (link)',
      'adr ADR-0003 | Run steam engines | superseded',
      'ADR-0005-electric-engines -supersedes-> ADR-0003 (line | reverse)',
      'adr ADR-0004 | Light the signals | null',
      'ADR-0004 -enables-> ADR-0002 (line | reverse)',
      'adr ADR-0005 | Run electric engines | null',
      'ADR-0005 -supersedes-> ADR-0003-steam-engines (line)',
      'adr ADR-0006 | Run at night | null',
      'ADR-0006 -extends-> ADR-0004 (line)',
      'ADR-0006 -extends-> ADR-0005 (line)',
    ])
  })

  test('custom', () => {
    expect(fixture('custom')).toEqual([
      'spec SPEC:dish | Dish | draft',
      'SPEC:dish -implements-> RULE-12 (field)',
      'SPEC:dish -requires-> SPEC:refractor (line)',
      'spec SPEC:refractor | Refractor | null',
      'SPEC:refractor -implements-> RULE-07 (line | lens cap clause)',
      'adr RULE-03 | No visitors | superseded',
      'RULE-12 -supersedes-> RULE-03 (status | reverse)',
      'adr RULE-07 | Dark dome | in force',
      'RULE-07 -enables-> RULE-12 (line | reverse)',
      'adr RULE-09 | Open the shutter slowly | proposed',
      'RULE-09 -enables-> RULE-07 (field | reverse)',
      'adr RULE-12 | Quiet hours | in force',
      'RULE-12 -supersedes-> RULE-03 (line)',
    ])
  })

  test("sdd goes to the strict reader: the seed's own front matter", () => {
    const rows = fixture('sdd')
    expect(rows).toContain('SPEC-0018 -implements-> ADR-0023 ()')
    expect(rows).toContain('SPEC-0018 -requires-> SPEC-0014 ()')
  })
})

describe('who it is', () => {
  test.each<[string, string | null]>([
    ['# ADR-0042: Use rye', 'Use rye'],
    ['# ADR-0042 — Use rye', 'Use rye'],
    ['# ADR-42 · Use rye', 'Use rye'],
    ['# ADR 42 - Use rye', 'Use rye'],
    ['# ADR — Use rye', 'Use rye'],
    ['# 42. Use rye', 'Use rye'],
    ['# 0042 - Use rye', 'Use rye'],
    ['# 42 loaves a day', '42 loaves a day'],
    ['# Use rye: why?', 'Use rye: why?'],
    ['---\ntitle: Rye\n---\nNo heading', 'Rye'],
    ['```\n# Not this\n```\n# Use rye', 'Use rye'],
    ['---\n# a comment\nstatus: x\n---\n# Use rye', 'Use rye'],
    ['', null],
  ])('the title of %j', (text, title) => {
    expect(adr(text).nodes).toMatchObject([{ id: 'ADR-0042', title }])
    expect(adr(text).problems).toEqual([])
  })

  test.each([
    '# {short title}',
    '# [short title of the problem]',
    '# ADR-XXXX: Title',
    '# NUMBER. TITLE',
    '# {{title}}',
  ])('an untouched template, %j, is nobody', (text) => {
    expect(adr(`${text}\n\nSupersedes ADR-0001\n`)).toEqual({ nodes: [], edges: [], problems: [] })
  })

  test('aliases', () => {
    const aliases = adr('---\nid: adr-042-rye\n---\n# X\n').aliases
    expect(new Set(aliases?.map(({ id }) => id))).toEqual(new Set(['ADR-0042']))
    expect(aliases?.map(({ ref }) => ref)).toEqual([
      'ADR-42',
      '0042',
      '42',
      'ADR-0042-use-rye',
      'use-rye',
      '0042-use-rye',
      '0042-use-rye.md',
      'docs/adr/0042-use-rye.md',
      'adr-042-rye',
    ])
  })

  test('in a module every name has its prefix, and links out of it the prefix of where they lead', () => {
    const module = { name: 'shop', path: 'sites/shop', present: true, conventions: [NUMBERED] }
    const layout: Layout = { modules: [...layoutOf([NUMBERED]).modules, module], notes: [] }
    const text = '# X\n\nExtends ADR-1, [b](0002-b.md)\n\n[root](../../../../docs/adr/0003-c.md)\n'
    const facts = factsIn(layout, 'sites/shop/docs/adr/7-x.md', text)
    expect(nodesOf(facts)).toEqual(['adr [shop]/ADR-0007 | X | null'])
    expect(edgesOf(facts)).toEqual([
      '[shop]/ADR-0007 -extends-> [shop]/ADR-0001 (line)',
      '[shop]/ADR-0007 -extends-> [shop]/ADR-0002-b (line)',
      '[shop]/ADR-0007 -related-> ADR-0003-c (link)',
    ])
    expect(facts.aliases?.map(({ ref }) => ref)).toContain('[shop]/docs/adr/7-x.md')
    expect(facts.aliases?.every(({ ref }) => ref.startsWith('[shop]/'))).toBe(true)
  })

  test.each(['docs/adr/README.md', 'docs/adr/0000-template.md', 'src/0001-x.md'])('%s is nobody', (file) => {
    expect(factsIn(layoutOf([NUMBERED]), file, '# X\n')).toEqual({ nodes: [], edges: [], problems: [] })
  })

  test('a custom id that cannot be made is told', () => {
    const custom = { kind: 'adr', files: ['r/*.md'], id: '{heading}', status: 'status', edges: {} } as const
    const layout = layoutOf([{ name: 'custom', kind: 'adr', folder: '', why: '', custom }])
    expect(factsIn(layout, 'r/a.md', '# Q-7: Quark\n').nodes).toMatchObject([{ id: 'Q-7', title: 'Quark' }])
    expect(factsIn(layout, 'r/a.md', 'no heading\n')).toMatchObject({
      nodes: [],
      problems: [{ code: 'spec-without-id' }],
    })
  })
})

describe('any text', () => {
  const pieces = [
    '---\n',
    '# ',
    '## Status\n',
    'Status: ',
    'Supersedes ',
    'superseded by ',
    'ADR-0003',
    '[a](0003-b.md)',
    '[',
    ']',
    '(',
    ')',
    '|',
    '\n',
    '\n\n',
    '- ',
    '`',
    '```\n',
    '<!--',
    '-->',
    ', ',
    '. ',
    'related: ',
    '*',
    '_',
    '{',
    '}',
    'and ',
    '\u00a0',
    '\ufeff',
    '0003',
  ]

  test('is read without an error, and edges have their author at one end', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 6 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, (parts) => {
        const { nodes, edges } = adr(parts.join(''))
        expect(nodes.length).toBeLessThanOrEqual(1)
        for (const { up, down } of edges) expect([up, down]).toContain(nodes[0]?.id)
      }),
      { numRuns: effort(1000, 20_000) },
    )
  })

  test.each(pieces)('%j a hundred thousand times takes no time to speak of', (piece) => {
    for (const text of [piece.repeat(100_000), `# X\n\nSupersedes ${piece.repeat(100_000)}`]) {
      const before = process.cpuUsage().user
      adr(text)
      expect(process.cpuUsage().user - before).toBeLessThan(1_500_000)
    }
  })
})
