// A spec-graph JSON that somebody hands us, turned into rows. Pure. It may be hand-written and odd: wrong types, missing
// fields, doubled ids, arrays that are objects. Nothing here throws for that; what cannot be a node or an edge is left out.

/** One node of a given document, in document order. */
export interface GivenNode {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly path: string | null
}

export interface GivenEdge {
  readonly from: string
  readonly type: string
  readonly to: string
}

export interface GivenGraph {
  readonly nodes: readonly GivenNode[]
  readonly edges: readonly GivenEdge[]
}

export interface GivenDocument {
  /** The stored fingerprint; empty when absent, null or the text is no JSON (sheet spec-graph §8.2). */
  readonly builtFromHash: string
  /** Null where the shape test fails: `graph.nodes` and `graph.edges` must be lists (sheet spec-graph §8.2). */
  readonly graph: GivenGraph | null
}

/** Reads the text of a document. Never throws. */
export function parseGivenDocument(text: string): GivenDocument {
  const graph = member(parseJson(text), 'graph')
  const builtFromHash = scalar(member(graph, 'builtFromHash')) ?? ''
  const nodes = items(member(graph, 'nodes'))
  const edges = items(member(graph, 'edges'))
  if (nodes === null || edges === null) return { builtFromHash, graph: null }
  return { builtFromHash, graph: { nodes: nodes.flatMap(givenNode), edges: edges.flatMap(givenEdge) } }
}

function parseJson(text: string): unknown {
  try {
    // An editor may have left a byte-order mark; JSON.parse refuses it.
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    return null
  }
}

function givenNode(value: unknown): GivenNode[] {
  const id = scalar(member(value, 'id'))
  if (id === null) return []
  return [
    {
      id,
      type: scalar(member(value, 'type')) ?? 'unknown',
      name: scalar(member(value, 'name')) ?? id,
      path: scalar(member(value, 'path')),
    },
  ]
}

function givenEdge(value: unknown): GivenEdge[] {
  const from = scalar(member(value, 'from'))
  const type = scalar(member(value, 'type'))
  const to = scalar(member(value, 'to'))
  return from === null || type === null || to === null ? [] : [{ from, type, to }]
}

/** An own member of an object; undefined otherwise, so that `constructor` or `__proto__` find nothing inherited. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

function items(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : null
}

function scalar(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}
