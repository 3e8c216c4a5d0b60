// One scan: which files the asked families hold and what vouches for each. The only entry the rest of the program
// uses; whether git or a walk answered shows only in the witnesses. The git processes run while this one walks.

import type { World } from '../model/clock.ts'
import type { Config } from '../model/config.ts'
import type { Family } from '../model/families.ts'
import { DOCUMENT_ENDING, type DocumentTest, documentTest } from './document-test.ts'
import { findRepository, type Repository } from './git.ts'
import type { Selects } from './git-index.ts'
import { attributeFilesAbove, type GitView, viewGit } from './git-view.ts'
import type { Listing } from './listing.ts'
import { CORPORA, listSpec, walkSpecTree } from './spec-tree.ts'

/** How the scan could prove content: by git's blob ids, or by size and times only. */
export type ScanMode = 'git' | 'walk'

export interface Scan {
  readonly listings: readonly Listing[]
  readonly mode: ScanMode
}

/**
 * Scans `root` (absolute) for some families. `now` is the time before the scan, in milliseconds: what changed later
 * than a moment before it cannot be vouched for by its time stamps. Never throws for what lies there: what cannot be
 * opened is empty, odd names are listed with a state. Source: ARCHITECTURE §4 "Freshness"; sheet spec-graph §1.
 */
export async function scan(
  root: string,
  families: readonly Family[],
  config: Config,
  env: World['env'],
  now: number,
): Promise<Scan> {
  const test = families.includes('docs') ? await documentTest(root, config) : null
  const repository = findRepository(root)
  const attributeFiles: string[] = []
  const asked = repository === null ? null : askGit(root, repository, families, test, attributeFiles, env)
  const tree = families.includes('spec') ? walkSpecTree(root) : null
  attributeFiles.push(...(tree?.attributeFiles ?? []))
  const view = await asked
  const listings: Listing[] = []
  if (tree !== null) listings.push(listSpec(root, tree, view, now))
  if (test !== null) listings.push(await listDocuments(root, repository, view, test, now))
  return { listings, mode: view === null ? 'walk' : 'git' }
}

function askGit(
  root: string,
  repository: Repository,
  families: readonly Family[],
  test: DocumentTest | null,
  attributeFiles: string[],
  env: World['env'],
): Promise<GitView | null> {
  attributeFiles.push(...attributeFilesAbove(repository, ''))
  const documents = (test?.roots ?? []).map((base) => `${base === '' ? '' : `${literal(base)}/`}*${DOCUMENT_ENDING}`)
  for (const base of test?.roots ?? []) if (base !== '') attributeFiles.push(...attributeFilesAbove(repository, base))
  const specs = families.includes('spec') ? CORPORA.map(({ folder, ending }) => `${folder}/*${ending}`) : []
  const question = {
    selects: test === null ? selectsSpec : selectsEnding,
    // Nothing to look for is not the same as everything.
    compare: documents.length + specs.length === 0 ? [NOWHERE] : [...specs, ...documents],
    untracked: test === null ? null : documents.length === 0 ? [NOWHERE] : documents,
    endings: ['.md', '.sh'],
    attributeFiles,
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

async function listDocuments(
  root: string,
  repository: Repository | null,
  view: GitView | null,
  test: DocumentTest,
  now: number,
): Promise<Listing> {
  if (view !== null) return (await import('./docs-git.ts')).listDocsByGit(root, view, test, now)
  return (await import('./docs-walk.ts')).listDocsByWalk(root, repository, test, now)
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
