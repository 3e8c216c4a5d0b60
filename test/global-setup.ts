// Builds the command line once before the tests, unless dist/ is newer than everything it is made from.
// Where the sources do not build, CI stops here; elsewhere the stale bundle is removed and the other tests still run.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { buildAll } from './build.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const PRODUCTS = ['dist/specdex.cjs', 'dist/program.cjs', 'dist/index.mjs'].map((file) => path.join(ROOT, file))
const INGREDIENTS = ['src', 'package.json', 'package-lock.json', 'test/build.mjs']

function newest(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  // The folder's own time counts: it is what tells of a removed file.
  return Math.max(stat.mtimeMs, ...readdirSync(file).map((name) => newest(path.join(file, name))))
}

function isFresh(product: string): boolean {
  if (!existsSync(product)) return false
  const built = statSync(product).mtimeMs
  return INGREDIENTS.every((name) => newest(path.join(ROOT, name)) < built)
}

/** Called by vitest once per run. */
export async function setup(): Promise<void> {
  if (PRODUCTS.every(isFresh)) return
  try {
    await buildAll({ types: false })
  } catch (error) {
    if (process.env.CI === 'true') throw error
    for (const product of PRODUCTS) if (!isFresh(product)) rmSync(product, { force: true })
    console.error(`not everything builds, tests of the missing part will fail: ${String(error)}`)
  }
}
