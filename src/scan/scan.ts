// One scan: which files the asked families hold and what vouches for each. The only entry the rest of the program
// uses; whether git or a walk answered shows only in the witnesses. The git processes run while this one walks.

import type { World } from '../model/clock.ts'
import type { Config } from '../model/config.ts'
import type { Family } from '../model/families.ts'
import { dirOfKey } from '../model/source-key.ts'
import { selectDocuments } from './documents.ts'
import type { Selects } from './git-index.ts'
import { attributeFilesAbove } from './git-settings.ts'
import { type Differences, type GitView, type Seen, viewGit } from './git-view.ts'
import { type LinkState, linkState, listByGit, lookAgain, type NamedFiles, namedFiles } from './list-by-git.ts'
import type { ListedDir, ListedFile, Listing, PartListing } from './listing.ts'
import { findRepository, type Repository } from './repository.ts'
import { mayHaveBeenWanted, pathspecs, type Selection, wants } from './selection.ts'
import { CORPORA, listSpec, lookAtSpecs, namesDigest, type SpecTree, statsDigest, walkSpecTree } from './spec-tree.ts'
import { MOST_OTHERS, parseStamp, type Stamp, stampText } from './stamp.ts'

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
  /** Which names the families want that are neither spec corpora nor documents. */
  readonly selections: ReadonlyMap<Family, Selection>
  /** Folders of modules that are repositories of their own: for the root's git they are not there. */
  readonly nested: readonly string[]
}

/**
 * Scans `root` (absolute) for some families. Never throws for what lies there: what cannot be opened is empty, odd
 * names are listed with a state. Source: ARCHITECTURE §4 "Freshness"; sheet spec-graph §1.
 */
export async function scan(root: string, options: ScanOptions): Promise<Scan> {
  const { families, now } = options
  const selections = await selectionsOf(root, options)
  const repository = findRepository(root)
  const work: Work = { root, now, selections, tree: null, stats: undefined, attributeFiles: [] }
  // What needs no git need not wait for it.
  if (repository !== null && families.length === 1) {
    const same = unchangedSpecs(work, options)
    if (same !== null) return { listings: [same], mode: 'git' }
  }
  const asked = repository === null ? null : askGit(work, repository, options)
  if (families.includes('spec')) {
    work.tree ??= walkSpecTree(root)
    work.attributeFiles.push(...work.tree.attributeFiles)
  }
  const seen = await asked
  if (seen !== null && 'short' in seen) return { listings: seen.short, mode: 'git' }
  const view = seen?.view ?? null
  const prefix = repository?.prefix ?? ''
  const listings: Listing[] = []
  if (work.tree !== null) {
    const { dirs, others } = listSpec(root, work.tree, view, now)
    const named = others === null ? null : { tracked: new Set(others), untracked: NO_KEYS }
    const stats = view === null ? '' : statsOf(work, work.tree)
    listings.push({ family: 'spec', dirs, stamp: stampOf(view, prefix, namesDigest(work.tree), [], named, stats) })
  }
  for (const [family, selection] of selections) {
    if (view === null) {
      const { listByWalk } = await import('./list-by-walk.ts')
      const dirs = await listByWalk(root, repository, selection, now)
      listings.push({ family, dirs: await withNested(root, selection, dirs, options), stamp: null })
    } else {
      const { dirs, named, links } = listByGit(root, view, selection, now)
      const all = family === 'docs' ? dirs : await withNested(root, selection, dirs, options)
      const stamp = all === dirs ? stampOf(view, prefix, rootsText(selection), links, named, '') : null
      listings.push({ family, dirs: all, stamp })
    }
  }
  return { listings, mode: view === null ? 'walk' : 'git' }
}

/** What the asked families want, in their order; the spec corpora are not among them. */
async function selectionsOf(
  root: string,
  { families, config, selections }: ScanOptions,
): Promise<ReadonlyMap<Family, Selection>> {
  const found = new Map<Family, Selection>()
  for (const family of families) {
    if (family === 'spec') continue
    const selection = family === 'docs' ? await selectDocuments(root, config) : selections.get(family)
    if (selection === undefined) throw new Error(`no selection for the family ${family}`)
    found.set(family, selection)
  }
  return found
}

