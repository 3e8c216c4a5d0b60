// What a scan lists and what vouches for it, in every state that a git work tree can be in. The helper `scanned` reads
// each file that git is said to vouch for, so that no scenario can pass with a blob id that is not of the bytes.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cloneRepository, commitAll, git, initRepository } from '../support/git.ts'
import { tempFolder, writeTree } from '../support/temp.ts'
import { digests, scanned } from './pantry.ts'
import { ALL_VOUCHED, BAKERY, bakery, shown } from './shop.ts'

describe('git vouches for a clean tree', () => {
  const ways: Record<string, () => string> = {
    'a fresh commit': bakery,
    'an unborn branch with everything staged': () => {
      const root = tempFolder('scan')
      git(root, ['init', '--quiet'])
      writeTree(root, BAKERY)
      git(root, ['add', '--all'])
      return root
    },
    'a detached head': () => {
      const root = bakery()
      git(root, ['checkout', '--quiet', '--detach'])
      return root
    },
    'a clone of depth 1': () => {
      const root = path.join(tempFolder('scan'), 'clone')
      cloneRepository(bakery(), root, ['--depth=1'])
      return root
    },
    'a linked work tree': () => {
      const root = path.join(tempFolder('scan'), 'branch')
      git(bakery(), ['worktree', 'add', '--quiet', root])
      return root
    },
    'a submodule': () => {
      const outer = initRepository(tempFolder('scan'), { 'x.txt': '' })
      git(outer, ['submodule', '--quiet', 'add', bakery(), 'shop'])
      return path.join(outer, 'shop')
    },
    'a folder of a larger repository': () => {
      const outer = initRepository(
        tempFolder('scan'),
        Object.fromEntries(Object.entries(BAKERY).map(([name, text]) => [`shops/[b] *n*/${name}`, text])),
      )
      return path.join(outer, 'shops/[b] *n*')
    },
    'a moved repository': () => {
      const root = bakery()
      renameSync(root, `${root}-moved`)
      mkdirSync(root)
      renameSync(`${root}-moved`, path.join(root, 'moved'))
      return path.join(root, 'moved')
    },
    'a root that is reached through a link': () => {
      const link = path.join(tempFolder('scan'), 'link')
      symlinkSync(bakery(), link)
      return link
    },
    'an index of version 4': () => {
      const root = bakery()
      git(root, ['update-index', '--index-version=4'])
      return root
    },
    'a split index': () => {
      const root = bakery()
      git(root, ['update-index', '--split-index'])
      return root
    },
    'a sparse index': () => {
      const root = initRepository(tempFolder('scan'), { ...BAKERY, 'attic/old/x.md': '# Old\n' })
      git(root, ['sparse-checkout', 'set', '--cone', '--sparse-index', 'commands', 'scripts', 'devdocs', 'docs'])
      return root
    },
    'an untracked cache, a commit graph, no checksum': () => {
      const root = bakery()
      git(root, ['config', 'index.skipHash', 'true'])
      git(root, ['update-index', '--force-untracked-cache'])
      git(root, ['commit-graph', 'write', '--reachable'])
      return root
    },
    'line-end settings that change nothing here': () => {
      const root = bakery()
      git(root, ['config', 'core.autocrlf', 'input'])
      writeTree(root, { '.gitattributes': '* text=auto\n*.png filter=lfs\n' })
      return root
    },
  }
  test.each(Object.keys(ways))('%s', async (way) => {
    const found = await scanned(ways[way]?.() ?? '')
    expect(found.mode).toBe('git')
    expect(shown(found)).toEqual(ALL_VOUCHED)
  })

  test('and the digests of a fresh clone are those of the original', async () => {
    const root = bakery()
    const clone = path.join(tempFolder('scan'), 'clone')
    cloneRepository(root, clone)
    const before = digests(await scanned(root))
    expect(digests(await scanned(clone))).toEqual(before)
    expect(Object.values(before)).not.toContain(null)
    // Both ways to a digest, from bytes of the index and file by file, agree.
    writeTree(clone, { 'docs/adr/new.md': '# New\n' })
    await scanned(clone)
    rmSync(path.join(clone, 'docs/adr/new.md'))
    expect(digests(await scanned(clone))).toEqual(before)
  })
})

