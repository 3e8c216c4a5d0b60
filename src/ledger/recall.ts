// Recall: the lessons that answer a question, best first, with what the working tree says of each. Files and symbols
// alone are exact look-ups; a text is ranked (ranking.ts), capped by supersession, and judged (staleness.ts) from the
// top until enough are found that are not stale.
// The surprise: stale lessons are left out after ranking, not before: judging 100,000 anchors to rank five is too dear,
// and a score that moves with somebody else's staleness explains nothing.

import path from 'node:path'
import type { Card, CardKind } from '../model/ledger.ts'
import { TIER, type Tier } from '../model/ledger.ts'
import type { RecallHit, RecallStatus, RecallView } from '../model/ledger-views.ts'
import { cardsOfRepo, countCards, storedCards } from '../store/queries/ledger-recall.ts'
import type { Store } from '../store/store.ts'
import type { Env } from './git-history.ts'
import { Ranking, type RankingQuestion } from './ranking.ts'
import { Lineage } from './renames.ts'
import { SCORING } from './score.ts'
import { type Judge, type Judgement, judgeCards } from './staleness.ts'
import { type Lesson, type RankedLesson, ranked } from './supersession.ts'
import { TreeFiles } from './tree-files.ts'

export interface RecallQuestion extends RankingQuestion {
  /** At most so many results. */
  readonly k: number
  /** Stale lessons too, marked. */
  readonly includeStale: boolean
  /** With the parts of each score. */
  readonly explain: boolean
}

/** The working tree whose files are looked at. `root` null: none, and then nothing but the ledger counts. */
export interface RecallTree {
  readonly root: string | null
  readonly env: Env
}

/**
 * Answers a question. Files may be given as relative to the root (`./` allowed) or as absolute paths below it. Never
 * writes unless hundreds of cards had to be judged. Fails as the store does (UserError), never for a file's sake.
 * Source: issue "Recall", sheet ledger §6 and §7.
 */
export async function recall(store: Store, question: RecallQuestion, tree: RecallTree): Promise<RecallView> {
  const judge = judgeOf(store, tree)
  const asked = { ...question, files: question.files.map((file) => relative(file, tree.root)) }
  const ranking = store.read(() => new Ranking(store, asked, judge.lineage))
  const k = Math.max(0, Math.trunc(question.k))
  const judged = new Map<number, Judgement>()
  const read = new Map<number, Lesson>()
  let window: number = Math.max(SCORING.window, 4 * k)
  for (;;) {
    const lessons = store.read(() => lessonsOf(store, ranking, window, read))
    const { hits, stale } = await select(store, lessons, k, question.includeStale, judge, judged)
    if (hits.length >= k || window >= ranking.size) {
      const shown = store.read(() => hits.map((lesson) => hitOf(lesson, judged, question.explain ? ranking : null)))
      const cards = asked.repo == null ? countCards(store) : store.read(() => cardsOfRepo(store, asked.repo ?? '').size)
      return { hits: shown, stale, below: ranking.below, cards }
    }
    window *= 4
  }
}

/** What a question about paths leaves open, for `--for`: no text, no stale lessons; all matches are judged and counted. */
export interface PathsQuestion {
  readonly k: number
  readonly kind: CardKind | null
  /** As RankingQuestion has it. */
  readonly repo?: string | null
  /** Days since 1970. */
  readonly today: number
  readonly explain: boolean
}

/** Lessons that cite any of the paths; those that cite more of them come first. `stale` counts all that were left out. */
export async function recallForPaths(
  store: Store,
  paths: readonly string[],
  question: PathsQuestion,
  tree: RecallTree,
): Promise<RecallView> {
  const all = { ...question, text: null, files: paths, symbols: [], minScore: 0, includeStale: false }
  const view = await recall(store, { ...all, k: Number.MAX_SAFE_INTEGER }, tree)
  return { ...view, hits: view.hits.slice(0, Math.max(0, question.k)) }
}

export function judgeOf(store: Store, { root, env }: RecallTree): Judge {
  const files = new TreeFiles(root)
  return { root, env, files, lineage: new Lineage(store, (name) => files.exists(name)) }
}

