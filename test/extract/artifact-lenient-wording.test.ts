// The wordings of the survey, row by row: status, front matter fields, link lines and plain links of one decision.

import { describe, expect, test } from 'vitest'
import { SEVERITY } from '../../src/model/facts.ts'
import { adr, edgesOf } from './lenient-facts.ts'

describe('status', () => {
  test.each<[string, string | null]>([
    ['---\nstatus: accepted\n---\n# X\n', 'accepted'],
    ['---\nstatus: "superseded by [ADR-0043](0043-x.md)"\n---\n# X\n', 'superseded'],
    ['---\nstatus: "{proposed | rejected | accepted}"\n---\n# X\n', null],
    ['---\nstatus: {proposed}\n---\n# X\n\n## Status\n\nAccepted\n', 'Accepted'],
    ['---\nstatus: null\n---\n# X\n', null],
    ['# X\n\n## Status\n\nAccepted\n\nSuperseded by 0043\n', 'superseded'],
    ['# X\n\n## Status\n\n**Accepted**.\n', 'Accepted'],
    ['# X\n\n## Status:\n\n* Pending\n\n## Context\n\nAccepted\n', 'Pending'],
    ['# X\n\n## Status\n\nSupersedes ADR-0003\n', null],
    ['# X\n\n## Status\n\nPartly superseded\n', 'Partly superseded'],
    ['# X\n\n## Status\n\nProposed | Accepted | Rejected\n', null],
    ['# X\n\n* Status: accepted\n', 'accepted'],
    ['# X\n\n- **Status:** Approved\n', 'Approved'],
    ['# X\n\n**Status**: Draft\n', 'Draft'],
    ['# X\n\n__Status__: `draft`\n', 'draft'],
    ['# X\n\nStatus: ACCEPTED (2024-05-01)\n', 'ACCEPTED (2024-05-01)'],
    ['# X\n\n| Status | Current |\n|---|---|\n', 'Current'],
    ['# X\n\n|     |     |\n|---|---|\n| **Status** | on hold |\n', 'on hold'],
    ['# X\n\n## Context\n\n- Status: rejected\n', 'rejected'],
    ['# X\n\n## Context\n\nx\n\n## Answers\n\nStatus: 200\n', null],
    ['# X\n\n```\nStatus: accepted\n```\n', null],
    ['# X\n\n<!--\nStatus: accepted\n-->\n', null],
    ['# X\n\nStatuses: many\n', null],
    ['# X\n\nSuperseded by ADR-0043\n', 'superseded'],
    ['# X\r\n\r\nStatus: accepted\r\n', 'accepted'],
    ['\ufeff---\nstatus: active\n---\n# X\n', 'active'],
    ['# X\n', null],
  ])('%j', (text, status) => {
    expect(adr(text).nodes[0]?.status).toBe(status)
  })
})

