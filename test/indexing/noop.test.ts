// What asks and finds nothing to do writes nothing: not a byte of the index, nothing else in the tree, no write
// transaction, no write call of the process beyond what it prints. With git and without, and where every time stamp
// or the whole place is another one than when the index was made.

import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openIndex, updateIndex } from '../../src/indexing/session.ts'
import { indexedCorpusHash } from '../../src/indexing/spec-hash.ts'
import { effort } from '../support/effort.ts'
import { cloneRepository, commitAll, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { placeAt, quietWorld } from './child-index.ts'
import { NOBODY, type Note, type Ran, run, watcher } from './child-process.ts'

const BAKERY = {
  'commands/bake.md': '# Bake\n\nRead the `FORGE:RECIPE` comment.\nSkill("bake:knead")\nbash scripts/preheat.sh\n',
  'commands/bake/knead.md': '# Knead\n\nRe-read FORGE:LOAF when the dough is slack.\nSkill("deliver")\n',
  'commands/deliver.md': '# Deliver\n\nRequired: read devdocs/house-rules.md\n',
  'scripts/preheat.sh': '#!/bin/sh\n# posts FORGE:OVEN\n',
  'devdocs/house-rules.md': '# House rules\n\nWash your hands.\n',
  'docs/opening-hours.md': '# Opening hours\n\nSee [the rules](../devdocs/house-rules.md) and [prices](prices.md).\n',
  'docs/flours/rye.md': '# Rye\n\nSee [wheat](wheat.md).\n',
  'README.md': '# The bakery\n',
  'menu.txt': 'Bread.\n',
  '.specdex/config.yml': 'limits: { busy_ms: 20000 }\nignore: [menu.md]\n',
}

/** All but the menu and the configuration. */
const SOURCES = Object.keys(BAKERY).length - 2

/** The one verb whose answer is checked: bake, by way of knead, needs the house rules. */
const READERS = ['spec', 'readers', 'LOAF']
const ANSWER = '["cmd:bake:knead"]\n'

/** Everything that asks. */
const QUESTIONS: readonly (readonly string[])[] = [
  READERS,
  ['index'],
  ['status'],
  ['doctor'],
  ['spec', 'build', '--stdout'],
  ['spec', 'validate', '--soft'],
  ['sql', 'select count(*) from file_view'],
]

/** The same for places that differ little from another one; the long run asks everything everywhere. */
const SOME_QUESTIONS = QUESTIONS.slice(0, effort(2, QUESTIONS.length))

/** In `npm test` one half is asked by git and the other by walk, in the long run everything both ways. */
const HALF = effort(Math.ceil(QUESTIONS.length / 2), QUESTIONS.length)

/** A bakery with an index that also knows what is only cached when somebody asks. */
async function bakery(byGit: boolean): Promise<string> {
  const root = writeTree(path.join(tempFolder('noop'), 'bakery'), BAKERY)
  if (byGit) {
    initRepository(root)
    commitAll(root, 'Open the bakery')
  }
  const index = await updateIndex(await placeAt(root), false, quietWorld())
  expect(index.condition).toBe('built')
  indexedCorpusHash(index)
  index.close()
  return root
}

async function answered(words: readonly string[], root: string, env = {}): Promise<Ran> {
  const ran = await run(words, { cwd: root, env })
  expect({ words, code: ran.code, errors: /error|bug/i.exec(ran.stderr) }).toEqual({ words, code: 0, errors: null })
  return ran
}

/** Everything about every file and folder below `root` that a write would change. */
function imprint(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (relative: string): void => {
    const file = path.join(root, relative)
    const { ino, size, mode, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true })
    found[relative] = [ino, size, mode, mtimeNs, ctimeNs].join(' ')
    if (lstatSync(file).isDirectory()) for (const name of readdirSync(file)) visit(path.join(relative, name))
  }
  visit('.')
  const index = path.join(root, '.specdex/index.db')
  found['the bytes of the index'] = createHash('sha256').update(readFileSync(index)).digest('hex')
  return found
}

/** Room for what Node itself writes to wake its threads. A page of the index would be 4096 bytes. */
const NODE_ITSELF = 2048

/** Bytes written by a run's processes beyond what was printed; null where the system does not count. */
function writtenBeyond(notes: readonly Note[], ran: Ran): number | null {
  if (notes.some((note) => note.written === null)) return null
  return notes.reduce((sum, note) => sum + (note.written ?? 0), 0) - ran.printed
}

