// What finding conventions asks of the world: a few looks at a module's folders, and the folders that a person named.
// Shapes alone; the looks on disk are taken in the scan room.

/** Looks at one module; paths are relative to it. What is not there, or leads out, is empty. */
export interface Peek {
  readonly exists: (path: string) => boolean
  readonly list: (dir: string) => readonly { readonly name: string; readonly folder: boolean }[]
  readonly read: (path: string) => string | null
}

/** Folders that flags or CLAUDE.md name for ADRs and specs, null where they do not; and those of `.log4brains.yml`. */
export interface NamedFolders {
  readonly adr: string | null
  readonly spec: string | null
  /** Those of flags alone: they are for this run, and win over what the configuration pins. */
  readonly flags?: { readonly adr: string | null; readonly spec: string | null }
  readonly log4brains?: readonly string[]
}
