// What the scan and indexing tests share: one scan of a folder as plain data, and other users to scan as.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Config, DEFAULT_CONFIG } from '../../src/model/config.ts'
import type { Family } from '../../src/model/families.ts'
import { joinKey } from '../../src/model/source-key.ts'
import { FILE_STATE, type FileStateName } from '../../src/model/vocabulary.ts'
import type { ListedFile, Listing } from '../../src/scan/listing.ts'
import { hashBytes } from '../../src/scan/read.ts'
import { type ScanMode, scan } from '../../src/scan/scan.ts'
import { childEnvironment, type Env } from '../support/environment.ts'

/** What a listed file looks like in an assertion. */
export type Shown = 'vouched' | 'converted' | 'stat' | 'name' | Exclude<FileStateName, 'ok'>

export interface Scanned {
  readonly mode: ScanMode
  readonly spec: Readonly<Record<string, Shown>>
  readonly docs: Readonly<Record<string, Shown>>
  readonly listings: readonly Listing[]
}

/** Default configuration with some keys set. */
export function configured(changes: Partial<Config>): Config {
  return { ...DEFAULT_CONFIG, ...changes }
}

/** The environment that a scan hands to git: cleaned, as for child processes. */
export function gitEnvironment(extra: Env = {}): Readonly<Record<string, string | undefined>> {
  return childEnvironment(extra)
}

/** Scans both families. Every file that git is said to vouch for is read, to see that it was right. */
export async function scanned(
  root: string,
  config: Config = DEFAULT_CONFIG,
  env: Env = {},
  families: readonly Family[] = ['spec', 'docs'],
  now: number = Date.now(),
): Promise<Scanned> {
  const options = {
    families,
    config,
    env: gitEnvironment(env),
    now,
    stamps: new Map(),
    selections: new Map(),
    nested: [],
  }
  const { listings, mode } = await scan(root, options)
  const shown = (family: Family): Record<string, Shown> => {
    const found: Record<string, Shown> = {}
    const listing = listings.find((each) => each.family === family)
    for (const [dirPath, dir] of listing?.dirs ?? []) {
      const files = dir.files()
      if (files.length !== dir.count) throw new Error(`${dirPath}: ${dir.count} counted, ${files.length} made`)
      for (const file of files) {
        const key = joinKey(dirPath, file.name)
        if (key in found) throw new Error(`listed twice: ${key}`)
        found[key] = show(root, key, file)
      }
    }
    return found
  }
  return { mode, listings, spec: shown('spec'), docs: shown('docs') }
}

function show(root: string, key: string, file: ListedFile): Shown {
  if (file.state !== FILE_STATE.ok) {
    return Object.entries(FILE_STATE).find(([, id]) => id === file.state)?.[0] as Shown
  }
  if (file.blob === null) return file.stat === null ? 'name' : 'stat'
  const bytes = readFileSync(path.join(root, key))
  if (hashBytes('blob', bytes).equals(file.blob)) return 'vouched'
  // Line-end conversion shows in the size; another id beside the blob's own size would be a lie.
  const size = Number(gitBytes(root, ['cat-file', '-s', file.blob.toString('hex')]).toString())
  if (file.size === bytes.length && bytes.length !== size) return 'converted'
  throw new Error(`not vouched: ${key}`)
}

/** The digests of a scan by family and folder. */
export function digests(scan: Scanned): Record<string, string | null> {
  const found: Record<string, string | null> = {}
  for (const { family, dirs } of scan.listings) {
    for (const [dir, { digest }] of dirs ?? []) found[`${family}:${dir}`] = digest?.toString('hex') ?? null
  }
  return found
}

/** Runs git with `input` on its standard input; what it printed, without the last line end. */
export function gitWith(input: string, cwd: string, args: readonly string[]): string {
  return run(cwd, args, input).toString('utf8').replace(/\n$/, '')
}

/** The bytes that git prints. */
export function gitBytes(cwd: string, args: readonly string[]): Buffer {
  return run(cwd, args, '')
}

function run(cwd: string, args: readonly string[], input: string): Buffer {
  const child = spawnSync('git', args, { cwd, env: childEnvironment(), input, maxBuffer: 1 << 28 })
  if (child.error) throw child.error
  if (child.status !== 0) throw new Error(`git ${args.join(' ')} failed (${child.status}): ${child.stderr}`)
  return child.stdout
}

export function makeFifo(file: string): void {
  const { status } = spawnSync('mkfifo', [file])
  if (status !== 0) throw new Error('mkfifo failed')
}

/** A user who owns nothing but what he is given. */
export const NOBODY = 65534

/** Where the tests run as root, who may read everything, runs `task` as nobody; else as who we are. */
export async function asNobody<T>(task: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return task()
  process.setegid?.(NOBODY)
  process.seteuid?.(NOBODY)
  try {
    return await task()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}
