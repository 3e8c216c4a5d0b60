// What backfill works on: the artifact graph of a place, loaded as for every verb. The index is closed again before
// anybody is asked anything, so that no prompt holds it. Surprise: hard errors of the graph do not stop backfill, since
// it is one of the ways out of them (issue 3 §6).

import type { BackfillGraph } from '../artifact/backfill.ts'
import { backfillGraph } from '../artifact/backfill-graph.ts'
import { lookUp } from '../artifact/lookup.ts'
import { ModuleCut } from '../artifact/modules.ts'
import type { GraphErrorView } from '../model/artifact-views.ts'
import { UserError } from '../model/errors.ts'
import type { BackfillWords } from './graph-backfill-args.ts'
import { withGraph } from './graph-source.ts'
import type { Io } from './io.ts'

export interface BackfillSource {
  /** Absolute. */
  readonly root: string
  readonly graph: BackfillGraph
  readonly cut: ModuleCut
  /** Canonical ids by what was typed. */
  readonly ids: ReadonlyMap<string, string>
  /** Of the first typed id that is none; then nothing is done. */
  readonly error: GraphErrorView | null
}

/** Throws UserError usage, config, not-found and what opening the index throws. */
export function openBackfillSource(words: BackfillWords, io: Io): Promise<BackfillSource> {
  const { values, switches, only, accept, reject, acceptEdges } = words
  const options = {
    root: values.get('--root'),
    db: values.get('--db'),
    module: values.get('--module'),
    adrDir: values.get('--adr-dir'),
    specDir: values.get('--spec-dir'),
    cache: !switches.has('--no-cache'),
  }
  return withGraph(options, io, null, ({ place, graph, module }) => {
    const ids = new Map<string, string>()
    let failed: GraphErrorView | null = null
    for (const typed of [...only, ...accept, ...acceptEdges.keys(), ...reject]) {
      const { node, error } = lookUp(graph, 'backfill', typed, module)
      if (node === null) {
        failed ??= error
        continue
      }
      if (node.kind !== 'adr' && node.kind !== 'spec') {
        throw new UserError('usage', `${typed} is neither an ADR nor a spec`)
      }
      ids.set(typed, node.id)
    }
    const known = backfillGraph(graph.nodes.values(), graph.relations, graph.layout)
    return { root: place.root, graph: known, cut: new ModuleCut(module), ids, error: failed }
  })
}
