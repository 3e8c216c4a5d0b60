// Tables, reports and refusals of the artifact graph as text: one row per thing, whatever a path or a title holds.

import { describe, expect, test } from 'vitest'
import type { CyclesView, Diagnostic, OrphansView } from '../../src/model/artifact-views.ts'
import { graphAnswer } from '../../src/render/graph.ts'
import { cyclesTable, orphansTable, traversalTable } from '../../src/render/graph-table.ts'
import { diagnosticText, graphErrorText, validationText } from '../../src/render/graph-text.ts'
import { nodeOf, OPTIONS, traversal, type Written } from './graph-views.ts'

const NODES = [
  nodeOf('ADR-0001', 'ADR-0001: Lend by card'),
  nodeOf('[shelf]/SPEC-0001', 'SPEC-0001: Cards', 'shelf'),
  nodeOf('[shelf]/SPEC-0002', 'SPEC-0002: Fines', 'shelf'),
  nodeOf('[shelf]/src/fine.ts', '', 'shelf'),
]
const RELATIONS: readonly Written[] = [
  { source: 'ADR-0001', type: 'governs', target: '[shelf]/SPEC-0001' },
  { source: '[shelf]/SPEC-0001', type: 'implements', target: 'ADR-0001' },
  { source: '[shelf]/SPEC-0002', type: 'requires', target: '[shelf]/SPEC-0001' },
  {
    source: '[shelf]/src/fine.ts',
    type: 'implements',
    target: '[shelf]/SPEC-0002',
    requirements: ['Daily fine', 'Cap'],
  },
]
const HEAD = `\
| ID | Type | Edge type | Linked artifact | Authored |
|----|------|-----------|-----------------|----------|
`

function text(chunks: Iterable<string>): string {
  return [...chunks].join('')
}

describe('traversals', () => {
  const chain = traversal('chain', '[shelf]/SPEC-0002', NODES, RELATIONS)

  test('above: the result first, the edge as its dependent holds it; below: the dependent first', () => {
    expect(text(traversalTable(chain, OPTIONS))).toBe(`${HEAD}\
| ADR-0001 | adr | governed-by | [shelf]/SPEC-0001 | derived |
| ADR-0001 | adr | implements | [shelf]/SPEC-0001 | authored |
| [shelf]/SPEC-0001 | spec | requires | [shelf]/SPEC-0002 | authored |
| [shelf]/src/fine.ts | code | implements | [shelf]/SPEC-0002 | authored |
`)
  })

  test('requirements stand in the linked cell where they are asked for', () => {
    expect(text(traversalTable(chain, { ...OPTIONS, tableRequirements: true }))).toContain(
      '| implements | [shelf]/SPEC-0002 REQ "Daily fine" REQ "Cap" | authored |\n',
    )
  })

  test.each([
    ['impact', 'Nothing depends on ADR-0001.\n'],
    ['ancestors', 'ADR-0001 depends on nothing.\n'],
    ['chain', 'ADR-0001 depends on nothing, and nothing depends on it.\n'],
  ] as const)('nothing found by %s', (verb, sentence) => {
    expect(text(traversalTable(traversal(verb, 'ADR-0001', NODES, []), OPTIONS))).toBe(sentence)
  })

  test('cells stay cells', () => {
    const id = 'src/a|b\\c\nd.ts'
    const view = traversal('impact', 'ADR-0001', NODES, [{ source: id, type: 'governed-by', target: 'ADR-0001' }])
    const found = { ...view, results: [{ node: nodeOf(id), edges: [] }], downward: new Set([id]) }
    expect(text(traversalTable(found, OPTIONS))).toBe(
      `${HEAD}| src/a\\|b\\\\c\\\\u000ad.ts | code | governed-by | ADR-0001 | authored |\n`,
    )
  })
})

const ORPHANS: OrphansView = {
  verb: 'orphans',
  scope: null,
  scopeModule: null,
  filesWithoutGoverning: ['src/a b.ts', 'src/c|d.ts', 'src/e`f.ts', 'src/g\\h.ts'],
  filesUnrecognized: [{ file: 'src/i.sql', reason: 'unaccepted-opener' }],
  specsWithoutCode: [nodeOf('SPEC-0001', 'SPEC-0001: Fines | fees')],
  adrsWithoutSpec: [],
  sentence: null,
}

const CYCLES: CyclesView = {
  verb: 'cycles',
  scope: null,
  cycles: [{ path: ['ADR-0001', 'ADR-0002', 'ADR-0001'], types: ['enables', 'extends'], edges: [], message: '' }],
  capped: true,
}

