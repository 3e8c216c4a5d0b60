// The grammar of annotations: tag lines, how far they reach, sentinels, fields. One text in, annotations in order of
// appearance out; what they teach is asked in ledger-cards.ts. Tags in code and in quotations are talk about the
// protocol and no annotations. Surprise: whatever stands behind a sentinel still belongs to the annotation.

import { blockStarts } from './ledger-blocks.ts'
import { commentText, isSentinel, PART, partsOf } from './ledger-lines.ts'

export type AnnotationState = 'complete' | 'partial' | 'interrupted'

export interface Annotation {
  readonly type: string
  /** What stands behind the colon of the tag, unescaped; null without a colon. */
  readonly value: string | null
  readonly state: AnnotationState
  readonly fields: ReadonlyMap<string, string>
  /** From the line below the tag to the line above the next tag, or to the end. */
  readonly body: string
  /** As `body`, character by character, but blank where code is fenced or text quoted: marks and names are found here. */
  readonly prose: string
  /** 1-based line of the tag. */
  readonly line: number
}

/** Types whose tag carries all there is, so that COMPLETE and PARTIAL are values like any other. */
const VALUE_TYPES: ReadonlySet<string> = new Set(['KNOWLEDGE_GIST', 'MILESTONE_INDEX', 'PRIOR_GIST', 'CARD'])

/** Types that need no sentinel: they are complete as soon as they are there. */
const WITHOUT_SENTINEL: ReadonlySet<string> = new Set([
  ...VALUE_TYPES,
  ...['CONTRACT', 'REVIEWER', 'TRAJECTORY'],
  ...['REVIEW_STARTED', 'ANCESTRY_FAILED', 'GATE_FAILED', 'PUSH_BLOCKED', 'PUSH_FAILED', 'CLAIM_RELEASED'],
])

const COMPLETE: ReadonlyMap<string, string> = new Map([
  ['INVESTIGATOR', 'INVESTIGATION:COMPLETE'],
  ['CLAIM', 'CLAIM:COMPLETE'],
  ...['DECOMPOSED', 'CONTEXT', 'ARCHITECT', 'BUILDER', 'REMEDIATION', 'AUTOPILOT_CYCLE'].map(
    (type) => [type, `FORGE:${type}:COMPLETE`] as const,
  ),
])
const PARTIAL: ReadonlyMap<string, string> = new Map([
  ['CONTEXT', 'FORGE:CONTEXT:PARTIAL'],
  ['ARCHITECT', 'FORGE:ARCHITECT:PARTIAL'],
])

/** Labels of a pattern block. Below the start of one they are the block's, and say nothing of the investigation. */
const BLOCK_LABELS: ReadonlySet<string> = new Set(
  'Pattern,Root Cause,RootCause,Prevention,Severity,File,Files,Path,Paths,Symbol,Symbols'.split(','),
)

interface Tag {
  readonly type: string
  readonly value: string | null
}

/** The tag that a comment's text is, or null; a sentinel is none. */
function tagOf(comment: string): Tag | null {
  const found = /^FORGE:([A-Z_]{1,100})(?::|$)/.exec(comment)
  const type = found?.[1]
  if (found === null || type === undefined) return null
  if (found[0].length === comment.length && !comment.endsWith(':')) return { type, value: null }
  const value = comment.slice(found[0].length).trim()
  if ((value === 'COMPLETE' || value === 'PARTIAL') && !VALUE_TYPES.has(type)) return null
  return { type, value: unescaped(value) }
}

/** Undoes the escapes with which comment marks are kept out of values; the ampersand last, each once (sheet §1.3). */
function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text
    .replaceAll('--!&gt;', '--!>')
    .replaceAll('--&gt;', '-->')
    .replaceAll('&lt;!--', '<!--')
    .replaceAll('&amp;', '&')
}

function stateOf(type: string, comments: readonly string[]): AnnotationState {
  if (WITHOUT_SENTINEL.has(type)) return 'complete'
  const complete = COMPLETE.get(type)
  if (complete !== undefined) {
    if (comments.includes(complete)) return 'complete'
    const partial = PARTIAL.get(type)
    return partial !== undefined && comments.includes(partial) ? 'partial' : 'interrupted'
  }
  // A type nobody registered takes the sentinel of any other.
  const sentinels = comments.filter(isSentinel)
  if (sentinels.some((sentinel) => sentinel.endsWith(':COMPLETE'))) return 'complete'
  return sentinels.some((sentinel) => sentinel.endsWith(':PARTIAL')) ? 'partial' : 'interrupted'
}

/** `**Key**: value` on its own line; the last of equal keys wins. Inside of pattern blocks only what is not theirs. */
function fieldsOf(type: string, prose: string): Map<string, string> {
  const blocks = type === 'INVESTIGATOR' ? (blockStarts(prose)[0]?.at ?? prose.length) : prose.length
  const own = new Map<string, string>()
  const inBlocks = new Map<string, string>()
  let at = 0
  for (const whole of prose.split('\n')) {
    const inside = at >= blocks
    at += whole.length + 1
    const line = whole.trim()
    const end = line.startsWith('**') ? line.indexOf('*', 2) : -1
    if (end <= 2 || line[end + 1] !== '*') continue
    const rest = line.slice(end + 2).trimStart()
    const value = rest.slice(1).trim()
    const key = unescaped(line.slice(2, end))
    if (!rest.startsWith(':') || value === '' || (inside && BLOCK_LABELS.has(key))) continue
    ;(inside ? inBlocks : own).set(key, unescaped(value))
  }
  return new Map([...inBlocks, ...own])
}

/**
 * Every annotation of a text. Never throws, linear. Source: sheet ledger §1, with the decisions that fences,
 * quotations and indented code hold none, and that the fields of a pattern block are the block's.
 */
export function annotationsIn(text: string): Annotation[] {
  if (!text.includes('FORGE:')) return []
  const lines = text.split('\n')
  const parts = partsOf(lines)
  const comments = lines.map((line, number) => (parts[number] === PART.own ? commentText(line) : null))
  const tags = comments.map((comment) => (comment === null ? null : tagOf(comment)))
  const starts = tags.flatMap((tag, number) => (tag === null ? [] : [{ tag, number }]))
  return starts.map(({ tag: { type, value }, number }, order) => {
    const end = starts[order + 1]?.number ?? lines.length
    const raw = lines.slice(number + 1, end)
    const body = raw.join('\n')
    const prose = raw
      .map((line, below) => {
        const part = parts[number + 1 + below]
        return part === PART.fenced || part === PART.quoted ? ' '.repeat(line.length) : line
      })
      .join('\n')
    const state = stateOf(
      type,
      comments.slice(number + 1, end).filter((comment) => comment !== null),
    )
    const fields = value === null ? fieldsOf(type, prose) : new Map<string, string>()
    return { type, value, state, fields, body, prose, line: number + 1 }
  })
}
