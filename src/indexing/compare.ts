// Whether one file on disk still has the content that its row was extracted from. Witnesses decide where they can: git's
// blob id with the size, or size and times. Only where they cannot are bytes read. Writes nothing.
// The surprise: a blob id is only believed about a row once the row's own bytes hashed to it, so that line-end
// conversion and the like show in the size, whatever git believes of the file.

import { FILE_STATE, FIRST_SKIPPED_STATE } from '../model/vocabulary.ts'
import { look } from '../scan/file-kind.ts'
import { type ListedFile, type Stat, statBytes } from '../scan/listing.ts'
import { hashBytes, hashLarge, readSource, type SourceRead } from '../scan/read.ts'
import type { FileRow } from '../store/queries/files-in-dir.ts'

/** What the row would say after learning a new witness of the same content. */
export interface Witness {
  readonly oid: Buffer
  /** As it was when the bytes were read; null where git vouches. */
  readonly stat: Stat | null
}

export interface Same {
  readonly same: true
  /** New bookkeeping, or null where the row's own will do. */
  readonly witness: Witness | null
  /** True if the folder's digest may vouch for this row (with the new witness, where there is one). */
  readonly vouchable: boolean
  /** True if bytes were read to find out. */
  readonly read: boolean
}

export type Verdict = Same | { readonly same: false }

const CHANGED: Verdict = { same: false }
const SAME: Same = { same: true, witness: null, vouchable: true, read: false }
const SAME_BUT_UNVOUCHED: Same = { same: true, witness: null, vouchable: false, read: false }

/**
 * Judges `file`, listed under `key`, against its row. `settle`: read bytes rather than leave a row with a witness that
 * the next proof would have to look at again.
 */
export function judge(root: string, key: string, file: ListedFile, row: FileRow, settle: boolean): Verdict {
  if (file.state !== FILE_STATE.ok) return row.state === file.state ? SAME : CHANGED
  if (row.state >= FIRST_SKIPPED_STATE) return CHANGED
  // What limits kept out was never read: its size is all that is known of it.
  if (isUnreadRow(row)) return sizeOnDisk(root, key, file) === row.size ? SAME : CHANGED
  if (file.blob !== null) return judgeVouched(root, key, file, file.blob, row, settle)
  if (file.stat === null) return row.state === FILE_STATE.unreadable ? SAME : CHANGED
  if (hasStat(row, file.stat)) return SAME
  const source = readSource(root, key)
  if (!isContentOf(root, key, source, row)) return CHANGED
  if (source.kind === 'unreadable') return { ...SAME_BUT_UNVOUCHED, read: true }
  const { stat } = source
  return { same: true, witness: { oid: row.oid, stat }, vouchable: equalStats(stat, file.stat), read: true }
}

function judgeVouched(
  root: string,
  key: string,
  file: ListedFile,
  blob: Buffer,
  row: FileRow,
  settle: boolean,
): Verdict {
  const sameSize = file.size === null || file.size === row.size % 2 ** 32
  if (row.oid.length === blob.length) {
    if (!row.oid.equals(blob)) return CHANGED
    if (sameSize) return SAME
  } else if (!settle) {
    const stat = look(root, key)
    if (typeof stat !== 'string' && hasStat(row, stat)) return SAME_BUT_UNVOUCHED
  }
  const source = readSource(root, key)
  if (!isContentOf(root, key, source, row)) return CHANGED
  if (source.kind === 'unreadable' || !hashOf('blob', root, key, source).equals(blob)) {
    return { ...SAME_BUT_UNVOUCHED, read: true }
  }
  return { same: true, witness: { oid: Buffer.from(blob), stat: null }, vouchable: sameSize, read: true }
}

/** True for the row of a file that was kept out by its size, unread. */
export function isUnreadRow(row: Pick<FileRow, 'oid' | 'state'>): boolean {
  return row.state === FILE_STATE.tooLarge && row.oid.length === 0
}

function sizeOnDisk(root: string, key: string, file: ListedFile): number | null {
  // Git keeps sizes modulo 2^32, and half of that is already far above any limit.
  if (file.size !== null && file.size < 2 ** 31) return file.size
  const stat = look(root, key)
  return typeof stat === 'string' ? null : stat.size
}

function hasStat(row: FileRow, stat: Stat): boolean {
  return row.stat !== null && row.size === stat.size && row.stat.equals(statBytes(stat))
}

function equalStats(a: Stat, b: Stat): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs
}

function hashOf(kind: 'sha256' | 'blob', root: string, key: string, source: SourceRead & { stat: Stat }): Buffer {
  return source.kind === 'text' ? hashBytes(kind, source.bytes) : hashLarge(root, key, kind, source.stat.size)
}

/** True if what was read is what the row was extracted from. */
export function isContentOf(
  root: string,
  key: string,
  source: SourceRead,
  row: Pick<FileRow, 'oid' | 'size' | 'state'>,
): boolean {
  if (source.kind === 'unreadable') return !source.gone && row.state === FILE_STATE.unreadable
  if (source.stat.size !== row.size) return false
  if (isUnreadRow(row)) return true
  if (row.state === FILE_STATE.unreadable || source.kind === 'over') return false
  return hashOf(row.oid.length === 20 ? 'blob' : 'sha256', root, key, source).equals(row.oid)
}
