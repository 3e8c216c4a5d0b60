// Which attribute lines make a blob id say nothing about the bytes on disk.

import { chmodSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { converts, mentionsConversion } from '../../src/scan/git-attributes.ts'
import { tempTree } from '../support/temp.ts'

const ENDINGS = ['.md', '.sh']

test.each([
  ['*.md filter=lfs diff=lfs -text', true, true],
  ['docs/** working-tree-encoding=UTF-16', true, true],
  ['*.md ident', true, true],
  ['*.MD eol=crlf', true, true],
  ['[attr]stored filter=lfs', true, true],
  ['* text=auto', false, true],
  ['*.md text', false, true],
  ['*.sh eol=lf', false, true],
  ['*.md crlf=input', false, true],
  ['*.md -text', false, false],
  ['*.md -filter !ident', false, false],
  ['*.png filter=lfs', false, false],
  ['package-lock.json text', false, false],
  ['*.md diff=markdown linguist-documentation', false, false],
  ['# *.md filter=lfs', false, false],
  ['', false, false],
  ['*.md', false, false],
])('%s', (line, withSizes, withoutSizes) => {
  expect(converts(line, ENDINGS, 'blob-and-size')).toBe(withSizes)
  expect(converts(line, ENDINGS, 'blob')).toBe(withoutSizes)
})

test('a file that is not there says nothing, one that cannot be read may say anything', () => {
  const root = tempTree({ 'plain/.gitattributes': '*.md text\n', 'lfs/.gitattributes': '\r\n*.md filter=lfs\r\n' })
  const at = (folder: string): string => path.join(root, folder, '.gitattributes')
  expect(mentionsConversion([at('nowhere'), at('plain')], ENDINGS, 'blob-and-size')).toBe(false)
  expect(mentionsConversion([at('plain'), at('lfs')], ENDINGS, 'blob-and-size')).toBe(true)
  expect(mentionsConversion([root], ENDINGS, 'blob-and-size')).toBe(true)
  chmodSync(at('plain'), 0o644)
})
