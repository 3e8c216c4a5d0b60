// The proof by stamp, in repositories so large that reading git's index takes its time: it must hold exactly as long as
// the long way would find nothing.

import { renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FAMILY_BIT } from '../../src/model/families.ts'
import { STAMPS_FROM, scan } from '../../src/scan/scan.ts'
import { MOST_OTHERS } from '../../src/scan/stamp.ts'
import { fingerprintName, getMeta, setMeta, stampName } from '../../src/store/meta.ts'
import { Writer } from '../../src/store/writer.ts'
import { gitEnvironment, gitWith } from '../scan/pantry.ts'
import { effort } from '../support/effort.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { ALL, BAKERY, DOCS, type Done, indexed, SPEC } from './bakery.ts'
import { fileStamp, pause, placeAt, runIndex, runQuery, WORLD, withStored } from './kitchen.ts'

describe('in a large repository', () => {
  /** A bakery in whose index there are many files that are of no interest, and need not even be there. */
  async function large(): Promise<string> {
    const root = initRepository(tempFolder('changes'), BAKERY)
    const blob = git(root, ['rev-parse', 'HEAD:README.md'])
    const lines = Array.from({ length: STAMPS_FROM }, (_, i) => `100644 ${blob}\tlogs/${i}.txt\n`)
    gitWith(lines.join(''), root, ['update-index', '--index-info'])
    gitWith(git(root, ['ls-files', 'logs']), root, ['update-index', '--skip-worktree', '--stdin'])
    await pause()
    await runIndex(root)
    return root
  }

  /** True where the last proof ended without reading git's index. */
  function short({ plan }: { plan: { stamps: ReadonlyMap<string, string | null> } | null }, root: string): boolean {
    const stamps = withStored(root, (store) =>
      (['spec', 'docs'] as const).map((family) => getMeta(store, stampName(family))),
    )
    return plan !== null && [...plan.stamps.values()].every((stamp) => stamp !== null && stamps.includes(stamp))
  }

  test('the proof takes the short way while nothing differs from the index that was seen', async () => {
    const root = await large()
    expect(short(await runQuery(root, ['spec', 'docs']), root)).toBe(true)
    expect(short(await runQuery(root, ['spec']), root)).toBe(true)
    expect((await runIndex(root)).report.unchanged).toBe(ALL.length)
    // Another index, the same documents: `index` learns it, a query would not write.
    git(root, ['update-index', '--force-remove', 'logs/7.txt'])
    const stamp = fileStamp(root)
    const query = await runQuery(root, ['spec', 'docs'])
    expect(query.condition).toBe('fresh')
    expect(short(query, root)).toBe(false)
    expect(fileStamp(root)).toBe(stamp)
    await indexed(root, {})
    expect(short(await runQuery(root, ['docs']), root)).toBe(true)
  })

  const edits: Record<string, [(root: string) => void, Done]> = {
    'an edit': [(root) => writeTree(root, { 'docs/rye.md': '# Rye 2\n' }), { changed: ['docs/rye.md'] }],
    'a new ignored spec': [
      (root) => writeTree(root, { '.git/info/exclude': '*.md\n', 'commands/new.md': '' }),
      { added: ['commands/new.md'] },
    ],
    'another configuration': [
      (root) => writeTree(root, { '.specdex/config.yml': 'ignore: [docs]\n' }),
      {
        removed: ['docs/rye.md', 'docs/spelt.md'],
        reextracted: DOCS.filter((name) => !name.startsWith('docs/')),
      },
    ],
    'another extractor': [
      (root) => withStored(root, (store) => store.write(() => setMeta(store, fingerprintName('spec'), 'older'))),
      { reextracted: SPEC },
    ],
    // From here on in the long run.
    'a document removed': [(root) => rmSync(path.join(root, 'docs/rye.md')), { removed: ['docs/rye.md'] }],
    'a spec that becomes a link': [
      (root) => {
        rmSync(path.join(root, 'scripts/oven.sh'))
        symlinkSync('/etc/hostname', path.join(root, 'scripts/oven.sh'))
      },
      { changed: ['scripts/oven.sh'] },
    ],
    'a new document': [(root) => writeTree(root, { 'docs/oats.md': '' }), { added: ['docs/oats.md'] }],
  }
  test.each(Object.keys(edits).slice(0, effort(4, Number.POSITIVE_INFINITY)))('%s is seen', async (name) => {
    const root = await large()
    const [edit, done] = edits[name] ?? [() => {}, {}]
    edit(root)
    expect((await runQuery(root, ['spec', 'docs'], WORLD, 'strict')).condition).toBe('stale')
    await pause()
    await indexed(root, done)
  })

  test('a tracked link is followed up', async () => {
    const root = await large()
    writeTree(root, { 'notes.txt': 'x' })
    symlinkSync('notes.txt', path.join(root, 'NOTES.md'))
    git(root, ['add', 'notes.txt', 'NOTES.md'])
    await indexed(root, {})
    expect(short(await runQuery(root, ['docs']), root)).toBe(true)
    rmSync(path.join(root, 'notes.txt'))
    symlinkSync('/etc/hostname', path.join(root, 'notes.txt'))
    await indexed(root, { added: ['NOTES.md'] })
  })

  test('a repair of one family takes the short way of the other away', async () => {
    const root = await large()
    writeTree(root, { 'commands/knead.md': '# Knead 2\n' })
    await pause()
    await runQuery(root, ['spec'])
    git(root, ['checkout', '--quiet', '--', 'commands/knead.md'])
    // The index of git may be, byte by byte, the one of before; the rows are not.
    await indexed(root, { changed: ['commands/knead.md'] })
  })

  test('a stamp that another process took away meanwhile proves nothing', async () => {
    const root = await large()
    const query = runQuery(root, ['docs'])
    // While git is at work, somebody indexes a tree from which a document was gone for a moment.
    await new Promise((resolve) => setImmediate(resolve))
    withStored(root, (store) =>
      store.write(() => {
        const writer = new Writer(store)
        writer.removeFile('docs/rye.md')
        writer.setDir(FAMILY_BIT.docs, 'docs', 1, null)
        writer.setMeta(stampName('docs'), null)
        writer.finish()
      }),
    )
    expect((await query).report?.added).toEqual(['docs/rye.md'])
    await indexed(root, {})
  })

  /** What a scan with the stored stamps looks at beside git's word, by family; null where it goes the long way. */
  async function looked(root: string): Promise<Record<string, readonly string[] | null>> {
    const families = ['spec', 'docs'] as const
    const stamps = withStored(root, (store) =>
      families.map((family) => [family, getMeta(store, stampName(family)) ?? ''] as const),
    )
    const { listings } = await scan(root, {
      families,
      config: (await placeAt(root)).config,
      env: gitEnvironment(),
      now: Date.now(),
      stamps: new Map(stamps),
      selections: new Map(),
      nested: [],
    })
    return Object.fromEntries(
      listings.map((each) => [each.family, each.dirs === null ? [...each.files.keys()].sort() : null]),
    )
  }

  test('what git names is looked at alone, then and ever after, until its index is another one', async () => {
    const root = await large()
    expect(await looked(root)).toEqual({ spec: [], docs: [] })

    writeTree(root, { 'docs/rye.md': '# Rye 2\n', 'docs/new/oats.md': '# Oats\n', 'docs/notes.txt': '' })
    rmSync(path.join(root, 'README.md'))
    const docs = ['README.md', 'docs/new/oats.md', 'docs/rye.md']
    expect(await looked(root)).toEqual({ spec: [], docs })
    await pause()
    await indexed(root, { added: ['docs/new/oats.md'], changed: ['docs/rye.md'], removed: ['README.md'] })
    expect(await looked(root)).toEqual({ spec: [], docs })
    expect((await runQuery(root, ['docs'])).condition).toBe('fresh')

    // What is as git has it once more is still looked at, because its row was about something else.
    writeTree(root, { 'docs/rye.md': BAKERY['docs/rye.md'], 'README.md': BAKERY['README.md'] })
    rmSync(path.join(root, 'docs/new/oats.md'))
    writeTree(root, { 'commands/knead.md': '# Knead 2\n' })
    await pause()
    expect(await looked(root)).toEqual({
      spec: ['commands/knead.md'],
      docs: ['README.md', 'commands/knead.md', ...docs.slice(1)],
    })
    await indexed(root, {
      added: ['README.md'],
      changed: ['commands/knead.md', 'docs/rye.md'],
      removed: ['docs/new/oats.md'],
    })
    git(root, ['add', '--all'])
    expect(await looked(root)).toEqual({ spec: null, docs: null })
    await indexed(root, { checked: 3 })
    expect(await looked(root)).toEqual({ spec: [], docs: [] })
  })

  test('an untracked file that git names no more is ignored now, or another project’s', async () => {
    const root = await large()
    writeTree(root, { 'docs/oats.md': '# Oats\n', 'docs/far/oats.md': '# Oats\n' })
    await pause()
    await indexed(root, { added: ['docs/far/oats.md', 'docs/oats.md'] })
    writeTree(root, { '.git/info/exclude': 'oats.md\n!docs/far/oats.md\n' })
    expect(await looked(root)).toEqual({ spec: [], docs: ['docs/far/oats.md', 'docs/oats.md'] })
    await indexed(root, { removed: ['docs/oats.md'] })
    git(root, ['init', '--quiet', 'docs/far'])
    expect((await looked(root))['docs']).toEqual(['docs/far/oats.md'])
    await indexed(root, { removed: ['docs/far/oats.md'] })
    rmSync(path.join(root, 'docs/far/.git'), { recursive: true })
    writeTree(root, { '.git/info/exclude': '' })
    await pause()
    await indexed(root, { added: ['docs/far/oats.md', 'docs/oats.md'] })
  })

  test('what globs on disk want no more is gone: a document of an include list, a root that a glob found', async () => {
    for (const [config, names] of [
      ['include: ["docs/**/*.md"]\n', ['docs/rye.md']],
      ['roots: [docs, "sh?lf"]\n', ['shelf/oats.md', 'shelf/rye.md']],
    ] as const) {
      const root = await large()
      writeTree(root, { 'shelf/oats.md': '# Oats\n', 'shelf/rye.md': '# Rye\n', '.specdex/config.yml': config })
      git(root, ['add', 'shelf'])
      await pause()
      await runIndex(root)
      await runIndex(root)
      expect(await looked(root)).toEqual({ spec: [], docs: [] })
      for (const name of names) rmSync(path.join(root, name))
      if (names.length > 1) rmSync(path.join(root, 'shelf'), { recursive: true })
      expect((await runQuery(root, ['docs'], WORLD, 'strict')).condition).toBe('stale')
      await indexed(root, { removed: names })
      for (const name of names) writeTree(root, { [name]: '# Again\n' })
      await pause()
      await indexed(root, { added: names })
    }
  })

  test('a digest of before does not vouch for a row that was written since', async () => {
    const root = await large()
    writeTree(root, { 'docs/rye.md': '# Rye 2\n' })
    await pause()
    await indexed(root, { changed: ['docs/rye.md'] })
    // The folder looks as it did when its digest was made, and the stamp is of another index.
    git(root, ['checkout', '--quiet', '--', 'docs/rye.md'])
    git(root, ['update-index', '--force-remove', 'logs/7.txt'])
    expect(await looked(root)).toEqual({ spec: null, docs: null })
    await indexed(root, { changed: ['docs/rye.md'] })
  })

  test('a file that came the short way is missed when it goes', async () => {
    const root = await large()
    writeTree(root, { 'docs/oats.md': '# Oats\n', 'docs/new/oats.md': '# Oats\n' })
    await pause()
    await indexed(root, { added: ['docs/new/oats.md', 'docs/oats.md'] })
    rmSync(path.join(root, 'docs/oats.md'))
    rmSync(path.join(root, 'docs/new'), { recursive: true })
    git(root, ['update-index', '--force-remove', 'logs/7.txt'])
    expect(await looked(root)).toEqual({ spec: null, docs: null })
    await indexed(root, { removed: ['docs/new/oats.md', 'docs/oats.md'] })
  })

  test('a folder that became a link, attributes, too many names: the long way', async () => {
    const root = await large()
    renameSync(path.join(root, 'docs'), path.join(root, 'shelf'))
    symlinkSync('shelf', path.join(root, 'docs'))
    await pause()
    await indexed(root, { added: ['shelf/rye.md', 'shelf/spelt.md'], removed: ['docs/rye.md', 'docs/spelt.md'] })
    rmSync(path.join(root, 'docs'))
    renameSync(path.join(root, 'shelf'), path.join(root, 'docs'))
    await pause()
    await indexed(root, { added: ['docs/rye.md', 'docs/spelt.md'], removed: ['shelf/rye.md', 'shelf/spelt.md'] })

    writeTree(root, { '.gitattributes': '*.md text eol=crlf\n' })
    expect(await looked(root)).toEqual({ spec: null, docs: null })
    rmSync(path.join(root, '.gitattributes'))
    expect((await looked(root))['spec']).toEqual([])
    writeTree(root, Object.fromEntries(Array.from({ length: MOST_OTHERS + 1 }, (_, i) => [`docs/${i}.md`, ''])))
    expect(await looked(root)).toEqual({ spec: null, docs: null })
  })

  test('a forged stamp is no more than a detour', async () => {
    const root = await large()
    for (const forged of ['', '[1,2]', 'null', '["x","","",[]]', '["x","","",[["README.md","x"]],[],[],""]']) {
      withStored(root, (store) => store.write(() => setMeta(store, stampName('docs'), forged)))
      expect((await runQuery(root, ['docs'])).condition).toBe('fresh')
    }
  })
})
