// Which names are documents: `.md` below the configured roots. Without globs a name decides alone; `include` and
// `ignore` lists are globs, expanded on disk by fast-glob, which is loaded only where they are configured.
// The surprise: folders whose name starts with a dot are left out below a root, but may be a root themselves.

import path from 'node:path'
import type FastGlob from 'fast-glob'
import type { Config } from '../model/config.ts'
import { displayPath } from '../model/source-key.ts'
import type { Selection } from './selection.ts'

const ENDING = '.md'

/** The documents of one scan. Globs are expanded on disk below `root` when first needed; nothing there is an error. */
export async function selectDocuments(root: string, config: Config): Promise<Selection> {
  const { roots, include, ignore } = config
  const glob =
    [...roots.filter(isGlob), ...include, ...ignore].length === 0 ? null : (await import('fast-glob')).default
  const matches = (globs: readonly string[], dot: boolean): (() => ReadonlySet<string>) => {
    let found: ReadonlySet<string> | null = null
    return () => (found ??= new Set(glob === null || globs.length === 0 ? [] : expand(glob, root, globs, dot)))
  }
  const included = matches(include, false)
  const ignored = matches(ignore, true)
  return testOf(
    expandRoots(glob, root, roots),
    include.length === 0 ? null : included,
    ignore.length === 0 ? null : ignored,
  )
}

function testOf(
  roots: readonly string[],
  included: (() => ReadonlySet<string>) | null,
  ignored: (() => ReadonlySet<string>) | null,
): Selection {
  const isIgnored = (key: string): boolean => {
    if (ignored === null) return false
    for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1)) {
      if (ignored().has(key.slice(0, end))) return true
    }
    return false
  }
  const below = (dir: string): boolean =>
    roots.some((base) => base === '' || dir === base || dir.startsWith(`${base}/`))
  const plainBelow = (dir: string): boolean =>
    roots.some((base) => {
      if (base === '') return hasPlainNames(dir)
      return dir === base || (dir.startsWith(`${base}/`) && hasPlainNames(dir.slice(base.length + 1)))
    })
  const leadsToRoot = (dir: string): boolean => dir === '' || roots.some((base) => base.startsWith(`${dir}/`))
  return {
    roots,
    endings: [ENDING],
    others: false,
    // An include list may name folders that start with a dot.
    enters: (dir) => leadsToRoot(dir) || (included === null ? plainBelow(dir) && !isIgnored(dir) : below(dir)),
    folder: (dir) => (included === null ? plainBelow(dir) && !isIgnored(dir) : below(dir)),
    file:
      included === null && ignored === null
        ? null
        : (key) => (included === null || included().has(displayPath(key))) && !isIgnored(displayPath(key)),
  }
}

function hasPlainNames(dir: string): boolean {
  return dir === '' || !/(^|\/)(\.|node_modules(\/|$))/.test(dir)
}

type Glob = typeof FastGlob

const GLOB = { onlyFiles: false, followSymbolicLinks: false, suppressErrors: true } as const

function isGlob(entry: string): boolean {
  return /[*?[\]{}()!]/.test(entry)
}

function expandRoots(glob: Glob | null, root: string, roots: readonly string[]): string[] {
  const folders: string[] = []
  for (const entry of roots) {
    const clean = path.posix.normalize(entry).replace(/\/+$/, '')
    if (clean === '.' || clean === '') folders.push('')
    else if (glob === null || !isGlob(clean)) folders.push(clean)
    else folders.push(...glob.sync(clean, { ...GLOB, cwd: root, onlyDirectories: true }))
  }
  // A root outside the repository is not ours to read.
  return folders.filter((folder) => folder !== '..' && !folder.startsWith('../') && !folder.startsWith('/'))
}

/** What the globs match on disk, folders too. */
function expand(glob: Glob, root: string, globs: readonly string[], dot: boolean): string[] {
  const clean = globs.map((entry) => entry.replace(/^(\.\/)+/, '').replace(/\/+$/, ''))
  return glob.sync(clean, { ...GLOB, cwd: root, dot, ignore: ['**/node_modules/**', '**/.git/**'] })
}
