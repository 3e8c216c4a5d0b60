// Renames: read from git's log, kept in the store, and followed through time. A name may have belonged to several files
// one after the other, so a path always comes with the day on which somebody wrote it down.
// The surprise: a file renamed on a branch is told by its own commit; the merge that brought it tells it once more, and
// is listened to only where no commit of its own did (a rename made while merging).

import type { Rename } from '../model/ledger.ts'
import { runGit } from '../scan/git.ts'
import { getMeta, META, setMeta } from '../store/meta.ts'
import {
  arrivalsOf,
  departuresOf,
  forgetRenames,
  knowsRename,
  type RenameStep,
  renamesHead,
  saveRenames,
} from '../store/queries/ledger-renames.ts'
import type { Store } from '../store/store.ts'
import { type Env, headOnDisk, historyStart } from './git-history.ts'

const DAY = 86_400

/**
 * All renames below `root` that HEAD's history tells, newest first; of `since..HEAD` only, where that is given. Empty
 * without git or without commits. Names are as they are in the tree, whatever their characters. Never rejects.
 */
export async function readRenames(root: string, env: Env, since: string | null = null): Promise<Rename[]> {
  return toldOnce(await readLog(root, env, since))
}

interface LoggedRename extends Rename {
  readonly merge: boolean
}

async function readLog(root: string, env: Env, since: string | null): Promise<LoggedRename[]> {
  const range = since === null ? 'HEAD' : `${since}..HEAD`
  const flags = ['-z', '--diff-filter=R', '-M', '--name-status', '--relative', '--no-ext-diff', '--no-show-signature']
  const log = (merges: readonly string[]) =>
    runGit(root, ['log', ...flags, ...merges, '--format=%x01%H %at %P', range, '--'], env)
  let answer = await log(['--diff-merges=first-parent'])
  // Git before 2.31 does not know how to look into merges alone.
  if (answer.status !== 0) answer = await log([])
  return answer.status === 0 ? parseLog(answer.stdout.toString('utf8')) : []
}

/** `\x01COMMIT TIME PARENTS\0\n` and then `Rnnn\0old\0new\0` for each rename. */
function parseLog(text: string): LoggedRename[] {
  const renames: LoggedRename[] = []
  const records = text.split('\0')
  let commit = ''
  let at = 0
  let merge = false
  for (let i = 0; i < records.length; i++) {
    const record = (records[i] as string).replace(/^\n/, '')
    if (record.startsWith('\u0001')) {
      const [id = '', time = '', ...parents] = record.slice(1).trimEnd().split(' ')
      commit = id
      at = Number(time)
      merge = parents.length > 1
    } else if (/^R\d+$/.test(record)) {
      renames.push({ commit, at, from: records[i + 1] ?? '', to: records[i + 2] ?? '', merge })
      i += 2
    }
  }
  return renames
}

function toldOnce(renames: readonly LoggedRename[]): Rename[] {
  const own = new Set(renames.filter(({ merge }) => !merge).map(({ from, to }) => `${from}\0${to}`))
  return renames
    .filter(({ merge, from, to }) => !merge || !own.has(`${from}\0${to}`))
    .map(({ commit, at, from, to }) => ({ commit, at, from, to }))
}

/**
 * Brings the stored renames up to HEAD: nothing to do where they are, only the new commits where HEAD moved on, all of
 * them where history was rewritten or reaches further back than when it was read. Returns how many are new. Takes the
 * write lock only when there is something to say.
 */
export async function refreshRenames(store: Store, root: string, env: Env): Promise<number> {
  const known = renamesHead(store)
  const start = await historyStart(root, env)
  const read = Number(getMeta(store, META.renamesStart) ?? Number.POSITIVE_INFINITY)
  const isDeeper = known !== null && start < read
  // Mostly nothing has happened, and git need not be started to see that.
  if (known !== null && !isDeeper && headOnDisk(root) === known) return 0
  const answer = await runGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], env)
  const head = answer.stdout.toString('utf8').trim()
  if (answer.status !== 0) return 0
  if (head === known && !isDeeper) return 0
  const goesOn = known !== null && (await runGit(root, ['merge-base', '--is-ancestor', known, head], env)).status === 0
  const isAhead = goesOn && !isDeeper
  const renames = await readLog(root, env, isAhead ? known : null)
  const fresh = isAhead
    ? toldOnce(renames.filter(({ merge, from, to }) => !merge || !knowsRename(store, from, to)))
    : toldOnce(renames)
  // Only a rewritten history clears: a first reading, and one that reaches further back, add to what an import brought.
  return store.write(() => {
    // Somebody else was here meanwhile: the next refresh sees to what is missing then.
    if (renamesHead(store) !== known) return 0
    // What was read before stays, so a clone that was cut shorter since has not become shorter here.
    setMeta(store, META.renamesStart, String(isAhead ? Math.min(start, read) : start))
    if (goesOn && isDeeper) forgetRenames(store, toldTwice(renames, fresh))
    return saveRenames(store, fresh, head, known !== null && !goesOn)
  })
}

