// What decides where artifacts and sources lie can change under the index: CLAUDE.md, .gitmodules, .gitignore, .adr-dir,
// submodules that come and go. After every change the answer from the index is the one that the files alone give, and the
// index is row for row one built from nothing. Which file is listed at all is asked here too, by git and by walk.

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { git, initRepository } from '../support/git.ts'
import { runHere } from '../support/run-here.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { agreed, graph, HARBOUR, type Harbour, verified } from './harbour.ts'

const PLACES: readonly (readonly [string, () => string])[] = [
  ['in a repository', () => initRepository(tempFolder('harbour'), HARBOUR)],
  ['in a plain folder', () => tempTree(HARBOUR, 'harbour')],
]

const TABLE = (rows: string): string => `# Harbour\n\n### Workspace Modules\n\n| Module | Path |\n|---|---|\n${rows}`
const ALONE = { adrs: ['ADR-0001'], specs: ['SPEC-0001'], files: ['cranes/src/chain.ts', 'src/rope.ts'] }
const CRANES = {
  adrs: ['ADR-0001', '[cranes]/ADR-0001'],
  specs: ['SPEC-0001'],
  files: ['[cranes]/src/chain.ts', 'src/rope.ts'],
}

/** One edit after the other: the answer agrees with the files, says what is expected, and the index holds no more. */
async function follow(
  root: string,
  steps: readonly (readonly [edit: () => void, expected: Partial<Harbour>])[],
): Promise<void> {
  for (const [i, [edit, expected]] of steps.entries()) {
    edit()
    expect({ step: i, ...(await agreed(root)) }).toMatchObject({ step: i, ...expected })
    await verified(root)
  }
}

