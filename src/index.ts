// The library façade: what other programs may import. Plain data and functions; everything else is private.
// The command line uses the same functions.

export { findPlace, type Place } from './indexing/place.ts'
export type { RefreshReport } from './indexing/refresh.ts'
export {
  type Condition,
  type Index,
  openIndex,
  type Policy,
  updateIndex,
} from './indexing/session.ts'
export { indexedCorpusHash, withFingerprint } from './indexing/spec-hash.ts'
export { type Clock, SILENT, type Talk, type World } from './model/clock.ts'
export { type Config, DEFAULT_CONFIG } from './model/config.ts'
export { type ErrorCode, UserError } from './model/errors.ts'
export { FAMILIES, type Family } from './model/families.ts'
export { VERSION } from './model/version.ts'
export { EDGE_TYPES, KINDS, type SpecMode } from './model/vocabulary.ts'
