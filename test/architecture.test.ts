// Holds src to the room map, and holds the checker itself to a list of deliberate violations: a fence is only as
// good as the push it survived. The map is test/support/architecture-rules.ts.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkArchitecture, formatViolation, type Violation } from './support/architecture.ts'
import { ROOMS } from './support/architecture-rules.ts'

const SRC = path.resolve(import.meta.dirname, '../src')

function sources(): Record<string, string> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(SRC, file)).isFile())
    .map((file) => [file.replaceAll(path.sep, '/'), readFileSync(path.join(SRC, file), 'utf8')] as const)
  return Object.fromEntries(files)
}

describe('src', () => {
  test('keeps every rule', () => {
    expect(checkArchitecture(sources()).map(formatViolation)).toEqual([])
  })

  test('has a folder for every room and a room for every folder', () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map((entry) => entry.name).sort()).toEqual(Object.keys(ROOMS).sort())
  })
})

/** A small lawful tree: one file in every room. */
const LAWFUL: Readonly<Record<string, string>> = {
  'index.ts': "export type { Loaf } from './model/loaf.ts'\nexport { bake } from './spec/bake.ts'\n",
  'model/loaf.ts': 'export interface Loaf { readonly process: string; readonly at: Date }\n',
  'extract/recipe.ts':
    "import matter from 'gray-matter'\nexport const recipe = (text: string): unknown => matter(text, {})\n",
  'graph/layers.ts':
    "import type { Loaf } from '../model/loaf.ts'\nexport const first = (all: Loaf[]): unknown => all[0]\n",
  'render/shelf.ts': 'export const shelf = (price: number): string => `${Math.max(price, 1)} SELECTED`\n',
  'scan/pantry.ts':
    "import { statSync } from 'node:fs'\nexport const age = (f: string): Date => new Date(statSync(f).mtimeMs)\n",
  'store/ledger.ts':
    "import Database from 'better-sqlite3'\nexport const one = 'SELECT 1'\nexport type Db = Database.Database\n",
  'indexing/count.ts':
    "import { age } from '../scan/pantry.ts'\nexport const count = (f: string): number => age(f).getTime()\n",
  'spec/bake.ts': "import { count } from '../indexing/count.ts'\nexport const bake = (f: string): number => count(f)\n",
  'artifact/slice.ts': "import { one } from '../store/ledger.ts'\nexport const slice = (): string => one\n",
  'ledger/recall.ts':
    "import { execFileSync } from 'node:child_process'\nexport const log = (): unknown => execFileSync('git', ['log'])\n",
  'cli/main.ts':
    "import pkg from '../../package.json' with { type: 'json' }\nexport const run = (): void => { console.log(pkg, process.argv, Date.now(), Math.random()) }\n",
}

function check(changes: Readonly<Record<string, string>>): Violation[] {
  return checkArchitecture({ ...LAWFUL, ...changes })
}

test('the lawful tree has nothing to report', () => {
  expect(check({}).map(formatViolation)).toEqual([])
})

