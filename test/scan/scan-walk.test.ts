// What a scan lists where it walks by itself: the spec corpora in every mode, documents where git does not answer.

import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { asNobody, configured, digests, makeFifo, scanned } from './pantry.ts'

const NO_GIT = { PATH: '/nowhere' }

function writeRaw(root: string, latin1: string, text: string): void {
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(latin1, 'latin1')]), text)
}

/** Known beforehand in CI, and told everywhere: a rare find is lost where only its last line is kept. */
const SEED = Number(process.env['SPECDEX_PROPERTY_SEED'] ?? Date.now() % 2 ** 31)
console.info(`ignore rules: SPECDEX_PROPERTY_SEED=${SEED}`)

describe('odd things with the name of a source', () => {
  test('FIFOs, sockets, folders, links and loops are listed with what they are', async () => {
    const root = tempTree(
      { 'commands/a.md': '# A\n', 'commands/folder.md/b.md': '# B\n', 'docs/c.md': '# C\n' },
      'walk',
    )
    makeFifo(path.join(root, 'commands/fifo.md'))
    makeFifo(path.join(root, 'docs/fifo.md'))
    const socket = createServer().listen(path.join(root, 'scripts.sock'))
    await new Promise((resolve) => socket.once('listening', resolve))
    mkdirSync(path.join(root, 'scripts'))
    renameSync(path.join(root, 'scripts.sock'), path.join(root, 'scripts/socket.sh'))
    symlinkSync('loop.md', path.join(root, 'commands/loop.md'))
    symlinkSync('a.md', path.join(root, 'commands/inside.md'))
    symlinkSync('/etc', path.join(root, 'commands/outside.md'))
    symlinkSync('gone', path.join(root, 'commands/nowhere.md'))
    symlinkSync('.', path.join(root, 'commands/itself'))
    const found = await scanned(root)
    socket.close()
    expect(found.mode).toBe('walk')
    expect(found.spec).toEqual({
      'commands/a.md': 'stat',
      'commands/fifo.md': 'notAFile',
      'commands/folder.md': 'notAFile',
      'commands/folder.md/b.md': 'stat',
      'commands/loop.md': 'linkLoop',
      'commands/outside.md': 'outsideLink',
      'scripts/socket.sh': 'notAFile',
    })
    expect(found.docs).toEqual({
      'commands/a.md': 'stat',
      'commands/fifo.md': 'notAFile',
      'commands/folder.md/b.md': 'stat',
      'commands/loop.md': 'linkLoop',
      'commands/outside.md': 'outsideLink',
      'docs/c.md': 'stat',
      'docs/fifo.md': 'notAFile',
    })
  })

  test('linked top folders are followed inside the root only', async () => {
    const outside = tempTree({ 'x.md': '# X\n' }, 'outside')
    const root = tempTree({ 'real/commands/a.md': '# A\n', 'docs/x.md': '' }, 'walk')
    symlinkSync('real/commands', path.join(root, 'commands'))
    symlinkSync(outside, path.join(root, 'devdocs'))
    symlinkSync('scripts', path.join(root, 'scripts'))
    expect((await scanned(root)).spec).toEqual({
      'commands/a.md': 'stat',
      devdocs: 'outsideLink',
      scripts: 'linkLoop',
    })
    rmSync(path.join(root, 'commands'))
    symlinkSync('.', path.join(root, 'commands'))
    expect((await scanned(root)).spec['commands']).toBe('outsideLink')
  })

  test('tops that are files, FIFOs or absent are empty; so is an absent root', async () => {
    const root = tempTree({ commands: 'a file\n' }, 'walk')
    makeFifo(path.join(root, 'scripts'))
    expect((await scanned(root)).spec).toEqual({})
    expect(await scanned(path.join(root, 'nowhere'))).toMatchObject({ spec: {}, docs: {}, mode: 'walk' })
  })
})

