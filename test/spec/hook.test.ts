// The pre-commit hook with real git: installing, refusing, uninstalling, and what a commit does to a persisted graph.

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { hookText, rootsOfHook } from '../../src/spec/hook-text.ts'
import { effort } from '../support/effort.ts'
import { childEnvironment } from '../support/environment.ts'
import { git, initRepository } from '../support/git.ts'
import { CLI, runProgram } from '../support/run.ts'
import { folderOfFile, tempFolder, writeTree } from '../support/temp.ts'
import { spec } from './run-spec.ts'

const GRAPH = '.forgedock/graph/spec-graph.json'
const HOOK = '.githooks/pre-commit'
const CORPUS = {
  'commands/bake.md': 'contains("FORGE:LOAF")\n',
  'commands/mix.md': '\n',
  'scripts/weigh.sh': 'true\n',
  'devdocs/cellar.md': '# Cellar\n',
  'README.md': '# Bakery\n',
}

/** An environment in which `specdex` is the bundle under test. */
function withSpecdex(): { PATH: string } {
  const bin = tempFolder('bin')
  const program = path.join(bin, 'specdex')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`)
  chmodSync(program, 0o755)
  return { PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }
}

interface Shop {
  readonly top: string
  readonly root: string
  /** Runs git at the top; returns what went to stderr too. */
  readonly commit: (...args: string[]) => Promise<string>
}

/** The first shop of each folder, to be copied. */
const shops = new Map<string, string>()

/** A repository whose hook is installed and whose graph is committed. `folder`: the root below the top. */
async function shop(folder = '.', name = 'shop'): Promise<Shop> {
  const first = shops.get(folder) ?? (await firstShop(folder))
  shops.set(folder, first)
  const top = path.join(tempFolder('hook'), name)
  cpSync(first, top, { recursive: true, verbatimSymlinks: true })
  git(top, ['update-index', '--refresh'])
  const env = childEnvironment(withSpecdex())
  const commit = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await runProgram('git', ['commit', '--quiet', ...args], { cwd: top, env })
    expect(code).toBe(0)
    return stderr
  }
  return { top, root: path.join(top, folder), commit }
}

async function firstShop(folder: string): Promise<string> {
  const top = path.join(folderOfFile('shop'), 'shop')
  const root = path.join(top, folder)
  initRepository(top)
  writeTree(root, CORPUS)
  await spec(['build', '--quiet', '--root', root], { cwd: root })
  // Opting in: the graph is to be committed.
  writeFileSync(path.join(root, '.forgedock/graph/.gitignore'), '')
  writeFileSync(path.join(top, '.gitignore'), '.specdex/\n')
  expect((await spec(['install-hook', '--root', root], { cwd: root })).code).toBe(0)
  git(top, ['config', 'core.hooksPath', '.githooks'])
  git(top, ['add', '--all'])
  git(top, ['commit', '--quiet', '--no-verify', '-m', 'open'])
  return top
}

/**
 * What the committed graph of HEAD holds, and whether it is exactly what a build of a clean checkout gives; of a commit
 * that others follow in the same test that is seen in the long run.
 */
async function committed({ top, root }: Shop, place: 'last' | 'between' = 'last'): Promise<string> {
  const relative = path.relative(top, path.join(root, GRAPH))
  const text = git(top, ['show', `HEAD:${relative}`])
  if (place === 'between' && effort(0, 1) === 0) return text
  const clone = path.join(tempFolder('clone'), 'clone')
  git(top, ['clone', '--quiet', top, clone])
  const fresh = await spec(['build', '--stdout', '--quiet', '--root', '.'], {
    cwd: path.join(clone, path.relative(top, root)),
  })
  expect(`${text}\n`).toBe(fresh.stdout)
  return text
}

describe('a commit', () => {
  test('of a spec refreshes and stages the graph', async () => {
    const here = await shop()
    writeTree(here.root, { 'commands/sell.md': 'contains("FORGE:LOAF")\n' })
    git(here.top, ['add', 'commands/sell.md'])
    expect(await here.commit('-m', 'sell')).toBe(`spec-graph: spec corpus changed — rebuilding ${GRAPH}\n`)
    expect(await committed(here)).toContain('cmd:sell')
    expect(git(here.top, ['status', '--porcelain'])).toBe('')
  })

  test('of something else leaves it alone', async () => {
    const here = await shop()
    const before = lstatSync(path.join(here.root, GRAPH)).mtimeMs
    writeTree(here.root, { 'README.md': '# New\n', 'docs/commands/x.md': 'x' })
    git(here.top, ['add', '--all'])
    expect(await here.commit('-m', 'docs')).toBe('')
    expect(lstatSync(path.join(here.root, GRAPH)).mtimeMs).toBe(before)
  })

  test('builds from what is committed, not from the work tree', async () => {
    const here = await shop()
    writeTree(here.root, { 'commands/sell.md': 'staged: contains("FORGE:STAGED")\n' })
    git(here.top, ['add', 'commands/sell.md'])
    writeTree(here.root, { 'commands/sell.md': 'contains("FORGE:UNSTAGED")\n', 'commands/draft.md': 'untracked' })
    git(here.top, ['add', '--intent-to-add', 'commands/draft.md'])
    await here.commit('-m', 'sell')
    const text = await committed(here)
    expect(text).toContain('FORGE:STAGED')
    expect(text).not.toMatch(/UNSTAGED|draft/)
  })

  test('that only deletes, one that moves a spec away, and one with names git would quote', async () => {
    const here = await shop()
    git(here.top, ['rm', '--quiet', 'commands/mix.md'])
    expect(await here.commit('-m', 'no mixing')).toContain('rebuilding')
    expect(await committed(here, 'between')).not.toContain('cmd:mix')
    mkdirSync(path.join(here.root, 'notes'))
    git(here.top, ['mv', 'commands/bake.md', 'notes/bake.md'])
    expect(await here.commit('-m', 'moved out')).toContain('rebuilding')
    expect(await committed(here, 'between')).not.toContain('cmd:bake')
    writeTree(here.root, { 'commands/käse "x"\n.md': 'y' })
    git(here.top, ['add', '--all'])
    expect(await here.commit('-m', 'cheese')).toContain('rebuilding')
    expect(await committed(here)).toContain('käse')
  })

  test('with -a, of named paths only, and an amended one', async () => {
    const here = await shop()
    writeTree(here.root, { 'commands/bake.md': 'contains("FORGE:ALL")\n' })
    await here.commit('-a', '-m', 'all')
    expect(await committed(here, 'between')).toContain('FORGE:ALL')
    expect(git(here.top, ['status', '--porcelain'])).toBe('')

    writeTree(here.root, {
      'commands/bake.md': 'contains("FORGE:NAMED")\n',
      'commands/mix.md': 'contains("FORGE:LATER")\n',
    })
    git(here.top, ['add', 'commands/mix.md'])
    await here.commit('-m', 'named', 'commands/bake.md')
    const text = await committed(here, 'between')
    expect(text).toContain('FORGE:NAMED')
    expect(text).not.toContain('FORGE:LATER')
    // The graph is not left behind as a change that undoes the commit.
    expect(git(here.top, ['status', '--porcelain'])).toBe('M  commands/mix.md')

    await here.commit('--amend', '--no-edit')
    expect(await committed(here)).toContain('FORGE:LATER')
  })

  test('in a linked work tree, and as the first one of a repository', async () => {
    const here = await shop()
    const linked = path.join(tempFolder('linked'), 'tree')
    git(here.top, ['worktree', 'add', '--quiet', linked, '-b', 'side'])
    writeTree(linked, { 'commands/side.md': '' })
    git(linked, ['add', '--all'])
    const env = childEnvironment(withSpecdex())
    expect((await runProgram('git', ['commit', '--quiet', '-m', 'side'], { cwd: linked, env })).stderr).toContain(
      'rebuilding',
    )
    expect(git(linked, ['show', `HEAD:${GRAPH}`])).toContain('cmd:side')
    expect(readFileSync(path.join(here.root, GRAPH), 'utf8')).not.toContain('cmd:side')

    git(here.top, ['checkout', '--quiet', '--orphan', 'anew'])
    expect(await here.commit('-m', 'first')).toContain('rebuilding')
  })

  test('below a root that is a sub-folder with a difficult name', async () => {
    const here = await shop("ol' [shop] ö")
    writeTree(here.top, { 'commands/elsewhere.md': '' })
    git(here.top, ['add', '--all'])
    expect(await here.commit('-m', 'not ours')).toBe('')
    writeTree(here.root, { 'commands/sell.md': '' })
    git(here.top, ['add', '--all'])
    expect(await here.commit('-m', 'ours')).toContain(`rebuilding ol' [shop] ö/${GRAPH}`)
    expect(await committed(here)).toContain('cmd:sell')
  })

  test('with line ends converted at checkout: the graph fits the checked-out files', async () => {
    const here = await shop()
    writeFileSync(path.join(here.top, '.gitattributes'), '*.md text eol=crlf\n')
    git(here.top, ['add', '--all'])
    await here.commit('-m', 'crlf')
    writeTree(here.root, { 'commands/sell.md': 'one\r\ntwo\r\n' })
    git(here.top, ['add', '--all'])
    await here.commit('-m', 'sell')
    await committed(here)
  })

  test('behind a linked corpus folder', async () => {
    const here = await shop()
    writeTree(here.root, { 'prose/deep/old.md': '' })
    git(here.top, ['rm', '--quiet', '-r', 'devdocs'])
    symlinkSync('prose/deep', path.join(here.root, 'devdocs'))
    git(here.top, ['add', '--all'])
    expect(await here.commit('-m', 'link')).toContain('rebuilding')
    expect(await committed(here, 'between')).toContain('devdoc:devdocs/old.md')
    writeTree(here.root, { 'prose/deep/new.md': '' })
    git(here.top, ['add', '--all'])
    expect(await here.commit('-m', 'through the link')).toContain('rebuilding')
    expect(await committed(here)).toContain('devdoc:devdocs/new.md')
  })

  test('never blocks: no graph, an ignored graph, a failing self-check, no specdex at all', async () => {
    const here = await shop()
    const touch = (text: string): void => {
      writeTree(here.root, { 'commands/bake.md': text })
      git(here.top, ['add', 'commands/bake.md'])
    }
    git(here.top, ['rm', '--quiet', '--cached', GRAPH])
    writeFileSync(path.join(here.root, '.forgedock/graph/.gitignore'), 'spec-graph.json\n')
    touch('ignored')
    const ignored = await here.commit('-m', 'ignored')
    expect(ignored).toContain('rebuilding')
    expect(ignored).not.toContain('failed')
    expect(git(here.top, ['ls-files', GRAPH])).toBe('')

    writeTree(here.root, { 'commands/work-on.md': 'posts no trajectory' })
    git(here.top, ['add', '--all'])
    const before = readFileSync(path.join(here.root, GRAPH), 'utf8')
    expect(await here.commit('-m', 'work-on')).toContain(
      'spec-graph: rebuild failed — committing without refreshing the graph\n',
    )
    expect(readFileSync(path.join(here.root, GRAPH), 'utf8')).toBe(before)

    unlinkSync(path.join(here.root, GRAPH))
    touch('no graph')
    expect(await here.commit('-m', 'none')).toBe('')

    touch('no specdex')
    const env = childEnvironment({ PATH: '/usr/bin:/bin' })
    const alone = await runProgram('git', ['commit', '--quiet', '-m', 'alone'], { cwd: here.top, env })
    expect(alone.code).toBe(0)
  })
})

