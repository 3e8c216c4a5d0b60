// Findings: what is lawful and yet asks for a look. Warnings all, of every convention, beside the diagnostics: they
// neither block nor count as errors. Pure. The surprise: `related` does not cite; it makes no claim (seed "Frontmatter
// Edge Schema"), and histories are full of links to what came before.

import type { ArtifactNode, Diagnostic, Relation } from '../model/artifact-views.ts'
import { groupBy } from '../model/group.ts'
import { compareUtf16 } from '../model/order.ts'
import { compareDiagnostics, diagnostic } from './diagnostics.ts'
import type { ArtifactGraph } from './graph.ts'
import { numberOf } from './numbers.ts'
import { saysDeprecated, saysSuperseded } from './supersession.ts'

/**
 * Sorted: `cites-superseded` (code or documents that rely on a superseded artifact), `dangling-supersession` (superseded
 * by nothing, or by something that is not there), `duplicate-number` (both paths named), `heading-mismatch`. Source: issue "The artifact
 * graph" §5, "Findings for every convention".
 */
export function findings(graph: ArtifactGraph): Diagnostic[] {
  const supersessions = groupBy(
    graph.relations.filter(({ type }) => type === 'supersedes'),
    ({ target }) => target,
  )
  return [
    ...citations(graph, supersessions),
    ...loose(graph, supersessions),
    ...sharedNumbers(graph),
    ...graph.headings,
  ].sort(compareDiagnostics)
}

function citations(graph: ArtifactGraph, supersessions: ReadonlyMap<string, readonly Relation[]>): Diagnostic[] {
  // "Weekend clause only" leaves the rest in force, unless the status says otherwise.
  const successors = (id: string): string[] =>
    (supersessions.get(id) ?? []).filter(({ note }) => note === null).map(({ source }) => source)
  const isPast = ({ id, status }: ArtifactNode): boolean =>
    saysSuperseded(status) || saysDeprecated(status) || successors(id).length > 0
  const found: Diagnostic[] = []
  for (const relation of graph.relations) {
    const { source, type, target, inverse, walked, file, line } = relation
    if (!walked || type === 'supersedes') continue
    const [from, to] = [graph.nodes.get(source), graph.nodes.get(target)]
    if (from === undefined || to === undefined) continue
    // Who cites is who wrote it, which with a reverse field is the other end.
    const reverse = to.file === file && from.file !== file
    const [citing, cited, field] = reverse ? [to, from, inverse] : [from, to, type]
    const by = successors(cited.id)
    if (isPast(citing) || (by.length === 0 && !saysSuperseded(cited.status))) continue
    const instead = by.length === 0 ? 'is superseded' : `was superseded by ${by.sort().join(', ')}`
    const message = `${citing.id} ${field} ${cited.id}, which ${instead}`
    found.push(
      diagnostic('warning', 'cites-superseded', message, { source: citing.id, field, target: cited.id, file, line }),
    )
  }
  return found
}

function loose(graph: ArtifactGraph, supersessions: ReadonlyMap<string, readonly Relation[]>): Diagnostic[] {
  const found: Diagnostic[] = graph.danglingSupersessions.map((one) => ({
    ...one,
    severity: 'warning',
    code: 'dangling-supersession',
  }))
  const told = new Set(found.map(({ source_id }) => source_id))
  for (const { id, status, file } of graph.nodes.values()) {
    if (!saysSuperseded(status) || supersessions.has(id) || told.has(id)) continue
    const message = `${id} is superseded, but nothing says that it supersedes it`
    found.push(diagnostic('warning', 'dangling-supersession', message, { source: id, file }))
  }
  return found
}

function sharedNumbers(graph: ArtifactGraph): Diagnostic[] {
  const numbered = [...graph.nodes.values(), ...graph.further].filter((node) => numberOf(node) !== null)
  const groups = groupBy(numbered, (node) => `${node.module ?? ''}\n${node.kind}\n${numberOf(node)}`)
  const found: Diagnostic[] = []
  for (const group of groups.values()) {
    const [first, second] = group.sort((a, b) => compareUtf16(a.file, b.file))
    if (first === undefined || second === undefined) continue
    const files = group.map(({ file }) => file).join(', ')
    const message = `${group.length} artifacts have number ${numberOf(first)}: ${files}`
    found.push(diagnostic('warning', 'duplicate-number', message, { source: second.id, file: second.file }))
  }
  return found
}
