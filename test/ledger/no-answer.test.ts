// Where GitHub cannot be asked: said once, and the process is over then. A timer that is left over would keep a closing
// step waiting long after the last line.

import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../support/run.ts'
import { tempFolder } from '../support/temp.ts'

test('without gh and without an answer, an update that may not block ends soon', { timeout: 60_000 }, async () => {
  const root = tempFolder('no-answer')
  // Node alone on the PATH: neither gh nor git.
  const bin = path.join(root, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, path.join(bin, 'node'))
  const api = ['--api', 'https://github.bakery.invalid/api/v3']
  const words = ['ledger', 'update', '--issue', '12', '--repo', 'bakers/oven', ...api, '--non-blocking']
  const ran = await runCli(words, { cwd: root, env: { PATH: bin }, timeout: 45_000 })
  expect(ran.stdout).toBe('')
  expect(ran.stderr).toMatch(/^warning: the ledger was not updated: .+\n$/)
  expect({ code: ran.code, signal: ran.signal }).toEqual({ code: 0, signal: null })
})