describe('edges of front matter', () => {
  test.each<[string, readonly string[]]>([
    ['related: [ADR-002]', ['ADR-0042 -related-> ADR-0002 (field)']],
    ['superseded_by: [ADR-708]', ['ADR-0708 -supersedes-> ADR-0042 (field | reverse)']],
    ['Superseded-By: ADR-708', ['ADR-0708 -supersedes-> ADR-0042 (field | reverse)']],
    ['amended_by:\n  - ADR-7', ['ADR-0007 -extends-> ADR-0042 (field | reverse)']],
    ['supersedes: []', []],
    ['supersedes: null', []],
    ['supersedes:', []],
    ['supersedes: —', []],
    ['supersedes: none', []],
    ['supersedes: "{ADR-0001}"', []],
    ['supersedes: ADR-XXXX', []],
    [
      'supersedes: ADR-0006, ADR-0016',
      ['ADR-0042 -supersedes-> ADR-0006 (field)', 'ADR-0042 -supersedes-> ADR-0016 (field)'],
    ],
    [
      'supersedes: ADR-019 the oven startup … only',
      ['ADR-0042 -supersedes-> ADR-0019 (field | the oven startup … only)'],
    ],
    ['superseded_by: adr-002-oven-crew', ['ADR-0002 -supersedes-> ADR-0042 (field | reverse)']],
    ['supersedes: [3, "0004"]', ['ADR-0042 -supersedes-> ADR-0003 (field)', 'ADR-0042 -supersedes-> ADR-0004 (field)']],
    ['supersedes: 0003-oven.md', ['ADR-0042 -supersedes-> ADR-0003-oven (field)']],
    ['supersedes: "[Oven](0003-oven.md)"', ['ADR-0042 -supersedes-> ADR-0003-oven (field)']],
    ['related: [bake-bread, x]', ['ADR-0042 -related-> bake-bread (field)']],
    [
      'depends_on: [ADR-1, SPEC-2]',
      ['ADR-0042 -enables-> ADR-0001 (field | reverse)', 'ADR-0042 -requires-> SPEC-0002 (field)'],
    ],
    ['enables: ADR-0050', ['ADR-0050 -enables-> ADR-0042 (field)']],
    ['governs: [SPEC-0007]', ['SPEC-0007 -governs-> ADR-0042 (field)']],
    ['refines: "[other]/ADR-0003"', ['ADR-0042 -extends-> [other]/ADR-0003 (field)']],
    ['supersedes: [ADR-0042, ADR-0042]', []],
    ['supersedes: [ADR-3, ADR-0003, ADR-003]', ['ADR-0042 -supersedes-> ADR-0003 (field)']],
    ['parent: ADR-0003', []],
    ['meta:\n  supersedes: ADR-0003', []],
  ])('%j', (matter, wanted) => {
    const facts = adr(`---\n${matter}\n---\n# Use rye\n`)
    expect(edgesOf(facts)).toEqual(wanted)
    expect(facts.problems).toEqual([])
  })

  test('the line is the one of the field', () => {
    expect(adr('---\nstatus: accepted\nextends:\n  - ADR-1\n---\n# X\n').edges[0]?.line).toBe(3)
  })

  test('front matter that is no YAML is a warning, and the rest is read', () => {
    const facts = adr('---\nrelated: [ADR-1\n---\n# X\n\nExtends ADR-0002\n')
    expect(facts.problems).toMatchObject([{ code: 'malformed-yaml', severity: SEVERITY.warning }])
    expect(edgesOf(facts)).toEqual(['ADR-0042 -extends-> ADR-0002 (line)'])
  })
})

