// Where the ledger's commands work: the index file, the repository whose annotations are kept, and the filter that says
// whose count. The ledger is tied to no file of the tree, so nothing is proved fresh here.

import type { Place } from '../indexing/place.ts'
import { isRepository, repoOfRemote } from '../ledger/remote.ts'
import type { Trust } from '../ledger/trust.ts'
import { UserError } from '../model/errors.ts'
import { openStore, type Store } from '../store/open.ts'
import { ledgerState, storedName } from '../store/queries/ledger-state.ts'
import type { Io } from './io.ts'
import { placeOf } from './place.ts'

export interface LedgerPlace extends Place {
  /** `owner/name`. */
  readonly repo: string
  readonly trust: Trust
}

/**
 * The place, and the repository: that of `--repo`, else of the configuration, else of the remote, else the only one
 * that the ledger holds; spelled as the ledger spells it. Throws UserError usage, config, and what openStore() throws.
 */
export async function ledgerPlace(options: Record<string, unknown>, io: Io): Promise<LedgerPlace> {
  const place = await placeOf(options, io)
  const { ledger } = place.config
  const { trust } = options
  const named = typedRepo(options) ?? ledger.repo
  const associations = typeof trust === 'string' ? await associationsOf(trust) : ledger.trust
  const meant = named === '' ? ((await repoOfRemote(place.root, io.env)) ?? (await onlyRepo(place))) : named
  const repo = await inLedger(place, meant, (store) => storedName(store, meant))
  return { ...place, repo, trust: { associations, bots: ledger.trusted_bots } }
}

/** The value of `--repo`; null without it. Throws UserError usage where that is no name of a repository. */
export function typedRepo({ repo }: Record<string, unknown>): string | null {
  if (typeof repo !== 'string') return null
  if (repo === '') throw new UserError('usage', '--repo needs a value')
  if (!isRepository(repo)) throw new UserError('usage', `not a repository: ${repo}`, 'write it as owner/name')
  return repo
}

async function onlyRepo(place: Place): Promise<string> {
  const names = await inLedger(place, [], (store) => ledgerState(store).repos.map(({ name }) => name))
  const [name] = names
  if (name !== undefined && names.length === 1) return name
  const why = names.length === 0 ? 'no remote `origin` tells' : `the ledger holds ${names.join(', ')}`
  throw new UserError('usage', `which repository? ${why}`, 'name it with --repo owner/name, or in ledger.repo')
}

/** Held to the same words as `ledger.trust`, because a misspelt one would silently trust nobody. */
async function associationsOf(text: string): Promise<readonly string[]> {
  const trust = text.split(',').map((word) => word.trim().toUpperCase())
  const { parseConfig } = await import('../extract/config.ts')
  return parseConfig(JSON.stringify({ ledger: { trust } }), '--trust').ledger.trust
}

/** Opens the index for the ledger, and closes it when `use` is done. `create`: make it where there is none. */
export async function withLedger<T>(place: Place, create: boolean, use: (store: Store) => T | Promise<T>): Promise<T> {
  const store = openStore(place.location, { busyMs: place.config.limits.busy_ms, create })
  try {
    return await use(store)
  } finally {
    store.close()
  }
}

/** What a ledger that may not be there yet says; `nothing` where it is not. */
export async function inLedger<T>(place: Place, nothing: T, ask: (store: Store) => T | Promise<T>): Promise<T> {
  try {
    return await withLedger(place, false, ask)
  } catch (error) {
    if (error instanceof UserError && error.code === 'no-index') return nothing
    throw error
  }
}
