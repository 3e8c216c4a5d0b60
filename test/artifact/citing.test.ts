// Artifacts as other texts name them: in comments, in prose, on the command line. By whatever names their convention
// gives them, and of several files with one number the one that was meant. Real files, in this process.

import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { tempFolder, tempTree } from '../support/temp.ts'
import { agreed, graph, moduleTable } from './harbour.ts'

vi.setConfig({ testTimeout: 180_000 })

interface Shown {
  readonly results: readonly { readonly id: string; readonly edges: readonly Record<string, unknown>[] }[]
}

/** What stands directly below an artifact, as `id type`. */
async function below(root: string, id: string): Promise<string[]> {
  const { stdout } = await graph(root, 'impact', id, '--json')
  return (JSON.parse(stdout) as Shown).results.flatMap(({ id: from, edges }) =>
    edges.filter(({ source, derived }) => source === from && derived === false).map(({ type }) => `${from} ${type}`),
  )
}

async function lines(root: string, ...words: string[]): Promise<{ out: string[]; err: string[]; code: number }> {
  const { stdout, stderr, code } = await graph(root, ...words)
  const split = (text: string): string[] => text.split('\n').filter((line) => line !== '')
  return { out: split(stdout), err: split(stderr), code }
}

describe('governing comments', () => {
  test('name OpenSpec capabilities and changes by their ids', async () => {
    const root = tempTree({
      'openspec/specs/proof-dough/spec.md': '# Proofing\n',
      'openspec/specs/bake/spec.md': '# Baking\n',
      'openspec/changes/add-rye/proposal.md': '# Change: Add rye\n',
      'src/a.ts': '// Governing: SPEC:proof-dough REQ "Heat", SPEC:bake.\n',
      'src/b.ts': '// Implements: SPEC proof-dough REQ-1 (CHANGE:add-rye)\n',
      'src/c.ts': '// Governing: SPEC:nowhere\n',
      'src/d.ts': '// Governing: proof-dough\n',
    })
    expect(await below(root, 'proof-dough')).toEqual(['src/a.ts governed-by', 'src/b.ts implements'])
    expect(await below(root, 'bake')).toEqual(['src/a.ts governed-by'])
    expect(await below(root, 'add-rye')).toEqual(['src/b.ts implements'])
    const { told, unread } = await agreed(root)
    expect(told).toEqual(['governing-unrecognized src/d.ts', 'governing-unresolved src/c.ts SPEC:nowhere'])
    expect(unread).toEqual(['src/d.ts'])
  })

  test('name dated decisions by id and by bare slug', async () => {
    const root = tempTree({
      'docs/adr/20240115-sour-dough.md': '# Sour dough\n',
      'src/a.ts': '// Governing: ADR:20240115-sour-dough\n',
      'src/b.ts': '// Governing: ADR:sour-dough\n',
    })
    expect(await below(root, 'sour-dough')).toEqual(['src/a.ts governed-by', 'src/b.ts governed-by'])
  })

  test('name spec-kit features by number, in three digits as in four', async () => {
    const root = tempTree({
      'specs/002-seats/spec.md': '# Feature Specification: Seats\n',
      'src/a.ts': '// Implements: SPEC-002\n',
      'src/b.ts': '// Implements: SPEC-0002\n',
      'src/c.ts': '// Implements: SPEC:002-seats\n',
    })
    expect(await below(root, '002-seats')).toEqual([
      'src/a.ts implements',
      'src/b.ts implements',
      'src/c.ts implements',
    ])
  })

  test('name artifacts of a custom convention by the ids of its template', async () => {
    const custom = (name: string, kind: string, id: string): string =>
      `    ${name}:\n      kind: ${kind}\n      files: ["${name}/*.md"]\n      id: "${id}"\n      status: status\n`
    const root = tempTree({
      '.specdex/config.yml': `graph:\n  custom:\n${custom('rules', 'adr', 'RULE-{number}')}${custom('rfcs', 'spec', 'RFC:{slug}')}`,
      'rules/12-salt.md': '# Salt\n',
      'rfcs/one.two.md': '# One\n',
      'src/a.ts': '// Governing: RULE-12, RFC:one.two. Not JIRA-12.\n',
    })
    expect(await below(root, 'RULE-12')).toEqual(['src/a.ts governed-by'])
    expect(await below(root, 'RFC:one.two')).toEqual(['src/a.ts governed-by'])
    expect((await agreed(root)).told).toEqual([])
    expect((await lines(root, 'next-id')).out).toEqual(['RULE-13'])
  })

  test('in the strict convention name exact ids alone', async () => {
    const root = tempTree({
      'docs/adrs/ADR-0001-salt.md': '# ADR-0001: Salt\n',
      'docs/openspec/specs/dough/spec.md': '# SPEC-0001: Dough\n',
      'src/a.ts': '// Governing: ADR-0001, SPEC:dough, SPEC-001, SPEC dough-two\n',
    })
    expect((await agreed(root)).told).toEqual([])
    expect(await below(root, 'SPEC-0001')).toEqual([])
  })
})

