// What the installed pre-commit hook does: if a graph is persisted and the commit touches the corpus, build it anew from
// what is being committed and stage it (seed 000 "Optional: rebuild-on-commit hook", sheet spec-graph §0 row 24).
// The surprise: unstaged edits in the work tree must not leak in, so the corpus is checked out of git's index first.

import { lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Place } from '../indexing/place.ts'
import { openIndex } from '../indexing/session.ts'
import { indexedCorpusHash } from '../indexing/spec-hash.ts'
import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import { checkOutStaged, isIgnored, stage, stagedPaths, type WorkTree, workTreeOf } from '../scan/git-staged.ts'
import { createFolders } from '../store/folders.ts'
import { exportSpecGraph } from './export.ts'
import { GRAPH_PATH, isRegularFile, persistedGraph, type Writing, writeGraphFile } from './graph-file.ts'
import { holds } from './self-check.ts'

export interface HookRun {
  readonly place: Place
  /** Where git started the hook. */
  readonly cwd: string
  /** A folder for temporary files. */
  readonly temporary: string
  readonly world: World
  readonly writing: Writing
  /** One line for stderr. */
  readonly say: (line: string) => void
}

const CORPORA = ['commands', 'scripts', 'devdocs'] as const

/** Refreshes the persisted graph where that is due. Throws what went wrong; the caller must not let it block anything. */
export async function refreshForCommit(run: HookRun): Promise<void> {
  const { place, say } = run
  const graph = persistedGraph(place.root)
  if (!isRegularFile(graph)) return
  const tree = workTreeOf(run.cwd, run.world.env)
  if (tree === null) return
  const prefix = relativeTo(tree.top, place.root)
  if (prefix === null) return
  const folders = corpusFolders(place.root).map((folder) => prefix + folder)
  if (!touches(stagedPaths(tree), folders)) return
  say(`spec-graph: spec corpus changed — rebuilding ${prefix}${GRAPH_PATH}`)
  const text = await buildStaged(run, tree, prefix, folders)
  writeGraphFile(place.root, graph, text, run.writing)
  if (!isIgnored(tree, prefix + GRAPH_PATH)) stage(tree, prefix + GRAPH_PATH)
}

/** `folder` relative to `top` with a final slash, empty for the top itself; null outside of it. */
function relativeTo(top: string, folder: string): string | null {
  const relative = path.relative(realpathSync(top), realpathSync(folder)).split(path.sep).join('/')
  if (relative === '') return ''
  return relative.startsWith('..') || path.isAbsolute(relative) ? null : `${relative}/`
}

/** The three folders, and where they lead when they are links that stay inside the root (sheet spec-graph §0 row 1.4). */
function corpusFolders(root: string): string[] {
  const real = realpathSync(root)
  return CORPORA.flatMap((name) => {
    const folder = path.join(root, name)
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return [name]
    try {
      const target = relativeTo(real, realpathSync(folder))
      return target === null || target === '' ? [name] : [name, target.slice(0, -1)]
    } catch {
      return [name]
    }
  })
}

function touches(staged: readonly string[], folders: readonly string[]): boolean {
  // Git's names are bytes as latin1.
  const bytes = folders.map((folder) => Buffer.from(folder, 'utf8').toString('latin1'))
  return staged.some((name) => bytes.some((folder) => name === folder || name.startsWith(`${folder}/`)))
}

async function buildStaged(run: HookRun, tree: WorkTree, prefix: string, folders: readonly string[]): Promise<string> {
  const workshop = mkdtempSync(path.join(run.temporary, 'specdex-commit-'))
  try {
    const checkout = path.join(workshop, 'tree')
    const root = path.join(checkout, prefix)
    createFolders(root)
    checkOutStaged(tree, folders, checkout)
    const location = { path: path.join(workshop, 'index.db'), isDefault: false }
    const index = await openIndex({ ...run.place, root, location, configNote: null }, ['spec'], 'repair', run.world)
    try {
      const { text, checks } = exportSpecGraph(index.store, run.place.config.compat, indexedCorpusHash(index))
      if (holds(checks)) return text
      throw new UserError('refused', 'the self-check of the new graph failed', null, 1)
    } finally {
      index.close()
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}
