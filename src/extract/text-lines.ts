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

const NO_SPANS: ReadonlyMap<number, number> = new Map()
/** What decides where a comment opens: code spans, and an escaped opener, go before it. */
const COMMENT_OR_CODE = /`+|\\?<!--/g

/** Where the next comment opens outside of `spans`, or -1. */
function commentStart(line: string, from: number, spans: ReadonlyMap<number, number>): number {
  COMMENT_OR_CODE.lastIndex = from
  for (let hit = COMMENT_OR_CODE.exec(line); hit !== null; hit = COMMENT_OR_CODE.exec(line)) {
    if (hit[0] === '<!--') return hit.index
    const end = spans.get(hit.index) ?? -1
    if (end !== -1) COMMENT_OR_CODE.lastIndex = end
  }
  return -1
}

/** The text without HTML comments, and what is still open at its end. What stands before `from` are marks. */
function withoutComments(line: string, open: Comment, from: number): { readonly text: string; readonly open: Comment } {
  // Once a line: it may hold as many comments as characters.
  const spans = line.includes('`') ? codeSpans(line) : NO_SPANS
  const parts = [line.slice(0, from)]
  let starts = true
  let at = from
  let inside = open
  for (;;) {
    const next = inside === 'none' ? commentStart(line, at, spans) : line.indexOf('-->', at)
    if (inside === 'none') {
      const part = line.slice(at, next === -1 ? line.length : next)
      parts.push(part)
      starts &&= part.trim() === ''
    }
    if (next === -1) return { text: parts.join(''), open: inside }
    if (inside === 'none') {
      inside = starts ? 'block' : 'inline'
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
