// What prose proposes, by the literal rules of sheet artifact-graph §10 and the seed's scenarios. Each row is one text.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proposeEdges } from '../../src/extract/prose-edges.ts'
import { effort } from '../support/effort.ts'
import { workOf } from '../support/work.ts'

const HARBOUR = [
  'ADR-0001',
  'ADR-0002',
  'ADR-0003',
  'ADR-0008',
  'ADR-0009',
  'ADR-0010',
  'SPEC-0001',
  'SPEC-0002',
  'SPEC-0007',
  'SPEC-0009',
  '[crane]/ADR-0001',
  '[crane]/SPEC-0001',
]

function kindOf(id: string): 'adr' | 'spec' | null {
  if (!HARBOUR.includes(id)) return null
  return id.includes('ADR-') ? 'adr' : 'spec'
}

/** `field target` per edge; a guess carries a `?`. */
function edges(id: string, body: string): string[] {
  const kind = id.includes('ADR-') ? 'adr' : 'spec'
  const found = proposeEdges(body, { id, kind, knownKind: kindOf })
  return found.map(({ field, target, confidence }) => `${field} ${target}${confidence === 'low' ? '?' : ''}`)
}

const adr = (body: string): string[] => edges('ADR-0009', `# ADR-0009: Berths by tide\n\n${body}\n`)
const spec = (body: string): string[] => edges('SPEC-0009', `# SPEC-0009: Tide table\n\n${body}\n`)

