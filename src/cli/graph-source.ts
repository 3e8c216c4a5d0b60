// Where the graph verbs get their graph from: a place, proved fresh like every answer, or built for this one run where
// `--no-cache` or folders on the command line ask for it. The layout is the one that the index was proved by.

import path from 'node:path'
import { type ArtifactGraph, loadGraph } from '../artifact/graph.ts'
import { chosenModule } from '../artifact/modules.ts'
import { findLayout } from '../indexing/layout.ts'
import type { Place } from '../indexing/place.ts'
import { type Index, openIndex, openUncached } from '../indexing/session.ts'
import { UserError } from '../model/errors.ts'
import type { Family } from '../model/families.ts'
import type { Layout } from '../model/layout.ts'
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

/**
 * Opens and loads the graph for `use`, and closes the index when that is done. Throws UserError usage for an unknown module, and
 * what opening the index throws.
 */
export async function withGraph<T>(
  options: Record<string, unknown>,
  io: Io,
  use: (source: GraphSource) => T,
): Promise<T> {
  const place = await graphPlace(options, io)
  const module = typeof options['module'] === 'string' ? options['module'] : null
  const ofOneRun = options['cache'] === false || place.folders.adr !== null || place.folders.spec !== null
  const index = ofOneRun
    ? await openUncached(place, FAMILIES, io.world)
    : await openIndex(place, FAMILIES, options['staleCheck'] === false ? 'as-is' : 'repair', io.world)
  try {
    const layout = index.plan?.layout ?? (await findLayout(place))
    const chosen = chosenModule(layout, module)
    // Graph and walk are of one state of the index, whoever writes meanwhile.
    return index.store.read(() => use({ place, index, layout, module: chosen, graph: loadGraph(index.store, layout) }))
  } finally {
    index.close()
  }
}

/** A folder as the layout names it: relative to the root. */
function folderOf(root: string, io: Io, given: unknown): string | null {
  if (typeof given !== 'string') return null
  const relative = path.relative(root, path.resolve(root, given))
  if (relative.startsWith('..') || path.isAbsolute(relative)) {
    throw new UserError('usage', `${given} is not below ${path.relative(io.cwd, root) || '.'}`)
  }
  return relative.split(path.sep).join('/')
}