/** The folders found, and those of modules that are repositories of their own; the same map where there are none. */
async function withNested(
  root: string,
  selection: Selection,
  dirs: ReadonlyMap<string, ListedDir>,
  { nested, now }: ScanOptions,
): Promise<ReadonlyMap<string, ListedDir>> {
  if (nested.length === 0) return dirs
  const { listByWalk } = await import('./list-by-walk.ts')
  const all = new Map(dirs)
  for (const folder of nested) {
    for (const [dir, listed] of await listByWalk(root, null, selection, now, folder)) all.set(dir, listed)
  }
  return all
}

/** What is found while git is at work. */
interface Work {
  readonly root: string
  readonly now: number
  readonly selections: ReadonlyMap<Family, Selection>
  tree: SpecTree | null
  /** statsDigest of the tree once it was asked for. */
  stats: string | null | undefined
  readonly attributeFiles: string[]
}

/** The spec family where it has a stamp and all of its files have the sizes and times of then; else null. */
function unchangedSpecs(work: Work, { stamps }: ScanOptions): PartListing | null {
  const basis = stamps.get('spec')
  const stats = parseStamp(basis)?.stats ?? ''
  if (basis === undefined || stats === '') return null
  work.tree = walkSpecTree(work.root)
  if (statsOf(work, work.tree) !== stats) return null
  return { family: 'spec', dirs: null, files: new Map(), basis, stamp: basis }
}

/** Empty where sizes and times do not vouch. */
function statsOf(work: Work, tree: SpecTree): string {
  // Null is an answer too, and asking again would look at every file again.
  if (work.stats === undefined) work.stats = statsDigest(work.root, tree, work.now)
  return work.stats ?? ''
}

/** Entries of git's index from which reading it takes long enough for a stamp to be worth keeping. */
export const STAMPS_FROM = 1_000

function stampOf(
  view: GitView | null,
  prefix: string,
  names: string,
  links: readonly LinkState[],
  named: NamedFiles | null,
  stats: string,
): string | null {
  if (view !== null && view.checksum !== null && view.tracked.total >= STAMPS_FROM && named !== null && isFew(named)) {
    return stampText({ checksum: view.checksum, prefix, names, links, ...sorted(named), stats })
  }
  return stats === '' ? null : stampText({ checksum: '', prefix, names, links: [], others: [], untracked: [], stats })
}

/** Where a family may lie: globs among the roots are expanded on disk, and git is not asked about a root that is gone. */
function rootsText({ roots }: Selection): string {
  return roots.join('\n')
}

const NO_KEYS: ReadonlySet<string> = new Set()

function isFew({ tracked, untracked }: NamedFiles): boolean {
  return tracked.size + untracked.size <= MOST_OTHERS
}

function sorted({ tracked, untracked }: NamedFiles): Pick<Stamp, 'others' | 'untracked'> {
  return { others: [...tracked].sort(), untracked: [...untracked].sort() }
}

