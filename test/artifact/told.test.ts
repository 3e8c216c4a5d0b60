// What must not happen in silence: artifacts that cannot be read, modules that are not there, refusals, scopes that match
// nothing. Real files, real git, in this process. What the words are is a matter of graph.test.ts.

import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { agreed, graph, HARBOUR, moduleTable } from './harbour.ts'

vi.setConfig({ testTimeout: 180_000 })

const TIDES = 'docs/adrs/ADR-0002-tides.md'

/** `code file` of what validate tells. */
async function told(root: string, ...words: string[]): Promise<string[]> {
  const { stdout } = await graph(root, 'validate', '--json', ...words)
  const { results } = JSON.parse(stdout) as { results: { diagnostics: Record<string, string>[] } }
  return results.diagnostics.map(({ code, file }) => `${code} ${file}`)
}

describe('a module that is not there', () => {
  const EDGES = '---\nenables: ["[cranes]/ADR-0001", "[winches]/ADR-0001"]\n---\n# ADR-0002: Tides\n'

  test.each([
    ['a row whose folder is absent', { 'CLAUDE.md': moduleTable('| cranes | lifts |\n') }],
    ['a submodule whose folder is empty', { '.gitmodules': '[submodule "cranes"]\n\tpath = lifts\n' }],
  ])('%s: a warning, and no edge', async (what, files) => {
    const root = tempTree({ ...HARBOUR, [TIDES]: EDGES, 'src/bell.ts': '// Governing: [cranes]/ADR-0001\n', ...files })
    if (what.includes('empty')) mkdirSync(path.join(root, 'lifts'))
    const { told } = await agreed(root)
    expect(told).toEqual([
      'unresolved-id ADR-0002 [winches]/ADR-0001',
      'module-not-checked-out ADR-0002 [cranes]/ADR-0001',
      'module-not-checked-out src/bell.ts [cranes]/ADR-0001',
    ])
    writeTree(root, { 'lifts/docs/adrs/ADR-0001-steam.md': '# ADR-0001: Steam\n' })
    expect((await agreed(root)).told).toEqual(['unresolved-id ADR-0002 [winches]/ADR-0001'])
  })

  test('rows that are no modules are notes of conventions', async () => {
    const rows =
      '| up | ../x |\n| a]b | cranes |\n| top | . |\n| cranes | cranes |\n| cranes | src |\n| lifts | cranes |\n'
    const { stdout } = await graph(tempTree({ ...HARBOUR, 'CLAUDE.md': moduleTable(rows) }), 'conventions')
    expect(stdout.split('\n').filter((line) => line.startsWith('note: '))).toEqual([
      'note: module up is left out: ../x is no folder below the root',
      'note: module a]b is left out: a name with brackets cannot stand in ids',
      'note: module top is left out: . is no folder below the root',
      'note: module cranes is left out: another one has that name',
      'note: module lifts is left out: module cranes lies in cranes',
    ])
  })
})

describe('artifacts that cannot be read are told of', () => {
  const LENIENT = { 'docs/adr/0001-oak.md': '# 1. Oak\n', 'src/a.ts': '' }

  test.each([
    ['strict', HARBOUR, TIDES],
    ['lenient', LENIENT, 'docs/adr/0002-ash.md'],
  ])('UTF-16, %s', async (_, files, name) => {
    const root = tempTree(files)
    writeFileSync(path.join(root, name), Buffer.from('\ufeff# 2. Ash\n', 'utf16le'))
    expect(await told(root)).toEqual([`unreadable-file ${name}`])
    expect((await graph(root, 'orphans')).stderr).toContain(`warning: ${name}: `)
  })

  test.each(['walk', 'untracked', 'tracked'])('links inside the root, by %s', async (how) => {
    const root = how === 'walk' ? tempTree(HARBOUR) : initRepository(tempFolder('harbour'), HARBOUR)
    writeTree(root, { 'drafts/tides.md': '# ADR-0002: Tides\n', 'plans/fog/spec.md': '# SPEC-0002: Fog\n' })
    symlinkSync('../../drafts/tides.md', path.join(root, TIDES))
    symlinkSync('../../../plans/fog', path.join(root, 'docs/openspec/specs/fog'))
    if (how === 'tracked') initRepository(root, {})
    expect(await told(root)).toEqual([
      'unreadable-file docs/adrs/ADR-0002-tides.md',
      'unreadable-file docs/openspec/specs/fog',
    ])
    await agreed(root)
  })

  test('a folder of artifacts that is a link', async () => {
    const root = tempTree(HARBOUR)
    renameSync(path.join(root, 'docs/adrs'), path.join(root, 'decisions'))
    symlinkSync('../decisions', path.join(root, 'docs/adrs'))
    expect(await told(root)).toContain('unreadable-file docs/adrs')
    expect((await graph(root, 'orphans')).stderr).toContain('warning: docs/adrs: a symbolic link')
  })

  test('names that are no UTF-8, of files and of folders', async () => {
    for (const root of [tempTree(HARBOUR), initRepository(tempFolder('harbour'), HARBOUR)]) {
      const odd = (before: string, after: string): Buffer =>
        Buffer.concat([Buffer.from(`${root}/${before}`), Buffer.from([0xff]), Buffer.from(after)])
      writeFileSync(odd('docs/adrs/ADR-0002-', '.md'), '# ADR-0002: Fog\n')
      mkdirSync(odd('docs/openspec/specs/', ''))
      writeFileSync(odd('docs/openspec/specs/', '/spec.md'), '# SPEC-0002: Fog\n')
      expect(await told(root)).toEqual([
        'unreadable-file docs/adrs/ADR-0002-\ufffd.md',
        'unreadable-file docs/openspec/specs/\ufffd',
      ])
      await agreed(root)
    }
  })
})

