// The recorded questions of the cases against the same cards, all of them fresh: equal but for what the issue asks to do
// better. Every difference stands in one of the tables below, with its reason; what is in no table must be equal.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RecallQuestion } from '../../src/ledger/recall.ts'
import { readRenames } from '../../src/ledger/renames.ts'
import { CARD_KINDS, type Card, type CardKind } from '../../src/model/ledger.ts'
import type { Store } from '../../src/store/open.ts'
import { childEnvironment } from '../support/environment.ts'
import { shared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { ask, dayOf, ENV, ids, shelve } from './bookshop.ts'

interface Case {
  readonly name: string
  readonly args: readonly string[]
  readonly json?: readonly { readonly id: string }[]
}

const folder = shared('cases/ledger')

const LEASE = ['src/queue/lease.ts', 'src/queue/leases.ts', 'src/queue/lease_table.ts']
const AUDIT = ['tools/audit.py', 'tools/queue_audit.py']
const ROUTER = ['src/http/router.ts']

/** A file alone is an exact look-up by all its names: no words of the path, no name in another folder. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'file-exact-json': ROUTER,
  'file-exact-k2': ROUTER,
  'file-exact-k50': ROUTER,
  'file-include-stale': ROUTER,
  'file-kind-decision': ROUTER,
  'file-two': [...ROUTER, 'src/config/loadConfig.ts'],
  // The same file twice counts once.
  'file-same-twice': ROUTER,
  'file-dot-slash': ROUTER,
  'file-absolute': [],
  'file-basename-only': [],
  'file-bare-basename': [],
  'file-unknown': [],
  'file-unknown-same-extension': [],
  'file-empty-value': [],
  'file-oldest-name': LEASE,
  'file-middle-name': LEASE,
  'file-current-name': LEASE,
  // Both files that bore the name in turn; none of these is cited by its later name.
  'file-reused-old-name': ['web/Table.tsx', 'web/JobTable.tsx', 'web/LogTable.tsx'],
  'file-rename-cycle': AUDIT,
  'file-rename-cycle-other': AUDIT,
  'file-unicode': ['日本/設計.md'],
  // Names are raw in our table of renames.
  'file-unicode-old-name': ['docs/résumé-notes.md', 'docs/pause-notes.md'],
}

/** A symbol alone is an exact look-up; several are all looked up. */
const SYMBOLS: Readonly<Record<string, readonly string[]>> = {
  'symbol-exact': ['acquirelease'],
  'symbol-other-case': ['acquirelease'],
  'symbol-snake': ['purge_expired'],
  'symbol-backticked-in-block': ['computebackoff'],
  // In these cards, which are the reference's; ours have no template words among their symbols.
  'symbol-template-word': ['verdict'],
  'symbol-unknown': [],
  'symbol-twice-last-wins': ['matchroute', 'purge_expired'],
}

const COUNTS = 'counts per field, and lengths over what is searched'

/** The same cards in another order. */
const REORDERED: Readonly<Record<string, string>> = {
  'text-common': COUNTS,
  'text-min-score-zero': COUNTS,
  'text-min-score-negative': COUNTS,
  'text-task-type': COUNTS,
  'unknown-flag': COUNTS,
}

/** Other cards among the first k; `best`: the first of ours. */
const OTHERS: Readonly<Record<string, { readonly reason: string; readonly best: string }>> = {
  'text-unicode': { reason: 'text of any script is indexed', best: '29/investigation/0' },
  'text-object-property': { reason: 'terms like "constructor" are not lost', best: '49/pattern/0' },
  'text-stopword': { reason: COUNTS, best: '40/investigation/0' },
  'text-verdict-word': { reason: COUNTS, best: '40/investigation/0' },
  'text-k-zero': { reason: COUNTS, best: '62/investigation/0' },
  'text-k-word': { reason: COUNTS, best: '62/investigation/0' },
  'text-k-fraction': { reason: COUNTS, best: '62/investigation/0' },
  'file-with-text': { reason: 'a file beside a text adds its boost, not its words', best: '29/pattern/0' },
}

/** No question of the engine: refused by the command line. */
const REFUSED: ReadonlySet<string> = new Set(['file-no-value', 'text-kind-unknown', 'text-k-negative'])

/** As the command line would: `--k` 0 and words mean 5. */
function questionOf(args: readonly string[]): Partial<RecallQuestion> {
  const [files, symbols, words]: string[][] = [[], [], []]
  let [k, minScore, kind]: [number, number, CardKind | null] = [5, 0.1, null]
  for (let i = 0; i < args.length; i++) {
    const value = args[i + 1] ?? ''
    switch (args[i]) {
      case '--json':
      case '--include-stale':
        continue
      case '--file':
        if (value !== '') files?.push(value)
        break
      case '--symbol':
        symbols?.push(value)
        break
      case '--k':
        k = Math.trunc(Number(value)) || 5
        break
      case '--min-score':
        minScore = Number(value)
        break
      case '--kind':
        kind = CARD_KINDS.find((known) => known === value) ?? null
        break
      default:
        words?.push(args[i] ?? '')
        continue
    }
    i++
  }
  const text = words === undefined || words.length === 0 ? null : words.join(' ')
  return { text, files: files ?? [], symbols: symbols ?? [], k, minScore, kind, today: dayOf('2026-07-15') }
}

/** The reference's cards, without statuses and anchors; of two with one id, which ours never are, the first. */
function cardsOf(file: string): Card[] {
  const cards = new Map<string, Card>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { status: _, ...card } = JSON.parse(line) as Card & { status: string }
    if (!cards.has(card.id)) cards.set(card.id, { ...card, anchor: null } as Card)
  }
  return [...cards.values()]
}

