// Which proposals a person has turned down: a text file of the repository, one `source|field|target` per line, sorted,
// so that it can be reviewed and merged. It knows no proposals. Surprise: the list of the tool that was used before
// (`.sdd-graph-backfill-skip`) is read as well, and never written.

import { lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { compareUtf16 } from '../model/order.ts'
import { createFolders } from '../store/folders.ts'
import { replaceFile } from './backfill-file.ts'

/** Relative to the root (issue 3 §6). */
export const REJECTIONS = '.specdex/backfill-rejected.txt'
const FORMER = '.sdd-graph-backfill-skip'

function linesOf(root: string, file: string): string[] {
  let text: string
  try {
    text = readFileSync(path.join(root, file), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw new UserError('io', `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`, null, 1)
  }
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The rejected triples. `former`: also those of the list that another tool left. */
export function readRejections(root: string, former: boolean): ReadonlySet<string> {
  const lines = [...linesOf(root, REJECTIONS), ...(former ? linesOf(root, FORMER) : [])]
  return new Set(lines.filter((line) => !line.startsWith('#')))
}

/** Adds triples to what is there; comments stay on top. Throws UserError io and refused (exit 1). */
export function addRejections(root: string, triples: readonly string[], pid: number): void {
  if (triples.length === 0) return
  const there = linesOf(root, REJECTIONS)
  const comments = there.filter((line) => line.startsWith('#'))
  const kept = there.filter((line) => !line.startsWith('#'))
  const lines = [...comments, ...[...new Set([...kept, ...triples])].sort(compareUtf16)]
  const file = ownFile(root)
  try {
    createFolders(path.dirname(file))
    replaceFile(file, `${lines.join('\n')}\n`, pid)
  } catch (error) {
    throw new UserError(
      'io',
      `cannot write ${REJECTIONS}: ${error instanceof Error ? error.message : String(error)}`,
      null,
      1,
    )
  }
}

/** Forgets our own rejections. True if there were any. */
export function forgetRejections(root: string): boolean {
  const file = ownFile(root)
  const there = lstatSync(file, { throwIfNoEntry: false }) !== undefined
  rmSync(file, { force: true })
  return there
}

/** Our list; a `.specdex` that leads out of the root is not written to. */
function ownFile(root: string): string {
  const folder = path.join(root, path.dirname(REJECTIONS))
  const there = lstatSync(folder, { throwIfNoEntry: false }) !== undefined
  if (there && !`${realpathSync(folder)}${path.sep}`.startsWith(realpathSync(root) + path.sep)) {
    throw new UserError('refused', `${path.dirname(REJECTIONS)} leads out of the root; not written`, null, 1)
  }
  return path.join(root, REJECTIONS)
}
