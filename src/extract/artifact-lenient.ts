// One file that a convention other than `sdd` claims: who it is, its status, and what it relates to, gathered from front
// matter, status, link lines and plain links. Which words mean what is conventions/wording.ts; whether a reference
// resolves is asked later. Surprise: a file whose heading is still a template's says nothing at all.

import type { AliasFact, EdgeFact, Facts, ProblemFact } from '../model/facts.ts'
import { NO_FACTS, SEVERITY } from '../model/facts.ts'
import { type ConventionUse, type Layout, type ModuleLayout, moduleOf, withinModule } from '../model/layout.ts'
import { EDGE, EDGE_TYPES, KIND } from '../model/vocabulary.ts'
import { detached } from './characters.ts'
import { deltaOf, type Identity, identityOf, linkedKey } from './conventions/identity.ts'
import { between, kindOfKey, wordings } from './conventions/wording.ts'
import { linkedDocument } from './document.ts'
import type { SourceText } from './extractor.ts'
import { readFrontMatter } from './front-matter.ts'
import { headingMismatch } from './heading-number.ts'
import { keyLines, readFields } from './lenient-fields.ts'
import { type Relating, readLinkLines, relationsIn, startsRelation } from './link-lines.ts'
import { type ProseLine, proseLines } from './prose-lines.ts'
import { destinationsIn, isPlaceholder, type ReferenceRules } from './references.ts'
import { withAtxTitles } from './setext.ts'
import { statusOf, statusTexts } from './status-lines.ts'

/** Where a relation was found, as its note tells. */
type How = 'field' | 'status' | 'line' | 'link' | 'delta'

/** No artifact is longer; what follows is not looked at. */
const LONGEST = 2 * 1024 * 1024

function boundedText(source: SourceText): string {
  if (source.text !== null) return source.text
  const lines: string[] = []
  let length = 0
  for (const line of source.lines()) {
    length += line.length + 1
    if (length > LONGEST) break
    lines.push(line)
  }
  return lines.join('\n')
}

const ID_PREFIX =
  /^(?:(?:ADR|SPEC)[-_ ]?#?\d{1,6}\s*(?:[.:)·—–-]+\s*|\s)|(?:ADR|SPEC)\s*[:·—–-]\s+|\d{1,6}\s*(?:[.:)·—–]+|-(?=\s))\s*)/i
const FORM_PREFIX =
  /^(?:feature specification|bug ?fix specification|requirements document|change proposal|change|proposal)\s*:\s*/i
const FORM_TITLE =
  /^(?:requirements(?: document)?|bug ?fix requirements(?: document)?|requirements specification|proposal|change proposal)$/i

/** The title that a heading holds, without the id or the form's name in front; null where only those stand there. */
function titleOf(heading: string, id: string): string | null {
  const behind = heading.startsWith(id)
    ? heading.slice(id.length).replace(/^[\s.:)·—–-]+/, '')
    : heading.replace(ID_PREFIX, '')
  const text = behind.replace(FORM_PREFIX, '').trim()
  return text === '' || FORM_TITLE.test(text) ? null : text
}

/** True for what a template has as its heading: `# {short title}`, `# [FEATURE NAME]`, `# ADR-XXXX: Title`, `# NUMBER. TITLE`. */
function isTemplateHeading(heading: string): boolean {
  const title = heading.replace(ID_PREFIX, '').replace(FORM_PREFIX, '').trim()
  return (
    isPlaceholder(heading) ||
    isPlaceholder(title) ||
    /^\[[^\]]*\]$/.test(title) ||
    /^(?:NUMBER|N{2,}|X{2,})\b[.:]? /.test(heading)
  )
}

/** A key without the slug that tells files of one number apart. */
function canonical(key: string): string {
  return key.replace(/^((?:\[[^\]]*\]\/)?ADR-\d{4,6})-.*$/s, '$1')
}

