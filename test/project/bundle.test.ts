// The command line is one bundle that starts fast: it needs nothing but Node and better-sqlite3's addon, and a verb
// runs only the packages it needs. What ran is read from V8's own coverage, since esbuild keeps module names, and a
// package that is packed as a text is a script of its own there.

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLI, type RunResult, runCli, runProgram } from '../support/run.ts'
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
    .filter((script) => script.url.endsWith('/program.cjs'))
    .flatMap((script) => script.functions.filter((it) => (it.ranges[0]?.count ?? 0) > 0))
  const packages = [
    ...modules.map((it) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(it.functionName)?.[1]),
    ...scripts.map((script) => /^specdex:(.+)$/.exec(script.url)?.[1]),
  ]
  return [...new Set(packages.filter((name) => name !== undefined))].sort()
}

/** What specdex.cjs runs. */
const PROGRAM = path.join(path.dirname(CLI), 'program.cjs')

test('what starts the bundle is executable, and both require only Node', () => {
  const start = readFileSync(CLI, 'utf8')
  expect(start.startsWith('#!/usr/bin/env node\n')).toBe(true)
  expect(start.lastIndexOf('#!/usr/bin/env node')).toBe(0)
  expect(statSync(CLI).mode & 0o111).toBe(0o111)
  const text = start + readFileSync(PROGRAM, 'utf8')
  const required = [...text.matchAll(/(?<![.\w])require\(\s*["']([^"']+)["']\s*\)/g)].map((match) => match[1] ?? '')
  // `specdex:…` is how a packed package asks for another part of the bundle.
  // better-sqlite3 asks `bindings` only where no addon path is given, and the store always gives one.
  expect(
    [...new Set(required)].filter((name) => !isBuiltin(name) && name !== 'bindings' && !name.startsWith('specdex:')),
  ).toEqual([])
})

test('the bundle is ASCII, and no raw template of the sources changes by that', () => {
  expect(/[^\0-\x7f]/.exec(readFileSync(PROGRAM, 'latin1'))).toBeNull()
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

describe('what V8 compiled is kept beside the program', () => {
  /** A copy of what is built, with nothing kept, and a repository. */
  function built(): {
    dist: string
    root: string
    run: (...words: string[]) => Promise<RunResult>
    kept: () => string[]
  } {
    const base = tempFolder('kept')
    const dist = path.join(base, 'dist')
    mkdirSync(dist, { recursive: true })
    for (const name of ['specdex.cjs', 'program.cjs'])
      copyFileSync(path.join(path.dirname(CLI), name), path.join(dist, name))
    symlinkSync(path.resolve(import.meta.dirname, '../../node_modules'), path.join(base, 'node_modules'))
    const root = tempTree({ 'commands/bake.md': '# Bake\n\ngh issue comment 7 --body "<!-- FORGE:DOUGH -->"\n' })
    return {
      dist,
      root,
      run: (...words) => runProgram(process.execPath, [path.join(dist, 'specdex.cjs'), ...words], { cwd: root }),
      kept: () => readdirSync(dist).filter((name) => !['specdex.cjs', 'program.cjs'].includes(name)),
    }
  }

  test('after the first run of a command that did its work, one file for each', async () => {
    const { run, kept } = built()
    for (const words of [
      ['--version'],
      ['--help'],
      ['spec', '--help'],
      ['help', 'index'],
      ['oven'],
      ['index', '--oven'],
    ]) {
      await run(...words)
      expect(kept(), words.join(' ')).toEqual([])
    }
    const first = await run('spec', 'writers', 'FORGE:DOUGH')
    expect(first).toMatchObject({ code: 0, stdout: '["cmd:bake"]\n', stderr: '' })
    const [file = '', ...more] = kept()
    expect(more).toEqual([])
    expect(file).toMatch(/^\.[0-9a-f]{16}-v\d.*-spec-writers\.cache$/)
    expect(await run('spec', 'writers', 'FORGE:DOUGH')).toEqual(first)
    expect((await run('index')).code).toBe(0)
    expect((await run('recall', 'bread', 'and', 'butter')).code).toBe(0)
    expect(await run('spec', 'writer', 'FORGE:DOUGH')).toMatchObject({ code: 1 })
    expect(
      kept()
        .map((name) => /[a-z]+(-[a-z]+)?(?=\.cache$)/.exec(name)?.[0])
        .sort(),
    ).toEqual(['index', 'recall', 'spec-writers'])
  })

  test('what is broken is made anew, and what cannot be written is done without', async () => {
    const { dist, run, kept } = built()
    const first = await run('spec', 'writers', 'FORGE:DOUGH')
    const file = path.join(dist, kept()[0] ?? '')
    const good = readFileSync(file)
    const damaged = (at: number, length: number): Buffer =>
      Buffer.from(good.map((byte, i) => (i >= at && i < at + length ? byte ^ 0xff : byte)))
    const middle = Math.round(good.length / 4)
    for (const broken of [
      ...[Buffer.alloc(0), good.subarray(0, 1000), Buffer.alloc(good.length), Buffer.from('bread')],
      // V8 would believe these, and end with a signal.
      ...[damaged(middle, 4096), damaged(3 * middle, 4096), damaged(middle, 1), good.subarray(0, 2 * middle)],
    ]) {
      writeFileSync(file, broken)
      expect(await run('spec', 'writers', 'FORGE:DOUGH')).toEqual(first)
      expect(readFileSync(file).equals(broken)).toBe(false)
      expect(await run('spec', 'writers', 'FORGE:DOUGH')).toEqual(first)
    }
    rmSync(file)
    // A folder in the place of the file: as good as a disk that takes nothing, for root too.
    mkdirSync(path.join(file, 'full'), { recursive: true })
    expect(await run('spec', 'writers', 'FORGE:DOUGH')).toEqual(first)
    expect(kept()).toEqual([path.basename(file)])
  })
})