describe.each(PLACES)('%s', (_, make) => {
  test('the module table of CLAUDE.md', async () => {
    const root = make()
    const say = (text: string) => () => void writeTree(root, { 'CLAUDE.md': text })
    await follow(root, [
      [() => {}, { ...ALONE, nodes: 4 }],
      [say(TABLE('| cranes | `cranes/` |\n')), { ...CRANES, nodes: 5, told: [] }],
      [say(TABLE('| lifts | ./cranes |\n')), { adrs: ['ADR-0001', '[lifts]/ADR-0001'], nodes: 5 }],
      // The folder is there and holds neither artifacts nor a declaration.
      [say(TABLE('| lifts | cranes/src |\n')), { adrs: ['ADR-0001'], files: ['[lifts]/chain.ts', 'src/rope.ts'] }],
      [say(TABLE('| lifts | lifts |\n')), { ...ALONE, nodes: 4 }],
      [say('# Harbour\n'), ALONE],
      [say(TABLE('| cranes | cranes |\n')), CRANES],
      [() => rmSync(path.join(root, 'CLAUDE.md')), ALONE],
    ])
  })

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
      [say('CLAUDE.md', TABLE('| cranes | cranes |\n')), CRANES],
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
    writeTree(root, { 'CLAUDE.md': TABLE('| lifts | cranes |\n') })
    await follow(root, [
      [() => {}, { adrs: ['ADR-0001', '[lifts]/ADR-0001'] }],
      [say('[submodule "cranes"]\n\tpath = cranes\n\turl = ../cranes\n'), CRANES],
      [say('[submodule "quays"]\n\tpath = quays\n'), { ...ALONE, adrs: ['ADR-0001'] }],
      [say('[submodule "broken\n'), { adrs: ['ADR-0001', '[lifts]/ADR-0001'] }],
      [() => rmSync(path.join(root, '.gitmodules')), { adrs: ['ADR-0001', '[lifts]/ADR-0001'] }],
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
      'CLAUDE.md': TABLE('| lib | vendor/lib |\n| inner | vendor/lib/inner |\n| hull | .parts/hull |\n'),
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
    writeTree(root, { 'CLAUDE.md': TABLE('| cranes | away |\n| boats | boats |\n') })
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
      [() => writeFileSync(path.join(root, 'CLAUDE.md'), TABLE('| out | cranes/out |\n')), ALONE],
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

describe('a real submodule', () => {
  /** A library with a history of its own. */
  function library(): string {
    return initRepository(tempFolder('library'), {
      'docs/adrs/ADR-0001-shelves.md': '# ADR-0001: Shelves of oak\n',
      'src/shelf.ts': '// Governing: ADR-0001\n',
      'src/step.ts': 'export const step = 1\n',
      '.gitignore': 'made/\n',
      'made/list.ts': 'export const n = 1\n',
    })
  }

  test('is indexed, edited, removed', async () => {
    const root = initRepository(tempFolder('harbour'), HARBOUR)
    const from = library()
    const LIB = {
      adrs: ['ADR-0001', '[vendor/books.js]/ADR-0001'],
      files: [...ALONE.files, '[vendor/books.js]/src/step.ts'].sort(),
    }
    const inside = path.join(root, 'vendor/books.js')
    await follow(root, [
      [() => {}, { ...ALONE, nodes: 4 }],
      [() => void git(root, ['submodule', '--quiet', 'add', from, 'vendor/books.js']), { ...LIB, nodes: 6 }],
      [() => void git(root, ['commit', '--quiet', '--message', 'Books']), { ...LIB, nodes: 6 }],
      [
        () => void writeTree(inside, { 'src/step.ts': '// Governing: [x]/ADR-0001, ADR-0001\n' }),
        { nodes: 7, told: ['governing-unresolved [vendor/books.js]/src/step.ts [x]/ADR-0001'] },
      ],
      [
        () => void writeTree(inside, { 'docs/adrs/ADR-0002-ladders.md': '# ADR-0002: Ladders\n', 'made/more.ts': '' }),
        { nodes: 8 },
      ],
      [() => rmSync(path.join(inside, 'src/shelf.ts')), { nodes: 7 }],
      [() => void git(inside, ['checkout', '--quiet', '--', '.']), { nodes: 7, files: LIB.files }],
      [() => void git(root, ['submodule', '--quiet', 'deinit', '--force', 'vendor/books.js']), { ...ALONE, nodes: 4 }],
      [() => void git(root, ['submodule', '--quiet', 'update', '--init']), { ...LIB, nodes: 6 }],
      [() => void git(root, ['rm', '--quiet', '--force', 'vendor/books.js']), { ...ALONE, nodes: 4 }],
    ])
  })

  test('that is checked out in a large repository after the index was made', async () => {
    const root = initRepository(tempFolder('harbour'), {
      ...HARBOUR,
      // From a thousand tracked files on, an unchanged index of git proves that nothing changed.
      ...Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`logs/${i}.txt`, ''])),
    })
    git(root, ['submodule', '--quiet', 'add', library(), 'books'])
    git(root, ['commit', '--quiet', '--message', 'Books'])
    git(root, ['submodule', '--quiet', 'deinit', '--force', 'books'])
    await follow(root, [
      [() => {}, { ...ALONE, nodes: 4 }],
      [
        () => void git(root, ['submodule', '--quiet', 'update', '--init']),
        { adrs: ['ADR-0001', '[books]/ADR-0001'], nodes: 6 },
      ],
      [() => void git(root, ['submodule', '--quiet', 'deinit', '--force', 'books']), { ...ALONE, nodes: 4 }],
    ])
  })

  test('below a root that is itself a folder of a repository', async () => {
    const top = initRepository(tempFolder('coast'), { 'README.md': '# Coast\n' })
    const root = path.join(top, 'harbour')
    writeTree(root, { ...HARBOUR, 'CLAUDE.md': TABLE('| books | books |\n') })
    git(top, ['clone', '--quiet', library(), path.join(root, 'books')])
    await follow(root, [
      [() => {}, { adrs: ['ADR-0001', '[books]/ADR-0001'], nodes: 6 }],
      [
        () => rmSync(path.join(root, 'books/.git'), { recursive: true }),
        { adrs: ['ADR-0001', '[books]/ADR-0001'], nodes: 6 },
      ],
    ])
  })
})

test('a problem in one family leaves the others their answers', async () => {
  const root = tempTree({ ...HARBOUR, '.specdex/config.yml': 'families: [spec, docs]\n' })
  expect(await graph(root, 'validate')).toMatchObject({ code: 1 })
  expect(await runHere(['index', '--verify', '--quiet'], { cwd: root })).toMatchObject({ code: 0 })
})
