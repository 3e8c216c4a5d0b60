// A corpus folder that is a link: inside the root it is followed, out of the root it is an empty corpus, in both modes
// and for every reader (sheet spec-graph §0, row 1.4).

import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FAMILY_BIT } from '../../src/model/families.ts'
import { problems } from '../../src/store/queries/problems.ts'
import { runIndex, withStored } from '../indexing/kitchen.ts'
import { tempTree } from '../support/temp.ts'
import { spec } from './run-spec.ts'

const MODES = [{ flags: [] }, { flags: ['--compat', 'forgedock-1.7'] }]
const EMPTY = '{"graph":{"nodes":[],"edges":[]}}'

function linkedTo(target: string): string {
  const top = tempTree({
    'root/real/inside.md': 'Skill("ghost-inside")\n',
    'root/given.json': EMPTY,
    'outside/secret.md': 'Skill("ghost-outside") --remove-label "workflow:secret"\n',
  })
  const root = path.join(top, 'root')
  symlinkSync(target, path.join(root, 'commands'))
  return root
}

test.each(MODES)('out of the root: nobody reads it, the validator neither ($flags)', async ({ flags }) => {
  const root = linkedTo('../outside')
  const { code, stdout } = await spec(['validate', '--json', '--graph', 'given.json', ...flags], { cwd: root })
  expect(JSON.parse(stdout)).toEqual({ summary: { hard: 0, soft: 0, info: 0 }, findings: [] })
  expect(code).toBe(0)
})

test.each(MODES)('inside the root: it is followed ($flags)', async ({ flags }) => {
  const root = linkedTo('real')
  const { code, stdout } = await spec(['validate', '--graph', 'given.json', ...flags], { cwd: root })
  expect(code).toBe(1)
  expect(stdout).toContain('commands/inside.md references Skill("ghost-inside")')
})

test('a link to nothing is a missing folder and no link out of the root', async () => {
  const root = linkedTo('nowhere')
  rmSync(path.join(root, 'real'), { recursive: true })
  await runIndex(root)
  expect(withStored(root, (store) => problems(store, FAMILY_BIT.spec))).toEqual([])
})
