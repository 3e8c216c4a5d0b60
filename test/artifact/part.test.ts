// Of a plain graph only what an answer shows is loaded, and the answer is the one of the whole graph; what must be known
// of the whole stands in the verdict, which is kept as long as the facts are the same, and never longer.

import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { getMeta, META } from '../../src/store/meta.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { runHere } from '../support/run-here.ts'
import { tempFolder, writeTree } from '../support/temp.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/conventions')

function copyOf(name: string): string {
  const root = path.join(tempFolder('part'), name)
  cpSync(path.join(FIXTURES, name), root, { recursive: true })
  return root
}

function asking<T>(root: string, ask: (store: Store) => T): T {
  const location = { path: path.join(root, '.specdex/index.db'), isDefault: true }
  const store = openStore(location, { busyMs: 1000, create: false })
  try {
    return ask(store)
  } finally {
    store.close()
  }
}

function verdict(root: string): string | null {
  return asking(root, (store) => getMeta(store, META.verdict))
}

function digest(root: string): string {
  return createHash('sha256')
    .update(readFileSync(path.join(root, '.specdex/index.db')))
    .digest('hex')
}

const VERBS = ['impact', 'ancestors', 'chain'] as const

async function expectPartEqualsWhole(root: string): Promise<void> {
  const ask = (...words: string[]) => runHere(['graph', ...words], { cwd: root })
  expect((await ask('validate')).code).toBe(0)
  const ids = idsOf(root)
  expect(ids.length).toBeGreaterThan(5)
  const before = digest(root)
  for (const id of ids) {
    for (const verb of VERBS) {
      for (const format of ['--json', '--dag']) {
        const part = await ask(verb, id, format)
        expect(part, `${verb} ${id} ${format}`).toEqual(await ask(verb, id, format, '--no-cache'))
        expect(part.code).toBe(0)
      }
    }
  }
  // Everything was known after the first look.
  expect(digest(root)).toBe(before)
}

function idsOf(root: string): string[] {
  const sql = "SELECT id FROM graph_node WHERE family IN ('artifact', 'code') ORDER BY id"
  return asking(root, (store) => store.prepare<[], string>(sql).pluck().all())
}

test('of a plain graph a part is loaded, with the same answer', { timeout: 60_000 }, async () => {
  const root = copyOf('sdd')
  await expectPartEqualsWhole(root)
  expect(verdict(root)).toContain('{"diagnostics":[],')
})

test('a verdict does not outlive what it is about', async () => {
  const root = copyOf('sdd')
  await runHere(['graph', 'validate'], { cwd: root })
  const clean = verdict(root)
  writeTree(root, { 'docs/adrs/ADR-0091-lost.md': '---\ngoverns: [SPEC-9999]\n---\n# ADR-0091: Lost\n' })
  const [id = ''] = idsOf(root)
  const refused = await runHere(['graph', 'impact', id], { cwd: root })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('ADR-0091 governs unknown spec SPEC-9999')
  // The same from the verdict, which now has the error.
  expect(await runHere(['graph', 'impact', id], { cwd: root })).toEqual(refused)
  expect(verdict(root)).not.toBe(clean)
  rmSync(path.join(root, 'docs/adrs/ADR-0091-lost.md'))
  expect((await runHere(['graph', 'impact', id], { cwd: root })).code).toBe(0)
})

test('an edit that says nothing new to the graph keeps the verdict; any other drops it', {
  timeout: 60_000,
}, async () => {
  const root = copyOf('sdd')
  const validate = () => runHere(['graph', 'validate'], { cwd: root })
  const clean = await validate()
  const [adr = ''] = idsOf(root).filter((id) => id.startsWith('ADR-'))
  const { file } = asking(root, (store) =>
    store.prepare<[string], { file: string }>('SELECT file FROM graph_node WHERE id = ?').get(adr),
  ) ?? { file: '' }
  const text = readFileSync(path.join(root, file), 'utf8')
  const kept = verdict(root)
  const edit = async (content: string, ask: readonly string[] = ['impact', adr]) => {
    writeTree(root, { [file]: content })
    return runHere(['graph', ...ask], { cwd: root })
  }
  await edit(`${text}\nNothing new.\n`)
  expect(verdict(root)).toBe(kept)
  await expectPartEqualsWhole(root)
  expect(verdict(root)).toBe(kept)

  // Another title is no finding, but what is about the old facts is not known of the new ones.
  await edit(text.replace(/^# .*$/m, '# Another name'), ['validate'])
  expect(verdict(root)).not.toBe(kept)
  const error = await edit(text.replace(/^---\n/, '---\nextends: [ADR-9998]\n'))
  expect(error).toMatchObject({ code: 1, stdout: '' })
  expect(error.stderr).toContain(`${adr} extends unknown ADR ADR-9998`)
  await edit(text)
  expect(await validate()).toEqual(clean)
})

test('a graph with other names, or with an id claimed twice, is never loaded in part', async () => {
  const root = copyOf('sdd')
  writeTree(root, {
    'docs/adrs/ADR-0091-one.md': '# ADR-0091: One\n',
    'docs/adrs/ADR-0091-two.md': '# ADR-0091: Two\n',
  })
  expect((await runHere(['graph', 'validate'], { cwd: root })).code).toBe(1)
  expect(verdict(root)).toBeNull()
})
