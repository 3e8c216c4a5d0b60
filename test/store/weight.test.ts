// What the hot path loads: drizzle costs more than a query and must not come along with opening, reading and writing.

import path from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

async function loads(...files: string[]): Promise<string[]> {
  const root = path.resolve(import.meta.dirname, '../..')
  const { metafile } = await build({
    entryPoints: files.map((file) => path.join(root, 'src/store', file)),
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    write: false,
    outdir: 'unused',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    external: ['better-sqlite3'],
  })
  return Object.keys(metafile.inputs)
}

test('opening, reading, writing and querying do not load drizzle', async () => {
  const hot = ['open.ts', 'peek.ts', 'meta.ts', 'writer.ts', 'dump.ts', 'snapshot.ts', 'ad-hoc.ts']
  const queries = ['dirs.ts', 'files-in-dir.ts', 'all-files.ts', 'problems.ts', 'reach.ts'].map(
    (file) => `queries/${file}`,
  )
  const inputs = await loads(...hot, ...queries)
  expect(inputs).toContain('src/store/connect.ts')
  expect(inputs.filter((file) => /drizzle|schema\.ts/.test(file))).toEqual([])
})

test('status and doctor do load it', async () => {
  expect((await loads('queries/counts.ts', 'health.ts')).some((file) => file.includes('drizzle-orm'))).toBe(true)
})
