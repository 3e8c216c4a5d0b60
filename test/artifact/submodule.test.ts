// Modules that are repositories of their own: git of the root lists nothing inside them, so their files come by another way
// and must be proved by another way. After every change the answer from the index is the one that the files alone give.

import { rmSync } from 'node:fs'
import path from 'node:path'
import { describe, test, vi } from 'vitest'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { follow, HARBOUR, moduleTable } from './harbour.ts'

// Many steps, each with git processes of its own.
vi.setConfig({ testTimeout: 180_000 })

const ALONE = { adrs: ['ADR-0001'], specs: ['SPEC-0001'], files: ['cranes/src/chain.ts', 'src/rope.ts'] }

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
      '.gitignore': '.specdex/\n',
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
    writeTree(root, {
      ...HARBOUR,
      '.specdex/config.yml': 'roots: [.]\n',
      'CLAUDE.md': moduleTable('| books | books |\n'),
    })
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