describe('two files with one number', () => {
  const TWINS = {
    'docs/adr/0005-rye.md': '# 5. Rye\n',
    'docs/adr/0005-oven.md': '# 5. Oven\n',
  }

  test('the second is meant where number and slug are named', async () => {
    const root = tempTree({
      ...TWINS,
      'docs/adr/0006-coal.md': '# 6. Coal\n\nExtends ADR-0005-rye\n',
      'docs/adr/0007-gas.md': '# 7. Gas\n\nExtends ADR-0005-nobody\n',
      'src/a.ts': '// Governing: ADR-5-rye, ADR-0005\n',
    })
    expect(await below(root, 'ADR-0005-rye')).toEqual(['ADR-0006 extends', 'src/a.ts governed-by'])
    expect(await below(root, 'ADR-0005')).toEqual(['ADR-0007 extends', 'src/a.ts governed-by'])
    expect((await agreed(root)).told).toEqual(['duplicate-id ADR-0005'])
  })

  test('custom ids that look like numbered ones are read by number', async () => {
    const root = tempTree({
      '.specdex/config.yml':
        'graph:\n  custom:\n    dec:\n      kind: adr\n      files: ["dec/*.md"]\n      id: "ADR-{number}"\n      status: status\n',
      'dec/7-rye.md': '# Rye\n\nExtends ADR-8\n',
      'dec/8-oven.md': '# Oven\n',
      'src/a.ts': '// Governing: ADR-8\n',
      'src/b.ts': '// Governing: ADR-0008\n',
    })
    expect(await below(root, 'ADR-8')).toEqual(['ADR-7 extends', 'src/a.ts governed-by', 'src/b.ts governed-by'])
  })
})

test('a link leads into another module', async () => {
  const root = tempTree({
    'CLAUDE.md': moduleTable('| till | till |\n| shop | shop |\n'),
    '.log4brains.yml': 'project:\n  packages:\n    - {name: till, path: till, adrFolder: till/docs/adr}\n',
    'docs/adr/20240115-cash.md': '# Cash\n\n- Extends [cards](../../till/docs/adr/20240101-cards.md)\n',
    'till/docs/adr/20240101-cards.md': '# Cards\n',
    'shop/docs/adr/0001-doors.md': '# 1. Doors\n\nExtends [cards](../../../till/docs/adr/20240101-cards.md)\n',
  })
  expect(await below(root, '[till]/cards')).toEqual(['ADR:20240115-cash extends', '[shop]/ADR-0001 extends'])
  expect((await agreed(root)).told).toEqual([])
})

describe('what is typed', () => {
  const LENIENT = { 'docs/adr/0003-rye.md': '# 3. Rye\n', 'docs/adr/0030-oven.md': '# 30. Oven with 3 doors\n' }
  const STRICT = {
    'docs/adrs/ADR-0001-rye.md': '# ADR-0001: 3 kinds of rye\n',
    'docs/adrs/ADR-0003-oven.md': '# ADR-0003: Oven\n',
    'docs/adrs/ADR-0013-coal.md': '# ADR-0013: Coal\n',
    'docs/openspec/specs/a/spec.md': '# SPEC-0003: Dough\n',
    'src/plain.ts': 'export {}\n',
  }

  test.each(['ADR-003', 'adr-3', 'adr_0003', 'ADR-0003', '3'])('%s, where ids count by number', async (id) => {
    expect((await lines(tempTree(LENIENT), 'impact', id)).out[0]).toBe('ADR-0003: Rye')
  })

  test.each([
    ['3', 'ADR-0003, SPEC-0003, ADR-0001'],
    ['#13', 'ADR-0013'],
    ['ADR-003', 'ADR-0003, ADR-0001, ADR-0013'],
  ])('%s, where they do not', async (id, matches) => {
    const { out, code } = await lines(tempTree(STRICT), 'impact', id)
    expect([...out, code]).toEqual([`error: unknown artifact ${id}. Closest matches: ${matches}`, 1])
  })

  test('a source file that names no artifact is not taken for a typing error', async () => {
    const root = tempTree(STRICT)
    const note = (file: string): string =>
      `note: ${file} is a file here, but it is no artifact, and no governing comment in it names one`
    expect(await lines(root, 'ancestors', 'src/plain.ts')).toEqual({
      out: ['error: unknown artifact src/plain.ts'],
      err: [note('src/plain.ts')],
      code: 1,
    })
    expect((await lines(root, 'ancestors', 'src/plane.ts')).err).toEqual([])
  })

  test('a module that is not checked out is told', async () => {
    const root = tempTree({ ...STRICT, 'CLAUDE.md': moduleTable('| till | till |\n') })
    const { err } = await lines(root, 'orphans', '--module', 'till')
    expect(err).toEqual(['note: module till is not checked out: there is nothing in till'])
  })
})

