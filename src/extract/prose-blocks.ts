// The prose of a Markdown body, cut into paragraphs, list items and table rows, each under the headings it stands
// below. Code spans and web addresses are blanked, as fences and comments are: an id in them is an example or somebody
// else's. It judges no words; prose-edges.ts does. Surprise: a soft-wrapped paragraph stays one text with line feeds.

import { codeSpans } from './markdown-line.ts'
import { proseLines } from './prose-lines.ts'

export interface ProseBlock {
  /** The headings around it, from outermost to innermost, level 1 left out. */
  readonly headings: readonly string[]
  /** 1-based line of the file on which it starts; each line feed in `text` is one line more. */
  readonly line: number
  readonly text: string
}

const ADDRESS = /\bhttps?:\/\/[^\s)>\]]+/g
const UNDERLINE = /^(?:=+|-{2,})$/

/** A line with a blank in place of each code span. */
function withoutCode(line: string): string {
  if (!line.includes('`')) return line
  let text = ''
  let at = 0
  for (const [start, end] of [...codeSpans(line)].sort((a, b) => a[0] - b[0])) {
    if (end === -1 || start < at) continue
    text += `${line.slice(at, start)} `
    at = end
  }
  return text + line.slice(at)
}

/**
 * The blocks of a body, in order. `firstLine` is the number of the body's first line. A block ends at a blank line, a
 * heading, a fence, the next list item or table row (sheet artifact-graph §10 rule 1: a clause ends with its item).
 */
export function proseBlocks(body: string, firstLine: number): ProseBlock[] {
  const blocks: ProseBlock[] = []
  const headings: { readonly level: number; readonly text: string }[] = []
  let current: string[] = []
  let start = firstLine
  let inItem = false

  const flush = (): void => {
    if (current.length > 0) {
      const around = headings.filter(({ level }) => level > 1).map(({ text }) => text)
      blocks.push({ headings: around, line: start, text: current.join('\n').replace(ADDRESS, ' ') })
    }
    current = []
  }
  const head = (level: number, text: string): void => {
    current = []
    while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
    headings.push({ level, text })
  }

  for (const { number, level, text, listed } of proseLines(body.split('\n'), firstLine)) {
    // Where lines are missing there was code or a comment.
    if (text === '' || level > 0 || listed || text.startsWith('|') || number !== start + current.length) flush()
    if (text === '') continue
    if (level > 0) head(level, text)
    else if (current.length === 1 && !inItem && UNDERLINE.test(text))
      head(text.startsWith('-') ? 2 : 1, current[0] ?? '')
    else {
      if (current.length === 0) {
        start = number
        inItem = listed
      }
      current.push(withoutCode(text))
    }
  }
  flush()
  return blocks
}
