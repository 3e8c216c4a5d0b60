// The public reference's cases for annotations and cards: every row of units.json and of a full rebuild's
// knowledge.jsonl. Where we differ, the difference is written down once, with its reason, and must be one.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { annotationsIn } from '../../src/extract/ledger-annotations.ts'
import { patternBlocks } from '../../src/extract/ledger-blocks.ts'
import { cardContent, cardsHash, cardsOf } from '../../src/extract/ledger-cards.ts'
import { costIn } from '../../src/extract/ledger-lessons.ts'
import { pathsIn, symbolsIn } from '../../src/extract/ledger-symbols.ts'
import { tokensOf } from '../../src/extract/ledger-tokens.ts'
import type { Card, LedgerIssue } from '../../src/model/ledger.ts'
import { shared } from '../support/shared.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Row = { readonly in: string; readonly out: Json }
interface Comment {
  readonly id: number
  readonly body: string | null
  readonly user: { readonly login: string }
  readonly created_at: string
}
interface Issue extends Omit<Comment, 'id'> {
  readonly number: number
  readonly state: 'open' | 'closed'
  readonly updated_at: string
  readonly pull_request?: unknown
}
interface Parsed {
  readonly issue: number
  readonly where: string
  readonly annotations: readonly { readonly [key: string]: Json }[]
}

const folder = shared('cases/ledger')
const read = (file: string): string => (folder === null ? '[]' : readFileSync(path.join(folder, file), 'utf8'))
const units = JSON.parse(folder === null ? '{}' : read('expected/units.json')) as Record<string, never>
const rows = (name: string): readonly Row[] => units[name] ?? []

describe.skipIf(folder === null)('units of the reference', () => {
  const TERMS: Readonly<Record<string, readonly string[]>> = {
    // The first hump counts as well, and so do acronyms.
    acquireLease: ['acquirelease', 'acquire', 'lease'],
    HTTPServer: ['httpserver', 'http', 'server'],
    parseHTTPResponse2: ['parsehttpresponse2', 'parse', 'http', 'response'],
    camelCaseABCDef: ['camelcaseabcdef', 'camel', 'case', 'abc', 'def'],
    XMLHttpRequest: ['xmlhttprequest', 'xml', 'http', 'request'],
    'constructor __proto__ toString': ['constructor', '__proto__', 'proto', 'tostring', 'to', 'string'],
    // Words of any script are words, and scripts without blanks are taken in pairs.
    'naïve café': ['naïve', 'café'],
    İstanbul: ['i\u0307stanbul'],
    '日本語 テスト': ['日本', '本語', 'テス', 'スト'],
    ıI: ['ıi'],
  }

  test.each(rows('tokenize'))('terms of $in', ({ in: text, out }) => {
    const better = TERMS[text]
    const terms = new Set(tokensOf(text))
    expect(terms).toEqual(new Set(better ?? (out as string[])))
    if (better !== undefined) expect(better).not.toEqual(out)
  })

  const PATHS: Readonly<Record<string, readonly string[]>> = {
    // Line numbers are stripped, wherever the name stands.
    '`src/a.ts:4`': ['src/a.ts'],
    '1. `src/a.ts:4`': ['src/a.ts'],
    '  1. `src/a.ts:4`': ['src/a.ts'],
    '1) `src/a.ts:4`': ['src/a.ts'],
    // Missed by the reference outside of lists: leading dot, other letters, digits in the ending.
    '`.github/w.yml`': ['.github/w.yml'],
    '`docs/é.md` `é/docs.md`': ['docs/é.md', 'é/docs.md'],
    '`x.tar.gz` `x.d.ts` `x.mp3`': ['x.tar.gz', 'x.d.ts', 'x.mp3'],
    // Taken by the reference although they are no files of the repository.
    '`e.msg` `e.message` `process.env`': [],
    '`a b.md`': [],
    '`multi\nline.md`': [],
    '`https://x.y/z.html`': [],
    '`a\\b.ts`': ['a/b.ts'],
  }

  test.each(rows('filePaths'))('paths of $in', ({ in: text, out }) => {
    const better = PATHS[text]
    expect(pathsIn(text)).toEqual(better ?? out)
    if (better !== undefined) expect(better).not.toEqual(out)
  })

  const SYMBOLS: Readonly<Record<string, readonly string[]>> = {
    // Labels of the template are no symbols.
    '**Verdict**: CONFIRMED': [],
    '**YES** — split': [],
    '**Files**: `a.ts`': [],
  }

  test.each(rows('symbols'))('symbols of $in', ({ in: text, out }) => {
    const better = SYMBOLS[text]
    expect(symbolsIn(text)).toEqual(better ?? out)
    if (better !== undefined) expect(better).not.toEqual(out)
  })

  test.each(rows('patternBlocks'))('pattern blocks of $in', ({ in: text, out }) => {
    // Back-ticks are stripped.
    expect(patternBlocks(text)).toEqual(JSON.parse(JSON.stringify(out).replaceAll('"`dd`"', '"dd"')))
  })

  test.each(rows('costUsd'))('cost in $in', ({ in: text, out }) => expect(costIn(text)).toBe(out))

  // The other two rows are made of things that are no cards; ledger-cards.test.ts has the same rule for ours.
  test('hash of no cards', () => expect(cardsHash([])).toBe(rows('hash')[0]?.out))

  test.each((units['emit'] ?? []) as readonly { out?: string; reparsed: Json }[])('reparsed $out', (row) => {
    if (row.out === undefined) return
    const got = annotationsIn(row.out).map(({ type, value, fields, state }) => {
      return { type, inlineValue: value, fields: Object.fromEntries(fields), sentinelState: state }
    })
    expect(got).toEqual(row.reparsed)
  })
})

