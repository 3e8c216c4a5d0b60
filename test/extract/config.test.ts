// The configuration file: what is accepted, what is refused with which words, and the committed JSON Schema.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/extract/config.ts'
import { CONFIG_SCHEMA } from '../../src/extract/config-schema.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import { UserError } from '../../src/model/errors.ts'

const FILE = '.specdex/config.yml'

function refusal(text: string): UserError {
  try {
    parseConfig(text, FILE)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('accepted')
}

describe('accepted', () => {
  test.each(['', '\n', '# nothing yet\n', '---\n', '{}', '\ufeff', 'null'])('%j is all defaults', (text) => {
    expect(parseConfig(text, FILE)).toEqual(DEFAULT_CONFIG)
  })

  test('every key', () => {
    const text = `
roots: [recipes, "docs/*"]
include: ["**/*.md"]
ignore: ["!keep", /dist, "old/**"]
families: [docs]
compat: forgedock-1.7
limits: { file_bytes: 1_048_576, busy_ms: 1, sql_ms: 2, sql_rows: 3 }
spec:
  scaffold_markers: [FORGE:OVEN, FORGE:RYE_2]
graph:
  title_max: 30
  openers: ["--", "%"]
  sources: [.recipe, Ovenfile]
  conventions: [adr-numbered:docs/adr, rules, kiro]
  custom:
    rules:
      kind: adr
      files: ["rules/{house,yard}/*.md"]
      id: RULE-{number}
      status: State
      edges: { depends_on: requires, replaced_by: superseded-by }
    notes: { kind: spec, files: ["notes/**/*.md"] }
ledger:
  repo: bakers/oven
  trust: [OWNER, NONE]
  trusted_bots: ["crumb[bot]"]
  api: https://github.bakery.example/api/v3
  mirror: true
`
    expect(parseConfig(text, FILE)).toEqual({
      roots: ['recipes', 'docs/*'],
      include: ['**/*.md'],
      ignore: ['!keep', '/dist', 'old/**'],
      families: ['docs'],
      compat: 'forgedock-1.7',
      limits: { file_bytes: 1_048_576, busy_ms: 1, sql_ms: 2, sql_rows: 3 },
      spec: { scaffold_markers: ['FORGE:OVEN', 'FORGE:RYE_2'] },
      graph: {
        title_max: 30,
        openers: ['--', '%'],
        sources: ['.recipe', 'Ovenfile'],
        conventions: ['adr-numbered:docs/adr', 'rules', 'kiro'],
        custom: {
          rules: {
            kind: 'adr',
            files: ['rules/{house,yard}/*.md'],
            id: 'RULE-{number}',
            status: 'State',
            edges: { depends_on: 'requires', replaced_by: 'superseded-by' },
          },
          notes: { kind: 'spec', files: ['notes/**/*.md'], id: '{slug}', status: 'status', edges: {} },
        },
      },
      ledger: {
        repo: 'bakers/oven',
        trust: ['OWNER', 'NONE'],
        trusted_bots: ['crumb[bot]'],
        api: 'https://github.bakery.example/api/v3',
        mirror: true,
      },
    })
  })

  test('one nested key leaves its neighbours at their defaults', () => {
    expect(parseConfig('limits:\n  sql_rows: 5\n', FILE).limits).toEqual({ ...DEFAULT_CONFIG.limits, sql_rows: 5 })
  })

  test('anchors and aliases', () => {
    expect(parseConfig('roots: &here [docs]\ninclude: *here\n', FILE)).toMatchObject({
      roots: ['docs'],
      include: ['docs'],
    })
  })

  test('the defaults are not shared', () => {
    const first = parseConfig('', FILE)
    ;(first.roots as string[]).push('spoilt')
    expect(parseConfig('', FILE)).toEqual(DEFAULT_CONFIG)
    expect(DEFAULT_CONFIG.roots).toEqual(['.'])
  })
})

describe('refused', () => {
  test.each([
    ['rots: [docs]', 'unknown key `rots`', 'did you mean `roots`?'],
    ['limits: { file_byte: 1 }', 'unknown key `limits.file_byte`', 'did you mean `limits.file_bytes`?'],
    ['file_bytes: 1', 'unknown key `file_bytes`', 'did you mean `limits.file_bytes`?'],
    ['scaffold_marker: []', 'unknown key `scaffold_marker`', 'did you mean `spec.scaffold_markers`?'],
    ['spec: { roots: [x] }', 'unknown key `spec.roots`', 'did you mean `roots`?'],
    ['spec: { oven: hot }', 'unknown key `spec.oven`', 'known keys: spec.scaffold_markers'],
    [
      'database: x',
      'unknown key `database`',
      'known keys: roots, include, ignore, families, compat, limits, spec, graph, ledger',
    ],
    [
      'constructor: x',
      'unknown key `constructor`',
      'known keys: roots, include, ignore, families, compat, limits, spec, graph, ledger',
    ],
    [
      '__proto__: { roots: [x] }',
      'unknown key `__proto__`',
      'known keys: roots, include, ignore, families, compat, limits, spec, graph, ledger',
    ],
    [
      'toString: x',
      'unknown key `toString`',
      'known keys: roots, include, ignore, families, compat, limits, spec, graph, ledger',
    ],
    ['roots: docs', 'roots: expected a list, found "docs"', null],
    ['roots:', 'roots: expected a list, found nothing', null],
    ['roots: { a: 1 }', 'roots: expected a list, found keys and values', null],
    ['roots: [1]', 'roots[0]: expected a path or glob inside the root, found 1', null],
    ['roots: [a, ""]', 'roots[1]: expected a path or glob inside the root, found ""', null],
    ['roots: [../secrets]', 'roots[0]: expected a path or glob inside the root, found "../secrets"', null],
    ['roots: [a/../../b]', 'roots[0]: expected a path or glob inside the root, found "a/../../b"', null],
    ['roots: ["a\\n/../b"]', 'roots[0]: expected a path or glob inside the root, found "a\\n/../b"', null],
    ['include: [/etc/*.md]', 'include[0]: expected a path or glob inside the root, found "/etc/*.md"', null],
    ['ignore: [""]', 'ignore[0]: expected a glob, found ""', null],
    ['families: []', 'families: expected a list that is not empty, found an empty list', null],
    ['families: [docs, docs]', 'families: expected a list without repetition, found a list', null],
    [
      'families: [dogs]',
      'families[0]: expected one of spec, docs, artifact, code, found "dogs"',
      'did you mean `docs`?',
    ],
    [
      'compat: forgedock',
      'compat: expected one of default, forgedock-1.7, found "forgedock"',
      'did you mean `forgedock-1.7`?',
    ],
    ['compat: 1.7', 'compat: expected one of default, forgedock-1.7, found 1.7', null],
    ['limits: 7', 'limits: expected keys and values, found 7', null],
    ['limits: []', 'limits: expected keys and values, found an empty list', null],
    [
      'limits: { file_bytes: big }',
      'limits.file_bytes: expected a whole number from 1 to 9007199254740991, found "big"',
      null,
    ],
    ['limits: { sql_rows: 0 }', 'limits.sql_rows: expected a whole number from 1 to 2147483647, found 0', null],
    ['limits: { sql_rows: 1.5 }', 'limits.sql_rows: expected a whole number from 1 to 2147483647, found 1.5', null],
    [
      'limits: { busy_ms: 3000000000 }',
      'limits.busy_ms: expected a whole number from 1 to 2147483647, found 3000000000',
      null,
    ],
    [
      'spec: { scaffold_markers: [OVEN] }',
      'spec.scaffold_markers[0]: expected a marker such as FORGE:DISPATCHER, found "OVEN"',
      null,
    ],
    [
      'spec: { scaffold_markers: ["FORGE:Oven"] }',
      'spec.scaffold_markers[0]: expected a marker such as FORGE:DISPATCHER, found "FORGE:Oven"',
      null,
    ],
    ['graph: { title: 3 }', 'unknown key `graph.title`', 'did you mean `graph.title_max`?'],
    ['graph: []', 'graph: expected keys and values, found an empty list', null],
    ['graph: { title_max: 0 }', 'graph.title_max: expected a whole number from 1 to 1000, found 0', null],
    [
      'graph: { openers: ["- -"] }',
      'graph.openers[0]: expected one to eight characters without blanks, such as `--`, found "- -"',
      null,
    ],
    [
      'graph: { sources: [a/b] }',
      'graph.sources[0]: expected an ending such as `.foo` or the name of a file, found "a/b"',
      null,
    ],
    [
      'graph: { conventions: ["kiro:../x"] }',
      'graph.conventions[0]: expected a convention, as `name` or `name:folder`, found "kiro:../x"',
      null,
    ],
    [
      'graph: { conventions: [kiro, adr-number], custom: { rules: { kind: adr, files: ["*.md"] } } }',
      'graph.conventions[1]: expected one of sdd, adr-numbered, log4brains, openspec, spec-kit, kiro, backstage, rules, found "adr-number"',
      'did you mean `adr-numbered`?',
    ],
    ['graph: { custom: { rules: { kind: adr } } }', 'missing key `graph.custom.rules.files`', null],
    ['graph: { custom: [] }', 'graph.custom: expected keys and values, found an empty list', null],
    ['graph: { custom: { rules: [] } }', 'graph.custom.rules: expected keys and values, found an empty list', null],
    [
      'graph: { custom: { kiro: { kind: adr, files: [a] } } }',
      'graph.custom.kiro: expected a name of small letters, digits and dashes that no convention has yet, found "kiro"',
      null,
    ],
    [
      'graph: { custom: { rules: { kind: adr, file: [a] } } }',
      'unknown key `graph.custom.rules.file` (and 1 more)',
      'did you mean `graph.custom.rules.files`?',
    ],
    [
      'graph: { custom: { rules: { kind: adr, files: [a], stat: x } } }',
      'unknown key `graph.custom.rules.stat`',
      'did you mean `graph.custom.rules.status`?',
    ],
    [
      'graph: { custom: { rules: { kind: adr, files: [a], id: RULE } } }',
      'graph.custom.rules.id: expected an id with {number}, {slug}, {folder} or {heading} in it, found "RULE"',
      null,
    ],
    [
      'graph: { custom: { rules: { kind: adr, files: [a], edges: { needs: require } } } }',
      'graph.custom.rules.edges.needs: expected one of supersedes, superseded-by, extends, extended-by, implements, implemented-by, requires, depended-on-by, enables, enabled-by, governs, governed-by, related, found "require"',
      'did you mean `requires`?',
    ],
    ['[roots]', 'expected keys and values, found a list', null],
    ['roots', 'expected keys and values, found "roots"', null],
    ['roots: 1\ncompat: 2', 'roots: expected a list, found 1 (and 1 more)', null],
  ])('%j', (text, message, hint) => {
    const error = refusal(text)
    expect(error).toMatchObject({ code: 'config', exit: 2, message: `${FILE}: ${message}`, hint })
  })

  test.each([
    ['roots: [a\nb: c', 2],
    ['roots: [a]\nroots: [b]', 2],
    ['a: *nowhere', 1],
    ['a: !!js/function "x"', 1],
    ['date: !!timestamp 2024-05-01', 1],
  ])('%j is no YAML, with its line', (text, line) => {
    const { message, code } = refusal(text)
    expect(code).toBe('config')
    expect(message).toMatch(new RegExp(`^\\.specdex/config\\.yml: line ${line}: .`))
  })

  test('a long value is cut', () => {
    expect(refusal(`roots: ${'a'.repeat(500)}`).message.length).toBeLessThan(140)
  })
})

describe('the committed JSON Schema', () => {
  const FILE_NAME = path.resolve(import.meta.dirname, '../../src/model/config.schema.json')

  interface Part {
    readonly description?: string
    readonly properties?: Readonly<Record<string, Part>>
  }

  const generated = (): unknown =>
    toJsonSchema(CONFIG_SCHEMA, {
      typeMode: 'input',
      overrideAction: ({ valibotAction, jsonSchema }) =>
        // What JSON Schema cannot say (names that other keys declare) the parser checks alone.
        valibotAction.type === 'raw_check'
          ? { ...jsonSchema }
          : 'message' in valibotAction && valibotAction.message === 'a list without repetition'
            ? { ...jsonSchema, uniqueItems: true }
            : null,
    })

  test('is the one that the parser checks', () => {
    const schema = generated()
    if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE_NAME, `${JSON.stringify(schema, null, 2)}\n`)
    expect(JSON.parse(readFileSync(FILE_NAME, 'utf8'))).toEqual(schema)
  })

  test('describes every key, and lists the keys of the configuration', () => {
    const schema: Part = JSON.parse(readFileSync(FILE_NAME, 'utf8'))
    const keys: string[] = []
    const walk = (part: Part, prefix: string): void => {
      for (const [key, inner] of Object.entries(part.properties ?? {})) {
        keys.push(prefix + key)
        expect(inner.description, prefix + key).toMatch(/\w/)
        walk(inner, `${prefix}${key}.`)
      }
    }
    walk(schema, '')
    const wanted = Object.entries(DEFAULT_CONFIG).flatMap(([key, value]) => [
      key,
      ...(Array.isArray(value) || typeof value === 'string'
        ? []
        : Object.keys(value).map((inner) => `${key}.${inner}`)),
    ])
    expect(keys.sort()).toEqual(wanted.sort())
  })
})
