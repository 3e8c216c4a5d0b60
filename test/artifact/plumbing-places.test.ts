// More of what may change under the index: the configuration, what tells a convention, names of any kind, folders
// named for one run; and when the proof may take the short way. As in plumbing.test.ts the answer from the index must
// always be the one that the files alone give.

import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Family } from '../../src/model/families.ts'
import { parseStamp } from '../../src/scan/stamp.ts'
import { pause, runIndex, runQuery } from '../indexing/kitchen.ts'
import { initRepository } from '../support/git.ts'
import { runHere } from '../support/run-here.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { agreed, follow, graph, HARBOUR, moduleTable, verified } from './harbour.ts'

// Many steps, each with git processes of its own.
vi.setConfig({ testTimeout: 180_000 })

/** A step that writes one file. */
function say(root: string, file: string, text: string): () => void {
  return () => void writeTree(root, { [file]: text })
}

describe('what tells a convention', () => {
  test('the configuration: pinned, of the user’s own, and changed', async () => {
    const root = tempTree({
      ...HARBOUR,
      'plans/0004-buoys.md': '# 4. Buoys\n',
      'rules/r7.md': '# Rule seven\n\nOn top of: RULE-8\n',
    })
    const config = (text: string): (() => void) => say(root, '.specdex/config.yml', `graph:\n${text}`)
    const custom = (edges: string): (() => void) =>
      config(`  custom:\n    house:\n      kind: adr\n      files: [rules/*.md]\n      id: RULE-{number}\n${edges}`)
    await follow(root, [
      [() => {}, { adrs: ['ADR-0001'], specs: ['SPEC-0001'] }],
      [config('  conventions: ["adr-numbered:plans"]\n'), { adrs: ['ADR-0004'], specs: [] }],
      [config('  conventions: [sdd]\n'), { adrs: ['ADR-0001'], specs: ['SPEC-0001'] }],
      [custom(''), { adrs: ['ADR-0001', 'RULE-7'], told: [] }],
      [
        custom('      edges: { on top of: extends }\n'),
        { adrs: ['ADR-0001', 'RULE-7'], told: ['unresolved-reference RULE-7 RULE-8'] },
      ],
      [() => rmSync(path.join(root, '.specdex/config.yml')), { adrs: ['ADR-0001'], specs: ['SPEC-0001'], told: [] }],
    ])
  })

  test('marker files and folders that come and go', async () => {
    const root = tempTree({
      'src/a.ts': '// Governing: ADR-0001\n',
      'notes/20240101-nets.md': '# Nets\n\n- Status: accepted\n',
      'specs/tides/spec.md': '# Feature Specification: Tides\n',
    })
    const gone =
      (name: string): (() => void) =>
      () =>
        rmSync(path.join(root, name), { recursive: true })
    await follow(root, [
      [() => {}, { adrs: [], specs: [], nodes: 1 }],
      [say(root, 'openspec/specs/lamps/spec.md', '# Lamps Specification\n'), { specs: ['SPEC:lamps'] }],
      [say(root, '.specify/memory/constitution.md', ''), { specs: ['SPEC:lamps', 'SPEC:tides'] }],
      [say(root, '.log4brains.yml', 'project:\n  adrFolder: ./notes\n'), { adrs: ['ADR:20240101-nets'] }],
      [
        say(root, '.kiro/specs/boats/requirements.md', '# Boats\n'),
        { specs: ['SPEC:boats', 'SPEC:lamps', 'SPEC:tides'] },
      ],
      [gone('openspec'), { specs: ['SPEC:boats', 'SPEC:tides'] }],
      [say(root, '.log4brains.yml', 'project:\n  adrFolder: ./elsewhere\n'), { adrs: [] }],
      [say(root, '.log4brains.yml', '{'), { adrs: [] }],
      [gone('.kiro'), { specs: ['SPEC:tides'] }],
      [gone('.specify'), { specs: [] }],
    ])
  })

  test('line ends and a byte order mark in CLAUDE.md, .gitmodules and .adr-dir', async () => {
    const root = tempTree({ ...HARBOUR, 'plans/ADR-0004-buoys.md': '# ADR-0004: Buoys\n' })
    const windows = (text: string): string => `\ufeff${text.replaceAll('\n', '\r\n')}`
    await follow(root, [
      [
        say(root, 'CLAUDE.md', windows(moduleTable('| cranes | cranes |\n'))),
        { adrs: ['ADR-0001', '[cranes]/ADR-0001'] },
      ],
      [say(root, 'CLAUDE.md', windows('Architecture Decision Records are in plans/.\n')), { adrs: ['ADR-0004'] }],
      [
        say(root, '.gitmodules', windows('[submodule "lifts"]\n\tpath = cranes\n')),
        { adrs: ['ADR-0004', '[lifts]/ADR-0001'] },
      ],
    ])
  })
})

