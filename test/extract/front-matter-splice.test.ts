// The splice of backfill: the literal shapes that front matter comes in, what is refused, and, for any text, that only
// the addition changes and the reader reads exactly the old values and the new ids.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFrontMatter } from '../../src/extract/front-matter.ts'
import { type FieldAddition, spliceFrontMatter } from '../../src/extract/front-matter-splice.ts'
import { effort } from '../support/effort.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

function spliced(text: string, ...additions: readonly FieldAddition[]): string {
  const result = spliceFrontMatter(encode(text), additions)
  return result.ok ? decode(result.bytes) : `refused: ${result.reason}`
}

const extend = (...targets: string[]): FieldAddition => ({ field: 'extends', targets })
const BODY = '\n# ADR-0009: Rye on Tuesdays\n\nLeaven --- first.\n'

describe('a file', () => {
  test('without front matter gets a block', () => {
    expect(spliced('# Rye\n', extend('ADR-0001'))).toBe('---\nextends: [ADR-0001]\n---\n\n# Rye\n')
    expect(spliced('\n# Rye\n', extend('ADR-0001'))).toBe('---\nextends: [ADR-0001]\n---\n\n# Rye\n')
    expect(spliced('# Rye\r\n', extend('ADR-0001'))).toBe('---\r\nextends: [ADR-0001]\r\n---\r\n\r\n# Rye\r\n')
    expect(spliced('', extend('ADR-0001'))).toBe('---\nextends: [ADR-0001]\n---\n')
    expect(spliced('----\nRye', extend('ADR-0001'))).toBe('---\nextends: [ADR-0001]\n---\n\n----\nRye')
  })

  test('keeps its byte-order mark in front', () => {
    expect(spliced('\ufeff# Rye\n', extend('ADR-0001'))).toBe('\ufeff---\nextends: [ADR-0001]\n---\n\n# Rye\n')
    expect(spliced(`\ufeff---\na: b\n---\n`, extend('ADR-0001'))).toBe('\ufeff---\na: b\nextends: [ADR-0001]\n---\n')
  })

  test('with an empty block, with comments only, closed by dots or by the end of the file', () => {
    expect(spliced('---\n---\nRye', extend('ADR-0001'))).toBe('---\nextends: [ADR-0001]\n---\nRye')
    expect(spliced('---\n# none\n---\n', extend('ADR-0001'))).toBe('---\n# none\nextends: [ADR-0001]\n---\n')
    expect(spliced('---\na: b\n...\nRye', extend('ADR-0001'))).toBe('---\na: b\nextends: [ADR-0001]\n...\nRye')
    expect(spliced('---\na: b\n---', extend('ADR-0001'))).toBe('---\na: b\nextends: [ADR-0001]\n---')
  })
})

