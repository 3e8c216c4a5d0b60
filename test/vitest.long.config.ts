// `npm run test:long`: the `*.long.test.ts` files, and once more at full size every test file whose size is
// adjustable, which is known by its import of support/effort.ts or support/run-either.ts.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { COMMON } from './vitest.common.ts'

function adjustable(): string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.long.test.ts'))
    .filter((file) =>
      /from '[./]*\/support\/(?:effort|run-either)\.ts'/.test(
        readFileSync(path.join(import.meta.dirname, file), 'utf8'),
      ),
    )
    .map((file) => `test/${file.replaceAll(path.sep, '/')}`)
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