describe('names', () => {
  test('of any characters are kept, by git and by walking', async () => {
    const odd = [
      'line\nfeed.md',
      'tab\there.md',
      'quote".md',
      "quote'.md",
      '\u0001bell\u0007.md',
      'é.md',
      'e\u0301.md',
      ' .md',
      '.md',
      '-n.md',
      ':(top)x.md',
      '*.md',
      '[a].md',
      '\\.md',
      '\u{1f35e}.md',
      '\ufffd.md',
      'Rye.md',
      'rye.md',
    ]
    const files = Object.fromEntries(
      odd.flatMap((name) => [
        [`commands/${name}`, name],
        [`docs/${name}`, name],
        [`docs/in ${name}/x.md`, name],
      ]),
    )
    const root = initRepository(tempFolder('walk'), files)
    git(root, ['config', 'core.quotepath', 'true'])
    const found = await scanned(root)
    expect(Object.keys(found.docs).sort()).toEqual(Object.keys(files).sort())
    expect(new Set(Object.values(found.docs))).toEqual(new Set(['vouched']))
    expect(Object.keys(found.spec)).toHaveLength(odd.length)
    expect(new Set(Object.values(found.spec))).toEqual(new Set(['vouched']))
    git(root, ['rm', '-r', '--quiet', '--cached', '.'])
    const untracked = await scanned(root)
    expect(Object.keys(untracked.docs).sort()).toEqual(Object.keys(files).sort())
    const walked = await scanned(root, undefined, NO_GIT)
    expect(Object.keys(walked.docs).sort()).toEqual(Object.keys(files).sort())
    expect(walked.spec).toEqual(untracked.spec)
  })

  test('that are not UTF-8 do not collide, and are names only', async () => {
    const root = initRepository(tempFolder('walk'), { 'commands/\ufffd.md': '', 'docs/good.md': '' })
    for (const folder of ['commands', 'docs']) {
      writeRaw(root, `${folder}/\xff.md`, '# 1\n')
      writeRaw(root, `${folder}/\xfe.md`, '# 2\n')
      mkdirSync(Buffer.concat([Buffer.from(`${root}/${folder}/sub`), Buffer.from([0xe9])]))
      writeRaw(root, `${folder}/sub\xe9/x.md`, '# 3\n')
    }
    const key = (display: string, raw: string): string => `${display}//${Buffer.from(raw, 'latin1').toString('hex')}`
    const names = (folder: string): Record<string, string> => ({
      [key(`${folder}/\ufffd.md`, `${folder}/\xff.md`)]: 'name',
      [key(`${folder}/\ufffd.md`, `${folder}/\xfe.md`)]: 'name',
      [key(`${folder}/sub\ufffd`, `${folder}/sub\xe9`)]: 'unreadableFolder',
    })
    const spec = (witness: string): Record<string, string> => ({ 'commands/\ufffd.md': witness, ...names('commands') })
    const docs = (witness: string): Record<string, string> => ({
      ...spec(witness),
      'docs/good.md': witness,
      ...names('docs'),
    })
    for (const step of ['untracked', 'staged', 'walked', 'removed']) {
      if (step === 'staged') git(root, ['add', '--all'])
      if (step === 'removed') {
        for (const folder of ['commands', 'docs']) {
          rmSync(Buffer.concat([Buffer.from(`${root}/${folder}/`), Buffer.from([0xff]), Buffer.from('.md')]))
        }
      }
      const found = await scanned(root, undefined, step === 'walked' ? NO_GIT : {})
      const witness = step === 'walked' ? 'stat' : 'vouched'
      const gone = (all: Record<string, string>): Record<string, string> =>
        Object.fromEntries(Object.entries(all).filter(([name]) => step !== 'removed' || !name.includes('ff2e6d64')))
      expect(found.spec).toEqual(gone(spec(witness)))
      expect(found.docs).toEqual(gone(docs(witness)))
    }
  })

  test('spec files: hidden files yes, hidden folders and node_modules no, endings by case', async () => {
    const root = tempTree(
      {
        'commands/.draft.md': '',
        'commands/.md': '',
        'commands/.hidden/x.md': '',
        'commands/node_modules/x.md': '',
        'commands/Node_Modules/x.md': '',
        'commands/x.MD': '',
        'commands/x.markdown': '',
        'commands/x.md.md': '',
        'commands/run.sh': '',
        'scripts/lib/.hush.sh': '',
        'scripts/notes.md': '',
        'devdocs/x.md': '',
        'COMMANDS/x.md': '',
      },
      'walk',
    )
    expect(Object.keys((await scanned(root)).spec).sort()).toEqual([
      'commands/.draft.md',
      'commands/.md',
      'commands/Node_Modules/x.md',
      'commands/x.md.md',
      'devdocs/x.md',
      'scripts/lib/.hush.sh',
    ])
  })
})

describe('folders that may not be opened', () => {
  const closed = process.getuid?.() === 0 ? 'as another user' : 'as this one'

  test.each([
    ['by git', {}],
    ['by walking', NO_GIT],
  ])(`are empty and named, ${closed}, %s`, async (_way, env) => {
    const root = initRepository(tempFolder('walk'), {
      'commands/a.md': '',
      'commands/closed/b.md': '',
      'commands/no-look/c.md': '',
      'docs/d.md': '',
      'docs/closed/e.md': '',
      'docs/no-look/f.md': '',
    })
    writeTree(root, { 'docs/closed/untracked.md': '', 'docs/new/closed/g.md': '' })
    spawnSync('chown', ['-R', '65534:65534', root])
    for (const folder of ['commands/closed', 'docs/closed', 'docs/new/closed']) chmodSync(path.join(root, folder), 0)
    for (const folder of ['commands/no-look', 'docs/no-look']) chmodSync(path.join(root, folder), 0o600)
    const found = await asNobody(() => scanned(root, undefined, { HOME: root, ...env }))
    expect(found.mode).toBe(env === NO_GIT ? 'walk' : 'git')
    expect(found.spec).toEqual({
      'commands/a.md': 'stat',
      'commands/closed': 'unreadableFolder',
      'commands/no-look/c.md': 'name',
    })
    expect(found.docs).toEqual({
      ...found.spec,
      'docs/closed': 'unreadableFolder',
      'docs/d.md': 'stat',
      'docs/new/closed': 'unreadableFolder',
      'docs/no-look/f.md': 'name',
    })
  })
})

