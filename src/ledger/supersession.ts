// Which lessons a later one replaces: a card whose text names an earlier card by id (`3/pattern/0`) or an earlier issue
// (`#3`) of the same repository. Pure. Only cards that are at hand are compared: a successor that does not answer the
// question ranks nowhere, so there is nothing to stand below.

import { CARD_KINDS, type Card } from '../model/ledger.ts'
import type { CardKey } from '../store/queries/ledger-recall.ts'

export interface Lesson {
  readonly key: CardKey
  readonly card: Card
  /** Thousandths. */
  readonly score: number
}

export interface RankedLesson extends Lesson {
  /** The score it would have by itself; `score` is never above that of the lesson that supersedes it. */
  readonly own: number
  readonly supersededBy: RankedLesson | null
  /** Successors above it, one after the other. */
  readonly depth: number
}

/** Best first: by score, then the successor before what it supersedes, then the later day, then id and repository. */
export function ranked(lessons: readonly Lesson[]): RankedLesson[] {
  const byId = new Map<string, Lesson[]>()
  const byIssue = new Map<string, Lesson[]>()
  for (const lesson of lessons) {
    const { repo, issue, kind, seq } = lesson.key
    push(byId, `${repo}\0${issue}/${CARD_KINDS[kind]}/${seq}`, lesson)
    push(byIssue, `${repo}\0${issue}`, lesson)
  }
  const successors = new Map<Lesson, Lesson[]>()
  for (const lesson of lessons) {
    const { repo } = lesson.key
    const named = mentions(lesson.card).flatMap(
      (name) => byId.get(`${repo}\0${name}`) ?? byIssue.get(`${repo}\0${name}`) ?? [],
    )
    for (const earlier of new Set(named)) if (isLater(lesson.key, earlier.key)) push(successors, earlier, lesson)
  }
  const done = new Map<Lesson, RankedLesson>()
  // Latest first, so that every successor is settled before what it supersedes.
  for (const lesson of [...lessons].sort((a, b) => compareAge(b.key, a.key))) {
    const above = (successors.get(lesson) ?? []).map((one) => done.get(one)).filter((one) => one !== undefined)
    const lowest = above.reduce<RankedLesson | null>(
      (low, one) => (low === null || isBelow(one, low) ? one : low),
      null,
    )
    const own = lesson.score
    const score = lowest === null ? own : Math.min(own, lowest.score)
    const depth = lowest === null ? 0 : lowest.depth + 1
    done.set(lesson, { ...lesson, own, score, supersededBy: lowest, depth })
  }
  return [...done.values()].sort(
    (a, b) => b.score - a.score || a.depth - b.depth || b.key.day - a.key.day || compareIds(a.key, b.key),
  )
}

/** Ids of cards and numbers of issues that the card's text names, as `3/pattern/0` and `3`. */
export function mentions(card: Card): string[] {
  const texts =
    card.kind === 'decision'
      ? [card.decision, card.anomalies]
      : [card.kind === 'pattern' ? card.pattern : null, card.rootCause, card.prevention]
  return texts.flatMap((text) => (text === null ? [] : [...namesIn(text, '#', ISSUE), ...namesIn(text, '/', ID)]))
}

/** Not `owner/name#3`, which is another repository's, nor `&#39;`, nor the number in a path or version. */
const ISSUE = /(?<![\p{L}\p{N}_&#/])#(\d{1,15})(?![\p{L}\p{N}_;])/gu
const ID = /(?<![\p{L}\p{N}_./-])(\d{1,15}\/(?:investigation|pattern|decision)\/\d{1,15})(?![\p{L}\p{N}_/])/gu

/** Most texts hold no such sign at all, and hundreds are looked through for each question. */
function namesIn(text: string, sign: '#' | '/', names: RegExp): string[] {
  return text.includes(sign) ? [...text.matchAll(names)].map((match) => match[1] ?? '') : []
}

function isBelow(a: RankedLesson, b: RankedLesson): boolean {
  return a.score < b.score || (a.score === b.score && a.depth > b.depth)
}

/** A lesson never supersedes its own issue's. */
function isLater(a: CardKey, b: CardKey): boolean {
  return a.issue !== b.issue && compareAge(a, b) > 0
}

function compareAge(a: CardKey, b: CardKey): number {
  return a.day - b.day || compareIds(a, b)
}

function compareIds(a: CardKey, b: CardKey): number {
  return a.issue - b.issue || a.kind - b.kind || a.seq - b.seq || (a.repo < b.repo ? -1 : a.repo > b.repo ? 1 : 0)
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