/** Runs every question and sees that it leaves no trace. */
async function expectNoTrace(root: string, questions = QUESTIONS): Promise<void> {
  const watched = watcher()
  // The first `sql` of all keeps beside the program what V8 compiled of its child (cli/start.ts), and who waits for a
  // child is charged with what that wrote.
  for (const words of questions) if (words[0] === 'sql') await answered(words, root)
  const before = imprint(root)
  for (const words of questions) {
    const ran = await answered(words, root, watched.env)
    if (words === READERS) expect(ran.stdout).toBe(ANSWER)
    expect(imprint(root), words.join(' ')).toEqual(before)
    const notes = watched.notes()
    expect(notes.length, words.join(' ')).toBe(words[0] === 'sql' ? 2 : 1)
    const beyond = writtenBeyond(notes, ran)
    if (beyond === null) console.warn('skipped because there is no /proc/self/io: counting the bytes of write calls')
    else expect(beyond, `${words.join(' ')}: ${JSON.stringify(notes)}`).toBeLessThan(NODE_ITSELF)
  }
}

/** What `specdex index --json` said. */
async function report(root: string): Promise<Record<string, unknown>> {
  return JSON.parse((await answered(['index', '--json'], root)).stdout) as Record<string, unknown>
}

/** New time stamps on every file. Git compares whole seconds, so it has to be another one. */
async function touchAll(root: string): Promise<void> {
  const other = Date.now() / 1000 - 100
  for (const file of Object.keys(BAKERY)) utimesSync(path.join(root, file), other, other)
  // A change is not trusted in the moment in which it happens.
  await new Promise((resolve) => setTimeout(resolve, 50))
}

describe.each([true, false])('by git: %s', (byGit) => {
  test('a second run leaves no trace', async () => {
    await expectNoTrace(await bakery(byGit), byGit ? QUESTIONS.slice(0, HALF) : QUESTIONS.slice(-HALF))
  })

  test('after a touch of every file: questions write nothing, `index` only bookkeeping and only once', async () => {
    const root = await bakery(byGit)
    await touchAll(root)
    await expectNoTrace(root, QUESTIONS.filter(([verb]) => verb !== 'index').slice(0, effort(1, QUESTIONS.length)))
    const before = imprint(root)
    const nothing = { condition: 'fresh', added: [], changed: [], removed: [], reextracted: [] }
    const rows = { file: SOURCES, node: 0, edge: 0, problem: 0, key: 0, deleted: 0 }
    const first = await report(root)
    expect(first).toMatchObject({ ...nothing, rows })
    expect(first['checked']).toBeGreaterThanOrEqual(SOURCES)
    expect(imprint(root)['the bytes of the index']).not.toBe(before['the bytes of the index'])
    expect(await report(root)).toMatchObject({ ...nothing, checked: 0, rows: {} })
    await expectNoTrace(root, QUESTIONS.slice(0, effort(1, QUESTIONS.length)))
  })

  test('after the whole checkout was moved', async () => {
    const root = await bakery(byGit)
    const moved = path.join(path.dirname(root), 'bakery on the market square')
    renameSync(root, moved)
    await expectNoTrace(moved, SOME_QUESTIONS)
  })

  test('no write transaction: what is prepared and run in this process', async () => {
    const root = await bakery(byGit)
    const place = await placeAt(root)
    const seen: string[] = []
    const { prepare, exec } = Database.prototype
    Database.prototype.prepare = function (this: Database.Database, sql: string) {
      seen.push(sql)
      return prepare.call(this, sql)
    } as typeof prepare
    Database.prototype.exec = function (this: Database.Database, sql: string) {
      seen.push(sql)
      return exec.call(this, sql)
    } as typeof exec
    onTestFinished(() => {
      Database.prototype.prepare = prepare
      Database.prototype.exec = exec
    })
    const begun = (): string[] => seen.filter((sql) => /^(BEGIN|INSERT|UPDATE|DELETE|CREATE|DROP)/.test(sql))
    for (const policy of ['repair', 'strict', 'as-is'] as const) {
      seen.length = 0
      const index = await openIndex(place, ['spec', 'docs'], policy, quietWorld())
      expect(index.condition).toBe(policy === 'as-is' ? 'as-is' : 'fresh')
      index.close()
      expect(new Set(begun()), policy).toEqual(new Set(['BEGIN']))
    }
    seen.length = 0
    const index = await updateIndex(place, false, quietWorld())
    index.close()
    expect(new Set(begun())).toEqual(new Set(['BEGIN']))

    // The same eyes see a refresh that has something to do.
    writeTree(root, { 'commands/taste.md': '# Taste\n' })
    seen.length = 0
    const repaired = await openIndex(place, ['spec'], 'repair', quietWorld())
    repaired.close()
    expect(begun()).toContain('BEGIN IMMEDIATE')
  })
})

