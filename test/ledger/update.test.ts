// The update of the ledger (issue 4 §3): what is fetched, what is written, where the watermark goes, and what is left
// when a request or a statement fails. The source is a pier (pier.ts), the store is real.

import { expect, onTestFinished, test } from 'vitest'
import { fieldTokens } from '../../src/extract/ledger-cards.ts'
import { updateLedger } from '../../src/ledger/update.ts'
import type { Card, LedgerIssue, LedgerSource } from '../../src/model/ledger.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { ledgerDump, ledgerState, unsettledIssues } from '../../src/store/queries/ledger-state.ts'
import { ask } from '../store/bakery.ts'
import { CREW, differences, freshDump, optionsFor, REPO, update } from './harbour.ts'
import { busyPier, decision, failing, investigation, Pier } from './pier.ts'

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

const source = expect.objectContaining({ code: 'source' })

test('the first run fetches everything, an idle one nothing, and writes nothing', async () => {
  const pier = busyPier(12)
  const store = memory()
  const first = await update(store, pier)
  expect(first).toMatchObject({ fetched: 12, changed: 12, removed: 0, issues: 12, cards: 16, ignored: 0, held: false })
  expect(first.watermark).toBe('2026-03-01T06:12:00Z')
  expect(pier.asked()).toEqual({ list: 3, issue: 12 })
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
  pier.asked()

  const changes = ask(store, 'SELECT total_changes() AS n')
  expect(await update(store, pier)).toMatchObject({ fetched: 0, changed: 0, cards: 16, watermark: first.watermark })
  expect(pier.asked()).toEqual({ list: 1, issue: 0 })
  expect(pier.requests).toEqual([])
  expect(ask(store, 'SELECT total_changes() AS n')).toEqual(changes)
  expect(ledgerState(store).repos).toMatchObject([{ name: REPO, issues: 12, cards: 16, ignored: 0 }])
})

test('single runs in any order, a batch run and a full rebuild say the same', async () => {
  const pier = busyPier(9)
  const expected = await freshDump(pier)
  expect(expected.filter((line) => line.startsWith('["card"'))).toHaveLength(12)
  for (const order of [
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    [9, 8, 7, 6, 5, 4, 3, 2, 1],
    [4, 9, 4, 1, 7, 3, 8, 2, 6, 5, 9],
  ]) {
    const store = memory()
    for (const issue of order) await update(store, pier, { issue })
    expect(differences(ledgerDump(store), expected)).toEqual([])
    expect((await update(store, pier, 'full')).changed).toBe(0)
    expect(differences(ledgerDump(store), expected)).toEqual([])
  }
})

test('a single run never moves the watermark past what nobody has seen', async () => {
  const pier = busyPier(4)
  const store = memory()
  // Nothing was ever listed, and there are others.
  expect(await update(store, pier, { issue: 4 })).toMatchObject({ watermark: null, held: true })
  await update(store, pier)
  const before = watermark(store)

  pier.wait(60).comment(2, investigation('swings in the wind'))
  pier.wait(60).close(3)
  pier.wait(3600).asked()
  expect(await update(store, pier, { issue: 3 })).toMatchObject({ watermark: before, held: true, fetched: 1 })
  expect(pier.asked()).toEqual({ list: 1, issue: 1 })
  // With the other one seen there is nothing in between: it moves, at the price of one request.
  expect(await update(store, pier, { issue: 2 })).toMatchObject({ watermark: '2026-03-01T07:06:00Z', held: false })
  expect(pier.asked()).toEqual({ list: 1, issue: 1 })
  expect(await update(store, pier)).toMatchObject({ fetched: 0 })
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})

test('an issue that changes between its fetch and the listing counts as not seen', async () => {
  const pier = busyPier(2)
  const store = memory()
  await update(store, pier)
  const before = watermark(store)
  pier.wait(60).close(1)
  pier.before = (request) => {
    if (request.startsWith('list')) pier.wait(5).comment(1, decision('paint the crane red'))
  }
  expect(await update(store, pier, { issue: 1 })).toMatchObject({ watermark: before, held: true })
  pier.before = () => {}
  pier.wait(3600)
  await update(store, pier)
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})

test('a single run behind several pages of changes leaves the watermark without reading on', async () => {
  const pier = busyPier(14)
  const store = memory()
  await update(store, pier)
  for (let number = 1; number <= 14; number++) pier.wait(60).close(number)
  pier.wait(3600).asked()
  expect(await update(store, pier, { issue: 5 })).toMatchObject({ held: true })
  expect(pier.asked().list).toBeLessThanOrEqual(2)
})

