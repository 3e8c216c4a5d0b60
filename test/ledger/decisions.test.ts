// A decision's file that comes or goes after its issue was indexed: the card follows at the next plain update.

import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { shared } from '../support/shared.ts'
import { tempFolder, writeTree } from '../support/temp.ts'

const CORPUS = shared('cases/ledger/corpus')

test.skipIf(CORPUS === null)('incremental equals full, also for files of decisions', async () => {
  const root = tempFolder('decisions')
  cpSync(CORPUS ?? '', path.join(root, 'github'), { recursive: true })
  const flags = ['--repo', 'acme-harbor/harborline', '--from', 'github']
  const update = (...more: string[]) => runHere(['ledger', 'update', ...flags, ...more], { cwd: root })
  const exported = async (name: string): Promise<string> => {
    const ran = await runHere(['ledger', 'export', name, '--repo', 'acme-harbor/harborline'], { cwd: root })
    expect(ran.code).toBe(0)
    return ran.stdout
  }
  expect((await update()).code).toBe(0)
  await exported('first')
  writeTree(root, { 'devdocs/decisions/20-why-the-queue.md': '# Why\n' })
  expect((await update()).code).toBe(0)
  const changed = await exported('first')
  expect(changed).toContain('wrote knowledge.jsonl')
  expect((await update('--full-rebuild')).code).toBe(0)
  expect(await exported('first')).toBe('nothing changed\n')
  rmSync(path.join(root, 'devdocs'), { recursive: true })
  expect((await update()).code).toBe(0)
  expect(await exported('first')).toContain('wrote knowledge.jsonl')
})
