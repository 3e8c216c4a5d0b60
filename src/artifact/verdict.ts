// What is wrong with the artifact graph as a whole, kept as long as its facts are the same: a traversal then loads no more of the graph
// than it shows. Nothing but a copy: it is made from a whole load, and a test holds part and whole equal. The surprise:
// only a plain graph, in which every reference is an exact id and every id is claimed once, may be loaded in part.

import type { Diagnostic } from '../model/artifact-views.ts'
import { UserError } from '../model/errors.ts'
import type { Layout } from '../model/layout.ts'
import { factsName, getMeta, META, setMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import type { ArtifactGraph } from './graph.ts'

/** More are not kept: reading them would cost what the verdict saves. */
const MOST_DIAGNOSTICS = 200

/** What a verdict is about: the facts of both families, and where things lay. Ask where the graph is loaded. */
export function subject(store: Store, { modules, closed }: Layout): string {
  const facts = [getMeta(store, factsName('artifact')), getMeta(store, factsName('code'))]
  const places = modules.map(({ name, path, present, conventions }) => [
    name,
    path,
    present,
    conventions.map(({ name: by }) => by),
  ])
  return JSON.stringify([facts, places, closed ?? []])
}

/** The diagnostics of the graph as it stands, where they are known and the graph is plain; else null. */
export function knownVerdict(store: Store, layout: Layout): readonly Diagnostic[] | null {
  const kept = getMeta(store, META.verdict)
  const about = subject(store, layout)
  if (kept === null || !kept.startsWith(about)) return null
  return JSON.parse(kept.slice(about.length)) as Diagnostic[]
}

/** Keeps the verdict on a whole graph, where it can be kept and is worth it. Call outside store.read(). */
export function keepVerdict(store: Store, graph: ArtifactGraph, about: string): void {
  const { correction, cycles, diagnostics, layout } = graph
  const plain = correction.without.length === 0 && correction.also.length === 0 && cycles.length === 0
  const claimedOnce = diagnostics.every(({ code }) => code !== 'duplicate-id')
  if (!plain || !claimedOnce || diagnostics.length > MOST_DIAGNOSTICS || !store.writable || store.inMemory) return
  try {
    store.write(() => {
      // Another process may have moved the index on since: then this is a verdict on nothing.
      if (subject(store, layout) === about) setMeta(store, META.verdict, about + JSON.stringify(diagnostics))
    })
  } catch (error) {
    // The answer is known; that this could not be kept for the next time is no reason to fail.
    if (!(error instanceof UserError) || !['busy', 'disk-full', 'read-only'].includes(error.code)) throw error
  }
}
