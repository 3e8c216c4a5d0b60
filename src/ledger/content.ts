// A repository's ledger as a value, and the four files that say it: `knowledge.jsonl`, `postings.json`, `manifest.json`,
// `renames.jsonl`. Equal content gives equal bytes: order is fixed, no clock, no row ids. It reads and writes nothing.
// The surprise: text is put together by hand, one card, term, issue or rename per line, so that a mirror's diff is short.

import { CARD_KINDS, type Card, FIELDS, type Rename, TF_BITS } from '../model/ledger.ts'
import { compareCodePoints } from '../model/order.ts'
import { cardRecord } from './store-cards.ts'

export const FILE_NAMES = ['knowledge.jsonl', 'postings.json', 'manifest.json', 'renames.jsonl'] as const
export type LedgerFileName = (typeof FILE_NAMES)[number]
export type LedgerFiles = ReadonlyMap<LedgerFileName, Buffer>

/** Version of the files' shapes, and of a card's. */
export const SCHEMA_VERSION = 1

export interface IssueContent {
  readonly hash: string
  /** `updated_at` as GitHub gave it. */
  readonly updated: string
  readonly pull: boolean
  readonly open: boolean
  /** Annotations that the trust filter left out. */
  readonly ignored: number
  /** Content lines of its cards, by kind and seq. */
  readonly cards: readonly string[]
}

export interface LedgerContent {
  readonly repo: string
  readonly watermark: string | null
  /** Fingerprint of the trust filter. */
  readonly trust: string
  /** By number, ascending. */
  readonly issues: ReadonlyMap<number, IssueContent>
  /** By time, commit, names. */
  readonly renames: readonly Rename[]
}

/** A term with the cards that hold it: public id and counts in the order of FIELDS. */
export interface TermPostings {
  readonly term: string
  readonly cards: readonly { readonly id: string; readonly counts: readonly number[] }[]
}

/** The four files of a content; terms come by code point, a term's cards by id. Issue 4 §5. */
export function contentFiles(content: LedgerContent, postings: Iterable<TermPostings>): LedgerFiles {
  return new Map<LedgerFileName, Buffer>([
    ['knowledge.jsonl', bytes(cardLines(content))],
    ['postings.json', bytes(postingLines(postings))],
    ['manifest.json', Buffer.from(manifestText(content))],
    ['renames.jsonl', bytes(renameLines(content.renames))],
  ])
}

/** Postings made from the cards themselves, for a content that is in no index. */
export function* postingsOf(content: LedgerContent): Generator<TermPostings> {
  const terms = new Map<string, { id: string; counts: number[] }[]>()
  for (const { cards } of content.issues.values()) {
    for (const line of cards) {
      const card = JSON.parse(line) as Card
      for (const { text, tf } of cardRecord(card).index().terms) {
        const held = terms.get(text)
        if (held === undefined) terms.set(text, [{ id: card.id, counts: unpackCounts(tf) }])
        else held.push({ id: card.id, counts: unpackCounts(tf) })
      }
    }
  }
  for (const term of [...terms.keys()].sort(compareCodePoints)) {
    yield { term, cards: byId(terms.get(term) ?? []) }
  }
}

/** A term's cards in the order of the file. */
export function byId<T extends { readonly id: string }>(cards: T[]): T[] {
  return cards.sort((a, b) => compareCodePoints(a.id, b.id))
}

/** `posting.tf` taken apart, in the order of FIELDS. Up to 45 bits, so no shifting. */
export function unpackCounts(tf: number): number[] {
  return FIELDS.map((_, i) => Math.floor(tf / 2 ** (TF_BITS * i)) % 2 ** TF_BITS)
}

