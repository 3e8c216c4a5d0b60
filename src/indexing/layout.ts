// Where artifacts and source files lie just now: the modules of the root and what each keeps where, found by a few looks
// before every answer from the artifact graph. What is found decides which files the two families list, and is part
// of their fingerprints. Nothing here is remembered: what moved is seen by the next command.

import { claims, claimsFolder, entersFolder } from '../extract/conventions/claims.ts'
import { detectConventions } from '../extract/conventions/detect.ts'
import { declaredFolders, gitModules, workspaceModules } from '../extract/modules.ts'
import type { Config } from '../model/config.ts'
import type { Family } from '../model/families.ts'
import { type ConventionUse, type Layout, type ModuleLayout, moduleOf, withinModule } from '../model/layout.ts'
import { isSourceName, SOURCE_ENDINGS, skipsFolder } from '../model/source-languages.ts'
import { peekAt } from '../scan/peek.ts'
import { gitDirOf } from '../scan/repository.ts'
import type { Selection } from '../scan/selection.ts'
import type { ArtifactFolders, Place } from './place.ts'

/** The modules and conventions below the root of `place`. Never throws for what lies there. Source: sheet artifact-graph §1, §11. */
export async function findLayout({ root, config, folders }: Place): Promise<Layout> {
  const top = peekAt(root, '')
  const about = top.read('CLAUDE.md') ?? ''
  const submodules = gitModules(top.read('.gitmodules') ?? '')
  const named = submodules.length > 0 ? submodules : workspaceModules(about)
  const notes: string[] = []
  const modules: ModuleLayout[] = [
    await conventionsOf(root, null, '', config, { ...declaredFolders(about), ...given(folders) }),
  ]
  for (const { name, path } of named) {
    if (modules.some((module) => module.name === name || module.path === path)) continue
    if (peekAt(root, path).exists('')) modules.push(await conventionsOf(root, name, path, config, null))
    else {
      notes.push(`module ${name}: there is no folder ${path}`)
      modules.push({ name, path, present: false, conventions: [] })
    }
  }
  return { modules, notes }
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
  folders: ArtifactFolders | null,
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
    endings: [...new Set(['.md', ...custom.flatMap((glob) => endingOf(glob) ?? [])])],
    others: custom.some((glob) => endingOf(glob) === null),
    enters: (dir) => dir === '' || leadsToModule(layout, dir) || anyUse(dir, entersFolder),
    folder: (dir) => anyUse(dir, claimsFolder),
    file: (key) => anyUse(key, claims),
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
