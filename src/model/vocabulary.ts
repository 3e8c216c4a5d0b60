// Node kinds, edge types and file states: the only place where their numbers and names are given.
// The store mirrors KINDS and EDGE_TYPES into tables of the same shape at open (a test holds them equal).

import type { Family } from './families.ts'

export interface NodeKind {
  readonly id: number
  readonly name: string
  readonly family: Family
}

/** Seed 000 "Node types", `document` for the docs family, seed 001 for the artifact graph. Numbers are stored: never renumber, only add. */
export const KINDS = [
  { id: 1, name: 'command', family: 'spec' },
  { id: 2, name: 'sub-phase', family: 'spec' },
  { id: 3, name: 'annotation', family: 'spec' },
  { id: 4, name: 'label', family: 'spec' },
  { id: 5, name: 'script', family: 'spec' },
  { id: 6, name: 'devdoc', family: 'spec' },
  { id: 10, name: 'document', family: 'docs' },
  { id: 20, name: 'adr', family: 'artifact' },
  { id: 21, name: 'spec', family: 'artifact' },
  { id: 22, name: 'change', family: 'artifact' },
  { id: 23, name: 'code', family: 'code' },
] as const satisfies readonly NodeKind[]

export type KindName = (typeof KINDS)[number]['name']

/** Number of a node kind. */
export const KIND = Object.fromEntries(KINDS.map((kind) => [kind.name, kind.id])) as Readonly<Record<KindName, number>>

export interface EdgeType {
  /** Contiguous per system and mode, so that "the types this question walks" is a range and never a list. */
  readonly id: number
  readonly name: string
  readonly family: Family
  /** The extraction rule whose facts carry this number: several rules may find edges of one name. */
  readonly rule: string
  /** Name of the derived inverse, null where the contract has none. */
  readonly inverse: string | null
  /** True where the author of the text is what others depend on. */
  readonly authorIsUp: boolean
  /** Among sightings of one edge, a lower rank is the one shown; equal ranks go by path, then by order in the file. */
  readonly rank: number
  /** The edge exists only if the node it points at is declared by some file. */
  readonly needsTarget: boolean
}

/** Artifact types are found in front matter or, in lenient conventions, in link lines; the note tells which. */
const artifact = { family: 'artifact', rule: 'artifact-field', authorIsUp: false, rank: 0, needsTarget: true } as const
const code = { family: 'code', authorIsUp: false, rank: 0, needsTarget: true } as const
const spec = { family: 'spec', inverse: null, authorIsUp: false, rank: 0, needsTarget: false } as const

/**
 * The derivation table: every edge type, who depends on whom, and what is derived from it.
 * Facts are stored oriented: `down` depends on `up`. For all spec edges the command is `down`.
 * Source: seed 000 "Edge types" and "Extraction heuristics"; sheet spec-graph §0 (two modes on one set of facts), §5.
 */