describe('front matter', () => {
  const rows: readonly (readonly [string, string, string, FieldAddition[]])[] = [
    ['a new key', 'status: open\n', 'status: open\nextends: [ADR-0001, ADR-0002]\n', [extend('ADR-0001', 'ADR-0002')]],
    [
      'several keys, in the order given',
      'status: open\n',
      'status: open\nsupersedes: [ADR-0003]\nextends: [ADR-0001]\n',
      [{ field: 'supersedes', targets: ['ADR-0003'] }, extend('ADR-0001')],
    ],
    ['a module id is quoted', 'a: b\n', 'a: b\nextends: ["[mill]/ADR-0001"]\n', [extend('[mill]/ADR-0001')]],
    ['CR LF', 'a: b\r\n', 'a: b\r\nextends: [ADR-0001]\r\n', [extend('ADR-0001')]],
    ['indented keys', '  a: b\n', '  a: b\n  extends: [ADR-0001]\n', [extend('ADR-0001')]],
    [
      'a last key that is a block of text',
      'a: |\n  rye\n\n',
      'a: |\n  rye\n\nextends: [ADR-0001]\n',
      [extend('ADR-0001')],
    ],
    ['a flow list', 'extends: [ADR-0001] # ok\n', 'extends: [ADR-0001, ADR-0002] # ok\n', [extend('ADR-0002')]],
    ['an empty list', 'extends: []\nb: c\n', 'extends: [ADR-0002]\nb: c\n', [extend('ADR-0002')]],
    ['a trailing comma', 'extends: [ADR-0001, ]\n', 'extends: [ADR-0001, ADR-0002, ]\n', [extend('ADR-0002')]],
    ['double quotes', 'extends: ["ADR-0001"]\n', 'extends: ["ADR-0001", "ADR-0002"]\n', [extend('ADR-0002')]],
    ['single quotes', "extends: ['ADR-0001']\n", "extends: ['ADR-0001', '[m]/ADR-0002']\n", [extend('[m]/ADR-0002')]],
    ['a quoted key', '"extends": [ADR-0001]\n', '"extends": [ADR-0001, ADR-0002]\n', [extend('ADR-0002')]],
    [
      'a block list',
      'extends:\n  - ADR-0001 # first\n  -   ADR-0003  # third\nb: c\n',
      'extends:\n  - ADR-0001 # first\n  -   ADR-0003  # third\n  -   ADR-0002\n  -   ADR-0004\nb: c\n',
      [extend('ADR-0002', 'ADR-0004')],
    ],
    ['a block list at the margin', 'extends:\n- "A-1"\n', 'extends:\n- "A-1"\n- "ADR-0002"\n', [extend('ADR-0002')]],
    [
      'a flow list over lines',
      'extends: [\n  ADR-0001,\n  ADR-0003 # third\n]\n',
      'extends: [\n  ADR-0001,\n  ADR-0003, # third\n  ADR-0002\n]\n',
      [extend('ADR-0002')],
    ],
    [
      'the same with a trailing comma and CR LF',
      'extends: [\r\n   ADR-0001,\r\n]\r\n',
      'extends: [\r\n   ADR-0001,\r\n   ADR-0002,\r\n]\r\n',
      [extend('ADR-0002')],
    ],
    [
      'a bracket on the last line',
      'extends: [A-1,\n  A-2]\n',
      'extends: [A-1,\n  A-2, ADR-0002]\n',
      [extend('ADR-0002')],
    ],
    ['an empty value', 'extends:\nb: c\n', 'extends: [ADR-0002]\nb: c\n', [extend('ADR-0002')]],
    ['an empty value and a comment', 'extends: # none\n', 'extends: [ADR-0002] # none\n', [extend('ADR-0002')]],
    ['null', 'extends: null # none\n', 'extends: [ADR-0002] # none\n', [extend('ADR-0002')]],
    ['a tilde', 'extends: ~\n', 'extends: [ADR-0002]\n', [extend('ADR-0002')]],
    [
      'an odd but readable rest',
      'date: 0012\nx: &a [1]\ny: *a\n',
      'date: 0012\nx: &a [1]\ny: *a\nextends: [A-1]\n',
      [extend('A-1')],
    ],
    [
      'the word in a text and in a nested key',
      'a:\n  extends: x\n',
      'a:\n  extends: x\nextends: [A-1]\n',
      [extend('A-1')],
    ],
  ]
  test.each(rows)('%s', (_, before, after, additions) => {
    expect(
      spliced(
        `---\n${before}---\n${BODY}`.replace(/^---\n/, before.includes('\r') ? '---\r\n' : '---\n'),
        ...additions,
      ),
    ).toBe(`---${before.includes('\r') ? '\r' : ''}\n${after}---\n${BODY}`)
  })

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['broken YAML', '---\na: [b\n---\n', /not readable/],
    ['a tab before an entry', '---\nextends: [\n\tA-1\n]\n---\n', /not YAML/],
    ['a repeated key', '---\na: b\na: c\n---\n', /not readable/],
    ['an unquoted module id', '---\nrequires: [[mill]/SPEC-0001]\n---\n', /not readable/],
    ['another language', '---js\n({})\n---\n', /not readable/],
    ['a scalar', '---\nextends: ADR-0001\n---\n', /`extends` is no list/],
    ['keys', '---\nextends:\n  a: b\n---\n', /`extends` is no list/],
    ['an alias', '---\nx: &a [A-1]\nextends: *a\n---\n', /no list|something else/],
    ['an anchor that is used elsewhere', '---\nextends: &a [A-1]\nx: *a\n---\n', /something else/],
    ['a list in braces', '---\n{a: b}\n---\n', /braces/],
    ['a list at the top', '---\n- a\n---\n', /not readable/],
    ['never closed', '---\na: b\n', /never closed/],
    ['not on line 1', '\n---\na: b\n---\n', /line 1/],
    ['a nested last entry', '---\nextends: [A-1, [A-2]]\n---\n', /no id/],
    ['an empty last entry', '---\nextends:\n  - A-1\n  -\n---\n', /no id/],
  ]
  test.each(refused)('refuses %s', (_, text, reason) => {
    expect(spliced(text, extend('ADR-0002'))).toMatch(reason)
  })

  test('refuses what is not UTF-8', () => {
    const bytes = Buffer.from('---\na: \xff\n---\n', 'latin1')
    expect(spliceFrontMatter(bytes, [extend('ADR-0002')])).toEqual({ ok: false, reason: 'it is not UTF-8' })
  })

  test('nothing to add changes nothing', () => {
    expect(spliced('---\na: [\n---\n', extend())).toBe('---\na: [\n---\n')
  })
})

