// Export and import: equal content gives equal bytes, an export becomes the same ledger again, and nothing that is
// damaged or foreign gets in.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { contentFiles, type LedgerFileName, type LedgerFiles, postingsOf } from '../../src/ledger/content.ts'
import { exportLedger, writeLedgerFolder } from '../../src/ledger/export.ts'
import { importLedger } from '../../src/ledger/import.ts'
import { UserError } from '../../src/model/errors.ts'
import { CARD_KEYS, type Card } from '../../src/model/ledger.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { saveRenames } from '../../src/store/queries/ledger-renames.ts'
import { ledgerDump, ledgerState } from '../../src/store/queries/ledger-state.ts'
import { tempFolder } from '../support/temp.ts'
import { REPO, update } from './harbour.ts'
import { investigation, ledgerOf, textsOf, trajectory } from './lessons.ts'
import { Pier } from './pier.ts'

const RENAMES = [
  { commit: 'c2', at: 200, from: 'src/winch.ts', to: 'src/crane.ts' },
  { commit: 'c1', at: 100, from: 'alt/ö b\n.ts', to: 'src/winch.ts' },
]

function closing(store: Store): Store {
  onTestFinished(() => store.close())
  return store
}

/** Three issues with lessons, one without, a pull request; numbers whose order as texts is another one. */
function quay(): Pier {
  const pier = new Pier()
  for (const number of [9, 10, 100]) pier.open(number).wait(90)
  pier.open(11, true).wait(90).open(12).wait(90)
  pier.comment(10, investigation('constructor'))
  pier.comment(10, trajectory('Keep the old winch'))
  pier.comment(9, investigation('__proto__', 'docs/Käse "quay".md'))
  pier.comment(100, investigation('起重机 hook'))
  pier.comment(11, investigation('buoy'))
  pier.comment(12, investigation('stranger'), 'NONE', 'gull')
  return pier.wait(90)
}

async function filled(): Promise<Store> {
  const store = closing(await ledgerOf(quay()))
  store.write(() => saveRenames(store, RENAMES, null, false))
  return store
}

