// What a fresh clone relies on: exact versions, a lock file that any registry can serve, packages that run on the
// oldest Node that the project promises, and a top level that stays as small as it was decided to be.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import semver from 'semver'
import { describe, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')

interface Manifest {
  readonly engines: { readonly node: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

interface LockEntry {
  readonly version: string
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly engines?: { readonly node?: string }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as T
}

const manifest = readJson<Manifest>('package.json')
const lock = readJson<{ readonly packages: Readonly<Record<string, LockEntry>> }>('package-lock.json').packages
const installed = Object.entries(lock).filter(([folder]) => folder !== '')

/** Files of the project, relative and `/`-separated: what git has or would add. Null outside a repository. */
function listedByGit(): string[] | null {
  try {
    const output = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.toString('utf8').split('\0').filter(Boolean)
  } catch {
    return null
  }
}

describe('versions', () => {
  test.each(['dependencies', 'devDependencies', 'overrides'] as const)('%s are exact', (group) => {
    const loose = Object.entries(manifest[group]).filter(([, version]) => semver.valid(version) === null)
    expect(loose).toEqual([])
  })

  test('the lock file has the versions that package.json names', () => {
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies }
    const locked = Object.keys(wanted).map((name) => [name, lock[`node_modules/${name}`]?.version])
    expect(Object.fromEntries(locked)).toEqual(wanted)
  })

  test('every package that users install runs on the oldest Node promised', () => {
    const oldest = semver.minVersion(manifest.engines.node)?.version ?? ''
    expect(oldest).toMatch(/^20\./)
    expect(
      refusing(
        installed.filter(([, entry]) => entry.dev !== true),
        oldest,
      ),
    ).toEqual([])
  })

  test('every package that developers install runs on Node 20', () => {
    expect(refusing(installed, '20.19.0')).toEqual([])
  })
})

function refusing(entries: readonly (readonly [string, LockEntry])[], node: string): string[] {
  return entries
    .filter(([, entry]) => entry.engines?.node !== undefined && !semver.satisfies(node, entry.engines.node))
    .map(([folder, entry]) => `${folder} ${entry.version} wants Node ${entry.engines?.node}`)
}

describe('the lock file', () => {
  test('names no registry host', () => {
    expect(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/registry/)
  })

  test('every package with an install script was allowed or refused by name', () => {
    const withScripts = installed.filter(([, entry]) => entry.hasInstallScript === true)
    // fsevents is macOS only and ships its binary; its script is never needed.
    const names = new Set(withScripts.map(([folder]) => folder.slice(folder.lastIndexOf('node_modules/') + 13)))
    expect([...names].filter((name) => manifest.allowScripts[name] === undefined && name !== 'fsevents')).toEqual([])
  })
})

describe('the tree', () => {
  const files = listedByGit()

  test('has the decided top level and nothing else that is visible', () => {
    const hidden = new Set(['node_modules', 'dist', 'coverage'])
    const names = files === null ? readdirSync(ROOT) : files.map((file) => file.split('/')[0] ?? '')
    const visible = [...new Set(names)].filter((name) => !name.startsWith('.') && !hidden.has(name)).sort()
    expect(visible).toEqual(
      [
        'LICENSE',
        'README.md',
        'drizzle.config.ts',
        'fixtures',
        'migrations',
        'package-lock.json',
        'package.json',
        'src',
        'test',
        'tsconfig.json',
      ].sort(),
    )
  })

  test.skipIf(files === null)('names no folder of anybody’s machine', () => {
    // Written in halves, so that this file does not name them either.
    const machine = new RegExp(
      `(?:^|[\\s"'\`(=:])(?:/ro${'ot'}/|/wo${'rk'}/|/ho${'me'}/[a-z]|/Us${'ers'}/[a-z]|[A-Z]:\\\\Us${'ers'})`,
    )
    const naming = (files ?? []).filter((file) => {
      const stat = statSync(path.join(ROOT, file), { throwIfNoEntry: false })
      if (stat === undefined || !stat.isFile() || stat.size > 4 * 1024 * 1024) return false
      return machine.test(readFileSync(path.join(ROOT, file), 'latin1'))
    })
    expect(naming).toEqual([])
  })
})
