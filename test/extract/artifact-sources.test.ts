// Which names are source code, and which folders hold none of the module's own.

import { describe, expect, test } from 'vitest'
import { isSourceName, SOURCE_ENDINGS, skipsFolder } from '../../src/model/source-languages.ts'

describe('source files', () => {
  test.each(
    (
      'a.ts a.tsx a.mjs a.vue a.html a.css a.rs a.go a.c a.java a.kt a.cs a.swift a.py a.rb a.php a.sh a.ex a.el a.sql a.tex ' +
      'a.tf a.yml a.YAML A.PY a.test.ts Makefile makefile GNUmakefile Dockerfile Dockerfile.dev Makefile.am CMakeLists.txt'
    ).split(' '),
  )('%s is one', (name) => {
    expect(isSourceName(name, [])).toBe(true)
  })

  test.each(
    (
      'LICENSE package.json package-lock.json pnpm-lock.yaml README.md a.mdx a.markdown data.csv logo.png .gitignore .env ' +
      '.eslintrc.js .ts ts a. a.min.js a.min.css notes.txt a.ts.map constructor __proto__'
    ).split(' '),
  )('%s is none', (name) => {
    expect(isSourceName(name, [])).toBe(false)
  })

  test('more come from the configuration', () => {
    const extra = ['.bake', 'Ovenfile', '.d.mdx', '.min.js']
    for (const name of ['a.bake', 'A.BAKE', 'ovenfile', 'a.d.mdx', 'a.min.js'])
      expect(isSourceName(name, extra)).toBe(true)
    for (const name of ['bake', '.bake', 'a.ovenfile', 'a.mdx']) expect(isSourceName(name, extra)).toBe(false)
  })

  test('endings are lower case, with dot, and said once', () => {
    for (const ending of SOURCE_ENDINGS) expect(ending).toMatch(/^\.[a-z0-9+]+$/)
    expect(new Set(SOURCE_ENDINGS).size).toBe(SOURCE_ENDINGS.length)
  })
})

describe('folders', () => {
  test.each([
    'docs',
    'docs/adrs',
    '.git',
    'a/.cache/b',
    'node_modules',
    'a/node_modules/b',
    'x/vendor',
    'dist',
    'a/build',
    'target',
  ])('%s is skipped', (folder) => {
    expect(skipsFolder(folder)).toBe(true)
  })

  test.each(['', 'src', 'src/docs', 'templates', 'docs2', 'distillery', 'src/vendors', 'constructor'])(
    '%j is not',
    (folder) => {
      expect(skipsFolder(folder)).toBe(false)
    },
  )
})