/** [what is wrong, where, the text there, the rule that must bite (and no other)] */
const VIOLATIONS: readonly (readonly [string, string, string, Violation['rule']])[] = [
  [
    'a type import upwards',
    'model/up.ts',
    "import type { bake } from '../spec/bake.ts'\nexport type Bake = typeof bake",
    'arrow',
  ],
  ['an import type upwards', 'graph/up.ts', "export type Bake = typeof import('../spec/bake.ts').bake", 'arrow'],
  ['a re-export upwards', 'extract/up.ts', "export * from '../store/ledger.ts'", 'arrow'],
  ['a named re-export upwards', 'render/up.ts', "export { one } from '../store/ledger.ts'", 'arrow'],
  ['a lazy import upwards', 'scan/up.ts', "export const lazy = () => import('../cli/main.ts')", 'arrow'],
  ['a use case that renders', 'spec/up.ts', "export { shelf } from '../render/shelf.ts'", 'arrow'],
  ['the façade reaching past the use cases', 'index.ts', "export { age } from './scan/pantry.ts'", 'arrow'],
  ['a computed import', 'spec/lazy.ts', 'export const lazy = (name: string) => import(`./${name}.ts`)', 'computed'],
  [
    'a computed require',
    'cli/lazy.ts',
    'export const lazy = (require: NodeJS.Require, n: string) => require(n)',
    'computed',
  ],
  [
    'a file outside src',
    'store/out.ts',
    "import sql from '../../migrations/0000_initial.sql'\nexport const a = sql",
    'outside',
  ],
  ['an alias', 'spec/alias.ts', "export { one } from '#store/ledger.ts'", 'alias'],
  ['a URL', 'spec/alias.ts', "export { one } from 'data:text/javascript,export const one = 1'", 'alias'],
  ['an unlisted package', 'cli/ink.ts', "import chalk from 'chalk'\nexport const ink = chalk", 'package'],
  [
    'a package in the wrong room',
    'cli/db.ts',
    "import { sql } from 'drizzle-orm/sqlite-core'\nexport const s = sql",
    'package',
  ],
  [
    'a required package in the wrong room',
    'cli/db.ts',
    "export const at = require.resolve('better-sqlite3/package.json')",
    'package',
  ],
  [
    'the disk in a renderer',
    'render/disk.ts',
    "import { readFile } from 'node:fs/promises'\nexport const r = readFile",
    'builtin',
  ],
  ['the disk without node:', 'indexing/disk.ts', "import fs from 'fs'\nexport const f = fs", 'builtin'],
  ['a child process in a use case', 'spec/fork.ts', "export { spawn } from 'node:child_process'", 'builtin'],
  ['process from a module', 'scan/env.ts', "import { env } from 'node:process'\nexport const e = env", 'builtin'],
  ['globalThis.process', 'store/env.ts', 'export const home = (): unknown => globalThis.process.env.HOME', 'ambient'],
  ['process as a default', 'scan/env.ts', 'export const home = (env = process.env): unknown => env.HOME', 'ambient'],
  ['process as shorthand', 'scan/env.ts', 'export const world = (): unknown => ({ process })', 'ambient'],
  ['console', 'indexing/talk.ts', "export const say = (): void => console.error('burnt')", 'ambient'],
  ['Date.now', 'spec/now.ts', 'export const now = (): number => Date.now()', 'ambient'],
  ['Date.now by its name as text', 'spec/now.ts', "export const now = (): number => Date['now']()", 'ambient'],
  ['new Date()', 'extract/now.ts', 'export const now = (): Date => new Date()', 'ambient'],
  ['Date handed on', 'extract/now.ts', 'const D = Date\nexport const now = (): Date => new D()', 'ambient'],
  ['performance', 'graph/now.ts', 'export const now = (): number => performance.now()', 'ambient'],
  ['setTimeout', 'store/wait.ts', 'export const wait = (f: () => void): unknown => setTimeout(f, 10)', 'ambient'],
  ['Math.random', 'store/dice.ts', 'export const dice = (): number => Math.random()', 'random'],
  [
    'random taken out of Math',
    'store/dice.ts',
    'const { random } = Math\nexport const dice = (): number => random()',
    'random',
  ],
  ['randomUUID', 'store/dice.ts', "import { randomUUID } from 'node:crypto'\nexport const dice = randomUUID", 'random'],
  ['process.exit', 'cli/stop.ts', 'export const stop = (): never => process.exit(1)', 'exit'],
  [
    'exit taken out of process',
    'cli/stop.ts',
    'const { exit } = process\nexport const stop = (): never => exit(1)',
    'exit',
  ],
  ['exit imported', 'cli/stop.ts', "import { exit } from 'node:process'\nexport const stop = exit", 'exit'],
  ['new Function', 'extract/run.ts', 'export const run = (text: string): unknown => new Function(text)', 'evaluate'],
  ['SQL in a use case', 'spec/ask.ts', "export const ask = 'SELECT id FROM node'", 'sql'],
  [
    'SQL that is put together',
    'spec/ask.ts',
    'export const ask = (columns: string): string => `SELECT ${columns}`',
    'sql',
  ],
  ['a bare COMMIT', 'indexing/ask.ts', "export const ask = 'COMMIT'", 'sql'],
  [
    'SQL in a template',
    'spec/ask.ts',
    'export const ask = (t: string): string => `\n  -- all\n  DELETE FROM ${t}`',
    'sql',
  ],
  ['a pragma in cli', 'cli/ask.ts', "export const ask = ['PRAGMA integrity_check']", 'sql'],
  ['an unknown room', 'oven/heat.ts', 'export const heat = 220', 'room'],
  ['a file beside the façade', 'heat.ts', 'export const heat = 220', 'room'],
  ['a default export', 'model/flour.ts', 'export default 1', 'defaultExport'],
  ['a default export by name', 'model/flour.ts', 'const flour = 1\nexport { flour as default }', 'defaultExport'],
  ['a file of helpers', 'model/helpers.ts', 'export const flour = 1', 'name'],
  ['a folder of utilities', 'store/utils/flour.ts', 'export const flour = 1', 'name'],
  ['a file of 401 lines', 'graph/long.ts', `export const a = 1\n${'// dough\n'.repeat(400)}`, 'lines'],
  ['a file that does not parse', 'graph/half.ts', 'export const a = (', 'syntax'],
]

