// The ledger's health: counts, how far it got, how many anchors the working tree still bears out, and what is wrong.
// Judges every card, so it is for the doctor alone. Unhealthy: nothing was ever listed to the end, rows that belong to
// nothing, cards that no word finds, or more than half of the anchored cards stale. Age is shown and never judged: a
// quiet repository has nothing new to tell.

import { type Anchor, CARD_KINDS, type CardKind, TIER } from '../model/ledger.ts'
import type { HealthRepo, LedgerHealth } from '../model/ledger-views.ts'
import { brokenRows, cardsByKind, issuesWithCards } from '../store/queries/ledger-health.ts'
import { ledgerState, type RepoState } from '../store/queries/ledger-state.ts'
import { allAnchors } from '../store/queries/ledger-tiers.ts'
import type { Store } from '../store/store.ts'
import { judgeOf, type RecallTree } from './recall.ts'
import { judgeCards } from './staleness.ts'

const DAY_MS = 86_400_000

/** The view of `--doctor`. `today`: days since 1970. Exit 1 where `problems` is not empty. */
export async function ledgerHealth(store: Store, tree: RecallTree, today: number): Promise<LedgerHealth> {
  const { kinds, issues, broken, repos, rows } = store.read(() => ({
    kinds: new Map(cardsByKind(store).map(({ kind, cards }) => [CARD_KINDS[kind], cards])),
    issues: issuesWithCards(store),
    broken: brokenRows(store),
    repos: ledgerState(store).repos,
    rows: allAnchors(store),
  }))
  const cards = rows.map(({ card, day, anchor }) => ({
    card,
    day,
    anchor: anchor === null ? null : (JSON.parse(anchor) as Anchor),
  }))
  const anchored = cards.filter(({ anchor }) => anchor?.path != null)
  const judged = tree.root === null ? new Map() : await judgeCards(store, anchored, judgeOf(store, tree))
  const stale = [...judged.values()].filter(({ tier }) => tier === TIER.stale).length
  const byKind = Object.fromEntries(CARD_KINDS.map((kind) => [kind, kinds.get(kind) ?? 0])) as Record<CardKind, number>
  const problems = [
    ...(repos.length === 0 ? ['no repository was ever indexed'] : []),
    ...repos
      .filter(({ watermark }) => watermark === null)
      .map(({ name }) => `no listing of ${name} was ever completed`),
    ...(broken.strays > 0 ? [`${broken.strays} row(s) belong to nothing`] : []),
    ...(broken.mute > 0 ? [`${broken.mute} card(s) cannot be found by text`] : []),
    ...(stale * 2 > anchored.length ? [`${stale} of ${anchored.length} anchored cards are stale`] : []),
  ]
  const dangling = anchored.filter(({ anchor }) => anchor?.blobSha === null).length
  return {
    cards: cards.length,
    stale,
    issues,
    byKind,
    dangling,
    repos: repos.map((repo) => healthOf(repo, today)),
    problems,
  }
}

function healthOf({ name, watermark, issues, cards, ignored }: RepoState, today: number): HealthRepo {
  const at = watermark === null ? Number.NaN : Date.parse(watermark)
  const ageDays = Number.isNaN(at) ? null : Math.max(0, today - Math.floor(at / DAY_MS))
  return { name, watermark, ageDays, issues, cards, ignored }
}
