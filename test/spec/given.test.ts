// Documents that somebody wrote by hand: every verb must answer from them, whatever they hold.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseGivenDocument } from '../../src/spec/given.ts'
import { tempFolder } from '../support/temp.ts'
import { type SpecResult, spec } from './run-spec.ts'

/** Asks a document directly. */
function ask(document: unknown, ...words: string[]): Promise<SpecResult> {
  const cwd = tempFolder('given')
  writeFileSync(path.join(cwd, 'g.json'), typeof document === 'string' ? document : JSON.stringify(document))
  return spec([...words, '--graph', 'g.json', '--no-stale-check'], { cwd })
}

const node = (id: string, type: string, more: object = {}): object => ({
  id,
  type,
  name: id.slice(id.indexOf(':') + 1),
  ...more,
})
const edge = (from: string, type: string, to: string): object => ({ from, type, to })

const SHOP = {
  graph: {
    nodes: [
      node('cmd:open', 'command', { path: 'commands/open.md' }),
      node('cmd:open:sweep', 'sub-phase', { path: 'commands/open/sweep.md' }),
      node('cmd:pathless', 'command'),
      node('ann:FORGE:KEY', 'annotation'),
      node('robot:till', 'gadget', { path: 'till/firmware.bin' }),
    ],
    edges: [
      edge('cmd:open', 'WRITES', 'ann:FORGE:KEY'),
      edge('cmd:open', 'DRIVES', 'robot:till'),
      edge('cmd:open', 'CONTAINS', 'cmd:open:sweep'),
      edge('cmd:open', 'CONTAINS', 'cmd:gone'),
      edge('cmd:gone', 'CONTAINS', 'cmd:pathless'),
      edge('cmd:night', 'READS', 'ann:FORGE:KEY'),
      edge('cmd:open', 'ADORES', 'cmd:open'),
    ],
  },
}

describe('a hand-written document', () => {
  test.each([
    ['readers KEY', '["cmd:night"]'],
    ['writers KEY', '["cmd:open"]'],
    // Keys in order of first appearance; unknown types and dangling ends count.
    [
      'deps open',
      '{"WRITES":["ann:FORGE:KEY"],"DRIVES":["robot:till"],"CONTAINS":["cmd:gone","cmd:open:sweep"],"ADORES":["cmd:open"]}',
    ],
    ['deps pathless', '{}'],
    ['impact robot:till', '["cmd:open"]'],
    ['impact pathless', '["cmd:gone","cmd:open"]'],
    ['load-set open', '["commands/open.md","commands/open/sweep.md"]'],
    ['load-set pathless', '[]'],
    ['search gadget', '[]'],
    ['search FIRMWARE', '[{"id":"robot:till","type":"gadget","name":"till"}]'],
    ['search cmd:p', '[{"id":"cmd:pathless","type":"command","name":"pathless"}]'],
  ])('%s', async (words, stdout) => {
    expect(await ask(SHOP, ...words.split(' '))).toEqual({ code: 0, stdout: `${stdout}\n`, stderr: '' })
  })

  test('is asked for existence by its nodes, not by its edges', async () => {
    expect((await ask(SHOP, 'deps', 'gone')).code).toBe(1)
    expect((await ask(SHOP, 'impact', 'cmd:night')).code).toBe(1)
  })
})

describe('oddities', () => {
  const CRUMBS = [
    null,
    7,
    true,
    'x',
    [],
    {},
    { id: null },
    { id: {} },
    { id: [] },
    { id: 'cmd:a', type: 5, name: null, path: 3 },
  ]

  test('whatever cannot be a node or an edge is left out; numbers are read as their text', () => {
    const { graph } = parseGivenDocument(
      JSON.stringify({
        graph: { nodes: CRUMBS, edges: [...CRUMBS, { from: 1, type: 'T', to: 2 }, { from: 'a', type: 'T' }] },
      }),
    )
    expect(graph).toEqual({
      nodes: [{ id: 'cmd:a', type: '5', name: 'cmd:a', path: '3' }],
      edges: [{ from: '1', type: 'T', to: '2' }],
    })
  })

  test('objects stand for their values, nothing inherited counts, a byte-order mark is forgiven', () => {
    expect(parseGivenDocument('\ufeff{"graph":{"nodes":{"k":{"id":"a"}},"edges":{},"builtFromHash":"h"}}')).toEqual({
      builtFromHash: 'h',
      graph: { nodes: [{ id: 'a', type: 'unknown', name: 'a', path: null }], edges: [] },
    })
    expect(parseGivenDocument('{"graph":{"edges":[],"__proto__":{"nodes":[]}}}').graph).toBeNull()
    expect(parseGivenDocument('{"graph":"nodes"}')).toEqual({ builtFromHash: '', graph: null })
  })

  test('of a doubled id the first node counts', async () => {
    const twins = {
      graph: {
        nodes: [node('cmd:a', 'command', { path: '1.md' }), node('cmd:a', 'label', { path: '2.md' })],
        edges: [],
      },
    }
    expect((await ask(twins, 'load-set', 'a')).stdout).toBe('["1.md"]\n')
    expect((await ask(twins, 'search', 'a')).stdout).toBe('[{"id":"cmd:a","type":"command","name":"a"}]\n')
  })

  test.each([
    ['prototype names', ['__proto__', 'constructor', 'hasOwnProperty']],
    ['numbers', ['10', '2', '-1']],
    ['control characters and NUL', ['\u0000', 'a\u0000b', '\n', '\u007f']],
    ['a lone surrogate', ['\ud800']],
    ['long', ['x'.repeat(100_000)]],
    ['the empty string', ['']],
    ['a path with a double slash', ['commands//x.md']],
  ])('%s as ids, types, names and paths', async (_what, texts) => {
    const nodes = texts.map((text) => ({ id: `cmd:${text}`, type: text, name: text, path: text }))
    const edges = texts.flatMap((text) => texts.map((other) => edge(`cmd:${text}`, text, `cmd:${other}`)))
    const document = { graph: { nodes, edges } }
    for (const text of texts) {
      const id = `cmd:${text}`
      for (const verb of ['deps', 'load-set', 'impact', 'search', 'readers', 'writers']) {
        const { code, stdout } = await ask(document, verb, id)
        expect([0, 1]).toContain(code)
        if (code === 0) JSON.parse(stdout)
      }
      const keys = Object.keys(JSON.parse((await ask(document, 'deps', id)).stdout) as object)
      expect(keys).toHaveLength(1)
    }
    expect([0, 1]).toContain((await ask(document, 'validate')).code)
  })

  test('cycles of every type end', async () => {
    const ring = ['a', 'b', 'c']
    const nodes = ring.map((name) => node(`cmd:${name}`, 'command', { path: `${name}.md` }))
    const edges = ring.map((name, at) => edge(`cmd:${name}`, 'CONTAINS', `cmd:${ring[(at + 1) % 3]}`))
    const document = { graph: { nodes, edges: [...edges, edge('cmd:a', 'REQUIRES', 'cmd:a')] } }
    expect((await ask(document, 'load-set', 'b')).stdout).toBe('["a.md","b.md","c.md"]\n')
    expect((await ask(document, 'impact', 'cmd:a')).stdout).toBe('["cmd:b","cmd:c"]\n')
  })
})
