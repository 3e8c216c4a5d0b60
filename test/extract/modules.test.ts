// What a repository says of its modules and folders: `.gitmodules`, the table and the sentences of CLAUDE.md.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { declaredFolders, gitModules, insidePath, workspaceModules } from '../../src/extract/modules.ts'
import { effort } from '../support/effort.ts'
import { shared } from '../support/shared.ts'

const lines = (...all: string[]): string => all.join('\n')

describe('.gitmodules', () => {
  test('names and paths, in order', () => {
    const text = lines(
      '[submodule "quay"]',
      '\tpath = sites/quay',
      '\turl = ../quay.git',
      '[submodule "libs/rope"]',
      '  url = x',
      '  path=libs/rope/',
    )
    expect(gitModules(text)).toEqual([
      { name: 'quay', path: 'sites/quay' },
      { name: 'libs/rope', path: 'libs/rope' },
    ])
  })

  test.each([
    ['quotes and a comment', '[submodule "a"]\npath = "sites/a b" # here', [{ name: 'a', path: 'sites/a b' }]],
    ['an escaped quote in a name', '[submodule "a\\"b"]\npath = x', [{ name: 'a"b', path: 'x' }]],
    ['CRLF and a byte-order mark', '\ufeff[submodule "a"]\r\n\tpath = ./x//y/\r\n', [{ name: 'a', path: 'x/y' }]],
    ['the last path counts', '[submodule "a"]\npath = x\npath = y', [{ name: 'a', path: 'y' }]],
    ['another section', '[remote "a"]\npath = x', []],
    ['a path before any section', 'path = x', []],
    ['no path', '[submodule "a"]\nurl = x', []],
    ['a path that climbs out', '[submodule "a"]\npath = ../x', []],
    ['an absolute path', '[submodule "a"]\npath = /x', []],
    ['the root itself', '[submodule "a"]\npath = .', []],
    ['brackets in a name', '[submodule "a]b"]\npath = x', []],
    ['nothing', '', []],
  ])('%s', (_, text, modules) => {
    expect(gitModules(text)).toEqual(modules)
  })
})

describe('the table of CLAUDE.md', () => {
  test.each([
    [
      'back-ticks, alignment marks, slashes',
      lines(
        '### Workspace Modules',
        '',
        '| Module | Root |',
        '|:---|:-:|',
        '| `quay` | `./sites/quay/` |',
        '|rope|libs/rope|',
      ),
      ['quay sites/quay', 'rope libs/rope'],
    ],
    [
      'a link as a cell',
      lines('### Workspace Modules', '|M|R|', '|-|-|', '| [quay](sites/quay) | sites/quay |'),
      ['quay sites/quay'],
    ],
    ['further columns', lines('### Workspace Modules', '|M|R|D|', '|-|-|-|', '|a|b|c|'), ['a b']],
    ['another level', lines('## Workspace Modules', '|M|R|', '|-|-|', '|a|b|'), []],
    ['another wording', lines('### Workspace modules', '|M|R|', '|-|-|', '|a|b|'), []],
    [
      'only up to the next heading',
      lines('### Workspace Modules', '|M|R|', '|-|-|', '|a|b|', '#### More', '|M|R|', '|-|-|', '|c|d|'),
      ['a b'],
    ],
    ['inside a fence', lines('```', '### Workspace Modules', '|M|R|', '|-|-|', '|a|b|', '```'), []],
    ['a row with one cell', lines('### Workspace Modules', '|M|R|', '|-|-|', '|a|', '|b|c|'), ['b c']],
    ['a path that climbs out', lines('### Workspace Modules', '|M|R|', '|-|-|', '|a|../b|'), []],
    ['no table', lines('### Workspace Modules', 'None yet.'), []],
  ])('%s', (_, text, modules) => {
    expect(workspaceModules(text).map(({ name, path: at }) => `${name} ${at}`)).toEqual(modules)
  })
})

describe('the sentences of CLAUDE.md', () => {
  test.each([
    ['Architecture Decision Records are in `design/decisions/`', 'design/decisions', null],
    ['- Specifications are in design/specs/.', null, 'design/specs'],
    ['**Specifications are in `a b/c`**, and\nArchitecture Decision Records are in ./x/, too', 'x', 'a b/c'],
    ['Specifications are in `../out`', null, null],
    ['Specifications are in /etc', null, null],
    ['```\nSpecifications are in x\n```', null, null],
    ['<!-- Specifications are in x -->', null, null],
    ['Specifications are in flux.', null, null],
    ['Our specifications are in a/drawer', null, null],
    ['Specifications are in `a`\nSpecifications are in `b`', null, 'a'],
    ['', null, null],
  ])('%j', (text, adr, spec) => {
    expect(declaredFolders(text)).toEqual({ adr, spec })
  })
})

const cases = shared('cases/artifact-graph')

test.skipIf(cases === null)('the handed workspaces', () => {
  const read = (file: string): string => readFileSync(path.join(cases ?? '', file), 'utf8')
  expect(
    workspaceModules(read('14-workspace-table/project/CLAUDE.md')).map(({ name, path: at }) => `${name} ${at}`),
  ).toEqual(['api services/api', 'worker services/worker', 'shared-lib packages/shared-lib'])
  expect(gitModules(read('15-workspace-gitmodules/project/.gitmodules')).map(({ name }) => name)).toEqual([
    'libs/core',
    'shop',
    'third-party',
  ])
  expect(declaredFolders(read('23-declared-paths/project/CLAUDE.md'))).toEqual({
    adr: 'design/decisions',
    spec: 'design/specs',
  })
})

test('any text is read, and no path leaves the root', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '[submodule "',
      '"]\n',
      'path = ',
      '### Workspace Modules\n',
      '|',
      '\n',
      '../',
      '/',
      '`',
      'Specifications are in ',
    ),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const folders = Object.values(declaredFolders(text)).filter((folder) => folder !== null)
      const paths = [...gitModules(text), ...workspaceModules(text)].map((module) => module.path)
      for (const found of [...folders, ...paths]) expect(insidePath(found)).toBe(found)
    }),
    { numRuns: effort(200, 5000) },
  )
})
