// What both vitest configurations share. Every test file gets a process of its own, since some change the working
// directory, limits or signals; the tests spawn further processes, so there are never more workers than cores.

import { availableParallelism } from 'node:os'
import path from 'node:path'

export const COMMON: {
  readonly root: string
  readonly pool: 'forks'
  readonly maxWorkers: number
  readonly globalSetup: string
  readonly testTimeout: number
  readonly hookTimeout: number
  readonly disableConsoleIntercept: boolean
} = {
  root: path.resolve(import.meta.dirname, '..'),
  pool: 'forks',
  maxWorkers: Math.min(4, availableParallelism()),
  globalSetup: path.join(import.meta.dirname, 'global-setup.ts'),
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // "skipped because …" lines appear as they are, without a stack.
  disableConsoleIntercept: true,
}
