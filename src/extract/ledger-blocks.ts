// What stands inside an investigation: its titled sections and its pattern blocks. Texts in, texts out; no cards, no
// fall-back from one to the other (ledger-cards.ts). Surprise: a block starts behind the words "Pattern Metadata"
// wherever they stand, also within a sentence, and reaches to the next such words, whatever headings come between.

import { commentText, cut, isSentinel, label, valueAt, valueLine } from './ledger-lines.ts'
import { listedSymbols, pathsIn } from './ledger-symbols.ts'

/** Longest texts, in UTF-16 units (sheet ledger §2.2). */
export const LONGEST = { text: 400, pattern: 200 } as const

export interface PatternBlock {
  readonly pattern: string
  readonly rootCause: string
  readonly prevention: string
  readonly severity: string
  readonly paths: readonly string[]
  readonly symbols: readonly string[]
}

/** The one section whose text is not kept, but searched for names. */
const FILES = 'Affected Files'
const SECTIONS: ReadonlySet<string> = new Set(['Root Cause', 'Recommendation', FILES])

/**
 * The sections with a title that matters, by title; the first of a title counts, also where it is empty. A section ends
 * at the next heading of two or more hashes or at a sentinel. Headings and files come from `prose`, texts from `body`.
 * Source: sheet ledger §2.2; an empty section stays empty and a heading starts its line (case 65).
 */
export function sectionsOf(prose: string, body: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let open: { readonly title: string; readonly from: number } | null = null
  const close = (at: number): void => {
    if (open !== null) found.set(open.title, (open.title === FILES ? prose : body).slice(open.from, at).trim())
    open = null
  }
  let at = 0
  for (const line of prose.split('\n')) {
    const hashes = /^ {0,3}(#{2,20})/.exec(line)
    const comment = commentText(line)
    if (hashes !== null || (comment !== null && isSentinel(comment))) close(at)
    at += line.length + 1
    if (hashes === null || (hashes[1]?.length ?? 0) < 3) continue
    const title = line.slice(hashes[0].length)
    if (title === title.trimStart() || found.has(title.trim()) || !SECTIONS.has(title.trim())) continue
    open = { title: title.trim(), from: at }
  }
  close(body.length)
  return found
}

/** A section's text as a card keeps it: on one line, cut (sheet ledger §2.2). */
export function sectionText(text: string | undefined): string {
  return cut((text ?? '').replace(/[\r\n]+/g, ' '), LONGEST.text)
}

const START = /(?:Pattern Metadata|^ {0,3}#{2,6}[ \t]{1,20}Pattern)[ \t\r]{0,20}(?::|\n)/gm

/** Where pattern blocks start, `at` their heading and `from` behind it. */
export function blockStarts(prose: string): { readonly at: number; readonly from: number }[] {
  return [...prose.matchAll(START)].map((hit) => ({ at: hit.index, from: hit.index + hit[0].length }))
}

const LABEL = {
  pattern: label('Pattern'),
  rootCause: label('Root Cause|RootCause'),
  prevention: label('Prevention'),
  severity: label('Severity'),
  files: label('Files?|Paths?'),
  symbols: label('Symbols?'),
} as const

/**
 * The pattern blocks of an investigation that name a pattern or a root cause, in order; a field that is not there is
 * empty. Source: sheet ledger §2.2 "pattern", with back-ticks and line numbers stripped (§10.5).
 */
export function patternBlocks(prose: string): PatternBlock[] {
  const starts = blockStarts(prose)
  return starts.flatMap(({ from }, order) => {
    const block = prose.slice(from, starts[order + 1]?.at ?? prose.length)
    const line = (wanted: RegExp): string => {
      const at = valueAt(block, wanted)
      return at === -1 ? '' : valueLine(block, at)
    }
    const pattern = cut(line(LABEL.pattern), LONGEST.pattern)
    const rootCause = cut(line(LABEL.rootCause), LONGEST.text)
    if (pattern === '' && rootCause === '') return []
    const files = valueAt(block, LABEL.files)
    const filesEnd = block.indexOf('**', files)
    return {
      pattern,
      rootCause,
      prevention: cut(line(LABEL.prevention), LONGEST.text),
      severity: line(LABEL.severity),
      paths: files === -1 ? [] : pathsIn(block.slice(files, filesEnd === -1 ? block.length : filesEnd)),
      symbols: listedSymbols(line(LABEL.symbols)),
    }
  })
}
