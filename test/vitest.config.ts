// `npm test`: every test but the long ones. Paths are relative to the project, wherever vitest was started.

import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { COMMON } from './vitest.common.ts'

export default defineConfig({
  test: {
    ...COMMON,
    name: 'short',
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.long.test.ts'],
    coverage: { reportsDirectory: path.join(COMMON.root, 'coverage'), include: ['src/**/*.ts'] },
  },
})