/** What a merge told while history was cut off in front of the commit that tells it by itself. */
function toldTwice(logged: readonly LoggedRename[], once: readonly Rename[]): Rename[] {
  const kept = new Set(once.map(({ commit, from, to }) => `${commit}\0${from}\0${to}`))
  return logged.filter(({ merge, commit, from, to }) => merge && !kept.has(`${commit}\0${from}\0${to}`))
}

/** Follows names through time. Lives as long as one question: what it asked of the store it remembers. */
export class Lineage {
  readonly #store: Store
  readonly #exists: (path: string) => boolean
  readonly #departures = new Map<string, readonly RenameStep[]>()
  readonly #now = new Map<string, string>()

  /** `exists`: whether the working tree has a file of this name. */
  constructor(store: Store, exists: (path: string) => boolean) {
    this.#store = store
    this.#exists = exists
  }

  /** The name that a file has now which was called `path` on `day` (since 1970). */
  nameNow(path: string, day: number): string {
    const key = `${day} ${path}`
    let name = this.#now.get(key)
    if (name === undefined) {
      const step = this.#departure(path, day)
      name = step === null ? path : this.#follow(step)
      this.#now.set(key, name)
    }
    return name
  }

  /**
   * Names under which the anchored file may stand now, the likeliest first: the one that time says, then wherever a
   * file that ever bore the name went. Without `path` itself.
   */
  heirs(path: string, day: number): string[] {
    const heirs = new Set([this.nameNow(path, day)])
    const queue = [path]
    const seen = new Set(queue)
    for (let next = queue.shift(); next !== undefined && heirs.size < MOST; next = queue.shift()) {
      for (const { name } of this.#departuresOf(next)) {
        heirs.add(name)
        if (!seen.has(name)) queue.push(name)
        seen.add(name)
      }
    }
    heirs.delete(path)
    return [...heirs]
  }

  /**
   * Which citations mean the file that `path` names today; where no such file is there, any file that ever bore the
   * name. `names`: under which names cards may cite it. `means`: whether a citation of a name on a day does.
   */
  citing(path: string): { readonly names: readonly string[]; readonly means: (name: string, day: number) => boolean } {
    const targets = new Set([path])
    if (!this.#exists(path)) for (const step of this.#departuresOf(path)) targets.add(this.#follow(step))
    const names = new Set(targets)
    const queue = [...targets]
    for (let next = queue.shift(); next !== undefined && names.size < MOST; next = queue.shift()) {
      for (const { name } of arrivalsOf(this.#store, next)) {
        if (!names.has(name)) queue.push(name)
        names.add(name)
      }
    }
    return { names: [...names], means: (name, day) => targets.has(this.nameNow(name, day)) }
  }

  #departuresOf(path: string): readonly RenameStep[] {
    let steps = this.#departures.get(path)
    if (steps === undefined) {
      steps = departuresOf(this.#store, path)
      this.#departures.set(path, steps)
    }
    return steps
  }

  /** The rename by which the file that bore `path` on `day` lost that name; null: it bears it still. */
  #departure(path: string, day: number): RenameStep | null {
    const steps = this.#departuresOf(path)
    const next = steps.find(({ at }) => at >= day * DAY)
    if (next !== undefined) return next
    const last = steps.at(-1)
    // Written down after the file had gone: the old name was meant, unless another file had come under it since.
    if (last === undefined || this.#exists(path)) return null
    const came = arrivalsOf(this.#store, path).some(({ at }) => at >= last.at && at < (day + 1) * DAY)
    return came ? null : last
  }

  /** The last name of a file from this rename on. */
  #follow(step: RenameStep): string {
    let { at, name } = step
    // Two renames within one second may lead in a circle.
    const seen = new Set([name])
    for (;;) {
      const next = this.#departuresOf(name).find(
        (candidate) => candidate.at > at || (candidate.at === at && !seen.has(candidate.name)),
      )
      if (next === undefined) return name
      if (next.at === at) seen.add(next.name)
      ;({ at, name } = next)
    }
  }
}

/** Names followed for one path; history has no path with more than a handful. */
const MOST = 1000
