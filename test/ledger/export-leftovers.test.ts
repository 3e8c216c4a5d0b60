// What an export that was killed leaves beside its files: the next one removes it, and nothing that is not its own.

import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { writeLedgerFolder } from '../../src/ledger/export.ts'
import { tempFolder, writeTree } from '../support/temp.ts'

const NAME = 'knowledge.jsonl'
const HOUR_MS = 3_600_000

test('the folder of a killed export goes, a young one and one with other things in it stay', () => {
  const folder = tempFolder('export')
  const old = new Date(Date.now() - 2 * HOUR_MS)
  writeTree(folder, {
    [`.${NAME}.killed/${NAME}`]: 'half',
    [`.${NAME}.others/notes.md`]: 'mine',
    [`.${NAME}.youngs/${NAME}`]: 'of an export that runs now',
  })
  mkdirSync(path.join(folder, `.${NAME}.empty0`))
  for (const name of ['killed', 'others', 'empty0']) utimesSync(path.join(folder, `.${NAME}.${name}`), old, old)
  expect(writeLedgerFolder(folder, new Map([[NAME, Buffer.from('{}\n')]]))).toEqual([NAME])
  expect(readdirSync(folder).sort()).toEqual([`.${NAME}.others`, `.${NAME}.youngs`, NAME].sort())
})