test.each(VIOLATIONS)('finds %s', (_what, file, text, rule) => {
  const found = check({ [file]: text })
  expect(found.map((violation) => [violation.file, violation.rule])).toEqual([[file, rule]])
  expect(found[0]?.message).toMatch(/: .{20,}$/)
})

test('finds a cycle of files, also where one arrow is only a type', () => {
  const found = check({
    'graph/knead.ts': "import type { Rest } from './rest.ts'\nexport interface Knead { readonly rest: Rest }",
    'graph/rest.ts': "import type { Knead } from './knead.ts'\nexport interface Rest { readonly knead: Knead }",
  })
  expect(found.map((violation) => violation.rule)).toEqual(['cycle'])
  expect(found[0]?.message).toContain('graph/knead.ts → graph/rest.ts → graph/knead.ts')
})

test('finds a declared room without files', () => {
  const { 'render/shelf.ts': _, ...rest } = LAWFUL
  expect(checkArchitecture(rest).map((violation) => violation.rule)).toEqual(['empty'])
})

/** What looks like a violation and is none. */
const CONTROLS: readonly (readonly [string, string, string])[] = [
  ['a property called process', 'graph/ok.ts', 'export const f = (step: { process: string }): string => step.process'],
  ['a date of a given time', 'store/ok.ts', 'export const f = (ms: number): string => new Date(ms).toISOString()'],
  ['Date as a type and instanceof', 'store/ok.ts', 'export const f = (x: unknown): x is Date => x instanceof Date'],
  ['a word that begins like SQL', 'render/ok.ts', "export const f = 'SELECTED loaves, WITHOUT crumbs'"],
  ['a help text about SQL', 'cli/ok.ts', "export const f = 'SELECT … over the public views'"],
  ['lower case select', 'cli/ok.ts', "export const f = 'select a loaf'"],
  ['a query in the store', 'store/ok.ts', "export const f = 'WITH RECURSIVE r(id) AS (SELECT 1) SELECT id FROM r'"],
  ['a hash in indexing', 'indexing/ok.ts', "import { hash } from 'node:crypto'\nexport const f = hash"],
  ['a lazy import downwards', 'cli/ok.ts', "export const f = () => import('../spec/bake.ts')"],
  [
    'a long generated file',
    'store/ok.ts',
    `// Generated by embed-migrations.mjs.\n${'// dough\n'.repeat(500)}export const a = 1`,
  ],
  ['a README in a room', 'store/README.md', '# SELECT, process.exit and other reasons'],
  ['process.exitCode in cli', 'cli/ok.ts', 'export const f = (): void => { process.exitCode = 1 }'],
]

test.each(CONTROLS)('accepts %s', (_what, file, text) => {
  expect(check({ [file]: text }).map(formatViolation)).toEqual([])
})
