// `specdex recall`: have we met this before? Answers from the ledger alone; what the working tree still bears out is
// looked up, never kept as truth. Exit 0 answered, also with nothing; --doctor exits 1 when something is unhealthy.

import path from 'node:path'
import { recall, recallForPaths } from '../ledger/recall.ts'
import { UserError } from '../model/errors.ts'
import { CARD_KINDS, type CardKind } from '../model/ledger.ts'
import type { RecallView } from '../model/ledger-views.ts'
import { healthHuman, healthJson, recallHuman, recallJson } from '../render/recall.ts'
import { storedName } from '../store/queries/ledger-state.ts'
import type { Io } from './io.ts'
import { inLedger, typedRepo } from './ledger-place.ts'
import { placeOf } from './place.ts'
import { showColoured } from './print.ts'

type Options = Record<string, unknown>

const DAY_MS = 86_400_000
const RESULTS = 5
const LEAST_SCORE = 0.1
const NOTHING: RecallView = { hits: [], stale: 0, below: 0, cards: 0 }

/** Runs `recall WORDS…`. Throws UserError usage. */
export async function runRecall(words: readonly string[], options: Options, io: Io): Promise<number> {
  const place = await placeOf(options, io)
  const tree = { root: place.root, env: io.env }
  const today = Math.floor(io.world.now() / DAY_MS)
  const named = typedRepo(options)
  if (options['doctor'] === true) {
    if (named !== null) throw new UserError('usage', '--repo goes with no --doctor', 'it tells of every repository')
    if (words.length > 0 || ['file', 'symbol', 'for'].some((name) => options[name] !== undefined)) {
      throw new UserError('usage', '--doctor goes with no text, --file, --symbol or --for')
    }
    const { ledgerHealth } = await import('../ledger/health.ts')
    const health = await inLedger(place, null, (store) => ledgerHealth(store, tree, today))
    if (health === null) {
      throw new UserError('no-index', `there is no ledger at ${place.location.path}`, 'run `specdex ledger update`')
    }
    if (options['json'] === true) io.out(healthJson(health))
    else showColoured(io, (terminal) => healthHuman(health, terminal))
    return health.problems.length === 0 ? 0 : 1
  }
  const text = words.join(' ').trim()
  const files = textsOf(options['file'])
  const symbols = textsOf(options['symbol'])
  if (symbols.includes('')) throw new UserError('usage', '--symbol needs a value')
  const about = typeof options['for'] === 'string' ? options['for'] : null
  if (text === '' && files.length + symbols.length === 0 && about === null) {
    throw new UserError('usage', 'recall what?', 'give a text, --file, --symbol or --for; --doctor for the health')
  }
  if (about !== null && (text !== '' || files.length + symbols.length > 0)) {
    throw new UserError('usage', '--for goes with no text, --file or --symbol')
  }
  const live = options['live'] === true
  if (live && about !== null) throw new UserError('usage', '--live goes with no --for')
  const k = numberOf(options['k'], 'k', RESULTS)
  if (!Number.isInteger(k)) throw new UserError('usage', `--k takes a whole number, not ${String(options['k'])}`)
  const minScore = numberOf(options['minScore'], 'min-score', LEAST_SCORE)
  const kind = kindOf(options['kind'])
  const explain = options['explain'] === true
  const paths = about === null ? null : await (await import('./recall-for.ts')).pathsFor(about, options, io)
  // An index that is not there has nothing to tell, and that is an answer.
  const indexed = await inLedger(place, NOTHING, (store) => {
    const repo = named === null ? null : storedName(store, named)
    return paths === null
      ? recall(
          store,
          {
            text: text === '' ? null : text,
            files: files.map((file) => path.resolve(io.cwd, file)),
            symbols,
            k,
            kind,
            repo,
            minScore,
            includeStale: options['includeStale'] === true,
            today,
            explain,
          },
          tree,
        )
      : recallForPaths(store, paths, { k, kind, repo, today, explain }, tree)
  })
  let view = indexed
  if (live && indexed.cards === 0) {
    const { askGitHub } = await import('./recall-live.ts')
    // The usual least score is one of BM25's.
    const least = options['minScore'] === undefined ? 0 : minScore
    view = await askGitHub({ text: text === '' ? null : text, files, symbols, k, kind, minScore: least }, options, io)
  }
  if (options['json'] === true) io.out(recallJson(view))
  else if (view.hits.length > 0)
    showColoured(io, (terminal) => recallHuman(view, { terminal, web: webOf(place.config.ledger.api) }))
  else io.err('No results.')
  if (view.cards === 0 && !live) {
    const [what, flag] = named === null ? ['nothing', ''] : [`nothing of ${named}`, ` --repo ${named}`]
    io.err(`hint: ${what} is indexed yet: run \`specdex ledger update${flag}\``)
  } else if (view.stale > 0) io.err(`note: ${view.stale} stale left out (--include-stale shows them)`)
  else if (view.hits.length === 0 && view.below > 0 && k >= 1) {
    io.err(`hint: ${view.below} score below ${minScore} (--min-score 0 shows them)`)
  }
  return 0
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []
}

function numberOf(value: unknown, flag: string, usual: number): number {
  if (value === undefined) return usual
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (!Number.isFinite(number) || number < 0)
    throw new UserError('usage', `--${flag} takes a number from 0 on, not ${String(value)}`)
  return number
}

function kindOf(value: unknown): CardKind | null {
  if (value === undefined) return null
  const kind = CARD_KINDS.find((each) => each === value)
  if (kind === undefined)
    throw new UserError('usage', `unknown kind ${String(value)}`, `kinds: ${CARD_KINDS.join(', ')}`)
  return kind
}

/** Where people read issues: the API's own host, without what makes it the API. */
function webOf(api: string): string {
  const url = new URL(api)
  return url.hostname === 'api.github.com' ? 'https://github.com' : url.origin
}
