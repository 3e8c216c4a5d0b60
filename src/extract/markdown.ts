// What Specdex needs of Markdown: headings and link targets outside fences, code spans and HTML comments. The walk over
// lines is text-lines.ts. Where a paragraph would have to be read as a whole, it guesses: a code span ends on its line.

import { isBlank, skip } from './characters.ts'
import { CHAR, codeSpans, destination, isBacktick } from './markdown-line.ts'
import { textLines } from './text-lines.ts'

export interface MarkdownSink {
  /** An ATX heading outside of quotations and list items; the text as typed, without marks, comments and outer blanks. */
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
  let openBrackets = 0

  const inline = (line: string): void => {
    const spans = line.includes('`') ? codeSpans(line) : null
    let at = 0
    while (at < line.length) {
      const code = line.charCodeAt(at)
      if (code === CHAR.backtick) {
        const end = spans?.get(at) ?? -1
        at = end === -1 ? skip(line, at, isBacktick) : end
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
  const definition = (line: string): boolean => {
    if (line[0] !== '[' || line[1] === '^') return false
    const end = line.indexOf(']')
    if (end <= 1 || line[end + 1] !== ':') return false
    const found = destination(line, skip(line, end + 2, isBlank))
    if (found === null) return false
    sink.link(found.target, number)
    return true
  }

  for (const { number: at, level, text } of textLines(lines, firstLine)) {
    // A link's text ends with its paragraph: at a blank line, a heading, and where lines are missing.
    if (text === '' || level > 0 || at !== number + 1) openBrackets = 0
    number = at
    if (level > 0) sink.heading(level, text, at)
    if ((text.includes('[') || openBrackets > 0) && !definition(text)) inline(text)
  }
}