describe('an ADR', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "the seed's scenario",
      'Related: 📝 ADR-0008 (quay plan), SPEC-0007 (berths)',
      ['extends ADR-0008?', 'governs SPEC-0007'],
    ],
    ['a prefix in any section', '## Context\n\nIt was hard. Supersedes ADR-0002.', ['supersedes ADR-0002']],
    ['two ids of one clause', '## X\n\nExtends ADR-0001 and ADR-0002.', ['extends ADR-0001', 'extends ADR-0002']],
    ['a colon', '**Supersedes:** ADR-0002', ['supersedes ADR-0002']],
    ['bold without a colon', '- **Builds on** ADR-0002', ['extends ADR-0002']],
    ['a full stop ends the clause', 'Supersedes ADR-0002. ADR-0003 stays.', ['supersedes ADR-0002']],
    ['a semicolon ends the clause', 'Supersedes ADR-0002; ADR-0003 stays', ['supersedes ADR-0002']],
    ['a list item ends the clause', '- Supersedes ADR-0002\n- ADR-0003 stays', ['supersedes ADR-0002']],
    ['a table cell ends the clause', '| Supersedes ADR-0002 | ADR-0003 |', ['supersedes ADR-0002']],
    [
      'a dot in an abbreviation does not',
      'Supersedes ADR-0001, e.g. ADR-0002',
      ['supersedes ADR-0001', 'supersedes ADR-0002?'],
    ],
    ['a soft wrap does not', 'Supersedes ADR-0001\nand ADR-0002', ['supersedes ADR-0001', 'supersedes ADR-0002']],
    [
      'two prefixes in one clause',
      'Supersedes ADR-0001 and extends ADR-0002',
      ['supersedes ADR-0001', 'extends ADR-0002'],
    ],
    ['words before the first id', 'Supersedes the berth list of ADR-0002', ['supersedes ADR-0002?']],
    ['its own name as subject', 'This decision supersedes ADR-0002.', ['supersedes ADR-0002']],
    ['in mid-sentence', 'Since the flood the plan extends ADR-0002 a little', ['extends ADR-0002']],
    ['a spec under any prefix', 'Builds on SPEC-0001', ['governs SPEC-0001']],
    ['a link', 'Extends [ADR-0002](ADR-0002-buoys.md)', ['extends ADR-0002']],
    ['related in mid-sentence is no prefix', 'The closely related ADR-0002 stays', []],
    ["somebody else's edge", 'ADR-0001 supersedes ADR-0002', []],
    ['a relative clause', 'Builds on ADR-0001, which extends ADR-0002', ['extends ADR-0001']],
    ['a negation', 'It does not follow that this never supersedes ADR-0002', []],
    ['not related', '## Related\n\n- ADR-0001\n- not related to ADR-0002 and ADR-0003', ['related ADR-0001']],
    ['not related, with a colon', 'Not related: ADR-0002', []],
    ['unrelated, in a section that counts', '## Consequences\n\nThis is unrelated to SPEC-0001.', []],
    ["isn't closely related", "## Related\n\nThis isn't closely related to the older ADR-0002", []],
    ['not only related', '## Related\n\nIt is not only related to ADR-0002', ['related ADR-0002']],
    ['not related, and another one', '## Related\n\nNot related to ADR-0001, see ADR-0002', ['related ADR-0002']],
    ['a quoted prefix', 'Write "Supersedes ADR-0002" there', []],
    ['superseded by', 'Superseded by ADR-0010 in spring', []],
    ['superseded in March by', '## Related\n\nSuperseded in March by ADR-0010', []],
    ['what supersedes this one', '## Related\n\nADR-0010 supersedes this decision', []],
    ['reverse here, bare there', '## Related\n\n- ADR-0010\n\n## Status\n\nReplaced by ADR-0010', []],
    ['a reverse phrase beside a prefix', 'Extends ADR-0001, extended by ADR-0010', ['extends ADR-0001']],
    ['implemented by a spec', '## Decision Outcome\n\nImplemented by SPEC-0001', ['governs SPEC-0001?']],
    ['bare ids in Related', '## Related\n\n- ADR-0002\n- SPEC-0001', ['governs SPEC-0001', 'related ADR-0002']],
    ['bare ids in Related Decisions', '### Related decisions:\n\nADR-0002', ['related ADR-0002']],
    ['bare ids in More Information', '## More Information\n\nADR-0002', ['related ADR-0002']],
    ['a setext heading', 'Related\n-------\n\nADR-0002', ['related ADR-0002']],
    ['a section that counts for nothing', '## Links\n\nADR-0002, SPEC-0001', []],
    ['specs in the outcome', '## Decision Outcome\n\nSPEC-0001 and ADR-0002', ['governs SPEC-0001?']],
    ['specs in a part of the consequences', '## Consequences\n\n### Good\n\nSPEC-0001', ['governs SPEC-0001?']],
    ['another section ends one', '## Consequences\n\n## Links\n\nSPEC-0001', []],
    ['itself', '## Related\n\nADR-0009', []],
    ['what is not known', '## Related\n\nADR-0077', []],
    ['other widths and cases', '## Related\n\nadr-0002 ADR-2 ADR-00020 XADR-0002', []],
    ['inline code', '## Related\n\n`ADR-0002` and ``Supersedes ADR-0003``', []],
    ['a fence', '## Related\n\n```\nADR-0002\n```', []],
    ['a fence in a list', '## Related\n\n- so:\n\n  ~~~\n  ADR-0002\n  ~~~', []],
    ['a comment over lines', '## Related\n\n<!-- ADR-0002\n\nADR-0003 -->\nADR-0001', ['related ADR-0001']],
    ['a web address', '## Related\n\nhttps://example.org/ADR-0002', []],
    [
      'the strongest of two',
      '## Related\n\nADR-0002\n\nExtends ADR-0002. Supersedes ADR-0002.',
      ['supersedes ADR-0002'],
    ],
    ['another module', '## Related\n\n[crane]/SPEC-0001', ['governs [crane]/SPEC-0001']],
  ]
  test.each(rows)('%s', (_, body, expected) => {
    expect(adr(body)).toEqual(expected)
  })
})

