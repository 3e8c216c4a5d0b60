// Git as the change detector: its index is read in process, and git itself is asked only for what it alone can know,
// which tracked files differ on disk and which untracked ones are not ignored. The git processes run beside our own
// reading. The surprise: all of it must be about one state of the index, so it is asked again when the index moved; and
// where the index is the one that was seen last time and little differs from it, it is not read at all.

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import type { World } from '../model/clock.ts'
import { keyOfBytes } from '../model/source-key.ts'
import { splitZ, startGit } from './git.ts'
import { mentionsConversion } from './git-attributes.ts'
import { type IndexSource, parseGitIndex, parseLsFiles, type Selects, type TrackedTable } from './git-index.ts'
import {
  configuredAttributeFiles,
  configuredToConvert,
  isWorkTree,
  readSettings,
  type Settings,
} from './git-settings.ts'
import type { Repository } from './repository.ts'

/** What git knows of the files below a root. Raw paths are relative to the root, one latin1 character per byte. */
export interface GitView {
  /** The checksum that git's index ends with, 40 hex digits; null where git was told to leave it out. */
  readonly checksum: string | null
  readonly tracked: TrackedTable
  /** False where no blob id vouches for the bytes on disk. */
  readonly vouches: boolean
  /** Raw paths of tracked files that differ on disk, or may. */
  readonly differing: ReadonlySet<string>
  /** Raw paths of untracked files that are not ignored; empty when they were not asked for. */
  readonly untracked: readonly string[]
  /** Keys of folders that git could not open. */
  readonly closedFolders: readonly string[]
}

/** What git says where its index is the one that was seen; raw paths. */
export interface Differences {
  /** Tracked files that differ on disk, or may. */
  readonly differing: readonly string[]
  /** Untracked files that are not ignored; empty when they were not asked for. */
  readonly untracked: readonly string[]
}

export interface GitQuestion<Short> {
  /** Only tracked files that this accepts are of interest. */
  readonly selects: Selects
  /** What of the tree to compare with the disk: pathspecs relative to the root, `*` matching slashes too. */
  readonly compare: readonly string[]
  /** Untracked files to look for, in the same form; null for none. */
  readonly untracked: readonly string[] | null
  /** Whether an untracked path (relative to the root, raw) is of interest: pathspecs take more than is wanted. */
  readonly concerns: (raw: string) => boolean
  /** The same of a tracked path, which may be wanted no more and still have been. */
  readonly concernsTracked: (raw: string) => boolean
  /** Lower-case endings of the files of interest, for judging attribute lines. */
  readonly endings: readonly string[]
  /** Attribute files that were seen on disk or hold for the root, absolute; filled while git is at work. */
  readonly attributeFiles: readonly string[]
  /**
   * The checksum of an index that the caller has seen. Where it is still the same, git vouches for all that it does not
   * name, and `short` makes an answer of what it names, that is the answer and the index is not read.
   */
  readonly seen: string | null
  readonly short: (differences: Differences) => Short | null
}

export type Seen<Short> = { readonly short: Short } | { readonly view: GitView }

/** Times that the index may move under us before its last state is taken without trusting any blob id. */
const ATTEMPTS = 3

/**
 * Asks what git knows below `root`. Null where git cannot answer for it (not installed, unsafe owner, another work
 * tree, the root is ignored as a whole): the caller then walks and hashes. Never rejects.
 */
export async function viewGit<Short>(
  root: string,
  repository: Repository,
  question: GitQuestion<Short>,
  env: World['env'],
): Promise<Seen<Short> | null> {
  const settings = readSettings(root, repository, env)
  for (let attempt = 1; ; attempt++) {
    const before = indexStamp(repository)
    const answer = await askOnce(root, repository, question, settings, env)
    if (answer === null || indexStamp(repository) === before) return answer
    if (attempt >= ATTEMPTS && 'view' in answer) return { view: { ...answer.view, checksum: null, vouches: false } }
  }
}

/** Changes whenever git writes its index anew. */
function indexStamp({ gitDir }: Repository): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path.join(gitDir, 'index'))
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch {
    return ''
  }
}

