// The sources of the spec corpora: what the contract's fingerprint and document cover.

import { FAMILY_BIT } from '../../model/families.ts'
import { FIRST_SKIPPED_STATE } from '../../model/vocabulary.ts'
import type { Store } from '../open.ts'

const SQL = `
SELECT k.text AS key, f.oid, f.size, f.state FROM file f JOIN key k ON k.id = f.id
 WHERE f.family & @bit AND f.state < @skipped ORDER BY k.text`

export interface SpecFileRow {
  readonly key: string
  readonly oid: Buffer
  readonly size: number
  readonly state: number
}

/** All spec sources that are files, by key in code point order. */
export function specFiles(store: Store): SpecFileRow[] {
  return store.prepare(SQL).all({ bit: FAMILY_BIT.spec, skipped: FIRST_SKIPPED_STATE }) as SpecFileRow[]
}
