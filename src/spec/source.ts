// Which graph answers a query, and whether it is fresh: by default the index, with a given document or under compat a
// persisted JSON (seed 000 "Staleness detection", sheet spec-graph §8.2, §0 rows 16 and 17).
// The surprise: a stale document is not repaired but set aside, and the index of the root answers instead.

import path from 'node:path'
import type { Place } from '../indexing/place.ts'
import { type Index, openIndex } from '../indexing/session.ts'
import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import type { SpecMode } from '../model/vocabulary.ts'
import { fileSize } from '../scan/root.ts'
import { specEdgeExists } from '../store/queries/spec-edges.ts'
import { specNodeExists } from '../store/queries/spec-nodes.ts'
import { type GivenDocument, parseGivenDocument } from './given.ts'
import { givenGraph, indexGraph, type SpecGraph } from './graph.ts'
import { GRAPH_PATH, isRegularFile, persistedGraph, readGraphText } from './graph-file.ts'
import { holds, selfChecks } from './self-check.ts'

/** Said once on stderr when a stale graph was rebuilt for the query at hand. */
const STALE_BANNER = 'stale-graph: spec corpus changed since graph was built — rebuilding for this query'

/** Why an ordinary repository has no graph under compat (sheet spec-graph §8.2, §11 row 18). */
export const COMPAT_HINT =
  'under --compat a corpus must pass the self-check, which asks for its commands work-on and review-pr'

const WELL_FORMED = '0'.repeat(64)

export interface GraphRequest {
  readonly place: Place
  readonly mode: SpecMode
  /** A document as typed, relative to `cwd`; null: the index, or under compat the persisted JSON. */
  readonly file: string | null
  readonly cwd: string
  readonly strict: boolean
  /** Beats `strict`. */
  readonly noCheck: boolean
  readonly world: World
  /** One line for stderr, as it is. */
  readonly say: (line: string) => void
}

export interface OpenGraph {
  readonly graph: SpecGraph
  readonly close: () => void
}

/**
 * Opens the graph that answers. Throws UserError not-found, stale or refused (exit 1) as the contract words them, and
 * what opening the index throws.
 */
export async function openGraph(request: GraphRequest): Promise<OpenGraph> {
  const { place, mode, file, cwd } = request
  if (file !== null) {
    const resolved = path.resolve(cwd, file)
    if (!isRegularFile(resolved)) throw new UserError('not-found', `graph file not found: ${file}`, null, 1)
    return openDocument(request, resolved, file)
  }
  if (mode === 'default') return openProvenIndex(request)
  const persisted = persistedGraph(place.root)
  return isRegularFile(persisted) ? openDocument(request, persisted, persisted) : rebuilt(request)
}

async function openProvenIndex(request: GraphRequest): Promise<OpenGraph> {
  const { place, strict, noCheck, world, say } = request
  const index = await openIndex(place, ['spec'], noCheck ? 'as-is' : strict ? 'strict' : 'repair', world)
  try {
    if (index.condition === 'stale') throw strictRefusal(`the index (${shownLocation(place)})`, 'specdex index')
    if (strict && !noCheck) await demandFreshExport(index)
    // In a read-only place openIndex has said already that the answer is from memory: one line is enough (issue 2 §5).
    if (index.condition === 'repaired' && corpusChanged(index) && !index.store.inMemory) say(STALE_BANNER)
    return { graph: indexGraph(index.store, 'default'), close: index.close }
  } catch (error) {
    index.close()
    throw error
  }
}

/** False where only an extractor or the configuration changed: then the corpus is as it was. */
function corpusChanged({ report }: Index): boolean {
  return report !== null && report.added.length + report.changed.length + report.removed.length > 0
}

