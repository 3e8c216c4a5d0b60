// Brings the index up to date: one transaction, taken only when something must change. The lock comes first and the
// texts are extracted under it: readers are not disturbed by a held write lock, a second writer finds the work done
// instead of doing it again, and no more than one file's facts are in memory at a time.

import type { ExtractContext } from '../extract/extractor.ts'
import type { World } from '../model/clock.ts'
import { bitsOf, FAMILY_BIT, type Family, familiesOf } from '../model/families.ts'
import { dirOfKey } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { nameOnly } from '../scan/file-kind.ts'
import { isRacy, statBytes } from '../scan/listing.ts'
import { factsName, fingerprintName, generationName, getGeneration, getMeta, META, stampName } from '../store/meta.ts'
import { writeVocabulary } from '../store/migrate.ts'
import type { Store } from '../store/open.ts'
import { countFiles } from '../store/queries/count-files.ts'
import { Writer } from '../store/writer.ts'
import type { Change, Plan } from './diff.ts'
import { extractFile } from './facts-of.ts'
import { isFresh } from './fresh.ts'
import type { Place } from './place.ts'

export interface RefreshReport {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Same content, extracted again because an extractor, the configuration or the file's families changed. */
  readonly reextracted: readonly string[]
  readonly unchanged: number
  /** Files whose bytes were read to prove that they had not changed. */
  readonly checked: number
  /** Rows written per table. */
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Writes what `plan` says, inside a transaction of its own. Returns null, having written nothing, if the index moved
 * on since the plan was made: then scan and plan again. Throws UserError busy, disk-full, read-only, corrupt.
 */
export function refresh(store: Store, place: Place, plan: Plan, { now, talk }: World): RefreshReport | null {
  const { root, config, configNote } = place
  const context: ExtractContext = { config, layout: plan.layout }
  return store.write(() => {
    if (getGeneration(store, META.generation) !== plan.generation) return null
    const writer = new Writer(store)
    if (plan.fingerprints.size > 0) writeVocabulary(store)
    const outcome: Outcome = { added: [], changed: [], removed: [], reextracted: [] }
    const compare = plan.changes.size <= FEW
    const bits = bitsOf(plan.families)
    const touched = [...plan.changes.values()].filter(({ row }) => row !== null && (row.family & bits) !== 0)
    const unchanged = countFiles(store, bits) - touched.length
    const tainted = new Set<string>()
    let moved = 0
    let altered = 0
    let done = 0
    for (const change of plan.changes.values()) {
      talk.progress('indexing', done++, plan.changes.size)
      const families = change.bits | (change.row?.family ?? 0)
      moved |= families
      const { asListed, sameFacts } = carryOut(writer, root, context, change, now, outcome, compare)
      if (!asListed) tainted.add(dirOfKey(change.key))
      if (!sameFacts || change.row?.family !== change.bits) altered |= families
    }
    talk.progress('indexing', plan.changes.size, plan.changes.size)
    recordWitnesses(writer, plan)
    recordDirs(writer, plan, tainted)
    recordStamps(writer, plan, tainted)
    for (const [family, fingerprint] of plan.fingerprints) writer.setMeta(fingerprintName(family), fingerprint)
    if (configNote !== null && getMeta(store, META.config) !== configNote) writer.setMeta(META.config, configNote)
    if (!isFresh(plan)) {
      const next = String(plan.generation + 1)
      writer.setMeta(META.generation, next)
      const anew = [...plan.fingerprints.keys()]
      for (const family of new Set([...familiesOf(moved), ...anew])) writer.setMeta(generationName(family), next)
      for (const family of new Set([...familiesOf(altered), ...anew])) writer.setMeta(factsName(family), next)
    }
    for (const keys of Object.values(outcome)) keys.sort()
    return { ...outcome, unchanged, checked: plan.read, rows: writer.finish() }
  })
}

type Outcome = Record<'added' | 'changed' | 'removed' | 'reextracted', string[]>

/** Up to so many changes it is asked whether facts became others, which spares who asks next a look at everything. */
const FEW = 50

const UNLISTED = nameOnly('', FILE_STATE.ok)

interface Carried {
  /** False where the file is not as it was listed, so that its folder's digest must not vouch for it. */
  readonly asListed: boolean
  readonly sameFacts: boolean
}

/** Writes one change. */
function carryOut(
  writer: Writer,
  root: string,
  context: ExtractContext,
  { key, kind, bits, row, listed }: Change,
  now: () => number,
  outcome: Outcome,
  compare: boolean,
): Carried {
  // A file that a family outside this scan holds too is extracted for that one as well, if it is still there.
  const before = kind === 'reextract' ? row : null
  const extracted = bits === 0 ? null : extractFile(root, key, bits, listed ?? UNLISTED, context, before, now())
  if (extracted === null) {
    if (row !== null) {
      writer.removeFile(key)
      outcome.removed.push(key)
    }
    return { asListed: bits === 0, sameFacts: false }
  }
  const sameFacts = !writer.replaceFile(extracted.record, extracted.facts, compare)
  if (kind === 'added') outcome.added.push(key)
  else if (kind === 'changed' || extracted.sameContent === false) outcome.changed.push(key)
  else outcome.reextracted.push(key)
  return { asListed: extracted.asListed, sameFacts }
}

/** Same bytes under a new witness: the row learns it, so that the next proof need not read again. */
function recordWitnesses(writer: Writer, plan: Plan): void {
  for (const { key, row, witness } of plan.touches.values()) {
    // The bytes were read after the scan began, so a stat that is too young for the scan is too young here.
    const { oid } = witness
    const stat = witness.stat === null || isRacy(witness.stat, plan.scannedAt) ? null : statBytes(witness.stat)
    writer.touchFile({ key, family: row.family, size: row.size, stat, oid, state: row.state })
  }
}

function recordDirs(writer: Writer, plan: Plan, tainted: ReadonlySet<string>): void {
  const written = new Set<string>()
  for (const { family, path, files, digest } of plan.dirs) {
    const bit = FAMILY_BIT[family]
    written.add(`${bit}:${path}`)
    if (files === null) writer.removeDir(bit, path)
    else writer.setDir(bit, path, files, tainted.has(path) ? null : digest)
  }
  for (const dir of tainted) {
    for (const family of plan.families) {
      if (!written.has(`${FAMILY_BIT[family]}:${dir}`)) writer.taintDir(FAMILY_BIT[family], dir)
    }
  }
  // Folders of families that were not scanned now cannot vouch for files that were rewritten on the way.
  for (const change of plan.changes.values()) {
    for (const family of unscanned(plan, change)) writer.taintDir(FAMILY_BIT[family], dirOfKey(change.key))
  }
}

/** A stamp stands for folders that all vouch for their rows, of the one family and of the other. */
function recordStamps(writer: Writer, plan: Plan, tainted: ReadonlySet<string>): void {
  for (const [family, stamp] of plan.stamps) writer.setMeta(stampName(family), tainted.size === 0 ? stamp : null)
  const others = new Set([...plan.changes.values()].flatMap((change) => unscanned(plan, change)))
  for (const family of others) writer.setMeta(stampName(family), null)
}

/** Families outside the scan that hold the file. */
function unscanned(plan: Plan, { row, bits }: Change): Family[] {
  return familiesOf((row?.family ?? 0) | bits).filter((family) => !plan.families.includes(family))
}