describe('orphans and cycles', () => {
  test('a heading and a table per category that has any', () => {
    expect(text(orphansTable(ORPHANS, OPTIONS))).toBe(`\
## Source files without governing artifacts

| File |
|------|
| \`src/a b.ts\` |
| \`src/c\\|d.ts\` |
| src/e\\\`f.ts |
| src/g\\\\h.ts |

## Source files with unrecognized governing comments

| File | Reason |
|------|--------|
| \`src/i.sql\` | unaccepted-opener |

## Specs with no implementing code

| Spec | Title |
|------|-------|
| SPEC-0001 | Fines \\| fees |
`)
  })

  test('one sentence in place of the files, the other categories as ever', () => {
    const sentence = 'None of the 4 source files has a governing comment.'
    expect(text(orphansTable({ ...ORPHANS, filesUnrecognized: [], sentence }, OPTIONS))).toBe(`\
## Source files without governing artifacts

${sentence}

## Specs with no implementing code

| Spec | Title |
|------|-------|
| SPEC-0001 | Fines \\| fees |
`)
  })

  test('more cycles than are listed are mentioned', () => {
    expect(text(cyclesTable(CYCLES, OPTIONS))).toBe(`\
| Types | Cycle |
|-------|-------|
| enables, extends | ADR-0001 -> ADR-0002 -> ADR-0001 |

There are more cycles than are listed here.
`)
  })

  test('nothing found', () => {
    const none = { filesWithoutGoverning: [], filesUnrecognized: [], specsWithoutCode: [] }
    expect(text(orphansTable({ ...ORPHANS, ...none }, OPTIONS))).toBe('No orphans detected.\n')
    expect(text(cyclesTable({ ...CYCLES, cycles: [], capped: false }, OPTIONS))).toBe('No cycles detected.\n')
  })
})

test('without a format the shape decides', () => {
  const first = (view: Parameters<typeof graphAnswer>[0]) => text(graphAnswer(view, null, OPTIONS)).split('\n')[0]
  expect(first(traversal('impact', 'ADR-0001', NODES, RELATIONS))).toBe('ADR-0001: Lend by card')
  expect(first(ORPHANS)).toBe('## Source files without governing artifacts')
  expect(first(CYCLES)).toBe('| Types | Cycle |')
})

describe('diagnostics', () => {
  const unknown: Diagnostic = {
    severity: 'error',
    code: 'unresolved-id',
    message: 'ADR-0003 governs unknown spec SPEC-9999',
    source_id: 'ADR-0003',
    field: 'governs',
    target_id: 'SPEC-9999',
    file: 'docs/adrs/ADR-0003-fines.md',
    line: 4,
  }

  test.each([
    [unknown, 'docs/adrs/ADR-0003-fines.md:4: ADR-0003 governs unknown spec SPEC-9999 [unresolved-id]'],
    [
      { ...unknown, line: null },
      'docs/adrs/ADR-0003-fines.md: ADR-0003 governs unknown spec SPEC-9999 [unresolved-id]',
    ],
    [{ ...unknown, file: null, line: null }, 'ADR-0003 governs unknown spec SPEC-9999 [unresolved-id]'],
    // A message that names its file already does not name it twice.
    [{ ...unknown, file: 'a.js', message: 'a.js: no-artifact-id' }, 'a.js:4: no-artifact-id [unresolved-id]'],
    [{ ...unknown, file: 'a\nb', line: null, message: 'c' }, 'a\\u000ab: c [unresolved-id]'],
  ])('names its place once (%#)', (diagnostic, line) => {
    expect(diagnosticText(diagnostic, false)).toBe(line)
  })

  test('the report ends in the counts', () => {
    const warning: Diagnostic = { ...unknown, severity: 'warning', code: 'schema-misuse', message: 'odd\u001b[0m' }
    const view = {
      verb: 'validate',
      nodes: 1,
      authoredEdges: 2,
      derivedEdges: 2,
      diagnostics: [unknown, warning],
    } as const
    expect(validationText(view, true)).toBe(`\
error: docs/adrs/ADR-0003-fines.md:4: ADR-0003 governs unknown spec SPEC-9999 [unresolved-id]
warning: docs/adrs/ADR-0003-fines.md:4: odd\\u001b[0m [schema-misuse]
1 node, 2 authored edges, 2 derived edges; 1 error, 1 warning
`)
    expect(validationText({ ...view, diagnostics: [] }, true)).toBe(
      '1 node, 2 authored edges, 2 derived edges; 0 errors, 0 warnings\n',
    )
  })

  test.each([
    [['SPEC-0018', 'SPEC-0017'], 'error: unknown artifact SPEC-9999. Closest matches: SPEC-0018, SPEC-0017\n'],
    [[], 'error: unknown artifact SPEC-9999\n'],
  ])('a refusal is one line (%j)', (suggestions, line) => {
    const message = 'unknown artifact SPEC-9999'
    const view = {
      verb: 'impact',
      id: 'SPEC-9999',
      code: 'unknown-artifact',
      message,
      suggestions,
      diagnostics: [],
    } as const
    expect(graphErrorText(view, false)).toBe(line)
  })
})
