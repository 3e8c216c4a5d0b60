// What the prose of one artifact says about others, as edges that its front matter could declare. Pure: one text in,
// proposals out; whether they are wanted, authored already or would close a cycle is asked in artifact/backfill.ts.
// Surprise: `Related: ADR-0008` proposes `extends`, as the seed's scenario has it; a bare id below `## Related` does not.

import { readFrontMatter } from './front-matter.ts'
import { proseBlocks } from './prose-blocks.ts'

export type EdgeField = 'supersedes' | 'extends' | 'enables' | 'governs' | 'related' | 'implements' | 'requires'

export interface ProposedEdge {
  readonly field: EdgeField
  /** Canonical id: with the module's prefix in a module. */
  readonly target: string
  /** For people: which words or which section it was read from. */
  readonly source: string
  /** `low` where the words only hint: implicit mentions, and `Related:` as `extends`. */
  readonly confidence: 'high' | 'low'
  /** 1-based line of the mention. */
  readonly line: number
}

export interface ProseContext {
  /** Canonical id of the artifact whose text it is. */
  readonly id: string
  readonly kind: 'adr' | 'spec'
  /** Kind of a known artifact by its canonical id; null where there is none. */
  readonly knownKind: (id: string) => 'adr' | 'spec' | null
}

/** The fields of each kind, in the order in which they are proposed and written (seed 001 "Frontmatter Edge Schema"). */
export const FIELDS: Readonly<Record<'adr' | 'spec', readonly EdgeField[]>> = {
  adr: ['supersedes', 'extends', 'enables', 'governs', 'related'],
  spec: ['implements', 'extends', 'requires', 'supersedes'],
}

/** Sheet §10 rule 5: of several fields for one target the strongest is proposed. */
const STRENGTH: Readonly<Record<EdgeField, number>> = {
  supersedes: 0,
  extends: 1,
  enables: 2,
  governs: 3,
  implements: 3,
  requires: 3,
  related: 4,
}

type Prefix = 'Supersedes' | 'Extends' | 'Builds on' | 'Related'
type Section = 'Related' | 'More Information' | 'Overview' | 'Decision Outcome' | 'Consequences'

const ID = /(?:\[([^\][\n|]{1,100})\]\/)?(?<![A-Za-z0-9_-])(ADR|SPEC)-(\d{4})(?![0-9A-Za-z_])/g
const PREFIX = /(?<![\p{L}\p{N}_-])(supersedes|extends|builds\s+(?:up)?on|(?:un)?related)(?![\p{L}\p{N}_-])/giu
const REVERSE =
  /\b(superseded|replaced|extended|amended|refined|enabled|governed|implemented|reali[sz]ed|required|obsoleted|deprecated|depended[\s-]on|built[\s-](?:up)?on)(?:\s+[a-z0-9]+){0,4}?[\s-]+by\b/gi
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|cf|vs|resp|incl|no)$/i
/** Words between a verb in mid-sentence and its first id. */
const FILLER =
  /^(?:[^\p{L}\p{N}]|\b(?:the|both|older|earlier|previous|original|first|decisions?|specs?|specifications?|records?|adrs?|in|of|from)\b)*$/iu
