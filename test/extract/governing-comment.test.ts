// Governing comments: every row of the sheet's table on them, the handed cases on source files, and text that means harm.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ExtractContext } from '../../src/extract/extractor.ts'
import { governingExtractor } from '../../src/extract/governing-comment.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import { type Facts, SEVERITY } from '../../src/model/facts.ts'
import type { ConventionName, ModuleLayout } from '../../src/model/layout.ts'
import { isSourceName, skipsFolder } from '../../src/model/source-languages.ts'
import { EDGE, KIND } from '../../src/model/vocabulary.ts'
import { effort } from '../support/effort.ts'
import { shared } from '../support/shared.ts'
import { workOf } from '../support/work.ts'
import { source } from './assemble.ts'

function module(name: string | null, folder: string, convention: ConventionName = 'sdd'): ModuleLayout {
  const use = { name: convention, kind: 'adr', folder: 'docs/adrs', why: '' } as const
  return { name, path: folder, present: true, conventions: [use] }
}
function context(modules: readonly ModuleLayout[], openers: readonly string[] = []): ExtractContext {
  return { config: { ...DEFAULT_CONFIG, graph: { ...DEFAULT_CONFIG.graph, openers } }, layout: { modules, notes: [] } }
}
const STRICT = context([module(null, '')])
const LENIENT = context([module(null, ''), module('lib', 'libs/lib', 'adr-numbered')])

const facts = (text: string, where = STRICT, file = 'src/oven.ts'): Facts =>
  governingExtractor.extract(source(file, text), where)

/** Edges as `governed-by ADR-0001 (Heat, Steam) @3`. */
const edgesOf = ({ edges }: Facts): string[] =>
  edges.map(({ up, type, line, note }) => {
    const { requirements = [] } = JSON.parse(note ?? '{}') as { requirements?: string[] }
    const names = requirements.length === 0 ? '' : ` (${requirements.join(', ')})`
    return `${type === EDGE.codeImplements ? 'implements' : 'governed-by'} ${up}${names} @${line}`
  })
const said = (text: string, where = STRICT): string[] => {
  const found = facts(text, where)
  return [...edgesOf(found), ...found.problems.map(({ code, detail, line }) => `${code} ${detail} @${line}`)]
}
const A1 = 'governed-by ADR-0001 @1'
const UNACCEPTED = 'governing-unrecognized unaccepted-opener @1'
const NO_ID = 'governing-unrecognized no-artifact-id @1'