/** The order of cards in `knowledge.jsonl`: number of the issue, kind, seq. */
export function compareIds(a: string, b: string): number {
  const [left, right] = [placeOf(a), placeOf(b)]
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

export function compareRenames(a: Rename, b: Rename): number {
  return (
    a.at - b.at ||
    compareCodePoints(a.commit, b.commit) ||
    compareCodePoints(a.from, b.from) ||
    compareCodePoints(a.to, b.to)
  )
}

/**
 * `manifest.json`: what an import needs beside the cards. No time of writing is in it. A watermark later than every
 * issue (the newest one is gone) is written as the newest: who takes it over lists a little more.
 */
export function manifestText(content: LedgerContent): string {
  const newest = newestChange(content.issues.values())
  const { watermark } = content
  const told = watermark !== null && (newest === null || watermark > newest) ? newest : watermark
  const issues = [...content.issues].map(([number, { hash, updated, pull, open, ignored }]) => {
    return `    "${number}": ${JSON.stringify({ hash, updated, pull, open, ignored })}`
  })
  const fields = [
    `  "schemaVersion": ${SCHEMA_VERSION}`,
    `  "repo": ${JSON.stringify(content.repo)}`,
    `  "watermark": ${JSON.stringify(told)}`,
    `  "trust": ${JSON.stringify(content.trust)}`,
    `  "cardCount": ${cardCount(content)}`,
    issues.length === 0 ? '  "issues": {}' : `  "issues": {\n${issues.join(',\n')}\n  }`,
  ]
  return `{\n${fields.join(',\n')}\n}\n`
}

/** The latest time of change; null where there is no issue. */
export function newestChange(issues: Iterable<Pick<IssueContent, 'updated'>>): string | null {
  let newest: string | null = null
  for (const { updated } of issues) if (newest === null || updated > newest) newest = updated
  return newest
}

export function cardCount(content: LedgerContent): number {
  let count = 0
  for (const { cards } of content.issues.values()) count += cards.length
  return count
}

/** One line of `renames.jsonl`. */
export function renameLine({ commit, at, from, to }: Rename): string {
  return JSON.stringify({ commit, at, from, to })
}

function* cardLines(content: LedgerContent): Generator<string> {
  for (const { cards } of content.issues.values()) {
    for (const line of cards) yield `${line}\n`
  }
}

function* renameLines(renames: readonly Rename[]): Generator<string> {
  for (const rename of renames) yield `${renameLine(rename)}\n`
}

/** Places of FIELDS by name: keys of the file are sorted at every depth. */
const FIELD_ORDER = FIELDS.map((_, i) => i).sort((a, b) => compareCodePoints(nameOf(a), nameOf(b)))

function* postingLines(postings: Iterable<TermPostings>): Generator<string> {
  let separator = '{\n'
  for (const { term, cards } of postings) {
    const held = cards.map(({ id, counts }) => `"${id}":{${countsText(counts)}}`)
    yield `${separator}${JSON.stringify(term)}:{${held.join(',')}}`
    separator = ',\n'
  }
  yield separator === '{\n' ? '{}\n' : '\n}\n'
}

function countsText(counts: readonly number[]): string {
  const said = FIELD_ORDER.filter((i) => (counts[i] ?? 0) > 0)
  return said.map((i) => `"${nameOf(i)}":${counts[i]}`).join(',')
}

function nameOf(field: number): string {
  return FIELDS[field]?.name ?? ''
}

function placeOf(id: string): [number, number, number] {
  const [issue = '', kind = '', seq = ''] = id.split('/')
  return [Number(issue), (CARD_KINDS as readonly string[]).indexOf(kind), Number(seq)]
}

/** Joined in pieces: all of it as one string would be longer than strings may be. */
function bytes(lines: Iterable<string>): Buffer {
  const pieces: Buffer[] = []
  let pending: string[] = []
  for (const line of lines) {
    pending.push(line)
    if (pending.length < 4096) continue
    pieces.push(Buffer.from(pending.join('')))
    pending = []
  }
  pieces.push(Buffer.from(pending.join('')))
  return Buffer.concat(pieces)
}
