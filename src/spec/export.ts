// The exporter: the index as the contract's document, with its statistics and self-check (seed 000 "Output document",
// "Self-check"). Reads the store; writes nothing.

import type { SpecMode } from '../model/vocabulary.ts'
import { keyTexts, type Sighting, specSightings } from '../store/queries/spec-edges.ts'
import { type SpecNodeRow, specNodes } from '../store/queries/spec-nodes.ts'
import type { Store } from '../store/store.ts'
import { type DocumentStats, documentGraph, documentText, type Sightings } from './document.ts'
import { indexGraph, winningNodes } from './graph.ts'
import { type SelfCheck, selfChecks } from './self-check.ts'

export interface Export {
  /** The document's bytes. */
  readonly text: string
  readonly stats: DocumentStats
  readonly checks: readonly SelfCheck[]
}

/** Exports one mode of an index that has been proved fresh; `builtFromHash` is the fingerprint of what it was built from. */
export function exportSpecGraph(store: Store, mode: SpecMode, builtFromHash: string): Export {
  const graph = indexGraph(store, mode)
  const { nodes, sightings } = store.read(() => {
    const nodeRows = specNodes(store, graph.kinds)
    const rows = specSightings(store, graph.types.lo, graph.types.hi)
    return { nodes: winningNodes(graph, nodeRows), sightings: withTexts(store, rows, nodeRows) }
  })
  const document = documentGraph(nodes, sightings, graph.types, builtFromHash)
  const edges = new Set(document.edges.map(({ from, type, to }) => `${from}\0${type}\0${to}`))
  const checks = selfChecks(
    {
      hasNode: (id) => nodes.has(id),
      hasEdge: (from, type, to) => edges.has(`${from}\0${type}\0${to}`),
      builtFromHash,
    },
    mode,
  )
  return { text: documentText(document), stats: document.stats, checks }
}

/** Most texts came with the nodes already; what is left are references to ids that nothing declares. */
function withTexts(store: Store, rows: readonly Sighting[], nodeRows: readonly SpecNodeRow[]): Sightings {
  const texts = new Map<number, string>()
  const declared = new Set<number>()
  for (const { key, id, file, fileKey } of nodeRows) {
    declared.add(key)
    texts.set(key, id)
    if (file !== null && fileKey !== null) texts.set(fileKey, file)
  }
  const unknown = new Set<number>()
  for (const { file, up, down } of rows) {
    if (!texts.has(file)) unknown.add(file)
    if (!texts.has(up)) unknown.add(up)
    if (!texts.has(down)) unknown.add(down)
  }
  for (const { key, text } of keyTexts(store, [...unknown])) texts.set(key, text)
  return { rows, texts, declared }
}
