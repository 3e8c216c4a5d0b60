// `specdex doctor`: is the index sound, is its place a good one, is anything about to bite. Each finding says what is
// wrong and the command that mends it. Exit 1 when something is unhealthy; notices alone are 0.

import path from 'node:path'
import { findPlace, type Place } from '../indexing/place.ts'
import { UserError } from '../model/errors.ts'
import { VERSION } from '../model/version.ts'
import { runGit } from '../scan/git.ts'
import { findRepository } from '../scan/repository.ts'
import { isFolder } from '../scan/root.ts'
import { placeHealth, storeHealth } from '../store/health.ts'
import { type OpeningState, openStore, probeStore } from '../store/open.ts'
import type { Io } from './io.ts'
import { printable } from './print.ts'

interface Finding {
  readonly severity: 'ok' | 'notice' | 'unhealthy'
  readonly code: string
  readonly message: string
  /** A command or a next step; null where there is nothing to do. */
  readonly fix: string | null
}

/** Runs `specdex doctor`. Exit 0 healthy, 1 unhealthy. */
export async function runDoctor(options: Record<string, unknown>, io: Io): Promise<number> {
  const findings: Finding[] = [
    ok('versions', `specdex ${VERSION}, Node ${process.version}, ${process.platform} ${process.arch}`),
  ]
  const place = await placeOrFinding(options, io, findings)
  if (place !== null) {
    const state = probeStore(place.location)
    findings.push(STATE[state] ?? ok('state', 'the index can be opened'))
    if (['fresh', 'read-only', 'hot-journal', 'older'].includes(state)) examineStore(place, findings)
    examinePlace(place, findings)
    findings.push(...(await examineGit(place, io)))
  }
  const unhealthy = findings.some((finding) => finding.severity === 'unhealthy')
  if (options['json'] === true) {
    io.out(`${JSON.stringify({ schema_version: '1', healthy: !unhealthy, findings }, null, 2)}\n`)
  } else {
    const lines = findings.flatMap(({ severity, message, fix }) => [
      `${MARK[severity]}${message}`,
      ...(fix === null ? [] : [`            fix: ${fix}`]),
    ])
    io.out(printable(io, `${lines.join('\n')}\n`))
  }
  return unhealthy ? 1 : 0
}

const MARK = { ok: 'ok         ', notice: 'notice     ', unhealthy: 'unhealthy  ' } as const

function ok(code: string, message: string): Finding {
  return { severity: 'ok', code, message, fix: null }
}

/** The place, or a finding that says why there is none: a broken configuration is what a doctor is asked about. */
async function placeOrFinding(options: Record<string, unknown>, io: Io, findings: Finding[]): Promise<Place | null> {
  const flag = (name: string): string | null => (typeof options[name] === 'string' ? options[name] : null)
  try {
    const place = await findPlace({ root: flag('root'), db: flag('db'), cwd: io.cwd, env: io.env })
    if (isFolder(place.root)) return place
    const message = `there is no folder ${place.root}`
    findings.push({ severity: 'unhealthy', code: 'not-found', message, fix: 'check --root' })
    return null
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    findings.push({ severity: 'unhealthy', code: error.code, message: error.message, fix: error.hint })
    return null
  }
}

const STATE: Readonly<Partial<Record<OpeningState, Finding>>> = {
  missing: { severity: 'notice', code: 'missing', message: 'there is no index yet', fix: 'specdex index' },
  foreign: {
    severity: 'unhealthy',
    code: 'foreign',
    message: 'the file at the place of the index belongs to something else',
    fix: 'name another place with --db or SPECDEX_DB',
  },
  newer: {
    severity: 'unhealthy',
    code: 'newer',
    message: 'the index was written by a newer specdex',
    fix: 'update specdex to the version that wrote the index, or name another place with --db',
  },
  older: {
    severity: 'notice',
    code: 'older',
    message: 'the index was written by an older specdex; the next command migrates it',
    fix: 'specdex index',
  },
  corrupt: {
    severity: 'unhealthy',
    code: 'corrupt',
    message: 'the index is damaged; the next command moves it aside and builds a new one',
    fix: 'specdex index',
  },
  locked: {
    severity: 'notice',
    code: 'locked',
    message: 'another process is writing the index just now',
    fix: 'wait for it, then run specdex doctor again',
  },
  'hot-journal': {
    severity: 'notice',
    code: 'hot-journal',
    message: 'a run was killed while writing; the next command recovers the last complete state',
    fix: 'specdex index',
  },
  'read-only': {
    severity: 'notice',
    code: 'read-only',
    message: 'the index cannot be written here; stale answers are made in memory',
    fix: null,
  },
}

