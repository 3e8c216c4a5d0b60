// A process that is always faster: it moves the index on during every scan of ours. Whoever is outrun too often scans
// with the write lock held, and so comes to an end.

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Place } from '../../src/indexing/place.ts'
import { openIndex, updateIndex } from '../../src/indexing/session.ts'
import { withFingerprint } from '../../src/indexing/spec-hash.ts'
import { corpusHash } from '../../src/scan/corpus.ts'
import { opened } from '../store/bakery.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { placeAt, quietWorld } from './child-index.ts'

const BAKERY = { 'commands/bake.md': '# Bake\n\nRead the `FORGE:RECIPE` comment.\n', 'docs/rye.md': '# Rye\n' }

interface Rival {
  readonly place: Place
  readonly ahead: () => number
  readonly shutOut: () => number
}

/** The place, with another connection that raises the generation each time a plan is about to be carried out. */
function withRival(place: Place): Rival {
  const other = new Database(place.location.path, { timeout: 0 })
  onTestFinished(() => void other.close())
  const raise = other.prepare("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
  let ahead = 0
  let shutOut = 0
  const rivalled: Place = {
    ...place,
    get configNote() {
      try {
        ahead += raise.run().changes
      } catch (error) {
        expect(error).toMatchObject({ code: 'SQLITE_BUSY' })
        shutOut++
      }
      return place.configNote
    },
  }
  return { place: rivalled, ahead: () => ahead, shutOut: () => shutOut }
}

test.each(['index', 'query'])('%s: comes to an end, although another process is always faster', async (way) => {
  const root = writeTree(tempFolder('outrun'), BAKERY)
  const place = await placeAt(root)
  const first = await updateIndex(place, false, quietWorld())
  first.close()
  writeTree(root, { 'commands/knead.md': '# Knead\n\nRead the `FORGE:RECIPE` comment.\n' })

  const { place: rivalled, ahead, shutOut } = withRival(place)
  const index =
    way === 'index'
      ? await updateIndex(rivalled, false, quietWorld())
      : await openIndex(rivalled, ['spec'], 'repair', quietWorld())
  expect(index.condition).toBe('repaired')
  expect(index.report).toMatchObject({ added: ['commands/knead.md'] })
  index.close()
  // Five scans in vain, and one in peace.
  expect(ahead()).toBeGreaterThanOrEqual(5)
  expect(shutOut()).toBeGreaterThan(0)
})

test('a fingerprint and what it is used for are of one generation, although another process is always faster', async () => {
  const root = writeTree(tempFolder('outrun'), BAKERY)
  const place = await placeAt(root)
  const first = await updateIndex(place, false, quietWorld())
  first.close()

  const other = new Database(place.location.path, { timeout: 0 })
  onTestFinished(() => void other.close())
  const raise = other.prepare("UPDATE meta SET value = value + 1 WHERE name = 'generation.spec'")
  let [ahead, shutOut] = [0, 0]
  const rivalled: Place = {
    ...place,
    get root() {
      try {
        ahead += raise.run().changes
      } catch (error) {
        expect(error).toMatchObject({ code: 'SQLITE_BUSY' })
        shutOut++
      }
      return root
    },
  }
  const hash = await withFingerprint(rivalled, quietWorld(), (_index, each) => each)
  expect(hash).toBe(corpusHash(root))
  expect(ahead).toBeGreaterThanOrEqual(5)
  expect(shutOut).toBeGreaterThan(0)
})

test('what fails under the lock leaves the index as it was', async () => {
  const place = await placeAt(writeTree(tempFolder('outrun'), BAKERY))
  const first = await updateIndex(place, false, quietWorld())
  first.close()
  const store = opened(place.location)
  const files = (): unknown => store.prepare('SELECT count(*) FROM file').pluck().get()
  const failing = store.hold(async () => {
    store.write(() => store.prepare('DELETE FROM file').run())
    await Promise.resolve()
    expect(files()).toBe(0)
    throw new Error('the oven is cold')
  })
  await expect(failing).rejects.toThrow('the oven is cold')
  expect(files()).toBe(2)
  expect(() => store.prepare('DELETE FROM file').run()).toThrow(/readonly/)
  expect(await store.hold(async () => files())).toBe(2)
})