describe('next-id', () => {
  test.each([
    [
      'a copied template',
      { 'docs/adr/0001-a.md': '# 1. A\n', 'docs/adr/0002-b.md': '# {short title}\n' },
      'adr',
      'ADR-0003',
    ],
    [
      'a file that cannot be read',
      { 'docs/adrs/ADR-0001-a.md': '# ADR-0001: A\n', 'docs/adrs/ADR-0002-b.md': Buffer.from([0x23, 0x20, 0xff]) },
      'adr',
      'ADR-0003',
    ],
    [
      'a folder of spec-kit',
      {
        'specs/001-a/spec.md': '# Feature Specification: A\n',
        'specs/002-b/spec.md': '# Feature Specification: [FEATURE NAME]\n',
        'specs/003-c/plan.md': '# Plan\n',
      },
      'spec',
      '004-',
    ],
    ['spec-kit before the first feature', { '.specify/memory/constitution.md': '# C\n' }, 'spec', '001-'],
  ])('%s takes a number', async (_, files, kind, expected) => {
    expect((await lines(tempTree(files as Record<string, string>), 'next-id', '--kind', kind)).out).toEqual([expected])
  })
})

describe('folders of artifacts behind a link out of the root', () => {
  const OUTSIDE = {
    '0001-rye.md': '# 1. Rye\n',
    'ADR-0001-rye.md': '# ADR-0001: Rye\n',
    'dough/spec.md': '# SPEC-0001: Dough\n',
  }

  test.each([
    ['docs/adr', {}],
    ['docs/adrs', {}],
    ['docs/openspec/specs', {}],
    ['docs/openspec/specs/dough', { 'docs/openspec/specs/rye/spec.md': '# SPEC-0002: Rye\n' }],
    ['.kiro/specs', {}],
    ['specs', { '.specify/memory/constitution.md': '# C\n' }],
    ['notes', { '.adr-dir': 'notes\n' }],
  ])('%s: a warning', async (folder, files) => {
    const root = tempTree({ 'README.md': '# Bakery\n', ...files })
    mkdirSync(path.dirname(path.join(root, folder)), { recursive: true })
    symlinkSync(tempTree(OUTSIDE), path.join(root, folder))
    expect((await agreed(root)).told).toEqual([`unreadable-file ${folder}`])
  })

  test('none where nothing is there', async () => {
    const root = tempTree({ 'docs/README.md': '# Docs\n' })
    symlinkSync(path.join(tempFolder(), 'gone'), path.join(root, 'docs/adr'))
    expect((await agreed(root)).told).toEqual([])
  })
})

test.each(['ADR-0001: Rye', 'ADR-0001 · Rye', 'ADR-0001 — Rye', 'ADR-0001. Rye'])(
  'the title of "# %s" is Rye',
  async (heading) => {
    const root = tempTree({ 'docs/adrs/ADR-0001-rye.md': `# ${heading}\n` })
    expect((await lines(root, 'impact', 'ADR-0001')).out[0]).toBe('ADR-0001: Rye')
  },
)

test('decisions in .markdown files are read', async () => {
  const root = tempTree({ 'docs/adr/0001-rye.markdown': '# 1. Rye\n' })
  expect((await agreed(root)).adrs).toEqual(['ADR-0001'])
})
