// The handed replay program itself, against the built command line: 1,600 processes, a few minutes.

import path from 'node:path'
import { expect, test } from 'vitest'
import { childEnvironment } from '../support/environment.ts'
import { CLI, runProgram } from '../support/run.ts'
import { shared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { copyFolder, restoreLinks } from './cases.ts'

const CASES = shared('cases/spec-graph')
const MINUTE = 60_000

test.skipIf(CASES === null)('replay.mjs finds no difference', { timeout: 30 * MINUTE }, async () => {
  const copy = path.join(tempFolder('cases'), 'spec-graph')
  copyFolder(CASES ?? '', copy)
  restoreLinks(CASES ?? '', copy, null)
  const compat = '--compat forgedock-1.7'
  const env = childEnvironment({
    BUILD_WORDS: `spec build --stdout ${compat}`,
    HASH_WORDS: `spec build --hash ${compat}`,
    QUERY_WORDS: `spec ${compat}`,
    VALIDATE_WORDS: `spec validate ${compat}`,
    STDERR: '1',
    VERBOSE: '1',
    // The replay makes folders of its own.
    TMPDIR: tempFolder('replay'),
  })
  const words = [path.join(copy, 'replay.mjs'), copy, process.execPath, CLI]
  const { code, stdout } = await runProgram(process.execPath, words, { cwd: copy, env, timeout: 29 * MINUTE })
  expect(stdout).toMatch(/^1606 comparisons, 0 differences\n$/)
  expect(code).toBe(0)
})
