// HTML comments in one line: which of the signs in it decide, and that a line of nothing else is read in linear time.

import { expect, test } from 'vitest'
import { textLines } from '../../src/extract/text-lines.ts'

function textOf(line: string): string {
  return [...textLines([line], 1)].map(({ text }) => text).join('\n')
}

test.each([
  ['a back-tick in a comment opens no code', '<!-- ` --> a <!-- b --> ` c', 'a  ` c'],
  ['a single back-tick within a span opens none', '`` a ` b `` c <!-- x --> ` d', '`` a ` b `` c  ` d'],
  ['an escaped opener stays behind code as well', '`x <!--` \\<!-- b -->', '`x <!--` \\<!-- b -->'],
  ['code that never ends is none', '`` a <!-- b --> ` c', '`` a  ` c'],
])('%s', (_, line, text) => {
  expect(textOf(line)).toBe(text)
})

/** Milliseconds of processor time, the least of three, so that other processes do not count. */
function timeOf(line: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    textOf(line)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test.each(['', '`'])('a line of many comments takes time by its length; behind them %j', (last) => {
  const line = (comments: number): string => 'a<!---->'.repeat(comments) + last
  // Quadratic, four times the length would take sixteen times as long, and seconds.
  expect(timeOf(line(80_000))).toBeLessThan(Math.max(400, 10 * timeOf(line(20_000))))
})
