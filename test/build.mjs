// Builds dist/: program.cjs (the whole command line in one bundle), specdex.cjs (the few lines that run it), index.mjs
// (the library, packages external) and types/ (declarations). Everything is written aside and renamed, so that a
// process which runs the old bundle, or a second build at the same moment, never sees half a file. `--bundles` leaves
// the declarations out.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { build } from 'esbuild'

const ROOT = path.resolve(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'dist')

/** @type {import('esbuild').BuildOptions} */
const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  charset: 'ascii',
  legalComments: 'inline',
  logLevel: 'warning',
}

/** Packages that not every command asks for, with the names that our sources import from each. */
const PACKED = {
  'drizzle-orm': ['drizzle-orm', 'drizzle-orm/better-sqlite3', 'drizzle-orm/sqlite-core'],
  'gray-matter': ['gray-matter', 'js-yaml'],
  ignore: ['ignore'],
  'fast-glob': ['fast-glob'],
  yaml: ['yaml'],
  '@clack/prompts': ['@clack/prompts'],
  octokit: ['@octokit/core', '@octokit/plugin-retry', '@octokit/plugin-throttling'],
}

/** How a packed text asks for better-sqlite3, which is part of the bundle already. */
const OWN = 'specdex:better-sqlite3'
const ownDatabase = {
  name: 'own-database',
  setup(bundler) {
    bundler.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: OWN, external: true }))
  },
}

/** The source of a module that stands for `name`, and evaluates `source` for it only when something of it is used. */
function standIn(name, source) {
  const real = createRequire(path.join(ROOT, 'src/'))(name)
  const keys = Object.getOwnPropertyNames(real).filter((key) => !Object.hasOwn(() => {}, key) && key !== 'prototype')
  return `
    const real = () => ${source}
    module.exports = ${typeof real === 'function' ? 'function (...given) { return real().apply(this, given) }' : '{}'}
    for (const key of ${JSON.stringify(keys)}) {
      Object.defineProperty(module.exports, key, { enumerable: key !== '__esModule', get: () => real()[key] })
    }`
}

/**
 * Puts packages into the bundle as texts that are compiled when something of them is first used: node reads and
 * compiles the whole file at every start, which costs by the byte.
 */
const packPackages = {
  name: 'packed',
  setup(bundler) {
    const names = Object.values(PACKED).flat()
    bundler.onResolve({ filter: /^[@a-z]/ }, ({ path: name, importer }) =>
      names.includes(name) && importer.startsWith(path.join(ROOT, 'src')) ? { path: name, namespace: 'packed' } : null,
    )
    bundler.onResolve({ filter: /^packed:/ }, ({ path: name }) => ({ path: name.slice(7), namespace: 'packed-text' }))
    bundler.onLoad({ filter: /.*/, namespace: 'packed' }, ({ path: name }) => {
      const [whole] = Object.entries(PACKED).find(([, parts]) => parts.includes(name))
      return { contents: standIn(name, `require('packed:${whole}')[${JSON.stringify(name)}]`), resolveDir: ROOT }
    })
    bundler.onLoad({ filter: /.*/, namespace: 'packed-text' }, async ({ path: name }) => {
      const parts = PACKED[name].map((part) => `${JSON.stringify(part)}: require(${JSON.stringify(part)})`)
      const { outputFiles } = await build({
        ...COMMON,
        stdin: { contents: `module.exports = { ${parts.join(', ')} }`, resolveDir: ROOT },
        write: false,
        format: 'cjs',
        minify: true,
        plugins: [ownDatabase],
      })
      const text = outputFiles[0].text
      const deflated = JSON.stringify(deflateRawSync(text, { level: 9 }).toString('base64'))
      return {
        contents: `
          const { compileFunction } = require('node:vm')
          const text = require('node:zlib').inflateRawSync(Buffer.from(${deflated}, 'base64')).toString()
          const run = compileFunction(text, ['module', 'exports', 'require'], { filename: 'specdex:${name}' })
          // A driver may name the database's package, which is part of this bundle.
          run(module, exports, (name) => {
            if (name === '${OWN}') return require('better-sqlite3')
            // js-yaml looks for it in order to read functions, which nobody here may.
            if (name === 'esprima') throw new Error('left out')
            return require(name)
          })`,
        resolveDir: ROOT,
      }
    })
  },
}

