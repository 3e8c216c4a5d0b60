// Where artifacts and source files lie just now: the modules of the root and what each keeps where, found by a few looks
// before every answer from the artifact graph. What is found decides which files the two families list, and is part
// of their fingerprints. Nothing here is remembered: what moved is seen by the next command.

import { claims, claimsFolder, entersFolder } from '../extract/conventions/claims.ts'
import { detectConventions } from '../extract/conventions/detect.ts'
import type { NamedFolders } from '../extract/conventions/peek.ts'
import { ADR_FOLDERS, SDD_FOLDERS } from '../extract/conventions/table.ts'
import { declaredFolders, gitModules, workspaceModules } from '../extract/modules.ts'
import type { Config } from '../model/config.ts'
import type { Family } from '../model/families.ts'
import {
  type ClosedFolder,
  type ConventionUse,
  type Layout,
  type ModuleLayout,
  moduleOf,
  withinModule,
} from '../model/layout.ts'
import { displayPath } from '../model/source-key.ts'
import { isSourceName, SOURCE_ENDINGS, skipsFolder } from '../model/source-languages.ts'
import { peekAt } from '../scan/peek.ts'
import { gitDirOf } from '../scan/repository.ts'
import type { Selection } from '../scan/selection.ts'
import type { ArtifactFolders, Place } from './place.ts'

/** The modules and conventions below the root of `place`. Never throws for what lies there. Source: sheet artifact-graph §1, §11. */
export async function findLayout({ root, config, folders }: Place): Promise<Layout> {
  const top = peekAt(root, '')
  const about = top.read('CLAUDE.md') ?? ''
  const notes: string[] = []
  const leaveOut = (name: string, why: string): void => void notes.push(`module ${name} is left out: ${why}`)
  const submodules = gitModules(top.read('.gitmodules') ?? '', leaveOut)
  const named = submodules.length > 0 ? submodules : workspaceModules(about, leaveOut)
  const modules: ModuleLayout[] = [
    await conventionsOf(root, null, '', config, { ...declaredFolders(about), ...given(folders), flags: folders }),
  ]
  for (const { name, path } of named) {
    const same = modules.find((module) => module.name === name || module.path === path)
    if (same !== undefined) {
      leaveOut(name, same.name === name ? 'another one has that name' : `module ${same.name} lies in ${path}`)
      continue
    }
    const state = peekAt(root, path).state()
    if (state === 'there') modules.push(await conventionsOf(root, name, path, config, null))
    else {
      const isOutside = peekAt(root, '').leadsOut(path)
      const gone = isOutside ? `${path} leads out of the root` : `there is no folder ${path}`
      notes.push(`module ${name}: ${state === 'gone' ? gone : `the folder ${path} is empty`}`)
      modules.push({ name, path, present: false, conventions: [] })
    }
  }
  const closed = modules.flatMap((module) => closedFolders(root, module))
  return { modules, notes, closed }
}

const NOT_FOLLOWED = 'a symbolic link to a folder is not followed; the artifacts in it are not in the graph'
const LEADS_OUT = 'a symbolic link out of the root is not followed; the artifacts in it are not in the graph'
/** Where artifacts would have been found, had no link led there. `specs` alone says nothing. */
const USUAL: readonly string[] = [...ADR_FOLDERS, SDD_FOLDERS.spec, 'openspec', '.kiro/specs']

/** Folders of artifacts behind a link: listing files follows none, and detection sees nothing out of the root. */
function closedFolders(root: string, { path, conventions, present }: ModuleLayout): ClosedFolder[] {
  const peek = peekAt(root, path)
  const found = new Map<string, string>()
  const add = (folder: string, why: string): void => void found.set(joined(path, folder), why)
  for (const { kind, folder, custom } of conventions) {
    if (custom !== undefined || folder === '') continue
    if (peek.leadsOut(folder)) add(folder, LEADS_OUT)
    if (!peek.exists(folder)) continue
    if (peek.isLinked(folder)) add(folder, NOT_FOLLOWED)
    // An ADR is a file in its folder, the others have folders of their own.
    else if (kind !== 'adr') {
      for (const name of peek.linkedFolders(folder)) {
        const inner = `${folder}/${name}`
        add(inner, peek.leadsOut(inner) ? LEADS_OUT : NOT_FOLLOWED)
      }
    }
  }
  // Where the module's own folder leads out it is not there at all, and its note says so.
  if (present) for (const folder of USUAL) if (peek.leadsOut(folder)) add(folder, LEADS_OUT)
  return [...found].map(([folder, why]) => ({ path: folder, why }))
}

