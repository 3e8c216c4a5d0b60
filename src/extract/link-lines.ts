// Lines that relate an artifact to others: "Supersedes: ADR-0003", "* Amended by [5. Rye](0005-rye.md)", a heading
// "Related decisions" over a list. Finds the words and the references behind them; what kind of edge it becomes is
// decided by the caller. Surprise: a word alone on its line speaks for the list below it.

import { type Wording, type Wordings, wordKey } from './conventions/wording.ts'
import { type ProseLine, tableRow } from './prose-lines.ts'
import { type Reference, type ReferenceRules, readReferences } from './references.ts'

export interface Relating {
  readonly meant: Wording
  readonly reference: Reference
  readonly line: number
}

/** A word at the start of a text, and what follows it. */
interface Lead {
  readonly meant: Wording
  readonly rest: string
  /** A colon, or the like, stands behind the word: whatever follows is its list. */
  readonly marked: boolean
  readonly strong: boolean
}

const OPENING =
  /^["'“\s]*(?:this\s+(?:adr|decision|record|document|spec|specification)\s+)?(?:is\s+|was\s+|has\s+been\s+)?\[?/i
const FIRST_WORDS = /^[\p{L}\d]+(?:[ _-]+[\p{L}\d]+){0,3}/u
/** Words that relate even where a few others come before the reference: "Extends the retry rule of ADR-0003". */
const STRONG = /^(?:super[sc]ede|amend|extend|refine|depends-on|replace)/

/** Emphasis and back-ticks dropped; underscores inside of words stay. */
function plain(text: string): string {
  if (!/[*`_]/.test(text)) return text
  return text.replace(/[*`]+|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])/g, '')
}

/** Words that may stand in front of the one that relates: "This decision supersedes …". */
const BEFORE = ['this', 'is', 'was', 'has']
const FIRST_WORD = /[\p{L}\d]+/u
const firstWords = new WeakMap<
  Wordings,
  { readonly words: ReadonlySet<string>; readonly letters: ReadonlySet<string> }
>()

/** Most lines of a text start with another word, even with another letter, and are told by it. */
function mayLead(text: string, words: Wordings): boolean {
  let known = firstWords.get(words)
  if (known === undefined) {
    const first = new Set([...BEFORE, ...[...words.keys()].map((word) => word.split('-', 1)[0] ?? '')])
    known = {
      words: first,
      letters: new Set([...first].flatMap((word) => [word[0] ?? '', word[0]?.toUpperCase() ?? ''])),
    }
    firstWords.set(words, known)
  }
  for (let at = 0; at < 5; at++) {
    if (!known.letters.has(text[at] ?? '')) continue
    return known.words.has((FIRST_WORD.exec(text.slice(at, at + 40))?.[0] ?? '').toLowerCase())
  }
  return false
}

function lead(text: string, words: Wordings): Lead | null {
  if (!mayLead(text, words)) return null
  const start = OPENING.exec(text)?.[0].length ?? 0
  const head = FIRST_WORDS.exec(text.slice(start, start + 80))?.[0] ?? ''
  // The longest known run of words: "partly superseded by" before "superseded by".
  const ends = [...head.matchAll(/[\p{L}\d]+/gu)].map((word) => word.index + word[0].length).reverse()
  for (const end of ends) {
    const key = wordKey(head.slice(0, end))
    const meant = words.get(key)
    if (meant === undefined) continue
    const behind = text.slice(start + end)
    const marked = /^\]?\s*(?:[:：|=→]|$)/.test(behind)
    return { meant, rest: behind.replace(/^\]?\s*[:：|=→]?\s*/, ''), marked, strong: STRONG.test(key) }
  }
  return null
}

/** True where a text starts with a word that relates: it is no status then. */
export function startsRelation(text: string, words: Wordings): boolean {
  return lead(plain(text), words) !== null
}

/** Whether the words between a word and its first reference still let the one speak of the other. */
function bound({ marked, strong }: Pick<Lead, 'marked' | 'strong'>, before: string): boolean {
  if (/[.!?;](?:\s|$)/.test(before)) return false
  const words = before.replace(
    /\b(?:the|our|by|to|adr|adrs|decision|decisions|spec|specs|see|no)\b|[^\p{L}\p{N}]/giu,
    '',
  )
  return marked || words === '' || (strong && before.length <= 60)
}

