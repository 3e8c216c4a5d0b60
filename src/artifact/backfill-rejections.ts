// Which proposals a person has turned down: a text file of the repository, one `source|field|target` per line, sorted,
// so that it can be reviewed and merged. It knows no proposals. Surprise: the list of the tool that was used before
// (`.sdd-graph-backfill-skip`) is read as well and never written; a reset notes in our own file that it counts no more.

import { existsSync, lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { compareUtf16 } from '../model/order.ts'
import { replaceFile } from '../scan/replace-file.ts'
import { createFolders } from '../store/folders.ts'
import { withMutex } from '../store/mutex.ts'

/** Relative to the root (issue 3 §6). */
export const REJECTIONS = '.specdex/backfill-rejected.txt'
/** The list of the tool that was used before. */
export const FORMER = '.sdd-graph-backfill-skip'
/** A line of our own file. */
const FORMER_FORGOTTEN = `# ${FORMER} counts no more (--reset)`
/** In the index's name, because `.specdex/.gitignore` names that: a killed run leaves the lock file behind. */
export const REJECTIONS_LOCK = '.specdex/index.db.rejections-lock'
/** Others hold the lock for one small file only. */
const PATIENCE_MS = 10_000

export interface Rejections {
  readonly triples: ReadonlySet<string>
  /** How many of them count only because the former tool's list is read. */
  readonly former: number
}

function linesOf(root: string, file: string): string[] {
  let text: string
  try {
    text = readFileSync(path.join(root, file), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw failure(`cannot read ${file}`, error)
  }
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function isComment(line: string): boolean {
  return line.startsWith('#')
}

/** The rejected triples, those of the former tool included unless a reset forgot them. Throws UserError io (exit 1). */
export function readRejections(root: string): Rejections {
  const own = linesOf(root, REJECTIONS)
  const former = own.includes(FORMER_FORGOTTEN) ? [] : linesOf(root, FORMER)
  const ours = new Set(own.filter((line) => !isComment(line)))
  const triples = new Set([...ours, ...former.filter((line) => !isComment(line))])
  return { triples, former: triples.size - ours.size }
}

/** Adds triples to what is there; comments stay on top. Throws UserError io and refused (exit 1). */
export function addRejections(root: string, triples: readonly string[], pid: number): void {
  if (triples.length === 0) return
  change(root, (file) => {
    const there = linesOf(root, REJECTIONS)
    const kept = there.filter((line) => !isComment(line))
    const lines = [...there.filter(isComment), ...[...new Set([...kept, ...triples])].sort(compareUtf16)]
    replaceFile(file, `${lines.join('\n')}\n`, pid)
  })
}

/**
 * Forgets all rejections; those of the former tool for good, though its list stays as it is. True if there were any.
 * Throws UserError io and refused (exit 1).
 */
export function forgetRejections(root: string, pid: number): boolean {
  const former = existsSync(path.join(root, FORMER))
  if (!former && !isThere(ownFile(root))) return false
  return change(root, (file) => {
    const own = linesOf(root, REJECTIONS)
    if (former) replaceFile(file, `${FORMER_FORGOTTEN}\n`, pid)
    else rmSync(file, { force: true })
    return own.some((line) => !isComment(line)) || (former && !own.includes(FORMER_FORGOTTEN))
  })
}

/** Reads and writes our list while no other process does: what two reject at the same time is kept of both. */
function change<T>(root: string, work: (file: string) => T): T {
  const file = ownFile(root)
  try {
    createFolders(path.dirname(file))
    return withMutex(path.join(root, REJECTIONS_LOCK), PATIENCE_MS, () => {
      try {
        return work(file)
      } catch (error) {
        throw error instanceof UserError ? error : failure(`cannot write ${REJECTIONS}`, error)
      }
    })
  } catch (error) {
    // Ours have exit 1, those of the lock 2.
    throw error instanceof UserError && error.exit === 1 ? error : failure(`cannot write ${REJECTIONS}`, error)
  }
}

function failure(what: string, error: unknown): UserError {
  if (error instanceof UserError && error.code === 'busy') {
    return new UserError('busy', `${what}: another specdex is writing it`, 'run this again', 1)
  }
  // The lock's other errors speak of an index.
  if (error instanceof UserError) return new UserError('io', `${what}: it cannot be locked (${error.code})`, null, 1)
  return new UserError('io', `${what}: ${error instanceof Error ? error.message : String(error)}`, null, 1)
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Our list; a `.specdex` that leads out of the root is not written to. */
function ownFile(root: string): string {
  const folder = path.join(root, path.dirname(REJECTIONS))
  if (isThere(folder) && !leadsInside(root, folder)) {
    throw new UserError('refused', `${path.dirname(REJECTIONS)} leads out of the root; not written`, null, 1)
  }
  return path.join(root, REJECTIONS)
}

function leadsInside(root: string, folder: string): boolean {
  try {
    return `${realpathSync(folder)}${path.sep}`.startsWith(realpathSync(root) + path.sep)
  } catch {
    // A link to nowhere.
    return false
  }
}
