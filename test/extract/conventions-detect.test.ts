// Which conventions are found in which folders, what pins mean, and which names a convention claims. Folders are plain
// lists of paths, and once the fixtures on disk.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/extract/config.ts'
import { claims, claimsFolder, entersFolder } from '../../src/extract/conventions/claims.ts'
import { detectConventions } from '../../src/extract/conventions/detect.ts'
import { log4brainsFolders, log4brainsPackages } from '../../src/extract/conventions/log4brains.ts'
import { numberedName } from '../../src/extract/conventions/names.ts'
import type { Peek } from '../../src/extract/conventions/peek.ts'
import { pinOf } from '../../src/extract/conventions/pin.ts'
import { declaredFolders } from '../../src/extract/modules.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import type { ConventionName, ConventionUse } from '../../src/model/layout.ts'
import { peekAt } from '../../src/scan/peek.ts'
import { effort } from '../support/effort.ts'
import { shared } from '../support/shared.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/conventions')
const NONE = { adr: null, spec: null }
const { graph: PLAIN } = DEFAULT_CONFIG

/** A folder given by the paths of its files, or by texts. */
function folderOf(files: readonly string[] | Readonly<Record<string, string>>): Peek {
  const texts: Readonly<Record<string, string>> = Array.isArray(files)
    ? Object.fromEntries(files.map((file) => [file, '']))
    : { ...(files as Readonly<Record<string, string>>) }
  const all = Object.keys(texts)
  return {
    exists: (at) => all.some((file) => file === at || file.startsWith(`${at}/`)),
    list: (dir) => {
      const inside =
        dir === '' ? all : all.filter((file) => file.startsWith(`${dir}/`)).map((file) => file.slice(dir.length + 1))
      const names = new Map(inside.map((file) => [file.split('/', 1)[0] ?? '', file.includes('/')]))
      return [...names].map(([name, folder]) => ({ name, folder }))
    },
    read: (at) => texts[at] ?? null,
  }
}

const shown = (uses: readonly ConventionUse[]): string[] =>
  uses.map(({ name, kind, folder }) => `${name} ${kind} ${folder}`)

const STRICT = ['sdd adr docs/adrs', 'sdd spec docs/openspec/specs']
const OPENSPEC = ['openspec spec openspec/specs', 'openspec change openspec/changes']

