// The spec family: facts of agent command specs (`commands/**/*.md`); scripts and devdocs are only their own node.
// Works on a stream of lines with one line of look-ahead, because a very large file comes as lines only; where the
// whole text is there, only the lines that can hold a token are looked at, with the same result.
// Surprise: nothing is resolved here, so a Skill call to a ghost and a script token that is no script are facts too.

import type { EdgeFact, Facts, NodeFact } from '../model/facts.ts'
import { NO_FACTS } from '../model/facts.ts'
import { commandId, commandKind, nodeIdOfDevdoc, nodeIdOfScript } from '../model/spec-names.ts'
import { EDGE, KIND } from '../model/vocabulary.ts'
import { detached, forward } from './characters.ts'
import type { Extractor, SourceText } from './extractor.ts'
import { EXTRACTOR_VERSION } from './fingerprint.ts'
import { calledMarkers, markerTokens, postedMarkers, readMarkers, rereadMarkers } from './spec-markers.ts'
import { addedLabels, labelTokens, removedLabels, requiredDevdocs, scriptTokens, skillTargets } from './spec-tokens.ts'

export { commandId, nodeIdOfDevdoc, nodeIdOfScript } from '../model/spec-names.ts'

function ownNode(id: string, kind: number): NodeFact {
  return { id, kind, own: true, title: null, status: null, line: null }
}

/** Collects the facts of one command file line by line. */
function commandCollector(path: string): {
  line: (line: string, next: string | null, number: number) => void
  end: () => Facts
} {
  const id = commandId(path)
  const kind = commandKind(path)
  const nodes: NodeFact[] = [ownNode(id, KIND[kind])]
  const edges: EdgeFact[] = []
  const named = new Set<string>()
  const seen = new Set<string>()

  const name = (nodeId: string, nodeKind: number, line: number): void => {
    if (named.has(nodeId)) return
    named.add(nodeId)
    nodes.push({ id: detached(nodeId), kind: nodeKind, own: false, title: null, status: null, line })
  }
  const sight = (type: number, up: string, line: number): void => {
    // The validator reports every single call to a ghost, so calls alone are kept as often as they occur.
    if (type !== EDGE.containsCall) {
      const sighting = `${type} ${up}`
      if (seen.has(sighting)) return
      seen.add(sighting)
    }
    edges.push({ up: detached(up), down: id, type, line, note: null })
  }

  return {
    line: (line, next, number) => {
      for (const token of markerTokens(line)) name(`ann:${token}`, KIND.annotation, number)
      for (const token of labelTokens(line)) name(`label:${token}`, KIND.label, number)

      for (const token of postedMarkers(line, next)) sight(EDGE.writes, `ann:${token}`, number)
      for (const token of calledMarkers(line)) sight(EDGE.reads, `ann:${token}`, number)
      for (const token of rereadMarkers(line)) {
        // The token is ASCII, so upper-casing it depends on no locale.
        const upper = token.toUpperCase()
        if (token === upper) sight(EDGE.reads, `ann:${token}`, number)
        else {
          sight(EDGE.readsVerbatim, `ann:${token}`, number)
          sight(EDGE.readsPlain, `ann:${upper}`, number)
        }
      }
      for (const token of readMarkers(line)) sight(EDGE.readsPlain, `ann:${token}`, number)
      for (const token of addedLabels(line)) sight(EDGE.transitions, `label:${token}`, number)
      for (const target of skillTargets(line)) sight(EDGE.containsCall, `cmd:${target}`, number)
      for (const token of scriptTokens(line)) sight(EDGE.invokes, `script:${token}`, number)
      for (const token of requiredDevdocs(line)) sight(EDGE.requires, `devdoc:${token}`, number)
      for (const token of removedLabels(line)) sight(EDGE.removes, `label:${token}`, number)
    },
    end: () => {
      if (kind === 'sub-phase') {
        const parent = id.slice(0, id.lastIndexOf(':'))
        edges.push({ up: id, down: parent, type: EDGE.containsDirectory, line: null, note: null })
      }
      return { nodes, edges, problems: [] }
    },
  }
}

// A line without any of these gives no fact. `forge:` is looked for in any case because the prose form is.
const NEEDLES = ['workflow:', 'Skill(', '.sh', 'devdocs/', '--body']
const FORGE_NEEDLE = /forge:/gi

function firstForge(text: string, from: number): number {
  FORGE_NEEDLE.lastIndex = from
  return FORGE_NEEDLE.exec(text)?.index ?? -1
}

function isPromising(line: string): boolean {
  return NEEDLES.some((needle) => line.includes(needle)) || firstForge(line, 0) !== -1
}

type LineSink = (line: string, next: string | null, number: number) => void

/** Hands on the promising lines of a whole text; jumps over everything between two of them. */
function promisingLinesOfText(text: string, sink: LineSink): void {
  const searches = [
    ...NEEDLES.map((needle) => (from: number) => text.indexOf(needle, from)),
    (from: number) => firstForge(text, from),
  ].map((search) => forward(search))
  let start = 0
  let number = 1
  for (;;) {
    let hit = Number.POSITIVE_INFINITY
    for (const search of searches) hit = Math.min(hit, search(start))
    if (hit === Number.POSITIVE_INFINITY) return
    let end = text.indexOf('\n', start)
    while (end !== -1 && end < hit) {
      start = end + 1
      number++
      end = text.indexOf('\n', start)
    }
    if (end === -1) {
      sink(text.slice(start), null, number)
      return
    }
    const nextEnd = text.indexOf('\n', end + 1)
    sink(text.slice(start, end), text.slice(end + 1, nextEnd === -1 ? text.length : nextEnd), number)
    start = end + 1
    number++
  }
}

/** The same for a stream of lines. */
function promisingLines(lines: Iterable<string>, sink: LineSink): void {
  let previous: string | null = null
  let number = 0
  for (const line of lines) {
    if (previous !== null && isPromising(previous)) sink(previous, line, number)
    previous = line
    number++
  }
  if (previous !== null && isPromising(previous)) sink(previous, null, number)
}

function commandFacts(source: SourceText): Facts {
  const collector = commandCollector(source.path)
  if (source.text === null) promisingLines(source.lines(), collector.line)
  else promisingLinesOfText(source.text, collector.line)
  return collector.end()
}

/**
 * Facts of one file of the three spec corpora, by the folder it lies in; anything else gives none.
 * Seed 000 "Node types", "Edge types", "Extraction heuristics"; sheet spec-graph §0, §4, §5.
 */
export const specExtractor = {
  family: 'spec',
  version: EXTRACTOR_VERSION.spec,
  extract: (source) => {
    const { path } = source
    if (path.startsWith('commands/')) return commandFacts(source)
    if (path.startsWith('scripts/')) return { ...NO_FACTS, nodes: [ownNode(nodeIdOfScript(path), KIND.script)] }
    if (path.startsWith('devdocs/')) return { ...NO_FACTS, nodes: [ownNode(nodeIdOfDevdoc(path), KIND.devdoc)] }
    return NO_FACTS
  },
} as const satisfies Extractor
