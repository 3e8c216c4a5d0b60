// What decides where artifacts and sources lie can change under the index: CLAUDE.md, .gitmodules, .gitignore, .adr-dir,
// folders of modules that come and go (real submodules have a file of their own). After every change the answer from the index is the one that the files alone give, and the
// index is row for row one built from nothing. Which file is listed at all is asked here too, by git and by walk.

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { effort } from '../support/effort.ts'
import { initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { follow, graph, HARBOUR, moduleTable } from './harbour.ts'

// Many steps, each with git processes of its own.
vi.setConfig({ testTimeout: 180_000 })

const PLACES: readonly (readonly [string, () => string])[] = [
  ['in a plain folder', () => tempTree(HARBOUR, 'harbour')],
  ['in a repository', () => initRepository(tempFolder('harbour'), HARBOUR)],
]

const ALONE = { adrs: ['ADR-0001'], specs: ['SPEC-0001'], files: ['cranes/src/chain.ts', 'src/rope.ts'] }
const CRANES = {
  adrs: ['ADR-0001', '[cranes]/ADR-0001'],
  specs: ['SPEC-0001'],
  files: ['[cranes]/src/chain.ts', 'src/rope.ts'],
}

describe.each(PLACES)('%s', (_, make) => {
  test('the module table of CLAUDE.md', async () => {
    const root = make()
    const say = (text: string) => () => void writeTree(root, { 'CLAUDE.md': text })
    await follow(root, [
      [() => {}, { ...ALONE, nodes: 4 }],
      [say(moduleTable('| cranes | `cranes/` |\n')), { ...CRANES, nodes: 5, told: [] }],
      [say(moduleTable('| lifts | ./cranes |\n')), { adrs: ['ADR-0001', '[lifts]/ADR-0001'], nodes: 5 }],
      // The folder is there and holds neither artifacts nor a declaration.
      [
        say(moduleTable('| lifts | cranes/src |\n')),
        { adrs: ['ADR-0001'], files: ['[lifts]/chain.ts', 'src/rope.ts'] },
      ],
      [say(moduleTable('| lifts | lifts |\n')), { ...ALONE, nodes: 4 }],
      [say('# Harbour\n'), ALONE],
      [say(moduleTable('| cranes | cranes |\n')), CRANES],
      [() => rmSync(path.join(root, 'CLAUDE.md')), ALONE],
    ])
  })

  test('.gitignore, at the top and further down', async () => {
    const root = make()
    const ignore =
      (text: string, dir = '') =>
      () =>
        void writeTree(root, { [`${dir}.gitignore`]: text })
    // Git lists what it tracks, whatever is ignored, so these are files that nobody has added.
    writeTree(root, {
      'src/made/tides.ts': 'export const t = 1\n',
      'docs/adrs/ADR-0009-draft.md': '# ADR-0009: Draft\n',
    })
    const base = ['cranes/src/chain.ts']
    await follow(root, [
      [() => {}, { adrs: ['ADR-0001', 'ADR-0009'], files: [...base, 'src/made/tides.ts', 'src/rope.ts'] }],
      [ignore('made/\n'), { adrs: ['ADR-0001', 'ADR-0009'], files: [...base, 'src/rope.ts'] }],
      [ignore('*-draft.md\n'), { adrs: ['ADR-0001'], files: [...base, 'src/made/tides.ts', 'src/rope.ts'] }],
      [ignore('*.ts\n', 'src/made/'), { adrs: ['ADR-0001'], files: [...base, 'src/rope.ts'] }],
      [ignore('*-draft.md\n!*.ts\n'), { files: [...base, 'src/rope.ts'] }],
      [() => rmSync(path.join(root, 'src/made/.gitignore')), { files: [...base, 'src/made/tides.ts', 'src/rope.ts'] }],
      [() => rmSync(path.join(root, '.gitignore')), { adrs: ['ADR-0001', 'ADR-0009'] }],
    ])
  })

  test('a module below folders that are otherwise skipped, and another module inside it', async () => {
    const root = make()
    writeTree(root, {
      'vendor/lib/docs/adrs/ADR-0007-sails.md': '# ADR-0007: Sails\n',
      'vendor/lib/src/sail.ts': '// Governing: ADR-0007\n',
      'vendor/lib/docs/page.ts': '// not source: docs at the top of the module\n',
      'vendor/lib/inner/src/mast.ts': '// Governing: [lib]/ADR-0007\n',
      'vendor/other/src/oar.ts': 'export const oar = 1\n',
      '.parts/hull/src/keel.ts': 'export const keel = 1\n',
      'CLAUDE.md': moduleTable('| lib | vendor/lib |\n| inner | vendor/lib/inner |\n| hull | .parts/hull |\n'),
    })
    await follow(root, [
      [
        () => {},
        {
          adrs: ['ADR-0001', '[lib]/ADR-0007'],
          files: ['[hull]/src/keel.ts', 'cranes/src/chain.ts', 'src/rope.ts'],
          nodes: 7,
          told: [],
        },
      ],
      [() => rmSync(path.join(root, 'CLAUDE.md')), ALONE],
    ])
    const { code } = await graph(root, 'impact', '[lib]/ADR-0007')
    expect(code).toBe(1)
  })

  test('a missing checkout is harmless, and noticed when it comes', async () => {
    const root = make()
    writeTree(root, { 'CLAUDE.md': moduleTable('| cranes | away |\n| boats | boats |\n') })
    await follow(root, [
      [() => {}, ALONE],
      [() => void mkdirSync(path.join(root, 'away')), ALONE],
      [() => rmSync(path.join(root, 'away'), { recursive: true }), ALONE],
      [
        () => renameSync(path.join(root, 'cranes'), path.join(root, 'away')),
        { ...CRANES, files: ['[cranes]/src/chain.ts', 'src/rope.ts'] },
      ],
    ])
    const { stdout } = await graph(root, 'conventions')
    expect(stdout).toContain('note: module boats: there is no folder boats\n')
    expect(await graph(root, 'impact', 'ADR-0001', '--module', 'boats')).toMatchObject({ code: 1 })
    expect(await graph(root, 'impact', 'ADR-0001', '--module', 'ships')).toMatchObject({ code: 2 })
  })

  test('links out of the root are not followed, whatever they are named', async () => {
    const root = make()
    const outside = tempTree({
      'a.md': '# ADR-0005: Elsewhere\n',
      'a.ts': '// Governing: ADR-0001\n',
      'adrs/ADR-0006-x.md': '# ADR-0006: X\n',
    })
    const link = (to: string, from: string): void => {
      mkdirSync(path.dirname(path.join(root, from)), { recursive: true })
      symlinkSync(to, path.join(root, from))
    }
    await follow(root, [
      [() => link(path.join(outside, 'a.ts'), 'src/away.ts'), { ...ALONE, nodes: 4, told: [] }],
      [
        () => link(path.join(outside, 'a.md'), 'docs/adrs/ADR-0005-away.md'),
        { adrs: ['ADR-0001'], told: ['unreadable-file ADR-0005'] },
      ],
      [() => rmSync(path.join(root, 'docs/adrs/ADR-0005-away.md')), ALONE],
      [() => link(outside, 'cranes/out'), ALONE],
      [() => writeFileSync(path.join(root, 'CLAUDE.md'), moduleTable('| out | cranes/out |\n')), ALONE],
      [
        () => {
          rmSync(path.join(root, 'CLAUDE.md'))
          rmSync(path.join(root, 'docs/adrs'), { recursive: true })
          link(path.join(outside, 'adrs'), 'docs/adrs')
        },
        { adrs: [] },
      ],
      // A link to a file of the root is no second artifact, and one to itself is nothing.
      [
        () => {
          link('bell.ts', 'src/second.ts')
          link('loop.ts', 'src/loop.ts')
        },
        { files: ALONE.files },
      ],
    ])
  })
})

// What files say matters more here than who lists them: `npm test` asks without git, the long run both ways.
describe.each(PLACES.slice(0, effort(1, 2)))('%s', (_, make) => {
  test('the two sentences of CLAUDE.md, of the root and of a module', async () => {
    const root = make()
    writeTree(root, {
      'plans/decisions/ADR-0002-lamps.md': '# ADR-0002: Lamps on every quay\n',
      'plans/specs/lamps/spec.md': '# SPEC-0002: Lamps\n',
      'cranes/rules/ADR-0003-oil.md': '# ADR-0003: Oil once a week\n',
    })
    const here = 'Architecture Decision Records are in `plans/decisions`.\n'
    const say = (file: string, text: string) => () => void writeTree(root, { [file]: text })
    await follow(root, [
      [() => {}, { adrs: ['ADR-0001'], specs: ['SPEC-0001'] }],
      [
        say('CLAUDE.md', here),
        {
          adrs: ['ADR-0002'],
          specs: ['SPEC-0001'],
          told: ['governing-unresolved cranes/src/hook.ts ADR-0001', 'governing-unresolved src/bell.ts ADR-0001'],
        },
      ],
      [
        say('CLAUDE.md', `${here}\nSpecifications are in plans/specs/.\n`),
        { adrs: ['ADR-0002'], specs: ['SPEC-0002'] },
      ],
      [say('CLAUDE.md', moduleTable('| cranes | cranes |\n')), CRANES],
      [
        say('cranes/CLAUDE.md', 'Architecture Decision Records are in `rules`.\n'),
        {
          adrs: ['ADR-0001', '[cranes]/ADR-0003'],
          told: ['governing-unresolved [cranes]/src/hook.ts [cranes]/ADR-0001'],
        },
      ],
      [() => rmSync(path.join(root, 'cranes/CLAUDE.md')), CRANES],
    ])
  })

  test('.adr-dir', async () => {
    const root = make()
    rmSync(path.join(root, 'docs/adrs'), { recursive: true })
    writeTree(root, {
      'plans/0004-buoys.md': '# 4. Buoys\n',
      'notes/0005-nets.md': '# 5. Nets\n',
      'doc/adr/0006-gulls.md': '# 6. Gulls\n',
    })
    const point = (folder: string) => () => void writeTree(root, { '.adr-dir': `${folder}\n` })
    await follow(root, [
      [() => {}, { adrs: ['ADR-0006'] }],
      [point('plans'), { adrs: ['ADR-0004'] }],
      [point('notes/'), { adrs: ['ADR-0005'] }],
      [point('nowhere'), { adrs: [] }],
      [point('../outside'), { adrs: ['ADR-0006'] }],
      [() => rmSync(path.join(root, '.adr-dir')), { adrs: ['ADR-0006'] }],
    ])
  })

  test('.gitmodules, which wins over the table', async () => {
    const root = make()
    const say = (text: string) => () => void writeTree(root, { '.gitmodules': text })
    writeTree(root, { 'CLAUDE.md': moduleTable('| lifts | cranes |\n') })
    await follow(root, [
      [() => {}, { adrs: ['ADR-0001', '[lifts]/ADR-0001'] }],
      [say('[submodule "cranes"]\n\tpath = cranes\n\turl = ../cranes\n'), CRANES],
      [say('[submodule "quays"]\n\tpath = quays\n'), { ...ALONE, adrs: ['ADR-0001'] }],
      [say('[submodule "broken\n'), { adrs: ['ADR-0001', '[lifts]/ADR-0001'] }],
      [() => rmSync(path.join(root, '.gitmodules')), { adrs: ['ADR-0001', '[lifts]/ADR-0001'] }],
    ])
  })

  test('source files of every kind', async () => {
    const root = make()
    writeTree(root, {
      '.specdex/config.yml': 'limits:\n  file_bytes: 2000\n',
      '.gitignore': 'made.ts\n',
      'src/made.ts': '// Governing: ADR-0001\n',
      'src/empty.ts': '',
      'src/binary.ts': Buffer.from('// Governing: ADR-0001\n\0\0'),
      'src/huge.ts': `// Governing: ADR-0001\n${'x'.repeat(2000)}\n`,
      'src/latin.ts': Buffer.from('// Governing: ADR-0001 (f\xfcr B\xf6te)\n', 'latin1'),
      'src/latin-bare.ts': Buffer.from('// M\xf6wen\n', 'latin1'),
      'src/odd.sql': '-- Governing: ADR-0001\n',
      'src/issue.ts': '// Governing: #24\n',
      'src/word.ts': "export const text = 'Governing: ADR-0001'\n",
      'src/notes.txt': '// Governing: ADR-0001\n',
      Dockerfile: '# Governing: ADR-0001\n',
    })
    await follow(root, [
      [
        () => {},
        {
          files: ['cranes/src/chain.ts', 'src/latin-bare.ts', 'src/rope.ts', 'src/word.ts'],
          unread: ['src/issue.ts', 'src/odd.sql'],
          told: ['governing-unrecognized src/issue.ts', 'governing-unrecognized src/odd.sql'],
          // The ADR, the spec, bell and hook, the Dockerfile and the file in Latin-1.
          nodes: 6,
        },
      ],
      [
        () => void writeTree(root, { '.specdex/config.yml': 'graph:\n  openers: ["--"]\n' }),
        { nodes: 8, unread: ['src/issue.ts'] },
      ],
      [
        () => void writeTree(root, { '.specdex/config.yml': 'graph:\n  sources: [.txt]\n' }),
        { nodes: 8, unread: ['src/issue.ts', 'src/odd.sql'] },
      ],
      // A marker comes and goes.
      [() => void writeTree(root, { 'src/rope.ts': '/* Governing: SPEC-0001 */\n' }), { specs: [] }],
      [() => void writeTree(root, { 'src/rope.ts': 'export const rope = 2\n' }), { specs: ['SPEC-0001'] }],
    ])
    const { stdout } = await graph(root, 'impact', 'ADR-0001')
    expect(stdout).toContain('src/latin.ts\n')
    expect(stdout).not.toMatch(/made|binary|word/)
  })

  test('an artifact that is no UTF-8 is told of, and heals', async () => {
    const root = make()
    const bad = Buffer.from('# ADR-0002: F\xfcr B\xf6te\n', 'latin1')
    await follow(root, [
      [
        () => void writeTree(root, { 'docs/adrs/ADR-0002-boats.md': bad }),
        { adrs: ['ADR-0001'], told: ['unreadable-file ADR-0002'] },
      ],
      [
        () => void writeTree(root, { 'docs/adrs/ADR-0002-boats.md': '# ADR-0002: Für Böte\n' }),
        { adrs: ['ADR-0001', 'ADR-0002'], told: [] },
      ],
      [
        () => void writeTree(root, { 'docs/openspec/specs/berths/spec.md': bad }),
        { specs: [], told: ['unreadable-file docs/openspec/specs/berths/spec.md'] },
      ],
    ])
  })
})
