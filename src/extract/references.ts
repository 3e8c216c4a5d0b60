// References to artifacts in a piece of text: ids in any width, Markdown links, bare numbers where a word calls for one.
// Tells keys as they are written down in facts, and the words behind each. Resolves nothing: what a link means is asked
// of the caller. Surprise: what stands in parentheses is a remark about the reference before it and never one itself.

import { paddedId } from './conventions/names.ts'

export interface Reference {
  readonly key: string
  /** The key with the slug that was typed behind its number: of several files with one number it names one. */
  readonly slug?: string
  /** Free words behind it ("clause only"), or null. */
  readonly text: string | null
}

export interface ReferenceRules {
  /** The key that a link destination means, or null where it is no artifact. */
  readonly link: (target: string) => string | null
  /** `[module]/` of the author, or empty: put in front of every id that names no module. */
  readonly prefix: string
  /** A bare number is an ADR's. */
  readonly numbers: boolean
  /** Ids of any capital prefix (`RULE-12`) count, as typed. */
  readonly anyPrefix: boolean
}

const LINK = String.raw`\[(?<label>(?:[^[\]]|\[[^[\]]{0,100}\]){0,300})\]\((?<target>[^()\s]{0,400}(?:\([^()\s]{0,100}\)[^()\s]{0,100})?)[^()]{0,200}\)`
const FOREIGN = String.raw`\[(?<module>[^[\]\s]{1,100})\]\/(?<foreign>(?:ADR|SPEC)-\d{1,6})(?!\w)`
const NAMED = String.raw`(?<![\w:/.])(?<named>(?:ADR|SPEC|CHANGE):[A-Za-z0-9][\w./-]{0,200})`
const ID = String.raw`(?<![A-Za-z0-9_/.])(?<word>ADR|SPEC)[-_ ]?(?<digits>\d{1,6})(?![\d.]\d|\d)(?:-(?<tail>[A-Za-z0-9][\w-]{0,200}))?`
const OTHER_ID = String.raw`(?<![\w/.-])(?<other>[A-Z][A-Z0-9]{0,20}-\d{1,6})(?![\w-])`
const REMARK = String.raw`(?<remark>\([^()]{0,400}\))`
const NUMBER = String.raw`(?<![\w./-])#?(?<number>\d{1,6})(?=$|\s*[,;.)\]&]|\s+(?:and|or)\b)`

const PATTERN = new RegExp([LINK, FOREIGN, NAMED, REMARK, ID, NUMBER].join('|'), 'gi')
const PATTERN_ANY = new RegExp([LINK, FOREIGN, NAMED, REMARK, ID, OTHER_ID, NUMBER].join('|'), 'gi')
const ID_IN_LABEL = new RegExp(ID, 'i')

