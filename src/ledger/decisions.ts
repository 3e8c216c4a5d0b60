// Files that record a decision of an issue (`devdocs/decisions/12-why.md`): cards link to them, so a file that comes or
// goes changes the card of an issue that GitHub says nothing new of. Such issues become unsettled, and the next
// update fetches them.

import { decisionsName, getMeta, setMeta } from '../store/meta.ts'
import { issueNumbers, setUnsettledIssues, unsettledIssues } from '../store/queries/ledger-state.ts'
import type { Store } from '../store/store.ts'

/** Where decisions may stand as files. */
export const DECISIONS = 'devdocs/decisions'

/**
 * Notices which decision files came or went since the last update of the ledger. `paths` are those there are now. Call
 * before the update; opens a write transaction only where something changed.
 */
export function noticeDecisions(store: Store, repo: string, paths: readonly string[]): void {
  const name = decisionsName(repo)
  const now = JSON.stringify([...paths].sort())
  const before = getMeta(store, name) ?? '[]'
  if (now === before) return
  store.write(() => {
    const known = new Set(JSON.parse(before) as string[])
    const moved = [...paths.filter((path) => !known.has(path)), ...[...known].filter((path) => !paths.includes(path))]
    const held = new Set(issueNumbers(store, repo))
    const numbers = moved.map(issueOf).filter((number) => held.has(number))
    setUnsettledIssues(store, repo, new Set([...unsettledIssues(store, repo), ...numbers]))
    setMeta(store, name, now)
  })
}

function issueOf(path: string): number {
  return Number(/\/(\d+)-[^/]*$/.exec(path)?.[1] ?? Number.NaN)
}
