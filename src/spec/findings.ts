// The validator's judgement: graph facts in, findings out (seed 000 "Validating the graph", sheet spec-graph §9.1–9.3).
// Pure. The surprise: dangling calls and removed labels come from the prose and not from edges, because the exporter
// drops what does not resolve.

import { compareCodePoints, compareUtf16 } from '../model/order.ts'
import { FINDING_SEVERITIES, type SpecFinding } from '../model/spec-views.ts'

/** What validation needs to know of a graph; names are node names (`FORGE:X`, `workflow:x`, `work-on:build`). */
export interface JudgedGraph {
  readonly annotations: Iterable<{ readonly id: string; readonly name: string }>
  readonly labels: Iterable<{ readonly id: string; readonly name: string }>
  /** Names of commands and sub-phases. */
  readonly commands: ReadonlySet<string>
  /** Ids that some edge of the type points at. */
  readonly written: ReadonlySet<string>
  readonly read: ReadonlySet<string>
  readonly added: ReadonlySet<string>
}

/** One `Skill(…)` call in the prose; `target` already with `:` for `/`. */
export interface ProseCall {
  readonly path: string
  readonly target: string
}

/** What the command texts say beside the graph. */
export interface Prose {
  /** One entry per occurrence. */
  readonly calls: Iterable<ProseCall>
  /** Labels (`workflow:x`) behind a `--remove-label`. */
  readonly removed: Iterable<string>
}

/** Markers that annotate the prose itself and are neither posted nor read (sheet spec-graph §9.1). */
export const SCAFFOLD_MARKERS: readonly string[] = [
  'FORGE:ANCESTRY_FAILED',
  'FORGE:DISPATCHER',
  'FORGE:GATE_FAILED',
  'FORGE:JSONL_PARSER_UTIL',
  'FORGE:MILESTONE_INDEX',
  'FORGE:PHASE',
  'FORGE:PHASE_COMPLETE',
  'FORGE:PRIOR_GIST',
  'FORGE:PUSH_BLOCKED',
  'FORGE:PUSH_FAILED',
  'FORGE:REVIEW_STARTED',
  'FORGE:TYPE',
]

/** Targets that stand for "some spec" in the documentation of the call form. */
const STAND_INS: ReadonlySet<string> = new Set(['X', 'subcommand'])

/** All findings, sorted: HARD, SOFT, INFO; then class; then message in byte order (sheet spec-graph §9.4). */
export function findings(graph: JudgedGraph, prose: Prose, scaffolds: ReadonlySet<string>): SpecFinding[] {
  const found = [
    ...orphans(graph, scaffolds),
    ...danglingCalls(graph, prose.calls),
    ...brokenTransitions(graph),
    ...asymmetries(graph, prose.removed),
  ]
  return found.sort(
    (a, b) =>
      FINDING_SEVERITIES.indexOf(a.severity) - FINDING_SEVERITIES.indexOf(b.severity) ||
      compareUtf16(a.class, b.class) ||
      compareCodePoints(a.message, b.message),
  )
}

function orphans(graph: JudgedGraph, scaffolds: ReadonlySet<string>): SpecFinding[] {
  const found: SpecFinding[] = []
  for (const { id, name } of graph.annotations) {
    const written = graph.written.has(id)
    const read = graph.read.has(id)
    if (written && read) continue
    const soft = (message: string): SpecFinding => ({ severity: 'SOFT', class: 'orphan-annotation', message })
    if (written) found.push(soft(`${name} is WRITTEN but never READ by any spec.`))
    else if (read) found.push(soft(`${name} is READ but never WRITTEN by any spec.`))
    else if (scaffolds.has(name)) {
      const message = `${name} is an inline doc-scaffolding marker (no WRITES/READS edge — expected).`
      found.push({ severity: 'INFO', class: 'scaffold-annotation', message })
    } else {
      const advice = 'triage or add to the allowlist.'
      found.push(
        soft(`${name} has neither a WRITES nor a READS edge and is not an allowlisted scaffolding marker — ${advice}`),
      )
    }
  }
  return found
}

function danglingCalls(graph: JudgedGraph, calls: Iterable<ProseCall>): SpecFinding[] {
  const found: SpecFinding[] = []
  for (const { path, target } of calls) {
    if (STAND_INS.has(target) || graph.commands.has(target)) continue
    const message = `${path} references Skill("${target}") but no command/sub-phase node "${target}" exists in the graph.`
    found.push({ severity: 'HARD', class: 'dangling-ref', message })
  }
  return found
}

function brokenTransitions(graph: JudgedGraph): SpecFinding[] {
  const found: SpecFinding[] = []
  for (const { id, name } of graph.labels) {
    if (graph.added.has(id)) continue
    const gap = 'set by NO command (no --add-label transition) — state-machine gap.'
    found.push({
      severity: 'HARD',
      class: 'broken-transition',
      message: `Label ${name} is defined/referenced but ${gap}`,
    })
  }
  return found
}

function asymmetries(graph: JudgedGraph, removed: Iterable<string>): SpecFinding[] {
  const found: SpecFinding[] = []
  for (const label of new Set(removed)) {
    if (graph.added.has(`label:${label}`)) continue
    const message = `Label ${label} is removed (--remove-label) but never added (--add-label) by any command.`
    found.push({ severity: 'INFO', class: 'transition-asymmetry', message })
  }
  return found
}