/** The path as cards cite it: relative to the root, no `./`, no detours. */
export function relative(file: string, root: string | null): string {
  const slashed = path.sep === '\\' ? file.replaceAll('\\', '/') : file
  const inside = root !== null && path.isAbsolute(file) ? path.relative(root, file).split(path.sep).join('/') : slashed
  return path.posix.normalize(inside).replace(/^\.\//, '')
}

/** The best of the ranking with what their rows say; `read` holds those that were read for a smaller window. */
function lessonsOf(store: Store, ranking: Ranking, window: number, read: Map<number, Lesson>): RankedLesson[] {
  const scores = new Map(ranking.best(window).map(({ card, score }) => [card, score]))
  // A card that is gone since it was ranked is passed over.
  for (const { content, ...key } of storedCards(
    store,
    [...scores.keys()].filter((card) => !read.has(card)),
  )) {
    read.set(key.card, { key, card: JSON.parse(content) as Card, score: scores.get(key.card) ?? 0 })
  }
  return ranked([...read.values()])
}

/** The first `k` that may be shown; judges in portions, so that no more files are read than needed. */
async function select(
  store: Store,
  lessons: readonly RankedLesson[],
  k: number,
  includeStale: boolean,
  judge: Judge,
  judged: Map<number, Judgement>,
): Promise<{ readonly hits: RankedLesson[]; readonly stale: number }> {
  const hits: RankedLesson[] = []
  let stale = 0
  for (let from = 0, portion = k; from < lessons.length && hits.length < k; from += portion, portion *= 2) {
    portion = Math.max(1, Math.min(portion, lessons.length - from))
    const some = lessons.slice(from, from + portion)
    const open = some.filter(({ key }) => !judged.has(key.card))
    const anchored = open.map(({ key, card }) => ({ card: key.card, day: key.day, anchor: card.anchor }))
    for (const [card, judgement] of await judgeCards(store, anchored, judge)) judged.set(card, judgement)
    for (const lesson of some) {
      if (hits.length >= k) break
      if (includeStale || judged.get(lesson.key.card)?.tier !== TIER.stale) hits.push(lesson)
      else stale++
    }
  }
  return { hits, stale }
}

const STATUS: Readonly<Record<Tier, RecallStatus>> = {
  [TIER.fresh]: 'fresh',
  [TIER.movedInFile]: 'moved',
  [TIER.movedByRename]: 'moved',
  [TIER.stale]: 'stale',
}

function hitOf(lesson: RankedLesson, judged: ReadonlyMap<number, Judgement>, explained: Ranking | null): RecallHit {
  const { key, card, supersededBy, own, score } = lesson
  const judgement = judged.get(key.card)
  const parts = explained?.explain(key.card) ?? null
  const superseded = supersededBy === null || own <= score ? null : { by: supersededBy.card.id, score: own / 1000 }
  return {
    ...cardHit(card, key.repo, score, STATUS[judgement?.tier ?? TIER.fresh]),
    moved: judgement === undefined || judgement.path === null ? null : { path: judgement.path, line: judgement.line },
    parts: parts === null ? null : { ...parts, superseded },
  }
}

/** A card as a result, unmoved and unexplained; `score` in thousandths. */
export function cardHit(card: Card, repo: string, score: number, status: RecallStatus): RecallHit {
  const isDecision = card.kind === 'decision'
  return {
    id: card.id,
    kind: card.kind,
    issue: card.issue,
    repo,
    score: score / 1000,
    paths: card.paths,
    symbols: card.symbols,
    pattern: card.kind === 'pattern' ? orNull(card.pattern) : null,
    rootCause: isDecision ? null : orNull(card.rootCause),
    prevention: isDecision ? null : orNull(card.prevention),
    decision: isDecision ? orNull(card.decision) : null,
    anomalies: isDecision ? orNull(card.anomalies) : null,
    verdict: isDecision ? null : orNull(card.verdict),
    confidence: isDecision ? null : orNull(card.confidence),
    severity: isDecision ? null : orNull(card.severity),
    status,
    createdAt: card.createdAt,
    moved: null,
    parts: null,
  }
}

/** Absent and empty texts are null (sheet ledger §7). */
function orNull(text: string | null): string | null {
  return text === null || text === '' ? null : text
}
