// The facts of whole corpora, put together by a plain resolver, against handed documents: the real corpus in both
// modes and every case. What is compared is nodes and edges with their evidence; bytes are the exporter's matter.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { EDGE, type SpecMode } from '../../src/model/vocabulary.ts'
import { shared } from '../support/shared.ts'
import { assemble, type DocumentEdge, type DocumentNode, readCorpus, type Sheet, specFacts } from './assemble.ts'

function expected(file: string): { nodes: DocumentNode[]; edges: DocumentEdge[] } {
  const { graph } = JSON.parse(readFileSync(file, 'utf8'))
  return { nodes: graph.nodes, edges: graph.edges }
}

const corpus = shared('corpora/forgedock')
const documents = shared('corpora/forgedock.expected')

describe.skipIf(corpus === null || documents === null)('the real corpus', () => {
  const modes: readonly (readonly [SpecMode, string])[] = [
    ['default', 'spec-graph.default.json'],
    ['forgedock-1.7', 'spec-graph.compat-forgedock-1.7.json'],
  ]
  test.each(modes)('gives the nodes and edges of the handed document, mode %s', (mode, name) => {
    expect(assemble(readCorpus(corpus ?? ''), mode)).toEqual(expected(path.join(documents ?? '', name)))
  })
})

const cases = shared('cases/spec-graph')
const names = cases === null ? [] : readdirSync(cases).filter((name) => /^\d\d-/.test(name))

// Where the cases are handed over without symbolic links, a list says which of their files are meant as links.
const links = new Set(
  cases === null
    ? []
    : readFileSync(path.join(cases, 'LINKS.txt'), 'utf8')
        .split('\n')
        .map((row) => row.split(' -> ')[0]?.replace('./', '')),
)

function readCase(name: string): Sheet[] {
  return readCorpus(path.join(cases ?? '', name)).filter((file) => !links.has(`${name}/${file.path}`))
}

interface Validation {
  readonly tool: string
  readonly args: readonly string[]
  readonly state: { readonly kind: string }
  readonly stdout: string
}

describe.skipIf(cases === null)('the cases', () => {
  test('are there', () => {
    expect(names.length).toBeGreaterThanOrEqual(20)
  })

  test.each(names)('%s', (name) => {
    const wanted = expected(path.join(cases ?? '', name, 'expected/spec-graph.json'))
    expect(assemble(readCase(name), 'forgedock-1.7')).toEqual(wanted)
  })

  // Case 15 holds files that only the public validator reads, and 14 strings that it refuses.
  test.each(names.filter((name) => !/^1[45]-/.test(name)))('%s: labels removed but never added', (name) => {
    const queries: Validation[] = JSON.parse(
      readFileSync(path.join(cases ?? '', name, 'expected/queries.json'), 'utf8'),
    )
    const run = queries.find(
      ({ tool, args, state }) => tool === 'validate' && args.includes('--json') && state.kind === 'fresh',
    )
    if (run === undefined) throw new Error('no validation stored')
    const end = run.stdout.lastIndexOf('\n}') + 2
    const findings: { class: string; message: string }[] = JSON.parse(run.stdout.slice(0, end)).findings
    const wanted = findings
      .filter((row) => row.class === 'transition-asymmetry')
      .map((row) => row.message.split(' ')[1])
    const edges = readCase(name).flatMap((file) => specFacts(file.path, file.text).edges)
    const added = new Set(edges.filter((edge) => edge.type === EDGE.transitions).map((edge) => edge.up))
    const removed = new Set(edges.filter((edge) => edge.type === EDGE.removes).map((edge) => edge.up))
    const found = [...removed].filter((label) => !added.has(label)).map((label) => label.slice('label:'.length))
    expect(found.sort()).toEqual(wanted.sort())
  })
})
