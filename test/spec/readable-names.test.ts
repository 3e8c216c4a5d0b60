// How names that are not valid UTF-8 are shown to people: readable and still told apart. Keys and JSON stay.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { keyOfBytes, readableName } from '../../src/model/source-key.ts'
import { runCliSync } from '../support/run.ts'
import { tempTree } from '../support/temp.ts'

const key = (bytes: string): string => keyOfBytes(bytes)

test.each([
  ['commands/\xff.md', 'commands/\\xff.md'],
  ['caf\xc3\xa9/\xe2\x82.md', 'café/\\xe2\\x82.md'],
  ['\xf0\x9f\x8d\x9e\xed\xa0\x80', '🍞\\xed\\xa0\\x80'],
  ['\xc0\xaf', '\\xc0\\xaf'],
  // A replacement character that was typed is a character like others.
  ['\xef\xbf\xbd\xfe', '\ufffd\\xfe'],
])('%j', (bytes, shown) => {
  expect(readableName(key(bytes))).toBe(shown)
})

test.each(['commands/bake.md', 'café.md', '', 'https://example.org/ff', 'a//ff', '//6161', 'docs//646f6373'])(
  'any other text stays: %s',
  (text) => {
    expect(readableName(text)).toBe(text)
  },
)

test('index and sql name both of two files whose names decode alike; JSON and CSV have the keys', () => {
  const root = tempTree({ 'commands/bake.md': '# Bake\n' })
  for (const byte of [0xff, 0xfe]) {
    writeFileSync(
      Buffer.concat([Buffer.from(`${path.join(root, 'commands')}/`), Buffer.from([byte]), Buffer.from('.md')]),
      '',
    )
  }
  const built = runCliSync(['index'], { cwd: root }).stdout
  expect(built).toContain('  skipped  commands/\\xfe.md: cannot be read\n')
  expect(built).toContain('  skipped  commands/\\xff.md: cannot be read\n')
  const sql = (...flags: string[]): string =>
    runCliSync(['sql', 'SELECT file FROM finding ORDER BY file', ...flags], { cwd: root }).stdout
  expect(sql()).toBe('file\n----------------\ncommands/\\xfe.md\ncommands/\\xff.md\n')
  const keys = [key('commands/\xfe.md'), key('commands/\xff.md')]
  expect((JSON.parse(sql('--json')) as { rows: { file: string }[] }).rows.map(({ file }) => file)).toEqual(keys)
  expect(sql('--csv')).toBe(`file\r\n${keys.join('\r\n')}\r\n`)
})
