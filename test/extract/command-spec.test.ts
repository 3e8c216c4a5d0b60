// The extraction rules of the spec graph, row by row: the contract's own tables under the compat mode, rows of our own
// for the default mode and for what the tables leave open.

import { describe, expect, test } from 'vitest'
import { isCLibraryBlank } from '../../src/extract/characters.ts'
import { commandId, nodeIdOfDevdoc, nodeIdOfScript, specExtractor } from '../../src/extract/command-spec.ts'
import { removedLabels, skillTargets } from '../../src/extract/spec-tokens.ts'
import { specNodeName } from '../../src/model/spec-names.ts'
import { EDGE, KIND, type SpecMode } from '../../src/model/vocabulary.ts'
import { assemble, source, specFacts } from './assemble.ts'
import * as tables from './spec-tables.ts'

const SPEC = 'commands/SELF.md'

/** What the tables' "Existing …" lines and their edges to markers and labels need. */
const NEIGHBOURS = [
  ...['known', 'known/part', 'known/part/deep', '9lives', '_priv', 'café'].map((name) => `commands/${name}.md`),
  ...['tool', 'sub-tool', 'nested/deep', 'dotted.name', 'name', 'über', 'ber', 'twice.sh', '-lead'].map(
    (name) => `scripts/${name}.sh`,
  ),
  ...['guide', 'project/arch', 'must-know', 'read/plan', 'v1.2', 'café', 'two words'].map(
    (name) => `devdocs/${name}.md`,
  ),
].map((path) => ({ path, text: '' }))

/** `target @line` of every edge that the text of one command file gives, sorted. */
function edgesOf(text: string, mode: SpecMode = 'forgedock-1.7'): string[] {
  return assemble([{ path: SPEC, text }, ...NEIGHBOURS], mode)
    .edges.filter((edge) => edge.from === 'cmd:SELF')
    .map((edge) => `${edge.to} @${edge.evidence.line}`)
    .sort()
}

describe('nodes that a text names (contract §4)', () => {
  test.each(tables.NODE_ROWS)('row %i: %s', (_row, text, found) => {
    const named = specFacts(SPEC, text).nodes.filter((node) => !node.own)
    expect(named.map((node) => node.id)).toEqual(found)
  })

  test('are named once, with the line of the first sighting', () => {
    const text = 'flour\nFORGE:DOUGH workflow:proof\nFORGE:DOUGH FORGE:CRUST\nworkflow:proof'
    expect(specFacts(SPEC, text).nodes.slice(1)).toEqual([
      { id: 'ann:FORGE:DOUGH', kind: KIND.annotation, own: false, title: null, status: null, line: 2 },
      { id: 'label:workflow:proof', kind: KIND.label, own: false, title: null, status: null, line: 2 },
      { id: 'ann:FORGE:CRUST', kind: KIND.annotation, own: false, title: null, status: null, line: 3 },
    ])
  })
})

describe('edges under the compat mode', () => {
  test.each(tables.WRITES_ROWS)('WRITES (contract §5.1) row %i: %s', (_row, text, found) => {
    expect(edgesOf(text)).toEqual([...found].sort())
  })
  test.each(tables.READS_ROWS)('READS (contract §5.2) row %i: %s', (_row, text, found) => {
    expect(edgesOf(text)).toEqual([...found].sort())
  })
  test.each(tables.TRANSITIONS_ROWS)('TRANSITIONS (contract §5.3) row %i: %s', (_row, text, found) => {
    expect(edgesOf(text)).toEqual([...found].sort())
  })
  test.each(tables.SKILL_ROWS)('CONTAINS by call (contract §5.4) row %i: %s', (_row, text, found) => {
    expect(edgesOf(text)).toEqual([...found].sort())
  })
  test.each(tables.INVOKES_ROWS)('INVOKES (contract §5.6) row %i: %s', (_row, text, found) => {
    expect(edgesOf(text)).toEqual([...found].sort())
  })
  test.each(tables.REQUIRES_ROWS)('REQUIRES (contract §5.7) row %i: %s', (_row, text, found) => {
    expect(edgesOf(text)).toEqual([...found].sort())
  })
})