test('a failed listing leaves rows and watermark, whatever the mode, and so does a failed fetch of one or of all', async () => {
  const pier = busyPier(8)
  const store = memory()
  await update(store, pier)
  for (let number = 1; number <= 8; number++) pier.wait(60).comment(number, decision('wait for high tide'))
  pier.remove(5).wait(3600)
  const before = [ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]
  for (const mode of ['incremental', 'reconcile', 'full', { issue: 7 }] as const) {
    const partly = mode === 'incremental' || mode === 'reconcile'
    for (const pattern of partly ? [/^list/, /^issue/] : [/^list/, /^issue 7$/]) {
      pier.before = failing(pattern)
      await expect(update(store, pier, mode)).rejects.toThrow(source)
      expect([ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]).toEqual(before)
    }
  }
  // The second page of a listing, when the first has come.
  let pages = 0
  pier.before = (request) => {
    if (request.startsWith('list') && ++pages === 2) failing(/./)(request)
  }
  await expect(update(store, pier, 'full')).rejects.toThrow(source)
  expect([ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]).toEqual(before)
  pier.before = () => {}
  await update(store, pier, 'full')
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})

test('a run that is cut off keeps what came whole, and the next one fetches only the rest', async () => {
  const pier = busyPier(120)
  pier.pageSize = 100
  const store = memory()
  pier.before = failing(/^issue 103$/)
  await expect(update(store, pier)).rejects.toThrow(source)
  // Two of the last batch, and what was under way beside the one that failed.
  const kept = idsIn(store).filter((id) => id.endsWith('investigation/0')).length
  expect(kept).toBeGreaterThanOrEqual(102)
  expect(kept).toBeLessThanOrEqual(105)
  expect(idsIn(store)).not.toContain('103/investigation/0')
  expect(watermark(store)).toBeNull()
  pier.before = () => {}
  pier.asked()
  expect(await update(store, pier)).toMatchObject({ fetched: 120 - kept, watermark: '2026-03-01T08:00:00Z' })
  expect(pier.asked()).toEqual({ list: 2, issue: 120 - kept })
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})

test('a listing of everything with nothing in it is refused where the ledger holds issues', async () => {
  const pier = busyPier(3)
  const store = memory()
  await update(store, pier)
  const before = [ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]
  const empty = new Pier().wait(86_400)
  for (const mode of ['full', 'reconcile'] as const) {
    await expect(update(store, empty, mode)).rejects.toThrow(
      expect.objectContaining({ code: 'refused', exit: 1, hint: expect.stringContaining('the source is empty') }),
    )
    expect([ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]).toEqual(before)
  }
  // What the hint says works, and an empty ledger may stay empty.
  for (const issue of [1, 2, 3]) expect(await update(store, empty, { issue })).toMatchObject({ removed: 1 })
  for (const mode of ['full', 'reconcile'] as const)
    expect(await update(store, empty, mode)).toMatchObject({ issues: 0 })
})

test('reviews that cannot be read any more take no card away; where no card is from one they are none', async () => {
  const pier = busyPier(4)
  const review = pier.comment(4, decision('hire a diver'))
  pier.wait(3600)
  const hiding = (): LedgerSource => ({
    name: 'the pier',
    list: (since) => pier.list(since),
    issue: async (number) => {
      const issue = await pier.issue(number)
      if (issue === null || !issue.pull) return issue
      return { ...issue, texts: issue.texts.filter(({ id }) => id !== review), partial: true }
    },
  })
  const store = memory()
  await update(store, pier)
  expect(idsIn(store)).toContain('4/decision/0')
  const before = ledgerDump(store)
  for (const mode of ['full', { issue: 4 }] as const) {
    await expect(updateLedger(store, hiding(), optionsFor(pier, mode))).rejects.toThrow(source)
    expect(ledgerDump(store)).toEqual(before)
  }
  // Also where the card came in while the part was read.
  const late = memory()
  const { issue, ...rest } = hiding()
  const slow = {
    ...rest,
    issue: async (number: number): Promise<LedgerIssue | null> => {
      const found = await issue(number)
      await update(late, pier, { issue: 4 })
      return found
    },
  }
  await updateLedger(late, slow, optionsFor(pier, { issue: 4 }))
  expect(idsIn(late)).toContain('4/decision/0')
  expect(unsettledIssues(late, REPO)).toEqual([4])
  const other = memory()
  await updateLedger(other, hiding(), optionsFor(pier, 'incremental'))
  await updateLedger(other, hiding(), optionsFor(pier, 'full'))
  expect(idsIn(other)).toContain('4/investigation/0')
  expect(idsIn(other)).not.toContain('4/decision/0')
})

