// Views become text: the lists of --human, the JSON line, the report, and what a terminal must not see raw.

import { describe, expect, test } from 'vitest'
import type { BudgetView, QueryView, ValidationView } from '../../src/model/spec-views.ts'
import { compactJson, compactObject, indentedJson } from '../../src/render/json.ts'
import { queryHuman, queryJson } from '../../src/render/spec-query.ts'
import { validationJson, validationLine, validationReport } from '../../src/render/spec-validation.ts'
import { alignedRows } from '../../src/render/table.ts'
import { forTerminal } from '../../src/render/terminal.ts'

const BUDGET: BudgetView = {
  verb: 'budget',
  id: 'cmd:bake',
  budget: 100,
  items: [{ path: 'commands/bake.md', tokens: 90, reason: 'command' }],
  leftOut: [{ path: 'commands/bake/knead.md', tokens: 11, reason: 'sub-phase of cmd:bake' }],
}

/** [view, its JSON, its --human text] */
const QUERIES: readonly (readonly [QueryView, string, string])[] = [
  [
    { verb: 'readers', id: 'ann:FORGE:LOAF', entries: ['cmd:deliver', 'cmd:é'] },
    '["cmd:deliver","cmd:é"]\n',
    'Specs that READ ann:FORGE:LOAF:\n  cmd:deliver\n  cmd:é\n',
  ],
  [{ verb: 'writers', id: 'ann:FORGE:X', entries: [] }, '[]\n', 'Specs that WRITE ann:FORGE:X:\n  (none)\n'],
  [
    { verb: 'impact', id: 'cmd:bake', entries: ['cmd:a'] },
    '["cmd:a"]\n',
    'Impact (blast radius) of changing cmd:bake:\n  cmd:a\n',
  ],
  [
    { verb: 'load-set', id: 'cmd:a', entries: ['commands/a.md'] },
    '["commands/a.md"]\n',
    'Minimal spec set for cmd:a:\n  commands/a.md\n',
  ],
  [{ verb: 'deps', id: 'cmd:a', groups: [] }, '{}\n', 'Dependencies of cmd:a:\n(no outbound edges)\n'],
  [
    {
      verb: 'deps',
      id: 'cmd:a',
      groups: [
        { type: 'WRITES', targets: ['ann:FORGE:X'] },
        { type: '7', targets: ['b', 'c'] },
      ],
    },
    '{"WRITES":["ann:FORGE:X"],"7":["b","c"]}\n',
    'Dependencies of cmd:a:\nWRITES:\n  ann:FORGE:X\n7:\n  b\n  c\n',
  ],
  [
    {
      verb: 'search',
      rows: [
        { id: 'cmd:a', type: 'command', name: 'a' },
        { id: 'label:workflow:a', type: 'label', name: 'workflow:a' },
      ],
    },
    '[{"id":"cmd:a","type":"command","name":"a"},{"id":"label:workflow:a","type":"label","name":"workflow:a"}]\n',
    'command  cmd:a\nlabel    label:workflow:a\n',
  ],
  [{ verb: 'search', rows: [] }, '[]\n', ''],
  [
    BUDGET,
    '[{"path":"commands/bake.md","tokens":90,"reason":"command"}]\n',
    'Minimal spec set for cmd:bake (90 of 100 tokens):\n  commands/bake.md  90 tokens  command\n' +
      'Left out, over the budget:\n  commands/bake/knead.md  11 tokens  sub-phase of cmd:bake\n',
  ],
  [
    { ...BUDGET, leftOut: [] },
    '[{"path":"commands/bake.md","tokens":90,"reason":"command"}]\n',
    'Minimal spec set for cmd:bake (90 of 100 tokens):\n  commands/bake.md  90 tokens  command\n',
  ],
]

test.each(QUERIES)('%j', (view, json, human) => {
  expect(queryJson(view)).toBe(json)
  expect(queryHuman(view, false)).toBe(human)
})

describe('control characters of a repository', () => {
  const id = 'cmd:\u001b[2Jred\u007f\n  cmd:fake\u202e'
  const view: QueryView = { verb: 'readers', id: 'ann:FORGE:X', entries: [id] }

  test('stay as they are in a pipe, and are spelled out on a terminal, where no entry can fake another', () => {
    expect(queryHuman(view, false)).toBe(`Specs that READ ann:FORGE:X:\n  ${id}\n`)
    expect(queryHuman(view, true)).toBe(
      'Specs that READ ann:FORGE:X:\n  cmd:\\u001b[2Jred\\u007f\\u000a  cmd:fake\\u202e\n',
    )
    expect(queryHuman({ verb: 'search', rows: [{ id, type: 'command', name: '' }] }, true)).not.toContain('\u001b')
    expect(forTerminal('two\nlines\tand a tab')).toBe('two\nlines\\u0009and a tab')
  })

  test('are escaped in JSON, U+007F among them', () => {
    expect(queryJson(view)).toBe('["cmd:\\u001b[2Jred\\u007f\\n  cmd:fake\u202e"]\n')
  })
})

test('JSON keeps key order, big names and odd keys', () => {
  expect(
    compactObject([
      ['__proto__', 1],
      ['10', []],
      ['2', 'é🍞\u2028'],
    ]),
  ).toBe('{"__proto__":1,"10":[],"2":"é🍞\u2028"}')
  expect(compactJson(['\u007f"\\\u0000'])).toBe('["\\u007f\\"\\\\\\u0000"]')
  expect(indentedJson({ a: [], b: { c: '\u007f' } })).toBe('{\n  "a": [],\n  "b": {\n    "c": "\\u007f"\n  }\n}')
})

test('columns count code points and leave no trailing blanks', () => {
  expect(
    alignedRows([
      ['🍞', 'a', ''],
      ['rye', 'bc', 'x'],
    ]),
  ).toBe('🍞    a\nrye  bc  x\n')
  expect(alignedRows([])).toBe('')
})

describe('the validator', () => {
  const view: ValidationView = {
    graph: '.specdex/index.db',
    findings: [
      { severity: 'HARD', class: 'dangling-ref', message: 'commands/a.md references …' },
      { severity: 'INFO', class: 'transition-asymmetry', message: 'Label \u001b …' },
    ],
  }

  test('plain, quiet, JSON', () => {
    expect(validationReport(view, false)).toBe(
      'Spec graph self-consistency report\n  graph: .specdex/index.db\n\n' +
        '  [HARD] dangling-ref           commands/a.md references …\n' +
        '  [INFO] transition-asymmetry   Label \u001b …\n\nSummary: 1 hard, 0 soft, 1 info\n',
    )
    expect(validationReport(view, true)).toContain('Label \\u001b …')
    expect(validationLine(view)).toBe('spec-graph-validate: 1 hard, 0 soft, 1 info\n')
    expect(Object.keys(JSON.parse(validationJson(view)) as object)).toEqual(['summary', 'findings'])
  })

  test('with nothing found', () => {
    const none = { graph: 'g.json', findings: [] }
    expect(validationReport(none, false)).toBe(
      'Spec graph self-consistency report\n  graph: g.json\n\n  (no findings — graph is internally consistent)\n\nSummary: 0 hard, 0 soft, 0 info\n',
    )
    expect(validationJson(none)).toBe(
      '{\n  "summary": {\n    "hard": 0,\n    "soft": 0,\n    "info": 0\n  },\n  "findings": []\n}\n',
    )
  })
})
