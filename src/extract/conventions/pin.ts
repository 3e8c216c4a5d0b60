// Conventions as a person writes them in the configuration: `name`, or `name:folder`. Turns those into uses, and uses
// into such texts for `specdex graph conventions --pin`. Surprise: a pinned folder of `sdd` or `openspec` means one kind,
// told by the folder's own name, so that what is pinned and what was detected are the same uses.

import type { Config } from '../../model/config.ts'
import type { ConventionUse } from '../../model/layout.ts'
import { insidePath } from '../modules.ts'
import { claims } from './claims.ts'
import type { NamedFolders, Peek } from './peek.ts'
import { DEFAULT_USES } from './table.ts'

type BuiltIn = keyof typeof DEFAULT_USES

const WHY = 'the configuration names it'

function isBuiltIn(name: string): name is BuiltIn {
  return Object.hasOwn(DEFAULT_USES, name)
}

/** What a folder of the strict convention holds: ADRs where some lie in it, specs where its name or its folders say so. */
function strictKind(peek: Peek, folder: string): 'adr' | 'spec' {
  const adrs: ConventionUse = { name: 'sdd', kind: 'adr', folder, why: WHY }
  const entries = peek.list(folder)
  if (entries.some(({ name, folder: isFolder }) => !isFolder && claims(adrs, `${folder}/${name}`))) return 'adr'
  if (/^(?:open)?spec(?:s|ifications)?$/i.test(folder.slice(folder.lastIndexOf('/') + 1))) return 'spec'
  const first = entries.find((entry) => entry.folder)
  return first !== undefined && peek.exists(`${folder}/${first.name}/spec.md`) ? 'spec' : 'adr'
}

function usesIn(peek: Peek, name: BuiltIn, folder: string): readonly ConventionUse[] {
  if (name === 'sdd') return [{ name, kind: strictKind(peek, folder), folder, why: WHY }]
  if (name === 'openspec') {
    const last = folder.slice(folder.lastIndexOf('/') + 1)
    if (last === 'specs') return [{ name, kind: 'spec', folder, why: WHY }]
    if (last === 'changes') return [{ name, kind: 'change', folder, why: WHY }]
    return [
      { name, kind: 'spec', folder: `${folder}/specs`, why: WHY },
      { name, kind: 'change', folder: `${folder}/changes`, why: WHY },
    ]
  }
  return DEFAULT_USES[name].map(({ kind }) => ({ name, kind, folder, why: WHY }))
}

/** The uses that `graph.conventions` asks for, in its order, each once. Named folders fill in where none is pinned. */
export function pinned(peek: Peek, config: Config['graph'], folders: NamedFolders): readonly ConventionUse[] {
  const uses = new Map<string, ConventionUse>()
  for (const entry of config.conventions) {
    const colon = entry.indexOf(':')
    const name = colon === -1 ? entry : entry.slice(0, colon)
    const folder = colon === -1 ? null : insidePath(entry.slice(colon + 1))
    const custom = config.custom[name]
    const wanted: readonly ConventionUse[] =
      custom !== undefined
        ? [{ name: 'custom', kind: custom.kind, folder: folder ?? '', why: WHY, custom }]
        : !isBuiltIn(name)
          ? []
          : folder !== null
            ? usesIn(peek, name, folder)
            : DEFAULT_USES[name].map(({ kind, folder: usual }) => {
                // What CLAUDE.md names is the strict convention's, or a folder of decisions.
                const named = kind === 'adr' ? folders.adr : name === 'sdd' ? folders.spec : null
                return { name, kind, folder: named ?? usual, why: WHY }
              })
    for (const use of wanted) uses.set([name, use.kind, use.folder].join('\0'), use)
  }
  return [...uses.values()]
}

/** The text for `graph.conventions` that gives this use again. */
export function pinOf(use: ConventionUse, config: Config['graph']): string {
  const own = Object.entries(config.custom).find(([, custom]) => custom === use.custom)
  const name = own?.[0] ?? use.name
  return use.folder === '' ? name : `${name}:${use.folder}`
}
