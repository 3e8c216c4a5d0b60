// Where a repository says that it is made of modules, and where its artifacts lie: `.gitmodules`, the table and the two
// sentences of CLAUDE.md. Pure parsers; whether the folders are there is asked elsewhere.
// Surprise: a path that leaves the repository is no module and no folder. For a module the caller hears why.

import { proseLines, tableRow } from './prose-lines.ts'

export interface DeclaredModule {
  readonly name: string
  /** Relative to the root, without a final slash. */
  readonly path: string
}

/** A relative path without `./`, doubled or final slashes; null for what is empty, absolute or climbs out. */
export function insidePath(typed: string): string | null {
  const path = typed.trim()
  if (path.startsWith('/') || /[\0-\x1f\\]/.test(path) || /^[A-Za-z]:/.test(path)) return null
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? null : parts.join('/')
}

/** Told of each module that cannot be one, and why. */
export type LeftOut = (name: string, why: string) => void

const NOBODY: LeftOut = () => {}

/** Brackets in a name would make `[name]/ID` unreadable. */
function moduleAt(name: string, typedPath: string, leftOut: LeftOut): DeclaredModule[] {
  const path = insidePath(typedPath)
  if (path !== null && name !== '' && !/[[\]]/.test(name)) return [{ name, path }]
  if (name === '') leftOut(`in ${typedPath}`, 'it has no name')
  else if (path === null) leftOut(name, `${typedPath.trim() || 'its path'} is no folder below the root`)
  else leftOut(name, 'a name with brackets cannot stand in ids')
  return []
}

/** A value of a git configuration file: quotes and backslash escapes undone, comments dropped. */
function gitValue(typed: string): string {
  let value = ''
  let quoted = false
  for (let at = 0; at < typed.length; at++) {
    const character = typed[at] ?? ''
    if (character === '\\') value += typed[++at] ?? ''
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === '#' || character === ';')) break
    else value += character
  }
  return value.trim()
}

/** The submodules of a `.gitmodules`, in its order; of a repeated section or key the last path counts. Source: sheet artifact-graph §11. */
export function gitModules(text: string, leftOut: LeftOut = NOBODY): readonly DeclaredModule[] {
  const paths = new Map<string, string>()
  let name: string | null = null
  for (const line of text.replace(/^\ufeff/, '').split('\n')) {
    const trimmed = line.trim()
    if (trimmed.startsWith('[')) {
      const section = /^\[\s*submodule\s+"((?:[^"\\]|\\.)*)"\s*\]/i.exec(trimmed)
      name = section === null ? null : (section[1] ?? '').replace(/\\(.)/g, '$1')
      continue
    }
    const path = /^path\s*=(.*)$/i.exec(trimmed)
    if (name !== null && path !== null) paths.set(name, gitValue(path[1] ?? ''))
  }
  return [...paths].flatMap(([module, path]) => moduleAt(module, path, leftOut))
}

/** Text of a cell: back-ticks, emphasis and the frame of a link are dropped. */
function cellText(cell: string): string {
  return cell
    .replace(/^\[([^\]]*)\]\([^)]*\)$/, '$1')
    .replace(/^[`*\s]+|[`*\s]+$/g, '')
    .replace(/\\\|/g, '|')
}

/** The modules of the table below the heading `### Workspace Modules` (exactly), in its order. Source: seed 001 "Workspace Mode Aggregation", sheet §11. */
export function workspaceModules(claudeMd: string, leftOut: LeftOut = NOBODY): readonly DeclaredModule[] {
  const modules: DeclaredModule[] = []
  let inside = false
  let rows = 0
  for (const { level, text } of proseLines(claudeMd.replace(/^\ufeff/, '').split('\n'), 1)) {
    if (level > 0) {
      inside = level === 3 && text === 'Workspace Modules'
      rows = 0
      continue
    }
    const cells = inside ? tableRow(text) : null
    // The first row of a table is its head.
    if (cells === null || rows++ === 0) continue
    const [name, path] = cells
    if (name !== undefined && path !== undefined) modules.push(...moduleAt(cellText(name), cellText(path), leftOut))
  }
  return modules
}

// Without back-ticks only a slash tells a folder from a word.
const SENTENCES = {
  adr: /\bArchitecture Decision Records are in\s+(?:`([^`]+)`|([^\s`]*\/[^\s`]*))/,
  spec: /\bSpecifications are in\s+(?:`([^`]+)`|([^\s`]*\/[^\s`]*))/,
}

/** The folders that CLAUDE.md names in its two sentences, the first of each; null where it says nothing. Source: sheet §1 "Folder declaration", case 23. */
export function declaredFolders(claudeMd: string): { readonly adr: string | null; readonly spec: string | null } {
  const found: { adr: string | null; spec: string | null } = { adr: null, spec: null }
  for (const { text } of proseLines(claudeMd.split('\n'), 1)) {
    for (const kind of ['adr', 'spec'] as const) {
      const match = found[kind] === null ? SENTENCES[kind].exec(text) : null
      if (match === null) continue
      const typed = match[1] ?? (match[2] ?? '').replace(/[.,;:!?)*"']+$/, '')
      found[kind] = insidePath(typed)
    }
  }
  return found
}
