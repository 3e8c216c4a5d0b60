// Sixteen real processes at once, eight in `npm test`, on one tree: on a missing index, and while somebody edits. Nobody fails, nobody is
// told that anything is busy, and every answer is that of one state of the tree. And the one case in which somebody is
// told: a writer that was stopped in the middle of its work.

import { createHash } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { updateIndex } from '../../src/indexing/session.ts'
import { openStore } from '../../src/store/open.ts'
import { startChild, withChildren } from '../store/bakery.ts'
import { effort } from '../support/effort.ts'
import { commitAll, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { placeAt, quietWorld } from './child-index.ts'
import { gate, namesInIndexFolder, type Ran, run } from './child-process.ts'

withChildren()

/** The order of the day: all of its lines change with the day. */
function order(day: number): string {
  const lines = Array.from({ length: 12 }, (_, i) => `Read the \`FORGE:DAY_${day}_LOAF_${i}\` comment.`)
  return `# Order of day ${day}\n\nSkill("bake")\n${lines.join('\n')}\n`
}

function bakery(): Record<string, string> {
  const files: Record<string, string> = {
    'commands/order.md': order(0),
    'commands/bake.md': '# Bake\n\nRead the `FORGE:RECIPE` comment.\nSkill("bake:knead")\nbash scripts/preheat.sh\n',
    'commands/bake/knead.md': '# Knead\n\nRe-read FORGE:RECIPE when the dough is slack.\n',
    'scripts/preheat.sh': '#!/bin/sh\n',
    'devdocs/house-rules.md': '# House rules\n',
  }
  for (let i = 0; i < effort(30, 400); i++) {
    files[`commands/loaves/loaf-${i}.md`] = `# Loaf ${i}\n\nRead the \`FORGE:FLOUR\` comment.\nSkill("bake")\n`
    files[`docs/notes/note-${i}.md`] = `# Note ${i}\n\nSee [next](note-${i + 1}.md).\n`
  }
  return files
}

const LOAVES = Array.from({ length: effort(30, 400) }, (_, i) => `cmd:loaves:loaf-${i}`).sort()
const FILES = Object.keys(bakery()).length

/** Judges one answer. `days` are the days that it may speak of. */
type Judge = (answer: string, days: { readonly from: number; readonly to: number }) => void

function aDay(found: readonly number[], loaves: number, days: { from: number; to: number }): void {
  expect(found).toHaveLength(loaves)
  expect(new Set(found).size, `one day, not a mixture: ${found.join()}`).toBe(1)
  expect(found[0]).toBeGreaterThanOrEqual(days.from)
  expect(found[0]).toBeLessThanOrEqual(days.to)
}

function daysIn(text: string): number[] {
  return [...text.matchAll(/DAY_(\d+)_LOAF/g)].map(([, day]) => Number(day))
}

interface Document {
  readonly graph: { readonly builtFromHash: string; readonly edges: readonly { to: string; type: string }[] }
}

/** The contract's fingerprint of the corpora on that day. */
function fingerprint(day: number): string {
  const files = { ...bakery(), 'commands/order.md': order(day) }
  const hash = createHash('sha256')
  for (const [file, text] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!file.startsWith('docs/')) hash.update(`${file}\0${text}\0`)
  }
  return hash.digest('hex')
}

const CALLS: readonly (readonly [string[], Judge])[] = [
  [['spec', 'readers', 'FLOUR'], (answer) => expect(JSON.parse(answer)).toEqual(LOAVES)],
  [['index'], (answer) => expect(answer).toMatch(/^\d+ added, \d+ changed, \d+ removed, \d+ unchanged/)],
  [['spec', 'deps', 'order'], (answer, days) => aDay(daysIn(answer), 12, days)],
  [
    ['spec', 'impact', 'preheat.sh'],
    (answer) => expect(JSON.parse(answer)).toEqual(['cmd:bake', ...LOAVES, 'cmd:order'].sort()),
  ],
  [
    ['spec', 'build', '--stdout'],
    (answer, days) => {
      const { graph } = JSON.parse(answer) as Document
      const read = graph.edges.filter((edge) => edge.type === 'READS').map((edge) => edge.to)
      expect(read.filter((to) => to === 'ann:FORGE:FLOUR')).toHaveLength(LOAVES.length)
      aDay(daysIn(read.join()), 12, days)
      expect(graph.builtFromHash, 'facts and fingerprint of one state').toBe(fingerprint(daysIn(read.join())[0] ?? 0))
    },
  ],
  [
    ['sql', '--json', "select target from graph_edge where source = 'cmd:order' and type = 'READS'"],
    (answer, days) => aDay(daysIn(answer), 12, days),
  ],
  [['spec', 'load-set', 'order'], (answer) => expect(JSON.parse(answer)).toContain('commands/bake/knead.md')],
  [['status'], (answer) => expect(answer).toMatch(/^index: (missing|locked|stale|fresh|hot-journal)/)],
]