/** Under --strict-stale a JSON at the default export path must be fresh too. */
async function demandFreshExport(index: Index): Promise<void> {
  const persisted = persistedGraph(index.place.root)
  if (!isRegularFile(persisted)) return
  const { indexedCorpusHash } = await import('../indexing/spec-hash.ts')
  const { builtFromHash } = parseGivenDocument(readGraphText(persisted, GRAPH_PATH))
  if (builtFromHash !== indexedCorpusHash(index))
    throw strictRefusal(`persisted graph (${GRAPH_PATH})`, 'specdex spec build')
}

function strictRefusal(what: string, command: string): UserError {
  const message = `stale-graph: ${what} is out of date — spec corpus changed since it was built (run: ${command}). `
  return new UserError('stale', `${message}--strict-stale set, refusing to auto-rebuild.`, null, 1)
}

async function openDocument(request: GraphRequest, file: string, shown: string): Promise<OpenGraph> {
  const document = parseGivenDocument(readGraphText(file, shown))
  if (!request.noCheck) {
    const current = await currentHash(request)
    if (current !== null && current !== document.builtFromHash) {
      if (request.strict) throw strictRefusal(`persisted graph (${shown})`, 'specdex spec build')
      request.say(STALE_BANNER)
      return rebuilt(request)
    }
  }
  return loadDocument(document, shown)
}

/** The document in a store of its own. Throws UserError refused (exit 1) where it has not the shape of a graph. */
export async function loadDocument(document: GivenDocument, shown: string): Promise<OpenGraph> {
  if (document.graph === null) {
    const message = `not a valid spec-graph document (missing .graph.nodes/.graph.edges): ${shown}`
    throw new UserError('refused', message, null, 1)
  }
  const { openMemoryStore } = await import('../store/open.ts')
  const store = openMemoryStore()
  return { graph: givenGraph(store, document.graph), close: () => store.close() }
}

/** The fingerprint of the root; null where it cannot be computed, which strict mode does not accept (sheet §0 row 16). */
async function currentHash(request: GraphRequest): Promise<string | null> {
  try {
    const { corpusHash } = await import('../scan/corpus.ts')
    return corpusHash(request.place.root)
  } catch (error) {
    if (request.mode !== 'default') return null
    const message = `the fingerprint of the spec corpus cannot be computed: ${error instanceof Error ? error.message : error}`
    if (request.strict) throw new UserError('io', message, null, 1)
    request.say(`warning: ${message}; the graph is used as it stands`)
    return null
  }
}

/** The root's own index in the asked mode, repaired. Under compat it must pass the self-check, like a build there. */
async function rebuilt(request: GraphRequest): Promise<OpenGraph> {
  const { place, mode, world } = request
  const index = await openIndex(place, ['spec'], 'repair', world)
  const graph = indexGraph(index.store, mode)
  if (mode !== 'default' && !passesSelfCheck(graph, mode)) {
    index.close()
    throw new UserError('refused', 'failed to build spec graph via specdex spec build', COMPAT_HINT, 1)
  }
  return { graph, close: index.close }
}

/** The self-check without an export; the fingerprint of what we just built is well formed by construction. */
export function passesSelfCheck(graph: SpecGraph, mode: SpecMode): boolean {
  const checks = selfChecks(
    {
      hasNode: (id) => specNodeExists(graph.store, graph.kinds, id),
      hasEdge: (from, type, to) => specEdgeExists(graph.store, graph.types, from, type, to),
      builtFromHash: WELL_FORMED,
    },
    mode,
  )
  return holds(checks)
}

/** How the index is named to people: relative to the root where it lies there. */
export function shownLocation(place: Place): string {
  const relative = path.relative(place.root, place.location.path)
  const inside = relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
  return inside ? relative.split(path.sep).join('/') : place.location.path
}

/** Bytes of paths that a given document names, for estimates: 0 where there is no such file below the root. */
export function sizeBelow(root: string): (relative: string) => number {
  return (relative) => {
    const file = path.resolve(root, relative)
    if (!file.startsWith(root + path.sep)) return 0
    return fileSize(file) ?? 0
  }
}
