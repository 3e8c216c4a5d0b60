// The one walk over Markdown lines, asked both ways: by what reads headings and links, and by what reads line by line.

import { expect, test } from 'vitest'
import { scanMarkdown } from '../../src/extract/markdown.ts'
import { proseLines } from '../../src/extract/prose-lines.ts'

/** Headings as `#1 Rye`, links as `-> rye.md`, other lines as they are; a blank line is empty. */
function both(text: string): { scanned: string[]; told: string[] } {
  const scanned: string[] = []
  scanMarkdown(text.split('\n'), 1, {
    heading: (level, words) => scanned.push(`#${level} ${words}`),
    link: (target) => scanned.push(`-> ${target}`),
  })
  const told = [...proseLines(text.split('\n'), 1)].map(({ level, text: words }) =>
    level > 0 ? `#${level} ${words}` : words,
  )
  return { scanned, told }
}

test.each<[string, string[], string[]]>([
  ['# Rye <!-- omit in toc -->', ['#1 Rye'], ['#1 Rye']],
  ['# Rye ## <!-- c -->', ['#1 Rye'], ['#1 Rye']],
  ['<!-- c --># Rye', [], ['# Rye']],
  ['<!-- a\n--># Rye\n# Oven', ['#1 Oven'], ['# Rye', '#1 Oven']],
  ['```md <!-- c\n# Rye\n```\n# Oven', ['#1 Oven'], ['#1 Oven']],
  ['- ```\n  # Rye\n<!-- # Salt\n[a](a.md) -->\n# Oven', ['#1 Oven'], ['#1 Oven']],
  ['see \\<!-- [a](a.md) -->', ['-> a.md'], ['see \\<!-- [a](a.md) -->']],
  ['see `<!--` [a](a.md)', ['-> a.md'], ['see `<!--` [a](a.md)']],
  ['see <!-- [a](a.md) --> [b](b.md)', ['-> b.md'], ['see  [b](b.md)']],
  ['see [a\n\nb](b.md)', [], ['see [a', '', 'b](b.md)']],
  ['see [a\nb](b.md)', ['-> b.md'], ['see [a', 'b](b.md)']],
])('%j', (text, scanned, told) => {
  expect(both(text)).toEqual({ scanned, told })
})
