// What both vitest configurations share. The workers are processes, and each takes one test file after the other
// without loading our modules anew, which costs more than most of the files; so a test leaves its process as it found
// it. The tests spawn further processes, so there are never more workers than cores.

import { availableParallelism } from 'node:os'
import path from 'node:path'

export const COMMON: {
  readonly root: string
  readonly pool: 'forks'
  readonly isolate: boolean
  readonly setupFiles: string
  readonly maxWorkers: number
  readonly globalSetup: string
  readonly testTimeout: number
  readonly hookTimeout: number
  readonly disableConsoleIntercept: boolean
} = {
  root: path.resolve(import.meta.dirname, '..'),
  pool: 'forks',
  isolate: false,
  setupFiles: path.join(import.meta.dirname, 'support/tidy.ts'),
  maxWorkers: Math.min(4, availableParallelism()),
  globalSetup: path.join(import.meta.dirname, 'global-setup.ts'),
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // "skipped because …" lines appear as they are, without a stack.
  disableConsoleIntercept: true,
}