interface Edits {
  readonly day: () => number
  readonly stop: () => void
}

/** How often everything is asked at once: eight processes, or sixteen. */
const TIMES = effort(1, 2)

/** Processes started together, while days may pass. */
async function crowd(root: string, edits: Edits): Promise<void> {
  const start = gate()
  const calls = Array.from({ length: TIMES }, () => CALLS).flat()
  const running = calls.map(async ([words, judge]) => {
    const ran = await run(words, { cwd: root, env: start.env })
    return { words, judge, ran, to: edits.day() }
  })
  await start.open(calls.length)
  const from = edits.day()
  for (const { words, judge, ran, to } of await Promise.all(running)) {
    const what = `specdex ${words.join(' ')}`
    expect({ what, code: ran.code, stderr: unwelcome(ran) }).toEqual({ what, code: 0, stderr: '' })
    judge(ran.stdout, { from, to })
  }
  edits.stop()
  const { code, stdout, stderr } = await run(['index', '--verify', '--json'], { cwd: root })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ verified: true })
  expect(namesInIndexFolder(root)).toEqual(expect.arrayContaining(['.gitignore', 'index.db']))
  expect(namesInIndexFolder(root).filter((name) => /journal|corrupt|mutex|tmp/.test(name))).toEqual([])
}

/** Lines of stderr that should not be there: all but the summary of an export and the word that something was stale. */
function unwelcome({ stdout, stderr }: Ran): string {
  expect(`${stdout}${stderr}`).not.toMatch(/busy|sqlite|locked by/i)
  return stderr
    .split('\n')
    .filter((line) => !/^(spec-graph: \d+ nodes| {2}|stale-graph)/.test(line))
    .join('\n')
}

const EDIT_EVERY_MS = 150
/** On a busy machine sixteen processes can take minutes. */
const PATIENCE_MS = effort(180_000, 10 * 60_000)

function tree(byGit: boolean): string {
  const root = writeTree(tempFolder('crowd'), bakery())
  if (byGit) {
    initRepository(root)
    commitAll(root, 'Open the bakery')
  }
  return root
}

/** [by git, with an index, edited meanwhile]; the short run does all of it at once. */
const CROWDS: readonly (readonly [boolean, boolean, boolean])[] =
  effort(1, 2) === 1
    ? [[true, false, true]]
    : [true, false].flatMap((byGit) => [
        [byGit, false, false],
        [byGit, false, true],
        [byGit, true, true],
      ])

test.each(CROWDS)(
  `${TIMES * CALLS.length} processes at once (by git: %s, on an index: %s, edited: %s)`,
  async (byGit, indexed, edited) => {
    const root = tree(byGit)
    // On a loaded machine sixteen scans at once can take longer than anybody would wait at home.
    writeTree(root, { '.specdex/config.yml': 'limits: { busy_ms: 60000 }\n' })
    if (indexed) await run(['index', '--quiet'], { cwd: root })
    let day = 0
    const turn = (): void => {
      // The day is over when the order of the next one lies there whole.
      writeFileSync(path.join(root, 'order.tmp'), order(day + 1))
      renameSync(path.join(root, 'order.tmp'), path.join(root, 'commands/order.md'))
      day++
      // Documents come and go as well; nobody is asked about them before the end.
      rmSync(path.join(root, `docs/notes/day-${day - 1}.md`), { force: true })
      writeTree(root, { [`docs/notes/day-${day}.md`]: `# Day ${day}\n` })
      if (day % 2 === 0) rmSync(path.join(root, 'docs/specials'), { recursive: true })
      else writeTree(root, { 'docs/specials/today.md': `# Special of day ${day}\n` })
    }
    const timer = edited ? setInterval(turn, EDIT_EVERY_MS) : undefined
    onTestFinished(() => clearInterval(timer))
    await crowd(root, { day: () => day, stop: () => clearInterval(timer) })
    if (edited) expect(day).toBeGreaterThan(1)
  },
  PATIENCE_MS,
)

