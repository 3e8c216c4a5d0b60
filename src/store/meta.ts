// Names and values of the `meta` table: generations, fingerprints, cached values. Values are text.
// Nobody else spells a meta name. None of this is part of the logical dump.

import type { Family } from '../model/families.ts'
import type { Store } from './store.ts'

export const META = {
  /** Counts refreshes that changed something; text of an integer. */
  generation: 'generation',
  /** `<generation.spec>:<sha256>`: builtFromHash of the spec family, once somebody asked for it. */
  specHash: 'spec.hash',
  /** What is known of the whole artifact graph at some generation: artifact/verdict.ts. */
  verdict: 'artifact.verdict',
  /** Commit up to which the renames of files were read. */
  renamesHead: 'ledger.renames.head',
  /** From which time on history was there when they were read: text of a number (ledger/git-history.ts historyStart). */
  renamesStart: 'ledger.renames.start',
  /** `<sha256 of the bytes of config.yml>:<JSON>`: the parsed configuration, because YAML costs 9 ms. */
  config: 'config',
} as const

/** Counts the refreshes that changed the family. */
export function generationName(family: Family): string {
  return `generation.${family}`
}

/** The generation in which facts of the family became others, or files came or went; an edit need not do either. */
export function factsName(family: Family): string {
  return `facts.${family}`
}

/** Extractor version and configuration that the family's facts were made with. */
export function fingerprintName(family: Family): string {
  return `fingerprint.${family}`
}

/** By what the scan may recognise the family without looking at its folders (scan/stamp.ts). */
export function stampName(family: Family): string {
  return `stamp.${family}`
}

/** JSON list of a repository's issues that the ledger fetches again whatever their time stamps say. */
export function unsettledName(repo: string): string {
  return `ledger.unsettled.${repo}`
}

/** From which time on history was there when the repository's anchors were made: text of a number, as renamesStart. */
export function anchorsStartName(repo: string): string {
  return `ledger.anchors.start.${repo}`
}

/** JSON list of the files that record decisions of a repository's issues, as the last update of the ledger saw them. */
export function decisionsName(repo: string): string {
  return `ledger.decisions.${repo}`
}

export const GET_META_SQL = 'SELECT value FROM meta WHERE name = ?'
export const SET_META_SQL =
  'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
export const DELETE_META_SQL = 'DELETE FROM meta WHERE name = ?'

/** The value, or null where there is none. */
export function getMeta(store: Store, name: string): string | null {
  return store.read(() => store.prepare<[string], { value: string | null }>(GET_META_SQL).get(name)?.value ?? null)
}

/** A generation: 0 where nothing was ever written. */
export function getGeneration(store: Store, name: string): number {
  return Number(getMeta(store, name) ?? 0)
}

/** Sets or (null) removes a value. Inside store.write() only. */
export function setMeta(store: Store, name: string, value: string | null): void {
  if (value === null) store.prepare(DELETE_META_SQL).run(name)
  else store.prepare(SET_META_SQL).run(name, value)
}
