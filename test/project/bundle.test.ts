// The command line is one file that starts fast: it needs nothing but Node and better-sqlite3's addon, and a verb
// runs only the packages it needs. What ran is read from V8's own coverage, since esbuild keeps module names.

import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
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
  const modules = readdirSync(folder).flatMap((file) => {
    const coverage = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Coverage
    const script = coverage.result.find((entry) => entry.url.endsWith('/specdex.cjs'))
    return (script?.functions ?? []).filter((it) => (it.ranges[0]?.count ?? 0) > 0).map((it) => it.functionName)
  })
  const packages = modules.map(
    (name) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(name)?.[1],
  )
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

test('--version runs nothing but the command parser', async () => {
  const ran = await packagesRun(['--version'], tempFolder())
  expect(ran.filter((name) => name !== 'commander')).toEqual([])
})

test('a question to an index that is not checked runs SQLite and nothing heavy', async () => {
  const root = tempTree({
    'commands/bake.md': '# Bake\n\ngh issue comment 7 --body "<!-- FORGE:DOUGH -->"\n',
    'scripts/knead.sh': '#!/bin/sh\n',
  })
  expect((await runCli(['index', '--quiet'], { cwd: root })).code).toBe(0)
  const ran = await packagesRun(['spec', 'writers', 'FORGE:DOUGH', '--no-stale-check'], root)
  // fastest-levenshtein is one small file; YAML, globs, schemas and drizzle are what costs.
  const light = ['commander', 'fastest-levenshtein']
  expect(ran.filter((name) => !light.includes(name))).toEqual(['better-sqlite3'])
})
