// How the anchors of cards stand in the working tree, in the seed's five tiers, judged when asked and never stored with
// a card. A handful is judged by reading the few files they name: no process is started. Many are judged with git's own
// list of blob ids, and what was judged on clean paths is kept by HEAD (card_tier).
// Source: seed 004 "Staleness Detection". Where the seed is silent: an anchor without a symbol is its file, fresh while
// that is there; a symbol that its own blob never defined is looked for as a word, and is none where that blob has not
// even the word; what cannot be looked into is fresh, as is everything without a tree; in a renamed file the blob and
// the definition count like the snippet.

import { type Anchor, TIER, type Tier } from '../model/ledger.ts'
import { loadTiers, saveTiers, type TierRow } from '../store/queries/ledger-tiers.ts'
import type { Store } from '../store/store.ts'
import { definitionLine, findSnippet, linesOf, wordLine } from './definitions.ts'
import { type Env, hashOnDisk, readBlobs, readTreeState, type TreeState } from './git-history.ts'
import type { Lineage } from './renames.ts'
import { isPlainPath, type TextFile, type TreeFiles } from './tree-files.ts'

/** From so many cards on, asking git once is cheaper than reading their files. */
const MANY = 256

export interface AnchoredCard {
  readonly card: number
  /** Days since 1970 on which the annotation was made. */
  readonly day: number
  readonly anchor: Anchor | null
}

export interface Judgement {
  readonly tier: Tier
  /** Where the anchor is now; null unless it moved. */
  readonly path: string | null
  /** Counted from 1. */
  readonly line: number | null
}

export interface Judge {
  readonly root: string | null
  readonly env: Env
  readonly files: TreeFiles
  readonly lineage: Lineage
  /** What git and the cache said, once many cards were to be judged; asked once per question. */
  bulk?: Promise<Bulk | null>
}

interface Bulk {
  readonly tree: TreeState
  readonly kept: ReadonlyMap<number, TierRow>
}

const FRESH: Judgement = { tier: TIER.fresh, path: null, line: null }
const STALE: Judgement = { tier: TIER.stale, path: null, line: null }

/** Judges every card. Works without git: then only what lies on disk counts. Never fails for a file's sake. */
export async function judgeCards(
  store: Store,
  cards: readonly AnchoredCard[],
  judge: Judge,
  many: number = MANY,
): Promise<Map<number, Judgement>> {
  const { root } = judge
  if (root !== null && cards.length >= many) judge.bulk ??= readBulk(store, root, judge.env)
  const bulk = (await judge.bulk) ?? null
  const tree = bulk?.tree ?? null
  const judged = new Map<number, Judgement>()
  const doubtful: AnchoredCard[] = []
  for (const card of cards) {
    const path = card.anchor?.path ?? null
    const known = bulk?.kept.get(card.card)
    const isKept = known !== undefined && path !== null && isSettled(path, tree, judge)
    const held = isKept && (known.path === null || isSettled(known.path, tree, judge)) ? pick(known) : null
    const judgement = held ?? judgeAnchor(card, judge, tree)
    judged.set(card.card, judgement)
    const { anchor } = card
    if (
      judgement.tier === TIER.stale &&
      held === null &&
      anchor?.blobSha &&
      judge.files.get(anchor.path ?? '') !== null
    ) {
      doubtful.push(card)
    }
  }
  await askGit(doubtful, judge, judged)
  if (bulk !== null) keep(store, cards, judged, bulk, judge)
  return judged
}

/**
 * Git has the last word before a card is called stale whose file is there: line endings and filters make other bytes of
 * the same blob, and a symbol that not even the anchored blob holds was never of that file, so the file is the anchor.
 */
async function askGit(
  cards: readonly AnchoredCard[],
  { root, env }: Judge,
  judged: Map<number, Judgement>,
): Promise<void> {
  if (root === null || cards.length === 0) return
  const paths = [...new Set(cards.map(({ anchor }) => anchor?.path ?? ''))]
  const undefinedIn = new Map<string, AnchoredCard[]>()
  for (const card of cards) {
    const { blobSha = null, snippetHash = null } = card.anchor ?? {}
    if (blobSha !== null && snippetHash === null) undefinedIn.set(blobSha, [...(undefinedIn.get(blobSha) ?? []), card])
  }
  const [ids] = await Promise.all([
    hashOnDisk(root, env, paths),
    readBlobs(root, env, [...undefinedIn.keys()], (id, bytes) => {
      const lines = linesOf(bytes.toString('utf8'))
      for (const { card, anchor } of undefinedIn.get(id) ?? []) {
        if (wordLine(lines, anchor?.symbol ?? '') < 0) judged.set(card, FRESH)
      }
    }),
  ])
  const byPath = new Map(paths.map((path, i) => [path, ids[i]]))
  for (const { card, anchor } of cards) {
    if (anchor !== null && byPath.get(anchor.path ?? '') === anchor.blobSha) judged.set(card, FRESH)
  }
}