describe('.gitignore where git does not answer', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'a.md', 'b.md', 'B.md')
  const paths = fc.uniqueArray(
    fc
      .tuple(fc.array(name, { maxLength: 3 }), fc.constantFrom('a.md', 'b.md', 'B.md', 'x.md'))
      .map(([dirs, file]) => [...dirs, file].join('/')),
    { minLength: 1, maxLength: 12 },
  )
  const pattern = fc
    .tuple(
      fc.constantFrom('', '', '!'),
      fc.constantFrom('', '/', '**/'),
      fc.constantFrom('a', 'b', 'c', '*', '*.md', 'a/b', 'b/**', 'a.md', 'b.md', '?.md', '[ab]', 'x.md'),
      fc.constantFrom('', '/'),
    )
    .map((parts) => parts.join(''))
  const rules = fc.array(fc.tuple(fc.constantFrom('', 'a/', 'b/', 'a/b/'), fc.array(pattern, { maxLength: 4 })), {
    maxLength: 3,
  })

  test('means what it means to git', async () => {
    const root = initRepository(tempFolder('ignore'))
    await fc.assert(
      fc.asyncProperty(paths, rules, fc.boolean(), async (names, files, below) => {
        for (const entry of ['a', 'b', 'c', 'a.md', 'b.md', 'B.md', 'x.md', '.gitignore']) {
          rmSync(path.join(root, entry), { recursive: true, force: true })
        }
        for (const file of names) {
          try {
            writeTree(root, { [file]: '' })
          } catch {
            // A name that another path needs as a folder.
          }
        }
        for (const [dir, patterns] of files) {
          try {
            writeTree(root, { [`${dir}.gitignore`]: `${patterns.join('\n')}\n` })
          } catch {
            // A folder that is a file here.
          }
        }
        const at = below ? path.join(root, 'a') : root
        const byGit = await scanned(at, configured({}), {}, ['docs'])
        const byWalk = await scanned(at, configured({}), NO_GIT, ['docs'])
        expect(Object.keys(byWalk.docs).sort()).toEqual(Object.keys(byGit.docs).sort())
      }),
      { numRuns: effort(40, 600), seed: SEED },
    )
  })

  const cases: Record<string, [Record<string, string>, string[]]> = {
    'case by case': [{ '.gitignore': 'b.md\n', 'b.md': '', 'B.md': '' }, ['B.md']],
    'a folder taken back by a deeper file, and a file in it that is not': [
      {
        '.gitignore': 'logs/\n*.tmp.md\n',
        'sub/.gitignore': '!logs/\n',
        'logs/x.md': '',
        'sub/logs/x.md': '',
        'sub/logs/x.tmp.md': '',
        'sub/logs/logs/y.md': '',
      },
      ['sub/logs/logs/y.md', 'sub/logs/x.md'],
    ],
    'the last pattern of the deepest file': [
      {
        '.gitignore': '*.md\n!kept.md\n',
        'sub/.gitignore': 'kept.md\n!x.md\n',
        'kept.md': '',
        'sub/kept.md': '',
        'sub/x.md': '',
      },
      ['kept.md', 'sub/x.md'],
    ],
    'carriage returns, comments, blanks': [
      { '.gitignore': '#x.md\r\nx.md\r\n\r\n a.md\n', 'x.md': '', '#x.md': '', 'a.md': '', ' a.md': '' },
      ['#x.md', 'a.md'],
    ],
  }
  test.each(Object.keys(cases))('%s', async (name) => {
    const [files, left] = cases[name] ?? [{}, []]
    const root = writeTree(initRepository(tempFolder('ignore')), files)
    expect(Object.keys((await scanned(root)).docs).sort()).toEqual(left)
    expect(Object.keys((await scanned(root, undefined, NO_GIT)).docs).sort()).toEqual(left)
  })

  test('and .git/info/exclude counts', async () => {
    const root = initRepository(tempFolder('ignore'), { 'x.txt': '' })
    writeTree(root, { '.git/info/exclude': 'drafts\n', 'drafts/a.md': '', 'kept/b.md': '' })
    expect(Object.keys((await scanned(root, undefined, NO_GIT)).docs)).toEqual(['kept/b.md'])
  })
})

test('the same tree gives the same digests, another name or time does not', async () => {
  const root = tempTree({ 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' }, 'walk')
  await new Promise((resolve) => setTimeout(resolve, 60))
  const before = digests(await scanned(root))
  expect(Object.values(before)).not.toContain(null)
  expect(digests(await scanned(root))).toEqual(before)
  renameSync(path.join(root, 'docs/b.md'), path.join(root, 'docs/c.md'))
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(digests(await scanned(root))).not.toEqual(before)
  writeFileSync(path.join(root, 'docs/a.md'), '# A\n')
  // So young a file could change again without a trace.
  const { ctimeMs } = lstatSync(path.join(root, 'docs/a.md'))
  const at = async (now: number): Promise<unknown> =>
    digests(await scanned(root, undefined, {}, ['docs'], now))['docs:docs']
  expect(await at(ctimeMs + 15)).toBeNull()
  expect(await at(ctimeMs + 25)).not.toBeNull()
})
