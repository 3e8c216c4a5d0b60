// Which names are documents: `.md` below the configured roots. Without globs a name decides alone; `include` and
// `ignore` lists are globs, expanded on disk by fast-glob, which is loaded only where they are configured.
// The surprise: folders whose name starts with a dot are left out below a root, but may be a root themselves.

import path from 'node:path'
import type { Config } from '../model/config.ts'
import { displayPath } from '../model/source-key.ts'

export const DOCUMENT_ENDING = '.md'

export interface DocumentTest {
  /** Folders to look below, relative to the root; the empty text is the root itself. */
  readonly roots: readonly string[]
  /** False where no document can lie in the folder or below it. */
  readonly enters: (dir: string) => boolean
  /** True where documents may lie directly in the folder. */
  readonly folder: (dir: string) => boolean
  /** Whether a file with a document's ending in an accepted folder is one; null where all are. */
  readonly file: ((key: string) => boolean) | null
}

/** The name test of one scan. Expands globs on disk below `root`; never throws for what lies there. */
export async function documentTest(root: string, config: Config): Promise<DocumentTest> {
  const roots = await expandRoots(root, config.roots)
  const included = config.include.length === 0 ? null : new Set(await expand(root, config.include, false))
  const ignored = new Set(config.ignore.length === 0 ? [] : await expand(root, config.ignore, true))
  const isIgnored = (key: string): boolean => {
    for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1)) {
      if (ignored.has(key.slice(0, end))) return true
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
    // An include list may name folders that start with a dot.
    enters: (dir) => leadsToRoot(dir) || (included === null ? plainBelow(dir) && !isIgnored(dir) : below(dir)),
    folder: (dir) => (included === null ? plainBelow(dir) && !isIgnored(dir) : below(dir)),
    file:
      included === null && ignored.size === 0
        ? null
        : (key) => (included === null || included.has(displayPath(key))) && !isIgnored(displayPath(key)),
  }
}

function hasPlainNames(dir: string): boolean {
  return dir === '' || !/(^|\/)(\.|node_modules(\/|$))/.test(dir)
}

async function expandRoots(root: string, roots: readonly string[]): Promise<string[]> {
  const folders: string[] = []
  for (const entry of roots) {
    const clean = path.posix.normalize(entry).replace(/\/+$/, '')
    if (clean === '.' || clean === '') folders.push('')
    else if (!/[*?[\]{}()!]/.test(clean)) folders.push(clean)
    else {
      const { default: glob } = await import('fast-glob')
      folders.push(...glob.sync(clean, { ...GLOB, cwd: root, onlyFiles: false, onlyDirectories: true }))
    }
  }
  // A root outside the repository is not ours to read.
  return folders.filter((folder) => folder !== '..' && !folder.startsWith('../') && !folder.startsWith('/'))
}

const GLOB = { onlyFiles: false, followSymbolicLinks: false, suppressErrors: true } as const

/** What the globs match on disk, folders too. */
async function expand(root: string, globs: readonly string[], dot: boolean): Promise<string[]> {
  const { default: glob } = await import('fast-glob')
  const clean = globs.map((entry) => entry.replace(/^(\.\/)+/, '').replace(/\/+$/, ''))
  return glob.sync(clean, { ...GLOB, cwd: root, dot, ignore: ['**/node_modules/**', '**/.git/**'] })
}
