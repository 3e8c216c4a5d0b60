// The lines of a Markdown text that a person reads, without marks in front: no fenced code, no HTML comments. For what
// is said line by line (status, link lines, tables of modules). The walk itself is text-lines.ts.

import { detached } from './characters.ts'
import { type TextLine, textLines } from './text-lines.ts'

export type ProseLine = TextLine

/** Longer lines are cut: nobody writes a status or a list of decisions of that size. */
const LONGEST = 4000

function* cut(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) yield line.length > LONGEST ? line.slice(0, LONGEST) : line
}

/** The lines that textLines() tells, as texts to keep. Linear, and never throws. */
export function* proseLines(lines: Iterable<string>, firstLine: number): Iterable<ProseLine> {
  for (const line of textLines(cut(lines), firstLine)) yield { ...line, text: detached(line.text) }
}

/** The cells of a row of a Markdown table, trimmed; null for any other line. Alignment rows come as no cells. */
export function tableRow(text: string): readonly string[] | null {
  if (!text.startsWith('|')) return null
  const cells = text
    .replace(/\|$/, '')
    .slice(1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
  return cells.every((cell) => /^:?-+:?$/.test(cell)) ? [] : cells
}