test('folders named for one run leave the index as it is', async () => {
  const root = tempTree({ ...HARBOUR, 'plans/ADR-0004-buoys.md': '# ADR-0004: Buoys\n' })
  const before = await agreed(root)
  const { stdout } = await graph(root, 'orphans', '--json', '--adr-dir', 'plans')
  expect(stdout).toContain('ADR-0004')
  expect(await graph(root, 'orphans', '--adr-dir', '../plans')).toMatchObject({ code: 2 })
  expect(await agreed(root)).toEqual(before)
  await verified(root)
})

test('names of any kind', async () => {
  const names = [
    'a b.ts',
    'a|b.ts',
    'a"b.ts',
    "a'b.ts",
    'a\\b.ts',
    'höhe.ts',
    'a*b.ts',
    ':(top)x.ts',
    '-n.ts',
    'zeile\n2.ts',
    '💡.ts',
  ]
  for (const root of [tempTree(HARBOUR), initRepository(tempFolder('harbour'), HARBOUR)]) {
    writeTree(root, Object.fromEntries(names.map((name) => [`src/${name}`, 'export const x = 1\n'])))
    writeTree(root, Object.fromEntries(names.map((name) => [`${name}.d/named.ts`, '// Governing: ADR-0001\n'])))
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/src/`), Buffer.from([0xff, 0xfe]), Buffer.from('.ts')]),
      '// Governing: x\n',
    )
    const { files, nodes, told } = await agreed(root)
    expect(files).toEqual([...names.map((name) => `src/${name}`), 'cranes/src/chain.ts', 'src/rope.ts'].sort())
    expect({ nodes, told }).toEqual({ nodes: 4 + names.length, told: [] })
    await verified(root)
  }
})

test('families that are switched off leave the others their answers, and come back whole', async () => {
  const root = tempTree(HARBOUR)
  const before = await agreed(root)
  writeTree(root, { '.specdex/config.yml': 'families: [spec, docs]\n' })
  expect(await graph(root, 'validate')).toMatchObject({ code: 2 })
  expect(await runHere(['index', '--verify', '--quiet'], { cwd: root })).toMatchObject({ code: 0 })
  writeTree(root, { '.specdex/config.yml': 'families: [docs, artifact]\n' })
  expect(await graph(root, 'validate')).toMatchObject({ code: 2 })
  rmSync(path.join(root, '.specdex/config.yml'))
  expect(await agreed(root)).toEqual(before)
  await verified(root)
})

describe('the short way, in a repository of more than a thousand files', () => {
  /** An indexed harbour in which nothing has changed since. `ignored`: git is told not to look into .specdex. */
  async function large(ignored: boolean): Promise<string> {
    const root = initRepository(tempFolder('harbour'), {
      ...HARBOUR,
      ...(ignored ? { '.gitignore': '.specdex/\n' } : {}),
      ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`logs/${i}.txt`, ''])),
    })
    await runIndex(root)
    await pause()
    await runIndex(root)
    return root
  }
  const DOCUMENTS = ['spec', 'docs'] as const
  const GRAPH = ['artifact', 'code'] as const

  /** Of each family the tracked files that the next proof looks at; null where it reads git's index. */
  async function looksAt(root: string, families: readonly Family[]): Promise<(readonly string[] | null)[]> {
    const { plan } = await runQuery(root, families)
    return families.map((family) => parseStamp(plan?.stamps.get(family) ?? undefined)?.others ?? null)
  }

  test('a changed source file is looked at by its family alone', async () => {
    const root = await large(true)
    expect([await looksAt(root, DOCUMENTS), await looksAt(root, GRAPH)]).toEqual([
      [[], []],
      [[], []],
    ])
    writeTree(root, { 'src/rope.ts': '// Governing: SPEC-0001\n' })
    expect(await agreed(root)).toMatchObject({ specs: [] })
    await runIndex(root)
    expect([await looksAt(root, DOCUMENTS), await looksAt(root, GRAPH)]).toEqual([
      [[], []],
      [[], ['src/rope.ts']],
    ])
    expect(await agreed(root)).toMatchObject({ specs: [] })
  })

  test.each([
    ['a changed', 'logs/7.txt'],
    ['a new', 'logs/new.txt'],
  ])('%s file that is neither leaves all theirs', async (_, file) => {
    const root = await large(true)
    writeTree(root, { [file]: 'Fog.\n' })
    await runIndex(root)
    expect([await looksAt(root, DOCUMENTS), await looksAt(root, GRAPH)]).toEqual([
      [[], []],
      [[], []],
    ])
  })
})