/** What may stand between two ids of one enumeration; brackets with text are blanked before. */
const JOINT = /^[^\p{L}\p{N}]*(?:(?:and|or|plus|as well as)[^\p{L}\p{N}]*)?$/iu
/** Characters of a clause at most: what goes on longer is no prose, and would make this quadratic. */
const CLAUSE_LIMIT = 4000
const OWN_SUBJECT =
  /^[^\p{L}\p{N}"'“”‘’]*(?:(?:this\s+(?:adr|decision|record|document|spec|specification)|it|and|also)\s+)*$/iu
const RELATED_TAIL =
  /^(?:\s+(?:to|adrs?|specs?|decisions?|artifacts?|documents?|records?|specifications?))?[*_]{0,3}\s*(:)?[*_]{0,3}/i
/** In front of `related`: it is not. `not only related` is no denial. */
const UNRELATED =
  /(?:\b(?:not|never|no longer|neither|nor|cannot)|n['’]t)\s+(?:(?!only\b|merely\b|solely\b)\w+ly\s+|be\s+|in any way\s+)?$/i
const SELF_OBJECT = /^\s+(?:this|the present)\b/i

interface Mention {
  readonly at: number
  readonly end: number
  readonly id: string
  readonly kind: 'adr' | 'spec'
}

/** Where in a clause ids begin to be bound: by a prefix, to nobody (`none`), in reverse, or said to be `unrelated`. */
interface Turn {
  readonly at: number
  readonly end: number
  readonly binds: Prefix | 'none' | 'reverse' | 'unrelated'
  /** Binds every id of its part of the clause; otherwise only an enumeration right behind it. */
  readonly initial: boolean
  readonly word: string
}

function prefixOf(word: string): Prefix {
  const first = word[0]?.toLowerCase()
  return first === 's' ? 'Supersedes' : first === 'e' ? 'Extends' : first === 'b' ? 'Builds on' : 'Related'
}

function isPrefix(binds: Turn['binds']): binds is Prefix {
  return binds !== 'none' && binds !== 'reverse' && binds !== 'unrelated'
}

/** The section rules that a heading brings, or null. Numbers, emphasis and a final colon do not count. */
function sectionOf(heading: string): Section | null {
  const name = heading
    .replace(/^[\d.)\s*_]+|[\s*_:]+$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
  if (/^related(?: (?:artifacts|decisions|adrs?|specs?|specifications|documents|records))?$/.test(name))
    return 'Related'
  if (name === 'more information') return 'More Information'
  if (name === 'overview') return 'Overview'
  if (name === 'decision outcome') return 'Decision Outcome'
  return name === 'consequences' ? 'Consequences' : null
}

/** Start and end of each clause: to the next full stop, semicolon or table cell (sheet §10 rule 1). */
function clausesOf(text: string): (readonly [number, number])[] {
  const clauses: (readonly [number, number])[] = []
  let start = 0
  const close = (end: number): void => {
    for (; end - start > CLAUSE_LIMIT; start += CLAUSE_LIMIT) clauses.push([start, start + CLAUSE_LIMIT])
    clauses.push([start, end])
  }
  for (const stop of text.matchAll(/[;|]|[.!?](?=[)*_"'”’\]]{0,8}(?:\s|$))/g)) {
    if (stop[0] === '.' && ABBREVIATION.test(text.slice(Math.max(0, stop.index - 6), stop.index))) continue
    close(stop.index)
    start = stop.index + 1
  }
  close(text.length)
  return clauses
}

/** Reads one artifact's text: front matter is left out, and so is code. */
class Reader {
  readonly #context: ProseContext
  readonly #prefix: string
  readonly #best = new Map<string, ProposedEdge>()
  readonly #reversed = new Set<string>()

  constructor(context: ProseContext) {
    this.#context = context
    this.#prefix = /^\[[^\]]+\]\//.exec(context.id)?.[0] ?? ''
  }

  edges(): ProposedEdge[] {
    const order = FIELDS[this.#context.kind]
    return [...this.#best.values()]
      .filter(({ target }) => !this.#reversed.has(target))
      .sort(
        (a, b) =>
          order.indexOf(a.field) - order.indexOf(b.field) || (a.target < b.target ? -1 : a.target > b.target ? 1 : 0),
      )
  }

  read(text: string): void {
    const { body, bodyLine } = readFrontMatter(text)
    for (const block of proseBlocks(body, bodyLine)) {
      if (!block.text.includes('ADR-') && !block.text.includes('SPEC-')) continue
      const section = block.headings.map(sectionOf).findLast((each) => each !== null) ?? null
      let counted = 0
      let line = block.line
      for (const [start, end] of clausesOf(block.text)) {
        for (; counted < start; counted++) if (block.text.charCodeAt(counted) === 0x0a) line++
        this.#clause(block.text.slice(start, end), section, line)
      }
    }
  }

  #clause(clause: string, section: Section | null, line: number): void {
    const mentions: Mention[] = [...clause.matchAll(ID)].map((match) => ({
      at: match.index,
      end: match.index + match[0].length,
      id: `${match[1] === undefined ? this.#prefix : `[${match[1]}]/`}${match[2]}-${match[3]}`,
      kind: match[2] === 'ADR' ? 'adr' : 'spec',
    }))
    if (mentions.length === 0) return
    const turns = this.#turns(clause, mentions)
    // Brackets hold remarks: what they name is no part of the enumeration around them.
    const bare = clause.replace(/\([^()]*\)/g, (remark) => ' '.repeat(remark.length))
    let turn = -1
    let chained = false
    let last = 0
    let counted = 0
    let at = line
    for (const mention of mentions) {
      for (; counted < mention.at; counted++) if (clause.charCodeAt(counted) === 0x0a) at++
      while ((turns[turn + 1]?.at ?? Number.POSITIVE_INFINITY) < mention.at) {
        chained = true
        last = turns[++turn]?.end ?? 0
      }
      const by = turns[turn]
      const remark = bare[mention.at] === ' '
      if (by !== undefined && !remark) {
        const gap = bare.slice(last, mention.at)
        chained &&= last === by.end ? FILLER.test(gap.replace(/^\W*:/, '')) : JOINT.test(gap)
        last = mention.end
      }
      if (by?.binds === 'reverse' && this.#isReverse(by.word, mention)) this.#reversed.add(mention.id)
      else if (by !== undefined && isPrefix(by.binds) && (by.initial || (chained && !remark))) {
        this.#bound(by.binds, mention, chained && !remark, at)
      } else if (by?.binds !== 'unrelated' || !chained || remark) this.#bare(section, mention, at)
    }
  }

  #turns(clause: string, mentions: readonly Mention[]): Turn[] {
    const turns: Turn[] = [...clause.matchAll(REVERSE)].map((match) => ({
      at: match.index,
      end: match.index + match[0].length,
      binds: 'reverse',
      initial: true,
      word: (match[1] ?? '').toLowerCase(),
    }))
    let foreignFrom = 0
    for (const match of clause.matchAll(PREFIX)) {
      const end = match.index + match[0].length
      const before = clause.slice(0, match.index)
      const word = prefixOf(match[0])
      // The marks of emphasis may stand between a quotation mark and the word.
      if (/["“'‘][*_]*$/.test(before)) {
        turns.push({ at: match.index, end, binds: 'none', initial: true, word })
        continue
      }
      const initial = OWN_SUBJECT.test(before)
      if (word === 'Related') {
        const tail = RELATED_TAIL.exec(clause.slice(end))
        const behind = clause.slice(end + (tail?.[0].length ?? 0))
        if (match[0].length > 'related'.length || UNRELATED.test(before)) {
          turns.push({ at: match.index, end: end + (tail?.[0].length ?? 0), binds: 'unrelated', initial: false, word })
          continue
        }
        const direct = /^[^\p{L}\p{N}]{0,8}(?=ADR-|SPEC-)/u.test(behind) || /^\s*\[[^\]]+\]\/(?:ADR|SPEC)-/.test(behind)
        if (tail?.[1] === undefined && !(initial && direct)) continue
        turns.push({ at: match.index, end: end + (tail?.[0].length ?? 0), binds: word, initial: true, word })
        foreignFrom = end
        continue
      }
      const subjects = mentions.filter((mention) => mention.at >= foreignFrom && mention.end <= match.index)
      const foreign =
        subjects.some(({ id }) => id !== this.#context.id) || /\b(?:which|that|who)\s+(?:\w+ly\s+)?$/i.test(before)
      const denied = /\b(?:not|never|no longer|nothing|neither|nor)\s+(?:\w+ly\s+)?$/i.test(before)
      if (foreign || denied) {
        if (foreign) this.#otherSubject(clause.slice(end), subjects.at(-1))
        turns.push({ at: match.index, end, binds: 'none', initial: true, word })
        continue
      }
      turns.push({ at: match.index, end, binds: word, initial, word })
      foreignFrom = Number.POSITIVE_INFINITY
    }
    return turns.sort((a, b) => a.at - b.at)
  }

  /** `ADR-0010 supersedes this decision`: the other one's edge. */
  #otherSubject(behind: string, subject: Mention | undefined): void {
    const own = this.#context.id.slice(this.#prefix.length)
    if (subject !== undefined && (SELF_OBJECT.test(behind) || behind.trimStart().startsWith(own))) {
      this.#reversed.add(subject.id)
    }
  }

  /** `Implemented by SPEC-…` in an ADR and `governed by ADR-…` in a spec are this artifact's edge in other words. */
  #isReverse(word: string, mention: Mention): boolean {
    const { kind } = this.#context
    if (kind === 'adr' && mention.kind === 'spec') return !/^(?:implemented|reali[sz]ed)/.test(word)
    if (kind === 'spec' && mention.kind === 'adr') return !/^(?:governed|enabled|required)/.test(word)
    return true
  }

  #bound(prefix: Prefix, mention: Mention, sure: boolean, line: number): void {
    const { kind } = this.#context
    const source = `prefix ${prefix}`
    if (kind !== mention.kind) {
      this.#propose(kind === 'adr' ? 'governs' : 'implements', mention, source, sure, line)
    } else if (prefix === 'Related' && kind === 'spec') this.#propose('requires', mention, source, sure, line)
    else if (prefix === 'Supersedes') this.#propose('supersedes', mention, source, sure, line)
    else this.#propose('extends', mention, source, sure && prefix !== 'Related', line)
  }

  #bare(section: Section | null, mention: Mention, line: number): void {
    const { kind } = this.#context
    const listed = section === 'Related' || section === 'More Information'
    if (kind === 'spec') {
      if (!listed && section !== 'Overview') return
      const source = listed ? `bare mention in ${section}` : section
      this.#propose(mention.kind === 'adr' ? 'implements' : 'requires', mention, source, listed, line)
    } else if (listed) {
      const field = mention.kind === 'adr' ? 'related' : 'governs'
      this.#propose(field, mention, `bare mention in ${section}`, true, line)
    } else if (mention.kind === 'spec' && (section === 'Decision Outcome' || section === 'Consequences')) {
      this.#propose('governs', mention, section, false, line)
    }
  }

  #propose(field: EdgeField, { id, kind }: Mention, source: string, sure: boolean, line: number): void {
    if (id === this.#context.id || this.#context.knownKind(id) !== kind) return
    const known = this.#best.get(id)
    if (known !== undefined && STRENGTH[known.field] < STRENGTH[field]) return
    const confidence = sure ? 'high' : 'low'
    if (known?.field === field && (known.confidence === 'high' || confidence === 'low')) return
    this.#best.set(id, { field, target: id, source, confidence, line })
  }
}

/**
 * The edges that one artifact's prose suggests: one field per target, the strongest (seed 001 "Backfill Mode", sheet
 * artifact-graph §10 rules 1-5). Never itself, never an id that is not known, never what stands in code, in a reverse
 * phrase (`superseded by …`) or behind a negation. Sorted by field, then target. Never throws.
 */
export function proposeEdges(text: string, context: ProseContext): ProposedEdge[] {
  const reader = new Reader(context)
  reader.read(text)
  return reader.edges()
}