export const EDGE_TYPES = [
  // Compat only: the id as typed (`re-read forge:x`), which may name no node.
  { ...spec, id: 0, name: 'READS', rule: 'prose-verbatim' },
  { ...spec, id: 1, name: 'WRITES', rule: 'post' },
  { ...spec, id: 2, name: 'READS', rule: 'call-or-reread' },
  { ...spec, id: 3, name: 'TRANSITIONS', rule: 'add-label' },
  { ...spec, id: 4, name: 'INVOKES', rule: 'script-token', needsTarget: true },
  { ...spec, id: 5, name: 'CONTAINS', rule: 'skill-call', needsTarget: true },
  { ...spec, id: 6, name: 'CONTAINS', rule: 'directory', needsTarget: true, rank: 1 },
  { ...spec, id: 7, name: 'REQUIRES', rule: 'required-devdoc', needsTarget: true },
  // Default mode only: plain read/reads, and verbatim ids upper-cased to a real marker.
  { ...spec, id: 8, name: 'READS', rule: 'plain-read', needsTarget: true },
  // Not an edge of the contract: only the validator's add/remove asymmetry looks at it.
  { ...spec, id: 9, name: 'REMOVES', rule: 'remove-label' },
  {
    id: 20,
    name: 'LINKS',
    family: 'docs',
    rule: 'markdown-link',
    inverse: 'LINKED_BY',
    authorIsUp: false,
    rank: 0,
    needsTarget: true,
  },
  // Seed 001 "Inverse Edge Derivation"; who depends on whom: sheet artifact-graph §4. 40 to 48 are walked, 49 is not.
  { ...artifact, id: 40, name: 'supersedes', inverse: 'superseded-by' },
  { ...artifact, id: 41, name: 'extends', inverse: 'extended-by' },
  { ...artifact, id: 42, name: 'implements', inverse: 'implemented-by' },
  { ...artifact, id: 43, name: 'requires', inverse: 'depended-on-by' },
  { ...artifact, id: 44, name: 'enables', inverse: 'enabled-by', authorIsUp: true },
  { ...artifact, id: 45, name: 'governs', inverse: 'governed-by', authorIsUp: true },
  { ...code, id: 46, name: 'governed-by', rule: 'governing-line', inverse: 'governs' },
  { ...code, id: 47, name: 'implements', rule: 'implements-line', inverse: 'implemented-by' },
  // An open change of OpenSpec and the main spec that it touches.
  { ...artifact, id: 48, name: 'changes', rule: 'change-delta', inverse: 'changed-by' },
  // Symmetric, and not walked.
  { ...artifact, id: 49, name: 'related', inverse: 'related' },
] as const satisfies readonly EdgeType[]

export const EDGE = {
  readsVerbatim: 0,
  writes: 1,
  reads: 2,
  transitions: 3,
  invokes: 4,
  containsCall: 5,
  containsDirectory: 6,
  requires: 7,
  readsPlain: 8,
  removes: 9,
  links: 20,
  supersedes: 40,
  extends: 41,
  implements: 42,
  requiresSpec: 43,
  enables: 44,
  governs: 45,
  codeGovernedBy: 46,
  codeImplements: 47,
  changes: 48,
  related: 49,
} as const

/** What impact and ancestors of the artifact graph walk: all of its types but `related` (sheet artifact-graph §4). */
export const ARTIFACT_WALK: TypeRange = { lo: EDGE.supersedes, hi: EDGE.changes }

/** Every type of the artifact graph. */
export const ARTIFACT_RANGE: TypeRange = { lo: EDGE.supersedes, hi: EDGE.related }

/** An inclusive range of edge type numbers. An empty range has lo > hi. */
export interface TypeRange {
  readonly lo: number
  readonly hi: number
}

export type SpecMode = 'default' | 'forgedock-1.7'

/** The exported edge types of each mode of the spec graph (sheet spec-graph §0). */
export const SPEC_RANGE: Readonly<Record<SpecMode, TypeRange>> = {
  default: { lo: EDGE.writes, hi: EDGE.readsPlain },
  'forgedock-1.7': { lo: EDGE.readsVerbatim, hi: EDGE.requires },
}

/** What `load-set` follows: CONTAINS and REQUIRES, in both modes (seed 000 "Querying the graph"). */
export const LOAD_SET_RANGE: TypeRange = { lo: EDGE.containsCall, hi: EDGE.requires }

/** Spec types whose target (for `directory`: whose parent) must be declared for the edge to exist. */
export const NEEDS_TARGET: TypeRange = { lo: EDGE.invokes, hi: EDGE.readsPlain }

/**
 * What became of a file. Only `ok` and `problem` have been read by an extractor; `unreadable` spec files still are
 * nodes with an empty text (sheet spec-graph §2). Numbers are stored.
 */
export const FILE_STATE = {
  ok: 0,
  problem: 1,
  tooLarge: 2,
  binary: 3,
  unreadable: 4,
  outsideLink: 5,
  linkLoop: 6,
  notAFile: 7,
  unreadableFolder: 8,
} as const

export type FileStateName = keyof typeof FILE_STATE

/** States from here on are names that are not sources: they have a row and a problem, and no node. */
export const FIRST_SKIPPED_STATE = FILE_STATE.outsideLink