test('a refusal carries the warnings, and at most twenty of them on stderr', async () => {
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`src/m${i}.ts`, '// Governing: the tide\n']))
  const root = tempTree({ ...HARBOUR, ...many, [TIDES]: '---\nextends: [ADR-0099]\n---\n# ADR-0002: Tides\n' })
  const { code, stdout, stderr } = await graph(root, 'orphans', '--json')
  expect(code).toBe(1)
  const { error } = JSON.parse(stdout) as { error: { diagnostics: { severity: string }[] } }
  expect(error.diagnostics.map(({ severity }) => severity)).toEqual(['error', ...Array(25).fill('warning')])
  const lines = stderr.split('\n')
  expect(lines[0]).toContain('error: docs/adrs/ADR-0002-tides.md')
  expect(lines.filter((line) => line.startsWith('warning: '))).toHaveLength(21)
  expect(stderr).toContain('warning: … and 5 more')
  const allowed = await graph(root, 'orphans', '--allow-invalid')
  expect(allowed.stderr).toContain('warning: the graph has 1 error,')
})

test('a refusal says first that there are more cycles than are told', async () => {
  const ids = Array.from({ length: 8 }, (_, i) => `ADR-000${i + 1}`)
  const page = (id: string): string =>
    `---\nextends: [${ids.filter((other) => other !== id).join(', ')}]\n---\n# ${id}\n`
  const root = tempTree(Object.fromEntries(ids.map((id) => [`docs/adrs/${id}.md`, page(id)])))
  expect((await graph(root, 'orphans')).stderr).toContain('more than 1000 cycles')
})

test('validate of one module says that errors elsewhere refuse queries', async () => {
  const root = tempTree({
    ...HARBOUR,
    'CLAUDE.md': moduleTable('| cranes | cranes |\n'),
    [TIDES]: '---\nextends: [ADR-0099]\n---\n# ADR-0002: Tides\n',
  })
  const { code, stderr } = await graph(root, 'validate', '--module', 'cranes')
  expect([code, stderr]).toEqual([0, 'note: there is 1 error outside this module; queries refuse until mended\n'])
  expect((await graph(root, 'validate')).stderr).toBe('')
})

test('a wrong kind that is not there either is two diagnostics, one that is there is one', async () => {
  const root = tempTree({ ...HARBOUR, [TIDES]: '---\nextends: [SPEC-0099, SPEC-0001]\n---\n# ADR-0002: Tides\n' })
  expect((await agreed(root)).told).toEqual([
    'unresolved-id ADR-0002 SPEC-0099',
    'schema-misuse ADR-0002 SPEC-0001',
    'schema-misuse ADR-0002 SPEC-0099',
  ])
})

test('findings of the strict convention: headings and numbers, which validate does not tell', async () => {
  const root = tempTree({
    ...HARBOUR,
    [TIDES]: '# ADR-0007: Tides\n',
    'docs/adrs/ADR-0001-fog.md': '# ADR-0001: Fog\n',
  })
  const { stdout } = await graph(root, 'findings', '--json')
  const { results } = JSON.parse(stdout) as { results: unknown }
  expect(JSON.stringify(results)).toContain('the heading says 7, the name of the file says 0002')
  expect(JSON.stringify(results)).toContain('docs/adrs/ADR-0001-fog.md, docs/adrs/ADR-0001-tide-bell.md')
  expect(await told(root)).toEqual(['duplicate-id docs/adrs/ADR-0001-tide-bell.md'])
})

test('a title that is underlined', async () => {
  const root = tempTree({
    'docs/adrs/ADR-0001-rye.md': 'ADR-0001: Rye\n=============\n',
    'docs/openspec/specs/dough/spec.md':
      '---\nstatus: draft\n---\n\nSPEC-0001: Dough\n===\n\n```\nSPEC-0002: No\n===\n```\n',
  })
  expect((await graph(root, 'orphans', '--json')).stdout).toContain('"SPEC-0001"')
  expect((await graph(root, 'impact', 'ADR-0001')).stdout).toContain('Rye')
  expect(await told(root)).toEqual([])
})

test('scopes: absolute ones below the root work, and what matches nothing is told', async () => {
  const root = tempTree(HARBOUR)
  const asked = (scope: string): ReturnType<typeof graph> => graph(root, 'orphans', '--json', '--scope', scope)
  expect(await asked(path.join(root, 'src'))).toEqual(await asked('src'))
  expect((await asked('src')).stderr).toBe('')
  for (const scope of ['sources', '../elsewhere', '/nowhere/else']) {
    const { code, stderr } = await asked(scope)
    expect([code, stderr]).toEqual([0, `warning: --scope ${scope} matches no folder or file below the root\n`])
  }
})

test('a folder of ADRs or specs that is none is refused', async () => {
  const root = tempTree(HARBOUR)
  for (const flag of ['--adr-dir', '--spec-dir']) {
    expect(await graph(root, 'validate', flag, 'nowhere')).toMatchObject({
      code: 2,
      stderr: 'error: there is no folder nowhere\n',
    })
    expect(await graph(root, 'validate', flag, 'src/bell.ts')).toMatchObject({ code: 2 })
  }
})
