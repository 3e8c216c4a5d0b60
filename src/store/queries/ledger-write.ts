// Writes the ledger, issue by issue, inside one store.write(). A card's paths, symbols, postings and tier are written
// and removed with it; terms that no posting uses any more go when the writer is done. It decides nothing: what a card
// says and which words it holds comes from ledger/. The surprise: a card whose content is as stored is left alone, row
// and id included, so that an unchanged issue costs one comparison and keeps its cached tier; and where only the words
// of a card changed, only the postings that differ are written, since each lies on a page of its own.

import type { Statement } from 'better-sqlite3'
import type { Card } from '../../model/ledger.ts'
import type { Store } from '../store.ts'

/** A row of `issue`, without ids. */
export interface IssueRecord {
  readonly number: number
  readonly pull: boolean
  readonly open: boolean
  readonly updated: string
  readonly hash: string
  /** Annotations that the trust filter left out. */
  readonly ignored: number
  /** Comments that the source counted when it was read; absent or null: unknown. */
  readonly comments?: number | null
}

/** What is stored of a term in a card: weighted sum, and counts packed as model/ledger.ts FIELDS says. */
export interface TermRecord {
  readonly text: string
  readonly weight: number
  readonly tf: number
}

/** What is derived from a card's content. */
export interface CardIndex {
  /** Days since 1970. */
  readonly day: number
  readonly length: number
  readonly paths: readonly string[]
  /** In small letters. */
  readonly symbols: readonly string[]
  readonly terms: readonly TermRecord[]
}

/** A card to be stored. `index` is called only where the content is new. */
export interface CardRecord {
  /** Place in CARD_KINDS. */
  readonly kind: number
  readonly seq: number
  readonly content: string
  readonly index: () => CardIndex
}

export const LEDGER_WRITE_SQL = {
  addRepo: 'INSERT INTO ledger_repo (name, watermark, trust) VALUES (?, NULL, ?) ON CONFLICT (name) DO NOTHING',
  findRepo: 'SELECT id FROM ledger_repo WHERE name = ?',
  setTrust: 'UPDATE ledger_repo SET trust = ? WHERE id = ? AND trust <> ?',
  setWatermark: 'UPDATE ledger_repo SET watermark = ? WHERE id = ? AND watermark IS NOT ?',
  findIssue: 'SELECT id, hash FROM issue WHERE repo = ? AND number = ?',
  upsertIssue: `INSERT INTO issue (repo, number, pull, open, updated, hash, ignored, comments)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (repo, number) DO UPDATE SET pull = excluded.pull, open = excluded.open, updated = excluded.updated,
                                             hash = excluded.hash, ignored = excluded.ignored,
                                             comments = excluded.comments`,
  deleteIssue: 'DELETE FROM issue WHERE id = ?',
  cards: 'SELECT id, kind, seq, content FROM card WHERE issue = ?',
  insertCard: 'INSERT INTO card (issue, kind, seq, day, length, content) VALUES (?, ?, ?, ?, ?, ?)',
  updateCard: 'UPDATE card SET day = ?, length = ?, content = ? WHERE id = ?',
  insertPath: 'INSERT INTO card_path (path, card, base) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  insertSymbol: 'INSERT INTO card_symbol (symbol, card) VALUES (?, ?) ON CONFLICT DO NOTHING',
  insertPosting: 'INSERT INTO posting (term, card, weight, tf) VALUES (?, ?, ?, ?)',
  updatePosting: 'UPDATE posting SET weight = ?, tf = ? WHERE term = ? AND card = ?',
  findTerm: 'SELECT id FROM term WHERE text = ?',
  insertTerm: 'INSERT INTO term (text) VALUES (?)',
  termsOfCard: 'SELECT term FROM posting WHERE card = ?',
  pathsOfCard: 'SELECT path AS text FROM card_path WHERE card = ?',
  symbolsOfCard: 'SELECT symbol AS text FROM card_symbol WHERE card = ?',
  postingsOfCard: 'SELECT p.term, t.text, p.weight, p.tf FROM posting p JOIN term t ON t.id = p.term WHERE p.card = ?',
  deleteCard: 'DELETE FROM card WHERE id = ?',
  deletePaths: 'DELETE FROM card_path WHERE card = ?',
  deleteSymbols: 'DELETE FROM card_symbol WHERE card = ?',
  deletePosting: 'DELETE FROM posting WHERE term = ? AND card = ?',
  deletePostings: 'DELETE FROM posting WHERE card = ?',
  deleteTier: 'DELETE FROM card_tier WHERE card = ?',
  deleteTerm: 'DELETE FROM term WHERE id = ? AND NOT EXISTS (SELECT 1 FROM posting WHERE posting.term = term.id)',
} as const

