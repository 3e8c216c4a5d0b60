// Updates of the ledger by real processes: eight close steps at once, a batch beside them, and kill -9 in the middle.
// The pier is a file that every process reads; `npm run test:long` kills thirty times.

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { openStore, type Store, type StoreLocation } from '../../src/store/open.ts'
import { ledgerDump, ledgerState } from '../../src/store/queries/ledger-state.ts'
import { killedAt } from '../indexing/child-process.ts'
import { ask, opened, place } from '../store/bakery.ts'
import { effort } from '../support/effort.ts'
import { childEnvironment, type Env } from '../support/environment.ts'
import { tempFolder } from '../support/temp.ts'
import type { ChildInput } from './child.ts'
import { differences, freshDump, update } from './harbour.ts'
import { decision, investigation, Pier } from './pier.ts'

let bundle = ''

beforeAll(async () => {
  bundle = path.join(tempFolder('child'), 'child.cjs')
  const root = path.resolve(import.meta.dirname, '../..')
  await build({
    entryPoints: [path.join(import.meta.dirname, 'child.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    nodePaths: [path.join(root, 'node_modules')],
    // The bundle lies outside the project, but the native addon is found from the project.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.join(root, 'src/index.ts')).href) },
  })
})

interface End {
  readonly end: number | string | null
  readonly stdout: string
  readonly stderr: string
}

function start(input: ChildInput, env: Env = {}): { ended: Promise<End>; kill: () => void } {
  const child = spawn(process.execPath, [bundle, JSON.stringify(input)], { env: childEnvironment(env) })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<End>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ end: code ?? signal, stdout, stderr }))
  })
  return { ended, kill: () => child.kill('SIGKILL') }
}

/** Issues with a few cards each; the words change with the season. */
function pierIn(season: string, count: number): Pier {
  const pier = new Pier()
  pier.pageSize = 100
  for (let number = 1; number <= count; number++) {
    pier.wait(60).open(number)
    pier.comment(number, investigation(`drops crate ${number} in ${season}`, `lift${season}${number}`))
    pier.comment(number, decision(`after ${season} lift crate ${number} by hand`))
    pier.comment(number, decision(`keep ${season} crates of ${number} dry`))
  }
  return pier.wait(3600)
}

function written(pier: Pier, name: string): string {
  const file = path.join(tempFolder('pier'), `${name}.json`)
  writeFileSync(file, JSON.stringify(pier))
  return file
}

test('eight single runs at once keep all eight, also on a missing index and beside a batch run', async () => {
  const pier = pierIn('spring', 8)
  const expected = await freshDump(pier)
  const file = written(pier, 'spring')
  for (const beside of [[], ['incremental', 'full'] as const]) {
    const location = place(true)
    const at = Date.now() + 1500
    const modes = [...Array.from({ length: 8 }, (_, i) => ({ issue: i + 1 })), ...beside]
    const ends = await Promise.all(modes.map((mode) => start({ location, pier: file, mode, at }).ended))
    for (const { end, stderr } of ends) expect({ end, stderr }).toEqual({ end: 0, stderr: '' })
    const store = opened(location)
    expect(differences(ledgerDump(store), expected)).toEqual([])
    expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(await update(store, pier)).toMatchObject({ fetched: 0, watermark: '2026-03-01T06:08:00Z' })
  }
})

function withStore<T>(location: StoreLocation, use: (store: Store) => T): T {
  const store = openStore(location, { busyMs: 10_000, create: true })
  try {
    return use(store)
  } finally {
    store.close()
  }
}

test(
  'kill -9 in the middle of an update: whole batches or nothing, and the next run ends where a fresh one does',
  async () => {
    const COUNT = effort(70, 130)
    const piers = { summer: pierIn('summer', COUNT), winter: pierIn('winter', COUNT) }
    // The winter's changes are newer, and two issues are gone.
    piers.winter.wait(86_400)
    for (let number = 1; number <= COUNT; number++) piers.winter.wait(60).close(number)
    piers.winter.remove(7).remove(60).wait(3600)
    const dumps = { summer: await freshDump(piers.summer), winter: await freshDump(piers.winter) }
    const files = { summer: written(piers.summer, 'summer'), winter: written(piers.winter, 'winter') }
    const location = place(true)
    withStore(location, () => {})
    const began = performance.now()
    expect(await start({ location, pier: files.summer, mode: 'full', at: 0 }).ended).toMatchObject({
      end: 0,
      stderr: '',
    })
    const duration = performance.now() - began
    const found: Record<string, number> = {}
    let season: keyof typeof piers = 'summer'

    const rounds = effort(4, 30)
    for (let i = 0; i < rounds; i++) {
      const next: keyof typeof piers = season === 'summer' ? 'winter' : 'summer'
      // The summer after a winter is older by its time stamps: only a full rebuild goes back.
      const mode = next === 'summer' || i % 4 === 2 ? 'full' : 'reconcile'
      const moment = i % 3 === 0 ? null : i % 3 === 1 ? 'transaction' : 'commit'
      const env = moment === null ? {} : killedAt(moment, `${location.path}-journal`)
      const child = start({ location, pier: files[next], mode, at: 0 }, env)
      if (moment === null) setTimeout(child.kill, duration * (((i + 1) * 0.618) % 1))
      const { end, stderr } = await child.ended
      expect({ end: end === 0 ? 'SIGKILL' : end, stderr }).toEqual({ end: 'SIGKILL', stderr: '' })

      withStore(location, (store) => {
        expect(store.movedTo).toBeNull()
        expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
        const dump = ledgerDump(store)
        // No torn issue: every line of the dump is the old season's or the new one's, and nothing is stray.
        const old = new Set(dumps[season])
        const fresh = new Set(dumps[next])
        expect(dump.filter((line) => !old.has(line) && !fresh.has(line))).toEqual([])
        expect(dump.at(-1)).toBe('["stray",0,0,0,0,0,0,0,0]')
        const newer = dump.filter((line) => line.startsWith('["issue"') && fresh.has(line) && !old.has(line)).length
        const kept = dump.filter((line) => line.startsWith('["issue"') && old.has(line) && !fresh.has(line)).length
        if (mode === 'full') expect(Math.min(newer, kept), 'a rebuild is swapped in whole').toBe(0)
        const state = newer === 0 ? 'old' : kept === 0 ? 'new' : 'between'
        if (state === 'between') expect(newer % 50 === 0 || newer % 50 === COUNT % 50, `${newer} of a batch`).toBe(true)
        const what = `${end === 0 ? 'ended' : 'killed'} ${moment ?? 'at random'}, ${store.found}, ${state}`
        found[what] = (found[what] ?? 0) + 1
        const words = ask(store, "SELECT name FROM sqlite_schema WHERE name = 'card_view'")
        expect(words).toHaveLength(1)
        expect(ledgerState(store).repos.length).toBe(1)
      })
      expect(await start({ location, pier: files[next], mode, at: 0 }).ended).toMatchObject({ end: 0, stderr: '' })
      expect(differences(withStore(location, ledgerDump), dumps[next])).toEqual([])
      season = next
    }
    console.info(`kill -9: ${JSON.stringify(found)}`)
    expect(
      Object.keys(found).some((what) => what.startsWith('killed')),
      JSON.stringify(found),
    ).toBe(true)
  },
  effort(180_000, 1_800_000),
)
