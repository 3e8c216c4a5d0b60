// The code family: which artifacts a source file names in its governing comments. One edge per target and type, with
// the names of requirements as data. The file is a node only if it names an artifact; whether that artifact exists is
// not asked here. Surprise: most files never come here, because their bytes hold no marker word.

import { type EdgeFact, type Facts, NO_FACTS, SEVERITY } from '../model/facts.ts'
import { isStrict, moduleOf, withinModule } from '../model/layout.ts'
import { EDGE, KIND } from '../model/vocabulary.ts'
import { detached } from './characters.ts'
import type { ExtractContext, Extractor, SourceText } from './extractor.ts'
import { EXTRACTOR_VERSION } from './fingerprint.ts'
import { acceptedOpeners, sightings, type Word } from './governing-line.ts'

const TYPE: Readonly<Record<Word, number>> = {
  governing: EDGE.codeGovernedBy,
  implements: EDGE.codeImplements,
}

/** Why a marker could not be read. */
type Reason = 'no-artifact-id' | 'unaccepted-opener'

const MODULE = String.raw`(?:\[([^\][]{1,100})\]\/)?`
const STRICT_ID = String.raw`${MODULE}(?<!\w)(ADR|SPEC)-(\d{4})(?!\w)`
const LENIENT_ID = String.raw`${MODULE}(?<!\w)(ADR(?=-\d{1,6}(?!\w))|SPEC(?=-\d{4}(?!\w)))-(\d+)`
const REQUIREMENT = String.raw`(?<!\w)(?:REQS?:? ?(?:"([^"]{1,200})"|\u201c([^\u201d]{1,200})\u201d|'([^']{1,200})')|(REQ-[A-Z0-9]+(?:-[A-Z0-9]+)*))`
const WORD = String.raw`(?<![\w"'\u201c-])([Gg]overning|GOVERNING|[Ii]mplements|IMPLEMENTS) ?:(?!:)`

const TOKEN = {
  strict: new RegExp(`${STRICT_ID}|${REQUIREMENT}|${WORD}`, 'g'),
  lenient: new RegExp(`${LENIENT_ID}|${REQUIREMENT}|${WORD}`, 'g'),
} as const
/** A further name behind `REQ "A"`. */
const NEXT_NAME = / ?(?:,|;|&|and)? ?(?:"([^"]{1,200})"|“([^”]{1,200})”)/y

interface Mention {
  readonly word: Word
  readonly id: string
  readonly requirements: string[]
}

/** The artifacts that a body names, in order. `prefix` is put before ids that name no module. */
function mentions(first: Word, text: string, strict: boolean, prefix: string): Mention[] {
  const found: Mention[] = []
  let word = first
  // A copy, because the position of a shared expression would be shared as well.
  const token = new RegExp(strict ? TOKEN.strict : TOKEN.lenient)
  for (let hit = token.exec(text); hit !== null; hit = token.exec(text)) {
    const [, module, kind, digits, straight, curly, single, numbered, marker] = hit
    const requirement = straight ?? curly ?? single ?? numbered
    if (kind !== undefined && digits !== undefined) {
      const number = strict ? digits : String(Number(digits)).padStart(4, '0')
      const own = module === undefined ? prefix : `[${module}]/`
      found.push({ word, id: `${own}${kind}-${number}`, requirements: [] })
    } else if (requirement !== undefined) {
      const names = found.at(-1)?.requirements ?? []
      names.push(requirement.trim())
      if (numbered === undefined) token.lastIndex = furtherNames(text, token.lastIndex, names)
    } else if (marker !== undefined) {
      word = marker.toLowerCase() === 'governing' ? 'governing' : 'implements'
    }
  }
  return found
}

function furtherNames(text: string, from: number, names: string[]): number {
  let end = from
  const next = new RegExp(NEXT_NAME)
  for (;;) {
    next.lastIndex = end
    const hit = next.exec(text)
    if (hit === null) return end
    names.push((hit[1] ?? hit[2] ?? '').trim())
    end = next.lastIndex
  }
}

function governingFacts(source: SourceText, { config, layout }: ExtractContext): Facts {
  const module = moduleOf(layout, source.path)
  const prefix = module === null || module.name === null ? '' : `[${module.name}]/`
  const strict = module === null || isStrict(module)
  const file = prefix + (module === null ? source.path : withinModule(module, source.path))
  const united = new Map<string, { up: string; type: number; line: number; requirements: Set<string> }>()
  let problem: { reason: Reason; line: number } | null = null

  for (const { kind, word, line, text } of sightings(source.lines(), acceptedOpeners(config.graph.openers))) {
    const named = mentions(word, text, strict, prefix)
    // `implements:` is a key in many languages; only an id tells that a comment was meant.
    if (kind === 'unaccepted') {
      if (word === 'governing' || named.length > 0) problem ??= { reason: 'unaccepted-opener', line }
      continue
    }
    if (named.length === 0 && word === 'governing') problem ??= { reason: 'no-artifact-id', line }
    for (const { word: by, id, requirements } of named) {
      const type = TYPE[by]
      const key = `${type} ${id}`
      const known = united.get(key) ?? { up: detached(id), type, line, requirements: new Set<string>() }
      united.set(key, known)
      for (const name of requirements) if (name !== '') known.requirements.add(name)
    }
  }

  if (united.size > 0) {
    const edges: EdgeFact[] = [...united.values()].map(({ up, type, line, requirements }) => {
      const note = requirements.size === 0 ? null : JSON.stringify({ requirements: [...requirements] })
      return { up, down: file, type, line, note }
    })
    const node = { id: file, kind: KIND.code, own: true, title: null, status: null, line: null }
    return { nodes: [node], edges, problems: [] }
  }
  if (problem === null) return NO_FACTS
  const { reason, line } = problem
  const code = 'governing-unrecognized'
  const fact = { code, severity: SEVERITY.warning, line, detail: reason, field: null, target: null }
  return { nodes: [], edges: [], problems: [fact] }
}

/**
 * Facts of one source file: a node and its edges where a governing comment names an artifact, else one problem
 * governing-unrecognized with the first reason where there is a marker, else nothing. Never throws for what the text
 * says. Source: seed 001 "Graph Construction" and "Diagnostic Query Verbs", sheet artifact-graph §5.
 */
export const governingExtractor = {
  family: 'code',
  version: EXTRACTOR_VERSION.code,
  // Bytes as Latin-1 are a plain copy; a search for every spelling at once would cost three times as much.
  concerns: (bytes) => {
    const text = bytes.toString('latin1').toLowerCase()
    if (!text.includes('governing') && !text.includes('implements')) return false
    return /(?:governing|implements)[ \t]*:/.test(text)
  },
  extract: governingFacts,
} as const satisfies Extractor
