// The words behind `specdex spec`: what is a flag, what is an argument, which mistake is named first, and that the help
// speaks of every verb and flag there is.

import { describe, expect, test } from 'vitest'
import { parseWords, verbPosition } from '../../src/cli/spec-args.ts'
import { specHelp } from '../../src/cli/spec-help.ts'
import { QUERY_VERBS, SPEC_VERBS } from '../../src/cli/spec-verbs.ts'
import { spec } from '../spec/run-spec.ts'
import { tempTree } from '../support/temp.ts'

const LOAD_SET = QUERY_VERBS.find((verb) => verb.name === 'load-set')?.flags ?? []
const QUERY = { positionals: true, lenient: [] }

describe('parseWords', () => {
  test('flags stand anywhere, values follow or are joined by =, the last of several wins', () => {
    const { stop, words } = parseWords(
      ['--human', 'readers', '--graph=a=b.json', 'X', '--root', 'r', '--root', 's'],
      LOAD_SET,
      QUERY,
    )
    expect(stop).toBeNull()
    expect([...words.switches]).toEqual(['--human'])
    expect(Object.fromEntries(words.values)).toEqual({ '--graph': 'a=b.json', '--root': 's' })
    expect(words.positionals).toEqual(['readers', 'X'])
  })

  test('a value is the next word, whatever it looks like; an empty one is a value', () => {
    expect(parseWords(['--graph', '--human'], LOAD_SET, QUERY).words.values.get('--graph')).toBe('--human')
    expect(parseWords(['--root='], LOAD_SET, QUERY).words.values.get('--root')).toBe('')
  })

  test('-- ends the flags', () => {
    expect(parseWords(['readers', '--', '--human'], LOAD_SET, QUERY).words.positionals).toEqual(['readers', '--human'])
  })

  test.each([
    [['--graph'], 'missing-value'],
    [['-'], 'unknown-flag'],
    [['--human=yes'], 'unknown-flag'],
    [['--frob', '--help'], 'unknown-flag'],
    [['--help', '--frob'], 'help'],
    [['readers', '-h'], 'help'],
  ])('%j stops with %s', (words, kind) => {
    expect(parseWords(words, LOAD_SET, QUERY).stop?.kind).toBe(kind)
  })

  test('without positionals, a word and -- stop it; lenient forgives a missing value', () => {
    const options = { positionals: false, lenient: ['--root'] }
    expect(parseWords(['--root', 'r', 'stray'], LOAD_SET, options).stop).toEqual({ kind: 'positional', word: 'stray' })
    expect(parseWords(['--'], LOAD_SET, options).stop).toEqual({ kind: 'unknown-flag', word: '--' })
    expect(parseWords(['--root'], LOAD_SET, options).stop).toBeNull()
    expect(parseWords(['--compat'], LOAD_SET, options).stop).toMatchObject({ kind: 'missing-value' })
  })
})

test.each([
  [['build'], 0],
  [['--root', 'build', 'validate'], 2],
  [['--root=x', '--human', 'deps', 'build'], 2],
  [['--frob', 'deps'], 1],
  [['--', 'build'], -1],
  [['--root'], -1],
])('the verb of %j is word %i', (words, position) => {
  expect(verbPosition(words, LOAD_SET)).toBe(position)
})

const NOTHING =
  'ERROR: no subcommand given (one of: build readers writers impact deps load-set search validate install-hook)\n'