describe('openers', () => {
  test.each([
    ...['//', '///', '//!', '#', '##', '/*', '/**', '*', '<!--', '{/*'].map(
      (opener) => `${opener} Governing: ADR-0001`,
    ),
    '\t  // Governing: ADR-0001',
    '//Governing:ADR-0001',
    '// GOVERNING \t: ADR-0001',
    '\ufeff// Governing: ADR-0001\r',
    '/* Governing: ADR-0001 */',
    '/*Governing: ADR-0001*/ int heat; // ADR-0002',
    '<!-- Governing: ADR-0001 --> ADR-0002',
    ' * Governing: ADR-0001 */ ADR-0002',
    // Behind code.
    'let heat = 1 // Governing: ADR-0001',
    'heat = 1  # Governing: ADR-0001',
    '#include <oven.h> // Governing: ADR-0001',
    '*heat = 1; // Governing: ADR-0001',
    '<p>"Rye"</p> <!-- Governing: ADR-0001 -->',
    'heat("a // b") // Governing: ADR-0001',
    "heat = 'x' // Governing: ADR-0001",
    "heat = isn't + 1 // Governing: ADR-0001",
    '/* heat */ bake() /* Governing: ADR-0001 */',
    '{ /* Governing: ADR-0001 */ }',
    '-- heat /* Governing: ADR-0001 */',
    'heat = a // b # Governing: ADR-0001',
  ])('accepted: %j', (line) => {
    expect(said(line)).toEqual([A1])
  })

  test.each([
    '-- Governing: ADR-0001',
    '; Governing: ADR-0001',
    ';; Governing: ADR-0001',
    '% Governing: ADR-0001',
    '(* Governing: ADR-0001 *)',
    '### Governing: ADR-0001',
    '//// Governing: ADR-0001',
    "' Governing: ADR-0001",
    '"""Governing: ADR-0001"""',
    '# - Governing: ADR-0001',
    ' * @governing: ADR-0001',
    '-- Governing: the heat',
    'Governing: ADR-0001',
    '    Governing: ADR-0001 (heat)',
    'Implements: SPEC-0001',
    'rem Governing: ADR-0001',
    '  REM  Governing: ADR-0001',
    'dnl Governing: ADR-0001',
    '/*\n  Governing: ADR-0001\n*/',
  ])('not accepted: %j', (text) => {
    expect(said(text)).toEqual([UNACCEPTED.replace('@1', text.startsWith('/*') ? '@2' : '@1')])
  })

  test.each([
    'const heat = "Governing: ADR-0001"',
    'const heat = "see // Governing: ADR-0001"',
    "const heat = 'see # Governing: ADR-0001'",
    'const heat = `see /* Governing: ADR-0001 */`',
    '  "Governing: ADR-0001",',
    "  'Governing: ADR-0001'",
    '// This file tells who is governing: nobody.',
    '// as in // Governing: ADR-0001',
    '// Goverrning: ADR-0001',
    '// Governing ADR-0001',
    '// per ADR-0001',
    'remark Governing: ADR-0001',
    'SELECT 1; -- Governing: ADR-0001',
    'heat = a * governing: ADR-0001',
    'governing::Oven bake',
    'implements: Baker',
    'class Oven implements Baker {',
    '',
  ])('no marker: %j', (line) => {
    expect(facts(line)).toEqual({ nodes: [], edges: [], problems: [] })
  })

  test('more come from the configuration', () => {
    const sql = context([module(null, '')], ['--', 'rem', ' '])
    expect(said('-- Governing: ADR-0001', sql)).toEqual([A1])
    expect(said('SELECT 1; -- Governing: ADR-0001', sql)).toEqual([A1])
    expect(said('rem Governing: ADR-0001', sql)).toEqual([A1])
    expect(said('% Governing: ADR-0001', sql)).toEqual([UNACCEPTED])
  })
})

