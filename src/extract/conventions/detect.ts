// Which conventions a module follows, found by a few looks at folders, or taken from the configuration. Reads names and
// two short marker files, never an artifact. Surprise: a reason never counts files, because reasons are part of a
// layout, and one more decision must not look like another layout.

import type { Config } from '../../model/config.ts'
import type { ConventionUse } from '../../model/layout.ts'
import { insidePath } from '../modules.ts'
import { claims } from './claims.ts'
import { isDated, numberedName } from './names.ts'
import type { NamedFolders, Peek } from './peek.ts'
import { pinned } from './pin.ts'
import { ADR_FOLDERS, OPENSPEC_MARKS, SDD_FOLDERS } from './table.ts'

type AdrName = 'sdd' | 'backstage' | 'adr-numbered' | 'log4brains'

const ADR_REASON: Readonly<Record<AdrName, string>> = {
  sdd: 'holds files named ADR-NNNN',
  backstage: 'holds files named adrNNN-slug',
  'adr-numbered': 'holds numbered files',
  log4brains: 'holds files named by date and slug',
}

function filesIn(peek: Peek, folder: string): readonly string[] {
  return peek.list(folder).flatMap(({ name, folder: isFolder }) => (isFolder ? [] : [name]))
}

/** What most decisions in a folder are named like; null where there are none. */
function adrNaming(names: readonly string[]): Exclude<AdrName, 'sdd'> | null {
  const numbered = names.filter((name) => numberedName(name) !== null)
  const dated = names.filter(isDated)
  if (numbered.length === 0 && dated.length === 0) return null
  if (dated.length > numbered.length) return 'log4brains'
  return numbered.every((name) => /^adr\d/.test(name)) ? 'backstage' : 'adr-numbered'
}

function adrUse(name: AdrName, folder: string, because = ''): ConventionUse {
  return { name, kind: 'adr', folder, why: `${because}${folder === '' ? 'the module' : folder} ${ADR_REASON[name]}` }
}

function sddAdrs(folder: string, names: readonly string[], because = ''): ConventionUse | null {
  const use = adrUse('sdd', folder, because)
  return names.some((name) => claims(use, folder === '' ? name : `${folder}/${name}`)) ? use : null
}

function folderOf(text: string | null): string | null {
  const [line = ''] = (text ?? '')
    .replace(/^\ufeff/, '')
    .trim()
    .split('\n', 1)
  return insidePath(line)
}

function detectAdrs(peek: Peek, { adr: named, log4brains = [] }: NamedFolders): readonly ConventionUse[] {
  if (named !== null) {
    const because = 'named as the folder of ADRs; '
    const names = filesIn(peek, named)
    const strict = sddAdrs(named, names, because)
    const naming = strict === null ? adrNaming(names) : null
    if (naming !== null) return [adrUse(naming, named, because)]
    return [strict ?? { name: 'sdd', kind: 'adr', folder: named, why: 'named as the folder of ADRs' }]
  }
  const strict = sddAdrs(SDD_FOLDERS.adr, filesIn(peek, SDD_FOLDERS.adr))
  if (strict !== null) return [strict]
  if (log4brains.length > 0) {
    return log4brains.map((folder) => ({
      name: 'log4brains',
      kind: 'adr',
      folder,
      why: `.log4brains.yml names ${folder}`,
    }))
  }
  const pointed = folderOf(peek.read('.adr-dir'))
  if (pointed !== null) {
    const naming = adrNaming(filesIn(peek, pointed)) ?? 'adr-numbered'
    return [{ name: naming, kind: 'adr', folder: pointed, why: `.adr-dir names ${pointed}` }]
  }
  for (const folder of ADR_FOLDERS) {
    const naming = adrNaming(filesIn(peek, folder))
    if (naming !== null) return [adrUse(naming, folder)]
  }
  return []
}

function subfoldersOf(peek: Peek, folder: string): readonly string[] {
  return peek.list(folder).flatMap(({ name, folder: isFolder }) => (isFolder && !name.startsWith('.') ? [name] : []))
}