const CLAUSE = /(?:[;,.(|—–]|\s[-/]\s)\s*(?:(?:and|but)\s+)?(?:also\s+)?|\b(?:and|but)\s+(?:also\s+)?/g
const CLAUSE_LOOK = 400

/** The clauses of a text that start with a known word. */
function clauses(text: string, words: Wordings, rules: ReferenceRules): readonly Lead[] {
  const found: { readonly start: number; readonly before: number }[] =
    lead(text, words) === null ? [] : [{ start: 0, before: 0 }]
  for (const match of text.matchAll(CLAUSE)) {
    const start = match.index + match[0].length
    const next = found.at(-1)?.start === start ? null : lead(text.slice(start, start + CLAUSE_LOOK), words)
    // A plain "related" or "requires" in the middle of a sentence is prose, unless a reference is what follows it.
    if (next !== null && (next.strong || isDirect(next.rest, rules))) found.push({ start, before: match.index })
  }
  // What joins two clauses is no remark of the first.
  return found.flatMap(
    ({ start }, index) => lead(text.slice(start, found[index + 1]?.before ?? text.length), words) ?? [],
  )
}

/** Whether a text starts with a reference. */
function isDirect(rest: string, rules: ReferenceRules): boolean {
  const { references, before } = readReferences(rest, rules)
  return references.length > 0 && bound({ marked: false, strong: false }, before)
}

function relate(clause: Lead, line: number, rules: ReferenceRules): readonly Relating[] {
  const { references, before } = readReferences(clause.rest, rules)
  return bound(clause, before) ? references.map((reference) => ({ meant: clause.meant, reference, line })) : []
}

/** What a status or another free text relates to, wherever in it the words stand: "Accepted, superseded by ADR-0007". */
export function relationsIn(typed: string, line: number, words: Wordings, rules: ReferenceRules): readonly Relating[] {
  return clauses(plain(typed), words, rules).flatMap((clause) => relate(clause, line, rules))
}

/** A line as it is read: `| Supersedes | ADR-0003 |` like `Supersedes: ADR-0003`. */
function lineText(text: string): string {
  const cells = tableRow(text)
  return cells === null ? text : cells.length < 2 ? '' : `${cells[0]}: ${cells.slice(1).join(' ')}`
}

/** Items that go on over indented lines, and lines that end with a comma, are one line. */
function joined(lines: readonly ProseLine[]): readonly ProseLine[] {
  const whole: ProseLine[] = []
  let item = false
  for (const line of lines) {
    const last = whole.at(-1)
    const goesOn = line.level === 0 && !line.listed && line.text !== '' && last !== undefined && last.text !== ''
    if (goesOn && last.level === 0 && ((item && line.indent > 0) || last.text.endsWith(','))) {
      whole[whole.length - 1] = { ...last, text: `${last.text} ${line.text}`.slice(0, 8000) }
      continue
    }
    item = line.listed
    whole.push(line)
  }
  return whole
}

/**
 * Every relation that the lines of an artifact declare. A line counts where it starts with a known word and a
 * reference follows, directly or behind a colon; a word with nothing behind it, or a heading, speaks for what is listed below.
 * Source: conventions survey §3, §5.
 */
export function readLinkLines(
  lines: readonly ProseLine[],
  words: Wordings,
  rules: ReferenceRules,
): readonly Relating[] {
  const found: Relating[] = []
  let heading: Lead | null = null
  let above: Lead | null = null
  for (const { level, text: typed, listed, number } of joined(lines)) {
    if (typed === '') continue
    const text = plain(lineText(typed))
    const first = lead(text, words)
    if (level > 0) {
      heading = first?.marked && first.rest === '' ? first : null
      above = null
      continue
    }
    if (first !== null) {
      for (const clause of clauses(text, words, rules)) found.push(...relate(clause, number, rules))
      // The items of a list stand below the word that was alone on its line.
      if (!listed || first.rest === '') above = first.marked && first.rest === '' ? first : null
      continue
    }
    if (!listed) above = null
    const speaks = above ?? heading
    if (speaks === null) continue
    const { references, before } = readReferences(text, rules)
    if (!bound({ marked: false, strong: false }, before)) continue
    found.push(...references.map((reference) => ({ meant: speaks.meant, reference, line: number })))
  }
  return found
}