type Statements = Readonly<Record<keyof typeof LEDGER_WRITE_SQL, Statement>>

interface StoredCard {
  readonly id: number
  readonly kind: number
  readonly seq: number
  readonly content: string
}

interface StoredPosting extends TermRecord {
  readonly term: number
}

interface Text {
  readonly text: string
}

/**
 * Whether everything that a tier is judged by is the same. Only then the row keeps its id: whoever judges the card at
 * this moment keeps the tier under the id (ledger-tiers.ts), and it must not become that of another anchor.
 */
function isAnchoredAlike(old: StoredCard, { content }: CardRecord): boolean {
  const [one, other] = [JSON.parse(old.content), JSON.parse(content)] as Pick<Card, 'anchor' | 'createdAt'>[]
  return one?.createdAt === other?.createdAt && JSON.stringify(one?.anchor) === JSON.stringify(other?.anchor)
}

function isSameSet(rows: readonly Text[], texts: readonly string[]): boolean {
  const wanted = new Set(texts)
  return rows.length === wanted.size && rows.every(({ text }) => wanted.has(text))
}

/** Writes one repository's issues; lives as long as one write transaction. Call finish() before it ends. */
export class LedgerWriter {
  readonly #sql: Statements
  readonly #repo: number
  readonly #terms = new Map<string, number>()
  /** Terms of removed cards: gone at the end, unless another card uses them. */
  readonly #candidates = new Set<number>()

  /** Call inside store.write(). Makes the repository's row where there is none, under the fingerprint `trust`. */
  constructor(store: Store, repo: string, trust: string) {
    // Not store.prepare: these run for every posting, and store.write() translates their failures.
    const entries = Object.entries(LEDGER_WRITE_SQL).map(([name, sql]) => [name, store.db.prepare(sql)])
    this.#sql = Object.fromEntries(entries) as Statements
    this.#sql.addRepo.run(repo, trust)
    this.#repo = (this.#sql.findRepo.get(repo) as { id: number }).id
  }

  setTrust(trust: string): void {
    this.#sql.setTrust.run(trust, this.#repo, trust)
  }

  setWatermark(watermark: string | null): void {
    this.#sql.setWatermark.run(watermark, this.#repo, watermark)
  }

