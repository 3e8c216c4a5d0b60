// The command line is one file that starts fast: it needs nothing but Node and better-sqlite3's addon, and a verb
// runs only the packages it needs. What ran is read from V8's own coverage, since esbuild keeps module names, and a
// package that is packed as a text is a script of its own there.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CLI, runCli } from '../support/run.ts'
import { tempFolder, tempTree } from '../support/temp.ts'

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly count: number }[]
    }[]
  }[]
}

/** The outside packages whose code ran during one command. */
async function packagesRun(args: readonly string[], cwd: string): Promise<string[]> {
  const folder = tempFolder('coverage')
  mkdirSync(folder, { recursive: true })
  const run = await runCli(args, { cwd, env: { NODE_V8_COVERAGE: folder } })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const scripts = readdirSync(folder).flatMap(
    (file) => (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Coverage).result,
  )
  const modules = scripts
    .filter((script) => script.url.endsWith('/specdex.cjs'))
    .flatMap((script) => script.functions.filter((it) => (it.ranges[0]?.count ?? 0) > 0))
  const packages = [
    ...modules.map((it) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(it.functionName)?.[1]),
    ...scripts.map((script) => /^specdex:(.+)$/.exec(script.url)?.[1]),
  ]
  return [...new Set(packages.filter((name) => name !== undefined))].sort()
}

test('the bundle is an executable that requires only Node', () => {
  const text = readFileSync(CLI, 'utf8')
  expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true)
  expect(text.lastIndexOf('#!/usr/bin/env node')).toBe(0)
  expect(statSync(CLI).mode & 0o111).toBe(0o111)
  const required = [...text.matchAll(/(?<![.\w])require\(\s*["']([^"']+)["']\s*\)/g)].map((match) => match[1] ?? '')
  // `specdex:…` is how a packed package asks for another part of the bundle.
  // better-sqlite3 asks `bindings` only where no addon path is given, and the store always gives one.
  expect(
    [...new Set(required)].filter((name) => !isBuiltin(name) && name !== 'bindings' && !name.startsWith('specdex:')),
  ).toEqual([])
})

test('the bundle is ASCII, and no raw template of the sources changes by that', () => {
  expect(/[^\0-\x7f]/.exec(readFileSync(CLI, 'latin1'))).toBeNull()
  const folder = path.join(import.meta.dirname, '../../src')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(100)
  const raw = sources.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    return [...text.matchAll(/String\.raw`[^`]*`/g)].map((match) => `${file}: ${match[0]}`)
  })
  expect(raw.length).toBeGreaterThan(0)
  expect(raw.filter((text) => /[^\0-\x7f]/.test(text))).toEqual([])
})

test('--version runs nothing, and help the command parser', async () => {
  expect(await packagesRun(['--version'], tempFolder())).toEqual([])
  expect(await packagesRun(['--help'], tempFolder())).toEqual(['commander'])
})

test('a question to an index that is not checked runs SQLite and nothing heavy', async () => {
  const root = tempTree({
    'commands/bake.md': '# Bake\n\ngh issue comment 7 --body "<!-- FORGE:DOUGH -->"\n',
    'scripts/knead.sh': '#!/bin/sh\n',
  })
  expect((await runCli(['index', '--quiet'], { cwd: root })).code).toBe(0)
  const ran = await packagesRun(['spec', 'writers', 'FORGE:DOUGH', '--no-stale-check'], root)
  // fastest-levenshtein is one small file; YAML, globs, schemas and drizzle are what costs.
  expect(ran.filter((name) => name !== 'fastest-levenshtein')).toEqual(['better-sqlite3'])
  // What is packed would be seen where it runs.
  expect(await packagesRun(['index', '--full', '--quiet'], root)).not.toContain('gray-matter')
  writeFileSync(path.join(root, 'commands/rest.md'), '---\ntitle: Rest\n---\n')
  expect(await packagesRun(['index', '--quiet'], root)).toContain('gray-matter')
})
