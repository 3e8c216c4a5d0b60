// The bakery whose changes are followed, and one `specdex index` with everything that must hold after it.

import { expect } from 'vitest'
import type { World } from '../../src/model/clock.ts'
import { effort } from '../support/effort.ts'
import { initRepository } from '../support/git.ts'
import { tempFolder, tempTree } from '../support/temp.ts'
import { expectEqualToFresh, fileStamp, pause, type Run, runIndex, WITHOUT_GIT, WORLD } from './kitchen.ts'

export const BAKERY = {
  'commands/knead.md': '# Knead\n\nRe-read FORGE:FLOUR.\n',
  'commands/rest.md': '# Rest\n\nSkill(skill="knead")\n',
  'scripts/oven.sh': 'echo warm\n',
  'devdocs/flour.md': '# Flour\n',
  'docs/rye.md': '# Rye\n\nSee [spelt](spelt.md).\n',
  'docs/spelt.md': '# Spelt\n',
  'README.md': '# Bakery\n',
  '.gitignore': '.specdex/\n',
}

export const SPEC: readonly string[] = ['commands/knead.md', 'commands/rest.md', 'devdocs/flour.md', 'scripts/oven.sh']
export const DOCS: readonly string[] = [
  'README.md',
  'commands/knead.md',
  'commands/rest.md',
  'devdocs/flour.md',
  'docs/rye.md',
  'docs/spelt.md',
]
export const ALL: readonly string[] = [...new Set([...SPEC, ...DOCS])].sort()

/** An indexed bakery whose files are old enough to be trusted by their time stamps. */
export async function bakery(world: World = WORLD): Promise<string> {
  const root = world === WITHOUT_GIT ? tempTree(BAKERY, 'changes') : initRepository(tempFolder('changes'), BAKERY)
  await pause()
  await runIndex(root, world)
  return root
}

export interface Done {
  readonly added?: readonly string[]
  readonly changed?: readonly string[]
  readonly removed?: readonly string[]
  readonly reextracted?: readonly string[]
  /** Files whose bytes were read to see that they had not changed. */
  readonly checked?: unknown
}

/** Trees of which it is known that a run with nothing to do writes nothing. */
const settled = new Set<string>()

/**
 * One `specdex index`: what it did, that it is right, and that the next one has nothing to do. In the long run that is
 * seen after every change of a tree, in `npm test` after the first one.
 */
export async function indexed(root: string, done: Done, world: World = WORLD): Promise<Run> {
  const run = await runIndex(root, world)
  const { added, changed, removed, reextracted, checked } = run.report
  const expected = { added: [], changed: [], removed: [], reextracted: [], checked: 0, ...done }
  expect({ added, changed, removed, reextracted, checked }).toEqual(expected)
  await expectEqualToFresh(root, world)
  await pause()
  await runIndex(root, world)
  if (effort(1, 2) === 1 && settled.has(root)) return run
  settled.add(root)
  const stamp = fileStamp(root)
  const { plan } = await runIndex(root, world)
  expect({ changes: plan.changes.size, dirs: plan.dirs, touches: plan.touches.size, read: plan.read }).toEqual({
    changes: 0,
    dirs: [],
    touches: 0,
    read: 0,
  })
  expect(fileStamp(root)).toBe(stamp)
  return run
}
