// Every state that a file can be in, followed by every other one: the index learns each change, says so, and is what an
// index built from nothing is. One file per pair of states, so that all pairs are taken in one step.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { World } from '../../src/model/clock.ts'
import { firstDifferences, logicalDump } from '../../src/store/dump.ts'
import { asNobody, makeFifo, NOBODY } from '../scan/pantry.ts'
import { effort } from '../support/effort.ts'
import { childEnvironment } from '../support/environment.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { expectedReport, freshStore, pause, runIndex, storedDump, WITHOUT_GIT, WORLD } from './kitchen.ts'

const OK = '# Rye\n\nRe-read FORGE:FLOUR. See [spelt](spelt.md).\nSkill(skill="ok-ok")\n'

/** Puts a file into a state. Nothing is there before. */
const STATES: Readonly<Record<string, (root: string, file: string) => void>> = {
  absent: () => {},
  ok: (root, file) => writeTree(root, { [file]: OK }),
  other: (root, file) => writeTree(root, { [file]: OK.replace('FLOUR', 'WATER') }),
  problem: (root, file) => writeTree(root, { [file]: Buffer.from(`---\nstatus: [open\n---\n${OK}\xff\n`, 'latin1') }),
  large: (root, file) => writeTree(root, { [file]: OK.repeat(20) }),
  larger: (root, file) => writeTree(root, { [file]: OK.repeat(21) }),
  binary: (root, file) => writeTree(root, { [file]: `${OK}\0` }),
  unreadable: (root, file) => {
    writeTree(root, { [file]: OK })
    chmodSync(path.join(root, file), 0)
  },
  outside: (root, file) => symlinkSync('/etc/hostname', path.join(root, file)),
  inside: (root, file) => symlinkSync('../README.md', path.join(root, file)),
  loop: (root, file) => symlinkSync(path.basename(file), path.join(root, file)),
  folder: (root, file) => writeTree(root, { [`${file}/deep.md`]: OK }),
  fifo: (root, file) => makeFifo(path.join(root, file)),
}

/** States that make git complain, and so be believed less: one run goes without them. */
const COMPLAINTS = ['unreadable', 'loop', 'fifo']
/** Sources of both families, of documents alone, and of specs alone. */
const KINDS = ['commands/*.md', 'docs/*.md', 'scripts/*.sh']

type StateOf = (from: string, to: string) => string

function setAll(root: string, kinds: readonly string[], names: readonly string[], state: StateOf): void {
  for (const kind of kinds) {
    const folder = path.join(root, path.dirname(kind))
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const from of names) {
      for (const to of names) STATES[state(from, to)]?.(root, kind.replace('*', `${from}-${to}`))
    }
  }
  // The tests may run as root, who can read everything: the index is kept by nobody.
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, root])
}

/** Once to take the change in, once more to see that nothing is left to do. */
async function settle(root: string, world: World): Promise<void> {
  await asNobody(async () => {
    const fresh = await freshStore(root, world)
    try {
      const expected = expectedReport(root, fresh)
      const { added, changed, removed } = (await runIndex(root, world)).report
      expect({ added, changed, removed }).toEqual(expected)
      expect(firstDifferences(storedDump(root), logicalDump(fresh), 20)).toEqual([])
      const again = await runIndex(root, world)
      expect(again.plan.changes.size).toBe(0)
      expect(again.plan.dirs).toEqual([])
    } finally {
      fresh.close()
    }
  })
}

const START = { 'README.md': '# Bakery\n', '.specdex/config.yml': `limits: {file_bytes: ${OK.length * 10}}\n` }

// Each with the one kind that the short run takes there; the long run takes all kinds everywhere.
test.each([
  ['in a repository', 'commands/*.md', WORLD, true, true],
  ['in a repository, without what makes git complain', 'docs/*.md', WORLD, true, false],
  ['without git', 'scripts/*.sh', WORLD, false, true],
  ['in a repository on a machine without git', 'docs/*.md', WITHOUT_GIT, true, true],
])('from every state to every other and back, %s', async (_name, kind, world, repository, all) => {
  const kinds = effort(0, 1) === 1 ? KINDS : [kind]
  const names = Object.keys(STATES).filter((name) => all || !COMPLAINTS.includes(name))
  const root = writeTree(tempFolder('states'), { ...START, '.gitignore': '.specdex/\n' })
  if (repository) initRepository(root)
  // Where git may not look into the user's own folder it says so, and is then believed less.
  const own = { ...world, env: { ...world.env, HOME: root } }
  const give = (user: number): void => void spawnSync('chown', ['-R', '-h', `${user}:${user}`, root])
  const commit = (): void => {
    if (!repository) return
    const me = process.getuid?.() ?? 0
    // Git wants the work tree to be its user's.
    if (me === 0) give(0)
    // Git refuses the FIFOs and takes the rest.
    spawnSync('git', ['add', '--all', '--ignore-errors'], { cwd: root, env: childEnvironment() })
    git(root, ['commit', '--quiet', '--allow-empty', '--message', 'Bake'])
    if (me === 0) give(NOBODY)
  }
  if (process.getuid?.() === 0) give(NOBODY)
  await asNobody(() => runIndex(root, own))
  const step = async (state: StateOf): Promise<void> => {
    setAll(root, kinds, names, state)
    await pause()
    await settle(root, own)
  }
  await step((from) => from)
  commit()
  await settle(root, own)
  await step((_from, to) => to)
  commit()
  await settle(root, own)
  await step((from) => from)
})
