// The line state machine for Markdown: what is a heading, what is a link, and what only looks like one because it
// stands in a fence, a code span or a comment.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanMarkdown } from '../../src/extract/markdown.ts'
import { effort } from '../support/effort.ts'

/** Everything met, as `#1 text @line` and `→ target @line`. */
function met(text: string, firstLine = 1): string[] {
  const all: string[] = []
  scanMarkdown(text.split('\n'), firstLine, {
    heading: (level, heading, line) => all.push(`#${level} ${heading} @${line}`),
    link: (target, line) => all.push(`→ ${target} @${line}`),
  })
  return all
}

describe('headings', () => {
  test.each([
    ['# Rye', ['#1 Rye @1']],
    ['###### Rye ######', ['#6 Rye @1']],
    ['   ## Rye  bread \t', ['#2 Rye  bread @1']],
    ['#\tRye\r', ['#1 Rye @1']],
    ['#', ['#1  @1']],
    ['# ##', ['#1  @1']],
    ['# C#', ['#1 C# @1']],
    ['# Rye #bread#', ['#1 Rye #bread# @1']],
    ['# `rye` **bread**', ['#1 `rye` **bread** @1']],
    ['# [Rye](rye.md)', ['#1 [Rye](rye.md) @1', '→ rye.md @1']],
    ['#Rye', []],
    ['####### Rye', []],
    ['    # Rye', []],
    ['\\# Rye', []],
    ['> # Rye', []],
    ['- # Rye', []],
    ['text # Rye', []],
  ])('%j', (text, found) => {
    expect(met(text)).toEqual(found)
  })

  test('count from the given line', () => {
    expect(met('# Rye\n## Oven', 7)).toEqual(['#1 Rye @7', '#2 Oven @8'])
  })
})

describe('links', () => {
  test.each([
    ['[rye](rye.md)', ['rye.md']],
    ['[rye]( rye.md )', ['rye.md']],
    ['[rye](<my rye.md>)', ['my rye.md']],
    ['[rye](rye.md "dark bread")', ['rye.md']],
    ["[rye](rye.md 'dark (bread)')", ['rye.md']],
    ['[rye](rye.md (dark))', ['rye.md']],
    ['[rye](rye_(dark).md)', ['rye_(dark).md']],
    ['[rye](rye\\_dark\\).md)', ['rye_dark).md']],
    ['[a](a.md) and [b](b.md)', ['a.md', 'b.md']],
    ['[![crumb](crumb.png)](rye.md)', ['crumb.png', 'rye.md']],
    ['[of [dark] rye](rye.md)', ['rye.md']],
    ['[dark\nrye](rye.md)', ['rye.md']],
    ['[rye]: rye.md', ['rye.md']],
    ['   [rye]: <my rye.md> "dark"', ['my rye.md']],
    ['> [rye](rye.md)', ['rye.md']],
    ['1. [rye](rye.md)', ['rye.md']],
    ['    [rye](rye.md)', ['rye.md']],
    ['| [rye](rye.md) | [oven](oven.md) |', ['rye.md', 'oven.md']],
    ['[rye] (rye.md)', []],
    ['rye](rye.md)', []],
    ['\\[rye](rye.md)', []],
    ['[dark\n\nrye](rye.md)', []],
    ['[rye]()', []],
    ['[rye](rye.md', []],
    ['[rye](dark rye.md)', []],
    ['[rye](rye((.md)', []],
    ['[^1]: rye.md', []],
    ['[rye] rye.md', []],
  ])('%j', (text, targets) => {
    expect(met(text).map((row) => row.split(' @')[0])).toEqual(targets.map((target) => `→ ${target}`))
  })
})

