// Edge fields in the front matter of an artifact of the strict `sdd` convention: their table, who may declare which, and
// what is wrong with a value. Whether a target exists, or is of a kind that the field takes, is not asked here: that is
// artifact/resolve.ts.
// Surprise: the reader hands on every scalar as the text that was typed, so `null` and `1` are recognised by their look.

import { type EdgeFact, type ProblemFact, SEVERITY } from '../model/facts.ts'
import { EDGE, EDGE_TYPES } from '../model/vocabulary.ts'
import { detached } from './characters.ts'
import type { FrontMatter } from './front-matter.ts'

export type StrictKind = 'adr' | 'spec'

interface Field {
  /** A number of vocabulary.ts EDGE_TYPES. */
  readonly type: number
  /** The kind that each kind of author may name; null where it may not declare the field. */
  readonly targets: Readonly<Record<StrictKind, StrictKind | null>>
}

/** Seed 001 "Frontmatter Edge Schema". */
const FIELD: ReadonlyMap<string, Field> = new Map<string, Field>(
  Object.entries({
    supersedes: { type: EDGE.supersedes, targets: { adr: 'adr', spec: 'spec' } },
    extends: { type: EDGE.extends, targets: { adr: 'adr', spec: 'spec' } },
    enables: { type: EDGE.enables, targets: { adr: 'adr', spec: null } },
    governs: { type: EDGE.governs, targets: { adr: 'spec', spec: null } },
    related: { type: EDGE.related, targets: { adr: 'adr', spec: null } },
    implements: { type: EDGE.implements, targets: { adr: null, spec: 'adr' } },
    requires: { type: EDGE.requiresSpec, targets: { adr: null, spec: 'spec' } },
  }),
)
const AUTHOR_IS_UP: ReadonlySet<number> = new Set(EDGE_TYPES.filter((type) => type.authorIsUp).map(({ id }) => id))

/** The six names that are derived and never authored. */
const DERIVED: ReadonlySet<string> = new Set(
  EDGE_TYPES.flatMap(({ id, inverse }) =>
    inverse !== null && inverse !== 'related' && [...FIELD.values()].some(({ type }) => type === id) ? [inverse] : [],
  ),
)

/** Who declares the fields. */
export interface Author {
  /** Canonical id, with the module's prefix. */
  readonly id: string
  readonly kind: StrictKind
  /** `[module]/`, or empty at the root. */
  readonly prefix: string
}

export interface FieldFacts {
  readonly edges: readonly EdgeFact[]
  readonly problems: readonly ProblemFact[]
}

const QUOTE_ADVICE = 'quote an id with a module: ["[module]/SPEC-0001"]'

/** True for what YAML calls nothing, in the form in which front-matter.ts hands it on. */
export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && /^(?:null|Null|NULL|~)$/.test(value))
}

/** The text of a list entry, or null where YAML would read no text, or an empty one. */
function entryText(value: unknown): string | null {
  if (typeof value !== 'string' || isNothing(value)) return null
  const text = value.trim()
  const isNumber = text.length < 40 && Number.isFinite(Number(text.replaceAll('_', '')))
  return text === '' || isNumber || /^(?:true|false)$/i.test(text) ? null : text
}

/** The lines of the file on which top-level keys start, by key. `lines` start on line 2, behind the opening fence. */
function keyLines(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const key = topLevelKey(line)
    if (key !== null && !found.has(key)) found.set(key, index + 2)
  }
  return found
}