/** Folders named on the command line win over those that CLAUDE.md names. */
function given(folders: ArtifactFolders): Partial<ArtifactFolders> {
  return Object.fromEntries(Object.entries(folders).filter(([, folder]) => folder !== null))
}

async function conventionsOf(
  root: string,
  name: string | null,
  path: string,
  config: Config,
  folders: NamedFolders | null,
): Promise<ModuleLayout> {
  const peek = peekAt(root, path)
  const named = folders ?? declaredFolders(peek.read('CLAUDE.md') ?? '')
  const yaml = peek.read('.log4brains.yml')
  const log4brains = yaml === null ? [] : (await import('../extract/conventions/log4brains.ts')).log4brainsFolders(yaml)
  return { name, path, present: true, conventions: detectConventions(peek, config.graph, { ...named, log4brains }) }
}

/** Folders of modules that are repositories of their own, which the root's git does not look into. */
export function nestedIn(root: string, { modules }: Layout): string[] {
  return modules
    .filter(({ path, present }) => path !== '' && present && gitDirOf(`${root}/${path}`) !== null)
    .map(({ path }) => path)
}

/** Which names the two families want. */
export function selectionsOf(layout: Layout, config: Config): ReadonlyMap<Family, Selection> {
  return new Map<Family, Selection>([
    ['artifact', artifacts(layout)],
    ['code', sources(layout, config)],
  ])
}

function artifacts(layout: Layout): Selection {
  const custom = layout.modules.flatMap(({ conventions }) => conventions.flatMap((use) => use.custom?.files ?? []))
  const anyUse = (
    path: string,
    test: (use: ModuleLayout['conventions'][number], within: string) => boolean,
  ): boolean => {
    const module = moduleOf(layout, path)
    return module?.conventions.some((use) => test(use, withinModule(module, path))) ?? false
  }
  return {
    roots: [
      ...new Set(
        layout.modules.flatMap(({ path, conventions }) => conventions.map(({ folder }) => joined(path, folder))),
      ),
    ],
    endings: [...new Set(['.md', '.markdown', ...custom.flatMap((glob) => endingOf(glob) ?? [])])],
    others: custom.some((glob) => endingOf(glob) === null),
    // What has a name that is no UTF-8 can be no node; it is listed so that somebody says so.
    enters: (dir) => dir === '' || leadsToModule(layout, dir) || anyUse(displayPath(dir), entersFolder),
    folder: (dir) => anyUse(dir, claimsFolder),
    file: (key) => anyUse(displayPath(key), claims),
    tellsLinks: true,
  }
}

/** The folder that belongs to a convention as a whole; empty where it shares the module with everything else. */
function homeOf({ name, folder }: ConventionUse): string {
  return name === 'openspec' ? folder.slice(0, Math.max(0, folder.lastIndexOf('/'))) : folder
}

function isBelow(folder: string, path: string): boolean {
  return folder !== '' && (path === folder || path.startsWith(`${folder}/`))
}

/** True for the folder of a module and for those on the way to it. */
function leadsToModule({ modules }: Layout, dir: string): boolean {
  return modules.some(({ path }) => path === dir || path.startsWith(`${dir}/`))
}

/** The ending that a glob asks for, in small letters; null where it takes several or none. */
function endingOf(glob: string): string | null {
  return /\.[A-Za-z0-9]+$/.exec(glob)?.[0].toLowerCase() ?? null
}

function joined(path: string, folder: string): string {
  return path === '' || folder === '' ? path + folder : `${path}/${folder}`
}

function sources(layout: Layout, { graph }: Config): Selection {
  // What is a top-level folder is asked of the module. Where artifacts live, nothing is source code.
  const skipped = (dir: string): boolean => {
    const module = moduleOf(layout, dir)
    if (dir === '' || module === null) return false
    const within = withinModule(module, dir)
    return skipsFolder(within) || module.conventions.some((use) => isBelow(homeOf(use), within))
  }
  return {
    roots: [''],
    endings: [...SOURCE_ENDINGS, ...graph.sources.filter((entry) => entry.startsWith('.'))],
    others: true,
    enters: (dir) => dir === '' || leadsToModule(layout, dir) || !skipped(dir),
    folder: (dir) => !skipped(dir),
    file: (key) => isSourceName(key.slice(key.lastIndexOf('/') + 1), graph.sources),
  }
}
