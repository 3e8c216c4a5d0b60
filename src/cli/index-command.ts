// `specdex index`: bring the index up to date and report. The report is a view; both renderings are made here.

import { readFileSync } from 'node:fs'
import type { RefreshReport } from '../indexing/refresh.ts'
import { type Index, updateIndex } from '../indexing/session.ts'
import type { Layout } from '../model/layout.ts'
import { displayPath, readableName } from '../model/source-key.ts'
import { getGeneration, META } from '../store/meta.ts'
import { type SkippedFile, skippedFiles } from '../store/queries/skipped.ts'
import type { Io } from './io.ts'
import { placeOf } from './place.ts'
import { printable } from './print.ts'

/** How many names a person is shown per list; JSON always has all. */
const SHOWN = 10

/** Runs `specdex index`. Exit 0 done, 1 when --verify found a difference. */
export async function runIndex(options: Record<string, unknown>, io: Io): Promise<number> {
  const started = io.world.now()
  const written = bytesWritten()
  const place = await placeOf(options, io)
  const index = await updateIndex(place, options['full'] === true, io.world)
  try {
    const bytes = difference(bytesWritten(), written)
    const skipped = skippedFiles(index.store)
    const differences =
      options['verify'] === true ? await (await import('../indexing/verify.ts')).verifyIndex(index, io.world) : null
    const milliseconds = Math.round(io.world.now() - started)
    if (options['json'] === true) {
      io.out(`${JSON.stringify(jsonReport(index, skipped, bytes, milliseconds, differences), null, 2)}\n`)
    } else if (options['quiet'] !== true) {
      io.out(printable(io, textReport(index, index.report, skipped, bytes, milliseconds)))
      if (index.condition === 'built') tellConventions(index.plan?.layout, io)
      if (differences?.length === 0) io.out('verified: equal to an index built from nothing\n')
    }
    if (differences === null || differences.length === 0) return 0
    io.err('error: the index differs from one built from nothing; the first differing rows:')
    for (const line of differences) io.err(printable(io, `  ${line}`))
    io.err('hint: run `specdex index --full`, and please report how you got here')
    return 1
  } finally {
    index.close()
  }
}

/** Once, on a first index: what was found that is not the default. */
function tellConventions(layout: Layout | undefined, io: Io): void {
  const found = layout?.modules.flatMap(({ conventions }) => conventions.map(({ name }) => name)) ?? []
  const lenient = [...new Set(found.filter((name) => name !== 'sdd'))]
  if (lenient.length > 0) io.err(`note: conventions found: ${lenient.join(', ')} (see \`specdex graph conventions\`)`)
}

function jsonReport(
  index: Index & { report: RefreshReport },
  skipped: readonly SkippedFile[],
  bytes: number | null,
  milliseconds: number,
  differences: readonly string[] | null,
): unknown {
  const { report } = index
  return {
    schema_version: '1',
    condition: index.condition,
    mode: index.mode,
    generation: getGeneration(index.store, META.generation),
    added: report.added.map(displayPath),
    changed: report.changed.map(displayPath),
    removed: report.removed.map(displayPath),
    reextracted: report.reextracted.map(displayPath),
    unchanged: report.unchanged,
    checked: report.checked,
    skipped: skipped.map(({ path, reason }) => ({ path, reason })),
    rows: report.rows,
    bytes_written: bytes,
    milliseconds,
    ...(differences === null ? {} : { verified: differences.length === 0, differences }),
  }
}

function textReport(
  index: Index,
  report: RefreshReport,
  skipped: readonly SkippedFile[],
  bytes: number | null,
  milliseconds: number,
): string {
  const counts = [
    `${report.added.length} added`,
    `${report.changed.length} changed`,
    `${report.removed.length} removed`,
    `${report.unchanged} unchanged`,
  ]
  if (report.reextracted.length > 0) counts.push(`${report.reextracted.length} extracted again`)
  const lines = [`${counts.join(', ')} (${index.mode === 'git' ? 'by git' : 'by walk'}, ${milliseconds} ms)`]
  const rows = Object.entries(report.rows).filter(([, count]) => count > 0)
  if (rows.length > 0) {
    const facts = rows.map(([table, count]) => `${table} ${count}`).join(', ')
    lines.push(`rows written: ${facts}${bytes === null ? '' : ` (${bytes} bytes)`}`)
  }
  for (const [kind, keys] of [
    ['added', report.added],
    ['changed', report.changed],
    ['removed', report.removed],
  ] as const) {
    // The first build lists everything: no news to anybody.
    if (index.condition === 'built' && kind === 'added') continue
    for (const key of keys.slice(0, SHOWN)) lines.push(`  ${kind}  ${readableName(key)}`)
    if (keys.length > SHOWN) lines.push(`  ${kind}  … and ${keys.length - SHOWN} more`)
  }
  for (const { key, reason } of skipped.slice(0, SHOWN)) lines.push(`  skipped  ${readableName(key)}: ${reason}`)
  if (skipped.length > SHOWN) lines.push(`  skipped  … and ${skipped.length - SHOWN} more`)
  return `${lines.join('\n')}\n`
}

/** Bytes this process has handed to write calls so far, or null where the system does not say. */
function bytesWritten(): number | null {
  try {
    return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN)
  } catch {
    return null
  }
}

function difference(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before
}