describe('a spec', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'ids in the Overview',
      '## Overview\n\nFor ADR-0001, from SPEC-0001.',
      ['implements ADR-0001?', 'requires SPEC-0001?'],
    ],
    ['a prefix beats the Overview', '## Overview\n\nBuilds on SPEC-0001.', ['extends SPEC-0001']],
    [
      'Builds on one and realizes another',
      '## Overview\n\nBuilds on SPEC-0001 and realizes ADR-0001.',
      ['implements ADR-0001?', 'extends SPEC-0001'],
    ],
    ['Related is requires', 'Related: SPEC-0001, ADR-0001', ['implements ADR-0001', 'requires SPEC-0001']],
    ['Supersedes', 'Supersedes SPEC-0001', ['supersedes SPEC-0001']],
    ['governed by an ADR', '## Overview\n\nGoverned by ADR-0001', ['implements ADR-0001?']],
    ['required by a spec', '## Overview\n\nRequired by SPEC-0001', []],
    ['a requirement', '## Requirements\n\n### Requirement: Keep\n\nSPEC-0001 MUST stay. ADR-0001', []],
    ['the outcome of ADRs only', '## Consequences\n\nSPEC-0001', []],
  ]
  test.each(rows)('%s', (_, body, expected) => {
    expect(spec(body)).toEqual(expected)
  })
})

test('front matter is no prose', () => {
  expect(edges('ADR-0009', '---\nrelated: [ADR-0002]\n# Supersedes ADR-0003\n---\n# ADR-0009\n')).toEqual([])
})

test('CR LF and a byte-order mark change nothing', () => {
  const text = '\ufeff---\r\nstatus: open\r\n---\r\n# ADR-0009\r\n\r\n## Related\r\n\r\n- ADR-0002\r\n'
  const [edge] = proposeEdges(text, { id: 'ADR-0009', kind: 'adr', knownKind: kindOf })
  expect(edge).toMatchObject({ field: 'related', target: 'ADR-0002', source: 'bare mention in Related', line: 8 })
})

test('within a module a bare id is one of the module', () => {
  const context = { id: '[crane]/SPEC-0001', kind: 'spec', knownKind: kindOf } as const
  const found = proposeEdges('## Overview\n\nADR-0001, ADR-0002 and SPEC-0001\n', context)
  expect(found.map(({ field, target }) => [field, target])).toEqual([['implements', '[crane]/ADR-0001']])
})

test('the line is that of the mention in a wrapped paragraph', () => {
  const found = proposeEdges('# ADR-0009\n\nIt is old. Supersedes\nADR-0001 and\nADR-0002.\n', {
    id: 'ADR-0009',
    kind: 'adr',
    knownKind: kindOf,
  })
  expect(found.map(({ target, line }) => [target, line])).toEqual([
    ['ADR-0001', 4],
    ['ADR-0002', 5],
  ])
})

test('any text: nothing thrown, only known ids of the right kind, each once', () => {
  const piece = fc.constantFrom(
    ...['Supersedes ', 'extends ', 'Related: ', 'builds on ', 'superseded by ', '## Related\n', '\n\n', '- ', '(', ')'],
    ...[
      '`',
      '```\n',
      '<!--',
      '-->',
      '. ',
      ';',
      '|',
      '"',
      'which ',
      ...HARBOUR.map((id) => `${id} `),
      '[crane]/',
      '\r\n',
    ],
  )
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (body) => {
      const found = proposeEdges(body, { id: 'ADR-0009', kind: 'adr', knownKind: kindOf })
      for (const { field, target } of found) {
        expect(kindOf(target)).toBe(field === 'governs' ? 'spec' : 'adr')
        expect(target).not.toBe('ADR-0009')
      }
      expect(new Set(found.map(({ target }) => target)).size).toBe(found.length)
    }),
    { numRuns: effort(300, 3000) },
  )
})

test('a long text of anything is read in linear time', () => {
  const parts = [
    'superseded a b c ',
    'Supersedes ',
    '(',
    '[x',
    '`',
    '<!-- ',
    'ADR-0002 which ',
    'superseded  ',
    'ADR-0001, ',
    'related\n',
    '\n\n# a\n',
    '| ',
    'builds   on ',
  ]
  for (const part of parts) {
    const text = (length: number): string => `ADR-0002 ${part.repeat(Math.ceil(length / part.length))} ADR-0001`
    const short = time(text(100_000))
    expect(time(text(800_000)), part).toBeLessThan(Math.max(500, short * 24))
  }
})

function time(body: string): number {
  return workOf(() => adr(body))
}