function detectOpenspec(peek: Peek): readonly ConventionUse[] {
  const names = peek.list('openspec').map(({ name }) => name)
  const mark = OPENSPEC_MARKS.find((name) => names.includes(name))
  if (mark === undefined) return []
  const why = `openspec holds ${mark}`
  return [
    { name: 'openspec', kind: 'spec', folder: 'openspec/specs', why },
    { name: 'openspec', kind: 'change', folder: 'openspec/changes', why },
  ]
}

/** A few folders are enough to know a convention by. */
const MOST_PROBES = 3

function detectSpecKit(peek: Peek): readonly ConventionUse[] {
  const marked = peek.exists('.specify')
  const numbered = marked ? [] : subfoldersOf(peek, 'specs').filter((name) => /^\d{3,}-./.test(name))
  if (!marked && !numbered.slice(0, MOST_PROBES).some((name) => peek.exists(`specs/${name}/spec.md`))) return []
  const why = marked ? '.specify is there' : 'specs holds folders named NNN-slug'
  return [{ name: 'spec-kit', kind: 'spec', folder: 'specs', why }]
}

function detectKiro(peek: Peek): readonly ConventionUse[] {
  if (subfoldersOf(peek, '.kiro/specs').length === 0) return []
  return [{ name: 'kiro', kind: 'spec', folder: '.kiro/specs', why: '.kiro/specs holds specs' }]
}

function detectSpecs(peek: Peek, named: string | null): readonly ConventionUse[] {
  if (named !== null) return [{ name: 'sdd', kind: 'spec', folder: named, why: 'named as the folder of specs' }]
  const strict: readonly ConventionUse[] = peek.exists(SDD_FOLDERS.spec)
    ? [{ name: 'sdd', kind: 'spec', folder: SDD_FOLDERS.spec, why: `${SDD_FOLDERS.spec} is there` }]
    : []
  return [...strict, ...detectOpenspec(peek), ...detectSpecKit(peek), ...detectKiro(peek)]
}

function customUses(config: Config['graph']): readonly ConventionUse[] {
  return Object.entries(config.custom).map(([name, custom]) => ({
    name: 'custom',
    kind: custom.kind,
    folder: '',
    why: `the configuration defines ${name}`,
    custom,
  }))
}

/** What is pinned, but for the kinds of which a flag names the folder. */
function overruled(uses: readonly ConventionUse[], peek: Peek, { flags }: NamedFolders): readonly ConventionUse[] {
  const { adr, spec } = flags ?? { adr: null, spec: null }
  return [
    ...(adr === null ? [] : detectAdrs(peek, { adr, spec: null })),
    ...uses.filter(({ kind }) => (kind === 'adr' ? adr : kind === 'spec' ? spec : null) === null),
    ...(spec === null ? [] : detectSpecs(peek, spec)),
  ]
}

/**
 * The conventions of one module, ADRs first. What the configuration pins replaces what would be found, and flags replace that;
 * conventions of the user's own hold beside what is found. A kind of which nothing is found falls back to the strict
 * default, as long as nothing else but strict folders was found: the seed's behaviour where nobody chose another.
 * Source: issue 3 §5, sheet artifact-graph §1, conventions survey §5.
 */
export function detectConventions(
  peek: Peek,
  config: Config['graph'],
  folders: NamedFolders,
): readonly ConventionUse[] {
  if (config.conventions.length > 0) return overruled(pinned(peek, config, folders), peek, folders)
  const custom = customUses(config)
  const adrs = detectAdrs(peek, folders)
  const specs = detectSpecs(peek, folders.spec)
  const found = [...adrs, ...specs]
  const strict = custom.length === 0 && found.every(({ name }) => name === 'sdd')
  const fallback = (kind: 'adr' | 'spec'): readonly ConventionUse[] =>
    strict ? [{ name: 'sdd', kind, folder: SDD_FOLDERS[kind], why: 'the default, as nothing else was found' }] : []
  return [
    // A file belongs to the first convention that claims it, and the user's own know best.
    ...custom,
    ...(adrs.length > 0 ? adrs : fallback('adr')),
    ...(specs.length > 0 ? specs : fallback('spec')),
  ]
}
