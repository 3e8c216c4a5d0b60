// Updates of the ledger that something comes between: other runs, a listing that moves, a replica that lags, a changed
// filter, an exception at every statement. In one process, with a pier (pier.ts) and a real store.

import { expect, onTestFinished, test } from 'vitest'
import { type UpdateMode, updateLedger } from '../../src/ledger/update.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { ledgerDump, ledgerState, unsettledIssues } from '../../src/store/queries/ledger-state.ts'
import { ask } from '../store/bakery.ts'
import { effort } from '../support/effort.ts'
import { CREW, differences, freshDump, optionsFor, REPO, update } from './harbour.ts'
import { busyPier, decision, investigation, Pier } from './pier.ts'

function memory(trace?: (sql: string) => void): Store {
  const store = openMemoryStore(trace)
  onTestFinished(() => store.close())
  return store
}

function idsIn(store: Store): string[] {
  return ask(store, 'SELECT id FROM card_view ORDER BY issue, kind, id').map(({ id }) => String(id))
}

function watermark(store: Store): string | null | undefined {
  return ledgerState(store).repos[0]?.watermark
}

test('a single run leaves the watermark that a rebuild set back meanwhile', async () => {
  const pier = busyPier(4)
  const store = memory()
  await update(store, pier)
  pier.wait(600).close(4)
  pier.wait(600).close(2)
  pier.wait(3600)
  const options = optionsFor(pier, { issue: 4 })
  const gone = Pier.from(JSON.parse(JSON.stringify(pier)))
  gone.remove(2).remove(4)
  await updateLedger(store, pier, {
    ...options,
    // Meanwhile the newest issues are gone, and a rebuild has set the watermark back.
    anchors: async (cards) => {
      await update(store, gone, 'full')
      return options.anchors(cards)
    },
  })
  expect(watermark(store)).toBe('2026-03-01T06:03:00Z')
})

test('a replica that lags behind the listing is asked again', async () => {
  const pier = busyPier(5)
  const store = memory()
  await update(store, pier)
  pier.wait(60).comment(2, decision('nets, not hooks'))
  pier.wait(3600).open(6)
  pier.comment(6, investigation('is too short'))
  const lagging = Pier.from(JSON.parse(JSON.stringify(pier)))
  lagging.uncomment(2, true).remove(6)
  const late = {
    name: 'late',
    list: pier.list.bind(pier),
    issue: async (n: number) => {
      const issue = await lagging.issue(n)
      return issue && { ...issue, updatedAt: n === 2 ? '2026-03-01T06:02:00Z' : issue.updatedAt }
    },
  }
  await updateLedger(store, late, optionsFor(pier, 'incremental'))
  expect(idsIn(store)).not.toContain('6/investigation/0')
  pier.wait(86_400)
  await update(store, pier)
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})

test('issues that change while they are listed fall between no two pages', async () => {
  for (const mode of ['incremental', 'full'] as const) {
    const pier = busyPier(20)
    const store = memory()
    let lists = 0
    // After the first page its first issue moves to the end: what was sixth is now on a page that has been read.
    pier.before = (request) => {
      if (request.startsWith('list') && ++lists === 2) pier.wait(1).close(1)
    }
    expect(await update(store, pier, mode)).toMatchObject({ issues: 20, held: false })
    pier.wait(3600)
    await update(store, pier)
    expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])

    // A listing that never comes to rest moves nothing.
    const restless = memory()
    pier.before = (request) => {
      if (request.startsWith('list')) pier.wait(1).close(pier.oldest)
    }
    expect(await update(restless, pier, mode)).toMatchObject({ watermark: null, held: true })
    pier.before = () => {}
    pier.wait(3600)
    await update(restless, pier)
    expect(ledgerDump(restless)).toEqual(await freshDump(pier))
  }
})

test('whoever fetched earlier and writes later does not undo what is newer', async () => {
  for (const mode of [{ issue: 2 }, 'incremental', 'full'] as const) {
    const pier = busyPier(3)
    const store = memory()
    await update(store, pier)
    pier.wait(60).comment(2, decision('first thought'))
    pier.wait(600)
    const options = optionsFor(pier, mode)
    await updateLedger(store, pier, {
      ...options,
      // The issue has been fetched, nothing is written yet: another run comes in between.
      anchors: async (cards) => {
        pier.wait(60).edit(2, 2, decision('second thought'))
        await update(store, pier, { issue: 2 })
        return options.anchors(cards)
      },
    })
    const said = ask(store, "SELECT decision FROM card_view WHERE id = '2/decision/0'")
    expect(said[0]?.['decision']).toBe('second thought')
    pier.wait(3600)
    await update(store, pier)
    expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
  }
})