/** What may stand between two references of one list. */
const SEPARATOR = /(?:^|[,;/&|+]|\b(?:and|or|und|plus))\s*(?:the\s+)?["']?$/i
const SENTENCE_END = /[.!?](?:\s|$)/
const LONGEST_TEXT = 200

function keyOf(groups: Readonly<Record<string, string | undefined>>, rules: ReferenceRules): string | null {
  const { target, label, module, foreign, named, word, digits, other, number } = groups
  if (target !== undefined) {
    const linked = rules.link(target)
    if (linked !== null) return linked
    // A link that leads elsewhere may still be labelled with an id.
    const inner = ID_IN_LABEL.exec(label ?? '')?.groups
    return inner === undefined ? null : keyOf(inner, rules)
  }
  if (module !== undefined && foreign !== undefined) return `[${module}]/${foreign.toUpperCase()}`
  if (named !== undefined) {
    const colon = named.indexOf(':')
    return `${rules.prefix}${named.slice(0, colon).toUpperCase()}${named.slice(colon).replace(/[.-]+$/, '')}`
  }
  if (word !== undefined && digits !== undefined) return rules.prefix + paddedId(word.toUpperCase(), digits)
  // The pattern is read without regard to case; these ids are not.
  if (other !== undefined) return other === other.toUpperCase() ? rules.prefix + other : null
  return number !== undefined && rules.numbers ? rules.prefix + paddedId('ADR', number) : null
}

/** Free words without the punctuation that ties them on; null where nothing is left. */
function remark(typed: string): string | null {
  const text = typed
    .replace(/\[([^[\]]{0,300})\]\([^()]{0,400}\)/g, '$1')
    .replace(/^\s*['’]s\b/, '')
    .replace(/(?:[,;/&|+]|\b(?:and|or|und|plus))\s*(?:the\s+)?["']?\s*$/i, '')
    .replace(/^[\s:,;–—-]+(?:and\s+)?|[\s.;:,–—-]+$/g, '')
    .replace(/^\(([^()]*)\)$/, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' || !/[\p{L}\p{N}]/u.test(text) ? null : text.slice(0, LONGEST_TEXT)
}

export interface Found {
  readonly references: readonly Reference[]
  /** The text in front of the first reference. */
  readonly before: string
}

/**
 * The run of references that a text starts with: it ends with a sentence, and where words other than "and", "or" and
 * punctuation lead to the next one. Bounded patterns, so linear in the length of the text. Never throws.
 * Source: conventions survey §3.
 */
export function readReferences(text: string, rules: ReferenceRules): Found {
  const hits: { key: string; slug: { slug?: string }; start: number; end: number }[] = []
  for (const match of text.matchAll(rules.anyPrefix ? PATTERN_ANY : PATTERN)) {
    const groups = match.groups ?? {}
    if (groups.remark !== undefined) continue
    const key = keyOf(groups, rules)
    if (key === null) continue
    const last = hits.at(-1)
    if (last !== undefined) {
      const gap = text.slice(last.end, match.index)
      if (SENTENCE_END.test(gap) || !SEPARATOR.test(gap)) break
    }
    const slug = groups.tail === undefined ? {} : { slug: `${key}-${groups.tail}` }
    hits.push({ key, slug, start: match.index, end: match.index + match[0].length })
  }
  const references = hits.map(({ key, slug, end }, index) => {
    const next = hits[index + 1]
    const behind = text.slice(end, next?.start ?? text.length)
    const sentence = next === undefined ? (behind.split(/[.!?](?:\s|$)/, 1)[0] ?? '') : behind
    return { key, ...slug, text: remark(sentence) }
  })
  return { references, before: text.slice(0, hits[0]?.start ?? text.length) }
}

const DESTINATION = /\]\(\s{0,9}<?([^()<>\s]{1,400})|^\[[^\]^][^\]]{0,200}\]:\s{1,9}<?([^<>\s]{1,400})/g

/** The destinations of the links in a line, code spans left out. */
export function destinationsIn(line: string): readonly string[] {
  if (!line.includes('](') && !line.includes(']:')) return []
  const shown = line.includes('`') ? line.replace(/(`+)[^`]{1,1000}\1/g, ' ') : line
  return [...shown.matchAll(DESTINATION)].flatMap((match) => match[1] ?? match[2] ?? [])
}

/** Words for "nothing" in fields and lines (conventions survey §3). */
export function isNothingWord(text: string): boolean {
  const bare = text.trim()
  return /^(?:|null|~|none|n\/?a|nil|no|tbd|todo|[-–—.?]+)$/i.test(bare) || isPlaceholder(bare)
}

/** True for what a template left behind: `{…}`, `[a | b]`, `Proposed | Accepted | Rejected`, `ADR-XXXX`. */
export function isPlaceholder(text: string): boolean {
  return (
    /^\{.*\}$/s.test(text) ||
    /^\[[^\]]*\|[^\]]*\]$/.test(text) ||
    /^\w+(?: ?[|/] ?\w+){2,}$/.test(text) ||
    /^(?:ADR|SPEC)-[XN]{2,}\b/i.test(text)
  )
}
