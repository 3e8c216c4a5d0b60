// Where artifacts and sources lie, found by looking at the disk: modules and their conventions in their order, what is
// taken for a repository of its own, and which names the two families then want.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../src/extract/fingerprint.ts'
import { findLayout, nestedIn, selectionsOf } from '../../src/indexing/layout.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import type { Layout } from '../../src/model/layout.ts'
import { initRepository } from '../support/git.ts'
import { tempTree, writeTree } from '../support/temp.ts'
import { placeAt } from './kitchen.ts'

const TABLE =
  '### Workspace Modules\n\n| Module | Path |\n|:---|:---|\n| ovens | ovens/ |\n| shop | `./shop` |\n| van | van |\n'
const SUBMODULES = '[submodule "ovens"]\n\tpath = ovens\n[submodule "far"]\n\tpath = ../far\n'

async function layoutOf(root: string): Promise<Layout> {
  return findLayout(await placeAt(root))
}

/** `name path: convention kind folder, …` of every module, and the notes. */
function shown({ modules, notes }: Layout): string[] {
  const lines = modules.map(({ name, path, present, conventions }) => {
    const uses = conventions.map((use) => `${use.name} ${use.kind} ${use.folder}`).join(', ')
    return `${name ?? '-'} ${path || '.'}: ${present ? uses : 'missing'}`
  })
  return [...lines, ...notes]
}

const SDD = 'sdd adr docs/adrs, sdd spec docs/openspec/specs'

describe('findLayout', () => {
  test('an empty folder, and none at all, are a root with the strict default', async () => {
    const root = tempTree({})
    expect(shown(await layoutOf(root))).toEqual([`- .: ${SDD}`])
    expect(shown(await layoutOf(path.join(root, 'nowhere')))).toEqual([`- .: ${SDD}`])
  })

  test('the root comes first, modules in the order of the table, missing ones with a note', async () => {
    const root = tempTree({
      'CLAUDE.md': TABLE,
      'docs/adr/0001-rye.md': '# 1. Rye\n',
      'ovens/docs/adrs/ADR-0001-wood.md': '# ADR-0001: Wood\n',
      'shop/openspec/project.md': '',
    })
    expect(shown(await layoutOf(root))).toEqual([
      '- .: adr-numbered adr docs/adr',
      `ovens ovens: ${SDD}`,
      'shop shop: openspec spec openspec/specs, openspec change openspec/changes',
      'van van: missing',
      'module van: there is no folder van',
    ])
  })

  test('.gitmodules wins over the table; paths out of the root are no modules', async () => {
    const root = tempTree({ 'CLAUDE.md': TABLE, '.gitmodules': SUBMODULES, 'ovens/x.ts': '' })
    expect(shown(await layoutOf(root))).toEqual([
      `- .: ${SDD}`,
      `ovens ovens: ${SDD}`,
      'module far is left out: ../far is no folder below the root',
    ])
  })

  test('of two modules with one name or one path the first counts', async () => {
    const rows = '| a | ovens |\n| a | shop |\n| b | ./ovens/ |\n| c | shop |\n'
    const root = tempTree({ 'CLAUDE.md': TABLE.replace(/\| ovens[\s\S]*/, rows), 'ovens/x': '', 'shop/x': '' })
    expect((await layoutOf(root)).modules.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'null ',
      'a ovens',
      'c shop',
    ])
  })

  test('folders named for one run win over those that CLAUDE.md names, and never reach into a module', async () => {
    const root = tempTree({
      'CLAUDE.md': `Architecture Decision Records are in \`plans\`.\n\n${TABLE}`,
      'plans/ADR-0001-x.md': '',
      'notes/0002-y.md': '',
      'ovens/CLAUDE.md': 'Specifications are in `recipes/`.',
    })
    const place = await placeAt(root)
    const folders = { adr: 'notes', spec: null }
    expect(shown(await findLayout(place)).slice(0, 2)).toEqual([
      '- .: sdd adr plans, sdd spec docs/openspec/specs',
      'ovens ovens: sdd adr docs/adrs, sdd spec recipes',
    ])
    expect(shown(await findLayout({ ...place, folders })).slice(0, 2)).toEqual([
      '- .: adr-numbered adr notes',
      'ovens ovens: sdd adr docs/adrs, sdd spec recipes',
    ])
  })

  test('nothing that a link leads out of the root is seen', async () => {
    const outside = tempTree({ 'CLAUDE.md': TABLE, 'docs/adr/0001-x.md': '# 1. X\n' })
    const root = tempTree({ 'ovens/x.ts': '' })
    symlinkSync(path.join(outside, 'CLAUDE.md'), path.join(root, 'CLAUDE.md'))
    symlinkSync(path.join(outside, 'docs'), path.join(root, 'docs'))
    writeFileSync(path.join(root, '.gitmodules'), '[submodule "o"]\n\tpath = out\n')
    symlinkSync(outside, path.join(root, 'out'))
    expect(shown(await layoutOf(root))).toEqual([
      `- .: ${SDD}`,
      'o out: missing',
      'module o: out leads out of the root',
    ])
  })

  test('markers that are folders, huge or no text are as good as absent', async () => {
    const root = tempTree({
      'CLAUDE.md': `${TABLE}${'x'.repeat(1024 * 1024)}`,
      '.adr-dir': Buffer.from([0xff, 0xfe, 0x00]),
    })
    mkdirSync(path.join(root, '.gitmodules'))
    mkdirSync(path.join(root, '.log4brains.yml'))
    expect(shown(await layoutOf(root))).toEqual([`- .: ${SDD}`])
  })

  test('a new decision is no new layout, a new module is one', async () => {
    const root = tempTree({ 'docs/adr/0001-rye.md': '# 1. Rye\n' })
    const prints = async (): Promise<string[]> => {
      const layout = await layoutOf(root)
      return (['docs', 'artifact', 'code'] as const).map((family) => fingerprint(family, DEFAULT_CONFIG, layout))
    }
    const before = await prints()
    writeTree(root, { 'docs/adr/0002-spelt.md': '# 2. Spelt\n', 'src/a.ts': '' })
    expect(await prints()).toEqual(before)
    writeTree(root, { 'CLAUDE.md': TABLE })
    const [docs, artifact, code] = await prints()
    expect(docs).toBe(before[0])
    expect([artifact, code]).not.toContain(before[1])
    expect([artifact, code]).not.toContain(before[2])
  })
})

