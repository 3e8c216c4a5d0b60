// Proves the package as users get it: packs it, installs the tarball into a new folder, runs the binary from another
// folder, imports the library, type-checks a consumer. Compiling better-sqlite3 is part of the proof and takes about
// a minute; SMOKE_REUSE_ADDON=1 copies this project's addon instead, for quick local runs.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
const REUSE = process.env.SMOKE_REUSE_ADDON === '1'
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))

const PUBLISHED = [
  /^dist\/((specdex|program)\.cjs|index\.mjs|types\/.*\.d\.ts)$/,
  /^src\/.*\.schema\.json$/,
  /^(package\.json|README\.md|LICENSE)$/,
]

// npm hands its own run to scripts in variables that would make a nested npm work in this project.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(package|lifecycle|config_local)|GIT_|SPECDEX_|INIT_CWD)/.test(name),
  ),
)

function run(title, program, args, cwd) {
  const started = performance.now()
  const child = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (child.status !== 0) {
    console.error(`${child.stdout ?? ''}${child.stderr ?? ''}`)
    throw new Error(`${title} failed: ${child.error?.message ?? `exit ${child.status ?? child.signal}`}`)
  }
  console.log(`ok   ${title} (${seconds} s)`)
  return child.stdout
}

function demand(condition, message) {
  if (!condition) throw new Error(message)
}

/** Only our own declarations are judged; what a dependency's declarations say to a strict compiler is its affair. */
function checkTypes(title, args, cwd) {
  const child = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' })
  const faults = child.stdout.split('\n').filter((line) => /^(consumer\.ts|node_modules\/specdex\/)/.test(line))
  demand(faults.length === 0, `${title} failed:\n${faults.join('\n')}`)
  demand(child.status === 0 || /error TS/.test(child.stdout), `${title}: tsc did not run: ${child.stderr}`)
  console.log(`ok   ${title}`)
}

const CONSUMER = `import * as specdex from 'specdex'

type Api = typeof specdex
export const names: readonly (keyof Api)[] = Object.keys(specdex) as (keyof Api)[]
// @ts-expect-error the library does not export this: if types were missing, everything would be any
export const absent: unknown = specdex.thereIsNoSuchExport
`

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'specdex-smoke-')))
try {
  const packed = JSON.parse(
    run('npm pack', 'npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT),
  )
  const listing = Array.isArray(packed) ? packed[0] : Object.values(packed)[0]
  const names = listing.files.map((file) => file.path)
  const built = ['specdex.cjs', 'program.cjs', 'index.mjs', 'types/index.d.ts'].map((name) => `dist/${name}`)
  for (const wanted of [...built, 'README.md', 'LICENSE']) {
    demand(names.includes(wanted), `${wanted} is not in the package`)
  }
  const strange = names.filter((name) => !PUBLISHED.some((pattern) => pattern.test(name)))
  demand(strange.length === 0, `the package has files it should not have: ${strange.join(', ')}`)

  const consumer = path.join(folder, 'consumer')
  mkdirSync(consumer)
  const allowScripts = { 'better-sqlite3': true }
  const consumerManifest = { name: 'consumer', version: '1.0.0', private: true, type: 'module', allowScripts }
  writeFileSync(path.join(consumer, 'package.json'), JSON.stringify(consumerManifest))
  const tarball = path.join(folder, listing.filename)
  const scripts = REUSE ? ['--ignore-scripts'] : []
  run('npm install of the tarball', 'npm', ['install', '--no-audit', '--no-fund', ...scripts, tarball], consumer)
  const addon = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
  if (REUSE) cpSync(path.join(ROOT, addon), path.join(consumer, addon), { recursive: true })
  demand(existsSync(path.join(consumer, addon)), 'better-sqlite3 was installed without its addon')

  const version = run('npx specdex --version', 'npx', ['--no-install', 'specdex', '--version'], consumer).trim()
  demand(version === manifest.version, `specdex --version says ${version}, package.json ${manifest.version}`)

  const bakery = path.join(folder, 'bakery')
  mkdirSync(path.join(bakery, 'commands'), { recursive: true })
  mkdirSync(path.join(bakery, 'devdocs'))
  writeFileSync(path.join(bakery, 'devdocs/oven.md'), '# The oven\n')
  writeFileSync(path.join(bakery, 'commands/bake.md'), '# Bake\n\nYou MUST read devdocs/oven.md first.\n')
  const binary = path.join(consumer, 'node_modules/.bin/specdex')
  run('specdex index', binary, ['index'], bakery)
  const { graph } = JSON.parse(run('specdex spec build --stdout', binary, ['spec', 'build', '--stdout'], bakery))
  const requires = graph.edges.map((edge) => `${edge.from} ${edge.type} ${edge.to}`)
  demand(requires.includes('cmd:bake REQUIRES devdoc:devdocs/oven.md'), `the exported graph has only: ${requires}`)

  const list = "import('specdex').then((library) => console.log(JSON.stringify(Object.keys(library))))"
  const exported = JSON.parse(run('import of the library', process.execPath, ['-e', list], consumer))
  demand(exported.length > 0, 'the library exports nothing')

  writeFileSync(path.join(consumer, 'consumer.ts'), CONSUMER)
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const types = ['--typeRoots', path.join(ROOT, 'node_modules/@types'), '--types', 'node']
  const strict = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022']
  for (const module of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    checkTypes(`types with ${module.at(-1)}`, [tsc, ...strict, ...module, ...types, 'consumer.ts'], consumer)
  }
  console.log('the package works')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
