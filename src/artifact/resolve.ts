// From edge rows to relations: which node each end names, whether the relation is lawful, and which of several
// sightings of one relation counts. Judging the finished graph is validate.ts. The surprise: the rows stay as they are
// in the store, so whatever resolves to other ends than its row gives is noted for the walk (artifact-reach.ts).

import type { ArtifactKind, Diagnostic, Relation } from '../model/artifact-views.ts'
import { compareUtf16 } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import { ARTIFACT_RANGE, ARTIFACT_WALK, EDGE, EDGE_TYPES } from '../model/vocabulary.ts'
import type { ReachCorrection } from '../store/queries/artifact-reach.ts'
import type { ArtifactEdgeRow } from '../store/queries/artifact-rows.ts'
import type { Assembled, Entry } from './assemble.ts'
import { diagnostic, kindWithArticle, moduleIn, nounOf } from './diagnostics.ts'

interface TypeFacts {
  readonly name: string
  readonly inverse: string
  readonly authorIsUp: boolean
  readonly walked: boolean
}

const TYPES = new Map<number, TypeFacts>(
  EDGE_TYPES.filter(({ id }) => id >= ARTIFACT_RANGE.lo && id <= ARTIFACT_RANGE.hi).map((type) => [
    type.id,
    {
      name: type.name,
      inverse: type.inverse ?? type.name,
      authorIsUp: type.authorIsUp,
      walked: type.id >= ARTIFACT_WALK.lo && type.id <= ARTIFACT_WALK.hi,
    },
  ]),
)

/** Kinds that a type joins, source first (seed "Frontmatter Edge Schema"). A type that is not listed joins all. */
const LAWFUL: Readonly<Record<number, readonly string[]>> = {
  [EDGE.supersedes]: ['adr adr', 'spec spec'],
  [EDGE.extends]: ['adr adr', 'spec spec'],
  [EDGE.implements]: ['spec adr'],
  [EDGE.requiresSpec]: ['spec spec'],
  [EDGE.enables]: ['adr adr'],
  [EDGE.governs]: ['adr spec'],
  [EDGE.related]: ['adr adr'],
}

/** What other conventions say beyond that: their words are no schema, so a dependency may join any two artifacts. */
const LENIENT: Readonly<Record<number, readonly string[]>> = {
  [EDGE.supersedes]: ['change change'],
  [EDGE.extends]: ['change change'],
  [EDGE.implements]: ['spec spec', 'change adr', 'change spec'],
  [EDGE.requiresSpec]: ['adr adr', 'adr spec', 'spec adr', 'change adr', 'change spec', 'change change'],
  [EDGE.enables]: ['spec spec'],
  [EDGE.governs]: ['adr change'],
  [EDGE.related]: ['adr spec', 'spec adr', 'spec spec', 'change adr', 'change spec', 'adr change', 'spec change'],
}

export interface Resolved {
  /** Each once, in no promised order. */
  readonly relations: readonly Relation[]
  readonly diagnostics: readonly Diagnostic[]
  readonly correction: ReachCorrection
  /** References to nothing that say that something supersedes: for the findings. */
  readonly danglingSupersessions: readonly Diagnostic[]
}

interface Note {
  readonly requirements?: readonly string[]
  readonly text?: string
  readonly reverse?: boolean
  readonly how?: string
  /** The id with the slug that was typed behind it. */
  readonly slug?: string
}

const NO_NOTE: Note = {}
const NONE: readonly string[] = []
const NO_NAMES: ReadonlyMap<number, readonly Entry[]> = new Map()
const NO_PLACES: ReadonlyMap<number, string> = new Map()

interface Sighting {
  readonly relation: Relation
  readonly reverse: boolean
  readonly ord: number
}

/** What is asked of the store on the way, each at most once. */
export interface Asked {
  /** The texts of some keys. */
  readonly texts: (keys: readonly number[]) => ReadonlyMap<number, string>
  /** The entries that go by other names, given as keys. */
  readonly named: (refs: readonly number[]) => ReadonlyMap<number, readonly Entry[]>
}

/**
 * Resolves all rows. Source of the rules: sheet artifact-graph §3, §6; wording of unresolved ids: seed "Graph
 * Validation"; other names and unknown targets in lenient conventions: conventions-in-the-wild §5.
 */