/** Node's module that starts processes takes longer to load than most commands take to answer, and few start one. */
const STARTS = 'node:child_process'
const lateStarts = {
  name: 'late-starts',
  setup(bundler) {
    bundler.onResolve({ filter: new RegExp(`^${STARTS}$`) }, ({ namespace }) =>
      namespace === 'late' ? { path: STARTS, external: true } : { path: STARTS, namespace: 'late' },
    )
    bundler.onLoad({ filter: /.*/, namespace: 'late' }, () => ({
      contents: standIn(STARTS, `require('${STARTS}')`),
      resolveDir: ROOT,
    }))
  },
}

/**
 * A text in ASCII only: node reads that faster. What esbuild leaves, which is in regular expressions and in the notices
 * of licences, may be escaped; a raw template may not where its text is meant, so the sources have none (a test looks).
 */
function asAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** CommonJS, because it starts faster than ESM; as short as it gets with its names kept, which are what a bug report shows. */
const CLI = {
  ...COMMON,
  format: 'cjs',
  minifySyntax: true,
  minifyWhitespace: true,
  // What V8 runs from a text of ours cannot import, and need not: what is left outside is CommonJS.
  supported: { 'dynamic-import': false },
  write: false,
}

/** The program as one expression, the function that runs it, and what starts it. */
async function buildCli(folder) {
  const { outputFiles } = await build({
    ...CLI,
    entryPoints: ['src/cli/main.ts'],
    // better-sqlite3's JavaScript is inlined; its addon is found by the store through an explicit path, so the
    // package that would search for it is never asked.
    external: ['bindings'],
    plugins: [packPackages, lateStarts],
    banner: {
      js: '(function(require,module,__dirname,__filename){"use strict";const import_meta_url=require("node:url").pathToFileURL(__filename).href;',
    },
    footer: { js: '})' },
    define: {
      'import.meta.url': 'import_meta_url',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
  })
  const program = asAscii(outputFiles[0].text)
  writeFileSync(path.join(folder, 'program.cjs'), program)

  const start = await build({
    ...CLI,
    entryPoints: ['src/cli/start.ts'],
    banner: { js: '#!/usr/bin/env node' },
    define: {
      'import.meta.dirname': '__dirname',
      PROGRAM: JSON.stringify(createHash('sha256').update(program).digest('hex').slice(0, 16)),
    },
  })
  const outfile = path.join(folder, 'specdex.cjs')
  writeFileSync(outfile, start.outputFiles[0].text)
  chmodSync(outfile, 0o755)
}

async function buildLibrary(folder) {
  await build({
    ...COMMON,
    entryPoints: ['src/index.ts'],
    outfile: path.join(folder, 'index.mjs'),
    format: 'esm',
    packages: 'external',
  })
}

async function buildTypes(folder) {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const types = path.join(folder, 'types')
  const args = [tsc, '-p', path.join(ROOT, 'test/tsconfig.types.json'), '--outDir', types]
  const child = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  if (child.status !== 0) throw new Error(`the declarations do not build (tsc ended with ${child.status})`)
  for (const file of readdirSync(types, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const full = path.join(types, file)
    const text = readFileSync(full, 'utf8')
    // tsc leaves `./x.ts` in declarations, where a consumer has only `./x.d.ts`; `./x.js` finds that.
    writeFileSync(full, text.replace(/((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}

/**
 * Builds everything, or only the two bundles. What builds is put in place even where another part does not build;
 * then this throws at the end.
 */
export async function buildAll({ types }) {
  const folder = path.join(DIST, `.building-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const results = await Promise.allSettled([buildCli(folder), buildLibrary(folder), types && buildTypes(folder)])
    for (const name of readdirSync(folder)) {
      if (name === 'types') rmSync(path.join(DIST, name), { recursive: true, force: true })
      renameSync(path.join(folder, name), path.join(DIST, name))
    }
    // What V8 kept of programs that were here before.
    for (const name of readdirSync(DIST))
      if (/\.cache(\.[\da-z-]+)?$/.test(name)) rmSync(path.join(DIST, name), { force: true })
    const failures = results.filter((result) => result.status === 'rejected').map((result) => result.reason)
    if (failures.length > 0) throw new Error(failures.map((failure) => failure.message).join('\n'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildAll({ types: !process.argv.includes('--bundles') })
}
