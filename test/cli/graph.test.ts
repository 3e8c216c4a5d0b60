// What the graph verbs do as commands beyond their answers: streams that fail, flags, and what goes where.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { childEnvironment } from '../support/environment.ts'
import { CLI } from '../support/run.ts'
import { runHere } from '../support/run-here.ts'
import { tempFolder, tempTree } from '../support/temp.ts'

const BAKERY = {
  'docs/adrs/ADR-0001-bake-at-night.md': '# ADR-0001: Bake at night\n',
  'docs/openspec/specs/crust/spec.md': '---\nimplements: [ADR-0001]\n---\n# SPEC-0001: Crust\n',
  'src/crust.ts': '// Implements: SPEC-0001 REQ "Golden", REQ "Crisp"\n',
}

test('--requirements names in the table what a governing comment gave', async () => {
  const root = tempTree(BAKERY, 'requirements')
  const plain = await runHere(['graph', 'impact', 'SPEC-0001', '--table'], { cwd: root })
  expect(plain.stdout).not.toContain('Golden')
  const named = await runHere(['graph', 'impact', 'SPEC-0001', '--table', '--requirements'], { cwd: root })
  expect(named.stdout).toContain('Golden')
  expect(named.stdout).toContain('Crisp')
  expect(named.stdout.split('\n')).toHaveLength(plain.stdout.split('\n').length)
})

test.skipIf(!existsSync('/dev/full'))('an answer that cannot be written is one line and exit 2', () => {
  const root = path.join(tempFolder('full'), 'sdd')
  cpSync(path.resolve(import.meta.dirname, '../../fixtures/conventions/sdd'), root, { recursive: true })
  const ran = spawnSync('sh', ['-c', '"$0" "$1" graph validate >/dev/full', process.execPath, CLI], {
    cwd: root,
    env: childEnvironment(),
    encoding: 'utf8',
  })
  expect(ran.stderr).toMatch(/^error: the answer could not be written \(ENOSPC\)\n$/)
  expect(ran.status).toBe(2)
})

test('a graph without artifacts says so, and where to look', async () => {
  const root = tempTree({ 'architecture/decisions/0001-bake.md': '# 1. Bake\n' }, 'elsewhere')
  for (const words of [['validate'], ['next-id'], ['orphans']]) {
    const { stderr } = await runHere(['graph', ...words], { cwd: root })
    expect(stderr).toMatch(/^note: no artifacts were found: see `specdex graph conventions`/)
  }
  const { stdout, stderr } = await runHere(['graph', 'validate', '--adr-dir', 'architecture/decisions'], { cwd: root })
  expect(stdout).toContain('1 node')
  expect(stderr).toBe('')
})