/** Edges of one author, each relation once, the weak ones only where nothing stronger joins the two. */
class Edges {
  readonly #author: string
  /** The author's own names: what it says of itself is no edge. */
  readonly #own: ReadonlySet<string>
  readonly #kind: 'adr' | 'spec' | 'change'
  readonly #seen = new Set<string>()
  readonly #joined = new Set<string>()
  readonly list: EdgeFact[] = []

  constructor(author: string, own: ReadonlySet<string>, kind: 'adr' | 'spec' | 'change') {
    this.#author = author
    this.#own = own
    this.#kind = kind
  }

  add({ meant: typed, reference, line }: Relating, how: How): void {
    const target = detached(reference.key)
    const other = canonical(target)
    if (target === this.#author || this.#own.has(target)) return
    const meant = between(typed, this.#kind, kindOfKey(target))
    const related = meant.type === EDGE.related
    const key = `${meant.type} ${meant.reverse} ${other}`
    if (this.#seen.has(key) || (related && this.#joined.has(other))) return
    this.#seen.add(key)
    this.#joined.add(other)
    const authorIsUp = EDGE_TYPES.some(({ id, authorIsUp: up }) => id === meant.type && up) !== meant.reverse
    const note = JSON.stringify({
      ...(reference.text === null ? {} : { text: reference.text }),
      ...(reference.slug === undefined ? {} : { slug: reference.slug }),
      ...(meant.reverse ? { reverse: true } : {}),
      how,
    })
    const [up, down] = authorIsUp ? [this.#author, target] : [target, this.#author]
    this.list.push({ up, down, type: meant.type, line, note })
  }
}

/** Strong words first, wherever they stand: a plain link beside one says nothing more. */
function edgesOf(
  author: string,
  aliases: readonly AliasFact[],
  kind: 'adr' | 'spec' | 'change',
  found: Readonly<Record<Exclude<How, 'delta'>, readonly Relating[]>>,
): readonly EdgeFact[] {
  const edges = new Edges(author, new Set(aliases.map(({ ref }) => ref)), kind)
  const ordered = (['field', 'status', 'line', 'link'] as const).flatMap((how) =>
    found[how].map((relating) => ({ relating, how })),
  )
  for (const weak of [false, true]) {
    for (const { relating, how } of ordered)
      if ((relating.meant.type === EDGE.related) === weak) edges.add(relating, how)
  }
  return edges.list
}

function problemsOf(
  matter: ReturnType<typeof readFrontMatter>,
  { digits }: Identity,
  heading: ProseLine | undefined,
): readonly ProblemFact[] {
  const problems: ProblemFact[] = []
  const { problem } = matter
  if (problem !== null) {
    const detail = `front matter is not read: ${detached(problem.detail)}`
    problems.push({
      code: 'malformed-yaml',
      severity: SEVERITY.warning,
      line: problem.line,
      detail,
      field: null,
      target: null,
    })
  }
  const mismatch =
    heading === undefined || digits === null ? null : headingMismatch(heading.text, digits, heading.number)
  return mismatch === null ? problems : [...problems, mismatch]
}

/** Links to other artifacts of the module, in the order of the text. */
function linked(lines: readonly ProseLine[], rules: ReferenceRules): readonly Relating[] {
  const meant = { type: EDGE.related, reverse: false }
  return lines.flatMap(({ text, number }) =>
    destinationsIn(text).flatMap((target) => {
      const key = rules.link(target)
      return key === null ? [] : [{ meant, reference: { key, text: null }, line: number }]
    }),
  )
}

function textValue(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** A field by its name in any case. */
function fieldOf(data: Readonly<Record<string, unknown>>, name: string): string | null {
  const key = Object.keys(data).find((candidate) => candidate.toLowerCase() === name.toLowerCase())
  return key === undefined ? null : textValue(data[key])
}

/** What stands before the ids of a module. */
function prefixOf(module: ModuleLayout | null): string {
  return module === null || module.name === null ? '' : `[${module.name}]/`
}

/** A spec delta of an open change: an edge and no node, since the main spec is the one that counts. */
function deltaFacts(prefix: string, delta: NonNullable<ReturnType<typeof deltaOf>>): Facts {
  const note = JSON.stringify({ how: 'delta' satisfies How })
  const edge = {
    up: detached(prefix + delta.spec),
    down: detached(prefix + delta.change),
    type: EDGE.changes,
    line: null,
    note,
  }
  return { nodes: [], edges: [edge], problems: [] }
}

/**
 * Facts of one file that `use` (of any convention but sdd) claims in `module`: a node with aliases, oriented edges with
 * notes, problems as warnings. A link may lead into another module of `layout`. Templates and placeholders give none. Never throws for what the text says.
 * Source: issue 3 §5; conventions survey §3, §5.
 */
export function extractLenient(source: SourceText, use: ConventionUse, module: ModuleLayout, layout: Layout): Facts {
  const prefix = prefixOf(module)
  const path = withinModule(module, source.path)
  const delta = deltaOf(use, path)
  if (delta !== null) return deltaFacts(prefix, delta)

  const text = boundedText(source)
  const matter = readFrontMatter(text)
  const lines = [...proseLines(withAtxTitles(matter.body.split('\n')), matter.bodyLine)]
  const heading = lines.find(({ level, text: words }) => level === 1 && words !== '')
  if (heading !== undefined && isTemplateHeading(heading.text)) return NO_FACTS
  const identity = identityOf(use, path, heading?.text ?? null)
  if (identity === null) {
    const detail = `no id can be made from this file by ${use.custom?.id ?? use.name}`
    return {
      ...NO_FACTS,
      problems: [
        { code: 'spec-without-id', severity: SEVERITY.warning, line: null, detail, field: null, target: null },
      ],
    }
  }

  const id = detached(prefix + identity.id)
  const rules: ReferenceRules = {
    link: (target) => {
      const root = linkedDocument(source.path, target)
      const at = root === null ? null : moduleOf(layout, root)
      const key = root === null || at === null ? null : linkedKey(at.conventions, withinModule(at, root))
      return key === null ? null : prefixOf(at) + key
    },
    prefix,
    numbers: use.name === 'adr-numbered' || use.name === 'backstage',
    anyPrefix: use.name === 'custom',
  }
  const words = wordings(use.custom?.edges)
  const statusName = use.custom?.status ?? 'status'
  const keys = keyLines(text, matter.bodyLine)
  const field = fieldOf(matter.data, statusName)
  const written = statusTexts(lines, statusName)
  const statusLines = field === null ? written : [{ text: field, line: keys.get(statusName) ?? 1 }, ...written]
  const superseded = statusLines.some((line) => statusOf(line.text) === 'superseded')
  const statuses = statusLines.filter((line) => !startsRelation(line.text, words)).map((line) => statusOf(line.text))

  const explicit = fieldOf(matter.data, 'id')
  const names = [...identity.aliases, ...(explicit === null || explicit === identity.id ? [] : [explicit])]
  const aliases = [...new Set(names)].map((name): AliasFact => ({ ref: detached(prefix + name), id }))
  const edges = edgesOf(id, aliases, use.kind, {
    field: readFields(matter.data, keys, words, source.path, rules),
    status: statusLines.flatMap((status) => relationsIn(status.text, status.line, words, rules)),
    line: readLinkLines(lines, words, rules),
    link: linked(lines, rules),
  })

  const spoken = statuses.find((status) => status !== null)
  const overtaken = edges.some(({ type, down }) => type === EDGE.supersedes && down !== id)
  const title = titleOf(heading?.text ?? '', identity.id) ?? titleOf(fieldOf(matter.data, 'title') ?? '', identity.id)
  const node = {
    id,
    kind: KIND[use.kind],
    own: true,
    title: title === null ? null : detached(title),
    // A section may say "Accepted" first and "Superseded by …" later; some say it nowhere but in a line.
    status: superseded || (spoken === undefined && overtaken) ? 'superseded' : (spoken ?? null),
    line: null,
  }
  return {
    nodes: [node],
    edges,
    problems: problemsOf(matter, identity, heading),
    aliases,
  }
}
