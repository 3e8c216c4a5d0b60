// Pieces of one line of Markdown: container marks in front, fences, link destinations, code spans, heading text. No
// state between lines; markdown.ts keeps that. Surprise: columns count tabs as CommonMark does, positions do not.

import { isBlank, isDigit, skip } from './characters.ts'

/** An open code fence. */
export interface Fence {
  /** Its run of back-ticks or tildes. */
  readonly mark: string
  readonly quoted: boolean
  /** Column at which the enclosing list item's content starts; 0 outside of lists. */
  readonly list: number
}

/** Where a line's own text starts, behind blockquote and list marks. */
export interface Entry {
  readonly at: number
  readonly column: number
  /** Column of the first character that is neither blank nor a quotation mark: what the line is indented by. */
  readonly indent: number
  readonly quoted: boolean
  /** The line starts a list item. */
  readonly listed: boolean
  /** Column of the innermost list item's content that this line belongs to. */
  readonly list: number
}

export const CHAR = {
  tab: 0x09,
  space: 0x20,
  hash: 0x23,
  open: 0x28,
  close: 0x29,
  less: 0x3c,
  greater: 0x3e,
  bracket: 0x5b,
  backslash: 0x5c,
  bracketEnd: 0x5d,
  backtick: 0x60,
} as const

export function isBacktick(code: number): boolean {
  return code === CHAR.backtick
}

export function isHash(code: number): boolean {
  return code === CHAR.hash
}

/** Length of a list mark (`-`, `*`, `+`, `12.`, `12)`) followed by a blank or the end, or 0. */
function listMark(line: string, at: number): number {
  const code = line.charCodeAt(at)
  let end = at
  if (code === 0x2d || code === 0x2a || code === 0x2b) end = at + 1
  else {
    const digits = skip(line, at, isDigit)
    const closer = line.charCodeAt(digits)
    if (digits > at && digits - at <= 9 && (closer === 0x2e || closer === 0x29)) end = digits + 1
  }
  return end > at && (end === line.length || isBlank(line.charCodeAt(end))) ? end - at : 0
}

/** Walks over the marks in front of a line. `outerList`: where the content of the list item around it starts. */
export function enter(line: string, outerList: number): Entry {
  let at = 0
  let column = 0
  let indent = -1
  let quoted = false
  let list = outerList
  for (;;) {
    let code = line.charCodeAt(at)
    while (code === CHAR.space || code === CHAR.tab) {
      column += code === CHAR.tab ? 4 - (column % 4) : 1
      code = line.charCodeAt(++at)
    }
    if (code === CHAR.greater && indent === -1) {
      // Inside a quotation columns count from its own text.
      at += line.charCodeAt(at + 1) === CHAR.space ? 2 : 1
      column = 0
      quoted = true
      continue
    }
    const mark = listMark(line, at)
    if (mark === 0) break
    if (indent === -1) indent = column
    at += mark
    column += mark
    list = column + 1
  }
  if (indent === -1) return { at, column, indent: column, quoted, listed: false, list: Math.min(outerList, column) }
  // Five blanks behind a mark are one and an indented code block.
  return { at, column, indent, quoted, listed: true, list: column > list + 3 ? list : Math.max(list, column) }
}

/** The run that opens a fence at `at`, or null. */
export function fenceMark(line: string, at: number): string | null {
  const character = line[at]
  if (character !== '`' && character !== '~') return null
  const code = line.charCodeAt(at)
  const end = skip(line, at, (other) => other === code)
  if (end - at < 3 || (character === '`' && line.indexOf('`', end) !== -1)) return null
  return line.slice(at, end)
}

/** Whether a line closes a fence: the same mark, at least as long, nothing behind it. */
export function closes(line: string, entry: Entry, fence: Fence): boolean {
  if (entry.column > fence.list + 3 || line[entry.at] !== fence.mark[0]) return false
  const code = fence.mark.charCodeAt(0)
  const end = skip(line, entry.at, (other) => other === code)
  return end - entry.at >= fence.mark.length && skip(line, end, isBlank) >= line.length
}

function unescaped(target: string): string {
  return target.includes('\\') ? target.replace(/\\([!-/:-@[-`{-~])/g, '$1') : target
}

/** A link destination at `from`, and where it ends; null where there is none. */
export function destination(line: string, from: number): { readonly target: string; readonly end: number } | null {
  if (line.charCodeAt(from) === CHAR.less) {
    for (let at = from + 1; at < line.length; at++) {
      const code = line.charCodeAt(at)
      if (code === CHAR.backslash) at++
      else if (code === CHAR.less) return null
      else if (code === CHAR.greater) return { target: unescaped(line.slice(from + 1, at)), end: at + 1 }
    }
    return null
  }
  let depth = 0
  let at = from
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (isBlank(code)) break
    if (code === CHAR.backslash) at++
    else if (code === CHAR.open) {
      // CommonMark allows a bound, and needs one: unbalanced brackets would make this quadratic.
      if (++depth > 8) return null
    } else if (code === CHAR.close && --depth < 0) break
  }
  return at > from && depth <= 0 ? { target: unescaped(line.slice(from, at)), end: at } : null
}

/** End of each code span of a line by the start of its opening run of back-ticks; -1 where none closes it. */
export function codeSpans(line: string): ReadonlyMap<number, number> {
  const runs: { readonly start: number; readonly end: number }[] = []
  for (let at = line.indexOf('`'); at !== -1; at = line.indexOf('`', at)) {
    const end = skip(line, at, isBacktick)
    runs.push({ start: at, end })
    at = end
  }
  const spans = new Map<number, number>()
  const nextEnd = new Map<number, number>()
  for (const { start, end } of runs.reverse()) {
    spans.set(start, nextEnd.get(end - start) ?? -1)
    nextEnd.set(end - start, end)
  }
  return spans
}

/** What stands behind the marks of a heading, without a closing run of them. */
export function headingText(line: string, from: number): string {
  const text = line.slice(from).trim()
  let end = text.length
  while (end > 0 && isHash(text.charCodeAt(end - 1))) end--
  if (end === text.length) return text
  return end === 0 || isBlank(text.charCodeAt(end - 1)) ? text.slice(0, end).trim() : text
}
