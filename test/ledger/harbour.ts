// What the tests of the update share, in this process and in others: runs on a store, and ledgers built from nothing.

import { createHash } from 'node:crypto'
import { cardsOf } from '../../src/extract/ledger-cards.ts'
import type { Drafted } from '../../src/ledger/prepare.ts'
import { type Trust, trusts } from '../../src/ledger/trust.ts'
import { type UpdateMode, type UpdateOptions, type UpdateReport, updateLedger } from '../../src/ledger/update.ts'
import { SILENT } from '../../src/model/clock.ts'
import type { Card, LedgerIssue } from '../../src/model/ledger.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { ledgerDump } from '../../src/store/queries/ledger-state.ts'
import type { Pier } from './pier.ts'

export const REPO = 'harbour/crane'
export const CREW: Trust = { associations: ['OWNER', 'MEMBER', 'COLLABORATOR'], bots: ['tide-bot'] }

/** Stands in for git: hashes that depend on the path alone, as if its file had never changed. */
async function anchors(cards: readonly Card[]): Promise<readonly Card[]> {
  return cards.map((card) => {
    const { anchor } = card
    const blobSha = anchor?.path == null ? null : createHash('sha1').update(anchor.path).digest('hex')
    return anchor === null ? card : { ...card, anchor: { ...anchor, blobSha } }
  })
}

export function optionsFor(pier: Pier, mode: UpdateMode, trust = CREW): UpdateOptions {
  const draft = (issue: LedgerIssue): Drafted =>
    cardsOf(issue, { trusts: (author) => trusts(trust, author), adrPaths: [] })
  return { repo: REPO, mode, trust, draft, anchors, talk: SILENT, now: pier.now }
}

/** What `specdex ledger update` does. */
export function update(
  store: Store,
  pier: Pier,
  mode: UpdateMode = 'incremental',
  trust = CREW,
): Promise<UpdateReport> {
  return updateLedger(store, pier, optionsFor(pier, mode, trust))
}

/** The dump of a ledger built from nothing. */
export async function freshDump(pier: Pier, trust = CREW): Promise<string[]> {
  const { before } = pier
  pier.before = () => {}
  const store = openMemoryStore()
  try {
    await update(store, pier, 'full', trust)
    return ledgerDump(store)
  } finally {
    store.close()
    pier.before = before
  }
}

/** The first lines that only one of two dumps has, with `-` for the first and `+` for the second. */
export function differences(a: readonly string[], b: readonly string[]): string[] {
  const [inA, inB] = [new Set(a), new Set(b)]
  const only = a.filter((line) => !inB.has(line)).map((line) => `- ${line}`)
  only.push(...b.filter((line) => !inA.has(line)).map((line) => `+ ${line}`))
  return a.length === b.length && only.length === 0 ? [] : [`${a.length} and ${b.length} lines`, ...only.slice(0, 10)]
}