/** What the tables leave open, read from the words around them; the same in both modes. */
const FURTHER_ROWS: readonly (readonly [text: string, found: readonly string[]])[] = [
  ['ghissue comment 7 --body "<!-- FORGE:DOUGH -->"', []],
  ['gh issuecomment 7 --body "<!-- FORGE:DOUGH -->"', []],
  ['gh gh pr comment--body "<!-- FORGE:DOUGH -->"', ['ann:FORGE:DOUGH @1']],
  ['gh pr comment 7 --body "<!-- FORGE:DOUGH: <!-- FORGE:RYE -->"', ['ann:FORGE:DOUGH @1']],
  ['gh pr comment 7 --body "<!-- <!-- FORGE:RYE -->"', ['ann:FORGE:RYE @1']],
  ['--add-label"workflow:raw"', []],
  ['--add-label "workflow:raw --add-label "workflow:baked"', ['label:workflow:raw @1']],
  ['--add-label "raw --add-label "workflow:baked"', ['label:workflow:baked @1']],
  ['must read devdocs/.md', []],
]

describe('edges that the tables leave open', () => {
  test.each(FURTHER_ROWS)('%s', (text, found) => {
    expect(edgesOf(text)).toEqual(found)
    expect(edgesOf(text, 'default')).toEqual(found)
  })
})

