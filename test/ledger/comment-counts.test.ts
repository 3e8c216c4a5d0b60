// Comments that were deleted without a new time of change: a listing shows no more of them than that it counts one less.
// Where it shows the issue at all, the card follows; where it cannot, `--issue` and a full rebuild see it.

import { expect, onTestFinished, test } from 'vitest'
import { fileSource } from '../../src/ledger/source-files.ts'
import { updateLedger } from '../../src/ledger/update.ts'
import { SILENT } from '../../src/model/clock.ts'
import type { IssueHead, LedgerIssue } from '../../src/model/ledger.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { ledgerDump } from '../../src/store/queries/ledger-state.ts'
import { tempTree, writeTree } from '../support/temp.ts'
import { startGitHub } from './github-server.ts'
import { differences, freshDump, optionsFor, REPO, update } from './harbour.ts'
import { decision, investigation, Pier } from './pier.ts'
import { listed, restWay } from './source-ways.ts'

/** A pier that counts comments, as GitHub does: what it said last of an issue. */
class CountingPier extends Pier {
  readonly #said = new Map<number, number>()

  comments = (number: number): number | null => this.#said.get(number) ?? null

  override async *list(since: string | null): AsyncGenerator<readonly IssueHead[]> {
    for await (const page of super.list(since)) {
      for (const { number } of page) this.#count(number)
      yield page
    }
  }

  override async issue(number: number): Promise<LedgerIssue | null> {
    const found = await super.issue(number)
    if (found !== null) this.#count(number)
    return found
  }

  #count(number: number): void {
    const berth = this.toJSON().berths.find((each) => each.number === number)
    this.#said.set(number, (berth?.texts.length ?? 1) - 1)
  }
}

function blank(): Store {
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  return store
}

/** Two issues, each with a lesson and a decision, long after their last change. */
function quiet(): CountingPier {
  const pier = new CountingPier()
  for (const number of [1, 2]) {
    pier.wait(3600).open(number)
    pier.comment(number, investigation('slips'))
    pier.comment(number, decision('oil it'))
  }
  pier.wait(7200)
  return pier
}

test('--reconcile sees a comment that went silently, and fetches no other issue', async () => {
  const [pier, store] = [quiet(), blank()]
  await update(store, pier, 'full')
  pier.uncomment(1, true)
  pier.asked()
  expect(await update(store, pier, 'reconcile')).toMatchObject({ fetched: 1, changed: 1, cards: 3 })
  expect(pier.requests).toContain('issue 1')
  expect(pier.asked().issue).toBe(1)
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
  expect(await update(store, pier, 'reconcile')).toMatchObject({ fetched: 0, changed: 0 })
})

test('an incremental run sees it within its overlap, and not before', async () => {
  const [pier, store] = [quiet(), blank()]
  await update(store, pier, 'full')
  pier.uncomment(1, true)
  expect(await update(store, pier)).toMatchObject({ fetched: 0, cards: 4 })
  pier.uncomment(2, true)
  // The newest issue is in every listing.
  expect(await update(store, pier)).toMatchObject({ fetched: 1, changed: 1, cards: 3 })
  expect(await update(store, pier, { issue: 1 })).toMatchObject({ changed: 1, cards: 2 })
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})

test('--issue moves the watermark past no issue whose comments are others than were read', async () => {
  const [pier, store] = [quiet(), blank()]
  const { watermark } = await update(store, pier, 'full')
  pier.uncomment(2, true)
  pier.comment(1, 'Low water.')
  pier.wait(120)
  expect(await update(store, pier, { issue: 1 })).toMatchObject({ held: true, watermark })
  expect(await update(store, pier)).toMatchObject({ fetched: 1, changed: 1, held: false, cards: 3 })
})

test('a count that is not known proves nothing: neither a source without counts nor an older row is fetched again', async () => {
  const [pier, store] = [quiet(), blank()]
  await update(store, pier, 'full')
  store.write(() => store.prepare('UPDATE issue SET comments = NULL WHERE number = 1').run())
  expect(await update(store, pier, 'reconcile')).toMatchObject({ fetched: 0 })
  const mute = new Pier()
  mute.wait(60).open(3)
  mute.comment(3, decision('wait'))
  mute.wait(7200)
  const other = blank()
  await update(other, mute, 'full')
  mute.uncomment(3, true)
  expect(await update(other, mute, 'reconcile')).toMatchObject({ fetched: 0 })
})

test('files and GitHub tell the counts of their issues', async () => {
  const at = '2026-05-01T06:00:00Z'
  const row = { number: 1, state: 'closed', body: null, user: null, created_at: at, updated_at: at }
  const said = (id: number, body: string): object => ({ id, body, user: null, created_at: at })
  const folder = tempTree({
    'issues.json': JSON.stringify([{ ...row, comments: 2 }]),
    'comments/1.json': JSON.stringify([said(1, decision('wait')), said(2, decision('sail'))]),
  })
  const store = blank()
  const run = (mode: 'full' | 'reconcile') =>
    updateLedger(store, fileSource(folder, REPO, SILENT), optionsFor(new Pier().wait(1e8), mode))
  expect(await run('full')).toMatchObject({ cards: 2 })
  expect(store.prepare('SELECT comments FROM issue').all()).toEqual([{ comments: 2 }])
  writeTree(folder, {
    'issues.json': JSON.stringify([{ ...row, comments: 1 }]),
    'comments/1.json': JSON.stringify([said(1, decision('wait'))]),
  })
  expect(await run('reconcile')).toMatchObject({ fetched: 1, changed: 1, cards: 1 })

  const server = await startGitHub()
  const repository = server.repository(REPO).open(7)
  const { source } = await restWay(server, REPO)
  const first = repository.say(7, decision('wait'))
  repository.say(7, decision('sail'))
  await listed(source)
  expect(source.comments?.(7)).toBe(2)
  repository.rewrite(7, first, undefined, true)
  expect((await source.issue(7))?.texts).toHaveLength(2)
  expect(source.comments?.(7)).toBe(1)
  expect(source.comments?.(8)).toBeNull()
})