/** [words, stderr]: all exit 1 with nothing on stdout, before any graph is looked at (seed 000; sheet spec-graph §8.1). */
const BAD_ARGUMENTS: readonly (readonly [string[], string])[] = [
  [[''], NOTHING],
  [['--human'], NOTHING],
  // Whoever asks for the public tool gets its words.
  [
    ['frobnicate', '--compat', 'forgedock-1.7'],
    "ERROR: unknown subcommand 'frobnicate' (one of: readers writers impact deps load-set search)\n",
  ],
  [['readers'], "ERROR: subcommand 'readers' requires an argument\n"],
  [['readers', ''], "ERROR: subcommand 'readers' requires an argument\n"],
  [
    ['frobnicate'],
    "ERROR: unknown subcommand 'frobnicate' (one of: build readers writers impact deps load-set search validate install-hook)\n",
  ],
  [
    ['buld'],
    "ERROR: unknown subcommand 'buld' (one of: build readers writers impact deps load-set search validate install-hook) (did you mean build?)\n",
  ],
  [['readers', 'a', 'b'], "ERROR: too many arguments: expected '<subcommand> <arg>', got 3 positionals\n"],
  [['-x', 'readers', 'a', 'b'], 'ERROR: unknown flag: -x\n'],
  [['readers', 'a', '--graph'], 'ERROR: --graph requires a path\n'],
  [['readers', 'a', '--humna'], 'ERROR: unknown flag: --humna (did you mean --human?)\n'],
  [['readers', 'a', '--compat', 'forgedock-1.7', '--humna'], 'ERROR: unknown flag: --humna\n'],
  [['readers', 'a', '--compat', '2.0'], "ERROR: --compat knows no version '2.0' (one of: default, forgedock-1.7)\n"],
  [['load-set', 'a', '--budget', '0'], 'ERROR: --budget requires a positive whole number\n'],
  [['load-set', 'a', '--budget', '1e3'], 'ERROR: --budget requires a positive whole number\n'],
  [['load-set', 'a', '--budget'], 'ERROR: --budget requires a number\n'],
  [['deps', 'a', '--budget', '5'], 'ERROR: --budget only applies to load-set\n'],
  [['validate', '--frob'], 'ERROR: unknown flag: --frob (try --help)\n'],
  [['validate', '--'], 'ERROR: unknown flag: -- (try --help)\n'],
  [['validate', 'x'], 'ERROR: unexpected argument: x (this validator takes no positionals; try --help)\n'],
  [['validate', '--root'], 'ERROR: --root requires a path\n'],
  [['install-hook', 'x'], 'ERROR: unknown argument: x (try --help)\n'],
]

test.each(BAD_ARGUMENTS)('spec %j', async (words, stderr) => {
  expect(await spec(words, { cwd: tempTree({}) })).toEqual({ code: 1, stdout: '', stderr })
})

describe('help', () => {
  test('no words at all: the group on stdout, exit 1; --help: exit 0', async () => {
    const cwd = tempTree({})
    const group = specHelp(null)
    expect(await spec([], { cwd })).toEqual({ code: 1, stdout: group, stderr: '' })
    expect(await spec(['--root', 'x', '--compat', 'default'], { cwd })).toEqual({ code: 1, stdout: group, stderr: '' })
    expect(await spec(['--help'], { cwd })).toEqual({ code: 0, stdout: group, stderr: '' })
    for (const verb of SPEC_VERBS) expect(group.includes(`  ${verb.name}`)).toBe(!verb.hidden)
  })

  test.each(SPEC_VERBS.map((verb) => [verb.name, verb] as const))(
    '%s --help names each of its flags',
    async (name, verb) => {
      const { code, stdout } = await spec([name, '--help'], { cwd: tempTree({}) })
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`^Usage: specdex spec ${name}`))
      for (const flag of verb.flags) expect(stdout).toContain(`  ${flag.name}`)
      expect(await spec(['-h', name], { cwd: tempTree({}) })).toMatchObject({ code: 0, stdout })
    },
  )

  test('build: an unknown argument wins over --help behind it and exits 2', async () => {
    const cwd = tempTree({})
    const help = specHelp(SPEC_VERBS.find((verb) => verb.name === 'build') ?? null)
    for (const wrong of ['stray', '--frob', '--']) {
      const expected = { code: 2, stdout: help, stderr: `Unknown argument: ${wrong}\n` }
      expect(await spec(['build', '--quiet', wrong, '--help'], { cwd })).toEqual(expected)
    }
    expect(await spec(['build', '--help', 'stray'], { cwd })).toEqual({ code: 0, stdout: help, stderr: '' })
  })
})
