// A file that one family proves unchanged and another takes in anew, and that is gone or another one before the plan is
// carried out: what counts is what is read then, and nothing of what was planned outlives it.

import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { refresh } from '../../src/indexing/refresh.ts'
import { planRefresh } from '../../src/indexing/session.ts'
import { openStore } from '../../src/store/open.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { placeAt, quietWorld } from './child-index.ts'
import { runQuery, storedDump, WITHOUT_GIT, withStored } from './kitchen.ts'

const FILE = 'commands/bake.md'
const OLD = '# Bake\n\nRead the `FORGE:RECIPE` comment.\n'
const NEW = '# Cool\n\nRead the `FORGE:RECIPE` comment.\n'

/** Carries out a plan that was made before `meanwhile`. */
async function withMeanwhile(meanwhile: (root: string) => void): Promise<string> {
  const root = writeTree(tempFolder('meanwhile'), { [FILE]: OLD, 'commands/rest.md': '# Rest\n' })
  // Too young for its time stamps to vouch for it, so the next proof reads it and has something to record.
  await runQuery(root, ['spec'], { ...WITHOUT_GIT, now: () => Date.now() - 60_000 })
  const place = await placeAt(root)
  const world = { ...quietWorld(), env: WITHOUT_GIT.env }
  const store = openStore(place.location, { busyMs: 1000, create: false })
  try {
    const options = { all: true, everything: false, settle: true }
    const { plan } = await planRefresh(store, place, place.config.families, world, options)
    expect(plan.changes.get(FILE)).toMatchObject({ kind: 'reextract' })
    meanwhile(root)
    expect(refresh(store, place, plan, world)).not.toBeNull()
  } finally {
    store.close()
  }
  return root
}

test('gone: its row goes', async () => {
  const root = await withMeanwhile((place) => rmSync(path.join(place, FILE)))
  expect(storedDump(root).filter((line) => line.includes('bake'))).toEqual([])
})

test('another one: its row recognises what was read', async () => {
  const root = await withMeanwhile((place) => writeTree(place, { [FILE]: NEW }))
  const sql = 'SELECT f.oid FROM file f JOIN key k ON k.id = f.id WHERE k.text = ?'
  const oid = withStored(root, (store) => store.db.prepare(sql).pluck().get(FILE))
  expect(oid).toEqual(createHash('sha256').update(NEW).digest())
  expect(storedDump(root).join('\n')).toContain('Cool')
})
