// Fills the anchors of freshly drafted cards from git's history: the blob of the path in the newest commit of HEAD's
// main line that is not younger than the annotation, and the hash of the symbol's snippet in it. For any number of cards
// it takes one `git log` and two `git cat-file`.
// The surprise: an annotation has a day and no hour, so the day's end (UTC) counts: commits made later on that day are
// seen, and every rebuild at a later HEAD sees the same ones.

import type { Card } from '../model/ledger.ts'
import { findRepository } from '../scan/repository.ts'
import { definitionLine, linesOf, snippetAt } from './definitions.ts'
import { blobIds, type Env, type HistoryCommit, mainLine, readBlobs } from './git-history.ts'
import { isPlainPath } from './tree-files.ts'

const DAY_SECONDS = 86_400

/**
 * The cards, in their order, with `blobSha` and `snippetHash` of their anchors filled in; both null where history does
 * not reach (no git, a shallow clone, no such path then), the snippet where the blob does not define the symbol.
 */
export async function anchorCards(root: string, env: Env, drafts: readonly Card[]): Promise<Card[]> {
  const repository = findRepository(root)
  const wanted = drafts.filter(({ anchor }) => anchor !== null && anchor.path !== null && isPlainPath(anchor.path))
  if (repository === null || wanted.length === 0) return [...drafts]
  const days = wanted.map(({ createdAt }) => createdAt)
  const oldest = days.reduce((least, day) => Math.min(least, endOf(day)), Number.POSITIVE_INFINITY)
  const commits = commitsOfDays(await mainLine(root, env, oldest), days)
  // The prefix is kept as bytes, object names are text.
  const prefix = Buffer.from(repository.prefix, 'latin1').toString('utf8')
  const nameOf = ({ anchor, createdAt }: Card): string | null => {
    const commit = commits.get(createdAt)
    return commit === undefined || anchor?.path == null || !isPlainPath(anchor.path)
      ? null
      : `${commit}:${prefix}${anchor.path}`
  }
  const names = [...new Set(wanted.map(nameOf).filter((name) => name !== null))]
  const ids = await blobIds(root, env, names)
  const blobs = new Map(names.map((name, i) => [name, ids[i] ?? null]))
  const blobOf = (card: Card): string | null => blobs.get(nameOf(card) ?? '') ?? null
  const snippets = await snippetsIn(root, env, wanted, blobOf)
  return drafts.map((card) => {
    const { anchor } = card
    const blobSha = blobOf(card)
    if (anchor === null || blobSha === null) return card
    const snippetHash = snippets.get(snippetKey(blobSha, anchor.path ?? '', anchor.symbol ?? '')) ?? null
    return { ...card, anchor: { ...anchor, blobSha, snippetHash } }
  })
}

/** For each day the newest commit of the line that is not younger than its end; days before all commits have none. */
function commitsOfDays(line: readonly HistoryCommit[], days: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  // Latest day first, and the line newest first: what is too young for a day is too young for those before it.
  let at = 0
  for (const day of [...new Set(days)].sort((a, b) => endOf(b) - endOf(a) || 0)) {
    const end = endOf(day)
    while (at < line.length && (line[at] as HistoryCommit).at >= end) at++
    const commit = line[at]
    if (commit !== undefined) found.set(day, commit.id)
  }
  return found
}

/** The first second that is no longer of the day; no commit is older than what is no day. */
function endOf(day: string): number {
  const start = Date.parse(`${day}T00:00:00Z`) / 1000
  return Number.isNaN(start) ? Number.NEGATIVE_INFINITY : start + DAY_SECONDS
}

async function snippetsIn(
  root: string,
  env: Env,
  cards: readonly Card[],
  blobOf: (card: Card) => string | null,
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
  await readBlobs(root, env, [...asked.keys()], (id, bytes) => {
    const lines = linesOf(bytes.toString('utf8'))
    for (const [key, [path, symbol]] of asked.get(id) ?? []) {
      const line = definitionLine(path, lines, symbol)
      if (line >= 0) snippets.set(key, snippetAt(lines, line))
    }
  })
  return snippets
}

/** The path belongs to it: its ending says which language the blob is read as. */
function snippetKey(blob: string, path: string, symbol: string): string {
  return `${blob}\0${path}\0${symbol}`
}