export function resolve(rows: readonly ArtifactEdgeRow[], assembled: Assembled, asked: Asked): Resolved {
  const { byKey, byFile, allStrict } = assembled
  const byName = allStrict ? NO_NAMES : namesIn(rows, assembled, asked)
  const places = allStrict ? NO_PLACES : placesOf(rows, assembled, asked)
  // A further file of a number goes by number and slug; the number alone is the first file's.
  const all = allStrict ? [] : [...byKey.values()]
  const renamed = new Map(all.flatMap((entry) => (entry.renamed ? [[entry.node.id, entry]] : [])))
  const relations: Relation[] = []
  const repeatable = new Map<number, Map<number, Sighting>>()
  const without: [number, number][] = []
  const also: [number, number][] = []
  const diagnostics: Diagnostic[] = []
  const loose: Loose[] = []
  // By number, since taking tuples apart as lists goes through an iterator, tens of thousands of times.
  for (const { 0: file, 1: ord, 2: up, 3: down, 4: type, 5: line, 6: rawNote } of rows) {
    const facts = TYPES.get(type)
    if (facts === undefined) continue
    const note = rawNote === null ? NO_NOTE : (JSON.parse(rawNote) as Note)
    const reverse = note.reverse === true
    // The end that is the author itself, and the one that it names.
    const ownIsUp = facts.authorIsUp !== reverse
    const [ownRef, ref] = ownIsUp ? [up, down] : [down, up]
    // The delta of a change stands in a file of its own, which is no node.
    const own = byFile.get(file) ?? byKey.get(ownRef)
    const place = places.get(file) ?? own?.node.file ?? ''
    let other: Entry | null = null
    if (own?.stands) {
      const exact = (note.slug === undefined ? undefined : renamed.get(note.slug)) ?? byKey.get(ref)
      const candidates = exact !== undefined || own.strict ? [] : (byName.get(ref) ?? [])
      other = exact ?? (candidates.length === 1 ? (candidates[0] ?? null) : null)
      if (other === null) {
        // A capability that a change will add is not there yet.
        if (note.how !== 'delta') loose.push({ entry: own, type, facts, reverse, ref, place, line, candidates })
      } else if (!isLawful(type, reverse ? other : own, reverse ? own : other, own.strict)) {
        diagnostics.push(misuse(own, other.node.kind, other.node.id, facts, reverse, place, line))
        other = null
      }
    }
    if (own === undefined || other === null) {
      // A row with an end that nobody declares is no edge anyway.
      if (facts.walked && byKey.has(up) && byKey.has(down)) without.push([file, ord])
      continue
    }
    const upKey = ownIsUp ? own.key : other.key
    const downKey = ownIsUp ? other.key : own.key
    if (facts.walked && (upKey !== up || downKey !== down || own.renamed || other.renamed)) {
      if (byKey.has(up) && byKey.has(down)) without.push([file, ord])
      also.push([upKey, downKey])
    }
    const relation: Relation = {
      source: reverse ? other.node.id : own.node.id,
      type: facts.name,
      target: reverse ? own.node.id : other.node.id,
      inverse: facts.inverse,
      authorIsUp: facts.authorIsUp,
      walked: facts.walked,
      file: place,
      line,
      requirements: note.requirements ?? NONE,
      note: note.text ?? null,
    }
    // A strict author says a thing once; others say it in fields, lines and links, and from both ends.
    if (allStrict) relations.push(relation)
    else keep(repeatable, type, upKey, downKey, { relation, reverse, ord })
  }
  for (const byEnds of repeatable.values()) for (const { relation } of byEnds.values()) relations.push(relation)
  const told = tellLoose(loose, assembled, asked)
  const supersessions = told.filter(({ loose }) => loose.facts.name === 'supersedes')
  return {
    relations,
    diagnostics: [...diagnostics, ...told.flatMap(({ diagnostic, also: more }) => [diagnostic, ...more])],
    correction: { without, also },
    danglingSupersessions: supersessions.map(({ diagnostic }) => diagnostic),
  }
}

/** Who goes by the names that no node has as its id. */
function namesIn(rows: readonly ArtifactEdgeRow[], { byKey }: Assembled, { named }: Asked): ReturnType<Asked['named']> {
  const refs = new Set<number>()
  for (const { 2: up, 3: down } of rows) {
    if (!byKey.has(up)) refs.add(up)
    if (!byKey.has(down)) refs.add(down)
  }
  return refs.size === 0 ? NO_NAMES : named([...refs])
}

/** Paths of the files that are no nodes and yet say something. */
function placesOf(
  rows: readonly ArtifactEdgeRow[],
  { byFile }: Assembled,
  { texts }: Asked,
): ReadonlyMap<number, string> {
  const files = new Set<number>()
  for (const { 0: file } of rows) if (!byFile.has(file)) files.add(file)
  if (files.size === 0) return NO_PLACES
  return new Map([...texts([...files])].map(([file, path]) => [file, displayPath(path)]))
}