const eol = fc.constantFrom('\n', '\r\n')
const word = fc.stringMatching(/^[a-z][a-z0-9 ,:#'"\u00e9\u2014-]{0,20}$/)
const quoted = fc.string({ maxLength: 20 }).map((text) => JSON.stringify(text))
const list = fc
  .tuple(
    fc.subarray(['ADR-0001', 'ADR-0002', 'ADR-0003'], { minLength: 1 }),
    fc.constantFrom('flow', 'block', 'lines'),
    fc.constantFrom('', '"', "'"),
  )
  .map(([ids, style, quote]) => {
    const items = ids.map((id) => quote + id + quote)
    if (style === 'flow') return `[${items.join(', ')}]`
    if (style === 'block') return items.map((item) => `\n  - ${item} # why`).join('')
    return `[\n    ${items.join(',\n    ')}\n  ]`
  })
const line = fc.oneof(
  word.map((text) => `# ${text}`),
  word.map((text) => `title: ${text}`),
  quoted.map((text) => `note: ${text}`),
  list.map((text) => `extends: ${text}`),
  fc.constantFrom('', 'extends:', 'extends: []', 'related: ~ # todo', 'date: 2025-01-02', 'more: |\n  extends: [x]'),
)

test('any front matter, title, comments and line ends: only the addition changes, or nothing at all', () => {
  const file = fc.record({
    bom: fc.boolean(),
    eol,
    lines: fc.array(line, { maxLength: 6 }),
    body: fc.string({ maxLength: 80 }),
  })
  fc.assert(
    fc.property(file, ({ bom, eol, lines, body }) => {
      const head = lines.length === 0 ? '' : ['---', ...lines, '---', ''].join('\n').replaceAll('\n', eol)
      const text = `${bom ? '\ufeff' : ''}${head}# Rye: ${body}`
      // A lone half of a surrogate pair is no UTF-8.
      fc.pre(decode(encode(text)) === text)
      const additions = [extend('ADR-0009', '[mill]/ADR-0001'), { field: 'related', targets: ['ADR-0008'] }]
      const before = encode(text)
      const kept = before.slice()
      const result = spliceFrontMatter(before, additions)
      expect(before).toEqual(kept)
      const old = readFrontMatter(text)
      if (!result.ok) {
        expect(old.problem !== null || /no list|no id|not YAML|readable|something else/.test(result.reason)).toBe(true)
        return
      }
      const after = readFrontMatter(decode(result.bytes))
      expect(after.problem).toBeNull()
      const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
      expect(after.data).toEqual({
        ...old.data,
        extends: [...listed(old.data.extends), 'ADR-0009', '[mill]/ADR-0001'],
        related: [...listed(old.data.related), 'ADR-0008'],
      })
      // Behind the front matter every byte is the old one; a new block is divided from the text by one line end.
      const tail = decode(result.bytes)
      expect(tail.endsWith(head === '' ? text.slice(bom ? 1 : 0) : old.body)).toBe(true)
      // Taking the added characters away gives the old text: what was there stands there in its order.
      const rest = head === '' ? '' : text.slice(0, text.length - old.body.length)
      expect(isWithin(rest.replaceAll('related: ~', 'related: '), tail)).toBe(true)
    }),
    { numRuns: effort(500, 5000) },
  )
})

test('any bytes: nothing is thrown, and what comes back reads as asked', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '---\n',
        '---',
        '\n',
        ': ',
        'extends',
        '[',
        ']',
        '{',
        '}',
        '- ',
        '#',
        '&a',
        '*a',
        '"',
        '|',
        '\t',
        'A-1',
        ', ',
        '? ',
        '!!x ',
      ],
    ),
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
      const text = `---\n${parts.join('')}\n---\nRye\n`
      fc.pre(decode(encode(text)) === text)
      const result = spliceFrontMatter(encode(text), [extend('ADR-0009')])
      if (!result.ok) return
      expect(readFrontMatter(decode(result.bytes)).data.extends).toContain('ADR-0009')
    }),
    { numRuns: effort(1000, 20_000) },
  )
})

function isWithin(part: string, whole: string): boolean {
  let at = 0
  for (const character of part) {
    at = whole.indexOf(character, at)
    if (at === -1) return false
    at++
  }
  return true
}
