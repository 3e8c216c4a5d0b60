// What is known of the artifact graph as a whole, kept as long as its facts are the same: an answer then loads no more of
// the graph than it shows. Nothing but a copy: it is made from a whole load, and a test holds part and whole equal. The
// surprise: only a plain graph, in which every reference is an exact id and every id is claimed once, may be loaded in part.

import type { Layout } from '../model/layout.ts'
import { factsName, getMeta, META, setMeta } from '../store/meta.ts'
import type { Store } from '../store/store.ts'
import type { ArtifactGraph, Verdict } from './graph.ts'
import { exampleOf } from './orphans.ts'
import { countsOf, newsOf } from './validate.ts'

/** More are not kept: reading them would cost what the verdict saves. */
const MOST_DIAGNOSTICS = 200

/**
 * Raise it with every change to what a verdict holds, or to what is found wrong with the same facts: one that another
 * build kept then begins with another subject, and counts as unknown. The first form had no number.
 */
const FORM = 2

/** What a verdict is about: the facts of both families, and where things lay. Ask where the graph is loaded. */
export function subject(store: Store, { modules, closed }: Layout): string {
  const facts = [getMeta(store, factsName('artifact')), getMeta(store, factsName('code'))]
  const places = modules.map(({ name, path, present, conventions }) => [
    name,
    path,
    present,
    conventions.map(({ name: by }) => by),
  ])
  return JSON.stringify([FORM, facts, places, closed ?? []])
}

/** What is known of the graph as it stands, which is plain then; else null. */
export function knownVerdict(store: Store, layout: Layout): Verdict | null {
  const kept = getMeta(store, META.verdict)
  const about = subject(store, layout)
  if (kept === null || !kept.startsWith(about)) return null
  return JSON.parse(kept.slice(about.length)) as Verdict
}

/** Keeps the verdict on a whole graph, where it can be kept and is worth it. Call outside store.read(). */
export function keepVerdict(store: Store, graph: ArtifactGraph, about: string): void {
  if (!graph.plain || graph.diagnostics.length > MOST_DIAGNOSTICS || !store.writable || store.inMemory) return
  const verdict = JSON.stringify(verdictOn(graph))
  store.keep(() => {
    // Another process may have moved the index on since: then this is a verdict on nothing.
    if (subject(store, graph.layout) === about) setMeta(store, META.verdict, about + verdict)
  })
}

/** What a whole graph is known by once only a part of it is loaded. */
export function verdictOn(graph: ArtifactGraph): Verdict {
  const { diagnostics, unrecognized } = graph
  const news = newsOf(graph)
  return {
    diagnostics,
    news: news.length > MOST_DIAGNOSTICS ? null : news,
    counts: countsOf(graph),
    unrecognized,
    example: exampleOf(graph),
  }
}