describe('git does not vouch', () => {
  test('for what it does not track, or knows to differ', async () => {
    const root = bakery()
    writeTree(root, {
      'commands/knead.md': '# Knead well\n',
      'docs/adr/0002-spelt.md': '# Spelt\n',
      'commands/proof.md': '# Proof\n',
    })
    rmSync(path.join(root, 'README.md'))
    const found = await scanned(root)
    expect(found.spec).toEqual({ ...ALL_VOUCHED.spec, 'commands/knead.md': 'stat', 'commands/proof.md': 'stat' })
    const { 'README.md': _gone, ...rest } = ALL_VOUCHED.docs
    expect(found.docs).toEqual({
      ...rest,
      'commands/knead.md': 'stat',
      'commands/proof.md': 'stat',
      'docs/adr/0002-spelt.md': 'stat',
    })
  })

  test('for files it was told not to look at, or has only heard of', async () => {
    const root = bakery()
    git(root, ['update-index', '--assume-unchanged', 'commands/knead.md'])
    git(root, ['update-index', '--skip-worktree', 'devdocs/flour.md', 'README.md'])
    writeTree(root, {
      'commands/knead.md': '# Knead 2\n',
      'devdocs/flour.md': '# Flour 2\n',
      'docs/soon.md': '# Soon\n',
    })
    rmSync(path.join(root, 'README.md'))
    git(root, ['add', '--intent-to-add', 'docs/soon.md'])
    const found = await scanned(root)
    expect(found.spec).toEqual({ ...ALL_VOUCHED.spec, 'commands/knead.md': 'stat', 'devdocs/flour.md': 'stat' })
    const { 'README.md': _gone, ...rest } = ALL_VOUCHED.docs
    expect(found.docs).toEqual({
      ...rest,
      'commands/knead.md': 'stat',
      'devdocs/flour.md': 'stat',
      'docs/soon.md': 'stat',
    })
  })

  test('for conflicts, which are listed once', async () => {
    const root = bakery()
    git(root, ['checkout', '--quiet', '-b', 'dark'])
    writeTree(root, { 'docs/adr/0001-rye.md': '# Dark rye\n', 'commands/knead.md': '# Knead dark\n' })
    commitAll(root, 'Dark')
    git(root, ['checkout', '--quiet', 'main'])
    writeTree(root, { 'docs/adr/0001-rye.md': '# Light rye\n', 'commands/knead.md': '# Knead light\n' })
    commitAll(root, 'Light')
    expect(() => git(root, ['merge', '--quiet', 'dark'])).toThrow()
    const found = await scanned(root)
    expect(found.spec['commands/knead.md']).toBe('stat')
    expect(found.docs['docs/adr/0001-rye.md']).toBe('stat')
    expect(Object.keys(found.docs)).toHaveLength(5)
  })

  test('where the repository has SHA-256 ids', async () => {
    const root = tempFolder('scan')
    git(root, ['init', '--quiet', '--object-format=sha256'])
    writeTree(root, BAKERY)
    commitAll(root, 'Open')
    const found = await scanned(root)
    expect(found.mode).toBe('git')
    expect(Object.keys(found.docs)).toEqual(Object.keys(ALL_VOUCHED.docs))
    expect(new Set(Object.values({ ...found.docs, ...found.spec }))).toEqual(new Set(['stat']))
  })

  const converting: Record<string, (root: string) => void> = {
    'core.autocrlf': (root) => git(root, ['config', 'core.autocrlf', 'true']),
    'core.eol=crlf': (root) => git(root, ['config', 'core.eol', 'crlf']),
    'a filter for documents': (root) => writeTree(root, { '.gitattributes': '*.md filter=lfs -text\n' }),
    'a filter in a folder': (root) => writeTree(root, { 'docs/adr/.gitattributes': '0001-rye.md filter=spell\n' }),
    'a filter in an ignored attribute file of a spec folder': (root) =>
      writeTree(root, { '.gitignore': '.gitattributes\n', 'commands/.gitattributes': '*.md filter=spell\n' }),
    'an encoding': (root) => writeTree(root, { '.gitattributes': 'docs/** working-tree-encoding=UTF-16\n' }),
    'a macro': (root) => writeTree(root, { '.gitattributes': '[attr]stored filter=lfs\n*.md stored\n' }),
    $Id$: (root) => writeTree(root, { '.gitattributes': '*.md ident\n' }),
    'attributes of the repository': (root) => writeTree(root, { '.git/info/attributes': '*.md eol=crlf\n' }),
    'attributes of the user': (root) => {
      writeTree(root, { '.git/mine': '*.sh filter=shell\n' })
      git(root, ['config', 'core.attributesFile', '.git/mine'])
    },
  }
  test.each(Object.keys(converting))('under %s', async (name) => {
    const root = bakery()
    converting[name]?.(root)
    const found = await scanned(root)
    expect(found.mode).toBe('git')
    expect(new Set(Object.values({ ...found.docs, ...found.spec }))).toEqual(new Set(['stat']))
  })

  test('under line-end attributes where a split index hides the sizes', async () => {
    const root = bakery()
    writeTree(root, { '.gitattributes': '* text=auto\n' })
    git(root, ['update-index', '--split-index'])
    expect(new Set(Object.values((await scanned(root)).docs))).toEqual(new Set(['stat']))
  })
})

