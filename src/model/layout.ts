// Where artifacts and source files of a repository lie: its modules, and the conventions that hold in each. Found by
// indexing/layout.ts before every answer from the artifact graph, and part of both families' fingerprints, so that a
// changed CLAUDE.md, .gitmodules or .adr-dir re-extracts what it moves. Everything here is plain data.

export type ConventionName =
  | 'sdd'
  | 'adr-numbered'
  | 'log4brains'
  | 'openspec'
  | 'spec-kit'
  | 'kiro'
  | 'backstage'
  | 'custom'

/** One convention at work in one folder of a module. */
export interface ConventionUse {
  readonly name: ConventionName
  readonly kind: 'adr' | 'spec' | 'change'
  /** Folder relative to the module, `/`-separated, without a final slash; empty for the module itself. */
  readonly folder: string
  /** Why it was chosen, for `specdex graph conventions`: "docs/adr holds 12 numbered files". */
  readonly why: string
  /** Only `custom`: the keys of the configured convention. */
  readonly custom?: CustomConvention
}

/** One entry of `graph.custom` in the configuration. */
export interface CustomConvention {
  readonly kind: 'adr' | 'spec'
  /** Globs of its files, relative to the module. */
  readonly files: readonly string[]
  /**
   * A template for ids in which `{number}`, `{slug}` and `{folder}` stand for parts of the path, or `{heading}` for an
   * id that the first heading starts with.
   */
  readonly id: string
  /** Where the status stands: a front matter key, or the name of a section or a bullet. */
  readonly status: string
  /** Front matter fields and words of link lines, and the edge that each means: `depends_on: requires`. */
  readonly edges: Readonly<Record<string, string>>
}

export interface ModuleLayout {
  /** Null for the root. */
  readonly name: string | null
  /** Folder relative to the root, empty for the root. */
  readonly path: string
  /** The module's folder is there and holds something. A missing checkout is harmless. */
  readonly present: boolean
  readonly conventions: readonly ConventionUse[]
}

export interface Layout {
  /** The root comes first. */
  readonly modules: readonly ModuleLayout[]
  /** What else was noticed, e.g. a table row that names no folder. */
  readonly notes: readonly string[]
  /** Folders of artifacts that are not looked into, and why. */
  readonly closed?: readonly ClosedFolder[]
}

export interface ClosedFolder {
  /** Relative to the root. */
  readonly path: string
  readonly why: string
}

/** True where only the seed's own convention is at work in a module: ids are exact and unknown ones are errors. */
export function isStrict(module: ModuleLayout): boolean {
  return module.conventions.every((use) => use.name === 'sdd')
}

/** The module that a path relative to the root lies in: the one with the longest folder on the way to it. */
export function moduleOf({ modules }: Layout, path: string): ModuleLayout | null {
  let found: ModuleLayout | null = null
  for (const module of modules) {
    const within = module.path === '' || path === module.path || path.startsWith(`${module.path}/`)
    if (within && (found === null || module.path.length > found.path.length)) found = module
  }
  return found
}

/** The part of a path of a module behind the module's own folder. */
export function withinModule(module: ModuleLayout, path: string): string {
  return module.path === '' ? path : path.slice(module.path.length + 1)
}
