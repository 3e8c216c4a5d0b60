// The four files of an export, read back: all of them are sound, or none is taken. It writes nothing.
// The surprise: postings are only looked at for their shape. What a card's words are follows from the card, and another
// version may have cut words otherwise; who imports makes the rows from the cards.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cardsHash } from '../extract/ledger-cards.ts'
import { UserError } from '../model/errors.ts'
import { type Card, FIELDS, type Rename } from '../model/ledger.ts'
import { cardOfLine, isRecord, jsonOf } from './card-shape.ts'
import {
  compareIds,
  compareRenames,
  FILE_NAMES,
  type IssueContent,
  type LedgerContent,
  type LedgerFileName,
  type LedgerFiles,
  manifestText,
  newestChange,
  renameLine,
  SCHEMA_VERSION,
} from './content.ts'
import { secondOf } from './github-shapes.ts'
import { isRepository } from './remote.ts'

/** The four files of a folder. Throws UserError `not-found` where one is missing. */
export function readLedgerFolder(folder: string): LedgerFiles {
  const files = new Map<LedgerFileName, Buffer>()
  for (const name of FILE_NAMES) {
    try {
      files.set(name, readFileSync(path.join(folder, name)))
    } catch {
      throw new UserError('not-found', `${name} cannot be read in ${folder}`, 'name the folder of a ledger export')
    }
  }
  return files
}

/**
 * What the files say. Throws UserError `refused`, exit 1, which names file and line, for anything that this version
 * would not have written: a torn line, a card too many or too few, a hash that does not fit, another schema version.
 */
export function readLedgerFiles(files: LedgerFiles): LedgerContent {
  const manifest = readManifest(textOf(files, 'manifest.json'))
  const cards = readCards(textOf(files, 'knowledge.jsonl'))
  const issues = new Map<number, IssueContent>()
  for (const [number, head] of manifest.issues) {
    const held = cards.get(number) ?? { lines: [], cards: [] }
    if (cardsHash(held.cards) !== head.hash) {
      throw refused('knowledge.jsonl', null, `the cards of issue ${number} are not those that the manifest names`)
    }
    issues.set(number, { ...head, cards: held.lines })
    cards.delete(number)
  }
  const [stray] = cards.keys()
  if (stray !== undefined) throw refused('knowledge.jsonl', null, `issue ${stray} is not in the manifest`)
  const renames = readRenames(textOf(files, 'renames.jsonl'))
  const content = { ...manifest, issues, renames }
  // Counts, order and spacing in one comparison.
  if (manifestText(content) !== textOf(files, 'manifest.json')) {
    throw refused('manifest.json', null, 'it is not in canonical form, or its counts do not fit')
  }
  checkPostings(textOf(files, 'postings.json'), new Set(idsOf(issues)))
  return content
}

type Head = Omit<IssueContent, 'cards'>

interface Manifest {
  readonly repo: string
  readonly watermark: string | null
  readonly trust: string
  readonly issues: Map<number, Head>
}

function readManifest(text: string): Manifest {
  const value = jsonOf(text)
  if (!isRecord(value)) throw refused('manifest.json', null, 'it is no JSON object; it may be torn')
  const { schemaVersion, repo, watermark, trust, issues } = value
  if (schemaVersion !== SCHEMA_VERSION) throw refused('manifest.json', null, 'it is of another schema version')
  if (
    typeof repo !== 'string' ||
    !isRepository(repo) ||
    typeof trust !== 'string' ||
    !(watermark === null || isMoment(watermark)) ||
    !isRecord(issues)
  ) {
    throw refused('manifest.json', null, 'repo, watermark, trust or issues are missing or strange')
  }
  const heads = new Map<number, Head>()
  for (const [key, head] of Object.entries(issues)) {
    if (!/^[1-9]\d*$/.test(key) || !Number.isSafeInteger(Number(key)) || !isHead(head)) {
      throw refused('manifest.json', null, `its entry of issue ${key} is strange`)
    }
    const { hash, updated, pull, open, ignored } = head
    heads.set(Number(key), { hash, updated, pull, open, ignored })
  }
  // Such a watermark would hide from all updates what changed before it.
  const newest = newestChange(heads.values())
  if (watermark !== null && (newest === null || watermark > newest)) {
    throw refused('manifest.json', null, 'its watermark is later than all that it names')
  }
  return { repo, watermark, trust, issues: new Map([...heads].sort(([a], [b]) => a - b)) }
}

