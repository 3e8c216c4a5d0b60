// Fills the anchors of freshly drafted cards from git's history: the blob of the path in the newest commit of HEAD's
// main line that is not younger than the annotation, and the hash of the symbol's snippet in it. For any number of cards
// it takes one `git log` and two `git cat-file`; one for few, as when an issue is closed, where starting git is the cost.
// The surprise: a card keeps the day alone, so the time of its text comes beside it (momentOf). By the day's end a rebuild
// at a later HEAD would see commits that were not there before.

import { momentOf } from '../extract/ledger-lessons.ts'
import type { Card } from '../model/ledger.ts'
import { findRepository } from '../scan/repository.ts'
import { definitionLine, linesOf, snippetAt } from './definitions.ts'
import { blobIds, type Env, type HistoryCommit, mainLine, readBlobs } from './git-history.ts'
import { isPlainPath } from './tree-files.ts'

const DAY_SECONDS = 86_400
/** So many blobs are read and held at once. Of more the ids come first: many names may mean one blob. */
const FEW = 8

/**
 * The cards, in their order, with `blobSha` and `snippetHash` of their anchors filled in; both null where history does
 * not reach (no git, a shallow clone, no such path then), the snippet where the blob does not define the symbol.
 */
export async function anchorCards(root: string, env: Env, drafts: readonly Card[]): Promise<Card[]> {
  const repository = findRepository(root)
  const wanted = drafts.filter(({ anchor }) => anchor !== null && anchor.path !== null && isPlainPath(anchor.path))
  if (repository === null || wanted.length === 0) return [...drafts]
  const moments = wanted.map(momentOf)
  const oldest = moments.reduce((least, moment) => Math.min(least, endOf(moment)), Number.POSITIVE_INFINITY)
  const commits = commitsAt(await mainLine(root, env, oldest), moments)
  // The prefix is kept as bytes, object names are text.
  const prefix = Buffer.from(repository.prefix, 'latin1').toString('utf8')
  const nameOf = (card: Card): string | null => {
    const { anchor } = card
    const commit = commits.get(momentOf(card))
    return commit === undefined || anchor?.path == null || !isPlainPath(anchor.path)
      ? null
      : `${commit}:${prefix}${anchor.path}`
  }
  const names = [...new Set(wanted.map(nameOf).filter((name) => name !== null))]
  const blobs = new Map<string, string>()
  const held = new Map<string, Buffer>()
  // Without a symbol nobody looks into a blob, and it may be of any size.
  if (names.length <= FEW && wanted.some(({ anchor }) => anchor?.symbol != null)) {
    await readBlobs(root, env, names, (id, bytes, name) => {
      blobs.set(name, id)
      held.set(id, bytes)
    })
  } else {
    const ids = await blobIds(root, env, names)
    for (const [i, name] of names.entries()) if (ids[i] != null) blobs.set(name, ids[i])
  }
  const blobOf = (card: Card): string | null => blobs.get(nameOf(card) ?? '') ?? null
  const snippets = await snippetsIn(root, env, wanted, blobOf, held)
  return drafts.map((card) => {
    const { anchor } = card
    const blobSha = blobOf(card)
    if (anchor === null || blobSha === null) return card
    const snippetHash = snippets.get(snippetKey(blobSha, anchor.path ?? '', anchor.symbol ?? '')) ?? null
    return { ...card, anchor: { ...anchor, blobSha, snippetHash } }
  })
}

/** For each time the newest commit of the line that is not younger; times before all commits have none. */
function commitsAt(line: readonly HistoryCommit[], moments: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  // Latest first, and the line newest first: what is too young for a time is too young for those before it.
  let at = 0
  for (const moment of [...new Set(moments)].sort((a, b) => endOf(b) - endOf(a) || 0)) {
    const end = endOf(moment)
    while (at < line.length && (line[at] as HistoryCommit).at >= end) at++
    const commit = line[at]
    if (commit !== undefined) found.set(moment, commit.id)
  }
  return found
}

/** The first second after the time, or after the day where no hour is known; no commit is older than what is neither. */
function endOf(moment: string): number {
  const start = Math.floor(Date.parse(moment) / 1000)
  if (Number.isNaN(start)) return Number.NEGATIVE_INFINITY
  return start + (moment.includes('T') ? 1 : DAY_SECONDS)
}

async function snippetsIn(
  root: string,
  env: Env,
  cards: readonly Card[],
  blobOf: (card: Card) => string | null,
  held: ReadonlyMap<string, Buffer>,
): Promise<Map<string, string>> {
  const asked = new Map<string, Map<string, readonly [path: string, symbol: string]>>()
  for (const card of cards) {
    const blob = blobOf(card)
    const { path = null, symbol = null } = card.anchor ?? {}
    if (blob === null || path === null || symbol === null) continue
    const places = asked.get(blob) ?? new Map<string, readonly [string, string]>()
    places.set(snippetKey(blob, path, symbol), [path, symbol])
    asked.set(blob, places)
  }
  const snippets = new Map<string, string>()
  const take = (id: string, bytes: Buffer): void => {
    const lines = linesOf(bytes.toString('utf8'))
    for (const [key, [path, symbol]] of asked.get(id) ?? []) {
      const line = definitionLine(path, lines, symbol)
      if (line >= 0) snippets.set(key, snippetAt(lines, line))
    }
  }
  for (const [id, bytes] of held) take(id, bytes)
  const others = [...asked.keys()].filter((id) => !held.has(id))
  await readBlobs(root, env, others, take)
  return snippets
}

/** The path belongs to it: its ending says which language the blob is read as. */
function snippetKey(blob: string, path: string, symbol: string): string {
  return `${blob}\0${path}\0${symbol}`
}
