// What the verbs say from a kept verdict, through the command line: of every convention's fixture, of a workspace, and of
// graphs with little or very much to tell; and that no verdict of another form is ever believed. That they do ask the
// verdict is seen by putting something into it that no file says.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Verdict } from '../../src/artifact/graph.ts'
import { getMeta, META, setMeta } from '../../src/store/meta.ts'
import { openStore } from '../../src/store/open.ts'
import { runCli } from '../support/run.ts'
import { runHere } from '../support/run-here.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { HARBOUR, moduleTable } from './harbour.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/conventions')

function copyOf(name: string): string {
  const root = path.join(tempFolder('verdict'), name)
  cpSync(path.join(FIXTURES, name), root, { recursive: true })
  if (name === 'custom') {
    mkdirSync(path.join(root, '.specdex'))
    writeFileSync(path.join(root, '.specdex/config.yml'), readFileSync(`${FIXTURES}/custom.config.yml`))
  }
  return root
}

/** The kept text, first changed where `edit` gives another one. */
function kept(root: string, edit: (text: string) => string | null = (text) => text): string | null {
  const location = { path: path.join(root, '.specdex/index.db'), isDefault: true }
  const store = openStore(location, { busyMs: 1000, create: false })
  try {
    const text = getMeta(store, META.verdict)
    if (text !== null && edit(text) !== text) store.write(() => setMeta(store, META.verdict, edit(text)))
    return text
  } finally {
    store.close()
  }
}

/** What a verdict is about, and what it says. */
function parts(text: string | null): { about: string; verdict: Verdict } {
  const at = text?.indexOf('{"diagnostics"') ?? -1
  return { about: text?.slice(0, at) ?? '', verdict: JSON.parse(text?.slice(at) ?? 'null') as Verdict }
}

function ask(root: string, ...words: string[]) {
  return runHere(['graph', ...words], { cwd: root })
}

/** The index has answered before; it answers as the files alone do. */
async function expectSame(root: string, questions: readonly string[][]): Promise<void> {
  for (const words of questions) {
    expect(await ask(root, ...words), words.join(' ')).toEqual(await ask(root, ...words, '--no-cache'))
  }
}

/** Whether a verdict is kept: references by slug, number or path are no exact ids. */
const CONVENTIONS = {
  'adr-numbered': false,
  backstage: false,
  custom: true,
  kiro: true,
  log4brains: true,
  openspec: true,
  sdd: true,
  'spec-kit': false,
}

// The answers in full, with every format, are held by the golden files of fixtures.test.ts.
test.each(Object.entries(CONVENTIONS))('%s: a verdict is kept: %s', async (name, isKept) => {
  const root = copyOf(name)
  await ask(root, 'validate')
  expect(kept(root) !== null).toBe(isKept)
  if (!isKept) return
  const scoped = ['orphans', 'cycles'].map((verb) => [verb, '--json', '--scope', 'src'])
  await expectSame(root, [['validate', '--json'], ...scoped])
})

const WORKSPACE: Readonly<Record<string, string>> = {
  ...HARBOUR,
  'CLAUDE.md': moduleTable('| cranes | cranes |\n| gone | gone |\n'),
  'docs/adrs/ADR-0002-horn.md':
    '---\nsupersedes: ["[cranes]/ADR-0001"]\nextends: [ADR-0001]\n---\n# ADR-0002: A horn\n',
  'cranes/docs/adrs/ADR-0002-electric.md': '---\nsupersedes: [ADR-0001, "[gone]/ADR-0001"]\n---\n# ADR-0002: Current\n',
  'cranes/src/winch.sql': '-- Governing: ADR-0001\n',
  'cranes/docs/adrs/ADR-0003-lamp.md':
    '---\nextends: ["[lost]/ADR-0007"]\nenables: [ADR-0002]\n---\n# ADR-0003: A lamp\n',
  'docs/adrs/ADR-0003-light.md': '---\nenables: ["[cranes]/ADR-0003"]\n---\n# ADR-0003: Light\n',
}

test('of a workspace, all and by module, with errors and warnings across modules', { timeout: 60_000 }, async () => {
  const root = writeTree(tempFolder('verdict'), WORKSPACE)
  const told = await ask(root, 'validate')
  for (const code of ['status-inconsistent', 'governing-unrecognized', 'unresolved-id', 'module-not-checked-out']) {
    expect(told.stdout).toContain(`[${code}]`)
  }
  expect(
    parts(kept(root))
      .verdict.counts.map(({ module }) => module)
      .sort(),
  ).toEqual(['cranes', null])
  for (const module of [[], ['--module', 'cranes'], ['--module', 'gone']]) {
    await expectSame(root, [
      ['validate', ...module],
      ['orphans', '--allow-invalid', ...module],
      ['orphans', '--json', '--scope', 'src', '--allow-invalid', ...module],
      ['orphans', '--json', ...module],
      ['cycles', '--json', ...module],
      ['impact', 'ADR-0001', '--allow-invalid', ...module],
      // Of another module than the chosen one: nothing that is shown has the id.
      ['chain', '[cranes]/ADR-0002', '--allow-invalid', ...module],
    ])
  }
  await expectSame(root, [
    ...['--dag', '--mermaid', '--json'].map((format) => ['orphans', '--allow-invalid', format]),
    ...['--dag', '--mermaid', '--table'].map((format) => ['cycles', format]),
  ])
})

