// The few settings of git that say whether its blob ids may be trusted, and where attribute files lie. The surprise: git
// is only asked where some configuration file could hold one of them, because starting git costs more than all of the
// proof of a small repository.

import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { World } from '../model/clock.ts'
import { runGit, splitZ } from './git.ts'
import type { Repository } from './repository.ts'

export type Settings = ReadonlyMap<string, string>

const SETTINGS = '^(core\\.(autocrlf|eol|attributesfile|worktree)|extensions\\.objectformat)$'

/** Words of which one must stand in a file that sets one of them, or that names further files. */
const WORDS = /autocrlf|eol|attributesfile|worktree|objectformat|include/i

const NONE: Settings = new Map()

/** The settings that hold for `root`, by name in small letters. Never rejects. */
export async function readSettings(root: string, repository: Repository, env: World['env']): Promise<Settings> {
  if (!mayBeSet(repository, env)) return NONE
  const { stdout } = await runGit(root, ['config', '-z', '--get-regexp', SETTINGS], env)
  const values = new Map<string, string>()
  for (const record of splitZ(stdout)) {
    const cut = record.indexOf('\n')
    // A key without `=` in a config file is a true without a value.
    const value = cut === -1 ? 'true' : Buffer.from(record.slice(cut + 1), 'latin1').toString('utf8')
    values.set(cut === -1 ? record : record.slice(0, cut), value)
  }
  return values
}

/** False where no configuration file that git reads can hold one of the settings. */
function mayBeSet({ gitDir, commonDir }: Repository, env: World['env']): boolean {
  // Settings can also be handed over in the environment: then git is the one to ask.
  if (Object.keys(env).some((name) => name.startsWith('GIT_CONFIG') && !KNOWN_VARIABLES.includes(name))) return true
  const home = env['HOME'] ?? ''
  const system = env['GIT_CONFIG_SYSTEM']
  const user = env['GIT_CONFIG_GLOBAL']
  const files = [
    path.join(commonDir, 'config'),
    path.join(gitDir, 'config.worktree'),
    ...(system === undefined ? SYSTEM_FILES : [system]),
    ...(user === undefined
      ? [path.join(home, '.gitconfig'), path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'git/config')]
      : [user]),
  ]
  return files.some((file) => {
    try {
      return WORDS.test(readFileSync(file, 'latin1'))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      return code !== 'ENOENT' && code !== 'ENOTDIR'
    }
  })
}

const KNOWN_VARIABLES = ['GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_GLOBAL']

/** Where builds of git look; nowhere else does anybody set what is asked here. */
const SYSTEM_FILES = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig']

/** Where every text is rewritten on checkout, or attributes are kept in a file that only git finds. */
export function configuredToConvert(settings: Settings, withSizes: boolean): boolean {
  if (/^(~[^/]|%\()/.test(settings.get('core.attributesfile') ?? '')) return true
  const autocrlf = (settings.get('core.autocrlf') ?? 'false').toLowerCase()
  if (settings.get('core.eol')?.toLowerCase() === 'crlf') return true
  // `input` converts on the way into git only, and changes the size when it does.
  return autocrlf === 'input' ? !withSizes : !['false', 'no', 'off', '0', ''].includes(autocrlf)
}

/** False where core.worktree says that the files of this repository are somewhere else. */
export function isWorkTree(repository: Repository, configured: string | undefined): boolean {
  if (configured === undefined) return true
  try {
    return realpathSync(path.resolve(repository.gitDir, configured)) === repository.top
  } catch {
    return false
  }
}

const ATTRIBUTES = '.gitattributes'

/** Attribute files that are neither below the root nor on the way to it. */
export function configuredAttributeFiles(
  { commonDir, top }: Repository,
  configured: string | undefined,
  env: World['env'],
): string[] {
  const home = env['HOME'] ?? ''
  const files = [path.join(commonDir, 'info/attributes'), '/etc/gitattributes']
  if (configured?.startsWith('~/')) files.push(path.join(home, configured.slice(2)))
  else if (configured !== undefined) files.push(path.resolve(top, configured))
  else if (env['XDG_CONFIG_HOME']) files.push(path.join(env['XDG_CONFIG_HOME'], 'git/attributes'))
  else if (home !== '') files.push(path.join(home, '.config/git/attributes'))
  return files
}

/** Attribute files in the folders from `from` (relative to the root) up to the top of the repository. */
export function attributeFilesAbove(repository: Repository, from: string): string[] {
  const files: string[] = []
  let folder = path.join(repository.top, Buffer.from(repository.prefix, 'latin1').toString('utf8'), from)
  for (;;) {
    files.push(path.join(folder, ATTRIBUTES))
    if (folder === repository.top || path.dirname(folder) === folder) return files
    folder = path.dirname(folder)
  }
}