/** Rows of our own for contract §0 row 1 and row 3. */
const DEFAULT_ROWS: readonly (readonly [text: string, found: readonly string[]])[] = [
  ['Read the FORGE:DOUGH comment', ['ann:FORGE:DOUGH @1']],
  ['this phase reads FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['Reads its FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['read a FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['read an\tFORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['read\u00a0the\u3000FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['pre-read FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['are-read FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['éread FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['read the `FORGE:DOUGH` marker', ['ann:FORGE:DOUGH @1']],
  ['read the <!-- FORGE:DOUGH --> marker', ['ann:FORGE:DOUGH @1']],
  ['read ``<!-- ` FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['read `the FORGE:DOUGH', []],
  ['read FORGE:DOUGH:DONE', ['ann:FORGE:DOUGH @1']],
  ['read FORGE:DOUGH, then read FORGE:CRUST', ['ann:FORGE:CRUST @1', 'ann:FORGE:DOUGH @1']],
  ['read FORGE:DOUGH and FORGE:CRUST', ['ann:FORGE:DOUGH @1']],
  ['FORGE:DOUGH\nread FORGE:DOUGH\nread FORGE:DOUGH', ['ann:FORGE:DOUGH @2']],
  ['FORGE:DOUGH\nread FORGE:Dough', ['ann:FORGE:D @2']],
  ['READ FORGE:DOUGH', []],
  ['rEad FORGE:DOUGH', []],
  ['read FORGE:dough', []],
  ['read forge:DOUGH', []],
  ['reading FORGE:DOUGH', []],
  ['readFORGE:DOUGH', []],
  ['read: FORGE:DOUGH', []],
  ['read_the FORGE:DOUGH', []],
  ['bread FORGE:DOUGH', []],
  ['read all FORGE:DOUGH', []],
  ['read the the FORGE:DOUGH', []],
  ['read the a FORGE:DOUGH', []],
  ['read theFORGE:DOUGH', []],
  ['read the`FORGE:DOUGH`', []],
  ['read The FORGE:DOUGH', []],
  ['read the\nFORGE:DOUGH', []],
  ['read "FORGE:DOUGH"', []],
  // `re-read` keeps its own rule: what is typed in another case is upper-cased to a real marker, or gives nothing.
  ['re-read FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
  ['re-read forge:dough', []],
  ['FORGE:DOUGH\nre-read forge:dough', ['ann:FORGE:DOUGH @2']],
  ['FORGE:DOUGH_2\nre-read FORGE:Dough_2', ['ann:FORGE:DOUGH_2 @2']],
  ['re-read FORGE:Dough', []],
  ['Re-Read FORGE:Dough', []],
  ['RE-read FORGE:Dough', []],
  ['pre-re-read FORGE:Dough', []],
  ['jq \'contains("FORGE:DOUGH")\' # reads FORGE:DOUGH', ['ann:FORGE:DOUGH @1']],
]

describe('edges under the default mode', () => {
  test.each(DEFAULT_ROWS)('%s', (text, found) => {
    expect(edgesOf(text, 'default')).toEqual(found)
  })

  test('a plain read is no edge under the compat mode, a verbatim id no edge under the default', () => {
    const text = 'FORGE:DOUGH\nread FORGE:DOUGH\nre-read forge:dough'
    expect(edgesOf(text, 'forgedock-1.7')).toEqual(['ann:forge:dough @3'])
    expect(edgesOf(text, 'default')).toEqual(['ann:FORGE:DOUGH @2'])
  })

  test.each([
    ...tables.WRITES_ROWS,
    ...tables.TRANSITIONS_ROWS,
    ...tables.SKILL_ROWS,
    ...tables.INVOKES_ROWS,
    ...tables.REQUIRES_ROWS,
  ])('row %i of the compat tables holds here too: %s', (_row, text, found) => {
    expect(edgesOf(text, 'default')).toEqual([...found].sort())
  })
})

/** Contract §5.5: files with their texts, and the CONTAINS edges they give. */
const DIRECTORY_ROWS: readonly (readonly [files: Readonly<Record<string, string>>, edges: readonly string[]])[] = [
  [{ 'a.md': '', 'a/b.md': '' }, ['cmd:a → cmd:a:b (directory)']],
  [{ 'a/b.md': '' }, []],
  [{ 'a.md': '', 'a/b/c.md': '' }, []],
  [{ 'a.md': '', 'a/b.md': '', 'a/b/c.md': '' }, ['cmd:a → cmd:a:b (directory)', 'cmd:a:b → cmd:a:b:c (directory)']],
  [
    { 'a.md': '', 'a/b.md': '', 'a/b/c.md': '', 'a/b/c/d.md': '' },
    ['cmd:a → cmd:a:b (directory)', 'cmd:a:b → cmd:a:b:c (directory)', 'cmd:a:b:c → cmd:a:b:c:d (directory)'],
  ],
  [{ 'A.md': '', 'a/b.md': '' }, []],
  [{ 'a.md': 'Skill("a/b")', 'a/b.md': '' }, ['cmd:a → cmd:a:b (skill, commands/a.md:1)']],
  [
    { 'a.md': '', 'a/b.md': 'x\nSkill("a")' },
    ['cmd:a → cmd:a:b (directory)', 'cmd:a:b → cmd:a (skill, commands/a/b.md:2)'],
  ],
  [
    { 'a.md': 'Skill("a:b:c")', 'a/b.md': '', 'a/b/c.md': '' },
    ['cmd:a → cmd:a:b (directory)', 'cmd:a → cmd:a:b:c (skill, commands/a.md:1)', 'cmd:a:b → cmd:a:b:c (directory)'],
  ],
  [{ 'a.md': '', 'a/b:c.md': '' }, []],
  [{ 'a/b.md': '', 'a/b:c.md': '' }, ['cmd:a:b → cmd:a:b:c (directory)']],
  [{ 'a.md': '', 'a:b.md': '' }, []],
  [
    { 'a.md': '', 'a/b.md': '', 'a:b.md': 'Skill("a")' },
    ['cmd:a → cmd:a:b (directory)', 'cmd:a:b → cmd:a (skill, commands/a:b.md:1)'],
  ],
  [{ 'a.md': '', 'a/.md': '' }, ['cmd:a → cmd:a: (directory)']],
  [{ 'x.md/b.md': '', 'x.md/b/c.md': '' }, ['cmd:x.md:b → cmd:x.md:b:c (directory)']],
  [{ 'a.md': '', 'a/.b.md': '' }, ['cmd:a → cmd:a:.b (directory)']],
]

describe('CONTAINS by directory (contract §5.5)', () => {
  test.each(DIRECTORY_ROWS)('%o', (texts, wanted) => {
    const files = Object.entries(texts).map(([name, text]) => ({ path: `commands/${name}`, text }))
    const shown = assemble(files, 'forgedock-1.7').edges.map(({ from, to, evidence }) => {
      const place = evidence.via === 'skill' ? `skill, ${evidence.file}:${evidence.line}` : evidence.via
      return `${from} → ${to} (${place})`
    })
    expect(shown).toEqual(wanted)
  })

  test('is the last fact of a sub-phase, without a line; a command has none', () => {
    expect(specFacts('commands/bake/glaze.md', 'Skill("bake")').edges).toEqual([
      { up: 'cmd:bake', down: 'cmd:bake:glaze', type: EDGE.containsCall, line: 1, note: null },
      { up: 'cmd:bake:glaze', down: 'cmd:bake', type: EDGE.containsDirectory, line: null, note: null },
    ])
    expect(specFacts('commands/bake:glaze.md', '').edges).toEqual([])
  })
})

describe('facts', () => {
  test('keep every call, and only the first sighting of anything else', () => {
    const line =
      'Skill("knead") oven.sh must devdocs/heat.md --remove-label "workflow:raw" --add-label "workflow:baked"'
    const edges = specFacts(SPEC, `${line}\n${line}`).edges.map((edge) => `${edge.type} ${edge.up} ${edge.line}`)
    expect(edges).toEqual([
      `${EDGE.transitions} label:workflow:baked 1`,
      `${EDGE.containsCall} cmd:knead 1`,
      `${EDGE.invokes} script:oven.sh 1`,
      `${EDGE.requires} devdoc:devdocs/heat.md 1`,
      `${EDGE.removes} label:workflow:raw 1`,
      `${EDGE.containsCall} cmd:knead 2`,
    ])
  })

  test('come in the order of the rules within a line', () => {
    const line =
      'must devdocs/heat.md oven.sh Skill("knead") --add-label "workflow:a" read FORGE:P re-read FORGE:R ' +
      'test("FORGE:C") gh pr comment --body "<!-- FORGE:W -->"'
    expect(specFacts(SPEC, line).edges.map((edge) => edge.up)).toEqual([
      'ann:FORGE:W',
      'ann:FORGE:C',
      'ann:FORGE:R',
      'ann:FORGE:P',
      'label:workflow:a',
      'cmd:knead',
      'script:oven.sh',
      'devdoc:devdocs/heat.md',
    ])
  })

  test('of one verb in another case are two, one for each mode', () => {
    expect(specFacts(SPEC, 're-read forge:Rye').edges.map((edge) => [edge.type, edge.up])).toEqual([
      [EDGE.readsVerbatim, 'ann:forge:Rye'],
      [EDGE.readsPlain, 'ann:FORGE:RYE'],
    ])
  })

  test('of a script and a devdoc are their own node and nothing else', () => {
    const text = 'Skill("knead") FORGE:DOUGH must read devdocs/heat.md'
    const own = { own: true, title: null, status: null, line: null }
    expect(specFacts('scripts/night/oven.sh', text)).toEqual({
      nodes: [{ id: 'script:oven.sh', kind: KIND.script, ...own }],
      edges: [],
      problems: [],
    })
    expect(specFacts('devdocs/heat/rye.md', text)).toEqual({
      nodes: [{ id: 'devdoc:devdocs/heat/rye.md', kind: KIND.devdoc, ...own }],
      edges: [],
      problems: [],
    })
    expect(specFacts('recipes/rye.md', text)).toEqual({ nodes: [], edges: [], problems: [] })
  })

  test('do not need the whole text', () => {
    const text = 'gh pr comment 1 --body "\n<!-- FORGE:DOUGH -->\nread FORGE:DOUGH'
    expect(specExtractor.extract(source(SPEC, text, true))).toEqual(specFacts(SPEC, text))
  })
})

describe('ids and names', () => {
  test.each([
    ['commands/bake.md', 'cmd:bake', 'bake', 'command'],
    ['commands/bake/glaze.md', 'cmd:bake:glaze', 'bake:glaze', 'sub-phase'],
    ['commands/a:b.md', 'cmd:a:b', 'a:b', 'command'],
    ['commands/.md', 'cmd:', '', 'command'],
    ['commands/p/.md', 'cmd:p:', 'p:', 'sub-phase'],
    ['commands/x.md.md', 'cmd:x.md', 'x.md', 'command'],
    ['commands/x.md/b.md', 'cmd:x.md:b', 'x.md:b', 'sub-phase'],
  ] as const)('%s', (path, id, name, kind) => {
    expect(commandId(path)).toBe(id)
    expect(specNodeName(kind, id)).toBe(name)
    expect(specFacts(path, '').nodes).toMatchObject([{ id, kind: KIND[kind], own: true }])
  })

  test('of scripts, devdocs, annotations, labels', () => {
    expect(nodeIdOfScript('scripts/a/x.sh')).toBe('script:x.sh')
    expect(specNodeName('script', 'script:x.sh')).toBe('x.sh')
    expect(nodeIdOfDevdoc('devdocs/a/b.md')).toBe('devdoc:devdocs/a/b.md')
    expect(specNodeName('devdoc', 'devdoc:devdocs/a/b.md')).toBe('a/b.md')
    expect(specNodeName('annotation', 'ann:FORGE:RYE')).toBe('FORGE:RYE')
    expect(specNodeName('label', 'label:workflow:raw')).toBe('workflow:raw')
  })
})

describe('the C library has fewer blanks (contract §9.2)', () => {
  test.each(['\u00a0', '\u2007', '\u202f', '\ufeff'])('U+%#', (blank) => {
    expect(skillTargets(`Skill(${blank}"knead")`)).toEqual(['knead'])
    expect(skillTargets(`Skill(${blank}"knead")`, isCLibraryBlank)).toEqual([])
    expect(removedLabels(`--remove-label${blank}"workflow:raw"`)).toEqual(['workflow:raw'])
    expect(removedLabels(`--remove-label${blank}"workflow:raw"`, isCLibraryBlank)).toEqual([])
  })
  test('but has these', () => {
    for (const blank of ' \t\u000b\u000c\r\u1680\u2000\u2006\u2008\u200a\u2028\u2029\u205f\u3000') {
      expect(skillTargets(`Skill(${blank}"knead")`, isCLibraryBlank)).toEqual(['knead'])
    }
  })
})
