// The two small programs that the benchmark builds for itself, in its own temporary folder: the floor (node, the addon,
// one look-up) and the store with its traversal, taken from src as it is. Nothing here measures.

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = path.resolve(import.meta.dirname, '../..')

export const ADDON = path.join(ROOT, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node')

const FLOOR = `
import Database from 'better-sqlite3'
const [addon, file, text] = process.argv.slice(2)
const db = new Database(file, { nativeBinding: addon, fileMustExist: true })
if (db.prepare('SELECT id FROM key WHERE text = ?').get(text) === undefined) process.exitCode = 1
db.close()
`

const STORE = `
export { SPEC_RANGE, NEEDS_TARGET, KIND, EDGE } from './src/model/vocabulary.ts'
export { impact } from './src/store/queries/reach.ts'
export { openStore } from './src/store/open.ts'
export { Writer } from './src/store/writer.ts'
`

/** @param {string} contents @param {'js' | 'ts'} loader @param {string} outfile */
async function bundle(contents, loader, outfile) {
  await build({
    absWorkingDir: ROOT,
    stdin: { contents, loader, resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'utf8',
    logLevel: 'warning',
    external: ['bindings'],
    // The store finds the addon from where it believes to be.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.join(ROOT, 'src/store/addon.ts')).href) },
  })
  return outfile
}

/** Builds the floor program. Its arguments: addon, index file, text of a key. @param {string} folder */
export function buildFloor(folder) {
  return bundle(FLOOR, 'js', path.join(folder, 'floor.cjs'))
}

/** Builds and loads the store. @param {string} folder */
export async function loadStore(folder) {
  const file = await bundle(STORE, 'ts', path.join(folder, 'store.cjs'))
  const { default: store } = await import(pathToFileURL(file).href)
  return store
}
