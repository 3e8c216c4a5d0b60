// Making folders: a recursive mkdir of Node never returns below /proc, so ours makes them one by one.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { tempFolder } from '../support/temp.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

test('nothing in src makes folders with a recursive mkdir', () => {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  expect(files.length).toBeGreaterThan(100)
  const guilty = files.filter((file) =>
    /mkdir(Sync)?\([^)]*recursive/.test(readFileSync(path.join(ROOT, 'src', file), 'utf8')),
  )
  expect(guilty).toEqual([])
})

test.skipIf(!existsSync('/proc/self'))('a place where no folder can be made is an error, and soon', async () => {
  const root = tempFolder('folders')
  const fixture = path.join(ROOT, 'fixtures/ledger')
  const repo = ['--repo', 'corner-bakery/bakery']
  expect((await runHere(['ledger', 'update', ...repo, '--from', fixture, '--quiet'], { cwd: root })).code).toBe(0)
  const ran = await runHere(['ledger', 'export', '/proc/shelf', ...repo], { cwd: root })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('cannot write the export')
})