describe('what is named', () => {
  test.each<[string, string[]]>([
    ['// Governing: #24', [NO_ID]],
    ['// Governing:', [NO_ID]],
    ['// Governing: adr-0001, ADR-1, ADR-00001, XADR-0001, ADR-0001x, ADR-XXXX', [NO_ID]],
    ['// Implements: the heat', []],
    ['// Implements: the heat\n// Governing: the heat', ['governing-unrecognized no-artifact-id @2']],
    ['// Governing: docs/adrs/ADR-0001-rye.md (heat)', [A1]],
    ['// Governing: ADR-0001, ADR-0001 ADR-0001', [A1]],
    [
      '// Governing: [till]/ADR-0002, [a/b c]/SPEC-0001',
      ['governed-by [till]/ADR-0002 @1', 'governed-by [a/b c]/SPEC-0001 @1'],
    ],
    ['// Implements: SPEC-0001 REQ "Heat"', ['implements SPEC-0001 (Heat) @1']],
    ['// Implements: SPEC-0001 REQ "Heat", REQ “Steam”, "Rest"', ['implements SPEC-0001 (Heat, Steam, Rest) @1']],
    [
      "// Implements: SPEC-0001 REQ 'Heat', SPEC-0002 REQ-18",
      ['implements SPEC-0001 (Heat) @1', 'implements SPEC-0002 (REQ-18) @1'],
    ],
    ['// Implements: SPEC-0001 REQ "SPEC-0002"', ['implements SPEC-0001 (SPEC-0002) @1']],
    ['// Governing: REQ "Heat", ADR-0001', [A1]],
    ['// Governing: ADR-0001; Implements: SPEC-0001', [A1, 'implements SPEC-0001 @1']],
    ['// Implements: SPEC-0001. governing: ADR-0001', ['implements SPEC-0001 @1', A1]],
    ['/* Governing: ADR-0001 */ /* Implements: SPEC-0001 */', [A1, 'implements SPEC-0001 @1']],
    ['// Governing: SPEC-0001\n// Implements: SPEC-0001', ['governed-by SPEC-0001 @1', 'implements SPEC-0001 @2']],
    [
      '// Implements: SPEC-0001 REQ "Heat"\nbake()\n// Implements: SPEC-0001 REQ "Rest" and REQ "Heat"',
      ['implements SPEC-0001 (Heat, Rest) @1'],
    ],
    ['// Governing: #24\n\n// Governing: ADR-0001', ['governed-by ADR-0001 @3']],
    ['-- Governing: ADR-0009\n/* Governing: ADR-0001 */', ['governed-by ADR-0001 @2']],
    ['-- Governing: ADR-0009\n// Governing: #1', [UNACCEPTED]],
    ['// Governing: #1\n-- Governing: ADR-0009', [NO_ID]],
  ])('%j', (text, wanted) => {
    expect(said(text)).toEqual(wanted)
  })

  test('the file is a node and depends on what it names', () => {
    const found = facts('// Governing: ADR-0001')
    expect(found.nodes).toEqual([
      { id: 'src/oven.ts', kind: KIND.code, own: true, title: null, status: null, line: null },
    ])
    expect(found.edges).toEqual([
      { up: 'ADR-0001', down: 'src/oven.ts', type: EDGE.codeGovernedBy, line: 1, note: null },
    ])
  })

  test('a marker that cannot be read is a warning about the file', () => {
    expect(facts('// Governing: #24').problems).toEqual([
      {
        code: 'governing-unrecognized',
        severity: SEVERITY.warning,
        line: 1,
        detail: 'no-artifact-id',
        field: null,
        target: null,
      },
    ])
  })

  test('far down in a file', () => {
    expect(said(`${'// flour\n'.repeat(5000)}// Governing: ADR-0001`)).toEqual(['governed-by ADR-0001 @5001'])
  })

  test('in a lenient module by number', () => {
    const inLib = (text: string) => edgesOf(facts(text, LENIENT, 'libs/lib/bake.py'))
    expect(inLib('# Governing: ADR-7, ADR-0042, ADR-00123, ADR-1234567, adr-8, SPEC-0001, SPEC-7')).toEqual([
      'governed-by [lib]/ADR-0007 @1',
      'governed-by [lib]/ADR-0042 @1',
      'governed-by [lib]/ADR-0123 @1',
      'governed-by [lib]/SPEC-0001 @1',
    ])
    expect(edgesOf(facts('# Governing: ADR-7, [lib]/ADR-0007', LENIENT, 'libs/bake.py'))).toEqual([
      'governed-by [lib]/ADR-0007 @1',
    ])
  })

  test('in the module whose folder is the nearest', () => {
    const nested = context([module(null, ''), module('shop', 'shop'), module('till', 'shop/till')])
    const place = (file: string) =>
      facts('// Governing: ADR-0001, [shop]/ADR-0002', nested, file).edges.map(({ up, down }) => [up, down])
    expect(place('shop/till/a.ts')).toEqual([
      ['[till]/ADR-0001', '[till]/a.ts'],
      ['[shop]/ADR-0002', '[till]/a.ts'],
    ])
    expect(place('shop/tills/a.ts')[0]).toEqual(['[shop]/ADR-0001', '[shop]/tills/a.ts'])
    expect(place('shops/a.ts')[0]).toEqual(['ADR-0001', 'shops/a.ts'])
  })
})