function askGit(
  work: Work,
  repository: Repository,
  { families, env, stamps, nested }: ScanOptions,
): Promise<Seen<PartListing[]> | null> {
  const { root, attributeFiles } = work
  const selections = [...work.selections.values()]
  attributeFiles.push(...attributeFilesAbove(repository, ''))
  for (const { roots } of selections) {
    for (const base of roots) if (base !== '') attributeFiles.push(...attributeFilesAbove(repository, base))
  }
  const wanted = [...new Set(selections.flatMap(pathspecs))]
  const specs = families.includes('spec') ? CORPORA.map(({ folder, ending }) => `${folder}/*${ending}`) : []
  const known = families.map((family) => parseStamp(stamps.get(family)))
  const [first] = known
  // Repositories inside this one are no business of its git: they are looked at each time.
  const agree =
    nested.length === 0 &&
    known.every((stamp) => stamp?.checksum === first?.checksum && stamp?.prefix === repository.prefix)
  const question = {
    selects: selectsFor(selections),
    // Nothing to look for is not the same as everything.
    compare: wanted.length + specs.length === 0 ? [NOWHERE] : [...specs, ...wanted],
    untracked: selections.length === 0 ? null : wanted.length === 0 ? [NOWHERE] : wanted,
    concerns: (raw: string) => selections.some((selection) => wants(selection, raw)),
    concernsTracked: (raw: string) =>
      (specs.length > 0 &&
        CORPORA.some(({ folder, ending }) => raw.startsWith(`${folder}/`) && raw.endsWith(ending))) ||
      selections.some((selection) => mayHaveBeenWanted(selection, raw)),
    endings: [...new Set(['.md', '.sh', ...selections.flatMap(({ endings }) => endings)])],
    attributeFiles,
    seen: agree ? (first?.checksum ?? null) : null,
    short: (differences: Differences) => {
      const parts = families.map((family, i) => partOf(work, family, known[i] ?? null, stamps.get(family), differences))
      return parts.every((part) => part !== null) ? parts : null
    },
  }
  return viewGit(root, repository, question, env)
}

/** The files of a family that can differ from what its stamp stands for; null where that cannot be said. */
function partOf(
  work: Work,
  family: Family,
  stamp: Stamp | null,
  basis: string | undefined,
  differences: Differences,
): PartListing | null {
  if (stamp === null || basis === undefined || stamp.checksum === '') return null
  if (differences.differing.length + differences.untracked.length > MOST_NAMED) return null
  const selection = work.selections.get(family)
  const found =
    selection === undefined ? specsOf(work, stamp, differences) : filesOf(work, stamp, differences, selection)
  if (found === null || !isFew(found.named)) return null
  const { files, named, stats } = found
  return { family, dirs: null, files, basis, stamp: stampText({ ...stamp, ...sorted(named), stats }) }
}

/** What was looked at, and what the next stamp names. */
interface Looked {
  readonly files: ReadonlyMap<string, ListedFile | null>
  readonly named: NamedFiles
  readonly stats: string
}

function specsOf(work: Work, stamp: Stamp, { differing }: Differences): Looked | null {
  const { root, tree } = work
  if (tree === null || stamp.names !== namesDigest(tree)) return null
  const files = lookAtSpecs(root, tree, differing, stamp.others)
  return { files, named: { tracked: new Set(files.keys()), untracked: NO_KEYS }, stats: statsOf(work, tree) }
}

function filesOf({ root }: Work, stamp: Stamp, differences: Differences, selection: Selection): Looked | null {
  if (stamp.names !== rootsText(selection)) return null
  if (stamp.links.some(([key, state]) => linkState(root, key) !== state)) return null
  const now = namedFiles(differences, selection)
  if (now === null) return null
  const isWanted = (key: string): boolean => selection.folder(dirOfKey(key)) && (selection.file?.(key) ?? true)
  const tracked = [...stamp.others, ...now.tracked]
  const named = {
    tracked: new Set(tracked.filter(isWanted)),
    untracked: new Set([...now.untracked].filter(isWanted)),
  }
  if (!isFew(named)) return null
  const files = lookAgain(root, [...named.tracked, ...named.untracked], selection)
  // Not wanted any more, or untracked then and not named now: ignored, part of another repository, or gone.
  for (const key of [...tracked, ...stamp.untracked]) if (!files.has(key)) files.set(key, null)
  return { files, named, stats: '' }
}

/** With more names than this the long way costs less. */
const MOST_NAMED = 2 * MOST_OTHERS

/** A pathspec that matches no file. */
const NOWHERE = '.git'

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

const selectsAll: Selects = () => true

/** The narrowest test that lets everything through that is of interest. */
function selectsFor(selections: readonly Selection[]): Selects {
  if (selections.length === 0) return selectsSpec
  const onlyMarkdown = selections.every(({ endings, others }) => !others && endings.every((ending) => ending === '.md'))
  return onlyMarkdown ? selectsEnding : selectsAll
}