describe('install-hook', () => {
  const install = (cwd: string, ...more: string[]) => spec(['install-hook', ...more], { cwd })

  test('writes an executable hook, tells what to run, and runs nothing of it', async () => {
    const top = initRepository(path.join(tempFolder('hook'), 'shop'), CORPUS)
    const { code, stdout } = await install(top)
    expect(code).toBe(0)
    expect(stdout).toBe(
      `wrote ${HOOK}\nenable it with: git config core.hooksPath .githooks\n` +
        `note: the hook does nothing until ${GRAPH} exists (specdex spec build)\n`,
    )
    expect(lstatSync(path.join(top, HOOK)).mode & 0o111).toBe(0o111)
    expect(git(top, ['config', '--get', '--default', 'unset', 'core.hooksPath'])).toBe('unset')
    const text = readFileSync(path.join(top, HOOK), 'utf8')
    expect(await install(top)).toMatchObject({ code: 0 })
    expect(readFileSync(path.join(top, HOOK), 'utf8')).toBe(text)
  })

  test('warns of hooks that will no longer run', async () => {
    const top = initRepository(path.join(tempFolder('hook'), 'shop'), CORPUS)
    mkdirSync(path.join(top, '.git/hooks'), { recursive: true })
    writeFileSync(path.join(top, '.git/hooks/commit-msg'), '')
    expect((await install(top)).stdout).toContain(
      'note: git will then no longer run commit-msg of its own hooks folder\n',
    )
  })

  test('a foreign hook, a foreign core.hooksPath, a linked folder, no repository: refused, nothing written', async () => {
    const top = initRepository(path.join(tempFolder('hook'), 'shop'), CORPUS)
    writeTree(top, { [HOOK]: '#!/bin/sh\nexit 1\n' })
    for (const more of [[], ['--uninstall']]) {
      const { code, stderr } = await install(top, ...more)
      expect(code).toBe(1)
      expect(stderr).toContain(`ERROR: ${HOOK} exists and is not ours; nothing was changed\n`)
      expect(stderr.includes('to use both')).toBe(more.length === 0)
    }
    expect(readFileSync(path.join(top, HOOK), 'utf8')).toBe('#!/bin/sh\nexit 1\n')
    unlinkSync(path.join(top, HOOK))

    git(top, ['config', 'core.hooksPath', 'elsewhere'])
    const foreign = await install(top)
    expect(foreign.code).toBe(1)
    expect(foreign.stderr).toContain(`core.hooksPath is ${path.join(top, 'elsewhere')}`)
    expect(existsSync(path.join(top, HOOK))).toBe(false)

    expect((await install(tempFolder('bare'))).stderr).toContain('is not in a git work tree; nothing was changed')
    const linked = initRepository(path.join(tempFolder('hook'), 'shop'), CORPUS)
    symlinkSync(tempFolder('outside'), path.join(linked, '.githooks'))
    expect((await install(linked)).stderr).toContain('.githooks is a link; nothing was changed')
  })

  test('one hook serves several roots; --uninstall takes away only its own', async () => {
    const top = initRepository(path.join(tempFolder('hook'), 'shop'), {
      "it's/commands/a.md": '',
      'b/commands/b.md': '',
    })
    const [odd, plain] = [path.join(top, "it's"), path.join(top, 'b')]
    await install(odd, '--root', odd)
    await install(plain, '--root', plain)
    expect(rootsOfHook(readFileSync(path.join(top, HOOK), 'utf8'))).toEqual(['b', "it's"])
    expect((await install(top, '--uninstall', '--root', odd)).stdout).toBe(`removed this root from ${HOOK}\n`)
    expect(rootsOfHook(readFileSync(path.join(top, HOOK), 'utf8'))).toEqual(['b'])
    git(top, ['config', 'core.hooksPath', '.githooks'])
    expect((await install(top, '--uninstall', '--root', plain)).stdout).toBe(
      `removed ${HOOK}\nswitch it off with: git config --unset core.hooksPath\n`,
    )
    expect(existsSync(path.join(top, '.githooks'))).toBe(false)
    expect(await install(top, '--uninstall')).toMatchObject({ code: 0, stdout: 'no hook of ours is installed\n' })
  })

  test('the text survives a round trip, and a shell takes the quoting', async () => {
    const roots = ['.', "a'b", '$(touch x) `y` "z" \\']
    const text = hookText(roots)
    expect(rootsOfHook(text)).toEqual(roots)
    expect(rootsOfHook('#!/bin/sh\nexit 0\n')).toBeNull()
    const cwd = tempFolder('shell')
    // In the place of the program: something that prints what it was given.
    writeFileSync(path.join(cwd, 'specdex'), '#!/bin/sh\nprintf "%s|" "$@"\n')
    chmodSync(path.join(cwd, 'specdex'), 0o755)
    const env = childEnvironment({ PATH: `${cwd}:/usr/bin:/bin` })
    const { code, stdout } = await runProgram('sh', ['-c', text], { cwd, env })
    expect(code).toBe(0)
    expect(stdout).toBe(roots.map((root) => `spec|hook-run|--root|${root}|`).join(''))
  })
})