test('an index that was restored into a fresh clone: no file is read, nothing is written', async () => {
  const root = await bakery(true)
  const clone = path.join(tempFolder('clone'), 'clone')
  cloneRepository(root, clone)
  mkdirSync(path.join(clone, '.specdex'), { recursive: true })
  for (const name of ['index.db', '.gitignore']) {
    copyFileSync(path.join(root, '.specdex', name), path.join(clone, '.specdex', name))
  }
  const before = imprint(clone)
  expect(await report(clone)).toMatchObject({
    condition: 'fresh',
    mode: 'git',
    checked: 0,
    added: [],
    changed: [],
    removed: [],
    rows: {},
  })
  expect(imprint(clone)).toEqual(before)
  await expectNoTrace(clone, SOME_QUESTIONS)
  // The clone's own edits are seen, and only they.
  writeTree(clone, { 'commands/deliver.md': '# Deliver by bicycle\n' })
  expect(await report(clone)).toMatchObject({ condition: 'repaired', changed: ['commands/deliver.md'], checked: 0 })
})

/** Makes the tree readable for everybody and writable for nobody but root. */
function closeToWriters(root: string): void {
  const visit = (file: string): void => {
    const stat = lstatSync(file)
    chmodSync(file, stat.isDirectory() ? 0o555 : 0o444)
    if (stat.isDirectory()) for (const name of readdirSync(file)) visit(path.join(file, name))
  }
  visit(root)
  chmodSync(path.dirname(root), 0o755)
}

describe.each(effort(1, 2) === 1 ? [true] : [true, false])('a read-only checkout, by git: %s', (byGit) => {
  const asGuest = async (words: readonly string[], root: string): Promise<Ran> => run(words, { cwd: root, uid: NOBODY })

  test('fresh, stale and without an index', async (context) => {
    const root = await bakery(byGit)
    closeToWriters(root)
    // `specdex index` has nowhere to write to, and says so.
    for (const words of QUESTIONS.filter(([verb]) => verb !== 'index').slice(0, effort(2, 6))) {
      const before = imprint(root)
      const { code, stdout, stderr } = await asGuest(words, root)
      if (words === READERS && /EACCES|MODULE_NOT_FOUND/.test(stderr)) {
        console.warn(`skipped because another user cannot run the command here: ${stderr.split('\n')[0]}`)
        context.skip()
      }
      expect({ words, code, errors: /error|bug/i.exec(stderr) }).toEqual({ words, code: 0, errors: null })
      if (words === READERS) expect({ stdout, stderr }).toEqual({ stdout: ANSWER, stderr: '' })
      expect(imprint(root), words.join(' ')).toEqual(before)
    }

    // Somebody who may write adds a reader; the guest is told once that the answer is from memory.
    chmodSync(path.join(root, 'commands'), 0o755)
    writeTree(root, { 'commands/taste.md': '# Taste\n\nRead the `FORGE:LOAF` comment.\n' })
    const stale = imprint(root)
    const { code, stdout, stderr } = await asGuest(READERS, root)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '["cmd:bake:knead","cmd:taste"]\n' })
    expect(stderr.split('\n')).toEqual([expect.stringMatching(/memory/), ''])
    const rows = await asGuest(['sql', '--csv', "select path from file_view where path like '%taste%'"], root)
    expect(rows).toMatchObject({ code: 0, stdout: 'path\r\ncommands/taste.md\r\n' })
    expect(rows.stderr.split('\n')).toHaveLength(2)
    expect(imprint(root)).toEqual(stale)

    // Without any index it is the same.
    chmodSync(path.join(root, '.specdex'), 0o755)
    renameSync(path.join(root, '.specdex/index.db'), path.join(root, 'menu.db'))
    chmodSync(path.join(root, '.specdex'), 0o555)
    const none = await asGuest(READERS, root)
    expect(none).toMatchObject({ code: 0, stdout: '["cmd:bake:knead","cmd:taste"]\n' })
    expect(none.stderr.split('\n')).toHaveLength(2)
    expect(readdirSync(path.join(root, '.specdex')).sort()).toEqual(['.gitignore', 'config.yml'])
  })
})
