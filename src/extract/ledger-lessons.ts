// What the annotations of one issue teach: investigations, the patterns in them, and decisions, as cards with numbers.
// Blob and snippet hashes of anchors are filled in later, by whoever knows the history. Surprise: an INVALID
// investigation makes no card, but its patterns do.

import type { Anchor, Card, CardKind, CostUsd, LedgerIssue, LedgerText } from '../model/ledger.ts'
import { compareCodePoints } from '../model/order.ts'
import type { Annotation } from './ledger-annotations.ts'
import { LONGEST, patternBlocks, sectionsOf, sectionText } from './ledger-blocks.ts'
import { cut, label, valueAt, valueItems } from './ledger-lines.ts'
import { joined, MOST, pathsIn, symbolsIn } from './ledger-symbols.ts'

/** A card whose anchor knows path and symbol, but no history yet: both hashes are null. */
export type DraftCard = Card

/** When the text of a drafted card was written: a card itself says no more than the day. */
const MOMENTS = new WeakMap<Card, string>()

/** The time at which the card's text was created, to the second; of a card that was not drafted here its day. */
export function momentOf(card: Card): string {
  return MOMENTS.get(card) ?? card.createdAt
}

/** An annotation and the text that it stands in. */
export interface Found extends Annotation {
  readonly text: LedgerText
}

const COSTS = [
  ['INVESTIGATOR', 'investigation'],
  ['BUILDER', 'build'],
  ['REVIEWER', 'review'],
] as const

/** First `cost_usd: 1.5` of a body, or null; nothing and less is no cost (sheet ledger §2.1). */
export function costIn(body: string): number | null {
  const cost = Number(/cost_usd:[ \t]{0,20}(\d{1,12}(?:\.\d{1,12})?)/.exec(body)?.[1] ?? 0)
  return cost > 0 ? cost : null
}

/** What the issue cost by phase; a later annotation of a phase that names a cost wins. */
function costOf(found: readonly Found[]): CostUsd | null {
  const phases = { investigation: null, build: null, review: null } as Record<(typeof COSTS)[number][1], number | null>
  for (const { type, prose } of found) {
    const phase = COSTS.find(([name]) => name === type)?.[1]
    if (phase !== undefined) phases[phase] = costIn(prose) ?? phases[phase]
  }
  const known = Object.values(phases).filter((cost) => cost !== null)
  if (known.length === 0) return null
  // Sums of decimal fractions come with noise in the last digits.
  return { ...phases, total: Math.round(known.reduce((sum, cost) => sum + cost, 0) * 1e6) / 1e6 }
}

const ENRICHING: ReadonlySet<string> = new Set(['REVIEWER', 'CONTEXT', 'ARCHITECT', 'BUILDER'])

const DECISIONS = label('Decisions')
const ANOMALIES = label('Anomalies')

/** Makes the cards of one issue; holds what all of them share and counts the numbers of each kind. */
export class Deck {
  readonly cards: DraftCard[] = []
  readonly #issue: LedgerIssue
  readonly #seq = { investigation: 0, pattern: 0, decision: 0 }
  readonly #moments = new Map<string, string>()

  constructor(issue: LedgerIssue) {
    this.#issue = issue
  }

