// The spec corpus fingerprint of the contract, as the index knows it. By contract it covers every byte of the corpus,
// so it is computed once per generation of the spec family and kept.

import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import { compareUtf16 } from '../model/order.ts'
import { displayPath } from '../model/source-key.ts'
import { fingerprintOf } from '../scan/corpus.ts'
import { generationName, getMeta, META, setMeta } from '../store/meta.ts'
import type { Store } from '../store/open.ts'
import { specFiles } from '../store/queries/spec-files.ts'
import { isContentOf } from './compare.ts'
import type { Place } from './place.ts'
import { type Index, openIndex } from './session.ts'

/**
 * `builtFromHash` of the indexed spec corpus, 64 small hex digits. Computed from disk when this generation has none
 * yet, and kept in the index where it can be written. Throws UserError 'busy' if a source changes meanwhile.
 * Source: seed 000 "`builtFromHash` — input fingerprint".
 */
export function indexedCorpusHash(index: Index): string {
  const { store, place } = index
  const generation = getMeta(store, generationName('spec')) ?? '0'
  const kept = getMeta(store, META.specHash)?.split(':')
  if (kept?.[0] === generation && kept[1] !== undefined) return kept[1]
  const rows = new Map(specFiles(store).map((row) => [row.key, row]))
  const files = [...rows.keys()]
    .map((key) => ({ key, path: displayPath(key) }))
    .sort((a, b) => compareUtf16(a.path, b.path))
  const hash = fingerprintOf(place.root, files, (key, read) => {
    // A fingerprint of newer bytes beside older facts would call a stale document fresh.
    const row = rows.get(key)
    if (row !== undefined && isContentOf(place.root, key, read, row)) return
    throw new UserError('busy', `${displayPath(key)} changed while the corpus was being read`, 'run the command again')
  })
  if (store.writable) keep(store, generation, hash)
  return hash
}

/** A corpus that is being edited is read again at least this often, and then as long as one may wait. */
const ATTEMPTS = 10
/** From this attempt on no other process may move the index between the fingerprint and its use. */
const ALONE_FROM = 6

/**
 * Proves the spec family, then calls `use` with an index and the fingerprint of exactly what it holds, both of one
 * generation. Throws what openIndex throws, and UserError 'busy' where the corpus does not come to rest.
 */
export async function withFingerprint<T>(
  place: Place,
  world: World,
  use: (index: Index, hash: string) => T,
): Promise<T> {
  const started = world.now()
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= ATTEMPTS && world.now() - started >= place.config.limits.busy_ms
    const index = await openIndex(place, ['spec'], 'repair', world)
    try {
      if (attempt >= ALONE_FROM) return await alone(index, use)
      const generation = getMeta(index.store, generationName('spec'))
      const hash = indexedCorpusHash(index)
      const done = index.store.read(() =>
        getMeta(index.store, generationName('spec')) === generation ? { value: use(index, hash) } : null,
      )
      if (done !== null) return done.value
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'busy' || last) throw error
    } finally {
      index.close()
    }
  }
}

/** Hashes and uses in one transaction: writers wait meanwhile, so that nobody can be faster. */
async function alone<T>(index: Index, use: (index: Index, hash: string) => T): Promise<T> {
  const { store } = index
  const both = (): T => use(index, indexedCorpusHash(index))
  return store.writable ? store.hold(async () => both()) : store.read(both)
}

function keep(store: Store, generation: string, hash: string): void {
  store.keep(() => {
    // Another process may have moved the index on since: then this hash is nobody's.
    if ((getMeta(store, generationName('spec')) ?? '0') === generation) {
      setMeta(store, META.specHash, `${generation}:${hash}`)
    }
  })
}
