// Every fixture of a convention, asked every question in every format: the answers are files under golden/, compared
// byte for byte with their exit code and what stderr said. UPDATE_GOLDEN=1 writes them; read the difference before you
// commit it. As JSON each question is also asked without the index, which must change nothing.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { copyFolder } from '../spec/cases.ts'
import { runHere } from '../support/run-here.ts'
import { tempFolder } from '../support/temp.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/conventions')
const GOLDEN = path.join(import.meta.dirname, 'golden')
const UPDATE = process.env['UPDATE_GOLDEN'] === '1'

/** Two ids of each fixture that have something above and below them. */
const IDS: Readonly<Record<string, readonly [string, string]>> = {
  'adr-numbered': ['ADR-0001', 'ADR-0005'],
  backstage: ['ADR-0002', 'ADR-0005'],
  custom: ['RULE-07', 'RULE-12'],
  kiro: ['SPEC-0012', 'SPEC:tool-shed'],
  log4brains: ['20230420-lend-by-phone', 'drop-the-late-fee'],
  openspec: ['SPEC:berth-booking', 'SPEC-0003'],
  sdd: ['ADR-0023', 'SPEC-0018'],
  'spec-kit': ['SPEC:002-ticket-sale', '005-light-desk'],
}

const TRAVERSALS: readonly string[] = ['impact', 'ancestors', 'chain']
const FORMATS = ['dag', 'table', 'mermaid', 'json'] as const
/** Verbs that know all four formats, with what each asks of a fixture. */
const SHAPED = (ids: readonly string[]): string[][] => [
  ...TRAVERSALS.flatMap((verb) => ids.map((id) => [verb, id])),
  ['orphans'],
  ['cycles'],
]
/** Verbs that answer as text or as JSON. */
const PLAIN = [['conventions'], ['validate'], ['findings']]

/** A copy of a fixture outside any repository, with its configuration where it has one. */
function copyOf(name: string): string {
  const root = path.join(tempFolder(`fixture-${name}`), name)
  copyFolder(path.join(FIXTURES, name), root)
  if (name === 'custom') {
    mkdirSync(path.join(root, '.specdex'))
    writeFileSync(path.join(root, '.specdex/config.yml'), readFileSync(`${FIXTURES}/custom.config.yml`))
  }
  return root
}

/** What a person at a terminal would see of one command, and its exit code. */
async function ask(root: string, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(['graph', ...words], { cwd: root })
  const told = stderr.split('\n').slice(0, -1)
  return [
    `$ specdex graph ${words.join(' ')}\n`,
    stdout,
    stdout === '' || stdout.endsWith('\n') ? '' : '\n(no final newline)\n',
    ...told.map((line) => `[stderr] ${line}\n`),
    `[exit ${code}]\n\n`,
  ].join('')
}

/** The questions of each golden file. */
function questions(ids: readonly string[]): ReadonlyMap<string, readonly string[][]> {
  const files = new Map<string, string[][]>([['default', [...PLAIN, ...SHAPED(ids)]]])
  for (const format of FORMATS) {
    const shaped = SHAPED(ids).map((words) => [...words, `--${format}`])
    files.set(format, format === 'json' ? [...PLAIN.map((words) => [...words, '--json']), ...shaped] : shaped)
  }
  return files
}

describe.each(Object.entries(IDS))('%s', (name, ids) => {
  const root = copyOf(name)

  test.each([...questions(ids)])('%s', async (file, asked) => {
    const answers: string[] = []
    for (const words of asked) answers.push(await ask(root, words))
    const found = answers.join('')
    if (UPDATE) {
      mkdirSync(path.join(GOLDEN, name), { recursive: true })
      writeFileSync(path.join(GOLDEN, name, `${file}.txt`), found)
    }
    expect(found).toBe(golden(name, file))
    for (const [i, words] of asked.entries()) {
      if (file !== 'json' || words[0] === 'conventions') continue
      const uncached = await ask(root, [...words, '--no-cache'])
      expect(uncached.replace(' --no-cache\n', '\n')).toBe(answers[i])
    }
  })

  test('a diagram is what a traversal answers with unless told otherwise, a table what the lists do', () => {
    const blocks = (file: string): string[] => golden(name, file).split(/^\$ .*\n/m)
    const [plain, dag, table] = [
      blocks('default').slice(1 + PLAIN.length),
      blocks('dag').slice(1),
      blocks('table').slice(1),
    ]
    expect(plain).toEqual([...dag.slice(0, 2 * 3), ...table.slice(2 * 3)])
  })

  const jsonAnswers = (): (readonly [verb: string, text: string])[] =>
    golden(name, 'json')
      .split(/^\$ specdex graph /m)
      .slice(1)
      .map((block) => [block.split(' ')[0] ?? '', block.slice(block.indexOf('\n') + 1, block.indexOf('\n[') + 1)])

  test('JSON has its keys in order and two spaces per level', () => {
    for (const [, text] of jsonAnswers()) expect(text).toBe(`${JSON.stringify(sorted(JSON.parse(text)), null, 2)}\n`)
  })

  test('JSON is as its schema says', () => {
    for (const [verb, text] of jsonAnswers()) {
      const validate = schemaFor(verb)
      validate(JSON.parse(text))
      expect({ verb, errors: validate.errors ?? [] }).toEqual({ verb, errors: [] })
    }
  })
})

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })

function schemaFor(verb: string): ValidateFunction {
  const name = TRAVERSALS.includes(verb) ? 'graph-traversal' : `graph-${verb}`
  const file = path.join(FIXTURES, `../schemas/${name}.schema.json`)
  return ajv.getSchema(`urn:specdex:${name}:1`) ?? ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object)
}

function golden(name: string, file: string): string {
  return readFileSync(path.join(GOLDEN, name, `${file}.txt`), 'utf8')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}
