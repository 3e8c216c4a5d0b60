// From rows to nodes: which files are artifacts, what their ids are, and under which names they may be referred to.
// It looks at no edge. The surprise: two files may claim one id; the first path keeps it, and what becomes of the
// other depends on its convention (sheet artifact-graph §1 "Duplicates", conventions-in-the-wild §5).

import { claims } from '../extract/conventions/claims.ts'
import type { ArtifactKind, ArtifactNode, Diagnostic } from '../model/artifact-views.ts'
import { groupBy } from '../model/group.ts'
import { isStrict, type Layout, moduleOf, withinModule } from '../model/layout.ts'
import { compareUtf16 } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import { KIND } from '../model/vocabulary.ts'
import type { AliasRow, ArtifactNodeRow, CodeNodeRow } from '../store/queries/artifact-rows.ts'
import { diagnostic } from './diagnostics.ts'
import { strictModules } from './modules.ts'

/** A node together with the numbers by which the store knows it. */
export interface Entry {
  readonly node: ArtifactNode
  /** Key of its id. Of a second file with an id that is taken, the key of the name that it goes by. */
  readonly key: number
  /** True where no row says that there is a node of that key: a further file under a name of its own. */
  readonly renamed: boolean
  readonly strict: boolean
  /** False for a further file of a strict id: it is no node, and says nothing. */
  readonly stands: boolean
}

export interface Assembled {
  readonly byKey: ReadonlyMap<number, Entry>
  readonly byFile: ReadonlyMap<number, Entry>
  readonly nodes: ReadonlyMap<string, ArtifactNode>
  /** True where every row is a node of its own, with a file of its own: rows then mean the same apart as together. */
  readonly claimedOnce: boolean
  /** True where the seed's own rules hold for every node. */
  readonly allStrict: boolean
  /** Names of modules that are declared and not there. */
  readonly absent: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

const KIND_NAMES: Readonly<Record<number, ArtifactKind>> = {
  [KIND.adr]: 'adr',
  [KIND.spec]: 'spec',
}

/**
 * Nodes by id, key and file; `namesOf` gives the other names of some files. A further file of an id is a diagnostic, an
 * error or a warning as its convention is strict. Never throws.
 */
export function assemble(
  rows: readonly ArtifactNodeRow[],
  codeRows: readonly CodeNodeRow[],
  namesOf: (files: readonly number[]) => readonly AliasRow[],
  layout: Layout,
): Assembled {
  const strict = strictModules(layout)
  const byKey = new Map<number, Entry>()
  const byFile = new Map<number, Entry>()
  const nodes = new Map<string, ArtifactNode>()
  const later: ArtifactNodeRow[] = []
  const enter = (row: ArtifactNodeRow, key: number, id: string, stands: boolean): void => {
    const { 2: kind, 3: file, 4: path, 5: title, 6: status } = row
    const shown = displayPath(path)
    const module = moduleOf(layout, shown)?.name ?? null
    const node = { id, kind: KIND_NAMES[kind] ?? 'change', module, title: title ?? '', status, file: shown }
    const entry = { node, key, renamed: key !== row[0], strict: isStrictAt(layout, strict, shown), stands }
    byFile.set(file, entry)
    if (!stands) return
    byKey.set(key, entry)
    nodes.set(id, node)
  }
  for (const row of firstFiles(rows, later)) enter(row, row[0], row[1], true)
  // By number: taking tuples apart as lists goes through an iterator.
  for (const { 0: key, 1: id, 2: file, 3: path } of codeRows) {
    const shown = displayPath(path ?? id)
    const module = moduleOf(layout, shown)?.name ?? null
    const node: ArtifactNode = { id, kind: 'code', module, title: '', status: null, file: shown }
    const entry = { node, key, renamed: false, strict: strict.has(module), stands: true }
    byFile.set(file, entry)
    byKey.set(key, entry)
    nodes.set(id, node)
  }

  const names = groupBy(later.length === 0 ? [] : namesOf(later.map((row) => row[3])), ({ file }) => file)
  const diagnostics: Diagnostic[] = []
  for (const row of later.sort((a, b) => compareUtf16(a[4], b[4]))) {
    const [key, id, , file, path] = row
    if (byFile.has(file)) continue
    const first = byKey.get(key)?.node.file ?? ''
    const shown = displayPath(path)
    const about = { source: id, file: shown }
    if (isStrictAt(layout, strict, shown)) {
      enter(row, key, id, false)
      const message = `${id} declared by multiple files: ${first}, ${shown}`
      diagnostics.push(diagnostic('error', 'duplicate-id', message, about))
      continue
    }
    const free = (names.get(file) ?? []).filter(({ ref }) => !byKey.has(ref))
    const own = free.find(({ text }) => text.startsWith(`${id}-`)) ?? free[0] ?? { ref: file, text: path }
    enter(row, own.ref, own.text, true)
    const message = `${id} is claimed by ${first} and ${shown}; the second goes by ${own.text}`
    diagnostics.push(diagnostic('warning', 'duplicate-id', message, about))
  }
  const allStrict = layout.modules.every(isStrict)
  const absent = new Set(layout.modules.flatMap(({ name, present }) => (name === null || present ? [] : [name])))
  const declared = rows.length + codeRows.length
  const claimedOnce = later.length === 0 && nodes.size === declared && byFile.size === declared
  return { byKey, byFile, nodes, claimedOnce, allStrict, absent, diagnostics }
}

/** Whether the seed's own rules hold for an artifact: those of its convention, whatever else its module follows. */
function isStrictAt(layout: Layout, strict: ReadonlySet<string | null>, file: string): boolean {
  const module = moduleOf(layout, file)
  if (module === null || strict.has(module.name)) return true
  const within = withinModule(module, file)
  return module.conventions.find((use) => claims(use, within))?.name === 'sdd'
}

/** The rows whose id is theirs: of several files with one id, the first path. The others are put into `later`. */
function firstFiles(rows: readonly ArtifactNodeRow[], later: ArtifactNodeRow[]): Iterable<ArtifactNodeRow> {
  const first = new Map<number, ArtifactNodeRow>()
  for (const row of rows) {
    const before = first.get(row[0])
    if (before === undefined) first.set(row[0], row)
    else if (compareUtf16(row[4], before[4]) < 0) {
      first.set(row[0], row)
      later.push(before)
    } else later.push(row)
  }
  return first.values()
}

/** The entries behind alias rows, by key of the name and sorted by id; several make the name ambiguous. */
export function entriesByName(
  rows: readonly AliasRow[],
  byFile: ReadonlyMap<number, Entry>,
): ReadonlyMap<number, readonly Entry[]> {
  const byName = new Map<number, Entry[]>()
  for (const { file, ref } of rows) {
    const entry = byFile.get(file)
    if (entry === undefined || !entry.stands) continue
    const known = byName.get(ref)
    if (known === undefined) byName.set(ref, [entry])
    else if (!known.includes(entry)) known.push(entry)
  }
  for (const entries of byName.values()) entries.sort((a, b) => compareUtf16(a.node.id, b.node.id))
  return byName
}