test('nestedIn: modules with a git folder of their own, never the root', async () => {
  const root = initRepository(tempTree({ 'CLAUDE.md': TABLE, 'ovens/x.ts': '', 'van/x.ts': '' }))
  initRepository(path.join(root, 'shop'))
  mkdirSync(path.join(root, 'van/.git'))
  expect(nestedIn(root, await layoutOf(root))).toEqual(['shop'])
})

describe('selectionsOf', () => {
  async function selections(): Promise<ReturnType<typeof selectionsOf>> {
    const root = tempTree({
      'CLAUDE.md': TABLE.replace('| van | van |', '| van | vendor/van |\n| cart | .parts/cart |'),
      'docs/adr/0001-rye.md': '',
      '.kiro/specs/dough/requirements.md': '',
      'ovens/x': '',
      'vendor/van/docs/adrs/ADR-0001-x.md': '',
    })
    return selectionsOf(await layoutOf(root), {
      ...DEFAULT_CONFIG,
      graph: { ...DEFAULT_CONFIG.graph, sources: ['.foo', 'Recipe'] },
    })
  }

  test('artifacts: only where a convention looks, and only what it takes', async () => {
    const artifact = (await selections()).get('artifact')
    if (artifact === undefined) throw new Error('no selection')
    expect(artifact.others).toBe(false)
    expect(artifact.endings).toEqual(['.md', '.markdown'])
    expect([...artifact.roots].sort()).toEqual([
      '.kiro/specs',
      'docs/adr',
      'ovens/docs/adrs',
      'ovens/docs/openspec/specs',
      'vendor/van/docs/adrs',
      'vendor/van/docs/openspec/specs',
    ])
    const enters = [
      '',
      'docs',
      'docs/adr',
      'vendor',
      'vendor/van/docs',
      '.kiro',
      '.kiro/specs/dough',
      'src',
      'docs/adr/deep',
    ]
    expect(enters.filter(artifact.enters)).toEqual(enters.slice(0, 7))
    const folders = ['docs/adr', 'docs', 'docs/adr/deep', '.kiro/specs/dough', '.kiro/specs', 'ovens/docs/adrs']
    expect(folders.filter(artifact.folder)).toEqual(['docs/adr', '.kiro/specs/dough', 'ovens/docs/adrs'])
    const files = [
      'docs/adr/0002-x.md',
      'docs/adr/README.md',
      'ovens/docs/adrs/ADR-0001-x.md',
      'ovens/docs/adr/0002-x.md',
    ]
    expect(files.filter((key) => artifact.file?.(key))).toEqual([files[0], files[2]])
  })

  test('sources: everywhere but in what is skipped, asked of the module', async () => {
    const code = (await selections()).get('code')
    if (code === undefined) throw new Error('no selection')
    expect(code.others).toBe(true)
    expect(code.roots).toEqual([''])
    expect(code.endings).toContain('.foo')
    const folders = [
      '',
      'src',
      'docs',
      'src/docs',
      'vendor',
      'vendor/x',
      'vendor/van',
      'vendor/van/src',
      'vendor/van/docs',
      '.parts',
      '.parts/cart',
      '.parts/cart/.x',
      'ovens/docs',
      'ovens/build/x',
    ]
    expect(folders.filter(code.folder)).toEqual(['', 'src', 'src/docs', 'vendor/van', 'vendor/van/src', '.parts/cart'])
    expect(['vendor', '.parts', 'vendor/x', 'docs'].filter(code.enters)).toEqual(['vendor', '.parts'])
    const files = [
      'src/a.ts',
      'src/a.foo',
      'Recipe',
      'src/recipe',
      'src/a.txt',
      'a.min.js',
      'Makefile.am',
      '.eslintrc.js',
    ]
    expect(files.filter((key) => code.file?.(key))).toEqual([
      'src/a.ts',
      'src/a.foo',
      'Recipe',
      'src/recipe',
      'Makefile.am',
    ])
  })
})