describe('a wrapped body', () => {
  const A2 = 'governed-by ADR-0002 @1'
  test.each<[string, string[]]>([
    ['// Governing: ADR-0001,\n//   ADR-0002', [A1, A2]],
    ['// Governing: ADR-0001;\r\n// ADR-0002', [A1, A2]],
    ['// Governing: ADR-0001 (the\n// oven), ADR-0002', [A1, A2]],
    ['# Governing: ADR-0001 "the\n# oven", ADR-0002', [A1, A2]],
    ['/*\n * Governing: ADR-0001,\n * ADR-0002\n */', ['governed-by ADR-0001 @2', 'governed-by ADR-0002 @2']],
    ['/* Governing: ADR-0001,\n   ADR-0002 */ ADR-0003', [A1, A2]],
    ['/** Governing: ADR-0001,\n  * ADR-0002,\n  */\n// ADR-0003', [A1, A2]],
    ['<!-- Governing: ADR-0001,\nADR-0002 -->', [A1, A2]],
    ['/* Governing: ADR-0001,\n   ADR-0002, */\n   ADR-0003', [A1, A2]],
    ['x // Governing: ADR-0001,\n  // ADR-0002', [A1, A2]],
    [
      '// Governing: ADR-0001,\n// Implements: SPEC-0001 REQ "Heat\n// it"\n// ADR-0003',
      [A1, 'implements SPEC-0001 (Heat it) @2'],
    ],
    ['// Governing: ADR-0001 (open\n// Governing: ADR-0002\n// ADR-0003', [A1, 'governed-by ADR-0002 @2']],
    ['// Governing: ADR-0001\n// ADR-0002', [A1]],
    ['// Governing: ADR-0001,\n//\n// ADR-0002', [A1]],
    ['// Governing: ADR-0001,\nADR-0002', [A1]],
    ['// Governing: ADR-0001,\n# ADR-0002', [A1]],
    ['// Governing: ADR-0001,\n\n// ADR-0002', [A1]],
    ['// Governing: ADR-0001 :)\n// ADR-0002', [A1]],
    ['/* Governing: ADR-0001, */\n/* ADR-0002 */', [A1]],
    ['// Governing: ADR-0001,', [A1]],
    ['// Governing: (#1\n// ADR-0001)', [A1]],
  ])('%j', (text, wanted) => {
    expect(said(text)).toEqual(wanted)
  })
})

describe('the search in the bytes', () => {
  test.each(['// Governing: x', 'GOVERNING\t :', 'gOvErNiNg:', 'implements:', 'Implements :', '\ufeff# governing:'])(
    'finds %j',
    (text) => {
      expect(governingExtractor.concerns(Buffer.from(text))).toBe(true)
    },
  )

  test.each(['', 'governing', 'class Oven implements Baker { heat: 1 }', 'governing\n:', 'implement:'])(
    'passes %j',
    (text) => {
      expect(governingExtractor.concerns(Buffer.from(text))).toBe(false)
    },
  )
})

