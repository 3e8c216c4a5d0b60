// One scan: which files the asked families hold and what vouches for each. The only entry the rest of the program
// uses; whether git or a walk answered shows only in the witnesses. The git processes run while this one walks.

import type { World } from '../model/clock.ts'
import type { Config } from '../model/config.ts'
import type { Family } from '../model/families.ts'
import { type LinkState, linkState, listDocsByGit } from './docs-git.ts'
import { DOCUMENT_ENDING, type DocumentTest, documentTest } from './document-test.ts'
import type { Selects } from './git-index.ts'
import { attributeFilesAbove } from './git-settings.ts'
import { type GitView, SAME, viewGit } from './git-view.ts'
import type { Listing } from './listing.ts'
import { findRepository, type Repository } from './repository.ts'
import { CORPORA, listSpec, namesDigest, type SpecTree, walkSpecTree } from './spec-tree.ts'
import { parseStamp, stampText } from './stamp.ts'

/** How the scan could prove content: by git's blob ids, or by size and times only. */
export type ScanMode = 'git' | 'walk'

export interface Scan {
  readonly listings: readonly Listing[]
  readonly mode: ScanMode
}

export interface ScanOptions {
  readonly families: readonly Family[]
  readonly config: Config
  readonly env: World['env']
  /** The time before the scan, milliseconds: what changed later than a moment before cannot be proved by its times. */
  readonly now: number
  /** Stamps of earlier listings, by family. Given for all families, they may save reading git's index. */
  readonly stamps: ReadonlyMap<Family, string>
}

/**
 * Scans `root` (absolute) for some families. Never throws for what lies there: what cannot be opened is empty, odd
 * names are listed with a state. Source: ARCHITECTURE §4 "Freshness"; sheet spec-graph §1.
 */
export async function scan(root: string, options: ScanOptions): Promise<Scan> {
  const { families, config, now } = options
  const test = families.includes('docs') ? await documentTest(root, config) : null
  const repository = findRepository(root)
  const work: Work = { root, test, tree: null, attributeFiles: [] }
  const asked = repository === null ? null : askGit(work, repository, options)
  if (families.includes('spec')) {
    work.tree = walkSpecTree(root)
    work.attributeFiles.push(...work.tree.attributeFiles)
  }
  const view = await asked
  if (view === SAME) {
    const listings = families.map((family) => ({ family, dirs: null, stamp: options.stamps.get(family) ?? null }))
    return { listings, mode: 'git' }
  }
  const prefix = repository?.prefix ?? ''
  const listings: Listing[] = []
  if (work.tree !== null) {
    const { dirs, pure } = listSpec(root, work.tree, view, now)
    listings.push({ family: 'spec', dirs, stamp: pure ? stampOf(view, prefix, namesDigest(work.tree), []) : null })
  }
  if (test !== null && view !== null) {
    const { dirs, pure, links } = listDocsByGit(root, view, test, now)
    listings.push({ family: 'docs', dirs, stamp: pure ? stampOf(view, prefix, '', links) : null })
  } else if (test !== null) {
    const dirs = await (await import('./docs-walk.ts')).listDocsByWalk(root, repository, test, now)
    listings.push({ family: 'docs', dirs, stamp: null })
  }
  return { listings, mode: view === null ? 'walk' : 'git' }
}

/** What is found while git is at work. */
interface Work {
  readonly root: string
  readonly test: DocumentTest | null
  tree: SpecTree | null
  readonly attributeFiles: string[]
}

/** Entries of git's index from which reading it takes long enough for a stamp to be worth keeping. */
export const STAMPS_FROM = 1_000

function stampOf(view: GitView | null, prefix: string, names: string, links: readonly LinkState[]): string | null {
  if (view === null || view.checksum === null || view.tracked.total < STAMPS_FROM) return null
  return stampText({ checksum: view.checksum, prefix, names, links })
}

function askGit(
  work: Work,
  repository: Repository,
  { families, env, stamps }: ScanOptions,
): Promise<GitView | typeof SAME | null> {
  const { root, test, attributeFiles } = work
  attributeFiles.push(...attributeFilesAbove(repository, ''))
  const documents = (test?.roots ?? []).map((base) => `${base === '' ? '' : `${literal(base)}/`}*${DOCUMENT_ENDING}`)
  for (const base of test?.roots ?? []) if (base !== '') attributeFiles.push(...attributeFilesAbove(repository, base))
  const specs = families.includes('spec') ? CORPORA.map(({ folder, ending }) => `${folder}/*${ending}`) : []
  const known = families.map((family) => parseStamp(stamps.get(family)))
  const [first] = known
  const agree = known.every((stamp) => stamp?.checksum === first?.checksum && stamp?.prefix === repository.prefix)
  const question = {
    selects: test === null ? selectsSpec : selectsEnding,
    // Nothing to look for is not the same as everything.
    compare: documents.length + specs.length === 0 ? [NOWHERE] : [...specs, ...documents],
    untracked: test === null ? null : documents.length === 0 ? [NOWHERE] : documents,
    endings: ['.md', '.sh'],
    attributeFiles,
    seen: agree ? (first?.checksum ?? null) : null,
    isSame: () =>
      families.every((family, i) => {
        const stamp = known[i]
        if (family === 'spec') return work.tree !== null && stamp?.names === namesDigest(work.tree)
        return stamp?.links.every(([key, state]) => linkState(root, key) === state) === true
      }),
  }
  return viewGit(root, repository, question, env)
}

/** A pathspec that matches no file. */
const NOWHERE = '.git'

/** A folder name as a pathspec: its own special characters taken literally. */
function literal(folder: string): string {
  const escaped = folder.replace(/[*?[\]\\]/g, '\\$&')
  return escaped.startsWith(':') ? `./${escaped}` : escaped
}

const DOT = 0x2e
const [M, D, S, H] = ['m', 'd', 's', 'h'].map((letter) => letter.charCodeAt(0))

/** `.md` and `.sh` anywhere: judged on the last three bytes, before any string is made. */
const selectsEnding: Selects = (bytes, start, stop) => {
  if (stop - start < 3 || bytes[stop - 3] !== DOT) return false
  const last = bytes[stop - 1]
  const middle = bytes[stop - 2]
  return (last === D && middle === M) || (last === H && middle === S)
}

const FIRST_LETTERS: ReadonlySet<number> = new Set(CORPORA.map(({ folder }) => folder.charCodeAt(0)))

const selectsSpec: Selects = (bytes, start, stop) =>
  FIRST_LETTERS.has(bytes[start] ?? 0) && selectsEnding(bytes, start, stop)
