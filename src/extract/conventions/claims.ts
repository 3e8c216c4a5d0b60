// Which files a convention takes for artifacts, by their names alone: the table of the built-in ones, and the three
// questions that a walk asks. Reads no text and no disk. Surprise: `archive` below OpenSpec's changes is closed, and so
// a repository's finished changes never cost a look.

import type { ConventionUse } from '../../model/layout.ts'
import { matchesBelow, matchesWhole, parseGlob, type Segment } from './glob.ts'
import { isAside, isMarkdown, numberedName } from './names.ts'

const any: Segment = (name) => !name.startsWith('.')
const named =
  (...names: readonly string[]): Segment =>
  (name) =>
    names.includes(name)
const open: Segment = (name) => !name.startsWith('.') && name !== 'archive'

/** Patterns below the folder of a use, by convention and kind (sheet artifact-graph §1, conventions survey §5). */
const PATTERNS: Readonly<Record<string, readonly (readonly Segment[])[]>> = {
  'sdd adr': [[(name) => /^ADR-\d{4}(?:-.*)?\.md$/s.test(name)]],
  'sdd spec': [[any, named('spec.md')]],
  'adr-numbered adr': [[(name) => numberedName(name) !== null]],
  'backstage adr': [[(name) => /^adr\d/i.test(name) && numberedName(name) !== null]],
  'log4brains adr': [[(name) => isMarkdown(name) && !isAside(name)]],
  'openspec spec': [[any, named('spec.md')]],
  'openspec change': [
    [open, named('proposal.md')],
    [open, named('specs'), any, named('spec.md')],
  ],
  'spec-kit spec': [[any, named('spec.md')]],
  'kiro spec': [[any, named('requirements.md', 'bugfix.md')]],
}

// Layouts are made anew for every answer, their globs seldom differ.
const parsedGlobs = new Map<string, ReturnType<typeof parseGlob>>()

function globs(files: readonly string[]): ReturnType<typeof parseGlob> {
  return files.flatMap((glob) => {
    const known = parsedGlobs.get(glob) ?? parseGlob(glob)
    parsedGlobs.set(glob, known)
    return known
  })
}

function segmentsOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('/')
}

/** The segments of a path below the folder of a use; null where it lies elsewhere. */
function below(use: ConventionUse, path: string): readonly string[] | null {
  if (use.folder === '') return segmentsOf(path)
  if (path === use.folder) return []
  return path.startsWith(`${use.folder}/`) ? path.slice(use.folder.length + 1).split('/') : null
}

function holds(use: ConventionUse, dir: string, direct: boolean): boolean {
  const ancestor = dir === '' ? use.folder !== '' : use.folder.startsWith(`${dir}/`)
  if (ancestor) return !direct
  const names = below(use, dir)
  if (names === null) return false
  // The globs of a custom convention start at the module, and its folder only narrows them.
  if (use.custom !== undefined) {
    return globs(use.custom.files).some(({ segments }) => matchesBelow(segments, segmentsOf(dir), direct))
  }
  return (PATTERNS[`${use.name} ${use.kind}`] ?? []).some((pattern) => matchesBelow(pattern, names, direct))
}

/** True where a convention takes a file, given by its path relative to the module, for one of its artifacts. */
export function claims(use: ConventionUse, path: string): boolean {
  const names = below(use, path)
  const name = names?.at(-1)
  if (names === null || name === undefined) return false
  if (use.custom !== undefined) {
    const all = segmentsOf(path)
    return globs(use.custom.files).some(
      ({ segments, literalEnd }) => (literalEnd || !isAside(name)) && matchesWhole(segments, all),
    )
  }
  return (PATTERNS[`${use.name} ${use.kind}`] ?? []).some((pattern) => matchesWhole(pattern, names))
}

/** True where claimed files may lie in this folder itself. The module's own folder is the empty text. */
export function claimsFolder(use: ConventionUse, dir: string): boolean {
  return holds(use, dir, true)
}

/** True where claimed files may lie in this folder or anywhere below it. */
export function entersFolder(use: ConventionUse, dir: string): boolean {
  return holds(use, dir, false)
}
