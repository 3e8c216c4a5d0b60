// The guarded reader of front matter: it runs nothing, keeps what was typed, reports the same error every time, and
// survives any text. The first tests first show that the library by itself would do the opposite.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import fc from 'fast-check'
import matter from 'gray-matter'
import { describe, expect, test } from 'vitest'
import { FRONT_MATTER_LIMIT, readFrontMatter } from '../../src/extract/front-matter.ts'
import { effort } from '../support/effort.ts'
import { tempFolder } from '../support/temp.ts'

const lines = (...all: string[]): string => all.join('\n')

describe('nothing is run', () => {
  // Code of a malicious recipe: it leaves a file behind wherever it is evaluated.
  const code = (file: string): string =>
    `(globalThis.process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(file)}, 'run'), { title: 'Rye' })`

  test('the library by itself runs the code', () => {
    const file = path.join(tempFolder(), 'proof')
    matter(`---js\n${code(file)}\n---\n`)
    expect(existsSync(file)).toBe(true)
  })

  test.each(['js', 'javascript', ' js', 'JS', 'JavaScript', 'js\r'])('`---%s` is refused', (language) => {
    const file = path.join(tempFolder(), 'proof')
    const read = readFrontMatter(`---${language}\n${code(file)}\n---\n# Rye\n`)
    expect(existsSync(file)).toBe(false)
    expect(read.problem).toMatchObject({ code: 'front-matter-language', line: 1 })
    expect(Object.keys(read.data)).toEqual([])
    expect(read.body).toBe('# Rye\n')
    expect(read.bodyLine).toBe(4)
  })

  test('closed or not, and with a byte-order mark', () => {
    const file = path.join(tempFolder(), 'proof')
    expect(readFrontMatter(`---js\n${code(file)}`).problem?.code).toBe('front-matter-language')
    expect(readFrontMatter(`\ufeff---js\n${code(file)}\n---\n`).problem?.code).toBe('front-matter-language')
    expect(existsSync(file)).toBe(false)
  })

  test.each([
    'json',
    'toml',
    'coffee',
    'coffeescript',
    'cson',
    'hjson',
    'constructor',
    '__proto__x',
    'c++',
    'objective-c',
  ])('`---%s` is no YAML either', (language) => {
    const read = readFrontMatter(`---${language}\n{}\n---\n`)
    expect(read.problem === null ? [] : [read.problem.code]).toEqual(
      language.startsWith('_') ? [] : ['front-matter-language'],
    )
    expect(Object.keys(read.data)).toEqual([])
  })

  test('a YAML tag for code is an error', () => {
    const read = readFrontMatter('---\ntitle: !!js/function "function () { return 1 }"\n---\n')
    expect(read.problem).toMatchObject({ code: 'malformed-front-matter', line: 2 })
  })
})

