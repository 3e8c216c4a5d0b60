// The one walk over the lines of a Markdown text: behind container marks, outside of fenced code and HTML comments.
// Headings and links (markdown.ts) and what is said line by line (prose-lines.ts) are both read from it. A state machine
// and no CommonMark parser (that costs a factor of fifty). Indented code counts as text, since list items are indented
// as well. Surprise: blank lines are told, because a list, a sentence or a link's text ends there; what lies in fences
// and comments shows only as a gap in the numbers.

import { isBlank, skip } from './characters.ts'
import { closes, codeSpans, enter, type Fence, fenceMark, headingText, isHash } from './markdown-line.ts'

export interface TextLine {
  /** 1-based, in the file. */
  readonly number: number
  /** Level of an ATX heading outside of quotations and list items, else 0. */
  readonly level: number
  /** Without list, quotation and heading marks and without comments, trimmed; empty for a blank line. */
  readonly text: string
  /** Starts a list item. */
  readonly listed: boolean
  /** Columns in front of the text or its mark. */
  readonly indent: number
}

/** `block`: a comment that started its line, which only its mark ends; one inside a paragraph ends with that, too. */
type Comment = 'none' | 'inline' | 'block'

/** Where the next comment opens outside of code spans, or -1. */
function commentStart(line: string, from: number): number {
  let at = line.indexOf('<!--', from)
  while (at > 0 && line[at - 1] === '\\') at = line.indexOf('<!--', at + 1)
  if (at === -1 || !line.includes('`')) return at
  for (const [start, end] of [...codeSpans(line)].sort((a, b) => a[0] - b[0])) {
    if (end === -1 || end <= at) continue
    if (start > at) break
    at = line.indexOf('<!--', end)
    if (at === -1) break
  }
  return at
}

/** The text without HTML comments, and what is still open at its end. What stands before `from` are marks. */
function withoutComments(line: string, open: Comment, from: number): { readonly text: string; readonly open: Comment } {
  let text = line.slice(0, from)
  let at = from
  let inside = open
  for (;;) {
    const next = inside === 'none' ? commentStart(line, at) : line.indexOf('-->', at)
    if (inside === 'none') text += line.slice(at, next === -1 ? line.length : next)
    if (next === -1) return { text, open: inside }
    if (inside === 'none') {
      inside = text.slice(from).trim() === '' ? 'block' : 'inline'
      // `<!-->` is a whole comment.
      at = next + 2
    } else {
      inside = 'none'
      at = next + 3
    }
  }
}

function isEmpty(line: string, from: number): boolean {
  return skip(line, from, isBlank) >= line.length
}

/** Walks over `lines`, of which the first has the number `firstLine`. Linear, and never throws. */
export function* textLines(lines: Iterable<string>, firstLine: number): Iterable<TextLine> {
  let number = firstLine - 1
  let fence: Fence | null = null
  let list = 0
  let comment: Comment = 'none'
  for (const typed of lines) {
    number++
    let line = typed
    if (comment === 'inline' && isEmpty(line, 0)) comment = 'none'
    const begun: boolean = comment !== 'none'
    if (begun) {
      const shown = withoutComments(line, comment, 0)
      comment = shown.open
      line = shown.text
      if (isEmpty(line, 0)) continue
    }
    let entry = enter(line, fence?.list ?? list)
    if (isEmpty(line, entry.at)) {
      if (fence?.quoted && !entry.quoted) fence = null
      if (fence !== null) continue
      if (entry.listed) list = entry.list
      yield { number, level: 0, text: '', listed: entry.listed, indent: entry.listed ? entry.indent : 0 }
      continue
    }
    if (fence !== null) {
      // Leaving the list item or the quotation ends a fence as well.
      const left = entry.indent < fence.list || (fence.quoted && !entry.quoted)
      if (!left) {
        if (closes(line, entry, fence)) fence = null
        continue
      }
      fence = null
    }
    const mark = entry.column - entry.list <= 3 ? fenceMark(line, entry.at) : null
    list = entry.list
    if (mark !== null) {
      fence = { mark, quoted: entry.quoted, list }
      continue
    }
    // A line that starts with a comment is HTML to its end, whatever it holds.
    const hashes = begun ? entry.at : skip(line, entry.at, isHash)
    if (line.includes('<!--')) {
      const shown = withoutComments(line, 'none', entry.at)
      comment = shown.open
      line = shown.text
      entry = enter(line, list)
      if (isEmpty(line, entry.at)) continue
      list = entry.list
    }
    const level = hashes - entry.at
    const ends = hashes === line.length || isBlank(line.charCodeAt(hashes))
    const isHeading = level > 0 && level <= 6 && ends && entry.column <= 3 && !entry.listed && !entry.quoted
    yield {
      number,
      level: isHeading ? level : 0,
      text: isHeading ? headingText(line, hashes) : line.slice(entry.at).trim(),
      listed: entry.listed,
      indent: entry.indent,
    }
  }
}
