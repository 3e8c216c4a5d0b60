// The graph as a file: where it lies by default, how it is read, and how it is replaced so that nobody ever sees half of
// it. The surprise: below `.forgedock/` of an untrusted repository a link may lead out of the root, and is refused.

import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'
import { replaceFile } from '../scan/replace-file.ts'
import { createFolders } from '../store/folders.ts'

const GRAPH_FOLDER = '.forgedock/graph'
const GRAPH_NAME = 'spec-graph.json'

/** The default export path relative to the root, as people write it. */
export const GRAPH_PATH: string = `${GRAPH_FOLDER}/${GRAPH_NAME}`

/** Absolute default export path of a root. */
export function persistedGraph(root: string): string {
  return path.join(root, '.forgedock', 'graph', GRAPH_NAME)
}

/** True for a regular file or a link to one. */
export function isRegularFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** The file's text. Throws UserError io (exit 1) where it cannot be read. `shown`: how the user knows the file. */
export function readGraphText(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError('io', `cannot read the graph file ${shown}: ${reason(error)}`, null, 1)
  }
}

/** What a write needs from the process that does it. */
export interface Writing {
  /** Tells this process's temporary file from those of others; its number, so that a crashed one can be recognised. */
  readonly pid: number
  readonly isAlive: (pid: number) => boolean
}

/**
 * Replaces `out` (absolute) by `text` as a whole: a temporary neighbour, then a rename. Parents are created; when that
 * creates the root's `.forgedock/graph/`, a `.gitignore` naming the graph goes in, and one that exists is never touched.
 * Leftovers of crashed runs are removed. Devices and pipes are written in place, links are followed.
 * Throws UserError io or refused (exit 1, sheet spec-graph §7).
 */
export function writeGraphFile(root: string, out: string, text: string, writing: Writing): void {
  try {
    const isDefault = out === persistedGraph(root)
    const folder = path.dirname(out)
    if (isDefault) refuseOutside(root, out)
    const created = createFolders(folder)
    if (isDefault && created) ignoreGraph(folder)
    const stat = statSync(out, { throwIfNoEntry: false })
    if (stat !== undefined && !stat.isFile() && !stat.isDirectory()) writeFileSync(out, text)
    else {
      const file = stat === undefined ? out : realpathSync(out)
      removeLeftovers(file, writing)
      replaceFile(file, text, writing.pid)
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError('io', `cannot write ${out}: ${reason(error)}`, null, 1)
  }
}

function refuseOutside(root: string, out: string): void {
  // Judged by what exists already, before anything is made. A dangling link counts as a place outside.
  let at = out
  while (lstatSync(at, { throwIfNoEntry: false }) === undefined && at !== root) at = path.dirname(at)
  if (at === root) return
  const target = statSync(at, { throwIfNoEntry: false }) === undefined ? null : realpathSync(at)
  if (target?.startsWith(realpathSync(root) + path.sep)) return
  throw new UserError('refused', `${GRAPH_PATH} leads out of the root; not written`, 'name a place with --out FILE', 1)
}

function ignoreGraph(folder: string): void {
  try {
    writeFileSync(path.join(folder, '.gitignore'), `${GRAPH_NAME}\n`, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Temporary neighbours whose process is gone. */
function removeLeftovers(file: string, writing: Writing): void {
  const folder = path.dirname(file)
  const prefix = `.${path.basename(file)}.`
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue
    const pid = Number(name.slice(prefix.length, -'.tmp'.length))
    if (Number.isSafeInteger(pid) && pid > 0 && pid !== writing.pid && !writing.isAlive(pid)) {
      rmSync(path.join(folder, name), { force: true })
    }
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
