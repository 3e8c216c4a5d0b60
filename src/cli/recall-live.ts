// `specdex recall --live`: asks GitHub where nothing is indexed yet. A file of its own, so that what asks the network is
// loaded by nobody else; src/ledger/live.ts knows what to ask. Nothing is written.

import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cardsOf } from '../extract/ledger-cards.ts'
import { type LiveQuestion, recallLive } from '../ledger/live.ts'
import { relative } from '../ledger/recall.ts'
import { openGitHub } from '../ledger/source.ts'
import { trusts } from '../ledger/trust.ts'
import type { RecallView } from '../model/ledger-views.ts'
import type { Io } from './io.ts'
import { ledgerPlace } from './ledger-place.ts'

/** How long a rate limit may keep somebody waiting who only asked a question. */
const PATIENCE_MS = 60_000

/** GitHub's answer. Files are as typed. Throws UserError: usage where no repository is known, source. */
export async function askGitHub(
  question: Omit<LiveQuestion, 'repo'>,
  options: Record<string, unknown>,
  io: Io,
): Promise<RecallView> {
  const { root, repo, config, trust } = await ledgerPlace(options, io)
  const { env, talk, now } = io.world
  const { api } = config.ledger
  const source = await openGitHub({ repo, api, env, talk, now, wait: (ms) => sleep(ms), patience: PATIENCE_MS })
  return recallLive(
    source,
    { ...question, repo, files: question.files.map((file) => relative(path.resolve(io.cwd, file), root)) },
    { draft: (issue) => cardsOf(issue, { trusts: (author) => trusts(trust, author), adrPaths: [] }), talk, now },
  )
}
