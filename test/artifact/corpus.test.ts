// A real project's 59 documents, asked as its owner would: one misused field and nothing else, and an answer about every
// id in every format. In this process from a proved index; a handful of questions to the built program. The traversal
// itself is held against an oracle elsewhere, here only against itself: impact and ancestors are each other's inverse.

import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { copyFolder } from '../spec/cases.ts'
import { runCli } from '../support/run.ts'
import { runHere } from '../support/run-here.ts'
import { shared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const CORPUS = shared('corpora/sdd')
const VERBS = ['impact', 'ancestors', 'chain'] as const
const FORMATS = ['--dag', '--table', '--mermaid', '--json'] as const

interface Parsed {
  readonly results: readonly { readonly id: string }[]
}

const numbered = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${prefix}-${String(from + i).padStart(4, '0')}`)

/** What the documents are called, by file names and headings. */
const IDS = [...numbered('ADR', 1, 35), ...numbered('SPEC', 1, 21), ...numbered('SPEC', 34, 36)]

describe.skipIf(CORPUS === null)('the documents of a real project', () => {
  let root = ''
  const graph = (...words: string[]): ReturnType<typeof runHere> => runHere(['graph', ...words], { cwd: root })
  // The index is proved once, by the first command, and believed by those that say so.
  const ask = (...words: string[]): ReturnType<typeof runHere> => graph(...words, '--no-stale-check')

  beforeAll(async () => {
    root = path.join(tempFolder('corpus'), 'project')
    copyFolder(CORPUS ?? '', root)
    await graph('validate')
  })

  test('no cycle, nothing unresolved, one misused field', async () => {
    for (const flags of [[], ['--no-cache']]) {
      const { code, stdout } = await graph('validate', '--json', ...flags)
      const { results } = JSON.parse(stdout) as { results: { nodes: number; diagnostics: Record<string, unknown>[] } }
      expect(code).toBe(0)
      expect(results.nodes).toBe(IDS.length)
      expect(results.diagnostics.map((one) => [one['severity'], one['code'], one['source_id'], one['field']])).toEqual([
        ['warning', 'schema-misuse', 'SPEC-0021', 'related'],
      ])
    }
    expect(await graph('cycles')).toMatchObject({ code: 0, stdout: 'No cycles detected.\n' })
  })

  test.each(FORMATS)('every id answers every traversal verb, %s', async (format) => {
    for (const id of IDS) {
      for (const verb of VERBS) {
        const { code, stdout, stderr } = await ask(verb, id, format)
        const what = `${verb} ${id} ${format}`
        expect({ what, code, last: stdout.at(-1) }).toEqual({ what, code: 0, last: '\n' })
        // Of a diagram and a sentence the id is part; a table has it only where it is linked to.
        if (format !== '--table') expect(stdout, what).toContain(id)
        expect(stderr.split('\n').filter((line) => line !== '')).toHaveLength(1)
      }
    }
  })

  test('impact and ancestors are each other’s inverse, and chain is both', async () => {
    const idsOf = async (verb: string, id: string): Promise<string[]> => {
      const { stdout } = await ask(verb, id, '--json')
      return (JSON.parse(stdout) as Parsed).results.map((result) => result.id)
    }
    const below = new Map<string, string[]>()
    const above = new Map<string, string[]>()
    for (const id of IDS) {
      below.set(id, await idsOf('impact', id))
      above.set(id, await idsOf('ancestors', id))
    }
    const pairs = (reach: ReadonlyMap<string, readonly string[]>, turned: boolean): string[] =>
      [...reach].flatMap(([id, ids]) => ids.map((other) => (turned ? `${other} > ${id}` : `${id} > ${other}`))).sort()
    expect(pairs(below, false)).toEqual(pairs(above, true))
    expect(pairs(below, false).length).toBeGreaterThan(100)
    for (const id of IDS.slice(0, 20)) {
      const both = [...(above.get(id) ?? []), ...(below.get(id) ?? [])].sort()
      expect(await idsOf('chain', id), id).toEqual(both)
    }
  })

  test('the built program says the same', async () => {
    for (const words of [
      ['impact', 'ADR-0001'],
      ['ancestors', 'SPEC-0018', '--table'],
      ['chain', 'ADR-0024', '--mermaid'],
      ['chain', 'ADR-0025', '--json'],
      ['orphans'],
      ['validate', '--json'],
    ]) {
      const { code, stdout, stderr } = await runCli(['graph', ...words], { cwd: root })
      expect({ code, stdout, stderr }).toEqual(await graph(...words))
    }
  })
})
