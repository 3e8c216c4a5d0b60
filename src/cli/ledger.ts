// `specdex ledger …`: brings the ledger to what GitHub says, and carries it elsewhere. Exit 0 done · 2 could not (a source
// that does not answer, no repository); under --non-blocking a failed update is one line and exit 0, because closing an
// issue must never wait for the ledger (seed 004 "Invariants").

import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cardsOf } from '../extract/ledger-cards.ts'
import { anchorCards } from '../ledger/anchors.ts'
import { DECISIONS, noticeDecisions } from '../ledger/decisions.ts'
import { historyStart } from '../ledger/git-history.ts'
import { refreshRenames } from '../ledger/renames.ts'
import { openSource } from '../ledger/source.ts'
import { trusts } from '../ledger/trust.ts'
import { type UpdateMode, type UpdateReport, updateLedger } from '../ledger/update.ts'
import type { Talk } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import { indentedJson } from '../render/json.ts'
import { peekAt } from '../scan/peek.ts'
import type { Store } from '../store/open.ts'
import type { Io } from './io.ts'
import { type LedgerPlace, ledgerPlace, withLedger } from './ledger-place.ts'
import { placeOf } from './place.ts'

type Options = Record<string, unknown>

/** How long a rate limit may keep somebody waiting who wants one issue, or nothing but to go on. */
const SHORT_PATIENCE_MS = 60_000

/** Runs `ledger update`. */
export async function runUpdate(options: Options, io: Io): Promise<number> {
  const { talk } = io.world
  if (options['nonBlocking'] !== true) return update(options, talk, io)
  // One line and no more where it fails: what was told on the way is told where it does not.
  const told: string[] = []
  try {
    const code = await update(options, { ...talk, warn: (message) => void told.push(message) }, io)
    for (const message of told) talk.warn(message)
    return code
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    io.err(`warning: the ledger was not updated: ${error.message}`)
    return 0
  }
}

async function update(options: Options, talk: Talk, io: Io): Promise<number> {
  const mode = modeOf(options)
  if (options['trust'] !== undefined && mode !== 'full') {
    throw new UserError(
      'usage',
      '--trust goes with --full-rebuild only',
      'the filter for every day stands in ledger.trust',
    )
  }
  const place = await ledgerPlace(options, io)
  const { root, config } = place
  const { env, now } = io.world
  const hurried = typeof mode === 'object' || options['nonBlocking'] === true
  const source = await openSource({
    from: typeof options['from'] === 'string' ? path.resolve(io.cwd, options['from']) : null,
    repo: place.repo,
    api: typeof options['api'] === 'string' ? options['api'] : config.ledger.api,
    env,
    talk,
    now,
    wait: (ms) => sleep(ms),
    ...(hurried && { patience: SHORT_PATIENCE_MS }),
  })
  const adrPaths = peekAt(root, DECISIONS)
    .list('')
    .map(({ name }) => `${DECISIONS}/${name}`)
  const started = now()
  return withLedger(place, true, async (store) => {
    noticeDecisions(store, place.repo, adrPaths)
    const report = await updateLedger(store, source, {
      repo: place.repo,
      mode,
      trust: place.trust,
      draft: (issue) => cardsOf(issue, { trusts: (author) => trusts(place.trust, author), adrPaths }),
      anchors: (cards) => anchorCards(root, env, cards),
      historyStart: await historyStart(root, env),
      talk,
      now,
    })
    const renames = await refreshRenames(store, root, env)
    const isMirrored = config.ledger.mirror || options['mirror'] === true
    const mirrored = isMirrored ? await (await mirror()).pushMirror(root, env, store, place.repo) : null
    tell({ ...report, renames, pushed: mirrored?.pushed ?? null }, now() - started, options, io)
    return 0
  })
}

function modeOf(options: Options): UpdateMode {
  const { issue, fullRebuild, reconcile } = options
  if ([issue, fullRebuild, reconcile].filter((flag) => flag !== undefined).length > 1) {
    throw new UserError('usage', '--issue, --reconcile and --full-rebuild exclude each other')
  }
  if (fullRebuild === true) return 'full'
  if (reconcile === true) return 'reconcile'
  if (issue === undefined) return 'incremental'
  if (typeof issue !== 'string' || !/^[1-9]\d{0,9}$/.test(issue)) {
    throw new UserError('usage', `--issue takes the number of an issue, not ${String(issue)}`)
  }
  return { issue: Number(issue) }
}