describe('detected', () => {
  test.each<[string, readonly string[] | Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing', [], STRICT],
    ['code alone', ['src/oven.ts', 'README.md'], STRICT],
    ['ADRs of the seed', ['docs/adrs/ADR-0001-rye.md'], STRICT],
    ['an ADR of the seed without a slug', ['docs/adrs/ADR-0001.md', 'docs/adrs/0002-x.md'], STRICT],
    ['specs of the seed', ['docs/openspec/specs/rye/spec.md'], STRICT],
    [
      'specs of the seed beside numbered ADRs',
      ['docs/openspec/specs/rye/spec.md', 'docs/adr/0001-x.md'],
      ['adr-numbered adr docs/adr', STRICT[1] ?? ''],
    ],
    ['ADRs of the seed win over numbered ones', ['docs/adrs/ADR-0001-rye.md', 'docs/adr/0001-x.md'], STRICT],
    ["the seed's folder without its prefix", ['docs/adrs/0001-x.md'], ['adr-numbered adr docs/adrs']],
    ["the seed's prefix, another folder", ['docs/adr/ADR-0001-x.md'], ['adr-numbered adr docs/adr']],
    ['three digits', ['docs/adrs/ADR-001-x.md'], ['adr-numbered adr docs/adrs']],
    ['the first of several folders', ['docs/decisions/0001-x.md', 'doc/adr/0001-x.md'], ['adr-numbered adr doc/adr']],
    ['a folder of pages alone is none', ['docs/adr/README.md', 'docs/adr/0000-template.md'], STRICT],
    ['.adr-dir', { '.adr-dir': './decisions/\n', 'docs/adr/0001-x.md': '' }, ['adr-numbered adr decisions']],
    [
      'an .adr-dir that climbs out',
      { '.adr-dir': '../decisions\n', 'docs/adr/0001-x.md': '' },
      ['adr-numbered adr docs/adr'],
    ],
    ['dates and slugs', ['docs/adr/20240105-x.md', 'docs/adr/README.md'], ['log4brains adr docs/adr']],
    ['.log4brains.yml', { '.log4brains.yml': 'project: {adrFolder: ./adr}\n' }, ['log4brains adr adr']],
    ['a broken .log4brains.yml', { '.log4brains.yml': 'project: [\n' }, ['log4brains adr docs/adr']],
    ['adrNNN', ['docs/architecture-decisions/adr001-x.md'], ['backstage adr docs/architecture-decisions']],
    ['OpenSpec', ['openspec/config.yaml'], OPENSPEC],
    ['OpenSpec of old', ['openspec/AGENTS.md'], OPENSPEC],
    ['a folder that is only called openspec', ['openspec/notes.txt'], STRICT],
    ['.specify', ['.specify/memory/constitution.md'], ['spec-kit spec specs']],
    ['specs by number', ['specs/001-oven/spec.md'], ['spec-kit spec specs']],
    ['specs of somebody else', ['specs/oven_spec.rb', 'specs/001-oven/oven.rb'], STRICT],
    ['Kiro', ['.kiro/specs/oven/requirements.md'], ['kiro spec .kiro/specs']],
    ['Kiro without specs', ['.kiro/steering/product.md'], STRICT],
    [
      'conventions combine',
      ['docs/adr/0001-x.md', 'openspec/project.md', '.specify/x', '.kiro/specs/a/design.md'],
      ['adr-numbered adr docs/adr', ...OPENSPEC, 'spec-kit spec specs', 'kiro spec .kiro/specs'],
    ],
  ])('%s', (_, files, wanted) => {
    const peek = folderOf(files)
    const yaml = peek.read('.log4brains.yml')
    const log4brains = yaml === null ? [] : log4brainsFolders(yaml)
    expect(shown(detectConventions(peek, PLAIN, { ...NONE, log4brains }))).toEqual(wanted)
  })

  test('few looks, whatever is there', () => {
    for (const files of [[], Array.from({ length: 300 }, (_, n) => `specs/${String(n).padStart(3, '0')}-x/plan.md`)]) {
      let looks = 0
      const counted =
        <T>(look: (at: string) => T) =>
        (at: string): T => {
          looks++
          return look(at)
        }
      const { exists, list, read } = folderOf(files)
      detectConventions({ exists: counted(exists), list: counted(list), read: counted(read) }, PLAIN, NONE)
      expect(looks).toBeLessThan(25)
    }
  })

  test('one more decision is no other layout', () => {
    const before = detectConventions(folderOf(['docs/adr/0001-x.md']), PLAIN, NONE)
    expect(detectConventions(folderOf(['docs/adr/0001-x.md', 'docs/adr/0002-y.md']), PLAIN, NONE)).toEqual(before)
    expect(before[0]?.why).toBe('docs/adr holds numbered files')
  })
})

describe('named folders', () => {
  test.each<[string, readonly string[], { adr: string | null; spec: string | null }, readonly string[]]>([
    ['both', ['a/ADR-0001-x.md', 'docs/adrs/ADR-0009-decoy.md'], { adr: 'a', spec: 's' }, ['sdd adr a', 'sdd spec s']],
    ['an empty folder', [], { adr: 'a', spec: null }, ['sdd adr a', 'sdd spec docs/openspec/specs']],
    ['numbered ADRs', ['a/0001-x.md'], { adr: 'a', spec: null }, ['adr-numbered adr a']],
    [
      'the strict prefix decides',
      ['a/0001-x.md', 'a/ADR-0002-y.md'],
      { adr: 'a', spec: 's' },
      ['sdd adr a', 'sdd spec s'],
    ],
    ['specs alone', ['docs/adr/0001-x.md'], { adr: null, spec: 's' }, ['adr-numbered adr docs/adr', 'sdd spec s']],
  ])('%s', (_, files, folders, wanted) => {
    expect(shown(detectConventions(folderOf(files), PLAIN, folders))).toEqual(wanted)
  })
})

