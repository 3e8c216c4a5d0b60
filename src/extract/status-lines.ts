// The status of an artifact as its text tells it: a section, a bullet, a line or a table row. Front matter goes first
// and is read by the caller. Surprise: "superseded by X" is the status `superseded` and an edge, "partly superseded" is
// neither.

import { type ProseLine, tableRow } from './prose-lines.ts'
import { isNothingWord, isPlaceholder } from './references.ts'

export interface StatusText {
  /** As typed, for relations in it. */
  readonly text: string
  readonly line: number
}

const LONGEST_STATUS = 120
/** At the start, or as a clause of its own: "Accepted, superseded by ADR-0007". */
const SUPERSEDED = /^super[sc]eded\b|(?:[,;(.]\s*|\band\s+)(?:is\s+)?super[sc]eded\s+by\b/i

/** A status as it is kept: without emphasis and links; null for nothing and for what a template left behind. */
export function statusOf(typed: string): string | null {
  if (isPlaceholder(typed.trim())) return null
  const text = typed
    .replace(/\[([^\]]{0,300})\]\([^)]{0,400}\)/g, '$1')
    .replace(/[*`_]+/g, (run, at: number, all: string) =>
      /\w/.test(all[at - 1] ?? '') && /\w/.test(all[at + run.length] ?? '') ? run : '',
    )
    .replace(/\s+/g, ' ')
    .replace(/[\s.;,]+$/, '')
    .trim()
  if (isNothingWord(text) || isPlaceholder(text)) return null
  if (SUPERSEDED.test(text)) return 'superseded'
  return text.slice(0, LONGEST_STATUS).trim()
}

/** The rest of a line that starts with a name and a colon, in any of its dresses, or null. */
function behindName(text: string, name: string): string | null {
  const cells = tableRow(text)
  if (cells !== null)
    return cells.length > 1 &&
      cells[0]
        ?.replace(/[*`_:]/g, '')
        .trim()
        .toLowerCase() === name
      ? (cells[1] ?? '')
      : null
  const bare = text.replace(/^[*_`]+/, '')
  if (bare.slice(0, name.length).toLowerCase() !== name) return null
  const match = /^[*_`\s]*[:：]+[*_`]*\s*(.*)$/s.exec(bare.slice(name.length))
  return match === null ? null : (match[1] ?? '')
}

/** The lines of the first section of this name, without blank ones. */
function sectionLines(lines: readonly ProseLine[], name: string): readonly StatusText[] {
  const start = lines.findIndex(
    ({ level, text }) => level > 1 && text.replace(/[:*]+/g, '').trim().toLowerCase() === name,
  )
  if (start === -1) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(({ level }) => level > 0)
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .flatMap(({ text, number }) => (text === '' ? [] : [{ text, line: number }]))
}

/**
 * What the body says of the status, best first: every line of the section of that name, else the one line of the head
 * (up to the second section) that starts with the name. Empty where it says nothing. Source: conventions survey §3, §5.
 */
export function statusTexts(lines: readonly ProseLine[], name: string): readonly StatusText[] {
  const wanted = name.trim().toLowerCase()
  const section = sectionLines(lines, wanted)
  if (section.length > 0) return section
  let sections = 0
  for (const { level, text, number } of lines) {
    if (level > 1 && ++sections > 1) break
    const found = level === 0 ? behindName(text, wanted) : null
    if (found !== null && found.trim() !== '') return [{ text: found, line: number }]
  }
  return []
}
