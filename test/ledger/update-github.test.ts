// The update against a real HTTP server that plays GitHub (issue 4 §7.2): hundreds of issues, 250 comments on one of
// them, limits and faults in between, and everything that can happen to an issue. No card is lost, and none is a ghost.
// `npm run test:long` takes three thousand issues.

import { expect, onTestFinished, test } from 'vitest'
import type { UpdateMode, UpdateReport } from '../../src/ledger/update.ts'
import { updateLedger } from '../../src/ledger/update.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { ledgerDump, ledgerState } from '../../src/store/queries/ledger-state.ts'
import { ask } from '../store/bakery.ts'
import { effort } from '../support/effort.ts'
import { type Fault, type GitHubServer, type Repository, startGitHub } from './github-server.ts'
import { differences, optionsFor, REPO } from './harbour.ts'
import { decision, investigation, Pier } from './pier.ts'
import { restWay } from './source-ways.ts'

const COUNT = effort(60, 3000)
const HOUR_MS = 3_600_000

/** What every n-th request meets, in turn; all of it passes. */
const TROUBLE: readonly Fault[] = [
  { status: 502 },
  { status: 403, headers: { 'retry-after': '1' }, message: 'You have exceeded a secondary rate limit' },
  { status: 429, headers: { 'retry-after': '1' } },
  'cut',
  'hang up',
]

function trouble(every: number): GitHubServer['before'] {
  let count = 0
  return () => (++count % every === 0 ? TROUBLE[(count / every) % TROUBLE.length] : undefined)
}

function memory(): Store {
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  return store
}

/** One run with a source of its own, as each command has. */
async function run(store: Store, server: GitHubServer, pier: Repository, mode: UpdateMode): Promise<UpdateReport> {
  const { source } = await restWay(server, REPO)
  return updateLedger(store, source, { ...optionsFor(new Pier(), mode), now: () => pier.clock })
}

async function fresh(server: GitHubServer, pier: Repository): Promise<string[]> {
  const { before } = server
  server.before = () => undefined
  const store = memory()
  await run(store, server, pier, 'full')
  server.before = before
  server.takePaths()
  return ledgerDump(store)
}

test(
  'no lost and no ghost card, whatever happens to issues and requests',
  async () => {
    const server = await startGitHub()
    const pier = server.repository(REPO)
    const yard = server.repository('harbour/yard')
    for (let number = 1; number <= COUNT; number++) {
      pier.open(number, number % 7 === 0 ? investigation(`is too heavy for crate ${number}`) : null, number % 5 === 0)
      if (number % 2 === 0) pier.say(number, decision(`lower crate ${number} slowly`))
    }
    // More than two pages of comments, with the annotation on the last; and one in a review.
    for (let i = 1; i < 250; i++) pier.say(3, `gull ${i}`)
    pier.say(3, decision('count the gulls'))
    pier.say(5, investigation('was reviewed'), 'reviewComments')
    const strange = pier.say(9, decision('burn it'), 'comments', { association: 'NONE', login: 'stranger' })
    pier.clock += HOUR_MS

    const store = memory()
    server.before = trouble(effort(47, 61))
    expect(await run(store, server, pier, 'incremental')).toMatchObject({ issues: COUNT, ignored: 1, held: false })
    expect(differences(ledgerDump(store), await fresh(server, pier))).toEqual([])
    expect(ask(store, "SELECT decision FROM card_view WHERE id = '3/decision/0'")).toEqual([
      { decision: 'count the gulls' },
    ])

    // Nothing happened: one request and no row fetched.
    server.before = () => undefined
    expect(await run(store, server, pier, 'incremental')).toMatchObject({ fetched: 0, issues: COUNT })
    expect(server.takePaths()).toEqual([`/repos/${REPO}/issues`])

    server.before = trouble(6)
    pier.rewrite(9, strange).turn(2, 'closed')
    pier.say(11, investigation('was missed'))
    pier.remove(4).transfer(6, yard, 1)
    // The second of these two is in the same second as the run that sees the first.
    pier.say(8, decision('one knot'))
    await run(store, server, pier, 'incremental')
    pier.standing = true
    pier.say(8, decision('two knots'))
    pier.standing = false
    pier.clock += HOUR_MS
    await run(store, server, pier, 'incremental')
    // Deletions and transfers are in no listing; they are found by number, or by listing everything.
    await run(store, server, pier, { issue: 4 })
    expect(await run(store, server, pier, 'reconcile')).toMatchObject({ removed: 1, issues: COUNT - 2, ignored: 0 })
    expect(differences(ledgerDump(store), await fresh(server, pier))).toEqual([])

    // A server that refuses for good, at once or in the middle: nothing changes.
    const before = [ledgerDump(store), ledgerState(store)]
    pier.say(12, decision('wait for better weather'))
    for (const mode of ['incremental', 'reconcile', 'full', { issue: 12 }] as const) {
      for (const refused of [/./, /issues\/12/]) {
        server.before = (path) => (refused.test(path) ? { status: 403 } : undefined)
        await expect(run(store, server, pier, mode)).rejects.toThrow(expect.objectContaining({ code: 'source' }))
        expect([ledgerDump(store), ledgerState(store)]).toEqual(before)
      }
    }
    server.before = trouble(59)
    pier.clock += HOUR_MS
    await run(store, server, pier, 'full')
    expect(differences(ledgerDump(store), await fresh(server, pier))).toEqual([])
  },
  effort(120_000, 900_000),
)
