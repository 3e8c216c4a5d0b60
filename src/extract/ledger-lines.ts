// Lines of an issue's texts: which of them are code, which hold a comment alone, which end a value, and how a value is
// cut. Knows the marks of the annotation protocol, but not what they mean (ledger-annotations.ts). Surprise: lines are
// split on LF alone; a CR counts as a blank, so that texts from the web editor read like all others.

import { isBlank, skip } from './characters.ts'
import { closes, enter, type Fence, fenceMark } from './markdown-line.ts'

export const PART = { own: 0, fenced: 1, indented: 2, quoted: 3 } as const

/** For each line, whether it is its author's own text or code or a quotation (issue: those hold no annotations). */
export function partsOf(lines: readonly string[]): Uint8Array {
  const parts = new Uint8Array(lines.length)
  let fence: Fence | null = null
  let list = 0
  for (const [number, line] of lines.entries()) {
    const entry = enter(line, fence?.list ?? list)
    if (skip(line, entry.at, isBlank) >= line.length) {
      if (fence === null && entry.listed) list = entry.list
      if (fence?.quoted && !entry.quoted) fence = null
      if (fence !== null) parts[number] = PART.fenced
      continue
    }
    if (fence !== null) {
      // Leaving the list item or the quotation ends a fence as well.
      if (entry.indent >= fence.list && (!fence.quoted || entry.quoted)) {
        parts[number] = PART.fenced
        if (closes(line, entry, fence)) fence = null
        continue
      }
      fence = null
    }
    list = entry.list
    const indented = entry.column - list > 3
    const mark = indented ? null : fenceMark(line, entry.at)
    if (mark === null) {
      parts[number] = entry.quoted ? PART.quoted : indented ? PART.indented : PART.own
      continue
    }
    fence = { mark, quoted: entry.quoted, list }
    parts[number] = PART.fenced
  }
  return parts
}

/** What a line's HTML comment says, if the line holds nothing else; else null (sheet ledger §1.1). */
export function commentText(line: string): string | null {
  const text = line.trim()
  return text.length >= 7 && text.startsWith('<!--') && text.endsWith('-->') ? text.slice(4, -3).trim() : null
}

const ENDING = /:(?:COMPLETE|PARTIAL|INVALID)$/

/** Whether the text of a comment ends an annotation of any type, known or not (sheet ledger §1.2). */
export function isSentinel(comment: string): boolean {
  return ENDING.test(comment) && skip(comment, 0, isSentinelPart) === comment.length
}

function isSentinelPart(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x3a
}

const TEMPLATE_LABEL =
  /^\*\*(?:Decisions|Anomalies|Completed|Pattern|Root ?Cause|Prevention|Severity|Files?|Paths?|Symbols?)\*\*\s{0,20}:/
const ANY_LABEL = /^\*\*[^*]{1,80}\*\*\s{0,20}:/
const BULLET = /^(?:[-*+]|\d{1,9}[.)])\s/
const RULE = /^(?:-{3,80}|\*{3,80}|_{3,80})$/

/** Whether a trimmed line is no part of the value above it: a label, heading, comment, table row, rule or fence. */
function endsValue(line: string): boolean {
  const bulleted = BULLET.exec(line)
  if (bulleted !== null) return TEMPLATE_LABEL.test(line.slice(bulleted[0].length).trim())
  return /^(?:#|<!--|\||```|~~~)/.test(line) || RULE.test(line) || ANY_LABEL.test(line)
}

/** The label that a value stands behind: bold, with the colon outside. `name` is a regular expression. */
export function label(name: string): RegExp {
  return new RegExp(`\\*\\*(?:${name})\\*\\*[ \\t]{0,20}:`)
}

/** Where the value of a label starts, that is behind its colon, or -1. */
export function valueAt(text: string, wanted: RegExp): number {
  const found = wanted.exec(text)
  return found === null ? -1 : found.index + found[0].length
}

/**
 * The value that starts at `from`: the rest of its line, or the first line with text below it, and the list items and
 * continued lines that follow. One string per item, without its mark; empty where another label comes first.
 * Source: sheet ledger §2.2, with whole lists and no neighbour's text (§10.5).
 */
export function valueItems(text: string, from: number): string[] {
  const lines = text.slice(from).split('\n')
  const first = lines[0]?.trim() ?? ''
  const items: string[] = first === '' ? [] : [first]
  let gap = false
  for (const whole of lines.slice(1)) {
    const line = whole.trim()
    if (line === '') {
      gap = items.length > 0
      continue
    }
    const bulleted = BULLET.exec(line)
    if (endsValue(line) || (gap && bulleted === null)) break
    if (bulleted !== null) items.push(line.slice(bulleted[0].length).trim())
    else if (items.length === 0) items.push(line)
    else items.push(`${items.pop()} ${line}`)
    gap = false
  }
  return items
}

/** One line: the rest of the label's own, or else the first with text below; empty where another label comes first. */
export function valueLine(text: string, from: number): string {
  let start = from
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? text.length : end).trim()
    if (line !== '') return start > from && endsValue(line) ? '' : line
    if (end === -1) break
    start = end + 1
  }
  return ''
}

/** Cut at `most` UTF-16 units, but never inside a character (sheet ledger §10, case 67). */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

/** The text with every half of a surrogate pair replaced: UTF-8 has no way to store one. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}
