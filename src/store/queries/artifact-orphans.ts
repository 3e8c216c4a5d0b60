// What nothing ties together, as far as rows can tell: of a plain graph (artifact/verdict.ts) the artifacts, of every
// graph the source files. Each is a search in an index per artifact or file, and no edge is read.

import { FAMILY_BIT } from '../../model/families.ts'
import { EDGE, FILE_STATE, KIND } from '../../model/vocabulary.ts'
import type { Store } from '../store.ts'

/** Whether something of a kind depends on the artifact by an edge of one of two types. */
function met(kind: number, one: number, other: number): string {
  return `EXISTS (SELECT 1 FROM edge e JOIN node d ON d.key = e.down AND d.kind = ${kind}
                    WHERE e.up = n.key AND e.type IN (${one}, ${other}))`
}

/** Keys alone, because most artifacts are met and an index tells that without their rows. */
export const UNMET_SQL = `
  SELECT n.key
    FROM node n
   WHERE (n.kind = ${KIND.spec} AND NOT ${met(KIND.code, EDGE.codeGovernedBy, EDGE.codeImplements)})
      OR (n.kind = ${KIND.adr} AND NOT ${met(KIND.spec, EDGE.implements, EDGE.governs)})`

/**
 * Keys of specs that no source file names, and of ADRs that no spec implements and that govern none, in no promised
 * order. Only of a plain graph, where every row with two nodes for its ends is an edge. Source: sheet artifact-graph §7
 * "orphans".
 */
export function unmetArtifacts(store: Store): number[] {
  return store.prepare<[], number>(UNMET_SQL).pluck().all()
}

const BARE_FILES = `
  SELECT k.text
    FROM file f JOIN key k ON k.id = f.id
   WHERE f.family & ${FAMILY_BIT.code} AND f.size > 0 AND f.state IN (${FILE_STATE.ok}, ${FILE_STATE.problem})
     AND NOT EXISTS (SELECT 1 FROM node n WHERE n.file = f.id AND n.kind = ${KIND.code})`

/** Paths of source files that are no nodes: nothing in them could be read as a governing comment. Empty files are left out. */
export function bareFiles(store: Store): string[] {
  return store.prepare<[], string>(BARE_FILES).pluck().all()
}
