// Problems that the extractors reported, as diagnostics of the graph, and the governing comments that could not be
// read. It judges nothing itself. The surprise: an artifact is also a document, so problems of other families' readers
// stand under the same files and are left out by their codes.

import type { Diagnostic } from '../model/artifact-views.ts'
import { SEVERITY } from '../model/facts.ts'
import { FAMILY_BIT } from '../model/families.ts'
import { type Layout, moduleOf, withinModule } from '../model/layout.ts'
import { displayPath } from '../model/source-key.ts'
import type { GraphProblemRow } from '../store/queries/artifact-rows.ts'
import type { Assembled } from './assemble.ts'
import { diagnostic } from './diagnostics.ts'
import { shownPath } from './modules.ts'

/** A source file whose governing comment names no artifact. */
export interface Unrecognized {
  /** As shown, and relative to the root. */
  readonly shown: string
  readonly file: string
  readonly module: string | null
  /** The reason class: `no-artifact-id` or `unaccepted-opener`. */
  readonly reason: string
}

export interface Reported {
  readonly diagnostics: readonly Diagnostic[]
  /** Headings that disagree with the number of their file: findings, not diagnostics. */
  readonly headings: readonly Diagnostic[]
  readonly unrecognized: readonly Unrecognized[]
}

const REPORTED: ReadonlySet<string> = new Set([
  'malformed-edge-list',
  'malformed-edge-target',
  'malformed-yaml',
  'authored-derived-edge',
  'schema-misuse',
  'unknown-edge-field',
  'spec-without-id',
])
/** Reasons why an artifact is not in the graph, whatever a reader of files calls them. */
const UNREAD: ReadonlySet<string> = new Set([
  'unreadable-file',
  'unreadable',
  'too-large',
  'binary',
  'outside-link',
  'link-loop',
  'not-a-file',
])

/** Words for the reason classes (sheet artifact-graph §5, §13.29). */
const REASONS: Readonly<Record<string, string>> = {
  'no-artifact-id': 'names no ADR-NNNN or SPEC-NNNN',
  'unaccepted-opener': 'stands behind a comment opener that is not accepted',
}

/** Sorts the rows of graphProblems(). Source of codes and severities: sheet artifact-graph §6. */
export function reportedProblems(rows: readonly GraphProblemRow[], { byFile }: Assembled, layout: Layout): Reported {
  const diagnostics: Diagnostic[] = []
  const headings: Diagnostic[] = []
  const unrecognized: Unrecognized[] = []
  for (const row of rows) {
    const file = displayPath(row.path)
    const shown = shownPath(layout, file)
    const source = byFile.get(row.file)?.node.id ?? (UNREAD.has(row.code) ? idOfName(layout, file) : null) ?? shown
    const severity = row.severity >= SEVERITY.error ? 'error' : 'warning'
    const about = { source, field: row.field, target: row.target, file, line: row.line }
    const detail = row.detail ?? row.code
    if (REPORTED.has(row.code)) diagnostics.push(diagnostic(severity, row.code, detail, about))
    else if (row.code === 'heading-mismatch') headings.push(diagnostic('warning', row.code, detail, about))
    else if (row.code === 'governing-unrecognized') {
      const message = `${shown}: governing comment ${REASONS[detail] ?? 'cannot be read'} (${detail})`
      diagnostics.push(diagnostic('warning', row.code, message, about))
      unrecognized.push({ shown, file, module: moduleOf(layout, file)?.name ?? null, reason: detail })
    } else if (UNREAD.has(row.code) && (row.family & FAMILY_BIT.artifact) !== 0) {
      const why = row.code === 'not-a-file' ? 'is no plain file, and symbolic links are not followed' : detail
      diagnostics.push(diagnostic('warning', 'unreadable-file', `${file}: ${why}`, about))
    } else if (row.code === 'unreadable-folder') {
      diagnostics.push(diagnostic('warning', 'unreadable-file', `${file}: ${detail}`, about))
    }
  }
  for (const { path, why } of layout.closed ?? []) {
    const about = { source: shownPath(layout, path), file: path }
    diagnostics.push(diagnostic('warning', 'unreadable-file', `${path}: ${why}`, about))
  }
  return { diagnostics, headings, unrecognized }
}

/** The id in the name of an ADR of the seed's own convention: a file that cannot be read has it all the same. */
function idOfName(layout: Layout, file: string): string | null {
  const id = /(?:^|\/)(ADR-\d{4})(?:-[^/]*)?\.md$/.exec(file)?.[1]
  const module = moduleOf(layout, file)
  if (id === undefined || module === null) return null
  const folder = withinModule(module, file).split('/').slice(0, -1).join('/')
  const sdd = module.conventions.some((use) => use.name === 'sdd' && use.kind === 'adr' && use.folder === folder)
  return sdd ? (module.name === null ? id : `[${module.name}]/${id}`) : null
}