const CASES = shared('cases/artifact-graph')
describe.skipIf(CASES === null)('the handed cases', () => {
  interface Orphans {
    readonly results: {
      readonly code_files_with_unrecognized_governing: readonly { readonly file: string; readonly reason: string }[]
      readonly code_files_without_governing: readonly string[]
    }
  }
  const read = (name: string) => {
    const project = path.join(CASES ?? '', name, 'project')
    return readdirSync(project, { recursive: true, encoding: 'utf8' })
      .sort()
      .filter((file) => statSync(path.join(project, file)).isFile())
      .filter((file) => isSourceName(path.basename(file), []) && !skipsFolder(file.split('/').slice(0, -1).join('/')))
      .map((file) => {
        const bytes = readFileSync(path.join(project, file))
        const found = facts(bytes.toString('utf8'), STRICT, file)
        if (!governingExtractor.concerns(bytes)) expect(found).toEqual({ nodes: [], edges: [], problems: [] })
        return { file, found }
      })
  }

  test.each([
    ['17-code-languages', 31 - 3],
    ['18-unrecognized', 5 - 2],
    ['22-wrapped-comments', 13 - 2],
  ])('%s', (name, edges) => {
    const files = read(name)
    const document = JSON.parse(
      readFileSync(path.join(CASES ?? '', name, 'expected/orphans_json.json'), 'utf8'),
    ) as Orphans
    const bare = files.filter(({ found }) => found.nodes.length + found.problems.length === 0).map(({ file }) => file)
    const unread = files.flatMap(({ file, found }) => found.problems.map(({ detail }) => ({ file, reason: detail })))
    expect(bare).toEqual(document.results.code_files_without_governing)
    expect(unread).toEqual(document.results.code_files_with_unrecognized_governing)
    expect(files.reduce((sum, { found }) => sum + found.edges.length, 0)).toBe(edges)
  })

  test.each(['ADR-0001', 'ADR-0002', 'SPEC-0003', 'SPEC-0010'])('who names %s in case 22', (id) => {
    const named = read('22-wrapped-comments').filter(({ found }) => found.edges.some(({ up }) => up === id))
    const document = JSON.parse(
      readFileSync(path.join(CASES ?? '', `22-wrapped-comments/expected/impact_${id}_json.json`), 'utf8'),
    ) as { results: { id: string; type: string; edges: { target: string; derived: boolean }[] }[] }
    const wanted = document.results
      .filter(({ type, edges }) => type === 'code' && edges.some(({ target, derived }) => target === id && !derived))
      .map((result) => result.id)
    expect(named.map(({ file }) => file)).toEqual(wanted)
  })
})

describe('any text', () => {
  const PIECES = [
    ...[
      'Governing:',
      'implements :',
      'Governing',
      'ADR-0001',
      'SPEC-0002',
      'ADR-7',
      '[lib]/',
      '[',
      ']/',
      'REQ "Heat"',
      'REQ',
    ],
    ...[
      '//',
      '///',
      '#',
      '/*',
      '*/',
      '*',
      '<!--',
      '-->',
      '{/*',
      '--',
      '"',
      "'",
      '`',
      '“',
      '”',
      '(',
      ')',
      ',',
      ';',
      '\\',
    ],
    ...['\n', '\r\n', ' ', '\t', '\ufeff', '\0', '\ud800', 'é', 'x', '\u2028'],
  ]
  const text = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 80 }).map((pieces) => pieces.join('')),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new TextDecoder().decode(bytes)),
  )

  test('never throws, and has either edges or a problem', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(STRICT, LENIENT), (candidate, where) => {
        const found = facts(candidate, where, 'libs/lib/a.ts')
        expect(facts(candidate, where, 'libs/lib/a.ts')).toEqual(found)
        expect(found.nodes.length).toBe(found.edges.length > 0 ? 1 : 0)
        expect(found.problems.length).toBeLessThanOrEqual(found.edges.length > 0 ? 0 : 1)
        // What the search in the bytes passes over says nothing.
        if (found.nodes.length + found.problems.length > 0) {
          expect(governingExtractor.concerns(Buffer.from(candidate))).toBe(true)
        }
      }),
      { numRuns: effort(500, 30_000) },
    )
  })

  const PARTS = [
    '// Governing:',
    ' // ',
    ' "// governing:',
    '[',
    '[x]/',
    ' ( ',
    'REQ "',
    ' REQ "a", "b"',
    '* ',
    '/* Governing: */',
    'governing\t\t\t',
    '// Governing: (\n',
    '// Governing: ADR-0001,\n',
    '-',
  ]
  test.each(PARTS)('%j a million times takes no time', (part) => {
    const many = part.repeat(Math.ceil(1_000_000 / part.length))
    const wrapped = `// Governing: (\n${many.replace(/(.{80})/g, '//$1\n')}`
    const work = workOf(() => {
      for (const candidate of [many, `// Governing: ${many}`, wrapped]) {
        facts(candidate, LENIENT, 'libs/lib/a.ts')
        governingExtractor.concerns(Buffer.from(candidate))
      }
    })
    expect(work).toBeLessThan(3000)
  })
})