  /**
   * Writes the issue's row and makes its cards those given. Returns whether any card changed. `anew` writes every card
   * again, for when what is derived from a content has changed.
   */
  replaceIssue(record: IssueRecord, cards: readonly CardRecord[], anew = false): boolean {
    const { number, pull, open, updated, hash, ignored, comments = null } = record
    const before = this.#sql.findIssue.get(this.#repo, number) as { id: number; hash: string } | undefined
    this.#sql.upsertIssue.run(this.#repo, number, pull ? 1 : 0, open ? 1 : 0, updated, hash, ignored, comments)
    if (!anew && before?.hash === hash) return false
    const issue = before?.id ?? (this.#sql.findIssue.get(this.#repo, number) as { id: number }).id
    const stored = new Map(this.#cards(issue).map((card) => [`${card.kind}/${card.seq}`, card]))
    let changed = false
    for (const card of cards) {
      const key = `${card.kind}/${card.seq}`
      const old = stored.get(key)
      stored.delete(key)
      if (!anew && old?.content === card.content) continue
      changed = true
      if (old !== undefined && isAnchoredAlike(old, card)) this.#updateCard(old.id, card)
      else {
        if (old !== undefined) this.#removeCard(old.id)
        this.#insertCard(issue, card)
      }
    }
    for (const { id } of stored.values()) this.#removeCard(id)
    return changed || stored.size > 0
  }

  /** Removes the issue with its cards. Returns whether it was there. */
  removeIssue(number: number): boolean {
    const found = this.#sql.findIssue.get(this.#repo, number) as { id: number } | undefined
    if (found === undefined) return false
    for (const { id } of this.#cards(found.id)) this.#removeCard(id)
    this.#sql.deleteIssue.run(found.id)
    return true
  }

  /** Deletes the terms that nothing uses any more. The writer is done then. */
  finish(): void {
    for (const term of this.#candidates) this.#sql.deleteTerm.run(term)
    this.#candidates.clear()
    this.#terms.clear()
  }

  #cards(issue: number): StoredCard[] {
    return this.#sql.cards.all(issue) as StoredCard[]
  }

  #insertCard(issue: number, { kind, seq, content, index }: CardRecord): void {
    const { day, length, paths, symbols, terms } = index()
    const sql = this.#sql
    const id = Number(sql.insertCard.run(issue, kind, seq, day, length, content).lastInsertRowid)
    this.#insertPaths(id, paths)
    this.#insertSymbols(id, symbols)
    for (const { text, weight, tf } of terms) sql.insertPosting.run(this.#term(text), id, weight, tf)
  }

  #updateCard(id: number, { content, index }: CardRecord): void {
    const { day, length, paths, symbols, terms } = index()
    const sql = this.#sql
    sql.updateCard.run(day, length, content, id)
    sql.deleteTier.run(id)
    if (!isSameSet(sql.pathsOfCard.all(id) as Text[], paths)) {
      sql.deletePaths.run(id)
      this.#insertPaths(id, paths)
    }
    if (!isSameSet(sql.symbolsOfCard.all(id) as Text[], symbols)) {
      sql.deleteSymbols.run(id)
      this.#insertSymbols(id, symbols)
    }
    const stored = new Map((sql.postingsOfCard.all(id) as StoredPosting[]).map((posting) => [posting.text, posting]))
    for (const { text, weight, tf } of terms) {
      const old = stored.get(text)
      stored.delete(text)
      if (old === undefined) sql.insertPosting.run(this.#term(text), id, weight, tf)
      else if (old.weight !== weight || old.tf !== tf) sql.updatePosting.run(weight, tf, old.term, id)
    }
    for (const { term } of stored.values()) {
      sql.deletePosting.run(term, id)
      this.#candidates.add(term)
    }
  }

  #insertPaths(card: number, paths: readonly string[]): void {
    for (const path of paths) this.#sql.insertPath.run(path, card, path.slice(path.lastIndexOf('/') + 1))
  }

  #insertSymbols(card: number, symbols: readonly string[]): void {
    for (const symbol of symbols) this.#sql.insertSymbol.run(symbol, card)
  }

  #removeCard(card: number): void {
    const sql = this.#sql
    for (const { term } of sql.termsOfCard.all(card) as { term: number }[]) this.#candidates.add(term)
    for (const name of ['deletePostings', 'deletePaths', 'deleteSymbols', 'deleteTier', 'deleteCard'] as const) {
      sql[name].run(card)
    }
  }

  #term(text: string): number {
    const known = this.#terms.get(text) ?? (this.#sql.findTerm.get(text) as { id: number } | undefined)?.id
    const id = known ?? Number(this.#sql.insertTerm.run(text).lastInsertRowid)
    this.#terms.set(text, id)
    return id
  }
}
