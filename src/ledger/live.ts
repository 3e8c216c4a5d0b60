// `recall --live`: what GitHub's own search finds where no card is indexed yet (issue "The ledger" §6). The issues that
// it finds are fetched, their cards are made as an update would make them, and answered; nothing is written and no
// working tree is asked. The surprise: BM25 says nothing about ten issues that all hold the words, so a text is scored by
// the share of its words that a lesson holds, divided by the place at which GitHub put the issue.

import { fieldTokens } from '../extract/ledger-cards.ts'
import { tokensOf } from '../extract/ledger-tokens.ts'
import type { Clock, Talk } from '../model/clock.ts'
import type { Card, CardKind } from '../model/ledger.ts'
import type { RecallView } from '../model/ledger-views.ts'
import { compareIds } from './content.ts'
import { type Drafted, type Kitchen, prepareAll } from './prepare.ts'
import { cardHit } from './recall.ts'
import { SCORING, thousandths } from './score.ts'
import type { GitHubSource } from './source-github.ts'

export interface LiveQuestion {
  /** `owner/name`. */
  readonly repo: string
  readonly text: string | null
  /** Relative to the root. */
  readonly files: readonly string[]
  readonly symbols: readonly string[]
  readonly k: number
  readonly kind: CardKind | null
  /** Results below it are left out, unless they cite a file or symbol of the question. */
  readonly minScore: number
}

export interface LiveKitchen {
  readonly draft: (issue: Parameters<Kitchen['draft']>[0]) => Drafted
  readonly talk: Talk
  readonly now: Clock
}

/** Issues that are fetched. */
const MOST = 10
/** Searches of one question: GitHub allows ten a minute to who has no token, and each is two requests. */
const SEARCHES = 4
/** GitHub refuses longer questions; qualifiers do not count. */
const LENGTH = 256

/**
 * Answers a question from GitHub, best first, each result `live`. A text is searched for; without one the names of the
 * files and symbols are, and only lessons that cite them are answers. Errors: UserError `source`.
 */
export async function recallLive(
  source: GitHubSource,
  question: LiveQuestion,
  kitchen: LiveKitchen,
): Promise<RecallView> {
  const numbers = await found(source, searchesOf(question, kitchen.talk))
  const wanted = numbers.map((number) => ({ number, listed: null, stored: null, comments: [] }))
  // Anchors are about a working tree, which is not asked here.
  const anchors: Kitchen['anchors'] = async (cards) => cards
  const prepared = await prepareAll({ ...kitchen, source, anchors }, wanted)
  const rate = scorer(question)
  const hits = prepared.flatMap(({ cards }, place) =>
    cards.flatMap(({ content }) => {
      const card = JSON.parse(content) as Card
      if (question.kind !== null && card.kind !== question.kind) return []
      const { score, isExact } = rate(card, place + 1)
      if (score <= 0 || (!isExact && score < question.minScore * 1000)) return []
      return [cardHit(card, question.repo, score, 'live')]
    }),
  )
  const later = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1)
  hits.sort((a, b) => b.score - a.score || later(a.createdAt, b.createdAt) || compareIds(a.id, b.id))
  return { hits: hits.slice(0, Math.max(0, Math.trunc(question.k))), stale: 0, below: 0, cards: 0 }
}

/** Numbers of all searches, taking turns, each once. */
async function found(source: GitHubSource, searches: readonly string[]): Promise<number[]> {
  const lists: (readonly number[])[] = []
  for (const words of searches) lists.push(await source.search(words, MOST))
  const turns = Array.from({ length: MOST }, (_, place) => lists.flatMap((numbers) => numbers[place] ?? []))
  return [...new Set(turns.flat())].slice(0, MOST)
}

/** What GitHub is asked for: the text, or else each file's and symbol's name, as a phrase. */
function searchesOf({ text, files, symbols }: LiveQuestion, talk: Talk): string[] {
  const words = plainWords(text ?? '')
  if (words !== '') return [words]
  const names = [...new Set([...files.map(baseName), ...symbols])].map(phrase).filter((name) => name !== '')
  if (names.length > SEARCHES) talk.warn(`GitHub is asked for the first ${SEARCHES} of ${names.length} names only`)
  return names.slice(0, SEARCHES)
}

/** Words and nothing that GitHub would take for a qualifier or an operator, in small letters for that reason too. */
function plainWords(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[.'’-][\p{L}\p{N}_]+)*/gu) ?? []
  let kept = ''
  for (const word of new Set(words)) {
    const longer = kept === '' ? word : `${kept} ${word}`
    if (longer.length > LENGTH) break
    kept = longer
  }
  return kept
}

/** In quotes it is no qualifier, whatever it says. */
function phrase(name: string): string {
  const plain = name.replace(/["\\\p{C}]+/gu, ' ').trim()
  return plain === '' ? '' : `"${[...plain].slice(0, LENGTH - 2).join('')}"`
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

type Scorer = (card: Card, place: number) => { readonly score: number; readonly isExact: boolean }

/** Thousandths: share of the text's words ÷ place, and what an exact file or symbol counts in the ledger as well. */
function scorer({ text, files, symbols }: LiveQuestion): Scorer {
  const words = new Set(tokensOf(text ?? ''))
  const names = new Set(symbols.map((symbol) => symbol.toLowerCase()))
  return (card, place) => {
    const held = new Set([...fieldTokens(card).values()].flatMap((terms) => [...terms.keys()]))
    const shared = [...words].filter((word) => held.has(word)).length
    const cited = new Set(card.paths)
    const sameFiles = [...new Set(files)].filter((file) => cited.has(file)).length
    const sameSymbols = new Set(card.symbols.map((symbol) => symbol.toLowerCase()).filter((name) => names.has(name)))
      .size
    const exact = sameFiles * SCORING.file + sameSymbols * SCORING.symbol
    return { score: thousandths((words.size === 0 ? 0 : shared / words.size / place) + exact), isExact: exact > 0 }
  }
}
