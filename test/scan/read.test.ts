// Reading sources: whole and streamed give the same text, lines and hashes; what cannot be read is said, never thrown.

import { createHash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeChunks,
  hashBytes,
  hashLarge,
  isLargeUtf8,
  readChunks,
  readSource,
  STREAM_ABOVE,
} from '../../src/scan/read.ts'
import { effort } from '../support/effort.ts'
import { tempFolder, tempTree } from '../support/temp.ts'
import { gitWith } from './pantry.ts'

const root = tempFolder('read')

/** Bytes that are and are not UTF-8, of every length of sequence. */
const piece = fc.constantFrom(
  ...['a', '\n', '\r\n', 'é', '€', '🍞', '\ufeff', '\0'].map((text) => Buffer.from(text)),
  ...['ff', 'e282', 'eda080', 'c0af', 'f8888080', 'f09f8d', '80', 'c3'].map((hex) => Buffer.from(hex, 'hex')),
)
const bytes = fc.array(piece, { maxLength: 60 }).map((parts) => Buffer.concat(parts))

/** Cuts bytes into chunks. */
function cut(whole: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(whole.subarray(at, at + size))
    at += size
  }
  return [...chunks, whole.subarray(at)].filter((chunk) => chunk.length > 0)
}

test('text decoded in pieces is text decoded at once', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.integer({ min: 1, max: 5 })), (whole, sizes) => {
      expect([...decodeChunks(cut(whole, sizes))].join('')).toBe(whole.toString('utf8'))
    }),
  )
})

describe('a file too large to hold', () => {
  /** The same odd bytes around every border between chunks, so that characters are cut in two. */
  function large(around: Buffer): Buffer {
    const whole = Buffer.alloc(STREAM_ABOVE + 100_000, 'rye bread\n')
    for (let at = 1024 * 1024; at < whole.length; at += 1024 * 1024)
      around.copy(whole, at - Math.ceil(around.length / 2))
    return whole
  }

  const AROUND: readonly (readonly [string, Buffer, boolean])[] = [
    ['valid', Buffer.from('é€🍞é€🍞'), true],
    ['cut in the middle', Buffer.from('🍞').subarray(0, 3), false],
    ['a stray byte', Buffer.from([0x80]), false],
  ]
  test.each(AROUND.slice(0, effort(2, 3)))('comes as lines, %s', (_name, around, valid) => {
    const whole = large(around)
    writeFileSync(path.join(root, 'large.md'), whole)
    const read = readSource(root, 'large.md')
    if (read.kind !== 'large') throw new Error(read.kind)
    const hash = createHash('sha1')
    for (const line of read.lines()) hash.update(line).update('\n')
    const expected = createHash('sha1').update(whole.toString('utf8')).update('\n')
    expect(hash.digest('hex')).toBe(expected.digest('hex'))
    expect(isLargeUtf8(root, 'large.md')).toBe(valid)
    expect(hashLarge(root, 'large.md', 'sha256', whole.length)).toEqual(hashBytes('sha256', whole))
    expect(hashLarge(root, 'large.md', 'blob', whole.length)).toEqual(hashBytes('blob', whole))
  })

  test('a line longer than memory allows is cut, and the next one is whole', () => {
    const file = path.join(root, 'sparse.md')
    writeFileSync(file, '')
    truncateSync(file, 200 * 1024 * 1024)
    writeFileSync(file, '\nlast', { flag: 'a' })
    const read = readSource(root, 'sparse.md')
    if (read.kind !== 'large') throw new Error(read.kind)
    const lines = [...read.lines()]
    expect(lines).toHaveLength(2)
    expect(lines[0]?.length).toBeLessThan(80 * 1024 * 1024)
    expect(lines[1]).toBe('last')
  })
})

test('the blob id is the one git gives', () => {
  const repository = tempTree({}, 'blob')
  gitWith('', repository, ['init', '--quiet'])
  for (const text of ['', 'flour\n', 'é'.repeat(1000)]) {
    expect(hashBytes('blob', Buffer.from(text)).toString('hex')).toBe(
      gitWith(text, repository, ['hash-object', '--stdin']),
    )
  }
})

test('a whole text, its validity and its size', () => {
  fc.assert(
    fc.property(bytes, (whole) => {
      writeFileSync(path.join(root, 'a.md'), whole)
      const read = readSource(root, 'a.md')
      if (read.kind !== 'text') throw new Error(read.kind)
      expect(read.text).toBe(whole.toString('utf8'))
      expect(read.valid).toBe(Buffer.from(whole.toString('utf8')).equals(whole))
      expect(read.stat.size).toBe(whole.length)
    }),
    { numRuns: 30 },
  )
})

test('more than was asked for is not read', () => {
  writeFileSync(path.join(root, 'b.md'), '0123456789')
  expect(readSource(root, 'b.md', 9)).toMatchObject({ kind: 'over', stat: { size: 10 } })
  expect(readSource(root, 'b.md', 10).kind).toBe('text')
})

test('what is gone, and what cannot be read', () => {
  const gone = { kind: 'unreadable', gone: true }
  expect(readSource(root, 'nowhere.md')).toEqual(gone)
  expect(readSource(root, 'b.md/x.md')).toEqual(gone)
  expect(readSource(path.dirname(root), path.basename(root))).toEqual(gone)
  expect(readSource(root, 'x\ufffd.md//78ff2e6d64')).toEqual({ kind: 'unreadable', gone: false })
  expect([...readChunks(root, 'nowhere.md')]).toEqual([])
})