describe('line ends that were converted', () => {
  test('show in the size, so that no digest is that of the unconverted file', async () => {
    const root = bakery()
    const before = digests(await scanned(root))
    // Checked out anew under attributes that are gone again afterwards: git calls the tree clean.
    writeTree(root, { '.gitattributes': '*.md eol=crlf\n' })
    rmSync(path.join(root, 'docs/adr/0001-rye.md'))
    git(root, ['checkout', '--quiet', '--', 'docs/adr/0001-rye.md'])
    // Long ago, or git would compare the content of so young a file itself.
    utimesSync(path.join(root, 'docs/adr/0001-rye.md'), 1_600_000_000, 1_600_000_000)
    git(root, ['update-index', '--refresh'])
    rmSync(path.join(root, '.gitattributes'))
    expect(git(root, ['status', '--porcelain'])).toBe('')
    const found = await scanned(root)
    expect(found.docs['docs/adr/0001-rye.md']).toBe('converted')
    expect(digests(found)['docs:docs/adr']).not.toBe(before['docs:docs/adr'])
  })
})

describe('what belongs to somebody else', () => {
  test('documents of embedded repositories and submodules are theirs, spec files are found by walking', async () => {
    const root = bakery()
    git(root, ['submodule', '--quiet', 'add', bakery(), 'commands/shared'])
    initRepository(path.join(root, 'docs/vendor'), { 'theirs.md': '# Theirs\n' })
    initRepository(path.join(root, 'docs/unborn'))
    writeTree(root, { 'docs/unborn/theirs.md': '# Theirs\n' })
    const found = await scanned(root)
    expect(found.docs).toEqual(ALL_VOUCHED.docs)
    const walked = await scanned(root, undefined, { PATH: '/nowhere' })
    expect(Object.keys(walked.docs).sort()).toEqual(Object.keys(ALL_VOUCHED.docs))
    expect(found.spec['commands/shared/README.md']).toBe('stat')
    expect(found.spec['commands/shared/commands/knead.md']).toBe('stat')
  })

  test('ignored documents are left out, ignored spec files are not, tracked ones never are', async () => {
    const root = bakery()
    writeTree(root, {
      '.gitignore': 'drafts/\ncommands/\nREADME.md\n',
      'docs/drafts/x.md': '# X\n',
      'commands/new.md': '',
    })
    const found = await scanned(root)
    expect(found.docs).toEqual(ALL_VOUCHED.docs)
    expect(found.spec).toEqual({ ...ALL_VOUCHED.spec, 'commands/new.md': 'stat' })
  })

  test('a root that its repository ignores was meant all the same', async () => {
    const outer = initRepository(tempFolder('scan'), { '.gitignore': '/checkouts/\n' })
    const root = path.join(outer, 'checkouts/shop')
    writeTree(root, { ...BAKERY, '.gitignore': 'drafts/\n', 'drafts/x.md': '# X\n' })
    const found = await scanned(root)
    expect(found.mode).toBe('walk')
    expect(Object.keys(found.docs).sort()).toEqual(Object.keys(ALL_VOUCHED.docs))
  })

  test('a tracked folder that became a link is gone, and so are links in general', async () => {
    const root = bakery()
    renameSync(path.join(root, 'docs/adr'), path.join(root, 'records'))
    symlinkSync('../records', path.join(root, 'docs/adr'))
    symlinkSync('README.md', path.join(root, 'INSIDE.md'))
    symlinkSync('/etc/hostname', path.join(root, 'OUTSIDE.md'))
    symlinkSync('LOOP.md', path.join(root, 'LOOP.md'))
    symlinkSync('nowhere', path.join(root, 'NOWHERE.md'))
    for (const stage of [false, true]) {
      if (stage) git(root, ['add', '--all'])
      const found = await scanned(root)
      const { 'docs/adr/0001-rye.md': _gone, ...rest } = ALL_VOUCHED.docs
      expect(found.docs).toEqual({
        ...rest,
        'records/0001-rye.md': stage ? 'vouched' : 'stat',
        'LOOP.md': 'linkLoop',
        'OUTSIDE.md': 'outsideLink',
      })
    }
  })
})

