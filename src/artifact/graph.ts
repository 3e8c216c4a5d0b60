// The artifact graph: loaded, resolved and judged in one go, before any verb answers from it (seed "Graph
// Validation"); or a part of it, where all else is known. It holds no SQL and answers nothing itself. The surprise: no
// resolved edge is stored; the index keeps each file's facts as they were written, so that one artifact more or less
// changes what others' references mean.

import type { ArtifactNode, Diagnostic, Relation, TraversalVerb } from '../model/artifact-views.ts'
import type { Layout } from '../model/layout.ts'
import { artifactReach, type ReachCorrection } from '../store/queries/artifact-reach.ts'
import {
  type AliasRow,
  aliasesByName,
  aliasesByRef,
  aliasesOfFiles,
  artifactEdges,
  artifactNodes,
  codeNodes,
  graphProblems,
  keysOf,
} from '../store/queries/artifact-rows.ts'
import { keyTexts } from '../store/queries/spec-edges.ts'
import type { Store } from '../store/store.ts'
import { assemble, entriesByName } from './assemble.ts'
import { cycleDiagnostics, type GraphCycles, graphCycles } from './cycles-of.ts'
import { compareDiagnostics } from './diagnostics.ts'
import { strictModules } from './modules.ts'
import { reportedProblems, type Unrecognized } from './problems.ts'
import { resolve } from './resolve.ts'
import { inconsistentStatuses } from './supersession.ts'

export interface ArtifactGraph extends GraphCycles {
  readonly layout: Layout
  /** By id, in no promised order. */
  readonly nodes: ReadonlyMap<string, ArtifactNode>
  /** Each relation once, as authored, both ends known; in no promised order. */
  readonly relations: readonly Relation[]
  /** Nodes by another name (slug, number, folder), asked of the store. Several make the name ambiguous. */
  readonly named: (name: string) => readonly ArtifactNode[]
  /** All errors and warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Source files whose governing comment could not be read, by path. */
  readonly unrecognized: readonly Unrecognized[]
  /** Names of the modules in which the seed's rules hold; null is the root. */
  readonly strict: ReadonlySet<string | null>
  /** Further files of a strict id, which are no nodes. */
  readonly further: readonly ArtifactNode[]
  /** Raw material of findings.ts. */
  readonly headings: readonly Diagnostic[]
  readonly danglingSupersessions: readonly Diagnostic[]
  /** For the walk: how the walked edges differ from what is stored. */
  readonly correction: ReachCorrection
  /** Of a part of a graph what is known of the whole; null where everything is loaded. */
  readonly verdict: Verdict | null
  /**
   * True of a graph whose rows mean the same apart as together: every id is claimed once, every walked reference is an
   * exact id and lawful, and there are no cycles.
   */
  readonly plain: boolean
}

/** What is known of a plain graph as a whole (verdict.ts); plain data, because it is kept as JSON. */
export interface Verdict {
  readonly diagnostics: readonly Diagnostic[]
  /** What `validate` tells beside them; null where that is too much to keep. */
  readonly news: readonly Diagnostic[] | null
  /** Of every module that has nodes. */
  readonly counts: readonly Counts[]
  readonly unrecognized: readonly Unrecognized[]
  /** The first id, as an example, where no source file is a node; else null. */
  readonly example: string | null
}

/** How many nodes a module has, and how many edges whose source lies in it. */
export interface Counts {
  readonly module: string | null
  readonly artifacts: number
  readonly files: number
  readonly authored: number
  readonly derived: number
}

/** Builds the graph from what the index holds, which must be fresh. Never throws for what the files say. */
export function loadGraph(store: Store, layout: Layout): ArtifactGraph {
  return store.read(() => {
    const rowsOf = (files: readonly number[]): AliasRow[] => aliasesOfFiles(store, files)
    const assembled = assemble(artifactNodes(store, null), codeNodes(store, null), rowsOf, layout)
    const { nodes, byFile } = assembled
    const resolved = resolve(artifactEdges(store, null), assembled, {
      texts: (keys) => new Map(keyTexts(store, keys).map(({ key, text }) => [key, text])),
      named: (refs) => entriesByName(aliasesByRef(store, refs), byFile),
    })
    const reported = reportedProblems(graphProblems(store), assembled, layout)
    const { relations, correction, danglingSupersessions } = resolved
    const found = graphCycles(relations)
    const strict = strictModules(layout)
    const statuses = inconsistentStatuses(relations, nodes, (node) => !strict.has(node.module))
    const diagnostics = [
      ...assembled.diagnostics,
      ...reported.diagnostics,
      ...resolved.diagnostics,
      ...cycleDiagnostics(found, relations),
      ...statuses,
    ].sort(compareDiagnostics)
    const { headings, unrecognized } = reported
    const further = [...byFile.values()].flatMap(({ node, stands }) => (stands ? [] : [node]))
    return {
      ...found,
      layout,
      nodes,
      relations,
      named: (name) => [...entriesByName(aliasesByName(store, name), byFile).values()].flat().map(({ node }) => node),
      diagnostics,
      unrecognized,
      strict,
      further,
      headings,
      danglingSupersessions,
      correction,
      verdict: null,
      plain: assembled.claimedOnce && isExact(correction) && found.cycles.length === 0,
    }
  })
}

function isExact({ without, also }: ReachCorrection): boolean {
  return without.length === 0 && also.length === 0
}

/**
 * A part of a plain graph: the nodes of these ids and the edges between them, with what is known of the whole. The
 * nodes that its diagnostics target are there too, since how one is told under a module depends on where they lie.
 */
export function loadPart(store: Store, layout: Layout, ids: readonly string[], verdict: Verdict): ArtifactGraph {
  const { diagnostics, news, unrecognized } = verdict
  const targets = [...diagnostics, ...(news ?? [])].flatMap(({ target_id }) => target_id ?? [])
  const keys = keysOf(store, [...new Set([...ids, ...targets])])
  const assembled = assemble(artifactNodes(store, keys), codeNodes(store, keys), () => [], layout)
  const { relations } = resolve(artifactEdges(store, keys), assembled, {
    texts: () => new Map(),
    named: () => new Map(),
  })
  return {
    layout,
    nodes: assembled.nodes,
    relations,
    named: () => [],
    diagnostics,
    cycles: [],
    capped: false,
    unrecognized,
    strict: strictModules(layout),
    further: [],
    headings: [],
    danglingSupersessions: [],
    correction: EXACT,
    verdict,
    plain: true,
  }
}

/** What a traversal of a plain graph from `id` reaches, and `id` itself. */
export function idsOfTraversal(store: Store, verb: TraversalVerb, id: string): string[] {
  return [id, ...DIRECTIONS[verb].flatMap((direction) => artifactReach(store, direction, id, EXACT))]
}

const DIRECTIONS: Readonly<Record<TraversalVerb, readonly ('up' | 'down')[]>> = {
  impact: ['down'],
  ancestors: ['up'],
  chain: ['up', 'down'],
}

const EXACT: ReachCorrection = { without: [], also: [] }
