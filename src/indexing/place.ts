// Where and under which configuration a command runs: root, index location, configuration.
// The surprise: the parsed configuration is kept in the index, which may be an older program's or have come from
// anywhere; it is believed only for the bytes, the defaults and the shape that this program knows.

import path from 'node:path'
import { type Config, DEFAULT_CONFIG } from '../model/config.ts'
import { CONFIG_FILE, findRoot, INDEX_FOLDER, readConfigFile } from '../scan/root.ts'
import { META } from '../store/meta.ts'
import type { StoreLocation } from '../store/open.ts'
import { peekMeta } from '../store/peek.ts'

export interface Place {
  /** Absolute. */
  readonly root: string
  readonly location: StoreLocation
  readonly config: Config
  /** `<hash of the bytes>:<parsed as JSON>` for the next run's meta row, or null without a configuration file. */
  readonly configNote: string | null
  /** Folders of ADRs and specs that were named on the command line, relative to the root; null: found by looking. */
  readonly folders: ArtifactFolders
}

export interface ArtifactFolders {
  readonly adr: string | null
  readonly spec: string | null
}

const NO_FOLDERS: ArtifactFolders = { adr: null, spec: null }

/**
 * Resolves the place of a run from flags (`root`, `db`), SPECDEX_DB and the working directory.
 * The location of the index comes from flag and environment only, so that it is known before any YAML is parsed.
 * Throws UserError 'config' for a configuration file that cannot be understood. Source: ARCHITECTURE §5.
 */
export async function findPlace(options: {
  root: string | null
  db: string | null
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}): Promise<Place> {
  const root = findRoot(options.root, options.cwd)
  const own = path.join(root, INDEX_FOLDER, 'index.db')
  const given = options.db ?? options.env['SPECDEX_DB'] ?? ''
  const chosen = given === '' ? own : path.resolve(options.cwd, given)
  const location: StoreLocation = { path: chosen, isDefault: chosen === own }
  const bytes = readConfigFile(root)
  if (bytes === null) return { root, location, config: DEFAULT_CONFIG, configNote: null, folders: NO_FOLDERS }
  // Parsing YAML costs more than a whole query: the parsed form is kept in the index under the hash of the bytes.
  const { createHash } = await import('node:crypto')
  const hash = createHash('sha256').update(JSON.stringify(DEFAULT_CONFIG)).update(bytes).digest('hex')
  const kept = peekMeta(location, META.config)
  const known = kept?.startsWith(`${hash}:`) ? parseKept(kept.slice(hash.length + 1)) : null
  if (known !== null) return { root, location, config: known, configNote: kept, folders: NO_FOLDERS }
  const { parseConfig } = await import('../extract/config.ts')
  const config = parseConfig(bytes.toString('utf8'), CONFIG_FILE)
  return { root, location, config, configNote: `${hash}:${JSON.stringify(config)}`, folders: NO_FOLDERS }
}

function parseKept(text: string): Config | null {
  try {
    const value: unknown = JSON.parse(text)
    return hasShapeOf(DEFAULT_CONFIG, value) ? (value as Config) : null
  } catch {
    return null
  }
}

/** True where `value` has the keys and types of `model`; every list of a configuration is one of texts. */
function hasShapeOf(model: unknown, value: unknown): boolean {
  if (Array.isArray(model)) return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (typeof model !== 'object' || model === null) return typeof value === typeof model
  if (typeof value !== 'object' || value === null) return false
  const fields: Readonly<Record<string, unknown>> = { ...value }
  return Object.entries(model).every(([key, part]) => hasShapeOf(part, fields[key]))
}
