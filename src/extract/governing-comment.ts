// The code family: which artifacts a source file names in its governing comments. One edge per target and type, with
// the names of requirements as data. The file is a node only if it names an artifact; whether that artifact exists is
// not asked here. Surprise: most files never come here, because their bytes hold no marker word.

import { type EdgeFact, type Facts, NO_FACTS, SEVERITY } from '../model/facts.ts'
import { isStrict, type ModuleLayout, moduleOf, withinModule } from '../model/layout.ts'
import { EDGE, KIND } from '../model/vocabulary.ts'
import { detached } from './characters.ts'
import { paddedId } from './conventions/names.ts'
import type { ExtractContext, Extractor, SourceText } from './extractor.ts'
import { EXTRACTOR_VERSION } from './fingerprint.ts'
import { acceptedOpeners, sightings, type Word } from './governing-line.ts'

const TYPE: Readonly<Record<Word, number>> = {
  governing: EDGE.codeGovernedBy,
  implements: EDGE.codeImplements,
}

/** Why a marker could not be read. */
type Reason = 'no-artifact-id' | 'unaccepted-opener'

const MODULE = String.raw`(?:\[(?<module>[^\][]{1,100})\]\/)?`
const STRICT_NUMBER = String.raw`(?<kind>ADR|SPEC)-(?<digits>\d{4})(?!\w)`
const LENIENT_NUMBER = String.raw`(?<kind>ADR(?=-\d{1,6}(?!\w))|SPEC(?=-\d{3,6}(?!\w)))-(?<digits>\d+)(?:-(?<tail>[A-Za-z0-9][\w-]{0,200}))?`
const NAMED = String.raw`(?<named>(?:ADR|SPEC|CHANGE):[A-Za-z0-9](?:[\w./-]{0,200}\w)?)`
const SLUG = String.raw`SPEC (?<slug>[a-z0-9]+(?:-[a-z0-9]+)+)(?![\w-])`
const REQUIREMENT = String.raw`(?<!\w)(?:REQS?:? ?(?:"(?<straight>[^"]{1,200})"|\u201c(?<curly>[^\u201d]{1,200})\u201d|'(?<single>[^']{1,200})')|(?<numbered>REQ-[A-Z0-9]+(?:-[A-Z0-9]+)*))`
const WORD = String.raw`(?<![\w"'\u201c-])(?<marker>[Gg]overning|GOVERNING|[Ii]mplements|IMPLEMENTS) ?:(?!:)`

function tokenOf(ids: readonly string[]): RegExp {
  return new RegExp(String.raw`${MODULE}(?<!\w)(?:${ids.join('|')})|${REQUIREMENT}|${WORD}`, 'g')
}

const STRICT = tokenOf([STRICT_NUMBER])
// A layout is made anew for every answer, and kept while its files are read.
const lenientTokens = new WeakMap<ModuleLayout, RegExp>()

/** What a body is searched for: ids as the conventions of the module write them, requirements, further marker words. */
function tokenFor(module: ModuleLayout | null): RegExp {
  if (module === null || isStrict(module)) return STRICT
  const known = lenientTokens.get(module)
  if (known !== undefined) return known
  const slugs = module.conventions.some(({ kind, name }) => kind === 'spec' && name !== 'sdd' && name !== 'custom')
  const token = tokenOf([...ownIds(module), NAMED, ...(slugs ? [SLUG] : []), LENIENT_NUMBER])
  lenientTokens.set(module, token)
  return token
}

/** Patterns for the ids of the module's custom conventions; a template without words of its own would match any text. */
function ownIds({ conventions }: ModuleLayout): string[] {
  const templates = conventions.flatMap(({ custom }) => (custom === undefined ? [] : [custom.id]))
  const literals = templates.filter((id) => /^[A-Za-z][\w:./-]*\{/.test(id) && !id.includes('{heading}'))
  if (literals.length === 0) return []
  const patterns = literals.map((id) =>
    id
      .replace(/[.*+?^$|()[\]\\/]/g, '\\$&')
      .replace(/\{number\}/g, String.raw`\d{1,6}`)
      .replace(/\{(?:slug|folder)\}/g, String.raw`[A-Za-z0-9](?:[\w.-]{0,200}\w)?`),
  )
  return [String.raw`(?<own>${patterns.join('|')})(?!\w)`]
}

/** A further name behind `REQ "A"`. */
const NEXT_NAME = / ?(?:,|;|&|and)? ?(?:"([^"]{1,200})"|“([^”]{1,200})”)/y

interface Mention {
  readonly word: Word
  readonly id: string
  /** The id with the slug that was typed behind its number, or null. */
  readonly slug: string | null
  readonly requirements: string[]
}

/** The artifacts that a body names, in order. `prefix` is put before ids that name no module. */
function mentions(first: Word, text: string, searched: RegExp, prefix: string): Mention[] {
  const found: Mention[] = []
  let word = first
  // A copy, because the position of a shared expression would be shared as well.
  const token = new RegExp(searched)
  for (let hit = token.exec(text); hit !== null; hit = token.exec(text)) {
    const { module, straight, curly, single, numbered, marker, ...parts } = hit.groups ?? {}
    const requirement = straight ?? curly ?? single ?? numbered
    const id = idOf(parts)
    if (id !== null) {
      const own = module === undefined ? prefix : `[${module}]/`
      const slug = parts.tail === undefined ? null : `${own}${id}-${parts.tail}`
      found.push({ word, id: own + id, slug, requirements: [] })
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

/** The id that was found, as the artifact or one of its other names has it (conventions-in-the-wild §5, aliases). */
function idOf({ own, named, slug, kind, digits }: Readonly<Record<string, string | undefined>>): string | null {
  if (kind !== undefined && digits !== undefined) return paddedId(kind, digits)
  return own ?? named ?? (slug === undefined ? null : `SPEC:${slug}`)
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
  const searched = tokenFor(module)
  const file = prefix + (module === null ? source.path : withinModule(module, source.path))
  const united = new Map<
    string,
    Omit<Mention, 'requirements'> & { type: number; line: number; requirements: Set<string> }
  >()
  let problem: { reason: Reason; line: number } | null = null

  for (const { kind, word, line, text } of sightings(source.lines(), acceptedOpeners(config.graph.openers))) {
    const named = mentions(word, text, searched, prefix)
    // `implements:` is a key in many languages; only an id tells that a comment was meant.
    if (kind === 'unaccepted') {
      if (word === 'governing' || named.length > 0) problem ??= { reason: 'unaccepted-opener', line }
      continue
    }
    if (named.length === 0 && word === 'governing') problem ??= { reason: 'no-artifact-id', line }
    for (const mention of named) {
      const { word: by, id, slug, requirements } = mention
      const type = TYPE[by]
      const key = `${type} ${slug ?? id}`
      const known = united.get(key) ?? { ...mention, type, line, requirements: new Set<string>() }
      united.set(key, known)
      for (const name of requirements) if (name !== '') known.requirements.add(name)
    }
  }

  if (united.size > 0) {
    const edges: EdgeFact[] = [...united.values()].map(({ id, slug, type, line, requirements }) => {
      const names = requirements.size === 0 ? {} : { requirements: [...requirements] }
      const note = JSON.stringify({ ...names, ...(slug === null ? {} : { slug }) })
      return { up: detached(id), down: file, type, line, note: note === '{}' ? null : note }
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
