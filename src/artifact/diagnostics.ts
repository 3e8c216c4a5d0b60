// What a diagnostic looks like: how it is made, how it sorts, and the words for kinds of artifacts. Pure.

import type { ArtifactKind, Diagnostic } from '../model/artifact-views.ts'
import { compareUtf16 } from '../model/order.ts'

/** Where and about what; fields that are left out are null. */
export interface DiagnosticParts {
  readonly source?: string | null
  readonly field?: string | null
  readonly target?: string | null
  readonly file?: string | null
  readonly line?: number | null
}

export function diagnostic(
  severity: Diagnostic['severity'],
  code: string,
  message: string,
  { source = null, field = null, target = null, file = null, line = null }: DiagnosticParts,
): Diagnostic {
  return { severity, code, message, source_id: source, field, target_id: target, file, line }
}

/** Errors first, then code, source, field, target; then place, so that the order is one. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareUtf16(a.severity, b.severity) ||
    compareUtf16(a.code, b.code) ||
    compareUtf16(a.source_id ?? '', b.source_id ?? '') ||
    compareUtf16(a.field ?? '', b.field ?? '') ||
    compareUtf16(a.target_id ?? '', b.target_id ?? '') ||
    compareUtf16(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareUtf16(a.message, b.message)
  )
}

/** What an id that names nothing was meant to be, by its prefix (seed "Scenario: Unresolved ID"). */
export function nounOf(id: string): 'ADR' | 'spec' | 'artifact' {
  const bare = withoutModule(id)
  if (bare.startsWith('ADR-') || bare.startsWith('ADR:')) return 'ADR'
  if (bare.startsWith('SPEC-') || bare.startsWith('SPEC:')) return 'spec'
  return 'artifact'
}

/** A kind with its article. */
export function kindWithArticle(kind: ArtifactKind): string {
  return { adr: 'an ADR', spec: 'a spec', change: 'a change', code: 'a source file' }[kind]
}

/** The name of the module that an id names; null where it names none. */
export function moduleIn(id: string): string | null {
  return /^\[([^\]]*)\]\//.exec(id)?.[1] ?? null
}

/** An id without its `[module]/`. */
export function withoutModule(id: string): string {
  return id.startsWith('[') ? id.slice(id.indexOf(']/') + 2) : id
}
