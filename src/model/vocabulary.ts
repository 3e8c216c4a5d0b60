// Node kinds, edge types and file states: the only place where their numbers and names are given.
// The store mirrors KINDS and EDGE_TYPES into tables of the same shape at open (a test holds them equal).

import type { Family } from './families.ts'

export interface NodeKind {
  readonly id: number
  readonly name: string
  readonly family: Family
}

/** Seed 000 "Node types", and `document` for the docs family. Numbers are stored: never renumber, only add. */
export const KINDS = [
  { id: 1, name: 'command', family: 'spec' },
  { id: 2, name: 'sub-phase', family: 'spec' },
  { id: 3, name: 'annotation', family: 'spec' },
  { id: 4, name: 'label', family: 'spec' },
  { id: 5, name: 'script', family: 'spec' },
  { id: 6, name: 'devdoc', family: 'spec' },
  { id: 10, name: 'document', family: 'docs' },
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
} as const

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