describe('lines', () => {
  test.each<[string, readonly string[]]>([
    ['Supersedes: ADR-0017', ['ADR-0042 -supersedes-> ADR-0017 (line)']],
    ["- Supersedes: ADR-0004's … conclusion", ['ADR-0042 -supersedes-> ADR-0004 (line | … conclusion)']],
    [
      '- **Superseded by:** ADR-021 (… clause only)',
      ['ADR-0021 -supersedes-> ADR-0042 (line | reverse | … clause only)'],
    ],
    ['* Amends [3. Oven](0003-oven.md)', ['ADR-0042 -extends-> ADR-0003-oven (line)']],
    ['Amended by 0097', ['ADR-0097 -extends-> ADR-0042 (line | reverse)']],
    ['Supersedes 3, 4 and 5.', [3, 4, 5].map((n) => `ADR-0042 -supersedes-> ADR-000${n} (line)`)],
    ['Supersedes 2 earlier decisions', []],
    ['This ADR supersedes [0003](0003-oven.md).', ['ADR-0042 -supersedes-> ADR-0003-oven (line)']],
    ['Extends the rule on crust of ADR-0003', ['ADR-0042 -extends-> ADR-0003 (line)']],
    ['- Depends on: ADR-001', ['ADR-0042 -enables-> ADR-0001 (line | reverse)']],
    ['- [Refined by] ADR-0005', ['ADR-0005 -extends-> ADR-0042 (line | reverse)']],
    [
      '- Related: [ADR-0043](0043-x.md), ADR-9',
      ['ADR-0042 -related-> ADR-0043-x (line)', 'ADR-0042 -related-> ADR-0009 (line)'],
    ],
    [
      '- Related: ADR-1,\n  ADR-2\n- ADR-3',
      ['ADR-0042 -related-> ADR-0001 (line)', 'ADR-0042 -related-> ADR-0002 (line)'],
    ],
    [
      'Supersedes:\n\n- ADR-1 (crust)\n- ADR-2\n\nADR-3 is older.',
      ['ADR-0042 -supersedes-> ADR-0001 (line | crust)', 'ADR-0042 -supersedes-> ADR-0002 (line)'],
    ],
    [
      '## Related decisions\n\n- ADR-1: the oven\n- see ADR-2\n- We like ADR-3\n\n## Other\n\n- ADR-4',
      ['ADR-0042 -related-> ADR-0001 (line | the oven)', 'ADR-0042 -related-> ADR-0002 (line)'],
    ],
    [
      'Supersedes ADR-1; amends ADR-2, superseded by ADR-3',
      [
        'ADR-0042 -supersedes-> ADR-0001 (line)',
        'ADR-0042 -extends-> ADR-0002 (line)',
        'ADR-0003 -supersedes-> ADR-0042 (line | reverse)',
      ],
    ],
    ['Partially superseded by ADR-0050', ['ADR-0050 -extends-> ADR-0042 (line | reverse)']],
    ['Extends ADR-1 (which superseded ADR-2)', ['ADR-0042 -extends-> ADR-0001 (line | which superseded ADR-2)']],
    ['Extends ADR-1. See ADR-2.', ['ADR-0042 -extends-> ADR-0001 (line)']],
    ['Extends ADR-1 which conflicts with ADR-2', ['ADR-0042 -extends-> ADR-0001 (line | which conflicts with ADR-2)']],
    ['| Supersedes | ADR-0003 |\n|---|---|', ['ADR-0042 -supersedes-> ADR-0003 (line)']],
    ['Supersedes: —', []],
    ['Supersedes: {ADR-XXXX}', []],
    ['Requires flour, as ADR-0003 says', []],
    ['Related work is done in the yard, says ADR-0003', []],
    ['We wrote this because of ADR-0003 and ADR-0004.', []],
    ['The new oven supersedes what ADR-0003 says', []],
    ['`Supersedes`: `ADR-0003`', ['ADR-0042 -supersedes-> ADR-0003 (line)']],
    ['```\nSupersedes: ADR-0003\n```', []],
    ['<!-- Supersedes: ADR-0003 -->', []],
    ['Supersedes: [shop]/ADR-0003', ['ADR-0042 -supersedes-> [shop]/ADR-0003 (line)']],
    ['Supersedes: https://example.org/ADR-0003', []],
    ['Supersedes: [ADR-0003](https://example.org/x.md)', ['ADR-0042 -supersedes-> ADR-0003 (line)']],
  ])('%j', (body, wanted) => {
    expect(edgesOf(adr(`# Use rye\n\n${body}\n`))).toEqual(wanted)
  })

  test('a status says it as well', () => {
    expect(edgesOf(adr('# X\n\nStatus: Accepted, superseded by [ADR-0050](0050-spelt.md) for cakes\n'))).toEqual([
      'ADR-0050-spelt -supersedes-> ADR-0042 (status | reverse | for cakes)',
    ])
  })
})

describe('links', () => {
  test.each<[string, readonly string[]]>([
    ['See [oven](0003-oven.md#door).', ['ADR-0042 -related-> ADR-0003-oven (link)']],
    ['See [oven](./0003-oven.md "the oven") and [again](0003-oven.md)', ['ADR-0042 -related-> ADR-0003-oven (link)']],
    ['See [oven][1]\n\n[1]: 0003-oven.md', ['ADR-0042 -related-> ADR-0003-oven (link)']],
    ['See [the log](../../docs/adr/1-log.md)', ['ADR-0042 -related-> ADR-0001-log (link)']],
    ['See [us](0042-use-rye.md), [page](README.md), [out](../../../0003-x.md), [web](https://x.org/0003-x.md)', []],
    ['See `[oven](0003-oven.md)`', []],
    ['Extends ADR-0003, see [oven](0003-oven.md)', ['ADR-0042 -extends-> ADR-0003 (line | see oven)']],
  ])('%j', (body, wanted) => {
    expect(edgesOf(adr(`# Use rye\n\n${body}\n`))).toEqual(wanted)
  })
})