describe('not in code and comments', () => {
  const LINK = '[x](x.md)'
  const AFTER = '→ y.md'

  // Each text ends with a link that counts, so that a scan which never wakes up again fails too.
  test.each([
    ['a fence', `\`\`\`\n${LINK}\n\`\`\`\n[y](y.md)`],
    ['a fence of tildes', `~~~ sh\n${LINK}\n~~~\n[y](y.md)`],
    ['a longer fence', `\`\`\`\`\n\`\`\`\n${LINK}\n\`\`\`\`\`  \n[y](y.md)`],
    ['a fence of the other kind inside', `~~~\n\`\`\`\n~~~\n[y](y.md)`],
    ['an end with a word is none', `\`\`\`\n\`\`\`sh\n${LINK}\n\`\`\`\n[y](y.md)`],
    ['an indented fence', `   \`\`\`\n${LINK}\n   \`\`\`\n[y](y.md)`],
    ['an end that is indented too far', `\`\`\`\n    \`\`\`\n${LINK}\n\`\`\`\n[y](y.md)`],
    ['windows line ends', `\`\`\`\r\n${LINK}\r\n\`\`\`\r\n[y](y.md)\r`],
    ['a fence in a list item', `1. knead\n\n   \`\`\`\n   ${LINK}\n   \`\`\`\n\n[y](y.md)`],
    ['a fence behind a list mark', `- \`\`\`sh\n  ${LINK}\n  \`\`\`\n[y](y.md)`],
    ['a fence deep in lists', `- a\n    - b\n\n      \`\`\`\n      ${LINK}\n      \`\`\`\n[y](y.md)`],
    ['a fence ended by the end of its item', `- \`\`\`\n  ${LINK}\n\n[y](y.md)`],
    ['a fence ended by the next item', `- \`\`\`\n  ${LINK}\n- [y](y.md)`],
    ['a list in a fence in an item', `- \`\`\`\n  - ${LINK}\n  \`\`\`\n[y](y.md)`],
    ['a fence in a quotation', `> \`\`\`\n> ${LINK}\n> \`\`\`\n\n[y](y.md)`],
    ['a fence ended by the end of its quotation', `> \`\`\`\n> ${LINK}\n\n[y](y.md)`],
    ['a fence ended by text behind its quotation', `> \`\`\`\n> ${LINK}\n[y](y.md)`],
    ['an item in a fence is no item', '```\n- \n```\n     ```\n     [y](y.md)'],
    ['an item that has ended', '- a\n\nb\n     ```\n     [y](y.md)'],
    ['an indented block behind a list mark', '-      ```\n       [y](y.md)'],
    ['a code span', `\`${LINK}\` [y](y.md)`],
    ['a code span with a back-tick', `\`\`${LINK} \` ${LINK}\`\` [y](y.md)`],
    ['a lone back-tick is text', '` [y](y.md)'],
    ['two kinds of lone back-ticks', '`` ` [y](y.md)'],
    ['an escaped back-tick', '\\` [y](y.md) `'],
    ['no fence: back-ticks in its word', `\`\`\`a\`\`\` [y](y.md)`],
    ['a comment', `<!-- ${LINK} --> [y](y.md)`],
    ['a comment over lines', `<!--\n\n${LINK}\n# Rye\n\`\`\`\n--> [y](y.md)`],
    ['a comment within a paragraph', `flour <!-- ${LINK}\n${LINK} --> [y](y.md)`],
    ['a comment never closed within a paragraph', `flour <!-- ${LINK}\n\n[y](y.md)`],
    ['a comment without anything', '<!--> [y](y.md)'],
    ['a comment of one hyphen', '<!---> [y](y.md)'],
    ['short comments', '<!--> <!---> <!-- --> [y](y.md)'],
    ['a comment mark in code', '`<!--` [y](y.md)'],
    ['a fence in a comment', `<!--\n\`\`\`\n-->\n[y](y.md)`],
    ['rules are no lists', `* * *\n\n- - -\n    \`\`\`\n[y](y.md)`],
  ])('%s', (_what, text) => {
    expect(met(text).map((row) => row.split(' @')[0])).toEqual([AFTER])
  })

  test.each([
    ['a fence', `\`\`\`\n${LINK}`],
    ['a comment', `<!-- flour\n\n${LINK}`],
  ])('%s that is never closed reaches to the end', (_what, text) => {
    expect(met(text)).toEqual([])
  })

  test('no heading either', () => {
    expect(met('```\n# Rye\n```\n<!--\n# Spelt\n-->\n# Wheat')).toEqual(['#1 Wheat @7'])
  })
})

describe('any text', () => {
  test('is walked without an error', () => {
    const parts = [
      '[',
      ']',
      '(',
      ')',
      '](',
      '<',
      '>',
      '<!--',
      '-->',
      '`',
      '```',
      '~~~',
      '\\',
      '#',
      '# ',
      '- ',
      '1. ',
      '> ',
      '    ',
      '\t',
      '\n',
      '\n\n',
      ': ',
      '"',
      'a',
      'x.md',
      '\r',
      '\u2028',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 60 }), (all) => {
        const text = all.join('')
        for (const row of met(text)) expect(Number(row.split(' @').at(-1))).toBeLessThanOrEqual(text.split('\n').length)
      }),
      { numRuns: effort(3_000, 30_000) },
    )
  })

  test.each([
    '[',
    '](',
    '[](',
    '](<',
    '[x](a',
    '[x](',
    '`',
    '` `` ',
    '<!--',
    '\\',
    '- ',
    '> ',
    '1. ',
    '#',
    '# ',
    '[a]: ',
    '![',
    '](a ',
  ])('is walked once: %j × 100,000', (part) => {
    const before = process.cpuUsage()
    met(part.repeat(100_000))
    met(`[${part.repeat(100_000)}`)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1_500)
  })

  test('runs of every length do not add up', () => {
    const runs = Array.from({ length: 3_000 }, (_, i) => '`'.repeat(i + 1)).join(' ')
    const before = process.cpuUsage()
    met(`[x] ${runs}`)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1_500)
  })
})