/** An indexed bakery with little patience. */
async function impatient(): Promise<string> {
  const config = { '.specdex/config.yml': `limits: { busy_ms: ${BUSY_MS} }\n` }
  const root = writeTree(tempFolder('held'), { ...bakery(), ...config })
  const index = await updateIndex(await placeAt(root), false, quietWorld())
  index.close()
  return root
}

const BUSY_MS = 300
const BUSY = /^(error|ERROR): the index .*index\.db is held by another process \(waited 300 ms\)\n(hint:| {2})[^\n]+\n$/

test('a writer that was stopped while it holds the lock: readers answer, writers are told in time', async () => {
  const root = await impatient()
  const holder = await startChild('hold', { location: (await placeAt(root)).location })
  await holder.next()
  holder.process.kill('SIGSTOP')

  const fresh = await run(['spec', 'deps', 'order'], { cwd: root })
  expect({ code: fresh.code, stderr: fresh.stderr }).toEqual({ code: 0, stderr: '' })
  aDay(daysIn(fresh.stdout), 12, { from: 0, to: 0 })
  // Nothing to write: an index that is up to date needs no lock.
  expect(await run(['index', '--quiet'], { cwd: root })).toMatchObject({ code: 0, stderr: '' })

  writeTree(root, { 'commands/order.md': order(1) })
  const [index, query, asIs, strict, sql, status] = await Promise.all(
    [
      ['index'],
      ['spec', 'deps', 'order'],
      ['spec', 'deps', 'order', '--no-stale-check'],
      ['spec', 'deps', 'order', '--strict-stale'],
      ['sql', '--no-stale-check', '--csv', 'select count(*) as files from file_view'],
      ['status'],
    ].map((words) => run(words, { cwd: root })),
  )
  for (const told of [index, query]) {
    expect(told?.code).toBe(2)
    expect(told?.stdout).toBe('')
    expect(told?.stderr).toMatch(BUSY)
    // Whatever the machine is busy with, the others bear it as well.
    expect(told?.ms).toBeLessThan(BUSY_MS + 2000 + Math.max(fresh.ms, strict?.ms ?? 0))
  }
  expect(asIs).toMatchObject({ code: 0, stderr: '' })
  aDay(daysIn(asIs?.stdout ?? ''), 12, { from: 0, to: 0 })
  expect(strict).toMatchObject({ code: 1, stdout: '' })
  expect(sql).toMatchObject({ code: 0, stdout: expect.stringContaining(String(FILES)), stderr: '' })
  expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('index: locked'), stderr: '' })

  // Woken up and gone, it leaves nothing behind that keeps the next one.
  holder.process.kill('SIGKILL')
  await holder.ended
  const after = await run(['spec', 'deps', 'order'], { cwd: root })
  expect(after.code).toBe(0)
  aDay(daysIn(after.stdout), 12, { from: 1, to: 1 })
  expect((await run(['index', '--verify'], { cwd: root })).stdout).toContain('verified')
})

test('a writer that was stopped in the middle of its commit shuts readers out, who are told in time', async () => {
  const root = await impatient()
  const store = openStore((await placeAt(root)).location, { busyMs: 0, create: false })
  store.db.exec('PRAGMA query_only = OFF; BEGIN EXCLUSIVE')
  try {
    const told = await Promise.all(
      [['spec', 'deps', 'order', '--no-stale-check'], ['index'], ['sql', 'select 1'], ['spec', 'deps', 'order']]
        .slice(0, effort(2, 4))
        .map((words) => run(words, { cwd: root })),
    )
    for (const { code, stdout, stderr, ms } of told) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(BUSY)
      expect(ms).toBeLessThan(10_000)
    }
    expect(await run(['status'], { cwd: root })).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['doctor'], { cwd: root })).toMatchObject({ code: 0, stderr: '' })
  } finally {
    store.db.exec('ROLLBACK')
    store.close()
  }
  expect(await run(['spec', 'deps', 'order'], { cwd: root })).toMatchObject({ code: 0, stderr: '' })
})