test('what is kept for the next time waits for no other writer, and is kept once', async () => {
  const root = copyOf('sdd')
  await ask(root, 'findings')
  const before = kept(root)
  expect(before).not.toBeNull()
  kept(root, () => null)
  const started = performance.now()
  const location = { path: path.join(root, '.specdex/index.db'), isDefault: true }
  const store = openStore(location, { busyMs: 1_000, create: false })
  try {
    await store.hold(async () => {
      for (const verb of ['findings', 'validate', 'next-id']) {
        // Another process, as a holder of the lock is.
        expect((await runCli(['graph', verb], { cwd: root })).code).toBe(0)
      }
    })
  } finally {
    store.close()
  }
  // The configured wait is ten seconds, for each of them.
  expect(performance.now() - started).toBeLessThan(8_000)
  expect(kept(root)).toBeNull()
  await ask(root, 'findings')
  expect(kept(root)).toBe(before)
})

test('a folder without artifacts says so every time', async () => {
  const root = writeTree(tempFolder('verdict'), { 'src/rope.ts': 'export const rope = 1\n' })
  await ask(root, 'validate')
  expect(parts(kept(root)).verdict.counts).toEqual([])
  await expectSame(root, [['validate'], ['orphans'], ['cycles']])
  expect((await ask(root, 'orphans')).stderr).toContain('no artifacts were found')
})

test('what validate tells beside the diagnostics is left to the whole graph where there is much of it', async () => {
  const decision = (n: number, status: string, more = '') =>
    `# ${n}. Number ${n}\n\n## Status\n\n${status}\n${more}\n## Decision\n\nYes.\n`
  const files = Array.from({ length: 202 }, (_, i): [string, string] => {
    const name = `docs/adr/${String(i + 1).padStart(4, '0')}-number.md`
    return [name, decision(i + 1, 'Superseded')]
  })
  const root = writeTree(tempFolder('verdict'), Object.fromEntries(files))
  const first = await ask(root, 'validate', '--json')
  expect(first.stdout.split('"dangling-supersession"')).toHaveLength(203)
  expect(parts(kept(root)).verdict).toMatchObject({ diagnostics: [], news: null })
  expect(await ask(root, 'validate', '--json')).toEqual(first)
  await expectSame(root, [['orphans', '--json']])
})

const RUMOUR = {
  severity: 'warning',
  code: 'rumour',
  message: 'heard in the kept verdict',
  source_id: null,
  field: null,
  target_id: null,
  file: null,
  line: null,
}
const VERBS: readonly string[][] = [['validate'], ['orphans'], ['cycles'], ['impact', 'ADR-0023']]

/** The verbs that tell what no file says. */
async function believers(root: string): Promise<string[]> {
  const told: string[] = []
  for (const words of VERBS) {
    const { stdout, stderr } = await ask(root, ...words)
    if ((stdout + stderr).includes(RUMOUR.message)) told.push(words[0] ?? '')
  }
  return told
}

test('every verb asks the verdict; one of another form, or of other facts, is unknown', async () => {
  const root = copyOf('sdd')
  await ask(root, 'validate')
  const { about, verdict } = parts(kept(root))
  const rumoured = JSON.stringify({ ...verdict, diagnostics: [RUMOUR] })
  kept(root, () => about + rumoured)
  expect(await believers(root)).toEqual(['validate', 'orphans', 'cycles', 'impact'])

  const [form, ...rest] = JSON.parse(about) as [number, ...unknown[]]
  expect([form, rest[0]]).toEqual([expect.any(Number), ['1', '1']])
  const others = [
    // As it was before it had a number: a list of diagnostics behind what they are about.
    JSON.stringify(rest) + JSON.stringify([RUMOUR]),
    JSON.stringify(rest) + rumoured,
    JSON.stringify([form - 1, ...rest]) + rumoured,
    JSON.stringify([form + 1, ...rest]) + rumoured,
    JSON.stringify([form, ['7', '7'], ...rest.slice(1)]) + rumoured,
  ]
  for (const other of others) {
    kept(root, () => other)
    expect(await believers(root), other).toEqual([])
    expect(kept(root), other).toBe(about + JSON.stringify(verdict))
  }
})
