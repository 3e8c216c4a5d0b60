// The lines of a Markdown text that a person reads, without marks in front: no fenced code, no HTML comments. For what
// is said line by line (status, link lines, tables of modules); headings and links alone come from markdown.ts.
// Surprise: blank lines are told as well, because a list or a sentence ends there.

import { detached } from './characters.ts'
import { closes, codeSpans, enter, type Fence, fenceMark, headingText } from './markdown-line.ts'

export interface ProseLine {
  /** 1-based, in the file. */
  readonly number: number
  /** Level of an ATX heading, else 0. */
  readonly level: number
  /** Without list and quotation marks, trimmed. */
  readonly text: string
  /** Starts a list item. */
  readonly listed: boolean
  /** Columns in front of the text or its mark. */
  readonly indent: number
}

/** Longer lines are cut: nobody writes a status or a list of decisions of that size. */
const LONGEST = 4000

/** `block`: a comment that started its line, which only its mark ends; one inside a paragraph ends with that, too. */
type Comment = 'none' | 'inline' | 'block'

/** Where the next comment opens outside of code spans, or -1. */
function commentStart(line: string, from: number): number {
  let at = line.indexOf('<!--', from)
  if (at === -1 || !line.includes('`')) return at
  for (const [start, end] of [...codeSpans(line)].sort((a, b) => a[0] - b[0])) {
    if (end === -1 || end <= at) continue
    if (start > at) break
    at = line.indexOf('<!--', end)
    if (at === -1) break
  }
  return at
}

/** The text without HTML comments, and what is still open at its end. */
function withoutComments(line: string, open: Comment): { readonly text: string; readonly open: Comment } {
  if (open === 'none' && !line.includes('<!--')) return { text: line, open }
  let text = ''
  let at = 0
  let inside = open
  for (;;) {
    const next = inside === 'none' ? commentStart(line, at) : line.indexOf('-->', at)
    if (inside === 'none') text += line.slice(at, next === -1 ? line.length : next)
    if (next === -1) return { text, open: inside }
    if (inside === 'none') {
      inside = text.trim() === '' ? 'block' : 'inline'
      // `<!-->` is a whole comment.
      at = next + 2
    } else {
      inside = 'none'
      at = next + 3
    }
  }
}

/** Walks over `lines`, of which the first has the number `firstLine`. Linear, and never throws. */
export function* proseLines(lines: Iterable<string>, firstLine: number): Iterable<ProseLine> {
  let number = firstLine - 1
  let fence: Fence | null = null
  let list = 0
  let comment: Comment = 'none'
  for (const whole of lines) {
    number++
    const cut = whole.length > LONGEST ? whole.slice(0, LONGEST) : whole
    if (comment === 'inline' && cut.trim() === '') comment = 'none'
    const shown: ReturnType<typeof withoutComments> =
      fence === null ? withoutComments(cut, comment) : { text: cut, open: comment }
    comment = shown.open
    const line = shown.text.trimEnd()
    if (line === '') {
      // A line that was nothing but a comment is no end of a list.
      if (fence === null && cut.trim() === '') yield { number, level: 0, text: '', listed: false, indent: 0 }
      continue
    }
    const entry = enter(line, fence?.list ?? list)
    if (fence !== null) {
      const left = entry.indent < fence.list || (fence.quoted && !entry.quoted)
      if (!left) {
        if (closes(line, entry, fence)) fence = null
        continue
      }
      fence = null
    }
    list = entry.list
    const mark = entry.column - list <= 3 ? fenceMark(line, entry.at) : null
    if (mark !== null) {
      fence = { mark, quoted: entry.quoted, list }
      continue
    }
    const text = line.slice(entry.at).trim()
    const hashes = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0].length ?? 0
    const heading = hashes > 0 && entry.column <= 3 && !entry.listed && !entry.quoted
    yield {
      number,
      level: heading ? hashes : 0,
      text: detached(heading ? headingText(text, hashes) : text),
      listed: entry.listed,
      indent: entry.indent,
    }
  }
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