test('edited, deleted, closed, reopened, transferred: the card follows', async () => {
  const pier = busyPier(6)
  const store = memory()
  await update(store, pier)
  const follows = async (mode: Parameters<typeof update>[2] = 'incremental'): Promise<void> => {
    pier.wait(3600)
    await update(store, pier, mode)
    expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
  }
  const cause = (): unknown =>
    ask(store, "SELECT root_cause AS c FROM card_view WHERE id = '1/investigation/0'")[0]?.['c']
  pier.edit(1, 1, investigation('lets go of the hook'))
  await follows()
  expect(cause()).toContain('lets go of the hook')
  pier.close(1)
  await follows()
  expect(ask(store, "SELECT content FROM card_view WHERE id = '1/investigation/0'")[0]?.['content']).toContain(
    '"fixMerged":true',
  )
  pier.close(1, 'open')
  await follows()
  pier.uncomment(3, false)
  await follows()
  expect(idsIn(store)).not.toContain('3/decision/0')
  // Without a new time of change only a look at the issue itself shows it.
  pier.uncomment(6, true)
  pier.wait(3600)
  expect(await update(store, pier)).toMatchObject({ fetched: 0 })
  expect(idsIn(store)).toContain('6/decision/0')
  await follows({ issue: 6 })
  pier.remove(2)
  expect(await update(store, pier, { issue: 2 })).toMatchObject({ removed: 1, issues: 5 })
  expect(await update(store, pier, { issue: 2 })).toMatchObject({ removed: 0, issues: 5 })
  pier.remove(4)
  pier.wait(3600).asked()
  expect(await update(store, pier, 'reconcile')).toMatchObject({ removed: 1, fetched: 1 })
  pier.remove(5)
  await follows('full')
  expect(idsIn(store)).toEqual(['1/investigation/0', '3/investigation/0', '6/investigation/0'])
})

test('a second change in the same second is not lost, and the row vouches once time has passed', async () => {
  const pier = busyPier(3)
  const store = memory()
  await update(store, pier)
  pier.comment(1, investigation('creaks'))
  await update(store, pier)
  pier.comment(1, decision('grease it'))
  expect(idsIn(store)).not.toContain('1/decision/0')
  pier.wait(3600).asked()
  await update(store, pier)
  expect(idsIn(store)).toContain('1/decision/0')
  expect(pier.asked()).toEqual({ list: 1, issue: 1 })
  await update(store, pier)
  expect(pier.asked()).toEqual({ list: 1, issue: 0 })
  // The same by a single run, and with so much else changed since that no listing shows it.
  pier.close(2)
  await update(store, pier, { issue: 2 })
  pier.comment(2, decision('oil it'))
  pier.wait(3600).close(3)
  pier.wait(3600)
  await update(store, pier, { issue: 3 })
  pier.asked()
  await update(store, pier)
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
  expect(unsettledIssues(store, REPO)).toEqual([])
})

test('a source that went back in time is followed, and asked once more', async () => {
  const [yesterday, today] = [busyPier(3), busyPier(3)]
  today.wait(60).comment(2, decision('scrap the crane'))
  today.wait(3600)
  for (const mode of ['full', 'reconcile', { issue: 2 }] as const) {
    const store = memory()
    await update(store, today)
    await update(store, yesterday, mode)
    expect(differences(ledgerDump(store), await freshDump(yesterday))).toEqual([])
  }
})

