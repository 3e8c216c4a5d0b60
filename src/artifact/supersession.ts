// Who is superseded, and whether its status says so. Pure.

import type { ArtifactNode, Diagnostic, Relation } from '../model/artifact-views.ts'
import { diagnostic } from './diagnostics.ts'

/** True where a status says that something else took the place: `superseded`, `Superseded by ADR-0010`. */
export function saysSuperseded(status: string | null): boolean {
  return /^superseded(?:$|[\s,;:(.])/.test(status?.trim().toLowerCase() ?? '')
}

export function saysDeprecated(status: string | null): boolean {
  return status?.trim().toLowerCase() === 'deprecated'
}

/**
 * One warning per supersession whose target has a status that does not say so: an ADR must be superseded or
 * deprecated, a spec deprecated. Tolerant of case, blanks and "superseded by …" (sheet artifact-graph §6). `isLenient`
 * tells of a node whether its convention is not the seed's: there a spec may be superseded as well.
 */
export function inconsistentStatuses(
  relations: readonly Relation[],
  nodes: ReadonlyMap<string, ArtifactNode>,
  isLenient: (node: ArtifactNode) => boolean,
): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const { source, type, target, file, line, note } of relations) {
    // A note limits what is superseded, so the rest may be in force.
    if (type !== 'supersedes' || note !== null) continue
    const node = nodes.get(target)
    if (node === undefined) continue
    const { status } = node
    if (saysDeprecated(status) || ((node.kind === 'adr' || isLenient(node)) && saysSuperseded(status))) continue
    const message = `${source} supersedes ${target} but its status is ${status ?? 'unset'}`
    found.push(diagnostic('warning', 'status-inconsistent', message, { source, field: type, target, file, line }))
  }
  return found
}