describe('pinned', () => {
  const pin = (conventions: readonly string[], files: readonly string[] = [], folders = NONE): string[] =>
    shown(detectConventions(folderOf(files), { ...PLAIN, conventions }, folders))

  test.each<[readonly string[], readonly string[]]>([
    [['sdd'], STRICT],
    [['sdd:docs/adrs', 'sdd:docs/openspec/specs'], STRICT],
    [['sdd:decisions'], ['sdd adr decisions']],
    [['openspec'], OPENSPEC],
    [['openspec:plans'], ['openspec spec plans/specs', 'openspec change plans/changes']],
    [['openspec:openspec/specs', 'openspec:openspec/changes'], OPENSPEC],
    [
      ['kiro', 'adr-numbered:./adr/', 'kiro'],
      ['kiro spec .kiro/specs', 'adr-numbered adr adr'],
    ],
  ])('%j', (conventions, wanted) => {
    expect(pin(conventions, ['docs/adr/0001-x.md'])).toEqual(wanted)
  })

  test('what a folder of the strict convention holds decides its kind', () => {
    expect(pin(['sdd:x'], ['x/rye/spec.md'])).toEqual(['sdd spec x'])
    expect(pin(['sdd:docs/specs'], ['docs/specs/ADR-0001-x.md'])).toEqual(['sdd adr docs/specs'])
  })

  test('folders that flags name win for their kind', () => {
    const files = ['notes/0007-x.md']
    const pins = ['adr-numbered:docs/adr', 'kiro']
    expect(pin(pins, files, { adr: 'notes', spec: null, flags: { adr: 'notes', spec: null } } as never)).toEqual([
      'adr-numbered adr notes',
      'kiro spec .kiro/specs',
    ])
    expect(pin(pins, files, { adr: null, spec: 's', flags: { adr: null, spec: 's' } } as never)).toEqual([
      'adr-numbered adr docs/adr',
      'sdd spec s',
    ])
    // What CLAUDE.md names is no flag.
    expect(pin(pins, files, { adr: 'notes', spec: 's' } as never)).toEqual([
      'adr-numbered adr docs/adr',
      'kiro spec .kiro/specs',
    ])
  })

  test('named folders fill in where none is pinned', () => {
    expect(pin(['sdd', 'kiro'], [], { adr: 'a', spec: 's' } as never)).toEqual([
      'sdd adr a',
      'sdd spec s',
      'kiro spec .kiro/specs',
    ])
  })

  test('conventions of the user hold beside what is found, or where they are pinned', () => {
    const { graph } = parseConfig('graph: { custom: { rules: { kind: adr, files: ["r/*.md"] } } }', 'x')
    const peek = folderOf(['docs/adr/0001-x.md'])
    expect(shown(detectConventions(peek, graph, NONE))).toEqual(['custom adr ', 'adr-numbered adr docs/adr'])
    expect(shown(detectConventions(folderOf([]), graph, NONE))).toEqual(['custom adr '])
    const pinned = detectConventions(peek, { ...graph, conventions: ['rules'] }, NONE)
    expect(shown(pinned)).toEqual(['custom adr '])
    expect(pinned.map((use) => pinOf(use, graph))).toEqual(['rules'])
  })
})

const NAMES = readdirSync(FIXTURES).filter((name) => !name.includes('.'))

test.each(NAMES)('fixture %s is found, and pinning what was found changes nothing', (name) => {
  const peek = peekAt(path.join(FIXTURES, name), '')
  const graph =
    name === 'custom' ? parseConfig(readFileSync(path.join(FIXTURES, 'custom.config.yml'), 'utf8'), name).graph : PLAIN
  const uses = detectConventions(peek, graph, NONE)
  expect(new Set(uses.map((use) => use.name))).toEqual(new Set([name]))
  const conventions = uses.map((use) => pinOf(use, graph))
  expect(shown(detectConventions(peek, { ...graph, conventions }, NONE))).toEqual(shown(uses))
})

const cases = shared('cases/artifact-graph')

test.skipIf(cases === null)('every handed case is strict', () => {
  const folder = cases ?? ''
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(names.length).toBeGreaterThan(20)
  for (const { name } of names) {
    const peek = peekAt(path.join(folder, name, 'project'), '')
    const uses = detectConventions(peek, PLAIN, declaredFolders(peek.read('CLAUDE.md') ?? ''))
    expect(
      uses.map((use) => `${use.name} ${use.kind}`),
      name,
    ).toEqual(['sdd adr', 'sdd spec'])
  }
})