test('trust: strangers are counted, another filter is refused, and a full rebuild judges everyone anew', async () => {
  const pier = busyPier(3)
  pier.comment(1, decision('sell the crane'), 'NONE', 'stranger')
  pier.comment(2, decision('mind the tide'), 'NONE', 'Tide-Bot')
  pier.wait(3600)
  const store = memory()
  expect(await update(store, pier)).toMatchObject({ ignored: 1, cards: 5 })
  const before = ledgerDump(store)
  const everyone = { ...CREW, associations: [...CREW.associations, 'NONE'] }
  for (const mode of ['incremental', 'reconcile', { issue: 1 }] as const) {
    await expect(update(store, pier, mode, everyone)).rejects.toThrow(
      expect.objectContaining({
        code: 'refused',
        exit: 1,
        hint: expect.stringMatching(/--full-rebuild.*ledger\.trust in \.specdex\/config\.yml/),
      }),
    )
  }
  expect(ledgerDump(store)).toEqual(before)
  // The same filter in another order is the same.
  await update(store, pier, 'incremental', { ...CREW, associations: ['member', 'COLLABORATOR', 'OWNER', 'OWNER'] })
  expect(await update(store, pier, 'full', everyone)).toMatchObject({ ignored: 0, cards: 6 })
  expect(ledgerDump(store)).toEqual(await freshDump(pier, everyone))
  await expect(update(store, pier)).rejects.toThrow(expect.objectContaining({ code: 'refused' }))
})

test('a card that did not change keeps its row and its tier; a changed one takes its words and tier along', async () => {
  const pier = busyPier(3)
  const store = memory()
  await update(store, pier)
  const rows = (): unknown => ask(store, 'SELECT id, issue, kind, seq FROM card ORDER BY id')
  const before = rows()
  store.write(() => store.db.exec("INSERT INTO card_tier SELECT id, 'head', 0, NULL, NULL FROM card"))
  pier.wait(60).comment(3, 'nothing to see here')
  pier.wait(3600)
  expect(await update(store, pier)).toMatchObject({ fetched: 1, changed: 0 })
  expect(rows()).toEqual(before)
  const words = (): unknown[] => ask(store, "SELECT text FROM term WHERE text IN ('hand', 'swan') ORDER BY text")
  expect(words()).toEqual([{ text: 'hand' }])
  pier.edit(3, 2, decision('ask the swan'))
  pier.wait(3600)
  expect(await update(store, pier)).toMatchObject({ fetched: 1, changed: 1 })
  expect(words()).toEqual([{ text: 'swan' }])
  expect(ask(store, 'SELECT count(*) AS n FROM card_tier')).toEqual([{ n: 3 }])
  expect(differences(ledgerDump(store), await freshDump(pier))).toEqual([])
})

test('two repositories in one ledger do not meet', async () => {
  const [pier, other] = [busyPier(3), busyPier(5)]
  other.edit(2, 1, investigation('shines too far', 'turnLamp'))
  const store = memory()
  const far = { repo: 'harbour/lighthouse' }
  await update(store, pier)
  const own = ledgerDump(store).filter((line) => line.includes(REPO))
  await updateLedger(store, other, { ...optionsFor(other, 'incremental'), ...far })
  expect(ledgerState(store).repos).toMatchObject([
    { name: REPO, issues: 3, cards: 4, watermark: '2026-03-01T06:03:00Z' },
    { name: far.repo, issues: 5, cards: 6, watermark: '2026-03-01T07:05:00Z' },
  ])
  expect(ledgerDump(store).filter((line) => line.includes(REPO))).toEqual(own)
  other.remove(2)
  await updateLedger(store, other, { ...optionsFor(other, 'full'), ...far })
  expect(ledgerState(store).repos).toMatchObject([
    { issues: 3, cards: 4 },
    { issues: 4, cards: 5 },
  ])
  expect(ledgerDump(store).filter((line) => line.includes(REPO))).toEqual(own)
})

test('posting_view says per field what the card’s words say', async () => {
  const pier = busyPier(1)
  pier.comment(1, investigation(`drops ${'crate '.repeat(40)}`, 'dropCrate'))
  pier.wait(3600)
  const store = memory()
  await update(store, pier)
  const column = { rootCause: 'root_cause', taskType: 'task_type' } as Readonly<Record<string, string>>
  const rows = ask(store, 'SELECT id, content FROM card_view')
  expect(rows).toHaveLength(2)
  for (const { id, content } of rows) {
    const expected = new Map<string, number>()
    for (const [field, tokens] of fieldTokens(JSON.parse(String(content)) as Card)) {
      for (const [term, count] of tokens) expected.set(`${term} ${column[field] ?? field}`, Math.min(count, 31))
    }
    const found = new Map<string, number>()
    for (const { term, repo: _, card: __, weight, ...fields } of ask(
      store,
      'SELECT * FROM posting_view WHERE card = ?',
      id,
    )) {
      for (const [field, count] of Object.entries(fields)) if (count !== 0) found.set(`${term} ${field}`, Number(count))
      expect(weight).toBeGreaterThan(0)
    }
    expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()))
  }
})
