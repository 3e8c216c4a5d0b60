// What one document says of itself and which documents it links to.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentExtractor, linkedDocument } from '../../src/extract/document.ts'
import { SEVERITY } from '../../src/model/facts.ts'
import { EDGE, KIND } from '../../src/model/vocabulary.ts'
import { effort } from '../support/effort.ts'
import { shared } from '../support/shared.ts'
import { source } from './assemble.ts'

const PATH = 'docs/breads/rye.md'
const facts = (text: string, asLines = false) => documentExtractor.extract(source(PATH, text, asLines))
const self = (text: string) => facts(text).nodes[0]

describe('the node', () => {
  test('is the file', () => {
    expect(facts('flour').nodes).toEqual([
      { id: PATH, kind: KIND.document, own: true, title: null, status: null, line: null },
    ])
  })

  test.each([
    ['---\ntitle: Rye\n---\n# Bread', 'Rye'],
    ['---\ntitle: 0012\n---\n', '0012'],
    ['---\ntitle: "  "\n---\n# Bread', 'Bread'],
    ['---\ntitle: [a, b]\n---\n# Bread', 'Bread'],
    ['---\ntitle:\n---\n# Bread', 'Bread'],
    ['---\n# a remark, not a heading\nstatus: draft\n---\n# Bread', 'Bread'],
    ['## Oven\n#\n# Bread\n# Rye', 'Bread'],
    ['```\n# Fence\n```\n# Bread', 'Bread'],
    ['\ufeff# Bread', 'Bread'],
    ['# Bread\r\n', 'Bread'],
    ['Bread\n=====', null],
    ['', null],
  ])('title of %j', (text, title) => {
    expect(self(text)?.title).toBe(title)
  })

  test.each([
    ['---\nstatus: accepted\n---\n', 'accepted'],
    ['---\nstatus: 2024-05-01\n---\n', '2024-05-01'],
    ['---\nstatus: [a]\n---\n', null],
    ['---\nstatus:\n---\n', null],
    ['status: accepted', null],
  ])('status of %j', (text, status) => {
    expect(self(text)?.status).toBe(status)
  })
})

describe('links', () => {
  test.each([
    ['oven.md', 'docs/breads/oven.md'],
    ['./oven.md', 'docs/breads/oven.md'],
    ['../heat/oven.md#top', 'docs/heat/oven.md'],
    ['../../README.md?raw=1#x', 'README.md'],
    ['my%20oven.md', 'docs/breads/my oven.md'],
    ['100%.md', 'docs/breads/100%.md'],
    ['%2e%2e/oven.md', 'docs/oven.md'],
    ['a//b/./c/../oven.md', 'docs/breads/a/b/oven.md'],
    ['caf%C3%A9.md', 'docs/breads/café.md'],
    ['a%23b.md', 'docs/breads/a#b.md'],
    ['a:b.md', null],
    ['./a:b.md', 'docs/breads/a:b.md'],
    ['../../../oven.md', null],
    ['../../../breads/rye.md', null],
    ['%2e%2e/%2e%2e/%2e%2e/oven.md', null],
    ['/oven.md', null],
    ['//host/oven.md', null],
    ['%2Foven.md', null],
    ['https://bakery.example/oven.md', null],
    ['file:oven.md', null],
    ['mailto:oven@bakery.md', null],
    ['oven.MD', null],
    ['oven.mdx', null],
    ['oven', null],
    ['#oven.md', null],
    ['?oven.md', null],
    ['', null],
    ['oven%00.md', null],
  ])('%j', (target, linked) => {
    expect(linkedDocument(PATH, target)).toBe(linked)
  })

  test('are edges from the document to what it needs, once per target, without itself', () => {
    const text =
      '---\ntitle: Rye\n---\n[a](oven.md)\n[b](oven.md#heat) [c](flour.md)\n[d](rye.md) [e](../breads/rye.md)\n'
    expect(facts(text).edges).toEqual([
      { up: 'docs/breads/oven.md', down: PATH, type: EDGE.links, line: 4, note: null },
      { up: 'docs/breads/flour.md', down: PATH, type: EDGE.links, line: 5, note: null },
    ])
  })

  test('do not come from front matter, code or comments', () => {
    const text = '---\nsee: "[a](a.md)"\n---\n```\n[b](b.md)\n```\n`[c](c.md)` <!-- [d](d.md) -->\n'
    expect(facts(text).edges).toEqual([])
  })
})

describe('problems', () => {
  test('of front matter are told, and the rest is still read', () => {
    const broken = facts('---\ntitle: [rye\n---\n# Bread\n[o](oven.md)\n')
    expect(broken.problems).toMatchObject([{ code: 'malformed-front-matter', severity: SEVERITY.warning, line: 3 }])
    expect(broken.nodes).toMatchObject([{ title: 'Bread' }])
    expect(broken.edges).toMatchObject([{ up: 'docs/breads/oven.md', line: 5 }])
    expect(facts('---js\n{}\n---\n# Bread').problems).toMatchObject([{ code: 'front-matter-language', line: 1 }])
  })

  test('are none for a block that is never closed', () => {
    expect(facts('---\ntitle: rye\n# Bread\n')).toMatchObject({ problems: [], nodes: [{ title: 'Bread' }] })
  })
})

test('lines alone give the same facts', () => {
  const parts = [
    '---',
    '...',
    '---js',
    'title: Rye',
    'title: [',
    'status: draft',
    '# Bread',
    '[o](oven.md)',
    '```',
    '<!--',
    '-->',
    '',
    '\ufeff',
    '\r',
  ]
  const text = fc
    .tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.constantFrom(...parts), { maxLength: 12 }))
    .map(([mark, lines]) => mark + lines.join('\n'))
  fc.assert(
    fc.property(text, (whole) => {
      expect(facts(whole, true)).toEqual(facts(whole))
    }),
    { numRuns: effort(2_000, 20_000) },
  )
})

const corpus = shared('corpora/sdd')

test.skipIf(corpus === null)('real documents give a title each, links to each other, and no problem', () => {
  const files = readdirSync(corpus ?? '', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const all = files.map((file) =>
    documentExtractor.extract(source(file, readFileSync(path.join(corpus ?? '', file), 'utf8'))),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(all.flatMap((one) => one.problems)).toEqual([])
  const nodes = all.flatMap((one) => one.nodes)
  expect(nodes.filter((node) => node.title === null).map((node) => node.id)).toEqual([])
})
