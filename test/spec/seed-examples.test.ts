// Every example of the seed page that asks or builds something, on the real corpus: the commands run, the spellings it
// calls equal are equal, the properties it states hold, and its jq lines work on the exported file.
// The seed's own outputs are historical (sheet spec-graph §11 row 30), so answers are held against the document.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { shared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { copyFolder } from './cases.ts'
import { spec } from './run-spec.ts'

const CORPUS = shared('corpora/forgedock')
/** Not ours to install: without it, its lines are skipped. */
const PROGRAM = 'jq'
const JQ = spawnSync(PROGRAM, ['--version']).status === 0

interface Graph {
  readonly builtFromHash: string
  readonly stats: Record<string, unknown>
  readonly nodes: readonly { id: string; path?: string }[]
  readonly edges: readonly { from: string; type: string; to: string }[]
}

const MODES = [['default'], ['forgedock-1.7']] as const

describe.skipIf(CORPUS === null).each(MODES)('the seed under --compat %s', (mode) => {
  let root = ''
  let graph: Graph
  const file = (): string => path.join(root, '.forgedock/graph/spec-graph.json')
  const run = (words: string) => spec([...words.split(' '), '--compat', mode], { cwd: root })
  const answer = async (words: string): Promise<unknown> => {
    const { code, stdout, stderr } = await run(words)
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
    expect(stdout.match(/\n/g)).toHaveLength(1)
    return JSON.parse(stdout)
  }

  beforeAll(async () => {
    root = path.join(tempFolder('seed'), 'forgedock')
    copyFolder(CORPUS ?? '', root)
    expect((await run('build')).code).toBe(0)
    graph = (JSON.parse(readFileSync(file(), 'utf8')) as { graph: Graph }).graph
  })

  test('build writes, --stdout prints the same bytes, twice; --hash agrees', async () => {
    const text = readFileSync(file(), 'utf8')
    expect((await run('build --stdout --quiet')).stdout).toBe(text)
    expect((await run('build --stdout --quiet')).stdout).toBe(text)
    expect((await run('build --hash')).stdout).toBe(`${graph.builtFromHash}\n`)
    expect((await run('build --help')).code).toBe(0)
  })

  const incoming = (type: string, to: string): string[] =>
    graph.edges.filter((edge) => edge.type === type && edge.to === to).map((edge) => edge.from)

  test('readers and writers; equal spellings', async () => {
    for (const spelling of ['CONTRACT', 'FORGE:CONTRACT', 'ann:FORGE:CONTRACT']) {
      expect(await answer(`readers ${spelling}`)).toEqual(incoming('READS', 'ann:FORGE:CONTRACT'))
      expect(await answer(`writers ${spelling}`)).toEqual(incoming('WRITES', 'ann:FORGE:CONTRACT'))
    }
  })

  test('deps; equal spellings, and a sub-phase in its colon form', async () => {
    expect(await answer('deps work-on')).toEqual(await answer('deps cmd:work-on'))
    const deps = (await answer('deps work-on:build:implement')) as Record<string, string[]>
    for (const [type, targets] of Object.entries(deps)) {
      expect(targets).toEqual(
        graph.edges
          .filter((edge) => edge.from === 'cmd:work-on:build:implement' && edge.type === type)
          .map((edge) => edge.to),
      )
    }
  })

  test('load-set is the forward walk over CONTAINS and REQUIRES; equal spellings', async () => {
    const reached = new Set(['cmd:work-on'])
    for (const id of reached) {
      for (const edge of graph.edges) {
        if (edge.from === id && (edge.type === 'CONTAINS' || edge.type === 'REQUIRES')) reached.add(edge.to)
      }
    }
    const paths = graph.nodes.flatMap((node) => (reached.has(node.id) && node.path !== undefined ? [node.path] : []))
    expect(await answer('load-set work-on')).toEqual(paths.sort())
    expect(await answer('load-set cmd:work-on')).toEqual(paths.sort())
  })

  test('impact is the backward walk, parents included; equal spellings', async () => {
    const impactOf = (target: string): string[] => {
      const reached = new Set([target])
      for (const id of reached) for (const edge of graph.edges) if (edge.to === id) reached.add(edge.from)
      return [...reached].filter((id) => id !== target).sort()
    }
    expect(await answer('impact FORGE:CONTRACT')).toEqual(impactOf('ann:FORGE:CONTRACT'))
    expect(await answer('impact FORGE:CONTRACT')).toEqual(expect.arrayContaining(['cmd:orchestrate', 'cmd:milestone']))
    for (const [short, long] of [
      ['classify-lane.sh', 'script:classify-lane.sh'],
      ['workflow:merged', 'label:workflow:merged'],
    ] as const) {
      expect(await answer(`impact ${short}`)).toEqual(impactOf(long))
      expect(await answer(`impact ${long}`)).toEqual(impactOf(long))
    }
  })

  test('--human', async () => {
    const { code, stdout } = await run('writers FORGE:CONTRACT --human')
    expect(code).toBe(0)
    expect(stdout).toBe(
      `Specs that WRITE ann:FORGE:CONTRACT:\n${incoming('WRITES', 'ann:FORGE:CONTRACT')
        .map((id) => `  ${id}\n`)
        .join('')}`,
    )
  })

  test('validate in all its forms', async () => {
    expect((await run('validate')).code).toBe(1)
    expect((await run('validate --soft')).code).toBe(0)
    expect((await run('validate --soft --json')).stdout).toContain('workflow:engine-error')
    const soft = mode === 'default' ? 56 : 54
    const info = mode === 'default' ? 10 : 12
    expect((await run(`validate --quiet --root ${root} --graph ${file()}`)).stdout).toBe(
      `spec-graph-validate: 1 hard, ${soft} soft, ${info} info\n`,
    )
  })

  test.skipIf(!JQ)('the three jq lines', () => {
    const jq = (filter: string): string[] => {
      const child = spawnSync(PROGRAM, ['-r', filter, file()], { encoding: 'utf8' })
      expect(child.status).toBe(0)
      return child.stdout.split('\n').slice(0, -1)
    }
    expect(jq('.graph.edges[] | select(.from=="cmd:work-on" and .type=="WRITES") | .to')).toContain(
      'ann:FORGE:TRAJECTORY',
    )
    expect(jq('.graph.edges[] | select(.type=="READS" and .to=="ann:FORGE:CONTRACT") | .from')).toEqual(
      incoming('READS', 'ann:FORGE:CONTRACT'),
    )
    expect(jq('.graph.edges[] | select(.type=="TRANSITIONS" and .to=="label:workflow:merged") | .from')).toEqual(
      incoming('TRANSITIONS', 'label:workflow:merged'),
    )
  })
})