interface Told extends UpdateReport {
  readonly renames: number
  /** Null where nothing was mirrored. */
  readonly pushed: boolean | null
}

function tell(report: Told, ms: number, options: Options, io: Io): void {
  if (options['json'] === true) {
    io.out(`${indentedJson({ schema_version: '1', ...report })}\n`)
    return
  }
  if (options['quiet'] === true) return
  const { repo, fetched, changed, removed, issues, cards, ignored, watermark, held } = report
  if (options['issue'] !== undefined && fetched === 0) {
    io.out(`${repo}: there is no issue #${String(options['issue'])}, and the ledger holds nothing of it\n`)
  } else {
    const rate = ms > 0 ? `, ${Math.round((fetched * 1000) / ms)} a second` : ''
    io.out(`${repo}: ${counted(fetched, 'issue')} fetched (${changed} changed, ${removed} gone${rate})\n`)
  }
  io.out(`${counted(cards, 'card')} of ${counted(issues, 'issue')}, up to ${watermark ?? 'nowhere yet'}\n`)
  if (held) {
    const why =
      options['issue'] === undefined
        ? 'the repository changed while it was listed'
        : 'other issues have not been seen yet'
    io.out(`the watermark stayed: ${why}\n`)
  }
  if (ignored > 0)
    io.out(`${counted(ignored, 'annotation')} left out: written by somebody the trust filter does not name\n`)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Loaded when asked for, like the export and the import: an update mostly needs none of them. */
function mirror(): Promise<typeof import('../ledger/mirror.ts')> {
  return import('../ledger/mirror.ts')
}

/** Runs `ledger export DIR`. */
export async function runExport(folder: string, options: Options, io: Io): Promise<number> {
  const { exportLedger, writeLedgerFolder } = await import('../ledger/export.ts')
  return asking(options, io, false, (store, place) => {
    const written = writeLedgerFolder(path.resolve(io.cwd, folder), exportLedger(store, place.repo).files)
    io.out(written.length === 0 ? 'nothing changed\n' : `${written.map((name) => `wrote ${name}`).join('\n')}\n`)
  })
}

/** Runs `ledger import DIR`. */
export async function runImport(folder: string, options: Options, io: Io): Promise<number> {
  const { importLedger } = await import('../ledger/import.ts')
  // The export names its repository itself.
  const place = await placeOf(options, io)
  const { repo, issues, cards } = await withLedger(place, true, (store) =>
    importLedger(store, path.resolve(io.cwd, folder)),
  )
  io.out(`${repo}: ${counted(cards, 'card')} of ${counted(issues, 'issue')}\n`)
  return 0
}

/** Runs `ledger push`. */
export function runPush(options: Options, io: Io): Promise<number> {
  return asking(options, io, false, async (store, { root, repo }) => {
    const { remote, pushed, cards, issues } = await (await mirror()).pushMirror(root, io.env, store, repo)
    const what = `${counted(cards, 'card')} of ${counted(issues, 'issue')}`
    io.out(pushed ? `pushed to ${remote}: ${what}\n` : `${remote} has all of it: ${what}\n`)
  })
}

/** Runs `ledger pull`. */
export function runPull(options: Options, io: Io): Promise<number> {
  return asking(options, io, true, async (store, { root, repo }) => {
    const { remote, taken, removed, cards, issues } = await (await mirror()).pullMirror(root, io.env, store, repo)
    const held = `${counted(cards, 'card')} of ${counted(issues, 'issue')}`
    io.out(`from ${remote}: ${counted(taken, 'issue')} taken, ${removed} dropped; ${held}\n`)
  })
}

async function asking(
  options: Options,
  io: Io,
  create: boolean,
  use: (store: Store, place: LedgerPlace) => void | Promise<void>,
): Promise<number> {
  const place = await ledgerPlace(options, io)
  await withLedger(place, create, (store) => use(store, place))
  return 0
}
