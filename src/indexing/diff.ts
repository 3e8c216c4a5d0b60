// Compares a scan with what the index holds, and says what a refresh would have to do. Rows are read only of folders
// whose digest differs, and bytes only where neither git nor a trustworthy time stamp decides. Writes nothing.
// The surprise: files are read after the snapshot is let go of, because a reader's lock would shut writers out; that
// the index moved on meanwhile shows in its generation when the plan is carried out.

import { FAMILY_BIT, type Family, familiesOf } from '../model/families.ts'
import type { Layout } from '../model/layout.ts'
import { dirOfKey, joinKey } from '../model/source-key.ts'
import {
  type FullListing,
  type ListedDir,
  type ListedFile,
  type Listing,
  type PartListing,
  statBytes,
} from '../scan/listing.ts'
import { fingerprintName, getGeneration, getMeta, META, stampName } from '../store/meta.ts'
import type { Store } from '../store/open.ts'
import { type DirRow, dirRow, dirRows } from '../store/queries/dirs.ts'
import { type FileRow, fileRows, rowsBelow } from '../store/queries/files-in-dir.ts'
import { judge, type Verdict, type Witness } from './compare.ts'

/** Why a file's facts must be written again. */
export type ChangeKind = 'added' | 'changed' | 'removed' | 'reextract'

export interface Change {
  readonly key: string
  readonly kind: ChangeKind
  /** Families the file belongs to afterwards (bit set); 0 for removed. */
  readonly bits: number
  readonly row: FileRow | null
  /** Null where no scanned family lists the file. */
  readonly listed: ListedFile | null
}

/** Same content, other witness: only bookkeeping would change. */
export interface Touch {
  readonly key: string
  readonly row: FileRow
  readonly witness: Witness
}

export interface DirChange {
  readonly family: Family
  readonly path: string
  /** Files in the folder; null: the folder is gone. */
  readonly files: number | null
  /** Null: cannot vouch. */
  readonly digest: Buffer | null
}

export interface Plan {
  /** Families that were scanned. */
  readonly families: readonly Family[]
  readonly changes: ReadonlyMap<string, Change>
  readonly touches: ReadonlyMap<string, Touch>
  readonly dirs: readonly DirChange[]
  /** Families whose extractors or configuration changed, or that were never indexed: family → new fingerprint. */
  readonly fingerprints: ReadonlyMap<Family, string>
  /** Families that the index has never held. */
  readonly absent: readonly Family[]
  /** By what the next scan may recognise each family; null where only the long way proves it. */
  readonly stamps: ReadonlyMap<Family, string | null>
  /** Files whose bytes had to be read to decide. */
  readonly read: number
  /** Generation that the rows were read at. */
  readonly generation: number
  /** When the scan began, milliseconds. */
  readonly scannedAt: number
  /** Where artifacts and sources lay at the scan; empty where no family asked. */
  readonly layout: Layout
}

export interface DiffOptions {
  readonly layout: Layout
  /** Current fingerprint of each family that was scanned. */
  readonly fingerprints: ReadonlyMap<Family, string>
  /** When the scan began, milliseconds. */
  readonly scannedAt: number
  /** Plan to write every file again. */
  readonly everything: boolean
  /** Read bytes rather than leave a file that every proof has to look at (see judge). */
  readonly settle: boolean
}

/**
 * Plans the refresh of the families of `listings`. Null where a listing says no more than its stamp, and the index is
 * no longer the one that the stamp came from: then scan again without it.
 */
export function diff(store: Store, root: string, listings: readonly Listing[], options: DiffOptions): Plan | null {
  const read = store.read(() => (stampsHold(store, listings) ? readDrafts(store, listings, options) : null))
  return read === null ? null : planOf(root, listings, read.generation, read.drafts, options)
}

function stampsHold(store: Store, listings: readonly Listing[]): boolean {
  return listings.every((each) => each.dirs !== null || getMeta(store, stampName(each.family)) === each.basis)
}