test('packages of log4brains', () => {
  const text = readFileSync(path.join(FIXTURES, 'log4brains/.log4brains.yml'), 'utf8')
  expect(log4brainsPackages(text)).toEqual([
    { name: 'lending', path: 'packages/lending', adrFolder: 'packages/lending/docs/adr' },
  ])
  expect(
    log4brainsPackages('project:\n  packages:\n    - {name: a, path: a}\n    - {name: b, path: ../b}\n    - c\n'),
  ).toEqual([{ name: 'a', path: 'a', adrFolder: 'a/docs/adr' }])
})

test.each<[string, string, string | null]>([
  ['0042-sour-dough.md', '0042', 'sour-dough'],
  ['42-x.md', '42', 'x'],
  ['ADR-042-x.md', '042', 'x'],
  ['adr_7_x.md', '7', 'x'],
  ['adr001-x.md', '001', 'x'],
  ['ADR 12 Use rye.md', '12', 'Use rye'],
  ['0007.md', '0007', ''],
  ['0000-use-markdown.md', '0000', 'use-markdown'],
  ['0012-email-template.md', '0012', 'email-template'],
  ['0001-x.markdown', '0001', 'x'],
  ['0000-template.md', '', null],
  ['0000-adr-template.md', '', null],
  ['0000-email-template.md', '', null],
  ['0005-template.md', '', null],
  ['2024-01-15-x.md', '', null],
  ['20240115-x.md', '', null],
  ['0001-x.txt', '', null],
  ['0001x.md', '', null],
  ['README.md', '', null],
  ['ADR-XXXX-x.md', '', null],
])('the name %s', (name, digits, slug) => {
  expect(numberedName(name)).toEqual(slug === null ? null : { digits, slug })
})

