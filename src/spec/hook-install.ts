// Puts the pre-commit hook into a repository and takes it away again (seed 000 "Optional: rebuild-on-commit hook").
// It never touches a hook that is not ours and never changes git's configuration: that stays the user's own step.

import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import { compareUtf16 } from '../model/order.ts'
import { builtInHooks, configuredHooks, type WorkTree, workTreeOf } from '../scan/git-staged.ts'
import { createFolders } from '../store/folders.ts'
import { GRAPH_PATH, isRegularFile, persistedGraph } from './graph-file.ts'
import { hookText, rootsOfHook } from './hook-text.ts'

const HOOK = '.githooks/pre-commit'

interface HookPlace {
  readonly tree: WorkTree
  /** Absolute. */
  readonly folder: string
  readonly file: string
  /** The root relative to the top, `.` for the top itself. */
  readonly root: string
  /** Roots of the hook that is there; empty without one. */
  readonly installed: readonly string[]
  /** The folder that core.hooksPath names, null where it names none. */
  readonly configured: string | null
}

/** Installs the hook for `root`. Returns what to tell the user. Throws UserError refused (exit 1), having written nothing. */
export function installHook(root: string, env: World['env']): string[] {
  const place = hookPlace(root, env, 'to use both, add this line to yours: specdex spec hook-run || :')
  if (place.configured !== null && place.configured !== place.folder) {
    throw refusal(`core.hooksPath is ${place.configured}: hooks in .githooks would never run`)
  }
  const roots = [...new Set([...place.installed, place.root])].sort(compareUtf16)
  createFolders(place.folder)
  writeFileSync(place.file, hookText(roots))
  chmodSync(place.file, 0o755)
  const told = [`wrote ${HOOK}`]
  if (place.configured === null) {
    told.push('enable it with: git config core.hooksPath .githooks')
    const silenced = activeHooks(builtInHooks(place.tree))
    if (silenced.length > 0)
      told.push(`note: git will then no longer run ${silenced.join(', ')} of its own hooks folder`)
  }
  if (!isRegularFile(persistedGraph(root))) {
    told.push(`note: the hook does nothing until ${GRAPH_PATH} exists (specdex spec build)`)
  }
  return told
}

/** Removes the hook for `root`, and the file when no other root uses it. Throws UserError refused (exit 1). */
export function uninstallHook(root: string, env: World['env']): string[] {
  const place = hookPlace(root, env, null)
  if (!place.installed.includes(place.root)) return ['no hook of ours is installed']
  const roots = place.installed.filter((each) => each !== place.root)
  if (roots.length > 0) {
    writeFileSync(place.file, hookText(roots))
    return [`removed this root from ${HOOK}`]
  }
  rmSync(place.file)
  if (readdirSync(place.folder).length === 0) rmdirSync(place.folder)
  const unset = place.configured === place.folder ? ['switch it off with: git config --unset core.hooksPath'] : []
  return [`removed ${HOOK}`, ...unset]
}

/** `hint`: what to do about a hook that is not ours. */
function hookPlace(root: string, env: World['env'], hint: string | null): HookPlace {
  const tree = workTreeOf(root, env)
  if (tree === null) throw refusal(`${root} is not in a git work tree`)
  const folder = path.join(tree.top, '.githooks')
  const file = path.join(folder, 'pre-commit')
  const relative = path.relative(tree.top, realpathSync(root)).split(path.sep).join('/') || '.'
  if (relative.includes('\n')) throw refusal('the name of the root holds a line feed')
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) throw refusal('.githooks is a link')
  return {
    tree,
    folder,
    file,
    root: relative,
    installed: installedRoots(file, hint),
    configured: configuredHooks(tree),
  }
}

/** Throws UserError where something else than a hook of ours lies there. */
function installedRoots(file: string, hint: string | null): readonly string[] {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return []
  const roots = stat.isFile() ? rootsOfHook(readFileSync(file, 'utf8')) : null
  if (roots !== null) return roots
  throw new UserError('refused', `${HOOK} exists and is not ours; nothing was changed`, hint, 1)
}

/** Names of hooks that git runs from a folder, without its samples. */
function activeHooks(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.endsWith('.sample'))
  } catch {
    return []
  }
}

function refusal(message: string): UserError {
  return new UserError('refused', `${message}; nothing was changed`, null, 1)
}
