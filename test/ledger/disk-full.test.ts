// A disk that is full in the middle of an update: nothing that was there is lost, the message is one line, and the next
// update with room makes good.

import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { ledgerDump } from '../../src/store/queries/ledger-state.ts'
import { childEnvironment } from '../support/environment.ts'
import { CLI } from '../support/run.ts'
import { tempFolder, writeTree } from '../support/temp.ts'

const FIXTURE = path.resolve(import.meta.dirname, '../../fixtures/ledger')

/** Pages of text on one issue, so that its rows need more room than there is. */
function manyLessons(count: number): string {
  const comments = Array.from({ length: count }, (_, i) => ({
    id: 9000 + i,
    body: `<!-- FORGE:INVESTIGATOR -->\n**Verdict**: CONFIRMED\n\n### Root Cause\n${words(i)}\n\n<!-- INVESTIGATION:COMPLETE -->\n`,
    user: { login: 'baker' },
    author_association: 'OWNER',
    created_at: '2026-05-01T08:00:00Z',
    updated_at: '2026-05-01T08:00:00Z',
  }))
  const issue = { number: 900, title: 'Flood', state: 'closed', body: '', comments }
  return JSON.stringify([{ ...issue, created_at: '2026-05-01T08:00:00Z', updated_at: '2026-05-02T08:00:00Z' }])
}

function words(i: number): string {
  return Array.from({ length: 40 }, (_, j) => `crumb${i}x${j}`).join(' ')
}

function dump(root: string): string[] {
  const location = { path: path.join(root, '.specdex/index.db'), isDefault: true }
  const store = openStore(location, { busyMs: 1000, create: false })
  try {
    expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
    return ledgerDump(store)
  } finally {
    store.close()
  }
}

test('no room in the middle of an update', { timeout: 60_000 }, () => {
  const root = tempFolder('ledger-full')
  cpSync(FIXTURE, path.join(root, 'github'), { recursive: true })
  const update = (from: string, blocks: string, which = '') => {
    const what = `--repo corner-bakery/bakery --from "$2" --root . ${which}`
    const script = `ulimit -f ${blocks}; exec "$0" "$1" ledger update ${what}`
    const options = { cwd: root, env: childEnvironment(), encoding: 'utf8' } as const
    return spawnSync('sh', ['-c', script, process.execPath, CLI, from], options)
  }
  expect(update('github', 'unlimited').status).toBe(0)
  const before = dump(root)
  expect(before.length).toBeGreaterThan(5)
  writeTree(root, { 'flood.json': manyLessons(400) })
  // 1024 blocks of 512 bytes: enough for what is there, and not for what comes.
  const full = update('flood.json', '1024', '--issue 900')
  expect(full.status).toBe(2)
  expect(full.stderr).toMatch(
    /^error: (no space left for the index|reading or writing the index)[^\n]*\nhint: [^\n]*\n$/,
  )
  expect(dump(root)).toEqual(before)
  expect(update('flood.json', 'unlimited', '--issue 900').status).toBe(0)
  expect(dump(root).length).toBeGreaterThan(before.length)
})