test('an index that moves while git is asked is asked about again', async () => {
  const root = bakery()
  writeTree(root, { 'docs/new.md': '# New\n' })
  // Our own reading sees the file untracked; git, asked a moment later, says that nothing is.
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const wrapper = `#!/bin/sh
case "$*" in *"ls-files -o"*) [ -e "$ONCE" ] || { : > "$ONCE"; sleep 0.3; '${real}' add docs/new.md; };; esac
exec '${real}' "$@"
`
  const bin = tempFolder('bin')
  writeTree(bin, { git: wrapper })
  chmodSync(path.join(bin, 'git'), 0o755)
  const once = path.join(bin, 'once')
  const found = await scanned(root, undefined, { PATH: `${bin}:${process.env['PATH']}`, ONCE: once })
  expect(statSync(once).isFile()).toBe(true)
  expect(found.docs['docs/new.md']).toBe('vouched')
})

test('what a scan runs neither writes to the repository nor runs its hooks', async () => {
  const root = bakery()
  const told = path.join(root, 'told')
  const hook = `#!/bin/sh\ntouch '${told}'\n`
  writeTree(root, { '.git/hooks/fsmonitor': hook, '.git/hooks/post-index-change': hook })
  chmodSync(path.join(root, '.git/hooks/fsmonitor'), 0o755)
  chmodSync(path.join(root, '.git/hooks/post-index-change'), 0o755)
  git(root, ['config', 'core.fsmonitor', '.git/hooks/fsmonitor'])
  rmSync(told, { force: true })
  // A new time stamp is what `git status` would write back into the index.
  writeTree(root, BAKERY)
  const before = git(root, ['-c', 'core.fsmonitor=false', 'ls-files', '--debug'])
  await scanned(root)
  expect(git(root, ['-c', 'core.fsmonitor=false', 'ls-files', '--debug'])).toBe(before)
  expect(() => rmSync(told)).toThrow()
})