  /** What every card says; `id` is unique across all annotations of the issue. */
  #base<Kind extends CardKind>(kind: Kind, { text }: Found, paths: readonly string[], symbols: readonly string[]) {
    const { number, pull } = this.#issue
    const id = `${number}/${kind}/${this.#seq[kind]++}`
    this.#moments.set(id, text.createdAt)
    return {
      schemaVersion: 1,
      id,
      kind,
      issue: number,
      pr: pull ? number : null,
      sourceCommentId: text.id,
      paths,
      symbols,
      anchor: this.#anchor(paths[0], symbols[0]),
      createdAt: text.createdAt.slice(0, 10),
    } as const
  }

  #anchor(path: string | undefined, symbol: string | undefined): Anchor | null {
    if (path === undefined && symbol === undefined) return null
    const { number } = this.#issue
    return { path: path ?? null, symbol: symbol ?? null, blobSha: null, snippetHash: null, citedAtIssue: number }
  }

  investigator(found: Found): void {
    const { fields, prose } = found
    const sections = sectionsOf(prose, found.body)
    const verdict = fields.get('Verdict') ?? null
    const confidence = fields.get('Confidence') ?? null
    const severity = fields.get('Severity') ?? null
    const rootCause = sectionText(sections.get('Root Cause')) || null
    const prevention = sectionText(sections.get('Recommendation')) || null
    const paths = pathsIn(sections.get('Affected Files') ?? '')
    const symbols = symbolsIn(prose)
    const outcome = { fixMerged: this.#issue.state === 'closed' }
    if (verdict === 'CONFIRMED' || verdict === 'PARTIAL') {
      const taskType = fields.get('Task Type') ?? null
      const said = { verdict, confidence, severity, taskType, rootCause, prevention, outcome }
      this.cards.push({ ...this.#base('investigation', found, paths, symbols), ...said })
    }
    for (const block of patternBlocks(prose)) {
      const own = <T extends { readonly length: number }>(mine: T, fallback: T): T =>
        mine.length > 0 ? mine : fallback
      const cited = [own(block.paths, paths), own(block.symbols, symbols)] as const
      this.cards.push({
        ...this.#base('pattern', found, ...cited),
        pattern: block.pattern,
        rootCause: block.rootCause || rootCause,
        prevention: block.prevention || prevention,
        severity: block.severity === '' ? severity : block.severity,
        verdict,
        confidence,
        outcome,
      })
    }
  }

  trajectory(found: Found, adrPaths: readonly string[]): void {
    const { prose } = found
    const items = (wanted: RegExp): string[] => {
      const at = valueAt(prose, wanted)
      return at === -1 ? [] : valueItems(prose, at)
    }
    // Each point of a list may be as long as a decision: lists are kept whole (sheet ledger §10.5).
    const decision = items(DECISIONS)
      .map((item) => cut(item, LONGEST.text))
      .join('; ')
    if (decision === '' || /^none\.?$/i.test(decision)) return
    const anomalies = items(ANOMALIES).join('; ')
    const adrPath = adrOf(this.#issue.number, adrPaths)
    this.cards.push({
      ...this.#base('decision', found, pathsIn(prose), symbolsIn(prose)),
      decision,
      anomalies: anomalies === '' ? null : anomalies,
      ...(adrPath === null ? {} : { adrPath }),
    })
  }

  /** Gives the first lesson what later phases cite, and the first card of all the cost; then the cards are done. */
  enrich(found: readonly Found[]): void {
    const lesson = this.cards.findIndex(({ kind }) => kind !== 'decision')
    const card = this.cards[lesson]
    if (card !== undefined) {
      let { paths, symbols } = card
      for (const { prose } of found.filter(({ type }) => ENRICHING.has(type))) {
        paths = joined(paths, pathsIn(prose), MOST.paths)
        symbols = joined(symbols, symbolsIn(prose), MOST.symbols)
      }
      this.cards[lesson] = { ...card, paths, symbols }
    }
    const payer = Math.max(lesson, 0)
    const paying = this.cards[payer]
    const costUsd = costOf(found)
    if (paying !== undefined && costUsd !== null) this.cards[payer] = { ...paying, costUsd }
    for (const card of this.cards) MOMENTS.set(card, this.#moments.get(card.id) ?? card.createdAt)
  }
}

/** `devdocs/decisions/{issue}-*.md`; the first by name where there are several (sheet ledger §3.6, case 24). */
function adrOf(issue: number, adrPaths: readonly string[]): string | null {
  const start = `devdocs/decisions/${issue}-`
  const mine = adrPaths.filter(
    (path) => path.startsWith(start) && path.endsWith('.md') && !path.includes('/', start.length),
  )
  return mine.sort(compareCodePoints)[0] ?? null
}
