// What a refresh does, and how little of it: for each way in which a tree or its configuration changes, with git and
// without, the files that are read, extracted again, and written about. That the outcome is right is checked everywhere.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { World } from '../../src/model/clock.ts'
import { fingerprintName, generationName, getGeneration, META, setMeta } from '../../src/store/meta.ts'
import { asNobody, NOBODY } from '../scan/pantry.ts'
import { effort } from '../support/effort.ts'
import { initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { ALL, BAKERY, bakery, DOCS, indexed, SPEC } from './bakery.ts'
import {
  expectEqualToFresh,
  fileStamp,
  pause,
  runIndex,
  runQuery,
  storedDump,
  WITHOUT_GIT,
  WORLD,
  withStored,
} from './kitchen.ts'

/** Another second than any in which the tests run: git compares times by the second. */
const LONG_AGO = 1_700_000_000

function touchAll(root: string): void {
  for (const name of Object.keys(BAKERY)) utimesSync(path.join(root, name), LONG_AGO, LONG_AGO)
}

const WORLDS: readonly (readonly [string, World])[] = [
  ['without git', WITHOUT_GIT],
  ['in a repository', WORLD],
]

describe.each(WORLDS)('what a listing finds, %s', (_name, world) => {
  test('the first index adds everything; the second does nothing', async () => {
    const root = world === WITHOUT_GIT ? tempTree(BAKERY, 'changes') : initRepository(tempFolder('changes'), BAKERY)
    await pause()
    const { condition, mode, report } = await indexed(root, { added: ALL }, world)
    expect(condition).toBe('built')
    expect(mode).toBe(world === WITHOUT_GIT ? 'walk' : 'git')
    expect(report.rows['node']).toBeGreaterThan(ALL.length)
    expect((await runIndex(root, world)).report.unchanged).toBe(ALL.length)
  })

  test('an edit, a new file, a removed one, a renamed one', async () => {
    const root = await bakery(world)
    writeTree(root, { 'docs/rye.md': '# Rye!\n', 'docs/oats.md': '# Oats\n' })
    rmSync(path.join(root, 'devdocs'), { recursive: true })
    renameSync(path.join(root, 'commands/rest.md'), path.join(root, 'commands/wait.md'))
    await indexed(
      root,
      {
        added: ['commands/wait.md', 'docs/oats.md'],
        changed: ['docs/rye.md'],
        removed: ['commands/rest.md', 'devdocs/flour.md'],
      },
      world,
    )
  })

  test('every file touched: read once, nothing extracted; a query writes nothing, the index repairs its bookkeeping', async () => {
    const root = await bakery(world)
    touchAll(root)
    await pause()
    const stamp = fileStamp(root)
    for (let i = 0; i < 2; i++) {
      const query = await runQuery(root, ['spec', 'docs'], world)
      expect(query.condition).toBe('fresh')
      expect(query.plan?.read).toBe(ALL.length)
    }
    expect(fileStamp(root)).toBe(stamp)
    const { report } = await indexed(root, { checked: ALL.length }, world)
    expect(report.unchanged).toBe(ALL.length)
  })

  test('an edit of the same size in the same instant', async () => {
    const root = await bakery(world)
    for (let i = 0; i < effort(4, 12); i++) {
      writeTree(root, { 'docs/rye.md': `# Rye ${'ab'[i % 2]}\n` })
      await runIndex(root, world)
      writeTree(root, { 'docs/rye.md': `# Rye ${'ba'[i % 2]}\n` })
      await runIndex(root, world)
      expect(storedDump(root).some((line) => line.includes(`Rye ${'ba'[i % 2]}`))).toBe(true)
    }
    await expectEqualToFresh(root, world)
  })

  test('an edit of the same size that puts the time back', async () => {
    const root = await bakery(world)
    const file = path.join(root, 'docs/rye.md')
    const { atime, mtime, size } = statSync(file)
    writeFileSync(file, BAKERY['docs/rye.md'].replace('Rye', 'Oat'))
    utimesSync(file, atime, mtime)
    expect(statSync(file)).toMatchObject({ size, mtime })
    await indexed(root, { changed: ['docs/rye.md'] }, world)
  })

  test('a file that becomes a folder and a file again', async () => {
    const root = await bakery(world)
    rmSync(path.join(root, 'commands/knead.md'))
    writeTree(root, { 'commands/knead.md/deep.md': '# Deep\n' })
    await indexed(root, { added: ['commands/knead.md/deep.md'], changed: ['commands/knead.md'] }, world)
    rmSync(path.join(root, 'commands/knead.md'), { recursive: true })
    writeTree(root, { 'commands/knead.md': BAKERY['commands/knead.md'] })
    await indexed(root, { changed: ['commands/knead.md'], removed: ['commands/knead.md/deep.md'] }, world)
  })

  test('documents that become ignored, and are no longer', async () => {
    const root = await bakery(world)
    writeTree(root, { 'docs/draft.md': '# Draft\n', 'commands/draft.md': '# Draft\n' })
    await indexed(root, { added: ['commands/draft.md', 'docs/draft.md'] }, world)
    writeTree(root, { '.gitignore': '.specdex/\ndraft.md\n' })
    // The spec corpora know no ignore rules: there the file loses one of its two families.
    await indexed(root, { removed: ['docs/draft.md'], reextracted: ['commands/draft.md'] }, world)
    writeTree(root, { '.gitignore': '.specdex/\n' })
    await indexed(root, { added: ['docs/draft.md'], reextracted: ['commands/draft.md'] }, world)
  })

  test.each([
    ['both families', ''],
    ['specs alone', 'families: [spec]\n'],
    ['documents alone', 'families: [docs]\n'],
  ])('a folder that is closed and opened again, for %s', async (_families, config) => {
    const root = await bakery(world)
    writeTree(root, { 'commands/oven/heat.md': '# Heat\n', '.specdex/config.yml': config })
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, root])
    // Git may not look into the home of whoever runs the tests.
    const own = { ...world, env: { ...world.env, HOME: root } }
    await asNobody(() => runIndex(root, own))
    const oven = ['commands/oven']
    const heat = ['commands/oven/heat.md']
    chmodSync(path.join(root, 'commands/oven'), 0)
    await asNobody(() => indexed(root, { added: oven, removed: heat, checked: expect.any(Number) }, own))
    chmodSync(path.join(root, 'commands/oven'), 0o755)
    await asNobody(() => indexed(root, { added: heat, removed: oven, checked: expect.any(Number) }, own))
  })

  test('a linked top folder, inside and outside', async () => {
    const root = await bakery(world)
    renameSync(path.join(root, 'devdocs'), path.join(root, 'real'))
    symlinkSync('real', path.join(root, 'devdocs'))
    // The same path through the link: a spec still, a document no more (that one is `real/flour.md`).
    const byGit = { added: ['real/flour.md'], reextracted: ['devdocs/flour.md'] }
    await runIndex(root, world)
    await expectEqualToFresh(root, world)
    expect(storedDump(root).filter((line) => line.startsWith('["file"') && line.includes('flour'))).toHaveLength(2)
    expect(byGit.added).toHaveLength(1)
    rmSync(path.join(root, 'devdocs'))
    symlinkSync('/etc', path.join(root, 'devdocs'))
    await indexed(root, { added: ['devdocs'], removed: ['devdocs/flour.md'] }, world)
  })
})

