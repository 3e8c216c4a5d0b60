// From the artifact graph to what backfill asks of it, and from its answers to how they look inside one module. Pure.
// Surprise: which artifacts take edge fields is asked per file, because a strict folder of ADRs may stand beside specs
// of a lenient convention in one module.

import { claims } from '../extract/conventions/claims.ts'
import type { ArtifactNode, Relation } from '../model/artifact-views.ts'
import type { BackfillEdge, BackfillOutcome, BackfillView } from '../model/backfill-view.ts'
import { type Layout, moduleOf, withinModule } from '../model/layout.ts'
import type { BackfillArtifact, BackfillGraph } from './backfill.ts'
import type { ModuleCut } from './modules.ts'

/** The ADRs and specs of a graph, and its relations. */
export function backfillGraph(
  nodes: Iterable<ArtifactNode>,
  relations: readonly Relation[],
  layout: Layout,
): BackfillGraph {
  const artifacts: BackfillArtifact[] = []
  for (const { id, kind, module, file } of nodes) {
    if (kind !== 'adr' && kind !== 'spec') continue
    artifacts.push({ id, kind, module, file, writable: takesFields(layout, file) })
  }
  return { artifacts, relations }
}

function takesFields(layout: Layout, file: string): boolean {
  const module = moduleOf(layout, file)
  if (module === null) return false
  return module.conventions.find((use) => claims(use, withinModule(module, file)))?.name === 'sdd'
}

function cutEdges(cut: ModuleCut, edges: readonly BackfillEdge[]): BackfillEdge[] {
  return edges.map((edge) => ({ ...edge, target: cut.id(edge.target) }))
}

/** A view as `--module` shows it: ids of the module without their prefix (seed 001 "Workspace Mode Aggregation"). */
export function cutBackfill(cut: ModuleCut, view: BackfillView): BackfillView {
  return {
    proposals: view.proposals.map((each) => ({ ...each, id: cut.id(each.id), edges: cutEdges(cut, each.edges) })),
    refused: view.refused.map((each) => ({ ...each, id: cut.id(each.id) })),
    cyclic: view.cyclic.map(({ source, field, target }) => ({ source: cut.id(source), field, target: cut.id(target) })),
    notes: view.notes,
  }
}

/** The same for what was done. */
export function cutOutcome(cut: ModuleCut, outcome: BackfillOutcome): BackfillOutcome {
  const reason = outcome.reason === null ? null : cut.text(outcome.reason)
  return { ...outcome, id: cut.id(outcome.id), edges: cutEdges(cut, outcome.edges), reason }
}
