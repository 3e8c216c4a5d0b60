// What is left of a refresh that is cut short: an exception at each of its SQL statements in turn, and kill -9 of a
// real process at random moments and in the middle of its commit. Either the old index is there or the new one, and
// the next run ends where a fresh index would. `npm run test:long` takes every statement and fifty moments.

import { spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { logicalDump } from '../../src/store/dump.ts'
import { openMemoryStore, openStore, type Store, type StoreLocation } from '../../src/store/open.ts'
import { effort } from '../support/effort.ts'
import { childEnvironment, type Env } from '../support/environment.ts'
import { CLI, runCli } from '../support/run.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { bookkeeping, placeAt, update } from './child-index.ts'
import { killedAt } from './child-process.ts'

const BAKERY = {
  'commands/bake.md': '# Bake\n\nRead the `FORGE:RECIPE` comment.\nSkill("bake:knead")\nbash scripts/preheat.sh\n',
  'commands/bake/knead.md': '# Knead\n\nRe-read FORGE:LOAF when the dough is slack.\nSkill("deliver")\n',
  'commands/deliver.md': '# Deliver\n\nRequired: read devdocs/house-rules.md\n',
  'scripts/preheat.sh': '#!/bin/sh\n# posts FORGE:OVEN\n',
  'devdocs/house-rules.md': '# House rules\n\nWash your hands.\n',
  'docs/opening-hours.md': '# Opening hours\n\nSee [the rules](../devdocs/house-rules.md) and [prices](prices.md).\n',
  'docs/flours/rye.md': '# Rye\n\nSee [wheat](wheat.md).\n',
  'docs/flours/wheat.md': '# Wheat\n',
}

interface Scenario {
  readonly what: string
  /** What happens between the old index and the new one. */
  readonly edit: (root: string) => void
  /** Whether there is an old index. */
  readonly indexed: boolean
}

const SCENARIOS: readonly Scenario[] = [
  { what: 'an initial build', indexed: false, edit: () => {} },
  {
    what: 'files added, changed, removed and renamed',
    indexed: true,
    edit: (root) => {
      writeTree(root, {
        'commands/taste.md': '# Taste\n\nRead the `FORGE:LOAF` comment.\nSkill("bake")\n',
        'commands/bake.md': '# Bake\n\nSkill("bake:knead")\nSkill("taste")\nbash scripts/cool.sh\n',
        'docs/opening-hours.md': '# Opening hours\n\nSee [rye](grains/rye.md).\n\u0000',
      })
      rmSync(path.join(root, 'commands/deliver.md'))
      renameSync(path.join(root, 'scripts/preheat.sh'), path.join(root, 'scripts/cool.sh'))
      renameSync(path.join(root, 'docs/flours'), path.join(root, 'docs/grains'))
    },
  },
  {
    what: 'bookkeeping only: every file touched',
    indexed: true,
    edit: (root) => {
      for (const file of Object.keys(BAKERY)) utimesSync(path.join(root, file), 1_700_000_000, 1_700_000_000)
    },
  },
]

/** Everything an index says: its logical dump, and its bookkeeping. */
interface State {
  readonly dump: readonly string[]
  readonly rows: readonly unknown[]
}

function stateOf(store: Store): State {
  return { dump: logicalDump(store), rows: bookkeeping(store) }
}

function opened<T>(location: StoreLocation, use: (store: Store) => T): T {
  const store = openStore(location, { busyMs: 0, create: true })
  try {
    return use(store)
  } finally {
    store.close()
  }
}

/** `count` of the numbers 1…last: the ends whole, the middle evenly. */
function spread(last: number, count: number): number[] {
  const ends = 3
  const chosen = new Set<number>()
  for (let k = 1; k <= last; k++) if (k <= ends || k > last - ends) chosen.add(k)
  for (let i = 0; chosen.size < Math.min(count, last); i++) {
    chosen.add(1 + Math.floor((((i * 0.618034) % 1) + 1 / last) * (last - 1)))
  }
  return [...chosen].sort((a, b) => a - b)
}

describe.each(SCENARIOS)('$what, with an exception at the k-th statement', ({ what, indexed, edit }) => {
  let root = ''
  let kept = ''
  let location: StoreLocation
  let before: State
  let after: State
  const statements: string[] = []

  const index = async (trace: (sql: string) => void): Promise<void> => {
    const store = openStore(location, { busyMs: 0, create: true, trace })
    try {
      await update(store, await placeAt(root))
    } finally {
      left = store.db.inTransaction
        ? 'in a transaction'
        : `query_only ${store.db.pragma('query_only', { simple: true })}`
      store.close()
    }
  }
  let left = ''

  beforeAll(async () => {
    root = tempTree(BAKERY, 'faults')
    kept = path.join(tempFolder('kept'), 'specdex')
    location = (await placeAt(root)).location
    const empty = openMemoryStore()
    before = stateOf(empty)
    empty.close()
    if (indexed) {
      await index(() => {})
      before = opened(location, stateOf)
      cpSync(path.dirname(location.path), kept, { recursive: true })
    }
    edit(root)
    await index((sql) => statements.push(sql))
    after = opened(location, stateOf)
    expect(after.rows).not.toEqual(before.rows)
    const fresh = openMemoryStore()
    await update(fresh, await placeAt(root))
    expect(after.dump).toEqual(logicalDump(fresh))
    fresh.close()
    if (what.startsWith('bookkeeping')) expect(after.dump).toEqual(before.dump)
    else expect(after.dump).not.toEqual(before.dump)
  })

  test.each([false, true])('… and at all that follow: %s', async (lasting) => {
    const commit = statements.lastIndexOf('COMMIT') + 1
    const last = statements.length
    for (const k of [...spread(last, effort(lasting ? 7 : 10, last)), last + 1]) {
      rmSync(path.dirname(location.path), { recursive: true, force: true })
      if (indexed) cpSync(kept, path.dirname(location.path), { recursive: true })
      const statement = `${k} of ${last}: ${statements[k - 1]}`
      const fault = new Error(`the oven went out at statement ${statement}`)
      let count = 0
      let thrown: unknown = null
      left = ''
      try {
        await index(() => {
          count++
          if (count === k || (lasting && count > k)) throw fault
        })
      } catch (error) {
        thrown = error
      }
      // Setting a pragma back is cleaning up, whose failure hides nothing.
      if (thrown !== null || k > last || !/^PRAGMA foreign_keys = /.test(statements[k - 1] ?? '')) {
        expect(thrown, statement).toBe(k > last ? null : fault)
      }
      if (left !== '' && !lasting) expect(left, statement).toBe('query_only 1')
      expect(namesIn(location), statement).not.toContain('index.db-journal')

      opened(location, (store) => {
        expect(store.movedTo, statement).toBeNull()
        expect(store.db.pragma('integrity_check', { simple: true }), statement).toBe('ok')
        expect(stateOf(store), statement).toEqual(k <= commit && thrown !== null ? before : after)
      })
      await index(() => {})
      expect(opened(location, stateOf).dump, statement).toEqual(after.dump)
      const store = openStore(location, { busyMs: 0, create: false })
      expect(await update(store, await placeAt(root)), statement).toBeNull()
      store.close()
    }
  })
})

function namesIn(location: StoreLocation): string[] {
  const folder = path.dirname(location.path)
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

const RECIPES = effort(200, 2000)
/** On a busy machine ten seconds of work can take minutes. */
const PATIENCE_MS = effort(180_000, 30 * 60_000)

/** A cookbook in which every second file differs between two seasons, and some are in one season only. */
function cookbook(season: 'summer' | 'winter'): Record<string, string> {
  const files: Record<string, string> = {}
  const first = season === 'summer' ? 0 : 7
  for (let i = first; i < RECIPES + first; i++) {
    const when = i % 2 === 0 ? season : 'year'
    const marker = `FORGE:${when.toUpperCase()}_${(i * 13) % 40}`
    if (i % 5 === 1) files[`scripts/step-${i}.sh`] = `#!/bin/sh\n# for the ${when}\n`
    else if (i % 5 === 2)
      files[`docs/month-${i % 12}/note-${i}.md`] = `# The ${when}\n\nSee [next](note-${i + 12}.md).\n`
    else {
      files[`commands/shelf-${i % 30}/recipe-${i}.md`] = [
        `# Recipe ${i} for the ${when}`,
        `Read the \`${marker}\` comment, then re-read FORGE:LOAF.`,
        `Skill("shelf-${(i * 7) % 30}:recipe-${(i * 7) % RECIPES}")`,
        `bash scripts/step-${(i * 11) % RECIPES}.sh`,
        `gh issue comment "$N" --body "<!-- ${marker} --> done"`,
        '',
      ].join('\n')
    }
  }
  return files
}

/** A generator of numbers in [0, 1) from a seed. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

describe('kill -9 of a real process', () => {
  const seed = Number(process.env['SPECDEX_SEED'] ?? Date.now() % 1_000_000)
  const random = numbersFrom(seed)
  const books = { summer: cookbook('summer'), winter: cookbook('winter') }
  const dumps: Record<string, readonly string[]> = { none: [] }
  let root = ''
  let location: StoreLocation
  /** What the index holds; it follows the tree, until it is removed. */
  let season: keyof typeof books | 'none' = 'none'
  let tree: keyof typeof books = 'winter'
  let duration = 0
  const found: Record<string, number> = {}

  /** Turns the tree from the other season, or from nothing, to this one. */
  const turn = (to: keyof typeof books): void => {
    const book = books[to]
    const other = existsSync(path.join(root, 'commands')) ? books[to === 'summer' ? 'winter' : 'summer'] : {}
    for (const file of Object.keys(other)) if (book[file] === undefined) rmSync(path.join(root, file))
    writeTree(root, Object.fromEntries(Object.entries(book).filter(([file, text]) => other[file] !== text)))
  }

  const verified = async (): Promise<void> => {
    const { code, stdout, stderr } = await runCli(['index', '--verify', '--json'], { cwd: root })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ verified: true, differences: [] })
    expect(namesIn(location)).toEqual(['.gitignore', 'index.db'])
  }

  beforeAll(async () => {
    console.info(`kill -9: SPECDEX_SEED=${seed}`)
    root = tempFolder('kill')
    location = (await placeAt(root)).location
    for (const name of ['summer', 'winter'] as const) {
      turn(name)
      const started = performance.now()
      const { code, stderr } = await runCli(['index', '--quiet'], { cwd: root })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      duration = performance.now() - started
      dumps[name] = opened(location, logicalDump)
    }
    season = 'winter'
    expect(dumps['summer']?.length).toBeGreaterThan(5 * RECIPES)
  })

  /** Starts `specdex index`, kills it when `moment` has come, and looks at what is left. */
  const round = async (
    keepIndex: boolean,
    moment: (ended: Promise<unknown>) => Promise<unknown>,
    env: Env = {},
  ): Promise<void> => {
    if (!keepIndex) {
      rmSync(path.dirname(location.path), { recursive: true, force: true })
      season = 'none'
    }
    const next = tree === 'summer' ? 'winter' : 'summer'
    turn(next)
    tree = next
    const child = spawn(process.execPath, [CLI, 'index', '--quiet'], {
      cwd: root,
      env: childEnvironment(env),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = new Promise<string>((resolve) => {
      child.on('close', (code, signal) => resolve(signal ?? `exit ${code}`))
    })
    await moment(ended)
    child.kill('SIGKILL')
    const end = await ended
    expect(['SIGKILL', 'exit 0']).toContain(end)

    // A copy is looked at, so that the next run finds what the killed one left.
    const copy = { path: path.join(tempFolder('left'), '.specdex', 'index.db'), isDefault: true }
    const folder = path.dirname(location.path)
    if (existsSync(folder)) cpSync(folder, path.dirname(copy.path), { recursive: true })
    opened(copy, (store) => {
      expect(store.movedTo).toBeNull()
      expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
      const dump = logicalDump(store)
      const state = dump.length === dumps[next]?.length && dump.join() === dumps[next]?.join() ? 'new' : 'old'
      if (state === 'old') expect(dump).toEqual(dumps[season])
      const what = `${end === 'SIGKILL' ? 'killed' : 'ended first'}, ${store.found}, ${state}`
      found[what] = (found[what] ?? 0) + 1
      if (end !== 'SIGKILL') expect(state).toBe('new')
    })
    rmSync(path.dirname(copy.path), { recursive: true, force: true })
    await verified()
    season = next
  }

  test(
    'at random moments',
    async () => {
      const rounds = effort(2, 50)
      for (let i = 0; i < rounds || (killed() === 0 && i < 4 * rounds); i++) {
        const delay = random() * duration
        await round(random() < 0.7, () => new Promise((resolve) => setTimeout(resolve, delay)))
      }
      expect(killed(), JSON.stringify(found)).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )

  test(
    'in the middle of its transaction and of its commit',
    async () => {
      const journal = `${location.path}-journal`
      const rounds = effort(2, 20)
      for (let i = 0; i < rounds || (hot() === 0 && i < 4 * rounds); i++) {
        const moment = i % 3 === 0 ? 'transaction' : 'commit'
        await round(true, (ended) => ended, killedAt(moment, journal))
      }
      console.info(`kill -9: ${JSON.stringify(found)}`)
      expect(hot(), JSON.stringify(found)).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )

  /** How often the kill came before the end. */
  const killed = (): number =>
    Object.entries(found).reduce((sum, [what, count]) => sum + (what.startsWith('killed') ? count : 0), 0)

  /** How often a half-written index was found, and put right. */
  const hot = (): number => found['killed, hot-journal, old'] ?? 0
})
