// Which edges of the prose are worth a person's look: known, not authored, not rejected, and closing no cycle, neither
// with the graph nor with each other. It reads texts that it is given and writes nothing. Surprise: of two records that
// name each other as `Related:`, the younger one extends the older one, whichever is read first.

import { readFrontMatter } from '../extract/front-matter.ts'
import { type EdgeField, FIELDS, proposeEdges } from '../extract/prose-edges.ts'
import type { Relation } from '../model/artifact-views.ts'
import type { BackfillEdge } from '../model/backfill-view.ts'
import { compareUtf16 } from '../model/order.ts'
import { EDGE_TYPES } from '../model/vocabulary.ts'

export interface BackfillArtifact {
  /** Canonical id, with the prefix of its module. */
  readonly id: string
  readonly kind: 'adr' | 'spec'
  readonly module: string | null
  /** Path relative to the root. */
  readonly file: string
  /** True where the strict convention holds: only there fields of edges are written. */
  readonly writable: boolean
}

/** What backfill needs to know of the artifact graph. It may hold errors. */
export interface BackfillGraph {
  readonly artifacts: readonly BackfillArtifact[]
  readonly relations: readonly Relation[]
}

export interface Candidate {
  readonly artifact: BackfillArtifact
  readonly text: string
  readonly edges: readonly BackfillEdge[]
}

export interface Candidates {
  /** By id, only those with edges. */
  readonly found: readonly Candidate[]
  readonly cyclic: readonly { readonly source: string; readonly field: string; readonly target: string }[]
}

/** Fields whose author is what others depend on. */
const UPWARD: ReadonlySet<string> = new Set(
  EDGE_TYPES.filter((type) => type.family === 'artifact' && type.authorIsUp).map(({ name }) => name),
)

/** Kind of the targets of a field; null where artifacts of `kind` may not have it (sheet artifact-graph §3). */
function targetKind(kind: 'adr' | 'spec', field: string): 'adr' | 'spec' | null {
  if (!FIELDS[kind].some((known) => known === field)) return null
  if (field === 'governs' || field === 'requires') return 'spec'
  return field === 'implements' || field === 'enables' || field === 'related' ? 'adr' : kind
}

/** A relation as a key of its own, under which both ways of writing it meet. */
function statement(source: string, field: string, target: string): string {
  if (field === 'related') return `related\n${[source, target].sort(compareUtf16).join('\n')}`
  return UPWARD.has(field) ? `depends\n${target}\n${source}` : `depends\n${source}\n${target}`
}

type Links = Map<string, Set<string>>

/** Who depends, and on whom. */
function ends(source: string, field: string, target: string): readonly [down: string, up: string] {
  return UPWARD.has(field) ? [target, source] : [source, target]
}

function join(links: Links, from: string, to: string): void {
  const known = links.get(from)
  if (known === undefined) links.set(from, new Set([to]))
  else known.add(to)
}

/** Everything that can be reached, the start first, each once. */
function* search(links: Links, start: string): Generator<string, void> {
  const seen = new Set([start])
  for (const at of seen) {
    yield at
    // A set that grows is walked to its new end.
    for (const next of links.get(at) ?? []) seen.add(next)
  }
}

/** The graph as backfill asks it: who is known, what is authored, what would close a cycle. */
export class Known {
  readonly artifacts: ReadonlyMap<string, BackfillArtifact>
  readonly #pairs = new Set<string>()
  readonly #statements = new Set<string>()
  readonly #ups: Links = new Map()
  readonly #downs: Links = new Map()

  constructor(graph: BackfillGraph) {
    this.artifacts = new Map(graph.artifacts.map((artifact) => [artifact.id, artifact]))
    for (const { source, type, target, walked } of graph.relations) {
      this.#pairs.add(`${source}\n${target}`)
      this.#statements.add(statement(source, walked ? type : 'related', target))
      if (walked) this.#link(source, type, target)
    }
  }

