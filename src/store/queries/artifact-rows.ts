// Everything that the artifact graph is assembled from, read whole, or as far as one answer needs. Numbers are keys,
// so that resolution compares numbers; texts come once per node. It resolves nothing, and promises no order: who needs
// one compares paths. The surprise: rows arrive as tuples, which is a third of the time that objects take.

import { FAMILY_BIT } from '../../model/families.ts'
import { ARTIFACT_RANGE, KIND } from '../../model/vocabulary.ts'
import type { Store } from '../store.ts'

const GRAPH_BITS = FAMILY_BIT.artifact | FAMILY_BIT.code

/** key, id, kind, file, path of the file, title, status */
export type ArtifactNodeRow = readonly [number, string, number, number, string, string | null, string | null]

const ARTIFACT_COLUMNS = 'SELECT n.key, k.text, n.kind, n.file, f.text, n.title, n.status'
const IS_ARTIFACT = `n.kind BETWEEN ${KIND.adr} AND ${KIND.change}`

const ARTIFACTS = `
  ${ARTIFACT_COLUMNS}
    FROM node n JOIN key k ON k.id = n.key JOIN key f ON f.id = n.file
   WHERE ${IS_ARTIFACT}`

const ARTIFACTS_AMONG = `
  ${ARTIFACT_COLUMNS}
    FROM json_each(@keys) j JOIN node n ON n.key = j.value JOIN key k ON k.id = n.key JOIN key f ON f.id = n.file
   WHERE ${IS_ARTIFACT}`

/** Artifacts, once per file that declares them: all, or those of some keys. */
export function artifactNodes(store: Store, keys: readonly number[] | null): ArtifactNodeRow[] {
  if (keys === null) return store.prepare<[], ArtifactNodeRow>(ARTIFACTS).raw().all()
  return store.prepare<[object], ArtifactNodeRow>(ARTIFACTS_AMONG).raw().all(listed(keys))
}

function listed(keys: readonly number[]): object {
  return { keys: JSON.stringify(keys) }
}

const KEYS = 'SELECT k.id FROM json_each(@texts) j JOIN key k ON k.text = j.value'

/** The keys of some ids, in no promised order. */
export function keysOf(store: Store, ids: readonly string[]): number[] {
  return store
    .prepare<[object], number>(KEYS)
    .pluck()
    .all({ texts: JSON.stringify(ids) })
}

/** key, id, file, path of the file; null where it is the id, as it is outside modules */
export type CodeNodeRow = readonly [number, string, number, string | null]

const CODE_COLUMNS = `
  SELECT n.key, k.text, n.file,
         CASE n.file WHEN n.key THEN NULL ELSE (SELECT f.text FROM key f WHERE f.id = n.file) END`

const CODE = `
  ${CODE_COLUMNS}
    FROM node n JOIN key k ON k.id = n.key
   WHERE n.kind = ${KIND.code}`

const CODE_AMONG = `
  ${CODE_COLUMNS}
    FROM json_each(@keys) j JOIN node n ON n.key = j.value JOIN key k ON k.id = n.key
   WHERE n.kind = ${KIND.code}`

/** Governed source files: all, or those of some keys. */
export function codeNodes(store: Store, keys: readonly number[] | null): CodeNodeRow[] {
  if (keys === null) return store.prepare<[], CodeNodeRow>(CODE).raw().all()
  return store.prepare<[object], CodeNodeRow>(CODE_AMONG).raw().all(listed(keys))
}

/** file, place in it, up, down, type, line, note */
export type ArtifactEdgeRow = readonly [number, number, number, number, number, number | null, string | null]

const EDGE_COLUMNS = 'SELECT e.file, e.ord, e.up, e.down, e.type, e.line, e.note'
const IS_OF_GRAPH = `e.type BETWEEN ${ARTIFACT_RANGE.lo} AND ${ARTIFACT_RANGE.hi}`

const EDGES = `${EDGE_COLUMNS} FROM edge e WHERE ${IS_OF_GRAPH}`

const EDGES_AMONG = `
  WITH among(id) AS MATERIALIZED (SELECT value FROM json_each(@keys))
  ${EDGE_COLUMNS}
    FROM among a JOIN edge e ON e.up = a.id AND ${IS_OF_GRAPH}
   WHERE e.down IN (SELECT id FROM among)`

/** Sightings of edges of the artifact graph, resolved or not: all, or those between some keys. */
export function artifactEdges(store: Store, keys: readonly number[] | null): ArtifactEdgeRow[] {
  if (keys === null) return store.prepare<[], ArtifactEdgeRow>(EDGES).raw().all()
  return store.prepare<[object], ArtifactEdgeRow>(EDGES_AMONG).raw().all(listed(keys))
}

export interface AliasRow {
  /** Key of the file that says so; the alias is a name of that file's node. */
  readonly file: number
  /** Key of the other name, and its text. */
  readonly ref: number
  readonly text: string
}

const ALIAS_COLUMNS = 'SELECT a.file, a.ref, k.text'

const ALIASES_OF = `
  ${ALIAS_COLUMNS}
    FROM json_each(@files) j JOIN alias a ON a.file = j.value JOIN key k ON k.id = a.ref
   ORDER BY a.file, a.ord`

/** The other names that these files give their nodes, in their order. */
export function aliasesOfFiles(store: Store, files: readonly number[]): AliasRow[] {
  return store.prepare<[object], AliasRow>(ALIASES_OF).all({ files: JSON.stringify(files) })
}

const ALIASED = `
  ${ALIAS_COLUMNS}
    FROM json_each(@refs) j JOIN alias a ON a.ref = j.value JOIN key k ON k.id = a.ref
   ORDER BY a.ref, a.file`

/** Which files' nodes go by these names, given as keys. There are many more names than anybody refers to. */
export function aliasesByRef(store: Store, refs: readonly number[]): AliasRow[] {
  return store.prepare<[object], AliasRow>(ALIASED).all({ refs: JSON.stringify(refs) })
}

const NAMED = `
  ${ALIAS_COLUMNS}
    FROM key k JOIN alias a ON a.ref = k.id
   WHERE k.text = ?
   ORDER BY a.file`

/** The same for one name as it was typed. */
export function aliasesByName(store: Store, name: string): AliasRow[] {
  return store.prepare<[string], AliasRow>(NAMED).all(name)
}

export interface GraphProblemRow {
  /** Key of the file, and its path. */
  readonly file: number
  readonly path: string
  readonly family: number
  readonly code: string
  readonly severity: number
  readonly line: number | null
  readonly detail: string | null
  readonly field: string | null
  readonly target: string | null
}

const PROBLEMS = `
  SELECT p.file, k.text AS path, f.family, p.code, p.severity, p.line, p.detail, p.field, p.target
    FROM problem p CROSS JOIN file f ON f.id = p.file JOIN key k ON k.id = p.file
   WHERE f.family & ${GRAPH_BITS}
   ORDER BY k.text, p.ord`

/** Problems of artifacts and source files, those of other families' readers among them. */
export function graphProblems(store: Store): GraphProblemRow[] {
  return store.prepare<[], GraphProblemRow>(PROBLEMS).all()
}