/** Of several sightings of one relation, the one its own author wrote counts, then the first path, then the first place. */
function keep(
  sightings: Map<number, Map<number, Sighting>>,
  type: number,
  up: number,
  down: number,
  found: Sighting,
): void {
  let byEnds = sightings.get(type)
  if (byEnds === undefined) {
    byEnds = new Map()
    sightings.set(type, byEnds)
  }
  // Keys are row numbers: far below 2^26.
  const ends = up * 2 ** 26 + down
  const before = byEnds.get(ends)
  if (before === undefined) {
    byEnds.set(ends, found)
    return
  }
  const order =
    Number(found.reverse) - Number(before.reverse) ||
    compareUtf16(found.relation.file, before.relation.file) ||
    found.ord - before.ord
  const [better, other] = order < 0 ? [found, before] : [before, found]
  const requirements = [...new Set([...better.relation.requirements, ...other.relation.requirements])]
  byEnds.set(ends, { ...better, relation: { ...better.relation, requirements } })
}

function isLawful(type: number, source: Entry, target: Entry, strict: boolean): boolean {
  const lawful = LAWFUL[type]
  if (lawful === undefined) return target.node.kind !== 'code'
  const pair = `${source.node.kind} ${target.node.kind}`
  return lawful.includes(pair) || (!strict && (LENIENT[type] ?? NONE).includes(pair))
}

function misuse(
  entry: Entry,
  kind: ArtifactKind,
  target: string,
  facts: TypeFacts,
  reverse: boolean,
  file: string,
  line: number | null,
): Diagnostic {
  const field = reverse ? facts.inverse : facts.name
  const { id } = entry.node
  const message = `${id} ${field} may not target ${kindWithArticle(kind)}: ${target}`
  return diagnostic('warning', 'schema-misuse', message, { source: id, field, target, file, line })
}

/** A reference that names no node, or several. */
interface Loose {
  readonly entry: Entry
  readonly type: number
  readonly facts: TypeFacts
  readonly reverse: boolean
  readonly ref: number
  readonly place: string
  readonly line: number | null
  readonly candidates: readonly Entry[]
}

interface Told {
  readonly loose: Loose
  readonly diagnostic: Diagnostic
  readonly also: readonly Diagnostic[]
}

function tellLoose(all: readonly Loose[], { absent }: Assembled, { texts }: Asked): Told[] {
  if (all.length === 0) return []
  const names = texts([...new Set(all.map(({ ref }) => ref))])
  return all.map((loose) => {
    const target = names.get(loose.ref) ?? ''
    return { loose, diagnostic: tell(loose, target, absent), also: misuseByName(loose, target) }
  })
}

/** What a strict id claims to be is judged by its prefix, whether or not it is there. */
function misuseByName({ entry, type, facts, reverse, place, line }: Loose, target: string): Diagnostic[] {
  const kind = { ADR: 'adr', spec: 'spec', artifact: null }[nounOf(target)] as ArtifactKind | null
  const lawful = LAWFUL[type]
  if (!entry.strict || kind === null || lawful === undefined) return []
  return lawful.includes(`${entry.node.kind} ${kind}`) ? [] : [misuse(entry, kind, target, facts, reverse, place, line)]
}

function tell(
  { entry, facts, reverse, place, line, candidates }: Loose,
  target: string,
  absent: ReadonlySet<string>,
): Diagnostic {
  const { id, kind } = entry.node
  const field = reverse ? facts.inverse : facts.name
  const about = { source: id, field, target, file: place, line }
  if (candidates.length > 1) {
    const names = candidates.map(({ node }) => node.id).join(', ')
    const severity = kind === 'code' ? 'warning' : 'error'
    return diagnostic(severity, 'ambiguous-reference', `${id} ${field} ${target}, which may be ${names}`, about)
  }
  const module = moduleIn(target)
  if (module !== null && absent.has(module)) {
    const message = `${id} ${field} ${target}, but module ${module} is not checked out`
    return diagnostic('warning', 'module-not-checked-out', message, about)
  }
  const unknown = `unknown ${nounOf(target)} ${target}`
  if (kind === 'code') {
    return diagnostic('warning', 'governing-unresolved', `${id} governing comment names ${unknown}`, about)
  }
  if (entry.strict) return diagnostic('error', 'unresolved-id', `${id} ${field} ${unknown}`, about)
  return diagnostic('warning', 'unresolved-reference', `${id} ${field} ${unknown}`, about)
}
