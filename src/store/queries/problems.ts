// What is wrong in the sources' texts, as the extractors reported it.

import { SEVERITY } from '../../model/facts.ts'
import type { Store } from '../store.ts'

export interface ProblemRow {
  /** Key text of the source. */
  readonly file: string
  readonly code: string
  /** A number of model/facts.ts SEVERITY. */
  readonly severity: number
  readonly line: number | null
  readonly detail: string | null
}

export const PROBLEMS_SQL = `
  SELECT k.text AS file, p.code, p.severity, p.line, p.detail
    FROM problem p JOIN key k ON k.id = p.file JOIN file f ON f.id = p.file
   WHERE f.family & @bits AND p.severity >= @severity
   ORDER BY k.text, p.ord`

/** Problems of the families' files from a severity upwards, by file (code points), then in the file's order. */
export function problems(store: Store, familyBits: number, severity: number = SEVERITY.info): ProblemRow[] {
  return store.prepare<[object], ProblemRow>(PROBLEMS_SQL).all({ bits: familyBits, severity })
}