async function askOnce<Short>(
  root: string,
  repository: Repository,
  question: GitQuestion<Short>,
  asked: Promise<Settings>,
  env: World['env'],
): Promise<Seen<Short> | null> {
  const { compare, untracked } = question
  const flags = ['--name-only', '-z', '--relative', '--no-ext-diff', '--ignore-submodules']
  const differing = startGit(root, ['diff-files', ...flags, '--', ...compare, `*${ATTRIBUTES}`], env)
  const others =
    untracked === null
      ? null
      : startGit(root, ['ls-files', '-o', '-z', '--exclude-standard', '--', ...untracked, `*${ATTRIBUTES}`], env)
  const checksum = readChecksum(repository)
  const hopeful = checksum !== null && checksum === question.seen
  const attributes: string[] = []
  // While git is at work, unless there is hope that it need not be read.
  let own = hopeful ? null : readIndex(repository, question.selects, attributes)
  const [diff, rest, settings] = await Promise.all([differing, others, asked])
  if (diff.status !== 0 || (rest !== null && rest.status !== 0)) return null
  if (!isWorkTree(repository, settings.get('core.worktree'))) return null

  const found = rest === null ? [] : splitZ(rest.stdout).filter((raw) => isAttributes(raw) || question.concerns(raw))
  const changed = splitZ(diff.stdout).filter((raw) => isAttributes(raw) || question.concernsTracked(raw))
  const outer = [
    ...configuredAttributeFiles(repository, settings.get('core.attributesfile'), env),
    ...question.attributeFiles,
  ]
  const trusts = (withSizes: boolean, files: readonly string[]): boolean =>
    // Where git complains (a folder that it may not enter) it leaves files out of its answer.
    diff.stderr === '' &&
    !configuredToConvert(settings, withSizes) &&
    !mentionsConversion(files, question.endings, withSizes ? 'blob-and-size' : 'blob')
  if (hopeful) {
    // Tracked attribute files are those of the index that was seen: git vouched then, and would say if they differed.
    const quiet = (rest === null || rest.stderr === '') && ![...changed, ...found].some(isAttributes)
    const short = quiet && trusts(true, outer) ? question.short({ differing: changed, untracked: found }) : null
    if (short !== null) return { short }
    own = readIndex(repository, question.selects, attributes)
  }

  // With SHA-256 ids the entries have another length: what we read is nonsense.
  if (settings.get('extensions.objectformat') === 'sha256') own = null
  const tracked = own ?? (await askIndex(root, question, attributes, env))
  if (tracked === null) return null
  if (rest !== null && found.length === 0 && tracked.from.length === 0 && (await isIgnored(root, repository, env))) {
    return null
  }
  const inner = [...attributes, ...found.filter(isAttributes)]
  const view: GitView = {
    // Without sizes the shortcut would have to be as strict as the long way.
    checksum: own === null ? null : checksum,
    tracked,
    vouches: trusts(own !== null, [...inner.map((name) => absolute(root, name)), ...outer]),
    differing: new Set(changed),
    untracked: found,
    closedFolders: rest === null ? [] : closedFolders(rest.stderr),
  }
  return { view }
}

function isAttributes(raw: string): boolean {
  return raw.endsWith(ATTRIBUTES)
}

/** Git's own checksum over everything in its index, times and sizes of the files included. */
function readChecksum({ gitDir }: Repository): string | null {
  const bytes = Buffer.alloc(CHECKSUM)
  try {
    const fd = openSync(path.join(gitDir, 'index'), 'r')
    try {
      const read = readSync(fd, bytes, 0, CHECKSUM, Math.max(0, fstatSync(fd).size - CHECKSUM))
      // All zeros: index.skipHash.
      return read === CHECKSUM && bytes.some((byte) => byte !== 0) ? bytes.toString('hex') : null
    } finally {
      closeSync(fd)
    }
  } catch {
    return null
  }
}

const CHECKSUM = 20

function absolute(root: string, raw: string): string {
  return path.join(root, Buffer.from(raw, 'latin1').toString('utf8'))
}

/** A root that its repository ignores as a whole was meant all the same by whoever named it. */
async function isIgnored(root: string, repository: Repository, env: World['env']): Promise<boolean> {
  return repository.prefix !== '' && (await startGit(root, ['check-ignore', '-q', '.'], env)).status === 0
}

const ATTRIBUTES = '.gitattributes'

/** The index as it is now; empty where nothing was ever added, null where only git understands it. */
function readIndex(repository: Repository, selects: Selects, attributes: string[]): TrackedTable | null {
  let fd: number
  try {
    fd = openSync(path.join(repository.gitDir, 'index'), 'r')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? EMPTY : null
  }
  try {
    const source: IndexSource = {
      size: fstatSync(fd).size,
      read: (into, offset, length, position) => readSync(fd, into, offset, length, position),
    }
    return parseGitIndex(source, repository.prefix, alsoAttributes(selects, attributes))
  } catch {
    return null
  } finally {
    closeSync(fd)
  }
}

const EMPTY: TrackedTable = {
  total: 0,
  names: Buffer.alloc(0),
  from: [],
  to: [],
  ids: Buffer.alloc(0),
  id: [],
  trust: [],
}

async function askIndex(
  root: string,
  question: Pick<GitQuestion<unknown>, 'compare' | 'selects'>,
  attributes: string[],
  env: World['env'],
): Promise<TrackedTable | null> {
  const patterns = [...question.compare, `*${ATTRIBUTES}`]
  const answer = await startGit(root, ['ls-files', '-s', '-v', '-z', '--', ...patterns], env)
  return answer.status === 0 ? parseLsFiles(answer.stdout, alsoAttributes(question.selects, attributes)) : null
}

const SLASH = 0x2f
const LAST_OF_ATTRIBUTES = ATTRIBUTES.charCodeAt(ATTRIBUTES.length - 1)

function alsoAttributes(selects: Selects, attributes: string[]): Selects {
  return (bytes, start, stop) => {
    const from = stop - ATTRIBUTES.length
    if (
      bytes[stop - 1] === LAST_OF_ATTRIBUTES &&
      (from === start || (from > start && bytes[from - 1] === SLASH)) &&
      bytes.toString('latin1', from, stop) === ATTRIBUTES
    ) {
      attributes.push(bytes.toString('latin1', start, stop))
    }
    return selects(bytes, start, stop)
  }
}

/** From git's warnings: folders whose untracked files it could not list. */
function closedFolders(stderr: string): string[] {
  const folders = [...stderr.matchAll(/^warning: could not open directory '(.*)\/': /gm)]
  return [...new Set(folders.map((match) => keyOfBytes(Buffer.from(match[1] ?? '', 'utf8').toString('latin1'))))]
}