test('of two fetches of one issue at one time, neither is taken for the last word', async () => {
  for (const mode of [{ issue: 3 }, 'full'] as const) {
    const pier = busyPier(3)
    const store = memory()
    await update(store, pier)
    const options = optionsFor(pier, mode)
    await updateLedger(store, pier, {
      ...options,
      // Fetched; then the decision is deleted, which no time stamp shows, and a close step sees that first.
      anchors: async (cards) => {
        await update(store, pier.uncomment(3, true), { issue: 3 })
        return options.anchors(cards)
      },
    })
    expect(unsettledIssues(store, REPO)).toEqual([3])
    await update(store, pier)
    expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
    expect(unsettledIssues(store, REPO)).toEqual([])
  }
})

test('a batch that began under another filter does not write into the rebuilt ledger', async () => {
  const pier = busyPier(3)
  const store = memory()
  await update(store, pier)
  pier.wait(60).comment(2, decision('lift at dawn'), 'NONE', 'stranger')
  pier.wait(3600)
  const everyone = { ...CREW, associations: ['NONE'] }
  const options = optionsFor(pier, 'incremental')
  const run = updateLedger(store, pier, {
    ...options,
    anchors: async (cards) => {
      await update(store, pier, 'full', everyone)
      return options.anchors(cards)
    },
  })
  await expect(run).rejects.toThrow(expect.objectContaining({ code: 'refused' }))
  expect(ledgerDump(store)).toEqual(await freshDump(pier, everyone))
})

test('a rebuild under a new filter asks again for what came in under the old one meanwhile', async () => {
  const pier = busyPier(3)
  const store = memory()
  await update(store, pier)
  pier.wait(3600)
  const everyone = { ...CREW, associations: ['NONE', 'MEMBER'] }
  const options = optionsFor(pier, 'full', everyone)
  await updateLedger(store, pier, {
    ...options,
    anchors: async (cards) => {
      expect(cards).toHaveLength(4)
      pier.wait(60).comment(2, decision('never on Mondays'), 'NONE', 'stranger')
      pier.open(7).comment(7, decision('new ropes'), 'NONE', 'stranger')
      pier.wait(600)
      await update(store, pier, { issue: 2 })
      await update(store, pier, { issue: 7 })
      return options.anchors(cards)
    },
  })
  await update(store, pier, 'incremental', everyone)
  expect(ledgerDump(store)).toEqual(await freshDump(pier, everyone))
})

test.each<UpdateMode>(['incremental', 'reconcile', 'full', { issue: 6 }])(
  'an exception at every statement of a batch: it did not happen, and the next run puts it right (%o)',
  async (mode) => {
    const pier = busyPier(7)
    const later = Pier.from(JSON.parse(JSON.stringify(pier)))
    later.edit(1, 1, investigation('is blocked by gulls'))
    later.uncomment(3, false).close(2)
    later.wait(60).comment(6, decision('call the diver'))
    later.remove(5).wait(10)
    const expected = await freshDump(later)
    const fault = new Error('the hook broke')
    const statements: string[] = []
    let failAt = 0
    const state = (store: Store): unknown => [ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]

    /** Updates a ledger of yesterday; the statement `at` of that fails. */
    const attempt = async (at: number): Promise<{ before: unknown; after: unknown; thrown: unknown }> => {
      failAt = 0
      const store = openMemoryStore((sql) => {
        statements.push(sql)
        if (statements.length === failAt) throw fault
      })
      try {
        await update(store, pier)
        const before = state(store)
        statements.length = 0
        failAt = at
        const thrown = await update(store, later, mode).then(
          () => null,
          (error: unknown) => error,
        )
        failAt = 0
        expect(store.db.inTransaction).toBe(false)
        const [last, after] = [statements.length, state(store)]
        statements.length = last
        if (thrown !== null) {
          await update(store, later, 'full')
          expect(differences(ledgerDump(store), expected)).toEqual([])
        }
        return { before, after, thrown }
      } finally {
        store.close()
      }
    }

    const whole = await attempt(0)
    expect(whole.thrown).toBeNull()
    const last = statements.length
    const commit = statements.indexOf('COMMIT', statements.indexOf('BEGIN IMMEDIATE')) + 1
    expect(commit).toBeGreaterThan(last / 2)
    const step = effort(Math.max(1, Math.ceil(last / 40)), 1)
    for (let at = 1; at <= last; at += step) {
      const { before, after, thrown } = await attempt(at)
      const what = `statement ${at} of ${last}`
      // Setting a pragma back is cleaning up, whose failure hides nothing.
      if (thrown !== null) expect(thrown, what).toBe(fault)
      expect(after, what).toEqual(at <= commit ? before : whole.after)
    }
  },
)
