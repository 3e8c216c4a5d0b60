// Incremental equals full (issue 2 §6.4): after every step of a random sequence of edits, git commands and changes of
// the configuration, the report says what changed, and the index as it became says what one built from nothing says.
// SPECDEX_PROPERTY_RUNS sets the number of sequences, SPECDEX_PROPERTY_SEED repeats a run.

import { cpSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { World } from '../../src/model/clock.ts'
import { STAMPS_FROM } from '../../src/scan/scan.ts'
import { firstDifferences, logicalDump } from '../../src/store/dump.ts'
import type { Store } from '../../src/store/open.ts'
import { gitWith } from '../scan/pantry.ts'
import { effort } from '../support/effort.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree } from '../support/temp.ts'
import {
  expectedReport,
  exported,
  freshStore,
  placeAt,
  runIndex,
  runQuery,
  storedDump,
  WITHOUT_GIT,
  WORLD,
  withStored,
} from './kitchen.ts'
import { doStep, START, type Step, sequences } from './steps.ts'

const RUNS = Number(process.env['SPECDEX_PROPERTY_RUNS'] ?? effort(10, 300))
const SEED = Number(process.env['SPECDEX_PROPERTY_SEED'] ?? Date.now() % 2 ** 31)
console.info(`property test: ${RUNS} sequences, SPECDEX_PROPERTY_SEED=${SEED}`)

interface Setting {
  readonly name: string
  readonly repository: boolean
  readonly world: World
  readonly share: number
  readonly make: () => string
}

const SETTINGS: readonly Setting[] = [
  {
    name: 'in a repository',
    repository: true,
    world: WORLD,
    share: 0.4,
    make: () => initRepository(tempFolder('property'), START),
  },
  { name: 'without git', repository: false, world: WORLD, share: 0.25, make: () => tempTree(START, 'property') },
  { name: 'in a large repository', repository: true, world: WORLD, share: 0.25, make: largeRepository },
  {
    name: 'in a repository on a machine without git',
    repository: true,
    world: WITHOUT_GIT,
    share: 0.1,
    make: () => initRepository(tempFolder('property'), START),
  },
]

let large = ''

/** A repository in which stamps are kept: most of its files are neither there nor missed. */
function largeRepository(): string {
  if (large === '') {
    large = initRepository(tempFolder('large'), START)
    const blob = git(large, ['rev-parse', 'HEAD:README.md'])
    const names = Array.from({ length: STAMPS_FROM }, (_, i) => `logs/${i}.txt`)
    gitWith(names.map((name) => `100644 ${blob}\t${name}\n`).join(''), large, ['update-index', '--index-info'])
    gitWith(names.join('\n'), large, ['update-index', '--skip-worktree', '--stdin'])
    git(large, ['commit', '--quiet', '--message', 'Many'])
  }
  const root = tempFolder('property')
  cpSync(large, root, { recursive: true })
  git(root, ['update-index', '--refresh'])
  return root
}

test.each(SETTINGS)(
  'incremental equals full, $name',
  async ({ make, world, repository, share }) => {
    await fc.assert(
      fc.asyncProperty(sequences(repository), async (steps) => {
        const root = make()
        try {
          await runIndex(root, world)
          await follow(root, steps, world)
        } finally {
          rmSync(root, { recursive: true, force: true })
        }
      }),
      { numRuns: Math.max(1, Math.round(RUNS * share)), seed: SEED, endOnFailure: false },
    )
  },
  1_800_000,
)

async function follow(root: string, steps: readonly Step[], world: World): Promise<void> {
  const before = new Map<string, Buffer>()
  for (const step of steps) {
    doStep(root, step, before)
    const { families } = (await placeAt(root)).config
    if (step.do === 'query') {
      if (families.includes(step.family)) await query(root, step.family, world)
    } else await check(root, world)
  }
}

/** A query of one family repairs that family, whatever becomes of the other. */
async function query(root: string, family: 'spec' | 'docs', world: World): Promise<void> {
  await runQuery(root, [family], world)
  const fresh = await freshStore(root, world)
  try {
    if (family === 'spec') await expectSameExport(root, fresh)
    const again = await runQuery(root, [family], world)
    expect(again.condition).toBe('fresh')
  } finally {
    fresh.close()
  }
}

async function check(root: string, world: World): Promise<void> {
  const fresh = await freshStore(root, world)
  try {
    const expected = expectedReport(root, fresh)
    const { report } = await runIndex(root, world)
    expect({ added: report.added, changed: report.changed, removed: report.removed }).toEqual(expected)
    expect(firstDifferences(storedDump(root), logicalDump(fresh), 10)).toEqual([])
    await expectSameExport(root, fresh)
    const counted = fresh.read(() => fresh.db.prepare('SELECT count(*) FROM file').pluck().get())
    const { added, changed, reextracted, unchanged } = report
    expect(added.length + changed.length + reextracted.length + unchanged).toBe(counted)
  } finally {
    fresh.close()
  }
}

async function expectSameExport(root: string, fresh: Store): Promise<void> {
  const place = await placeAt(root)
  for (const mode of ['default', 'forgedock-1.7'] as const) {
    const full = exported(place, fresh, mode)
    expect(withStored(root, (store) => exported(place, store, mode))).toBe(full)
  }
}
