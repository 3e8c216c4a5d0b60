// Where the graph verbs get their graph from: a place, proved fresh like every answer, or built for this one run where
// `--no-cache` or folders on the command line ask for it. The layout is the one that the index was proved by.

import path from 'node:path'
import { type ArtifactGraph, idsOfTraversal, loadGraph, loadPart, type Verdict } from '../artifact/graph.ts'
import { chosenModule, ModuleCut } from '../artifact/modules.ts'
import { normalised } from '../artifact/scope.ts'
import { keepVerdict, knownVerdict, subject } from '../artifact/verdict.ts'
import { findLayout } from '../indexing/layout.ts'
import type { Place } from '../indexing/place.ts'
import { type Index, openIndex, openUncached } from '../indexing/session.ts'
import type { TraversalVerb } from '../model/artifact-views.ts'
import { UserError } from '../model/errors.ts'
import type { Family } from '../model/families.ts'
import type { Layout } from '../model/layout.ts'
import { peekAt } from '../scan/peek.ts'
import { isFolder } from '../scan/root.ts'
import type { Store } from '../store/store.ts'
import type { Io } from './io.ts'
import { placeOf } from './place.ts'

/** What the graph is made of: artifacts, and the source files that name them. */
const FAMILIES: readonly Family[] = ['artifact', 'code']

export interface GraphSource {
  readonly place: Place
  readonly index: Index
  readonly layout: Layout
  /** Name given with --module; null for all, and where there are no modules. */
  readonly module: string | null
  readonly graph: ArtifactGraph
}

/** The place of a graph verb: as everywhere, with the folders that `--adr-dir` and `--spec-dir` name. */
export async function graphPlace(options: Record<string, unknown>, io: Io): Promise<Place> {
  const place = await placeOf(options, io)
  const folders = {
    adr: folderOf(place.root, io, options['adrDir']),
    spec: folderOf(place.root, io, options['specDir']),
  }
  return { ...place, folders }
}

/** What is asked, where a part of the graph may do: a traversal from a node, or what a verdict and rows tell. */
export type About =
  | { readonly verb: TraversalVerb; readonly id: string }
  | { readonly verb: 'validate' | 'orphans' | 'cycles' }

/**
 * Opens and loads the graph for `use`, and closes the index when that is done. With `about` it may be a part of the
 * graph. Throws UserError usage for an unknown module, and what opening the index throws.
 */
export async function withGraph<T>(
  options: Record<string, unknown>,
  io: Io,
  about: About | null,
  use: (source: GraphSource) => T,
): Promise<T> {
  const place = await graphPlace(options, io)
  const named = typeof options['module'] === 'string' ? options['module'] : null
  const ofOneRun = options['cache'] === false || place.folders.adr !== null || place.folders.spec !== null
  const index = ofOneRun
    ? await openUncached(place, FAMILIES, io.world)
    : await openIndex(place, FAMILIES, options['staleCheck'] === false ? 'as-is' : 'repair', io.world)
  try {
    const { store } = index
    const layout = index.plan?.layout ?? (await findLayout(place))
    const module = chosenModule(layout, named)
    // Graph and walk are of one state of the index, whoever writes meanwhile.
    const { result, whole, state } = store.read(() => {
      // Asked even where only the whole graph will do, so that it is kept once and not by every run.
      const verdict = knownVerdict(store, layout)
      const part = about === null || verdict === null ? null : partFor(about, store, layout, module, verdict)
      const graph = part ?? loadGraph(store, layout)
      const whole = part === null && verdict === null ? graph : null
      return { result: use({ place, index, layout, module, graph }), whole, state: subject(store, layout) }
    })
    if (whole !== null) keepVerdict(store, whole, state)
    return result
  } finally {
    index.close()
  }
}

/** Null where only the whole graph can answer: nothing that is shown has the id, or the verdict has not everything. */
function partFor(
  about: About,
  store: Store,
  layout: Layout,
  module: string | null,
  verdict: Verdict,
): ArtifactGraph | null {
  if (!('id' in about)) {
    return about.verb === 'validate' && verdict.news === null ? null : loadPart(store, layout, [], verdict)
  }
  const cut = new ModuleCut(module)
  const id = cut.whole(about.id)
  const part = loadPart(store, layout, idsOfTraversal(store, about.verb, id), verdict)
  const node = part.nodes.get(id)
  return node !== undefined && cut.keeps(node.module) ? part : null
}

/** A folder as the layout names it: relative to the root. */
function folderOf(root: string, io: Io, given: unknown): string | null {
  if (typeof given !== 'string') return null
  const relative = path.relative(root, path.resolve(root, given))
  if (relative.startsWith('..') || path.isAbsolute(relative)) {
    throw new UserError('usage', `${given} is not below ${path.relative(io.cwd, root) || '.'}`)
  }
  if (!isFolder(path.join(root, relative))) throw new UserError('not-found', `there is no folder ${given}`)
  return relative.split(path.sep).join('/')
}

/** A file that is there and no node: somebody who asks for it means no typing error. */
export function tellFile({ place: { root }, layout, module }: GraphSource, typed: string, io: Io): void {
  const path = normalised(typed)
  const top = layout.modules.find(({ name }) => name === module)?.path ?? ''
  if (path === null || ['', top].every((base) => peekAt(root, base).read(path) === null)) return
  io.err(`note: ${typed} is a file here, but it is no artifact, and no governing comment in it names one`)
}
