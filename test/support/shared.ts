// Finds the material that lies beside the project (cases, corpora, behaviour sheets) and is no part of it.
// A fork has no such folder: there the tests that need it are skipped, with the reason printed once.
// On our own CI (CI=true) a missing folder is a failure, unless SPECDEX_WITHOUT_SHARED=1 says that it is meant.

import { existsSync } from 'node:fs'
import path from 'node:path'

const FOLDER: string = path.resolve(import.meta.dirname, '../../../shared')

const told = new Set<string>()

/**
 * Absolute path of something below `../shared`, or null where it is absent; then say `test.skipIf(found === null)`.
 * Throws on CI, so that a run which silently tested nothing cannot pass.
 */
export function shared(relative: string): string | null {
  const wanted = path.join(FOLDER, relative)
  if (existsSync(wanted)) return wanted
  const reason = `../shared/${relative} is not there`
  if (process.env.CI === 'true' && process.env.SPECDEX_WITHOUT_SHARED !== '1') throw new Error(reason)
  if (!told.has(relative)) console.warn(`skipped because ${reason}`)
  told.add(relative)
  return null
}