describe('export', () => {
  test('cards stand in canonical order, with the keys of their kind and no status', async () => {
    const lines = (textsOf(await filled())['knowledge.jsonl'] ?? '').split('\n')
    expect(lines.pop()).toBe('')
    const cards = lines.map((line) => JSON.parse(line) as Card)
    expect(cards.map(({ id }) => id)).toEqual([
      '9/investigation/0',
      '9/pattern/0',
      '10/investigation/0',
      '10/pattern/0',
      '10/decision/0',
      '11/investigation/0',
      '11/pattern/0',
      '100/investigation/0',
      '100/pattern/0',
    ])
    for (const card of cards) {
      const optional = (key: string): boolean => key === 'costUsd' || key === 'adrPath'
      expect(Object.keys(card)).toEqual(CARD_KEYS[card.kind].filter((key) => key in card || !optional(key)))
    }
  })

  test('postings say what posting_view says, keys sorted at every depth', async () => {
    const store = await filled()
    const text = textsOf(store)['postings.json'] ?? ''
    const keys = [...text.matchAll(/^("(?:[^"\\]|\\.)*"):/gm)].map(([, key]) => JSON.parse(key ?? '') as string)
    expect(keys).toEqual([...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    expect(keys).toContain('constructor')
    expect(keys).toContain('__proto__')
    const said = new Map(Object.entries(JSON.parse(text) as Record<string, Record<string, Record<string, number>>>))
    expect(Object.keys(said.get('liftload') ?? {})).toEqual(Object.keys(said.get('liftload') ?? {}).sort())
    const rows = store.read(() => store.db.prepare('SELECT * FROM posting_view').all()) as Record<string, unknown>[]
    const columns = { root_cause: 'rootCause', task_type: 'taskType' } as const
    for (const { term, card, repo: _, weight: __, ...counts } of rows) {
      const fields = Object.entries(counts).filter(([, count]) => count !== 0)
      const named = fields.map(([name, count]) => [columns[name as keyof typeof columns] ?? name, count])
      expect(said.get(term as string)?.[card as string], `${term} ${card}`).toEqual(Object.fromEntries(named))
    }
    const total = [...said.values()].reduce((sum, cards) => sum + Object.keys(cards).length, 0)
    expect(rows.length).toBe(total)
    expect(total).toBeGreaterThan(50)
  })

  test('manifest and renames, to the letter', async () => {
    const pier = new Pier().open(7)
    const store = closing(await ledgerOf(pier))
    store.write(() => saveRenames(store, RENAMES, null, false))
    const { trust } = ledgerState(store).repos[0] ?? { trust: '' }
    const files = textsOf(store)
    expect(files['manifest.json']).toBe(`{
  "schemaVersion": 1,
  "repo": "harbour/crane",
  "watermark": "2026-03-01T06:00:00Z",
  "trust": "${trust}",
  "cardCount": 0,
  "issues": {
    "7": {"hash":"4f53cda18c2baa0c","updated":"2026-03-01T06:00:00Z","pull":false,"open":true,"ignored":0}
  }
}
`)
    expect(files['renames.jsonl']).toBe(
      '{"commit":"c1","at":100,"from":"alt/ö b\\n.ts","to":"src/winch.ts"}\n' +
        '{"commit":"c2","at":200,"from":"src/winch.ts","to":"src/crane.ts"}\n',
    )
    expect([files['knowledge.jsonl'], files['postings.json']]).toEqual(['', '{}\n'])
  })

  test('any way to the same content gives the same bytes', async () => {
    const pier = quay()
    const store = closing(openMemoryStore())
    for (const issue of [100, 11, 12, 9]) await update(store, pier, { issue })
    pier.edit(9, 1, investigation('hawser'))
    await update(store, pier)
    pier.edit(9, 1, investigation('__proto__', 'docs/Käse "quay".md')).remove(100)
    await update(store, pier.wait(90), { issue: 100 })
    await update(store, pier)
    expect(textsOf(store)).toEqual(textsOf(closing(await ledgerOf(pier))))
  })

  test('from rows or from the cards alone: the same files', async () => {
    const { content, files } = exportLedger(await filled(), REPO)
    expect(contentFiles(content, postingsOf(content))).toEqual(files)
  })

  test('a folder is written as far as it differs, and a link is not followed', async () => {
    const folder = path.join(tempFolder('export'), 'deep', 'ledger')
    const { files } = exportLedger(await filled(), REPO)
    expect(writeLedgerFolder(folder, files)).toHaveLength(4)
    expect(writeLedgerFolder(folder, files)).toEqual([])
    const outside = path.join(tempFolder('outside'), 'log.txt')
    writeFileSync(outside, 'high tide\n')
    writeFileSync(path.join(folder, 'renames.jsonl'), '')
    mkdirSync(path.join(folder, 'more'))
    const linked = path.join(folder, 'more')
    symlinkSync(outside, path.join(linked, 'manifest.json'))
    expect(writeLedgerFolder(folder, files)).toEqual(['renames.jsonl'])
    expect(writeLedgerFolder(linked, files)).toHaveLength(4)
    expect(readFileSync(outside, 'utf8')).toBe('high tide\n')
    expect(readFileSync(path.join(linked, 'manifest.json'))).toEqual(files.get('manifest.json'))
  })

  test('no ledger: one clear error', () => {
    expect(() => exportLedger(closing(openMemoryStore()), REPO)).toThrow(/holds no ledger of harbour\/crane/)
  })
})

describe('import', () => {
  test('hydrates the same ledger, and its export is byte-identical', async () => {
    const store = await filled()
    const folder = tempFolder('import')
    writeLedgerFolder(folder, exportLedger(store, REPO).files)
    const other = closing(openMemoryStore())
    expect(importLedger(other, folder)).toEqual({ repo: REPO, issues: 5, cards: 9, renames: 2 })
    expect(ledgerDump(other)).toEqual(ledgerDump(store))
    expect(ledgerState(other)).toEqual(ledgerState(store))
    expect(textsOf(other)).toEqual(textsOf(store))
  })

  test('the next update goes on from there', async () => {
    const pier = quay()
    const files = exportLedger(closing(await ledgerOf(pier)), REPO).files
    const store = closing(openMemoryStore())
    importLedger(store, files)
    pier.asked()
    pier.comment(12, investigation('anchor'))
    await update(store, pier.wait(90))
    expect(textsOf(store)).toEqual(textsOf(closing(await ledgerOf(pier))))
  })

  test('two repositories in one index share terms and nothing else', async () => {
    const { files } = exportLedger(await filled(), REPO)
    const store = await filled()
    const before = textsOf(store)
    importLedger(
      store,
      edited(files, 'manifest.json', (text) => text.replace('harbour/crane', 'harbour/lock')),
    )
    expect(textsOf(store)).toEqual(before)
    expect(exportLedger(store, 'harbour/lock').files.get('postings.json')).toEqual(files.get('postings.json'))
  })

  test('the newest issue is gone, then all are: the export has no later watermark, and is taken', async () => {
    const pier = new Pier().open(1).wait(90).open(2).wait(90)
    const store = closing(await ledgerOf(pier))
    for (const [gone, watermark] of [
      [2, '2026-03-01T06:00:00Z'],
      [1, null],
    ] as const) {
      await update(store, pier.remove(gone), { issue: gone })
      expect(ledgerState(store).repos[0]?.watermark).toBe('2026-03-01T06:01:30Z')
      const other = closing(openMemoryStore())
      importLedger(other, exportLedger(store, REPO).files)
      expect(ledgerState(other).repos[0]?.watermark).toBe(watermark)
      expect(textsOf(other)).toEqual(textsOf(store))
    }
    const { files } = exportLedger(store, REPO)
    expectRefused(
      edited(files, 'manifest.json', (text) =>
        text.replace('"watermark": null', '"watermark": "2026-03-01T06:00:00Z"'),
      ),
      /watermark/,
    )
  })

  test('capitals make no other repository', async () => {
    const store = await filled()
    const before = ledgerDump(store)
    const { files } = exportLedger(store, REPO)
    const shouted = edited(files, 'manifest.json', (text) => text.replace('harbour/crane', 'Harbour/CRANE'))
    expect(() => importLedger(store, shouted)).toThrow(/already holds a ledger of harbour\/crane/)
    expect(ledgerDump(store)).toEqual(before)
    const empty = closing(openMemoryStore())
    await update(empty, new Pier())
    expect(importLedger(empty, shouted)).toMatchObject({ repo: REPO, issues: 5 })
    expect(ledgerState(empty).repos.map(({ name }) => name)).toEqual([REPO])
  })

  test('a ledger that is not empty is refused and stays', async () => {
    const store = await filled()
    const before = ledgerDump(store)
    expect(() => importLedger(store, exportLedger(store, REPO).files)).toThrow(/already holds a ledger/)
    expect(ledgerDump(store)).toEqual(before)
  })

  test('a missing file is named', () => {
    expect(() => importLedger(closing(openMemoryStore()), tempFolder('empty'))).toThrow(
      /knowledge\.jsonl cannot be read/,
    )
  })
})

const DAMAGE: readonly (readonly [string, LedgerFileName, (text: string) => string])[] = [
  ['a torn last line', 'knowledge.jsonl', (text) => text.slice(0, -30)],
  ['no line end', 'knowledge.jsonl', (text) => text.slice(0, -1)],
  ['a torn line in the middle', 'knowledge.jsonl', (text) => text.replace('"prevention"', '"preven\n')],
  ['a card less', 'knowledge.jsonl', (text) => text.slice(text.indexOf('\n') + 1)],
  ['the last card missing', 'knowledge.jsonl', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)],
  ['a card twice', 'knowledge.jsonl', (text) => text.slice(0, text.indexOf('\n') + 1) + text],
  ['an empty line', 'knowledge.jsonl', (text) => text.replace('\n', '\n\n')],
  ['carriage returns', 'knowledge.jsonl', (text) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', 'knowledge.jsonl', (text) => `\ufeff${text}`],
  ['a status', 'knowledge.jsonl', (text) => text.replace('"createdAt"', '"status":"fresh","createdAt"')],
  ['a changed word', 'knowledge.jsonl', (text) => text.replace('tide is high', 'tide is low')],
  ['other spacing', 'knowledge.jsonl', (text) => text.replace('"id":', '"id": ')],
  ['a doubled key', 'knowledge.jsonl', (text) => text.replace('"pr":null', '"pr":null,"pr":null')],
  ['another schema version', 'knowledge.jsonl', (text) => text.replace('"schemaVersion":1', '"schemaVersion":2')],
  ['an unknown kind', 'knowledge.jsonl', (text) => text.replaceAll('decision', 'omen')],
  ['a text for a list', 'knowledge.jsonl', (text) => text.replace(/"paths":\[[^\]]*\]/, '"paths":"src"')],
  ['an id of another issue', 'knowledge.jsonl', (text) => text.replace('"9/pattern/0"', '"8/pattern/0"')],
  ['an impossible day', 'knowledge.jsonl', (text) => text.replace(/"createdAt":"[^"]*"/, '"createdAt":"2026-13-40"')],
  ['cards of an unknown issue', 'manifest.json', (text) => text.replace(/ *"9": .*\n/, '')],
  ['a wrong count', 'manifest.json', (text) => text.replace('"cardCount": 9', '"cardCount": 8')],
  ['a key too many', 'manifest.json', (text) => text.replace('"repo"', '"lastIndexed": 1, "repo"')],
  ['no line end', 'manifest.json', (text) => text.slice(0, -1)],
  ['a torn object', 'manifest.json', (text) => text.slice(0, -2)],
  ['a newer version', 'manifest.json', (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 2')],
  [
    'a watermark that is no time',
    'manifest.json',
    (text) => text.replace(/"watermark": "[^"]*"/, '"watermark": "noon"'),
  ],
  ['a watermark in another form', 'manifest.json', (text) => text.replace(/("watermark": "[^"]*)Z"/, '$1.000Z"')],
  [
    'a watermark later than all issues',
    'manifest.json',
    (text) => text.replace(/"watermark": "[^"]*"/, '"watermark": "2999-01-01T00:00:00Z"'),
  ],
  ['a time in another form', 'manifest.json', (text) => text.replace(/"updated":"[^"]*"/, '"updated":"2026-02-03"')],
  ['a day that is none', 'manifest.json', (text) => text.replace(/("updated":"2026-)[\d-]*/, '$102-30')],
  ['a name without an owner', 'manifest.json', (text) => text.replace('harbour/crane', 'crane')],
  ['a name that leads elsewhere', 'manifest.json', (text) => text.replace('harbour/crane', '../crane')],
  ['an issue 0', 'manifest.json', (text) => text.replace('"9":', '"0":')],
  ['a torn object', 'postings.json', (text) => text.slice(0, -3)],
  ['no line end', 'postings.json', (text) => text.slice(0, -1)],
  ['an unknown card', 'postings.json', (text) => text.replace('"9/pattern/0"', '"8/pattern/0"')],
  ['an unknown field', 'postings.json', (text) => text.replace('{"pattern":', '{"colour":')],
  ['a count that is none', 'postings.json', (text) => text.replace('{"pattern":1', '{"pattern":"1"')],
  ['a torn line', 'renames.jsonl', (text) => text.slice(0, -10)],
  ['a line twice', 'renames.jsonl', (text) => text + text],
  ['a key too many', 'renames.jsonl', (text) => text.replace('"at"', '"by":"me","at"')],
]

describe('nothing of a damaged export is taken', () => {
  test.each(DAMAGE)('%s in %s', async (_, name, damage) => {
    const { files } = exportLedger(await filled(), REPO)
    const harmed = edited(files, name, damage)
    expect(harmed.get(name)).not.toEqual(files.get(name))
    expectRefused(harmed, name === 'manifest.json' ? /\.json/ : new RegExp(name.replace('.', '\\.')))
  })

  test('bytes that are no UTF-8', async () => {
    const { files } = exportLedger(await filled(), REPO)
    for (const [name, bytes] of files) {
      expectRefused(
        new Map([...files, [name, Buffer.concat([bytes.subarray(0, 9), Buffer.from([0xff]), bytes])]]),
        /UTF-8/,
      )
    }
  })

  test('cut off at any byte', async () => {
    const { files } = exportLedger(await filled(), REPO)
    for (const [name, bytes] of files) {
      for (let length = bytes.length - 1; length > 0; length -= 97) {
        expectRefused(new Map([...files, [name, bytes.subarray(0, length)]]), /nothing was taken/)
      }
    }
  })
})

function edited(files: LedgerFiles, name: LedgerFileName, edit: (text: string) => string): LedgerFiles {
  return new Map([...files, [name, Buffer.from(edit(files.get(name)?.toString('utf8') ?? ''))]])
}

function expectRefused(files: LedgerFiles, message: RegExp): void {
  const store = openMemoryStore()
  try {
    const before = ledgerDump(store)
    const error = caught(() => importLedger(store, files))
    expect(error).toBeInstanceOf(UserError)
    expect((error as UserError).message).toMatch(message)
    expect((error as UserError).message).not.toContain('\n')
    expect(error).toMatchObject({ code: 'refused', exit: 1 })
    expect(ledgerDump(store)).toEqual(before)
  } finally {
    store.close()
  }
}

function caught(fn: () => unknown): unknown {
  try {
    fn()
  } catch (error) {
    return error
  }
  return null
}