function topLevelKey(line: string): string | null {
  const colon = line.indexOf(':')
  if (colon < 1 || !/^[A-Za-z"']/.test(line)) return null
  return line
    .slice(0, colon)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
}

/**
 * Edge fields in whose text a bracket opens inside another, or goes on behind its end: `[[lib]/SPEC-0001]`. A YAML
 * parser throws on that, so the field is found in the text (sheet artifact-graph §2).
 */
function unquotedFields(lines: readonly string[]): { field: string; line: number }[] {
  const found: { field: string; line: number }[] = []
  let field: string | null = null
  let from = 0
  const close = (end: number): void => {
    if (field === null) return
    const text = lines.slice(from, end).join('\n')
    const bare = text
      .slice(text.indexOf(':') + 1)
      .replace(/"[^"\n]*"|'[^'\n]*'/g, 'x')
      .replace(/(?<=\s)#[^\n]*/g, '')
    if (/\[[^\]]*\[|\]\/|(?<=\n)[ \t]*-[ \t]*\[/.test(bare)) found.push({ field, line: from + 2 })
  }
  for (const [index, line] of lines.entries()) {
    const key = topLevelKey(line)
    if (key === null) continue
    close(index)
    field = FIELD.has(key) ? key : null
    from = index
  }
  close(lines.length)
  return found
}

/**
 * Edges and problems of the edge fields of one artifact, oriented by the derivation table. `lines` is the raw text of the
 * block between the fences. Front matter that cannot be read gives one malformed-yaml per field that lacks quotes, else
 * one for the file, and no edges. Never throws. Source: seed 001 "Frontmatter Edge Schema", sheet artifact-graph §2, §3.
 */
export function strictFields(matter: FrontMatter, lines: readonly string[], author: Author): FieldFacts {
  const edges: EdgeFact[] = []
  const problems: ProblemFact[] = []
  const report = (
    code: string,
    severity: number,
    line: number | null,
    detail: string,
    field: string | null,
    target: string | null = null,
  ): void => {
    problems.push({ code, severity, line, detail: detached(detail), field, target })
  }
  const unquoted = (field: string, line: number | null): void =>
    report('malformed-yaml', SEVERITY.error, line, `${author.id}: ${field}: ${QUOTE_ADVICE}`, field)

  if (matter.problem !== null) {
    const fields = matter.problem.code === 'malformed-front-matter' ? unquotedFields(lines) : []
    for (const { field, line } of fields) unquoted(field, line)
    if (fields.length === 0) {
      const detail = `${author.id}: ${matter.problem.detail}`
      report('malformed-yaml', SEVERITY.error, matter.problem.line, detail, null)
    }
    return { edges, problems }
  }

  const keys = keyLines(lines)
  for (const [name, value] of Object.entries(matter.data)) {
    const line = keys.get(name) ?? null
    const field = FIELD.get(name)
    if (field === undefined) {
      const known = name.length < 40 ? name.trim().toLowerCase().replace(/[_ ]/g, '-') : ''
      if (DERIVED.has(name)) {
        const detail = `${author.id} declares derived field ${name}; its value is ignored`
        report('authored-derived-edge', SEVERITY.warning, line, detail, name)
      } else if (DERIVED.has(known) || FIELD.has(known)) {
        const detail = `${author.id} field ${name}: did you mean ${known}?`
        report('unknown-edge-field', SEVERITY.warning, line, detail, detached(name))
      }
      continue
    }
    if (isNothing(value)) continue
    const wanted = field.targets[author.kind]
    if (wanted === null) {
      report('schema-misuse', SEVERITY.warning, line, `${author.id} may not declare ${name}`, name)
    } else if (!Array.isArray(value)) {
      report('malformed-edge-list', SEVERITY.error, line, `${author.id}.${name} must be a list`, name)
    } else if (value.some(Array.isArray)) {
      unquoted(name, line)
    } else {
      const seen = new Set<string>()
      for (const entry of value) {
        const target = entryText(entry)
        if (target === null) {
          const detail = `${author.id}.${name} has an entry that is no text, or an empty one`
          report('malformed-edge-target', SEVERITY.error, line, detail, name)
          continue
        }
        if (seen.has(target)) continue
        seen.add(target)
        const key = detached(target.startsWith('[') ? target : author.prefix + target)
        const [up, down] = AUTHOR_IS_UP.has(field.type) ? [author.id, key] : [key, author.id]
        edges.push({ up, down, type: field.type, line, note: null })
      }
    }
  }
  return { edges, problems }
}
