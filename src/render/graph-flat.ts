// The flat answers of the artifact graph, orphans and cycles, as groups of entries with their titles: what the table,
// the diagram and Mermaid have in common. Sentences for empty answers live here. Layout is the formats' own.

import type { ArtifactNode, OrphansView } from '../model/artifact-views.ts'
import { artifactTitle, type GraphTextOptions, nodeLabel, onOneLine } from './graph-text.ts'

export const NO_ORPHANS = 'No orphans detected.'
export const NO_CYCLES = 'No cycles detected.'
export const CYCLES_CAPPED = 'There are more cycles than are listed here.'

export interface OrphanGroup {
  readonly title: string
  /** Heads of the table's columns. */
  readonly columns: readonly string[]
  /** In place of entries: the one honest sentence of a repository without any governing comment. */
  readonly sentence: string | null
  readonly entries: readonly OrphanEntry[]
}

export interface OrphanEntry {
  /** On one line, for diagrams. */
  readonly label: string
  /** What the table shows, a file as such. */
  readonly cells: readonly { readonly text: string; readonly isFile: boolean }[]
}

/** The categories of orphans that have any, in the order of the seed. */
export function orphanGroups(view: OrphansView, options: GraphTextOptions): OrphanGroup[] {
  const one = (text: string): string => onOneLine(text, options.terminal)
  const file = (path: string): OrphanEntry => ({ label: one(path), cells: [{ text: one(path), isFile: true }] })
  const artifact = (node: ArtifactNode): OrphanEntry => ({
    label: nodeLabel(node, options),
    cells: [node.id, artifactTitle(node, options.titleMax)].map((text) => ({ text: one(text), isFile: false })),
  })
  const groups: OrphanGroup[] = [
    {
      title: 'Source files without governing artifacts',
      columns: ['File'],
      sentence: view.sentence,
      entries: view.sentence === null ? view.filesWithoutGoverning.map(file) : [],
    },
    {
      title: 'Source files with unrecognized governing comments',
      columns: ['File', 'Reason'],
      sentence: null,
      entries: view.filesUnrecognized.map(({ file: path, reason }) => ({
        label: `${one(path)} (${one(reason)})`,
        cells: [...file(path).cells, { text: one(reason), isFile: false }],
      })),
    },
    {
      title: 'Specs with no implementing code',
      columns: ['Spec', 'Title'],
      sentence: null,
      entries: view.specsWithoutCode.map(artifact),
    },
    {
      title: 'ADRs with no implementing spec',
      columns: ['ADR', 'Title'],
      sentence: null,
      entries: view.adrsWithoutSpec.map(artifact),
    },
  ]
  return groups.filter(({ sentence, entries }) => sentence !== null || entries.length > 0)
}