function examineStore(place: Place, findings: Finding[]): void {
  let store: ReturnType<typeof openStore>
  try {
    store = openStore(place.location, { busyMs: place.config.limits.busy_ms, create: false })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    findings.push({ severity: 'unhealthy', code: error.code, message: error.message, fix: error.hint })
    return
  }
  try {
    const health = storeHealth(store)
    findings.push(
      health.complaints.length === 0
        ? ok('integrity', `integrity check passed (${health.pages} pages, ${health.bytes} bytes)`)
        : {
            severity: 'unhealthy',
            code: 'integrity',
            message: `integrity check failed: ${health.complaints.join('; ')}`,
            fix: 'specdex index --full',
          },
      ok('schema', `schema ${health.migrations.length} of ${health.knownMigrations}, SQLite ${health.sqliteVersion}`),
    )
    if (health.journalMode !== 'delete') {
      findings.push({
        severity: 'notice',
        code: 'journal-mode',
        message: `the index is in journal mode ${health.journalMode}: it is more than one file at rest`,
        fix: 'close what has it open, then run specdex index',
      })
    }
  } finally {
    store.close()
  }
}

function examinePlace(place: Place, findings: Finding[]): void {
  const health = placeHealth(place.location)
  if (health.missingIgnores !== null && health.missingIgnores.length > 0) {
    const lines = health.missingIgnores.join(', ')
    findings.push({
      severity: 'notice',
      code: 'gitignore',
      message: `.specdex/.gitignore does not name: ${lines}`,
      fix: `add these lines to .specdex/.gitignore: ${lines}`,
    })
  }
  for (const name of health.movedAside) {
    findings.push({
      severity: 'notice',
      code: 'moved-aside',
      message: `a damaged index was kept as ${name}`,
      fix: 'look at it or remove it; nothing reads it',
    })
  }
  if (health.fileSystem.kind === 'network') {
    findings.push({
      severity: 'unhealthy',
      code: 'network-file-system',
      message: `the index lies on ${health.fileSystem.name}, where file locks may not hold between machines`,
      fix: 'export SPECDEX_DB=/path/on/a/local/disk/index.db',
    })
  } else if (health.fileSystem.kind === 'unsure') {
    findings.push({
      severity: 'notice',
      code: 'network-file-system',
      message: `the index lies on ${health.fileSystem.name}; if that is a network, locks may not hold`,
      fix: 'export SPECDEX_DB=/path/on/a/local/disk/index.db',
    })
  }
}

/** An index in git's hands conflicts on every parallel branch. */
async function examineGit(place: Place, io: Io): Promise<Finding[]> {
  if (findRepository(path.dirname(place.location.path)) === null) return []
  const folder = path.dirname(place.location.path)
  const name = path.basename(place.location.path)
  const { status, stdout } = await runGit(folder, ['ls-files', '-z', '--', name, `${name}-journal`], io.env)
  if (status !== 0 || stdout.length === 0) return [ok('tracked', 'git does not track the index')]
  const tracked = stdout.toString('utf8').split('\0').filter(Boolean)
  return [
    {
      severity: 'unhealthy',
      code: 'tracked',
      message: `git tracks ${tracked.join(', ')}: every parallel branch will conflict on it`,
      fix: `git rm --cached ${tracked.map((file) => path.join(path.relative(io.cwd, folder) || '.', file)).join(' ')}`,
    },
  ]
}