function planOf(
  root: string,
  listings: readonly Listing[],
  generation: number,
  drafts: readonly Draft[],
  options: DiffOptions,
): Plan {
  const edits = new Edits()
  const touches = new Map<string, Touch>()
  const dirs: DirChange[] = []
  // Families with rows that git's word on the index does not prove.
  const unproved = new Set<Family>()
  const judged = new Judge(root, options.settle)
  for (const { family, again, compared, missing, goneDirs, looked } of drafts) {
    const bit = FAMILY_BIT[family]
    for (const { dir, before, files } of compared) {
      let vouchable = true
      for (const { key, file, row } of files) {
        if (row === null || (row.family & bit) === 0) {
          edits.add(key, row, bit, file)
          continue
        }
        // Extracting again settles what reading would.
        const verdict = again ? null : judged.of(key, file, row)
        if (verdict === null) edits.mark(key, row, 'reextract', file)
        else if (!verdict.same) edits.mark(key, row, 'changed', file)
        else {
          vouchable &&= verdict.vouchable
          if (file.blob !== null && !verdict.vouchable) unproved.add(family)
          if (verdict.witness !== null) touches.set(key, { key, row, witness: verdict.witness })
        }
      }
      const digest = vouchable ? dir.digest : null
      const recorded = before !== undefined && before.files === dir.count && sameDigest(before.digest, digest)
      if (!recorded) dirs.push({ family, path: dir.path, files: dir.count, digest })
    }
    for (const row of missing) edits.drop(row, bit)
    for (const path of goneDirs) dirs.push({ family, path, files: null, digest: null })
    // By folder: how many files more it has. Its digest was about other contents.
    const moved = new Map<string, number>()
    const move = (key: string, by: number): void => void moved.set(dirOfKey(key), (moved.get(dirOfKey(key)) ?? 0) + by)
    for (const { key, file, row } of looked?.files ?? []) {
      const held = row !== null && (row.family & bit) !== 0
      if (file === null) {
        if (!held) continue
        edits.drop(row, bit)
        move(key, -1)
      } else if (!held) {
        edits.add(key, row, bit, file)
        move(key, 1)
      } else {
        const verdict = judged.of(key, file, row)
        if (!verdict.same) {
          edits.mark(key, row, 'changed', file)
          move(key, 0)
        } else if (verdict.witness !== null) touches.set(key, { key, row, witness: verdict.witness })
      }
    }
    for (const [path, by] of moved) {
      const files = (looked?.dirs.get(path)?.files ?? 0) + by
      dirs.push({ family, path, files: files > 0 ? files : null, digest: null })
    }
  }
  const changes = edits.finish(listings)
  // A file that is written anew gets the witness of what is read then: it may be another one by that time, or gone.
  for (const key of changes.keys()) touches.delete(key)
  return {
    families: listings.map((listing) => listing.family),
    changes,
    touches,
    dirs,
    fingerprints: new Map(drafts.flatMap(({ family, again, fingerprint }) => (again ? [[family, fingerprint]] : []))),
    absent: drafts.filter((draft) => draft.absent).map((draft) => draft.family),
    stamps: new Map(listings.map(({ family, stamp }) => [family, unproved.has(family) ? null : stamp])),
    read: judged.read,
    generation,
    scannedAt: options.scannedAt,
    layout: options.layout,
  }
}

/** Verdicts on files, each made once: what two families list with one witness is looked at for both. */
class Judge {
  /** Files whose bytes were read. */
  read = 0
  readonly #root: string
  readonly #settle: boolean
  readonly #known = new Map<string, { readonly file: ListedFile; readonly verdict: Verdict }>()

  constructor(root: string, settle: boolean) {
    this.#root = root
    this.#settle = settle
  }