const issues: readonly Issue[] = JSON.parse(read('corpus/issues.json'))

function commentsOf({ number }: Issue): readonly Comment[] {
  const file = path.join(folder ?? '', `corpus/comments/${number}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

const bodies = new Map<string, string>(
  issues.flatMap((issue) => [
    [`${issue.number} body`, issue.body ?? ''],
    ...commentsOf(issue).map(({ id, body }) => [`${issue.number} comment:${id}`, body ?? ''] as const),
  ]),
)

describe.skipIf(folder === null)('every comment as the reference parses it', () => {
  const NONE: readonly string[] = [
    '26 comment:2600001', // fenced
    '26 comment:2600003', // indented
  ]
  // What stands in a pattern block is the block's and no field of the investigation.
  const OF_BLOCKS = ['Pattern', 'Root Cause', 'Prevention', 'Files', 'Symbols']
  const OVERRIDDEN: Readonly<Record<string, string>> = { '12 comment:1200001': 'HIGH', '30 comment:3000001': 'LOW' }

  test.each((units['parse'] ?? []) as readonly Parsed[])('$issue $where', ({ issue, where, annotations }) => {
    const key = `${issue} ${where}`
    const text = bodies.get(key) ?? expect.unreachable(key)
    let expected = annotations.map(({ type, inlineValue, sentinelState, fields, bodyLength, bodySha }) => {
      const own = { ...(fields as Record<string, Json>) }
      if (type === 'INVESTIGATOR') for (const label of OF_BLOCKS) delete own[label]
      if (OVERRIDDEN[key] !== undefined) own['Severity'] = OVERRIDDEN[key]
      return { type, inlineValue, sentinelState, fields: own, bodyLength, bodySha }
    })
    const found = annotationsIn(text)
    const got = found.map(({ type, value, state, fields, body }) => {
      const bodySha = createHash('sha256').update(body).digest('hex').slice(0, 16)
      const parsed = { type, inlineValue: value, sentinelState: state, fields: Object.fromEntries(fields) }
      return { ...parsed, bodyLength: body.length, bodySha }
    })
    if (NONE.includes(key)) {
      expect(expected).not.toEqual([])
      expected = []
    }
    if (key === '46 comment:4600010') {
      // The tag behind a tab is indented code, so that it is body of the tag above.
      expect(expected.map(({ type }) => type)).toEqual(['GATE_FAILED', 'PUSH_FAILED'])
      expect(got.map(({ type, sentinelState }) => [type, sentinelState])).toEqual([['GATE_FAILED', 'complete']])
      return
    }
    expect(got).toEqual(expected)
    for (const { prose, body } of found) expect(prose).toHaveLength(body.length)
  })
})

/** An issue as a source hands it over. */
function handedOver(issue: Issue): LedgerIssue {
  const text = (id: number | null, { body, user, created_at }: Omit<Comment, 'id'>) => {
    return { id, body: body ?? '', author: { login: user.login, association: null }, createdAt: created_at }
  }
  return {
    number: issue.number,
    pull: issue.pull_request !== undefined,
    state: issue.state,
    updatedAt: issue.updated_at,
    createdAt: issue.created_at,
    texts: [text(null, issue), ...commentsOf(issue).map((comment) => text(comment.id, comment))],
  }
}

describe.skipIf(folder === null)('cards of a full rebuild', () => {
  const adrPaths = ['devdocs/decisions/19-advisory-locks.md', 'devdocs/decisions/24-keep-the-poller.md']
  const cards = issues.flatMap((issue) => cardsOf(handedOver(issue), { trusts: () => true, adrPaths }).cards)
  const byId = new Map(cards.map((card) => [card.id, JSON.parse(cardContent(card))]))
  const lines = folder === null ? [] : read('expected/full/knowledge.jsonl').trimEnd().split('\n')

  // Bold words of the template that the reference takes for symbols (sheet §10.5), and for the anchor's symbol.
  const LABELS =
    'Verdict Confidence Severity Pattern Prevention Files Symbols YES Decisions Anomalies Completed Branch Commits Location'
  const labels = new Set(LABELS.split(' '))

  // Two annotations of a kind share an id in the reference (cases 18, 23, 65); here each has a number.
  const seen = new Map<string, number>()
  const expected = lines.map((line) => {
    const { status: _, createdAt: __, ...card } = JSON.parse(line)
    const group = `${card.issue}/${card.kind}`
    const seq = seen.get(group) ?? 0
    seen.set(group, seq + 1)
    const symbols = card.symbols.filter((symbol: string) => !labels.has(symbol))
    const [symbol = null] = symbols
    // Only labels to hold on to: then there is no anchor (3, 5, 30, 49, 67).
    const { path: file } = card.anchor
    const anchor = file === null && symbol === null ? null : { ...card.anchor, symbol }
    return { ...card, id: `${group}/${seq}`, symbols, anchor }
  })

  const genSymbols = (count: number): string[] =>
    Array.from(
      { length: count },
      (_, at) => `genSymbol${'abcdefghijklmnopqrstuvwxyz'.charAt(at % 26).repeat(1 + Math.floor(at / 26))}`,
    )

  /** What is better here, by card, with its reason. */
  const BETTER: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    // A block's severity is not the investigation's.
    '12/investigation/0': { severity: 'HIGH' },
    // Labels took places below the cap of thirty symbols; the severity is a block's as well.
    '30/investigation/0': { severity: 'LOW', symbols: genSymbols(30) },
    // Back-ticks are stripped from listed symbols.
    '12/pattern/1': {
      symbols: ['computeBackoff', 'withRetry'],
      anchor: {
        path: 'packages/client/src/retry.ts',
        symbol: 'computeBackoff',
        blobSha: null,
        snippetHash: null,
        citedAtIssue: 12,
      },
    },
    // Lists of decisions are kept whole.
    '20/decision/0': {
      decision:
        'Decomposition skipped: single-concern change; Used a token bucket in `src/queue/dispatcher.ts` rather than a ' +
        'semaphore, so bursts drain evenly; PR merged to: `staging`',
    },
    // A CR ends a line as well.
    '25/investigation/0': {
      rootCause: '`loadConfig` output is returned whole by the health handler. The URL carries credentials.',
    },
    // Names that start with any letter are found where they stand, not behind all others.
    '29/investigation/0': { paths: ['src/http/router.ts', 'docs/été-plan.md', '日本/設計.md', 'docs/设计.md'] },
    // A sentinel is no part of the section above it.
    '31/investigation/0': { prevention: 'Install a handler.' },
    // What was cited before the investigation counts, too (issue §6).
    '34/investigation/0': {
      paths: ['tools/audit.py', 'tools/early_context.py', 'tools/late_context.py'],
      symbols: ['audit_queue', 'early_helper', 'late_helper'],
    },
    // The reference's anchor held on to a label; what a later comment cites is no anchor here either.
    '35/investigation/0': {
      anchor: { path: 'docs/operations.md', symbol: null, blobSha: null, snippetHash: null, citedAtIssue: 35 },
    },
    // Line numbers stripped; members, commands, links and names across lines refused; backslashes turned.
    '47/investigation/0': {
      paths: [
        ...['src/queue/dispatcher.ts', '.github/workflows/ci.yml', 'archive.tar.gz', 'clip.mp3', 'src/win/style.ts'],
        ...['web/bold.tsx', 'indented/list.ts', 'second/on/line.ts', 'paren/list.ts', 'dup/dup.ts'],
        ...['etc/harbor/main.conf', 'bin/run', 'migrations/'],
      ],
      anchor: {
        path: 'src/queue/dispatcher.ts',
        symbol: 'Dockerfile',
        blobSha: null,
        snippetHash: null,
        citedAtIssue: 47,
      },
    },
    // An empty section stays empty; a heading starts its line, behind any number of blanks.
    '65/investigation/0': { rootCause: null, prevention: null },
    '65/investigation/1': { rootCause: null, prevention: 'Two blanks after the hashes.' },
    // No half characters.
    '67/investigation/0': { rootCause: 'e'.repeat(399) },
  }

  /** Cards that should not be: an empty list took its neighbour's text, and examples in code are no annotations. */
  const GONE = ['22/decision/0', '26/investigation/0', '26/decision/0']

  /** Cards that the reference does not make. */
  const NEW = {
    '37/investigation/0': 'an open issue counts (issue §6)',
    '38/decision/0': 'so does a pull request (issue §1)',
    '39/investigation/0': 'and one that was opened again',
    '43/decision/0': 'all pages of comments are read',
  }

  test.each(expected.filter(({ id }) => !GONE.includes(id)))('$id', (card) => {
    const better = BETTER[card.id]
    const got = byId.get(card.id) ?? expect.unreachable(card.id)
    const { createdAt, sourceCommentId, pr, ...rest } = got
    const { sourceCommentId: _, pr: __, ...before } = card
    expect(rest).toEqual({ ...before, ...better })
    if (better !== undefined) expect(rest).not.toEqual(before)
    // The day of the comment, not of the issue's last change; the source is known.
    const issue = issues.find(({ number }) => number === card.issue)
    const comment = issue && commentsOf(issue).find(({ id }) => id === sourceCommentId)
    expect(createdAt).toBe((comment ?? issue)?.created_at.slice(0, 10))
    expect(sourceCommentId === null).toBe(card.issue === 17)
    expect(pr).toBeNull()
  })

  test('no card more and none less', () => {
    const known = expected.map(({ id }) => id as string)
    expect([...byId.keys()].filter((id) => !known.includes(id)).sort()).toEqual(Object.keys(NEW).sort())
    expect(known.filter((id) => !byId.has(id)).sort()).toEqual([...GONE].sort())
    expect(byId.size).toBe(cards.length)
    expect(byId.get('38/decision/0')).toMatchObject({ pr: 38 })
    expect(byId.get('39/investigation/0')).toMatchObject({ outcome: { fixMerged: false } })
  })

  test('keys stand in the order of the reference, without the status', () => {
    for (const [at, line] of lines.entries()) {
      const { status: _, ...card } = JSON.parse(line)
      const got: Card | undefined = byId.get(expected[at]?.id)
      if (got !== undefined) expect(Object.keys(got)).toEqual(Object.keys(card))
    }
  })
})
