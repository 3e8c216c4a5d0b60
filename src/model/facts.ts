// What one source says, before anybody asks whether it resolves. An extractor returns these, the store keeps them
// under their file's row and replaces them as a whole; nothing here knows about another file.

export interface NodeFact {
  readonly id: string
  /** A number of vocabulary.ts KINDS. */
  readonly kind: number
  /** True: the file *is* this node. False: the file only names it (annotation, label). */
  readonly own: boolean
  readonly title: string | null
  readonly status: string | null
  /** 1-based; null where the whole file is meant. */
  readonly line: number | null
}

/** One sighting of a reference, oriented: `down` depends on `up`. Neither end need exist. */
export interface EdgeFact {
  readonly up: string
  readonly down: string
  /** A number of vocabulary.ts EDGE_TYPES. */
  readonly type: number
  readonly line: number | null
  /** Free extra, e.g. the text of a link that was not resolved. */
  readonly note: string | null
}

export const SEVERITY = { info: 0, warning: 1, error: 2 } as const

/** Something wrong in the user's text. Never thrown, never fatal for other files. */
export interface ProblemFact {
  /** Closed, kebab-case; the list stands in README "Problems". */
  readonly code: string
  readonly severity: number
  readonly line: number | null
  readonly detail: string | null
  /** The front matter field or comment marker that it is about. */
  readonly field?: string | null
  /** What the field named, as it was typed. */
  readonly target?: string | null
}

/** Another name under which a node may be referred to: a slug, a folder, a number. */
export interface AliasFact {
  readonly ref: string
  /** The node's id. */
  readonly id: string
}

export interface Facts {
  readonly nodes: readonly NodeFact[]
  readonly edges: readonly EdgeFact[]
  readonly problems: readonly ProblemFact[]
  readonly aliases?: readonly AliasFact[]
}

export const NO_FACTS: Facts = { nodes: [], edges: [], problems: [] }