function judgeAnchor({ anchor, day }: AnchoredCard, judge: Judge, tree: TreeState | null): Judgement {
  if (anchor === null || anchor.path === null || judge.root === null) return FRESH
  const { path, symbol, blobSha, snippetHash } = anchor
  if (!isPlainPath(path)) return STALE
  const { files, lineage } = judge
  // Tier 1 without reading: git vouches for a clean file.
  const isClean = tree !== null && !tree.dirty.has(path)
  if (isClean && blobSha !== null && tree.blobs.get(path) === blobSha && files.exists(path)) return FRESH
  const file = files.get(path)
  if (file?.kind === 'unknown') return FRESH
  if (file !== null) {
    if (blobSha !== null && file.isBlob(blobSha)) return FRESH
    if (symbol === null && snippetHash === null) return FRESH
    if (symbol !== null && symbolLine(anchor, path, symbol, file) >= 0) return FRESH
    const line = snippetLine(anchor, file)
    if (line >= 0) return { tier: TIER.movedInFile, path, line: line + 1 }
  }
  for (const heir of lineage.heirs(path, day)) {
    const moved = movedTo(anchor, heir, judge, file === null)
    if (moved !== null) return moved
  }
  return STALE
}

/** Where the symbol is defined. One that was no declaration when the card was made cannot have lost it: its word. */
function symbolLine({ blobSha, snippetHash }: Anchor, path: string, symbol: string, { lines }: TextFile): number {
  const line = definitionLine(path, lines, symbol)
  return line < 0 && blobSha !== null && snippetHash === null ? wordLine(lines, symbol) : line
}

function snippetLine({ snippetHash, symbol }: Anchor, file: TextFile): number {
  return snippetHash === null ? -1 : findSnippet(file.lines, snippetHash, symbol)
}

/** Tier 4: the anchor in a file that the rename log leads to; null: it is not there. */
function movedTo(anchor: Anchor, heir: string, { files }: Judge, isGone: boolean): Judgement | null {
  const file = files.get(heir)
  if (file === null || file.kind !== 'text') return null
  const { symbol, blobSha } = anchor
  const snippet = snippetLine(anchor, file)
  const line = snippet >= 0 || symbol === null ? snippet : symbolLine(anchor, heir, symbol, file)
  const isSame = blobSha !== null && file.isBlob(blobSha)
  const isWhole = symbol === null && anchor.snippetHash === null && isGone
  if (line < 0 && !isSame && !isWhole) return null
  return { tier: TIER.movedByRename, path: heir, line: line < 0 ? null : line + 1 }
}

/** Nothing about this path can have changed while HEAD stays: tracked and clean, or not there and not tracked. */
function isSettled(path: string, tree: TreeState | null, { files }: Judge): boolean {
  if (tree === null || tree.dirty.has(path)) return false
  return tree.blobs.has(path) === files.exists(path)
}

async function readBulk(store: Store, root: string, env: Env): Promise<Bulk | null> {
  const tree = await readTreeState(root, env)
  return tree && { tree, kept: new Map(loadTiers(store, tree.head).map((row) => [row.card, row])) }
}

/** Caches what rests on settled paths alone. A cache that cannot be written is no reason to fail. */
function keep(
  store: Store,
  cards: readonly AnchoredCard[],
  judged: ReadonlyMap<number, Judgement>,
  { tree, kept }: Bulk,
  judge: Judge,
): void {
  const rows: TierRow[] = []
  for (const { card, day, anchor } of cards) {
    const judgement = judged.get(card)
    const path = anchor?.path ?? null
    if (judgement === undefined || path === null || !isSettled(path, tree, judge)) continue
    // An heir that appears later would be overlooked, so only those that have none are remembered as stale.
    if (judgement.tier === TIER.stale && judge.lineage.heirs(path, day).length > 0) continue
    if (judgement.path !== null && !isSettled(judgement.path, tree, judge)) continue
    const old = kept.get(card)
    if (old?.tier === judgement.tier && old.path === judgement.path && old.line === judgement.line) continue
    rows.push({ card, ...pick(judgement) })
  }
  if (rows.length === 0 || !store.writable) return
  store.keep(() => saveTiers(store, tree.head, rows))
}

function pick({ tier, path, line }: Judgement): Judgement {
  return { tier, path, line }
}
