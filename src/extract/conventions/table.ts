// The conventions as data: where each is looked for, and what each is by default. The survey of public repositories
// decides folders and their order (conventions survey §1, §5); what its files are named is in claims.ts.
// Surprise: `docs/adrs` is in two rows, since most repositories that have it do not follow the seed in it.

import type { ConventionName, ConventionUse } from '../../model/layout.ts'

type Kind = ConventionUse['kind']

/** Folders of the strict convention where nobody names others (sheet artifact-graph §1). */
export const SDD_FOLDERS = { adr: 'docs/adrs', spec: 'docs/openspec/specs' } as const

/** Where numbered and dated decisions are looked for, the first that holds some. */
export const ADR_FOLDERS: readonly string[] = [
  'docs/adr',
  'docs/adrs',
  'doc/adr',
  'docs/decisions',
  'docs/architecture/decisions',
  'docs/architecture/adr',
  'doc/architecture/decisions',
  'docs/architecture-decisions',
  'adr',
]

/** Any of these makes `openspec/` a folder of OpenSpec. */
export const OPENSPEC_MARKS: readonly string[] = ['config.yaml', 'AGENTS.md', 'project.md', 'specs', 'changes']

/** What a convention takes when it is pinned without a folder. */
export const DEFAULT_USES: Readonly<
  Record<Exclude<ConventionName, 'custom'>, readonly { readonly kind: Kind; readonly folder: string }[]>
> = {
  sdd: [
    { kind: 'adr', folder: SDD_FOLDERS.adr },
    { kind: 'spec', folder: SDD_FOLDERS.spec },
  ],
  'adr-numbered': [{ kind: 'adr', folder: 'docs/adr' }],
  log4brains: [{ kind: 'adr', folder: 'docs/adr' }],
  openspec: [
    { kind: 'spec', folder: 'openspec/specs' },
    { kind: 'change', folder: 'openspec/changes' },
  ],
  'spec-kit': [{ kind: 'spec', folder: 'specs' }],
  kiro: [{ kind: 'spec', folder: '.kiro/specs' }],
  backstage: [{ kind: 'adr', folder: 'docs/architecture-decisions' }],
}