describe('claimed', () => {
  const use = (
    name: ConventionName,
    kind: ConventionUse['kind'],
    folder: string,
    files?: readonly string[],
  ): ConventionUse => ({
    name,
    kind,
    folder,
    why: '',
    ...(files === undefined ? {} : { custom: { kind: 'adr', files, id: '{slug}', status: 'status', edges: {} } }),
  })
  const SDD = use('sdd', 'adr', 'docs/adrs')
  const CHANGES = use('openspec', 'change', 'openspec/changes')
  const RULES = use('custom', 'adr', '', ['rules/**/*.md', 'law?.{md,txt}', 'books/{a,b/c}/README.md'])

  test.each<[boolean, ConventionUse, string]>([
    [true, SDD, 'docs/adrs/ADR-0001-rye.md'],
    [true, SDD, 'docs/adrs/ADR-0001.md'],
    [true, SDD, 'docs/adrs/ADR-0001-.md'],
    [false, SDD, 'docs/adrs/adr-0001-rye.md'],
    [false, SDD, 'docs/adrs/ADR-00010-rye.md'],
    [false, SDD, 'docs/adrs/ADR-001-rye.md'],
    [false, SDD, 'docs/adrs/ADR-0001-rye.markdown'],
    [false, SDD, 'docs/adrs/old/ADR-0001-rye.md'],
    [false, SDD, 'docs/adrs2/ADR-0001-rye.md'],
    [false, SDD, 'x/docs/adrs/ADR-0001-rye.md'],
    [true, use('sdd', 'adr', ''), 'ADR-0001-rye.md'],
    [true, use('sdd', 'spec', 's'), 's/rye/spec.md'],
    [false, use('sdd', 'spec', 's'), 's/rye/design.md'],
    [false, use('sdd', 'spec', 's'), 's/spec.md'],
    [false, use('sdd', 'spec', 's'), 's/a/b/spec.md'],
    [true, use('adr-numbered', 'adr', 'adr'), 'adr/1-x.md'],
    [false, use('adr-numbered', 'adr', 'adr'), 'adr/README.md'],
    [false, use('adr-numbered', 'adr', 'adr'), 'adr/0000-template.md'],
    [false, use('backstage', 'adr', 'a'), 'a/0001-x.md'],
    [true, use('log4brains', 'adr', 'a'), 'a/20240105-x.md'],
    [true, use('log4brains', 'adr', 'a'), 'a/odd-name.md'],
    [false, use('log4brains', 'adr', 'a'), 'a/template.md'],
    [false, use('log4brains', 'adr', 'a'), 'a/index.md'],
    [true, CHANGES, 'openspec/changes/lamps/proposal.md'],
    [true, CHANGES, 'openspec/changes/lamps/specs/quay/spec.md'],
    [false, CHANGES, 'openspec/changes/lamps/tasks.md'],
    [false, CHANGES, 'openspec/changes/archive/2024-lamps/proposal.md'],
    [false, CHANGES, 'openspec/changes/archive/specs/quay/spec.md'],
    [true, use('kiro', 'spec', '.kiro/specs'), '.kiro/specs/a/requirements.md'],
    [false, use('kiro', 'spec', '.kiro/specs'), '.kiro/specs/a/tasks.md'],
    [true, RULES, 'rules/a.md'],
    [true, RULES, 'rules/b/c/a.md'],
    [false, RULES, 'rules/b/README.md'],
    [false, RULES, 'rules/.b/a.md'],
    [true, RULES, 'law1.txt'],
    [false, RULES, 'law12.txt'],
    [true, RULES, 'books/b/c/README.md'],
    [false, RULES, 'books/c/README.md'],
    [false, { ...RULES, folder: 'rules/b' }, 'rules/a.md'],
    [true, { ...RULES, folder: 'rules/b' }, 'rules/b/a.md'],
  ])('%s: %o', (wanted, convention, file) => {
    expect(claims(convention, file)).toBe(wanted)
  })

  test.each<[ConventionUse, string, boolean, boolean]>([
    [SDD, '', false, true],
    [SDD, 'docs', false, true],
    [SDD, 'docs/adrs', true, true],
    [SDD, 'docs/adrs/old', false, false],
    [SDD, 'src', false, false],
    [CHANGES, 'openspec/changes', false, true],
    [CHANGES, 'openspec/changes/lamps', true, true],
    [CHANGES, 'openspec/changes/lamps/specs', false, true],
    [CHANGES, 'openspec/changes/lamps/specs/quay', true, true],
    [CHANGES, 'openspec/changes/archive', false, false],
    [RULES, '', true, true],
    [RULES, 'books', false, true],
    [RULES, 'rules/deep/down', true, true],
    [RULES, 'src', false, false],
  ])('folders of %o: %s', (convention, dir, direct, deep) => {
    expect([claimsFolder(convention, dir), entersFolder(convention, dir)]).toEqual([direct, deep])
  })

  test('whatever is claimed lies in folders that are entered', () => {
    const uses = [
      SDD,
      CHANGES,
      RULES,
      { ...RULES, folder: 'rules/b' },
      use('kiro', 'spec', '.kiro/specs'),
      use('adr-numbered', 'adr', ''),
    ]
    const names = ['docs', 'adrs', 'openspec', 'changes', 'specs', 'rules', 'b', 'books', 'c', 'a', '.kiro', 'archive']
    const files = [
      'ADR-0001-x.md',
      'proposal.md',
      'spec.md',
      'requirements.md',
      'README.md',
      'law1.md',
      'x.md',
      '0001-x.md',
    ]
    const claimed = new Set<string>()
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...names), { maxLength: 5 }), fc.constantFrom(...files), (dirs, file) => {
        const whole = [...dirs, file].join('/')
        for (const convention of uses.filter((candidate) => claims(candidate, whole))) {
          claimed.add(convention.name)
          expect(claimsFolder(convention, dirs.join('/'))).toBe(true)
          for (let depth = 0; depth <= dirs.length; depth++) {
            expect(entersFolder(convention, dirs.slice(0, depth).join('/'))).toBe(true)
          }
        }
      }),
      { numRuns: effort(2000, 50_000) },
    )
    expect(claimed.size).toBeGreaterThan(1)
  })

  test('a glob of stars and braces stays quick', () => {
    const hostile = use('custom', 'adr', '', [
      `${'*a'.repeat(50)}b`,
      `${'{a,b}'.repeat(40)}.md`,
      `${'**/'.repeat(30)}x.md`,
    ])
    const before = process.cpuUsage().user
    for (let n = 0; n < 100; n++) claims(hostile, `${'a/'.repeat(30)}${'a'.repeat(200)}`)
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000)
  })
})
