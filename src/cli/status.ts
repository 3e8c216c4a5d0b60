// `specdex status`: what the index is, whether it is fresh, and if not why. Changes nothing.

import type { Plan } from '../indexing/diff.ts'
import type { Place } from '../indexing/place.ts'
import { planRefresh } from '../indexing/session.ts'
import type { Family } from '../model/families.ts'
import { fileSize } from '../scan/root.ts'
import type { ScanMode } from '../scan/scan.ts'
import { generationName, getGeneration, META } from '../store/meta.ts'
import { type OpeningState, openStore, probeStore } from '../store/open.ts'
import { countFacts, type FactCounts } from '../store/queries/counts.ts'
import type { Io } from './io.ts'
import { placeOf } from './place.ts'

/** States in which the rows can be read and compared with the disk. */
const READABLE: readonly OpeningState[] = ['fresh', 'read-only', 'hot-journal']

interface Status {
  /** `fresh` or `stale`, or why nothing can be said. */
  readonly state: OpeningState | 'stale'
  readonly reasons: readonly string[]
  readonly mode: ScanMode | null
  readonly generation: number | null
  readonly generations: Readonly<Partial<Record<Family, number>>>
  readonly bytes: number | null
  readonly counts: FactCounts | null
  readonly changes: { added: number; changed: number; removed: number; reextract: number } | null
}

/** Runs `specdex status`. Exit 0; with --check 1 unless fresh. */
export async function runStatus(options: Record<string, unknown>, io: Io): Promise<number> {
  const place = await placeOf(options, io)
  const status = await statusOf(place, io)
  io.out(options['json'] === true ? `${JSON.stringify({ schema_version: '1', ...status }, null, 2)}\n` : text(status))
  return options['check'] === true && !isProven(status) ? 1 : 0
}

/** Also an index that is only read here may be fresh: a cache in a read-only place is what --check is asked about. */
function isProven({ state }: Status): boolean {
  return state !== 'stale' && READABLE.includes(state)
}

async function statusOf(place: Place, io: Io): Promise<Status> {
  const probed = probeStore(place.location)
  if (!READABLE.includes(probed)) {
    const nothing = { mode: null, generation: null, generations: {}, counts: null, changes: null }
    return { state: probed, reasons: [REASON[probed]], bytes: fileSize(place.location.path), ...nothing }
  }
  const store = openStore(place.location, { busyMs: place.config.limits.busy_ms, create: false })
  try {
    const { plan, mode } = await planRefresh(store, place, place.config.families, io.world, {
      all: true,
      everything: false,
    })
    const changes = { added: 0, changed: 0, removed: 0, reextract: 0 }
    for (const change of plan.changes.values()) changes[change.kind]++
    const fresh = plan.changes.size === 0 && plan.fingerprints.size === 0
    const state = fresh ? (probed === 'fresh' ? 'fresh' : probed) : 'stale'
    return {
      state,
      reasons: [...(probed === 'fresh' ? [] : [REASON[probed]]), ...staleReasons(plan, changes)],
      mode,
      generation: getGeneration(store, META.generation),
      generations: Object.fromEntries(
        place.config.families.map((family) => [family, getGeneration(store, generationName(family))]),
      ),
      bytes: fileSize(place.location.path),
      counts: countFacts(store),
      changes,
    }
  } finally {
    store.close()
  }
}

const REASON: Readonly<Record<OpeningState, string>> = {
  missing: 'there is no index yet: run `specdex index`',
  foreign: 'the file is not a Specdex index: it is left alone; name another with --db',
  newer: 'the index was written by a newer specdex: update this one',
  older: 'the index was written by an older specdex: the next command migrates it',
  corrupt: 'the index is damaged: the next command moves it aside and builds a new one',
  locked: 'another process is writing the index just now',
  'hot-journal': 'a run was killed while writing: the next command recovers the last complete state',
  'read-only': 'the index cannot be written here: stale answers are made in memory',
  fresh: '',
}

function staleReasons(plan: Plan, changes: Readonly<Record<string, number>>): string[] {
  const reasons: string[] = []
  for (const family of plan.absent) reasons.push(`${family}: never indexed`)
  for (const family of plan.fingerprints.keys()) {
    if (!plan.absent.includes(family)) reasons.push(`${family}: its extractor or configuration changed`)
  }
  for (const kind of ['added', 'changed', 'removed'] as const) {
    const count = changes[kind] ?? 0
    if (count > 0) reasons.push(`${count} ${count === 1 ? 'file' : 'files'} ${kind}`)
  }
  return reasons
}

function text(status: Status): string {
  const lines = [
    `index: ${status.state}${status.mode === null ? '' : ` (${status.mode === 'git' ? 'by git' : 'by walk'})`}`,
  ]
  for (const reason of status.reasons) lines.push(`  ${reason}`)
  if (status.generation !== null) {
    const families = Object.entries(status.generations).map(([family, at]) => `${family} ${at}`)
    lines.push(`generation: ${status.generation} (${families.join(', ')})`)
  }
  if (status.bytes !== null) lines.push(`size: ${status.bytes} bytes`)
  if (status.counts !== null) {
    const { files, nodes, edges, problems } = status.counts
    for (const [what, counts] of Object.entries({ files, 'node facts': nodes, 'edge facts': edges, problems })) {
      const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
      lines.push(`${what}: ${parts.length === 0 ? 'none' : parts.join(', ')}`)
    }
  }
  return `${lines.join('\n')}\n`
}