describe('what was typed', () => {
  test('every scalar stays text; only an empty value is null', () => {
    const text = lines(
      '---',
      'id: 0012',
      'date: 2024-05-01',
      'time: 12:30:00',
      'ratio: 1.10',
      'yes: no',
      'none: ~',
      'blank:',
      'quoted: "7"',
      '---',
    )
    expect({ ...readFrontMatter(text).data }).toEqual({
      id: '0012',
      date: '2024-05-01',
      time: '12:30:00',
      ratio: '1.10',
      yes: 'no',
      none: '~',
      blank: null,
      quoted: '7',
    })
  })

  test('lists, mappings, block scalars', () => {
    const text = lines(
      '---',
      'flours: [rye, 550]',
      'oven:',
      '  heat: 230',
      'note: |',
      '  first',
      '',
      '  second',
      '---',
      'body',
    )
    const read = readFrontMatter(text)
    expect({ ...read.data }).toEqual({ flours: ['rye', '550'], oven: { heat: '230' }, note: 'first\n\nsecond\n' })
    expect(read).toMatchObject({ body: 'body', bodyLine: 10, problem: null })
  })

  test.each([
    ['windows line ends', '---\r\ntitle: Rye\r\n---\r\nbody\r\n', 'body\r\n', 4],
    ['a byte-order mark', '\ufeff---\ntitle: Rye\n---\nbody', 'body', 4],
    ['dots at the end', '---\ntitle: Rye\n...\nbody', 'body', 4],
    ['blanks behind the fences', '--- \t\ntitle: Rye\n---  \nbody', 'body', 4],
    ['a named language', '--- YAML\ntitle: Rye\n---\nbody', 'body', 4],
    ['another name of it', '---yml\ntitle: Rye\n---\nbody', 'body', 4],
    ['a comment behind the fence', '--- # of a recipe\ntitle: Rye\n---\nbody', 'body', 4],
    ['no body', '---\ntitle: Rye\n---', '', 4],
    ['a comment line', '---\n# MADR template\ntitle: Rye\n---\nbody', 'body', 5],
    ['a longer rule inside', '---\ntitle: Rye\n#----\n---\nbody', 'body', 5],
  ])('%s', (_what, text, body, bodyLine) => {
    const read = readFrontMatter(text)
    expect({ ...read.data }).toEqual({ title: 'Rye' })
    expect(read).toMatchObject({ body, bodyLine, problem: null })
  })

  test.each([
    ['no front matter', '# Rye\n---\ntitle: x\n---\n'],
    ['an empty text', ''],
    ['a longer rule', '----\ntitle: Rye\n----\n'],
    ['prose behind a rule', '--- a rule, then words\ntitle: Rye\n---\n'],
    ['never closed', '---\ntitle: Rye\n'],
    ['only the fence', '---'],
    ['not on the first line', '\n---\ntitle: Rye\n---\n'],
    ['indented', ' ---\ntitle: Rye\n ---\n'],
    ['an indented end', '---\ntitle: Rye\n ---\n'],
  ])('%s is no front matter', (_what, text) => {
    const read = readFrontMatter(text)
    expect(Object.keys(read.data)).toEqual([])
    expect(read).toMatchObject({ body: text, bodyLine: 1, problem: null })
  })

  test.each(['---\n---\nbody', '---\n\n---\nbody', '---\n# only a remark\n---\nbody'])(
    '%j is empty front matter',
    (text) => {
      const read = readFrontMatter(text)
      expect(Object.keys(read.data)).toEqual([])
      expect(read).toMatchObject({ body: 'body', problem: null })
    },
  )
})

describe('broken YAML', () => {
  const broken = lines('---', 'title: Rye', 'flours: [rye, wheat', 'oven: hot', '---', '# Rye')

  test('is reported the same way the second time; the library by itself forgets it', () => {
    const again = '---\nflours: [rye, barley\n---\n'
    expect(() => matter(again)).toThrow()
    expect(matter(again).data).toEqual({})
    const first = readFrontMatter(broken)
    expect(first.problem).toEqual({ code: 'malformed-front-matter', line: 4, detail: expect.any(String) })
    expect(first).toMatchObject({ body: '# Rye', bodyLine: 6 })
    expect(readFrontMatter(broken)).toEqual(first)
  })

  test('never gets into the library’s cache, and never out of it', () => {
    const cache: Record<string, unknown> = createRequire(import.meta.url)('gray-matter').cache
    const text = '---\ntitle: Spelt\n---\n'
    const before = Object.keys(cache).length
    const first = readFrontMatter(text)
    ;(first.data as Record<string, unknown>).title = 'spoilt'
    expect(readFrontMatter(text).data.title).toBe('Spelt')
    expect(Object.keys(cache)).toHaveLength(before)
  })

  test.each([
    ['a repeated key', '---\na: 1\nb: 2\na: 3\n---\n', 4],
    ['text', '---\njust some words\n---\n', 1],
    ['a list', '---\n- rye\n---\n', 1],
    ['two documents', '---\na: 1\n--- b\n---\n', 1],
    ['brackets in brackets', '---\nrequires: [[lib]/SPEC-0001]\n---\n', 2],
    ['a key out of line', '---\na: 1\n  b: 2\n---\n', 3],
    ['an unknown alias', '---\na: *b\n---\n', 2],
    ['a NUL', '---\na: \0\n---\n', 1],
    ['a control character', '---\na: \u0007\n---\n', 2],
    ['an unknown tag', '---\na: !flour 1\n---\n', 2],
  ])('%s', (_what, text, line) => {
    expect(readFrontMatter(text).problem).toMatchObject({ code: 'malformed-front-matter', line })
  })
})

