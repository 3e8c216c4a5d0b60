// A process of its own that updates a ledger from a pier written as JSON: bundled by update-processes.test.ts, run by plain Node.

import { readFileSync } from 'node:fs'
import type { UpdateMode } from '../../src/ledger/update.ts'
import { UserError } from '../../src/model/errors.ts'
import { openStore, type StoreLocation } from '../../src/store/open.ts'
import { update } from './harbour.ts'
import { Pier, type PierState } from './pier.ts'

export interface ChildInput {
  readonly location: StoreLocation
  /** A file with the state of the pier. */
  readonly pier: string
  readonly mode: UpdateMode
  /** Milliseconds since 1970 at which to begin. */
  readonly at: number
}

const { location, pier, mode, at } = JSON.parse(process.argv[2] ?? '') as ChildInput
while (Date.now() < at) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
const store = openStore(location, { busyMs: 60_000, create: true })
update(store, Pier.from(JSON.parse(readFileSync(pier, 'utf8')) as PierState), mode)
  .then((report) => process.stdout.write(JSON.stringify(report)))
  .catch((error: unknown) => {
    process.stderr.write(error instanceof UserError ? `${error.code}: ${error.message}` : String(error))
    process.exitCode = 1
  })
  .finally(() => store.close())