function isHead(value: unknown): value is Head {
  return (
    isRecord(value) &&
    typeof value['hash'] === 'string' &&
    isMoment(value['updated']) &&
    typeof value['pull'] === 'boolean' &&
    typeof value['open'] === 'boolean' &&
    Number.isSafeInteger(value['ignored']) &&
    (value['ignored'] as number) >= 0
  )
}

/** A time as GitHub writes it; texts of this form compare as their times do. */
function isMoment(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && secondOf(time) === value
}

interface Held {
  readonly lines: string[]
  readonly cards: Card[]
}

function readCards(text: string): Map<number, Held> {
  const issues = new Map<number, Held>()
  let before: string | null = null
  for (const [i, line] of linesOf('knowledge.jsonl', text).entries()) {
    const card = cardOfLine(line)
    if (typeof card === 'string') throw refused('knowledge.jsonl', i + 1, `this card ${card}`)
    if (before !== null && compareIds(before, card.id) >= 0) {
      throw refused('knowledge.jsonl', i + 1, `${card.id} stands twice or out of order`)
    }
    before = card.id
    const held = issues.get(card.issue) ?? { lines: [], cards: [] }
    held.lines.push(line)
    held.cards.push(card)
    issues.set(card.issue, held)
  }
  return issues
}

function readRenames(text: string): Rename[] {
  let before: Rename | null = null
  return linesOf('renames.jsonl', text).map((line, i) => {
    const rename = jsonOf(line)
    if (!isRename(rename) || renameLine(rename) !== line) throw refused('renames.jsonl', i + 1, 'this is no rename')
    if (before !== null && compareRenames(before, rename) >= 0) {
      throw refused('renames.jsonl', i + 1, 'this rename stands twice or out of order')
    }
    before = rename
    return rename
  })
}

function isRename(value: unknown): value is Rename {
  return (
    isRecord(value) &&
    typeof value['commit'] === 'string' &&
    Number.isSafeInteger(value['at']) &&
    typeof value['from'] === 'string' &&
    typeof value['to'] === 'string'
  )
}

const FIELD_NAMES: readonly string[] = FIELDS.map(({ name }) => name)

function checkPostings(text: string, ids: ReadonlySet<string>): void {
  const terms = jsonOf(text)
  if (!isRecord(terms) || !text.endsWith('}\n'))
    throw refused('postings.json', null, 'it is no JSON object; it may be torn')
  for (const [term, cards] of Object.entries(terms)) {
    const sound =
      isRecord(cards) &&
      Object.entries(cards).every(([id, fields]) => ids.has(id) && isRecord(fields) && areCounts(fields))
    if (!sound) throw refused('postings.json', null, `the entry of ${JSON.stringify(term)} is strange`)
  }
}

function areCounts(fields: Record<string, unknown>): boolean {
  return Object.entries(fields).every(
    ([name, count]) => FIELD_NAMES.includes(name) && Number.isSafeInteger(count) && (count as number) > 0,
  )
}

function* idsOf(issues: ReadonlyMap<number, IssueContent>): Generator<string> {
  for (const { cards } of issues.values()) {
    for (const line of cards) yield (JSON.parse(line) as Card).id
  }
}

function linesOf(name: LedgerFileName, text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.pop() !== '') throw refused(name, lines.length + 1, 'the last line is torn')
  return lines
}

function textOf(files: LedgerFiles, name: LedgerFileName): string {
  const bytes = files.get(name)
  if (bytes === undefined) throw refused(name, null, 'it is missing')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused(name, null, 'it is no UTF-8 text')
  }
}

function refused(name: LedgerFileName, line: number | null, message: string): UserError {
  const place = line === null ? name : `${name}:${line}`
  return new UserError('refused', `${place}: ${message}; nothing was taken`, 'only what Specdex wrote is taken', 1)
}
