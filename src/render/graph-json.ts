// The JSON answers of the artifact graph, `schema_version` "1" (sheet §8): keys sorted, indented by two, one final line
// feed. Lists keep the order of the views. The JSON Schemas stand in fixtures/schemas. The surprise: `requirements` is
// on edges with a source file at one end and on no others.

import type {
  CyclesView,
  Diagnostic,
  GraphErrorView,
  GraphValidationView,
  OrphansView,
  ShownEdge,
  TraversalView,
} from '../model/artifact-views.ts'
import { isStrict, type Layout } from '../model/layout.ts'
import { indentedJson } from './json.ts'

const SCHEMA_VERSION = '1'

/** `{query: {id, verb}, results: [{edges, id, module, title, type}], schema_version}`, by id, without the queried node. */
export function traversalJson(view: TraversalView): string {
  const nodes = [view.queried, ...view.results.map(({ node }) => node)]
  const files = new Set(nodes.filter(({ kind }) => kind === 'code').map(({ id }) => id))
  const shown = ({ source, type, target, derived, requirements }: ShownEdge): object => {
    const edge = { source, type, target, derived }
    return files.has(source) || files.has(target) ? { ...edge, requirements } : edge
  }
  const results = view.results.map(({ node: { id, kind, module, title }, edges }) => {
    return { id, type: kind, module, title, edges: edges.map(shown) }
  })
  return document({ verb: view.verb, id: view.queried.id }, { results })
}

/** The four lists of the seed, each complete; `query.scope` only where one was given. */
export function orphansJson(view: OrphansView): string {
  const results = {
    code_files_without_governing: view.filesWithoutGoverning,
    code_files_with_unrecognized_governing: view.filesUnrecognized.map(({ file, reason }) => ({ file, reason })),
    specs_without_implementing_code: view.specsWithoutCode.map(({ id }) => id),
    adrs_without_implementing_spec: view.adrsWithoutSpec.map(({ id }) => id),
  }
  return document(scoped('orphans', view.scope), { results })
}

/** `results: [{code: "cycle", edges, message, path, types}]`; `capped` is true where there are more than are listed. */
export function cyclesJson(view: CyclesView): string {
  const results = view.cycles.map(({ path, types, edges, message }) => {
    const plain = edges.map(({ source, type, target }) => ({ source, type, target }))
    return { code: 'cycle', message, path, types, edges: plain }
  })
  return document(scoped('cycles', view.scope), { results, capped: view.capped })
}

/** Counts and every diagnostic. */
export function validationJson(view: GraphValidationView): string {
  const { nodes, authoredEdges, derivedEdges } = view
  const diagnostics = view.diagnostics.map(plainDiagnostic)
  const results = { nodes, authored_edges: authoredEdges, derived_edges: derivedEdges, diagnostics }
  return document({ verb: 'validate' }, { results })
}

/** `results`: what is legal and still worth a look, in the shape of diagnostics. */
export function findingsJson(found: readonly Diagnostic[]): string {
  return document({ verb: 'findings' }, { results: found.map(plainDiagnostic) })
}

/** `results: {id}`; `query.kind` says of which kind. */
export function nextIdJson(kind: 'adr' | 'spec', id: string): string {
  return document({ verb: 'next-id', kind }, { results: { id } })
}

/** `results: [{name, path, present, strict, conventions}]`, the root first; `notes` are for people. */
export function layoutJson({ modules, notes }: Layout): string {
  const results = modules.map((module) => ({
    name: module.name,
    path: module.path,
    present: module.present,
    strict: isStrict(module),
    conventions: module.conventions.map(({ name, kind, folder, why }) => ({ name, kind, folder, why })),
  }))
  return document({ verb: 'conventions' }, { results, notes })
}

/**
 * The envelope of a refusal: `error: {code, message}` with `suggestions` where the id is the trouble and `diagnostics`
 * where the graph is (sheet §8).
 */
export function graphErrorJson(view: GraphErrorView): string {
  const { verb, id, code, message, suggestions } = view
  const diagnostics = view.diagnostics.map(plainDiagnostic)
  const more = code === 'graph-has-errors' ? { diagnostics } : { suggestions }
  return document(id === null ? { verb } : { verb, id }, { error: { code, message, ...more } })
}

function scoped(verb: string, scope: string | null): object {
  return scope === null ? { verb } : { verb, scope }
}

function plainDiagnostic(diagnostic: Diagnostic): object {
  const { severity, code, message, source_id, field, target_id, file, line } = diagnostic
  return { severity, code, message, source_id, field, target_id, file, line }
}

function document(query: object, rest: object): string {
  return `${indentedJson(sorted({ schema_version: SCHEMA_VERSION, query, ...rest }))}\n`
}

/** The same value with the keys of every object in order of code units. Keys are ours, none looks like a number. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]))
}
