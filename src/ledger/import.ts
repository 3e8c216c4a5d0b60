// `ledger import`: an export becomes rows again, without GitHub (issue 4 §5). All of it in one transaction, or nothing.
// It fills an empty ledger and refuses any other; merging is for the mirror. The surprise: issues that changed just
// before the watermark are noted as unsettled, because the exporter's own note of them is not part of an export.

import { UserError } from '../model/errors.ts'
import type { Card } from '../model/ledger.ts'
import { renamesHead, saveRenames } from '../store/queries/ledger-renames.ts'
import { anchorsStart, setUnsettledIssues, storedName, unsettledIssues } from '../store/queries/ledger-state.ts'
import { LedgerWriter } from '../store/queries/ledger-write.ts'
import type { Store } from '../store/store.ts'
import { cardCount, type LedgerContent, type LedgerFiles } from './content.ts'
import { storedContent } from './export.ts'
import { isListed, lacksBlob } from './merge.ts'
import { readLedgerFiles, readLedgerFolder } from './read-files.ts'
import { cardRecord } from './store-cards.ts'

export interface ImportReport {
  readonly repo: string
  readonly issues: number
  readonly cards: number
  readonly renames: number
}

/**
 * Hydrates the empty ledger of the repository that the export names; `from` is a folder or the files themselves.
 * Throws UserError `refused`, exit 1, where there is a ledger of it already or where anything in the files is not as
 * Specdex writes it; `not-found` where a file is missing; what store.write() throws. Nothing is written then.
 */
export function importLedger(store: Store, from: string | LedgerFiles): ImportReport {
  const content = readLedgerFiles(typeof from === 'string' ? readLedgerFolder(from) : from)
  const { issues, renames } = content
  const repo = store.write(() => {
    const repo = storedName(store, content.repo)
    const held = storedContent(store, repo)
    if (held !== null && !isEmpty(held)) {
      const hint = 'import fills an empty index; to merge with others use: specdex ledger pull'
      throw new UserError('refused', `the index already holds a ledger of ${repo}; nothing was imported`, hint, 1)
    }
    writeContent(store, { ...content, repo }, { replaced: [...issues.keys()], removed: [] })
    return repo
  })
  return { repo, issues: issues.size, cards: cardCount(content), renames: renames.length }
}

/** Whether there is nothing in it that an import could destroy. */
export function isEmpty(content: LedgerContent): boolean {
  return content.issues.size === 0 && content.watermark === null
}

interface Changes {
  /** Issues to be written as the content has them. */
  readonly replaced: readonly number[]
  /** Issues to be removed. */
  readonly removed: readonly number[]
}

/** Brings the rows to `content`, given what differs. Inside store.write() only. */
export function writeContent(store: Store, content: LedgerContent, { replaced, removed }: Changes): void {
  const { repo, trust, watermark, issues, renames } = content
  const writer = new LedgerWriter(store, repo, trust)
  for (const number of removed) writer.removeIssue(number)
  for (const number of replaced) {
    const issue = issues.get(number)
    if (issue === undefined) continue
    const { cards, ...row } = issue
    writer.replaceIssue(
      { number, ...row },
      cards.map((line) => cardRecord(JSON.parse(line) as Card)),
    )
  }
  writer.setTrust(trust)
  writer.setWatermark(watermark)
  writer.finish()
  // How far the log of the working tree was read stays as it is: these renames came another way.
  saveRenames(store, renames, renamesHead(store), false)
  if (replaced.length + removed.length === 0) return
  // Perhaps fetched within the second of their last change, so that a later one would not be told apart; perhaps anchored
  // in a shallow clone. Where no update ran here yet, the first one looks after all anchors without history anyway.
  const anchoredHere = anchorsStart(store, repo) !== null
  const doubtful = replaced.filter((number) => {
    const issue = issues.get(number)
    return issue !== undefined && (!isListed(issue, watermark) || (anchoredHere && issue.cards.some(lacksBlob)))
  })
  const gone = new Set(removed)
  const before = unsettledIssues(store, repo).filter((number) => !gone.has(number))
  setUnsettledIssues(store, repo, new Set([...before, ...doubtful]))
}
