// What `.log4brains.yml` says about folders. The rest of that file is the other tool's own business.
// Loaded only where there is such a file, since it brings YAML along. Surprise: packages are folders of decisions beside the project's; their slugs carry dates and do not collide.

import yaml from 'js-yaml'
import { insidePath } from '../modules.ts'

export interface Log4brainsPackage {
  readonly name: string
  /** Relative to the root, as is its folder of decisions. */
  readonly path: string
  readonly adrFolder: string
}

const DEFAULT_FOLDER = 'docs/adr'

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function projectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(membersOf(yaml.load(text, { schema: yaml.FAILSAFE_SCHEMA })).project)
  } catch {
    // A broken file still tells that the convention is at work.
    return {}
  }
}

function pathOf(value: unknown): string | null {
  return typeof value === 'string' ? insidePath(value) : null
}

/** The packages of a `.log4brains.yml`; none where it cannot be read. Source: conventions survey §5. */
export function log4brainsPackages(text: string): readonly Log4brainsPackage[] {
  const { packages } = projectOf(text)
  return (Array.isArray(packages) ? packages : []).flatMap((entry: unknown) => {
    const { name, path: typed, adrFolder } = membersOf(entry)
    const path = pathOf(typed)
    if (typeof name !== 'string' || path === null) return []
    return [{ name, path, adrFolder: pathOf(adrFolder) ?? `${path}/${DEFAULT_FOLDER}` }]
  })
}

/** Every folder of decisions that a `.log4brains.yml` names, the project's first. */
export function log4brainsFolders(text: string): readonly string[] {
  const own = pathOf(projectOf(text).adrFolder) ?? DEFAULT_FOLDER
  return [...new Set([own, ...log4brainsPackages(text).map(({ adrFolder }) => adrFolder)])]
}