describe('hostile YAML', () => {
  const cpu = (work: () => void): number => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  test('laughs do not multiply', () => {
    const laughs = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(8)}]`)
    const read = readFrontMatter(lines('---', 'l0: &l0 [ha, ha]', ...laughs, '---'))
    expect(read.problem).toMatchObject({ code: 'malformed-front-matter', detail: expect.stringContaining('aliases') })
  })

  test('few aliases are fine, their expansion is not', () => {
    expect(readFrontMatter('---\na: &f [rye, wheat]\nb: *f\nc: *f\n---\n')).toMatchObject({
      data: { b: ['rye', 'wheat'] },
      problem: null,
    })
    const doubling = Array.from({ length: 40 }, (_, i) => `l${i + 1}: &l${i + 1} [*l${i}, *l${i}]`)
    expect(readFrontMatter(lines('---', 'l0: &l0 [ha]', ...doubling, '---')).problem?.detail).toMatch(/expand/)
    expect(readFrontMatter('---\na: &a [*a]\n---\n').problem?.detail).toMatch(/expand/)
  })

  test('there is an end to aliases even where each is harmless', () => {
    const many = (count: number): string => `---\na: &a x\nb: [${'*a, '.repeat(count)}]\n---\n`
    expect(readFrontMatter(many(256)).problem).toBeNull()
    expect(readFrontMatter(many(257)).problem?.detail).toMatch(/more than 256 aliases/)
  })

  test('keys of prototypes are keys', () => {
    const read = readFrontMatter('---\n__proto__: { baked: yes }\nconstructor: x\ntitle: Rye\n---\n')
    expect(Object.keys(read.data)).toEqual(['__proto__', 'constructor', 'title'])
    expect(Object.getPrototypeOf(read.data)).toBeNull()
    expect(({} as { baked?: string }).baked).toBeUndefined()
    expect(readFrontMatter('---\ntitle: Rye\n---\n').data.constructor).toBeUndefined()
  })

  test.each([
    ['blank lines', '\n'.repeat(60_000), 'malformed-front-matter'],
    ['blanks behind a key', `a:${' '.repeat(60_000)}b`, 'malformed-front-matter'],
    ['brackets', `a: ${'['.repeat(60_000)}`, 'malformed-front-matter'],
    ['braces', `a: ${'{a: '.repeat(15_000)}`, 'malformed-front-matter'],
    ['list marks', '- '.repeat(30_000), 'malformed-front-matter'],
    ['question marks', '? '.repeat(30_000), 'malformed-front-matter'],
    ['anchors', Array.from({ length: 4_000 }, (_, i) => `a${i}: &a${i}`).join('\n'), null],
    ['keys', Array.from({ length: 5_000 }, (_, i) => `a${i}: b`).join('\n'), null],
    ['quotes', `a: "${'\\x41'.repeat(15_000)}"`, null],
    ['stars', `a: [${'*a, '.repeat(15_000)}]`, 'malformed-front-matter'],
    ['size', `a: ${'b'.repeat(FRONT_MATTER_LIMIT)}`, 'front-matter-too-large'],
    ['megabytes', 'a: b\n'.repeat(2_000_000), 'front-matter-too-large'],
  ])('%s', (_what, block, code) => {
    let read = readFrontMatter('')
    expect(cpu(() => (read = readFrontMatter(`---\n${block}\n---\n`)))).toBeLessThan(1_500)
    expect(read.problem?.code ?? null).toBe(code)
  })

  test('an endless first line is no fence', () => {
    expect(cpu(() => readFrontMatter(`---${' '.repeat(5_000_000)}x\n---\n`))).toBeLessThan(500)
  })

  test('no text throws, and the same text gives the same answer', () => {
    const fragments = [
      '---',
      '...',
      '\n',
      '\r\n',
      ': ',
      '- ',
      '&a',
      '*a',
      '!!',
      '!',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '#',
      '|',
      '>',
      '%',
      '@',
      '`',
      '?',
      '  ',
      '\t',
      'title',
      '__proto__',
      '\ufeff',
      '\u2028',
      '\0',
      '\ud800',
      'js',
      '<<',
    ]
    const block = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string())).map((parts) => parts.join(''))
    const bytes = fc.uint8Array({ maxLength: 200 }).map((raw) => new TextDecoder().decode(raw))
    fc.assert(
      fc.property(fc.oneof(block, bytes), fc.boolean(), (inner, fenced) => {
        const text = fenced ? `---\n${inner}\n---\nbody` : inner
        const read = readFrontMatter(text)
        expect(text.endsWith(read.body)).toBe(true)
        expect(read.bodyLine).toBe(text.slice(0, text.length - read.body.length).split('\n').length)
        expect(readFrontMatter(text)).toEqual(read)
      }),
      { numRuns: effort(3_000, 50_000) },
    )
  })
})
