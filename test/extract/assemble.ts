// A second, plain way from the facts of many files to the nodes and edges of the spec graph document: no database,
// no use case. The tests of the extractor compare it with handed documents, so it follows the contract step by step
// (sheet spec-graph §1, §2, §4, §5) and shares nothing with the product but the extractor and the type numbers.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { specExtractor } from '../../src/extract/command-spec.ts'
import type { SourceText } from '../../src/extract/extractor.ts'
import type { EdgeFact, Facts } from '../../src/model/facts.ts'
import { compareUtf16 } from '../../src/model/order.ts'
import { specNodeName } from '../../src/model/spec-names.ts'
import { EDGE, EDGE_TYPES, KINDS, type KindName, type SpecMode } from '../../src/model/vocabulary.ts'

export interface Sheet {
  readonly path: string
  readonly text: string
}

export interface DocumentNode {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly path?: string
}

export interface DocumentEdge {
  readonly from: string
  readonly type: string
  readonly to: string
  readonly evidence: Readonly<Record<string, string | number>>
}

/** A source as the extractor gets it: whole text, or lines alone. */
export function source(file: string, text: string, asLines = false): SourceText {
  return { path: file, text: asLines ? null : text, lines: () => text.split('\n') }
}

export function specFacts(file: string, text: string): Facts {
  return specExtractor.extract(source(file, text))
}

/** All files of the three corpora below a folder, as the contract lists and reads them. */
export function readCorpus(root: string): Sheet[] {
  const list = (folder: string, ending: string): string[] => {
    const entries = (() => {
      try {
        return readdirSync(path.join(root, folder), { withFileTypes: true })
      } catch {
        return []
      }
    })()
    return entries.flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      if (entry.isFile()) return file.endsWith(ending) ? [file] : []
      return entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules'
        ? list(file, ending)
        : []
    })
  }
  const read = (file: string): string => {
    try {
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(path.join(root, file)))
    } catch {
      return ''
    }
  }
  const corpora: readonly (readonly [string, string])[] = [
    ['commands', '.md'],
    ['scripts', '.sh'],
    ['devdocs', '.md'],
  ]
  return corpora.flatMap(([folder, ending]) =>
    list(folder, ending)
      .sort(compareUtf16)
      .map((file) => ({ path: file, text: read(file) })),
  )
}

const FIRST: Readonly<Record<SpecMode, number>> = { default: EDGE.writes, 'forgedock-1.7': EDGE.readsVerbatim }
const LAST: Readonly<Record<SpecMode, number>> = { default: EDGE.readsPlain, 'forgedock-1.7': EDGE.requires }

function evidenceOf(file: string, fact: EdgeFact): Readonly<Record<string, string | number>> {
  if (fact.type === EDGE.containsDirectory) return { via: 'directory' }
  const place = { file, line: fact.line ?? Number.NaN }
  if (fact.type === EDGE.containsCall) return { ...place, via: 'skill' }
  return fact.type === EDGE.requires ? { authority: 'required', ...place } : place
}

function kindName(kind: number): KindName {
  const found = KINDS.find(({ id }) => id === kind)
  if (found === undefined) throw new Error(`no such kind: ${kind}`)
  return found.name
}

/** Nodes and edges of the document, sorted. Files are given in the contract's order. */
export function assemble(files: readonly Sheet[], mode: SpecMode): { nodes: DocumentNode[]; edges: DocumentEdge[] } {
  const facts = files.map((file) => ({ path: file.path, ...specFacts(file.path, file.text) }))
  const nodes = new Map<string, DocumentNode>()
  for (const own of [true, false]) {
    for (const file of facts) {
      for (const node of file.nodes.filter((candidate) => candidate.own === own)) {
        if (nodes.has(node.id)) continue
        const type = kindName(node.kind)
        const shown = { id: node.id, type, name: specNodeName(type, node.id) }
        nodes.set(node.id, own ? { ...shown, path: file.path } : shown)
      }
    }
  }
  const edges = new Map<string, DocumentEdge>()
  for (const directory of [false, true]) {
    for (const file of facts) {
      for (const fact of file.edges) {
        const type = EDGE_TYPES.find(({ id }) => id === fact.type)
        if (type === undefined) throw new Error(`no such edge type: ${fact.type}`)
        if ((fact.type === EDGE.containsDirectory) !== directory) continue
        if (fact.type < FIRST[mode] || fact.type > LAST[mode]) continue
        if (type.needsTarget && !nodes.has(directory ? fact.down : fact.up)) continue
        const key = JSON.stringify([fact.down, type.name, fact.up])
        if (edges.has(key)) continue
        edges.set(key, { from: fact.down, type: type.name, to: fact.up, evidence: evidenceOf(file.path, fact) })
      }
    }
  }
  return {
    nodes: [...nodes.values()].sort((a, b) => compareUtf16(a.id, b.id)),
    edges: [...edges.values()].sort(
      (a, b) => compareUtf16(a.from, b.from) || compareUtf16(a.type, b.type) || compareUtf16(a.to, b.to),
    ),
  }
}
