// `npm run test:long`: the `*.long.test.ts` files, and once more at full size every test file whose size is
// adjustable: support/effort.ts is among what it imports, itself or by way of what several test files share.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { COMMON } from './vitest.common.ts'

const EFFORT = path.join(import.meta.dirname, 'support/effort.ts')

function adjustable(): string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.long.test.ts'))
    .filter((file) => asksForEffort(path.join(import.meta.dirname, file), new Set()))
    .map((file) => `test/${file.replaceAll(path.sep, '/')}`)
}

/** True where effort.ts is imported from here, through modules of the tests. */
function asksForEffort(file: string, seen: Set<string>): boolean {
  if (file === EFFORT) return true
  // Texts that a test is about may speak of files that are none.
  if (seen.has(file) || !file.startsWith(import.meta.dirname) || !existsSync(file)) return false
  seen.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/ from '(\.[^']*\.ts)'/g)
  return [...imports].some(([, name = '']) => asksForEffort(path.resolve(path.dirname(file), name), seen))
}

export default defineConfig({
  test: {
    ...COMMON,
    name: 'long',
    env: { SPECDEX_LONG: '1' },
    include: ['test/**/*.long.test.ts', ...adjustable()],
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
  },
})
