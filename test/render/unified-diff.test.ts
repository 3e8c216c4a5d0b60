// The unified diff: literal headers and hunks, and for any pair of texts that git applies it to the very bytes.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unifiedDiff } from '../../src/render/unified-diff.ts'
import { effort } from '../support/effort.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'

test('three lines of context, hunks that are near are one', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n'
  expect(unifiedDiff('x.md', before, before.replace('b\n', 'b\nB\n').replace('j\n', 'J\n'))).toBe(
    ['--- a/x.md\n+++ b/x.md\n@@ -1,5 +1,6 @@\n a\n b\n+B\n c\n d\n e\n', '@@ -7,4 +8,4 @@\n g\n h\n i\n-j\n+J\n'].join(
      '',
    ),
  )
  expect(unifiedDiff('x.md', before, before.replace('b\n', 'B\n').replace('h\n', 'H\n')).match(/@@ /g)).toHaveLength(1)
})

test('no last line end, an empty text, equal texts', () => {
  expect(unifiedDiff('x', 'a', 'a\n')).toBe('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n')
  expect(unifiedDiff('x', '', 'a\n')).toBe('--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n')
  expect(unifiedDiff('x', 'a\n', 'a\n')).toBe('')
})

test('names that git quotes', () => {
  expect(unifiedDiff('a b.md', '', 'x\n')).toMatch(/^--- a\/a b\.md\t\n\+\+\+ b\/a b\.md\t\n/)
  expect(unifiedDiff('a"\n.md', '', 'x\n')).toMatch(/^--- "a\/a\\"\\012\.md"\n/)
})

test('git applies it, whatever the texts and names', () => {
  const line = fc.constantFrom(
    'flour\n',
    'water\r\n',
    '\n',
    'salt é\n',
    '-- rye\n',
    '+++ b/x\n',
    '@@ -1 +1 @@\n',
    'oats\r',
  )
  const text = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 14 }), fc.constantFrom('', 'end'))
    .map(([lines, end]) => lines.join('') + end)
  const name = fc.constantFrom('x.md', 'docs/a b.md', 'docs/é "q".md', 'docs/back\\slash.md', 'docs/tab\t.md')
  const root = initRepository(tempFolder('diff'))
  fc.assert(
    fc.property(text, text, name, (before, after, file) => {
      fc.pre(before !== after)
      writeTree(root, { [file]: before, 'the.patch': unifiedDiff(file, before, after) })
      git(root, ['-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn', 'the.patch'])
      expect(readFileSync(path.join(root, file), 'utf8')).toBe(after)
    }),
    { numRuns: effort(60, 1000) },
  )
})

test('texts too large to compare line by line still give a patch', () => {
  const many = (word: string): string => Array.from({ length: 3000 }, (_, at) => `${word} ${at}\n`).join('')
  const diff = unifiedDiff('x', many('rye'), many('oat'))
  expect(diff.split('\n')).toHaveLength(3 + 6000 + 1)
})
