// Names that were found and not read as sources, with the reason that their problem row gives.

import { displayPath } from '../../model/source-key.ts'
import { FILE_STATE } from '../../model/vocabulary.ts'
import type { Store } from '../open.ts'

const SQL = `
SELECT k.text AS key, p.detail AS detail, p.code AS code
  FROM file f JOIN key k ON k.id = f.id JOIN problem p ON p.file = f.id
 WHERE f.state >= @first
   AND p.code IN ('too-large', 'binary', 'unreadable', 'outside-link', 'link-loop', 'not-a-file', 'unreadable-folder')
 ORDER BY k.text, p.ord`

export interface SkippedFile {
  /** Tells apart what `path` shows alike. */
  readonly key: string
  readonly path: string
  readonly reason: string
}

/** Skipped names in code point order. */
export function skippedFiles(store: Store): SkippedFile[] {
  const rows = store.read(() => store.prepare(SQL).all({ first: FILE_STATE.tooLarge })) as {
    key: string
    detail: string | null
    code: string
  }[]
  return rows.map((row) => ({ key: row.key, path: displayPath(row.key), reason: row.detail ?? row.code }))
}
