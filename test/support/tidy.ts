// Runs in front of every test file, though files share a process and its modules: see vitest.common.ts.

import { afterAll } from 'vitest'
import { removeLeftover } from './temp.ts'

afterAll(removeLeftover)