  /**
   * True where the author has named the target in any field, or the target has said the same: `implements` on one side
   * is `governs` on the other. A walked edge either way also makes `related` say nothing new.
   */
  isAuthored(source: string, field: string, target: string): boolean {
    if (this.#pairs.has(`${source}\n${target}`) || this.#statements.has(statement(source, field, target))) return true
    return field === 'related' && this.#pairs.has(`${target}\n${source}`)
  }

  /**
   * True where the edge would make something depend on itself. Searched from both ends at once, a step each: one of them
   * is mostly near its end, however long the chain on the other side is.
   */
  closesCycle(source: string, field: string, target: string): boolean {
    if (field === 'related') return false
    const [down, up] = ends(source, field, target)
    const above = search(this.#ups, up)
    const below = search(this.#downs, down)
    for (;;) {
      const higher = above.next()
      if (higher.done || higher.value === down) return !higher.done
      const lower = below.next()
      if (lower.done || lower.value === up) return !lower.done
    }
  }

  /** Counts an edge as there from now on, as far as cycles go. */
  take(source: string, field: string, target: string): void {
    if (field !== 'related') this.#link(source, field, target)
  }

  #link(source: string, field: string, target: string): void {
    const [down, up] = ends(source, field, target)
    join(this.#ups, down, up)
    join(this.#downs, up, down)
  }

  /** Why a person may not add this edge, or null (sheet artifact-graph §3, §10 rule 4). */
  objection(source: BackfillArtifact, field: string, target: string): string | null {
    const legal = targetKind(source.kind, field)
    if (legal === null) return `${source.id} cannot have \`${field}\` (one of: ${FIELDS[source.kind].join(', ')})`
    if (target === source.id) return `${source.id} ${field} itself`
    const known = this.artifacts.get(target)
    if (known === undefined) return `${source.id} ${field} unknown artifact ${target}`
    if (known.kind !== legal)
      return `${source.id} ${field} ${target}: the target must be ${legal === 'adr' ? 'an ADR' : 'a spec'}`
    if (this.isAuthored(source.id, field, target)) return `${source.id} and ${target} are linked already`
    return this.closesCycle(source.id, field, target) ? `${source.id} ${field} ${target} would close a cycle` : null
  }
}

/** `source|field|target`: how a rejection is remembered. */
export function tripleOf(source: string, field: string, target: string): string {
  return `${source}|${field}|${target}`
}

/** The id as the artifact's own front matter writes it: bare within its module. */
export function writtenId(artifact: BackfillArtifact, target: string): string {
  const prefix = artifact.module === null ? '' : `[${artifact.module}]/`
  return prefix !== '' && target.startsWith(prefix) ? target.slice(prefix.length) : target
}

/** Ids that any edge field of the text names already, resolved or not. */
function namedIn(text: string): ReadonlySet<unknown> {
  const { data } = readFrontMatter(text)
  const fields: readonly EdgeField[] = [...new Set([...FIELDS.adr, ...FIELDS.spec])]
  return new Set(fields.flatMap((field) => (Array.isArray(data[field]) ? data[field] : [])))
}

function isLater(source: string, target: string): boolean {
  return compareUtf16(source, target) > 0
}

/**
 * Everything that the texts suggest and that is neither authored nor rejected (seed 001 "Backfill Mode", sheet
 * artifact-graph §10). `textOf` gives null where a file cannot be read; that artifact is passed over. Edges that would
 * close a cycle are told apart: sure ones count first, then those from a later id to an earlier one.
 */
export function findCandidates(
  graph: BackfillGraph,
  textOf: (artifact: BackfillArtifact) => string | null,
  rejected: ReadonlySet<string>,
): Candidates {
  const known = new Known(graph)
  const texts = new Map<string, string>()
  const wanted: (BackfillEdge & { readonly id: string })[] = []
  for (const artifact of graph.artifacts) {
    if (!artifact.writable) continue
    const text = textOf(artifact)
    if (text === null) continue
    texts.set(artifact.id, text)
    const named = namedIn(text)
    const { id, kind } = artifact
    for (const edge of proposeEdges(text, {
      id,
      kind,
      knownKind: (other) => known.artifacts.get(other)?.kind ?? null,
    })) {
      if (named.has(writtenId(artifact, edge.target)) || known.isAuthored(id, edge.field, edge.target)) continue
      if (!rejected.has(tripleOf(id, edge.field, edge.target))) wanted.push({ ...edge, id })
    }
  }
  const ranked = [...wanted].sort(
    (a, b) =>
      Number(a.confidence === 'low') - Number(b.confidence === 'low') ||
      Number(isLater(b.id, b.target)) - Number(isLater(a.id, a.target)) ||
      compareUtf16(a.id, b.id) ||
      compareUtf16(a.target, b.target),
  )
  const cyclic = new Set<unknown>()
  for (const edge of ranked) {
    if (known.closesCycle(edge.id, edge.field, edge.target)) cyclic.add(edge)
    else known.take(edge.id, edge.field, edge.target)
  }
  const byId = new Map<string, BackfillEdge[]>()
  for (const edge of wanted) {
    if (cyclic.has(edge)) continue
    const { id, ...rest } = edge
    const edges = byId.get(id)
    if (edges === undefined) byId.set(id, [rest])
    else edges.push(rest)
  }
  const found = [...byId]
    .sort(([a], [b]) => compareUtf16(a, b))
    .flatMap(([id, edges]) => {
      const artifact = known.artifacts.get(id)
      return artifact === undefined ? [] : [{ artifact, text: texts.get(id) ?? '', edges }]
    })
  const told = wanted.filter((edge) => cyclic.has(edge)).map(({ id, field, target }) => ({ source: id, field, target }))
  told.sort((a, b) => compareUtf16(tripleOf(a.source, a.field, a.target), tripleOf(b.source, b.field, b.target)))
  return { found, cyclic: told }
}
