// The validator: picks the graph and the prose to judge (seed 000 "Validating the graph", sheet spec-graph §9), and
// hands both to findings.ts. By default both come from the proven index; under compat the graph is what §9 names and
// the prose is read from disk. The surprise: a given document is never checked for freshness and never rebuilt.

import path from 'node:path'
import { openIndex } from '../indexing/session.ts'
import { UserError } from '../model/errors.ts'
import { displayPath } from '../model/source-key.ts'
import type { ValidationView } from '../model/spec-views.ts'
import { EDGE } from '../model/vocabulary.ts'
import { specMentions, specPointedAt } from '../store/queries/spec-edges.ts'
import type { Store } from '../store/store.ts'
import { compatProse } from './compat-prose.ts'
import { findings, type JudgedGraph, type Prose, SCAFFOLD_MARKERS } from './findings.ts'
import { parseGivenDocument } from './given.ts'
import { graphNodes, indexGraph, type SpecGraph } from './graph.ts'
import { isRegularFile, persistedGraph, readGraphText } from './graph-file.ts'
import { COMPAT_HINT, type GraphRequest, loadDocument, passesSelfCheck, shownLocation } from './source.ts'

export interface ValidateRequest extends Omit<GraphRequest, 'strict' | 'noCheck' | 'say'> {
  /** Fills the random part of the name that compat gives to a graph it had to build. */
  readonly temporaryGraph: string
}

/** Judges the graph. Throws UserError not-found or refused (exit 1), and what opening the index throws. */
export async function validate(request: ValidateRequest): Promise<ValidationView> {
  const { judged, shown, prose } = request.mode === 'default' ? await byDefault(request) : await underCompat(request)
  // Under compat the list is the public tool's own.
  const more = request.mode === 'default' ? request.place.config.spec.scaffold_markers : []
  const scaffolds = new Set([...SCAFFOLD_MARKERS, ...more])
  return { graph: shown, findings: findings(judged, prose, scaffolds) }
}

interface Judgement {
  readonly judged: JudgedGraph
  readonly shown: string
  readonly prose: Prose
}

async function byDefault(request: ValidateRequest): Promise<Judgement> {
  const { place, file, world } = request
  // First, so that a wrong path is named before anything is indexed.
  const given = file === null ? null : await judgeDocument(resolveGiven(request, file), file)
  const index = await openIndex(place, ['spec'], 'repair', world)
  try {
    return index.store.read(() => ({
      judged: given ?? judgedGraph(indexGraph(index.store, 'default')),
      shown: file ?? shownLocation(place),
      prose: storedProse(index.store),
    }))
  } finally {
    index.close()
  }
}

async function underCompat(request: ValidateRequest): Promise<Judgement> {
  const { place, file } = request
  const prose = compatProse(place.root)
  if (file !== null) return { judged: await judgeDocument(resolveGiven(request, file), file), shown: file, prose }
  const persisted = persistedGraph(place.root)
  if (isRegularFile(persisted)) return { judged: await judgeDocument(persisted, persisted), shown: persisted, prose }
  return { judged: await judgeBuild(request), shown: request.temporaryGraph, prose }
}

function resolveGiven(request: ValidateRequest, file: string): string {
  const resolved = path.resolve(request.cwd, file)
  if (!isRegularFile(resolved)) throw new UserError('not-found', `graph file not found: ${file}`, null, 1)
  return resolved
}

async function judgeDocument(file: string, shown: string): Promise<JudgedGraph> {
  const { graph, close } = await loadDocument(parseGivenDocument(readGraphText(file, shown)), shown)
  try {
    return judgedGraph(graph)
  } finally {
    close()
  }
}

/** The root's own graph under compat; without a passing self-check there is none. */
async function judgeBuild({ place, mode, world }: ValidateRequest): Promise<JudgedGraph> {
  const index = await openIndex(place, ['spec'], 'repair', world)
  try {
    const graph = indexGraph(index.store, mode)
    if (passesSelfCheck(graph, mode)) return judgedGraph(graph)
    throw new UserError('refused', 'failed to auto-build spec graph via specdex spec build', COMPAT_HINT, 1)
  } finally {
    index.close()
  }
}

function judgedGraph(graph: SpecGraph): JudgedGraph {
  const nodes = [...graphNodes(graph).values()]
  const targets = specPointedAt(graph.store, graph.types)
  const pointedAt = (type: string): ReadonlySet<string> =>
    new Set(targets.filter((each) => each.type === type).map((each) => each.target))
  const commands = nodes.filter(({ type }) => type === 'command' || type === 'sub-phase')
  return {
    annotations: nodes.filter(({ type }) => type === 'annotation'),
    labels: nodes.filter(({ type }) => type === 'label'),
    commands: new Set(commands.map(({ name }) => name)),
    written: pointedAt('WRITES'),
    read: pointedAt('READS'),
    added: pointedAt('TRANSITIONS'),
  }
}

/** What the index remembers of the prose: every call, and the removed labels. */
function storedProse(store: Store): Prose {
  const calls = specMentions(store, EDGE.containsCall)
  const removals = specMentions(store, EDGE.removes)
  return {
    calls: calls.map(({ file, target }) => ({ path: displayPath(file), target: target.slice('cmd:'.length) })),
    removed: removals.map(({ target }) => target.slice('label:'.length)),
  }
}