/** Newest first, then by id: the order of an exact look-up, where each match counts the same. */
function expectedIds(
  cards: readonly Card[],
  matches: (card: Card) => number,
  { k = 5, kind }: Partial<RecallQuestion>,
): string[] {
  const place = (card: Card) => [CARD_KINDS.indexOf(card.kind), Number(card.id.split('/')[2])] as const
  return cards
    .filter((card) => matches(card) > 0 && (kind == null || card.kind === kind))
    .sort((a, b) => {
      const byDate = a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0
      const [kindA, seqA] = place(a)
      const [kindB, seqB] = place(b)
      return matches(b) - matches(a) || byDate || a.issue - b.issue || kindA - kindB || seqA - seqB
    })
    .slice(0, k)
    .map(({ id }) => id)
}

describe.skipIf(folder === null)('recorded questions', () => {
  const at = (name: string): string => path.join(folder ?? '', name)
  const recorded: readonly Case[] =
    folder === null ? [] : (JSON.parse(readFileSync(at('expected/recall.json'), 'utf8'))['all-fresh'] as Case[])
  const asked = recorded.filter(({ json, name }) => json !== undefined && !REFUSED.has(name))
  const cards = folder === null ? [] : cardsOf(at('expected/full/knowledge.jsonl'))

  async function ready(): Promise<{ store: Store; root: string }> {
    const root = path.join(tempFolder('harborline'), 'tree')
    execFileSync('bash', [at('mkrepo.sh'), root], { env: childEnvironment(), stdio: 'ignore' })
    return { store: shelve(cards, await readRenames(root, ENV)), root }
  }

  test('the renames are those of the cases, with raw names', async () => {
    const { root } = await ready()
    const lines = readFileSync(at('expected/full/renames.jsonl'), 'utf8').trim().split('\n')
    const wanted = lines.map((line) => JSON.parse(line) as { commit: string; from: string; to: string })
    const raw = (name: string): string => (name.startsWith('"') ? 'docs/résumé-notes.md' : name)
    const ours = (await readRenames(root, ENV)).map(({ commit, from, to }) => ({ commit, from, to }))
    expect(ours).toEqual(wanted.map(({ commit, from, to }) => ({ commit, from: raw(from), to: raw(to) })))
  })

  test('are answered as recorded, or as a table says', async () => {
    const { store, root } = await ready()
    for (const { name, args, json = [] } of asked) {
      const question = questionOf(args)
      const ours = ids(await ask(store, question, root))
      const theirs = json.map(({ id }) => id)
      const files = FILES[name]
      const symbols = SYMBOLS[name]
      if (files !== undefined) {
        expect(ours, name).toEqual(expectedIds(cards, (card) => countIn(card.paths, files, name), question))
      } else if (symbols !== undefined) {
        const matches = (card: Card): number =>
          symbols.filter((symbol) => card.symbols.some((own) => own.toLowerCase() === symbol)).length
        expect(ours, name).toEqual(expectedIds(cards, matches, question))
      } else if (OTHERS[name] !== undefined) {
        expect(ours[0], name).toBe(OTHERS[name].best)
        expect(ours, name).not.toEqual(theirs)
      } else if (REORDERED[name] !== undefined) {
        expect([...ours].sort(), name).toEqual([...theirs].sort())
        expect(ours, name).not.toEqual(theirs)
      } else expect(ours, name).toEqual(theirs)
    }
  })

  test('no table names a question that is not asked', () => {
    const names = new Set(asked.map(({ name }) => name))
    for (const table of [FILES, SYMBOLS, REORDERED, OTHERS])
      for (const name of Object.keys(table)) expect(names).toContain(name)
  })
})

/** Two files of a question count each; the names of one file count once. */
function countIn(paths: readonly string[], names: readonly string[], name: string): number {
  const found = names.filter((one) => paths.includes(one)).length
  return name === 'file-two' ? found : Math.min(1, found)
}