// Here it matters little who made the list: `npm test` asks without git, the long run both ways.
describe.each(WORLDS.slice(0, effort(1, 2)))('what is done with it, %s', (_name, world) => {
  test('a file that was young when it was read is not trusted, however late that is written down', async () => {
    const root = await bakery(world)
    const young = (): unknown =>
      withStored(root, (store) =>
        store.db
          .prepare('SELECT f.stat FROM file f JOIN key k ON k.id = f.id WHERE k.text = ?')
          .pluck()
          .get('docs/rye.md'),
      )
    const file = path.join(root, 'docs/rye.md')
    for (const edit of [false, true]) {
      if (edit) writeTree(root, { 'docs/rye.md': '# Rye 2\n' })
      else utimesSync(file, LONG_AGO, LONG_AGO)
      const { ctimeMs } = statSync(file)
      // The first look at the clock is before the scan and the last one when the row is written; for an edited file
      // there is one before it is read.
      let looks = 0
      const slow: World = { ...world, now: () => ctimeMs + (looks++ < (edit ? 2 : 1) ? 5 : 10_000) }
      await runIndex(root, slow)
      expect(looks).toBeGreaterThan(edit ? 1 : 0)
      expect(young()).toBeNull()
      await pause()
      await runIndex(root, world)
      expect(young()).not.toBeNull()
    }
  })

  test('a file removed and put back', async () => {
    const root = await bakery(world)
    const before = storedDump(root)
    rmSync(path.join(root, 'docs/rye.md'))
    await indexed(root, { removed: ['docs/rye.md'] }, world)
    writeTree(root, { 'docs/rye.md': BAKERY['docs/rye.md'] })
    await indexed(root, { added: ['docs/rye.md'] }, world)
    expect(storedDump(root)).toEqual(before)
  })

  test('a renamed checkout', async () => {
    const root = await bakery(world)
    renameSync(root, `${root}-moved`)
    mkdirSync(root)
    renameSync(`${root}-moved`, path.join(root, 'shop'))
    const { plan } = await indexed(path.join(root, 'shop'), {}, world)
    expect(plan.read).toBe(0)
  })

  test('roots, include and ignore lists, limits: only what they concern is extracted again', async () => {
    const root = await bakery(world)
    const configure = (text: string): unknown => writeTree(root, { '.specdex/config.yml': text })
    const both = DOCS.filter((name) => SPEC.includes(name))
    configure('roots: [docs]\n')
    await indexed(root, { removed: ['README.md'], reextracted: [...both, 'docs/rye.md', 'docs/spelt.md'] }, world)
    configure('roots: [docs]\nignore: [docs/rye.md]\n')
    await indexed(root, { removed: ['docs/rye.md'], reextracted: ['docs/spelt.md'] }, world)
    configure('include: [README.md, "docs/*.md"]\nlimits: {file_bytes: 10}\n')
    // A limit on bytes holds for source files too.
    const source = 'scripts/oven.sh'
    await indexed(root, { added: ['README.md', 'docs/rye.md'], reextracted: ['docs/spelt.md', source] }, world)
    configure('limits: {file_bytes: 11}\n')
    const { report } = await indexed(root, { reextracted: [...DOCS, source] }, world)
    expect(report.unchanged).toBe(0)
    configure('compat: forgedock-1.7\nlimits: {file_bytes: 11, busy_ms: 5}\n')
    await indexed(root, {}, world)
  })

  test('families switched off and on again', async () => {
    const root = await bakery(world)
    const before = storedDump(root)
    const both = DOCS.filter((name) => SPEC.includes(name))
    const alone = DOCS.filter((name) => !SPEC.includes(name))
    writeTree(root, { '.specdex/config.yml': 'families: [spec]\n' })
    // The script goes on being a spec file, and is no source file any more.
    await indexed(root, { removed: alone, reextracted: [...both, 'scripts/oven.sh'] }, world)
    await expect(runQuery(root, ['docs'], world)).rejects.toThrow("'docs' is switched off")
    writeTree(root, { 'docs/spelt.md': '# Spelt flour\n' })
    await indexed(root, {}, world)
    writeTree(root, { 'docs/spelt.md': BAKERY['docs/spelt.md'], '.specdex/config.yml': 'families: [docs]\n' })
    await indexed(root, { added: alone, removed: ['scripts/oven.sh'], reextracted: both }, world)
    rmSync(path.join(root, '.specdex/config.yml'))
    await indexed(root, { added: ['scripts/oven.sh'], reextracted: both }, world)
    expect(storedDump(root)).toEqual(before)
  })

  test.each(['spec', 'docs'] as const)('another extractor of the %s family: that family, once', async (family) => {
    const root = await bakery(world)
    const generations = (): number[] =>
      withStored(root, (store) => (['spec', 'docs'] as const).map((name) => getGeneration(store, generationName(name))))
    const before = generations()
    withStored(root, (store) => store.write(() => setMeta(store, fingerprintName(family), 'an older one')))
    // The other family neither notices nor waits.
    const other = await runQuery(root, [family === 'spec' ? 'docs' : 'spec'], world)
    expect(other.condition).toBe('fresh')
    const stale = await runQuery(root, [family], world, 'strict')
    expect(stale.condition).toBe('stale')
    await indexed(root, { reextracted: family === 'spec' ? SPEC : DOCS }, world)
    // Files of both families were written anew, so both moved on.
    expect(generations()).toEqual(before.map((generation) => generation + 1))
  })

  test('--full extracts everything again and changes nothing', async () => {
    const root = await bakery(world)
    const before = storedDump(root)
    writeTree(root, { 'docs/rye.md': '# Rye 2\n' })
    const { report } = await runIndex(root, world, true)
    expect(report).toMatchObject({ added: [], changed: ['docs/rye.md'], removed: [] })
    expect(report.reextracted).toEqual(ALL.filter((name) => name !== 'docs/rye.md'))
    writeTree(root, { 'docs/rye.md': BAKERY['docs/rye.md'] })
    await runIndex(root, world, true)
    expect(storedDump(root)).toEqual(before)
  })

  test('a query repairs its own family, and the other learns of it', async () => {
    const root = await bakery(world)
    writeTree(root, {
      'commands/knead.md': '# Knead 2\n\nRe-read FORGE:WATER.\n',
      'commands/new.md': '# New\n',
      'docs/rye.md': '# Rye 2\n',
    })
    rmSync(path.join(root, 'commands/rest.md'))
    await pause()
    const spec = await runQuery(root, ['spec'], world)
    expect(spec.condition).toBe('repaired')
    expect(spec.report).toMatchObject({
      added: ['commands/new.md'],
      changed: ['commands/knead.md'],
      removed: ['commands/rest.md'],
    })
    expect((await runQuery(root, ['spec'], world)).condition).toBe('fresh')
    expect(storedDump(root).some((line) => line.includes('"Rye 2"'))).toBe(false)
    // What the spec query rewrote is right for documents too, only not yet proved; what it added is no document yet.
    await indexed(root, { changed: ['docs/rye.md'], reextracted: ['commands/new.md'] }, world)
  })

  test('a fresh repair by a query of documents, then of specs', async () => {
    const root = await bakery(world)
    writeTree(root, { 'commands/knead.md': '# Knead 3\n', 'scripts/oven.sh': 'echo cold\n' })
    await pause()
    expect((await runQuery(root, ['docs'], world)).report?.changed).toEqual(['commands/knead.md'])
    expect((await runQuery(root, ['spec'], world)).report?.changed).toEqual(['scripts/oven.sh'])
    await indexed(root, {}, world)
  })
})

test('the parsed configuration is kept by content, and not believed when it has another shape', async () => {
  const root = await bakery()
  writeTree(root, { '.specdex/config.yml': 'roots: [docs]\n' })
  await runIndex(root)
  const kept = withStored(root, (store) =>
    store.db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(META.config),
  )
  expect(kept).toContain('"roots":["docs"]')
  for (const forged of [
    String(kept).replace('["docs"]', '"/etc"'),
    String(kept).replace('"roots":["docs"],', ''),
    `${String(kept).split(':')[0]}:{`,
  ]) {
    withStored(root, (store) => store.write(() => setMeta(store, META.config, forged)))
    const { report } = await runIndex(root)
    expect(report).toMatchObject({ added: [], changed: [], removed: [], reextracted: [] })
    await expectEqualToFresh(root)
  }
})

test('an absent root is an empty corpus to a query, is not created, and is an error to index', async () => {
  const root = path.join(tempFolder('changes'), 'nowhere')
  const query = await runQuery(root, ['spec'])
  expect(query.condition).toBe('built')
  expect(query.store.inMemory).toBe(true)
  expect(() => statSync(root)).toThrow()
  await expect(runIndex(root)).rejects.toThrow('there is no folder')
})