  of(key: string, file: ListedFile, row: FileRow): Verdict {
    const known = this.#known.get(key)
    if (known !== undefined && isSameWitness(known.file, file)) return known.verdict
    const verdict = judge(this.#root, key, file, row, this.#settle)
    if (verdict.same && verdict.read) this.read++
    this.#known.set(key, { file, verdict })
    return verdict
  }
}

function isSameWitness(a: ListedFile, b: ListedFile): boolean {
  if (a.state !== b.state || a.size !== b.size || !sameDigest(a.blob, b.blob)) return false
  return a.stat === null || b.stat === null ? a.stat === b.stat : statBytes(a.stat).equals(statBytes(b.stat))
}

interface Compared {
  readonly key: string
  readonly file: ListedFile
  readonly row: FileRow | null
}

/** What one family's listing and rows say, before any byte is read. */
interface Draft {
  readonly family: Family
  readonly fingerprint: string
  /** The fingerprint differs, or everything is to be written again. */
  readonly again: boolean
  readonly absent: boolean
  readonly compared: readonly {
    readonly dir: ListedDir
    readonly before: DirRow | undefined
    readonly files: readonly Compared[]
  }[]
  /** Rows whose file the scan did not find. */
  readonly missing: readonly FileRow[]
  readonly goneDirs: readonly string[]
  /** Where only some files were looked at: those, and their folders. */
  readonly looked: {
    readonly files: readonly { readonly key: string; readonly file: ListedFile | null; readonly row: FileRow | null }[]
    readonly dirs: ReadonlyMap<string, DirRow>
  } | null
}

function readDrafts(
  store: Store,
  listings: readonly Listing[],
  options: DiffOptions,
): { generation: number; drafts: Draft[] } {
  const generation = getGeneration(store, META.generation)
  const drafts = listings.map((each) =>
    each.dirs === null ? readPart(store, each, options) : readDraft(store, each, generation > 0, options),
  )
  return { generation, drafts }
}

/** Nothing but the files that were looked at can have changed, nor has what makes facts of them. */
function readPart(store: Store, { family, files }: PartListing, { fingerprints }: DiffOptions): Draft {
  const keys = [...files.keys()]
  const rows = fileRows(store, keys)
  const looked = {
    files: [...files].map(([key, file]) => ({ key, file, row: rows.get(key) ?? null })),
    dirs: new Map(
      [...new Set(keys.map(dirOfKey))].flatMap((path) => {
        const row = dirRow(store, FAMILY_BIT[family], path)
        return row === undefined ? [] : [[path, row] as const]
      }),
    ),
  }
  const fingerprint = fingerprints.get(family) ?? ''
  return { family, fingerprint, again: false, absent: false, compared: [], missing: [], goneDirs: [], looked }
}

function readDraft(store: Store, { family, dirs }: FullListing, hasRows: boolean, options: DiffOptions): Draft {
  const bit = FAMILY_BIT[family]
  const fingerprint = options.fingerprints.get(family) ?? ''
  const stored = getMeta(store, fingerprintName(family))
  const again = options.everything || stored !== fingerprint
  const known: ReadonlyMap<string, DirRow> = dirRows(store, bit)
  const compared: Draft['compared'][number][] = []
  const missing: FileRow[] = []
  for (const dir of dirs.values()) {
    const before = known.get(dir.path)
    const proved = before?.files === dir.count && before.digest !== null && sameDigest(before.digest, dir.digest)
    if (proved && !again) continue
    const listed = dir.files()
    const keys = listed.map((file) => joinKey(dir.path, file.name))
    const rows: ReadonlyMap<string, FileRow> = hasRows ? fileRows(store, keys) : NO_ROWS
    const files = listed.map((file, i): Compared => {
      const key = keys[i] ?? ''
      return { key, file, row: rows.get(key) ?? null }
    })
    compared.push({ dir, before, files })
    const held = files.filter(({ row }) => row !== null && (row.family & bit) !== 0).length
    if (before !== undefined && held < before.files) {
      const found = new Set(keys)
      for (const row of rowsBelow(store, dir.path, bit)) if (!found.has(row.key)) missing.push(row)
    }
  }
  const goneDirs = [...known.keys()].filter((path) => !dirs.has(path))
  for (const path of goneDirs) missing.push(...rowsBelow(store, path, bit))
  return { family, fingerprint, again, absent: stored === null, compared, missing, goneDirs, looked: null }
}

const NO_ROWS: ReadonlyMap<string, FileRow> = new Map()

function sameDigest(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b)
}

interface Pending {
  readonly key: string
  readonly row: FileRow | null
  add: number
  drop: number
  changed: boolean
  listed: ListedFile | null
}

/** Gathers what each family says of a file into one change. */
class Edits {
  readonly #pending = new Map<string, Pending>()

  /** The family of `bit` lists the file and has no facts of it. */
  add(key: string, row: FileRow | null, bit: number, listed: ListedFile): void {
    const entry = this.#entry(key, row)
    entry.add |= bit
    entry.listed = listed
  }

  /** The family has facts of the file that must be written again. */
  mark(key: string, row: FileRow, kind: 'changed' | 'reextract', listed: ListedFile): void {
    const entry = this.#entry(key, row)
    entry.changed ||= kind === 'changed'
    entry.listed = listed
  }

  /** The family has facts of a file that it lists no more. */
  drop(row: FileRow, bit: number): void {
    this.#entry(row.key, row).drop |= bit
  }

  finish(listings: readonly Listing[]): Map<string, Change> {
    const changes = new Map<string, Change>()
    const find = finder(listings)
    for (const { key, row, add, drop, changed, listed } of this.#pending.values()) {
      const bits = ((row?.family ?? 0) & ~drop) | add
      const kind = row === null ? 'added' : bits === 0 ? 'removed' : changed ? 'changed' : 'reextract'
      // Dropped by one family and still another's: its facts are written again for what remains.
      changes.set(key, { key, kind, bits, row, listed: listed ?? (bits === 0 ? null : find(key, bits)) })
    }
    return changes
  }

  #entry(key: string, row: FileRow | null): Pending {
    let entry = this.#pending.get(key)
    if (entry === undefined) {
      entry = { key, row, add: 0, drop: 0, changed: false, listed: null }
      this.#pending.set(key, entry)
    }
    return entry
  }
}

/** Looks files up in the listings of some families; a folder's files are made once. */
function finder(listings: readonly Listing[]): (key: string, bits: number) => ListedFile | null {
  const made = new Map<ListedDir, ReadonlyMap<string, ListedFile>>()
  return (key, bits) => {
    const families = familiesOf(bits)
    for (const listing of listings) {
      if (!families.includes(listing.family)) continue
      if (listing.dirs === null) {
        const file = listing.files.get(key) ?? null
        if (file !== null) return file
        continue
      }
      const dir = listing.dirs.get(dirOfKey(key))
      if (dir === undefined) continue
      const byName = made.get(dir) ?? new Map(dir.files().map((file) => [file.name, file]))
      made.set(dir, byName)
      const file = byName.get(dir.path === '' ? key : key.slice(dir.path.length + 1))
      if (file !== undefined) return file
    }
    return null
  }
}
