// What `doctor` asks about the index: is the file sound, what lies beside it, is its place a good one. It only looks;
// what follows from it, and which command helps, is said by the command line.
// Load it with import(), as it brings drizzle along.

import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { asc } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { COMPANIONS, repairMutex } from './aside.ts'
import type { StoreLocation } from './header.ts'
import { MIGRATIONS } from './migrations.generated.ts'
import { GITIGNORE_LINES } from './open.ts'
import { migration } from './schema.ts'
import { isCorruption, toUserError } from './sqlite-errors.ts'
import type { Store } from './store.ts'

export interface StoreHealth {
  /** Empty where SQLite's integrity check is content; else its first complaints. */
  readonly complaints: readonly string[]
  readonly applicationId: number
  /** Migrations that the index has, by name and in order. */
  readonly migrations: readonly string[]
  /** Migrations that this program has. */
  readonly knownMigrations: number
  readonly sqliteVersion: string
  readonly journalMode: string
  readonly pageSize: number
  readonly pages: number
  /** Pages that hold nothing; a snapshot is smaller by these. */
  readonly freePages: number
  readonly bytes: number
}

const MOST_COMPLAINTS = 10

/** Reads every page: seconds on a large index. A damaged index is an answer and no error. Throws UserError `busy`. */
export function storeHealth(store: Store): StoreHealth {
  // Outside the transaction: one in which SQLite met damage cannot be committed.
  const complaints = complaintsOf(store)
  return store.read(() => {
    const value = (name: string): unknown => store.db.pragma(name, { simple: true })
    const pageSize = Number(value('page_size'))
    const pages = Number(value('page_count'))
    return {
      complaints,
      applicationId: Number(value('application_id')),
      migrations: migrationsOf(store),
      knownMigrations: MIGRATIONS.length,
      sqliteVersion: String(store.db.prepare('SELECT sqlite_version()').pluck().get()),
      journalMode: String(value('journal_mode')),
      pageSize,
      pages,
      freePages: Number(value('freelist_count')),
      bytes: pageSize * pages,
    }
  })
}

function complaintsOf(store: Store): string[] {
  try {
    const rows = store.db.pragma(`integrity_check(${MOST_COMPLAINTS})`) as { integrity_check: string }[]
    const said = rows.map((row) => row.integrity_check)
    return said.length === 1 && said[0] === 'ok' ? [] : said
  } catch (error) {
    // Some damage stops the check itself.
    if (isCorruption(error) && error instanceof Error) return [error.message]
    throw toUserError(error, { path: store.location.path, busyMs: store.busyMs })
  }
}

function migrationsOf(store: Store): string[] {
  const rows = drizzle(store.db).select({ name: migration.name }).from(migration).orderBy(asc(migration.id)).all()
  return rows.map((row) => row.name)
}

export interface PlaceHealth {
  /** Journals beside the index with their sizes: a writer at work, a killed one, or a visit in WAL mode. */
  readonly companions: readonly { readonly name: string; readonly bytes: number }[]
  /** Names of damaged indexes that were moved aside, oldest first. */
  readonly movedAside: readonly string[]
  /** Lock files of killed runs; harmless. */
  readonly leftovers: readonly string[]
  /** Lines that `.gitignore` in the index folder lacks; null where the place is not ours to care for. */
  readonly missingIgnores: readonly string[] | null
  readonly fileSystem: FileSystem
}

/** Looks at the folder of the index. A folder that is not there has nothing to report. */
export function placeHealth(location: StoreLocation): PlaceHealth {
  const folder = path.dirname(path.resolve(location.path))
  const name = path.basename(location.path)
  const names = existsSync(folder) ? readdirSync(folder) : []
  const aside = names
    .map((entry) => ({
      entry,
      n: entry.startsWith(`${name}.corrupt-`) ? Number(entry.slice(name.length + 9)) : Number.NaN,
    }))
    .filter(({ n }) => Number.isInteger(n))
    .sort((a, b) => a.n - b.n)
  return {
    companions: COMPANIONS.map((suffix) => `${name}${suffix}`)
      .filter((entry) => names.includes(entry))
      .map((entry) => ({
        name: entry,
        bytes: statSync(path.join(folder, entry), { throwIfNoEntry: false })?.size ?? 0,
      })),
    movedAside: aside.map(({ entry }) => entry),
    leftovers: names.filter((entry) => entry === path.basename(repairMutex(name))),
    missingIgnores: location.isDefault && names.length > 0 ? missingIgnores(folder) : null,
    fileSystem: existsSync(folder) ? fileSystemOf(statfsSync(folder).type) : fileSystemOf(0),
  }
}

function missingIgnores(folder: string): string[] {
  const file = path.join(folder, '.gitignore')
  const present = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const lines = new Set(present.map((line) => line.trim()))
  return GITIGNORE_LINES.filter((line) => !lines.has(line))
}

export interface FileSystem {
  readonly name: string
  /** `network`: locks may not hold between machines. `unsure`: FUSE may be anything. `local`: nothing known against. */
  readonly kind: 'network' | 'unsure' | 'local'
}

/** Linux `statfs` type numbers of file systems on which SQLite's locks cannot be relied upon. */
const FILE_SYSTEMS: Readonly<Record<number, FileSystem>> = {
  26985: { name: 'NFS', kind: 'network' },
  20859: { name: 'SMB', kind: 'network' },
  4283649346: { name: 'CIFS', kind: 'network' },
  4266872130: { name: 'SMB2', kind: 'network' },
  1702057286: { name: 'FUSE', kind: 'unsure' },
}

/** What a `statfs` type number stands for; the kernel's 32 bits may arrive signed. */
export function fileSystemOf(type: number): FileSystem {
  return FILE_SYSTEMS[type >>> 0] ?? { name: 'local', kind: 'local' }
}
