// What Specdex needs of Markdown, line by line: headings and link targets outside fences, code spans and HTML
// comments. A state machine and no CommonMark parser (that costs a factor of fifty); where a paragraph would have to be
// read as a whole, it guesses: a code span ends on its line. Indented code counts as text, since list items are
// indented as well. Surprise: what a fence may be indented by depends on the list item around it.

import { isBlank, skip } from './characters.ts'
import {
  CHAR,
  closes,
  codeSpans,
  destination,
  enter,
  type Fence,
  fenceMark,
  headingText,
  isBacktick,
  isHash,
} from './markdown-line.ts'

export interface MarkdownSink {
  /** An ATX heading outside of quotations and list items; the text as typed, without marks and outer blanks. */
  readonly heading: (level: number, text: string, line: number) => void
  /** The destination of an inline link or of a reference definition, backslash escapes undone. */
  readonly link: (target: string, line: number) => void
}

/**
 * Walks over the lines of a Markdown text and tells what it meets, in order. `firstLine` is the number of the first
 * line given (1-based), so that front matter can be left out.
 */
export function scanMarkdown(lines: Iterable<string>, firstLine: number, sink: MarkdownSink): void {
  let number = firstLine - 1
  let fence: Fence | null = null
  let list = 0
  // A comment that starts a line ends only with its mark, one within a paragraph ends with the paragraph, too.
  let comment: 'none' | 'inline' | 'block' = 'none'
  let openBrackets = 0

  const inline = (line: string, from: number): void => {
    const spans = line.includes('`') ? codeSpans(line) : null
    let at = from
    while (at < line.length) {
      if (comment !== 'none') {
        const end = line.indexOf('-->', at)
        if (end === -1) return
        comment = 'none'
        at = end + 3
        continue
      }
      const code = line.charCodeAt(at)
      if (code === CHAR.backtick) {
        const end = spans?.get(at) ?? -1
        at = end === -1 ? skip(line, at, isBacktick) : end
      } else if (code === CHAR.less && line.startsWith('<!--', at)) {
        comment = at === from ? 'block' : 'inline'
        // `<!-->` is a whole comment.
        at += 2
      } else if (code === CHAR.bracketEnd) {
        const isLink = openBrackets > 0 && line.charCodeAt(at + 1) === CHAR.open
        openBrackets = Math.max(0, openBrackets - 1)
        const found = isLink ? destination(line, skip(line, at + 2, isBlank)) : null
        at++
        if (found === null) continue
        const behind = skip(line, found.end, isBlank)
        const mark = line[behind]
        // A title is not read to its end: whatever follows it, this was a link.
        const titled = behind > found.end && (mark === '"' || mark === "'" || mark === '(')
        if (mark !== ')' && !titled) continue
        sink.link(found.target, number)
        at = behind
      } else {
        if (code === CHAR.bracket) openBrackets++
        at += code === CHAR.backslash ? 2 : 1
      }
    }
  }

  /** `[label]: target`; footnotes `[^1]:` are none. */
  const definition = (line: string, at: number): boolean => {
    if (line[at] !== '[' || line[at + 1] === '^') return false
    const end = line.indexOf(']', at)
    if (end <= at + 1 || line[end + 1] !== ':') return false
    const found = destination(line, skip(line, end + 2, isBlank))
    if (found === null) return false
    sink.link(found.target, number)
    return true
  }

  for (const line of lines) {
    number++
    if (comment !== 'none') {
      if (comment === 'block' || skip(line, 0, isBlank) < line.length) {
        inline(line, 0)
        continue
      }
      comment = 'none'
    }
    const entry = enter(line, fence?.list ?? list)
    if (skip(line, entry.at, isBlank) >= line.length) {
      openBrackets = 0
      if (fence === null && entry.listed) list = entry.list
      if (fence?.quoted && !entry.quoted) fence = null
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
    list = entry.list
    const mark = entry.column - list <= 3 ? fenceMark(line, entry.at) : null
    if (mark !== null) {
      fence = { mark, quoted: entry.quoted, list }
      openBrackets = 0
      continue
    }
    if (isHash(line.charCodeAt(entry.at)) && entry.column <= 3 && !entry.listed && !entry.quoted) {
      const end = skip(line, entry.at, isHash)
      const level = end - entry.at
      if (level <= 6 && (end === line.length || isBlank(line.charCodeAt(end)))) {
        openBrackets = 0
        sink.heading(level, headingText(line, end), number)
      }
    }
    if (line.includes('[') || line.includes('<!--') || openBrackets > 0) {
      if (!definition(line, entry.at)) inline(line, entry.at)
    }
  }
}
