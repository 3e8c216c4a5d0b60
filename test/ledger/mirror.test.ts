// The mirror against real repositories: the working tree, index and HEAD of whoever pushes stay as they are, whatever
// state they are in, and several clones end with one ledger.

import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exportLedger } from '../../src/ledger/export.ts'
import { MIRROR_BRANCH, pullMirror, pushMirror } from '../../src/ledger/mirror.ts'
import { updateLedger } from '../../src/ledger/update.ts'
import { UserError } from '../../src/model/errors.ts'
import type { Card } from '../../src/model/ledger.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { saveRenames } from '../../src/store/queries/ledger-renames.ts'
import { ledgerDump } from '../../src/store/queries/ledger-state.ts'
import { gitWith } from '../scan/pantry.ts'
import { effort } from '../support/effort.ts'
import { childEnvironment } from '../support/environment.ts'
import { cloneRepository, commitAll, git, initRepository } from '../support/git.ts'
import { folderOfFile, tempFolder, writeTree } from '../support/temp.ts'
import { CREW, optionsFor, REPO, update } from './harbour.ts'
import { investigation, ledgerOf, textsOf } from './lessons.ts'
import { Pier } from './pier.ts'

const ENV = childEnvironment()
const NAMES = ['knowledge.jsonl', 'manifest.json', 'postings.json', 'renames.jsonl']

function closing(store: Store): Store {
  onTestFinished(() => store.close())
  return store
}

async function ledger(pier: Pier): Promise<Store> {
  return closing(await ledgerOf(pier))
}

/** An empty store. */
function blank(): Store {
  return closing(openMemoryStore())
}

let first: { readonly remote: string; readonly clone: string } | null = null

/** A bare repository, and a clone of it with two commits that are pushed: copies of those of the first test. */
function harbour(): { remote: string; clone: string } {
  first ??= firstHarbour()
  const remote = path.join(tempFolder('remote'), 'crane.git')
  const clone = path.join(tempFolder('clone'), 'crane')
  cpSync(first.remote, remote, { recursive: true })
  cpSync(first.clone, clone, { recursive: true })
  const config = path.join(clone, '.git/config')
  writeFileSync(config, readFileSync(config, 'utf8').replace(first.remote, remote))
  return { remote, clone }
}

function firstHarbour(): { remote: string; clone: string } {
  const folder = folderOfFile('harbour')
  const [remote, clone] = [path.join(folder, 'crane.git'), path.join(folder, 'crane')]
  git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', remote])
  // Git looks after a repository whenever something was pushed.
  git(remote, ['config', 'receive.autogc', 'false'])
  initRepository(clone)
  writeTree(clone, { 'src/crane.ts': 'lift()\n', 'log.txt': '1\n' })
  commitAll(clone, 'First day')
  writeTree(clone, { 'log.txt': '2\n' })
  commitAll(clone, 'Second day')
  git(clone, ['remote', 'add', 'origin', remote])
  git(clone, ['push', '--quiet', 'origin', 'main'])
  return { remote, clone }
}

function anotherClone(remote: string, ...flags: string[]): string {
  return cloneRepository(remote, path.join(tempFolder('another'), 'crane'), flags)
}

/** Issues 1 to `count`, each with a lesson, far enough apart in time. */
function quay(count: number): Pier {
  const pier = new Pier()
  for (let number = 1; number <= count; number++) {
    pier.open(number)
    pier.comment(number, investigation(`winch${number}`))
    pier.wait(120)
  }
  return pier
}

/** All that a mirror must not touch: every file outside `.git`, the index, HEAD and every ref but the branch's. */
function stateOf(clone: string): Record<string, string> {
  const dotGit = path.join(clone, '.git')
  // In a linked working tree it is a file that names the folder.
  const gitDir = lstatSync(dotGit).isFile() ? readFileSync(dotGit, 'utf8').slice('gitdir: '.length).trim() : dotGit
  const state: Record<string, string> = { HEAD: readFileSync(path.join(gitDir, 'HEAD'), 'utf8') }
  const look = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name)
      const stat = lstatSync(file)
      if (name === '.git') continue
      if (stat.isDirectory()) look(file)
      else state[file] = stat.isSymbolicLink() ? readlinkSync(file) : `${stat.mode} ${stat.mtimeMs} ${digest(file)}`
    }
  }
  look(clone)
  const index = path.join(gitDir, 'index')
  if (existsSync(index)) state['index'] = digest(index)
  const refs = git(clone, ['for-each-ref', '--format=%(refname) %(objectname)']).split('\n')
  state['refs'] = refs.filter((line) => !line.includes(MIRROR_BRANCH)).join('\n')
  for (const name of ['FETCH_HEAD', 'shallow', 'logs/HEAD', 'COMMIT_EDITMSG', 'config']) {
    const file = path.join(gitDir, name)
    state[name] = existsSync(file) ? digest(file) : 'absent'
  }
  return state
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** The mirror's files as the remote has them. */
function mirrored(remote: string): Record<string, string> {
  const asked = NAMES.map((name) => `${MIRROR_BRANCH}:${name}\n`).join('')
  let rest = Buffer.from(`${gitWith(asked, remote, ['cat-file', '--batch'])}\n`)
  const texts: Record<string, string> = {}
  for (const name of NAMES) {
    // A line with id, type and size, as many bytes, and a line end.
    const start = rest.indexOf('\n') + 1
    const end = start + Number(rest.subarray(0, start).toString().split(' ')[2])
    texts[name] = rest.subarray(start, end).toString()
    rest = rest.subarray(end + 1)
  }
  return texts
}

/** What an export of it would hold. */
function shown(store: Store): Record<string, string> {
  return { ...textsOf(store) }
}

function history(repository: string): string[] {
  return git(repository, ['rev-list', MIRROR_BRANCH]).split('\n')
}

const push = (root: string, store: Store, env = ENV): ReturnType<typeof pushMirror> =>
  pushMirror(root, env, store, REPO)
const pull = (root: string, store: Store, env = ENV): ReturnType<typeof pullMirror> =>
  pullMirror(root, env, store, REPO)

describe('push', () => {
  test('the first one, from a dirty tree on a feature branch, changes nothing of it', async () => {
    const { remote, clone } = harbour()
    git(clone, ['switch', '--quiet', '--create', 'feature'])
    writeTree(clone, { 'src/crane.ts': 'lift(2)\n', 'staged.txt': 'staged\n', 'knowledge.jsonl': 'my own\n' })
    git(clone, ['add', 'staged.txt'])
    writeTree(clone, { 'staged.txt': 'and changed\n', 'docs/new.md': 'untracked\n' })
    const before = stateOf(clone)
    const store = await ledger(quay(3))
    store.write(() => saveRenames(store, [{ commit: 'c1', at: 1, from: 'a.ts', to: 'b.ts' }], null, false))
    const report = await push(clone, store)
    expect(stateOf(clone)).toEqual(before)
    expect(report).toMatchObject({ remote: 'origin', pushed: true, issues: 3, cards: 6, newer: 0, gone: 0 })
    expect(mirrored(remote)).toEqual(shown(store))
    expect(history(remote)).toEqual([report.commit])
    expect(git(remote, ['ls-tree', '--name-only', MIRROR_BRANCH]).split('\n')).toEqual(NAMES)
    expect(git(clone, ['rev-parse', MIRROR_BRANCH])).toBe(report.commit)
    expect(git(remote, ['log', '--format=%s %an', MIRROR_BRANCH])).toBe(
      'Ledger of harbour/crane: 6 cards of 3 issues Ada Baker',
    )
  })

  test('commits nothing when nothing changed, a watermark alone included', async () => {
    const { remote, clone } = harbour()
    const pier = quay(2)
    const store = await ledger(pier)
    const first = await push(clone, store)
    expect(await push(clone, store)).toMatchObject({ pushed: false, commit: first.commit })
    // A label: the time of change moves, and nothing that a card says.
    pier.wait(500).close(2, 'open')
    await update(store, pier)
    expect(await push(clone, store)).toMatchObject({ pushed: false, commit: first.commit })
    expect(history(remote)).toEqual([first.commit])
    pier.comment(2, investigation('hawser'))
    await update(store, pier)
    const second = await push(clone, store)
    expect(history(remote)).toEqual([second.commit, first.commit])
    expect(mirrored(remote)).toEqual(shown(store))
  })

  test('from a detached HEAD, a folder below the root, and a linked working tree', async () => {
    const { remote, clone } = harbour()
    const pier = quay(1)
    const store = await ledger(pier)
    git(clone, ['checkout', '--quiet', '--detach', 'HEAD~1'])
    const detached = stateOf(clone)
    await push(path.join(clone, 'src'), store)
    expect(stateOf(clone)).toEqual(detached)
    const linked = path.join(tempFolder('linked'), 'tree')
    git(clone, ['worktree', 'add', '--quiet', '-b', 'beside', linked])
    const [here, there] = [stateOf(clone), stateOf(linked)]
    pier.comment(1, investigation('fender'))
    await update(store, pier)
    const { commit } = await push(linked, store)
    expect([stateOf(clone), stateOf(linked)]).toEqual([here, there])
    expect(git(remote, ['rev-parse', MIRROR_BRANCH])).toBe(commit)
  })

  test('inside a hook of another repository it works on its own', async () => {
    const { remote, clone } = harbour()
    const other = harbour()
    const store = await ledger(quay(1))
    const hookEnv = { ...ENV, GIT_DIR: path.join(other.clone, '.git'), GIT_INDEX_FILE: '/nowhere/index' }
    const { commit } = await push(clone, store, hookEnv)
    expect(git(remote, ['rev-parse', MIRROR_BRANCH])).toBe(commit)
    expect(git(other.remote, ['branch', '--list', MIRROR_BRANCH])).toBe('')
  })

  test('where the branch is checked out, it stays, and so does that working tree', async () => {
    const { remote, clone } = harbour()
    const pier = quay(1)
    const store = await ledger(pier)
    await push(clone, store)
    const reading = path.join(tempFolder('reading'), 'mirror')
    git(clone, ['worktree', 'add', '--quiet', reading, MIRROR_BRANCH])
    const before = stateOf(reading)
    pier.comment(1, investigation('gangway'))
    await update(store, pier)
    expect(await push(clone, store)).toMatchObject({ pushed: true, branchMoved: false })
    expect(stateOf(reading)).toEqual(before)
    expect(git(reading, ['status', '--porcelain'])).toBe('')
    expect(mirrored(remote)).toEqual(shown(store))
  })

  test('a local branch with commits of its own stays as it is', async () => {
    const { clone } = harbour()
    const tree = git(clone, ['rev-parse', 'HEAD^{tree}'])
    const own = git(clone, ['commit-tree', tree, '-m', 'Mine'])
    git(clone, ['update-ref', `refs/heads/${MIRROR_BRANCH}`, own])
    expect(await push(clone, await ledger(quay(1)))).toMatchObject({ pushed: true, branchMoved: false })
    expect(git(clone, ['rev-parse', MIRROR_BRANCH])).toBe(own)
  })

  test('a HEAD that waits on the branch for its first commit is left waiting', async () => {
    const { remote, clone } = harbour()
    git(clone, ['switch', '--quiet', '--orphan', MIRROR_BRANCH])
    const before = stateOf(clone)
    expect(await push(clone, await ledger(quay(1)))).toMatchObject({ pushed: true, branchMoved: false })
    expect(stateOf(clone)).toEqual(before)
    expect(git(clone, ['branch', '--list', MIRROR_BRANCH])).toBe('')
    expect(history(remote)).toHaveLength(1)
  })

  test('what else lies on the branch is kept; the repository’s hooks do not run', async () => {
    const { remote, clone } = harbour()
    const pier = quay(1)
    const store = await ledger(pier)
    await push(clone, store)
    const guest = anotherClone(remote, `--branch=${MIRROR_BRANCH}`)
    writeTree(guest, { 'README.md': 'A mirror.\n', 'charts/ü.txt': 'deep\n' })
    commitAll(guest, 'Explain')
    git(guest, ['push', '--quiet', 'origin', MIRROR_BRANCH])
    for (const hook of ['pre-push', 'reference-transaction', 'post-checkout']) {
      const file = path.join(clone, '.git/hooks', hook)
      writeFileSync(file, '#!/bin/sh\nexit 1\n')
      chmodSync(file, 0o755)
    }
    pier.comment(1, investigation('buoy'))
    await update(store, pier)
    await push(clone, store)
    const names = git(remote, ['ls-tree', '-r', '-z', '--name-only', MIRROR_BRANCH]).split('\0').filter(Boolean)
    expect(names).toEqual(['README.md', 'charts/ü.txt', ...NAMES])
    expect(mirrored(remote)).toEqual(shown(store))
  })
})

describe('several clones', () => {
  test('two push in turn: the newer of each issue wins, and both pull the same ledger', async () => {
    const { remote, clone } = harbour()
    const second = anotherClone(remote)
    const pier = quay(4)
    const [ours, theirs] = [blank(), blank()]
    for (const issue of [1, 2]) await update(ours, pier, { issue })
    for (const issue of [2, 3]) await update(theirs, pier, { issue })
    await push(clone, ours)
    expect(await push(second, theirs)).toMatchObject({ pushed: true, issues: 3, newer: 1 })
    pier.edit(2, 1, investigation('davit'))
    await update(ours, pier, { issue: 2 })
    await update(ours, pier, { issue: 4 })
    expect(await push(clone, ours)).toMatchObject({ pushed: true, issues: 4, newer: 1 })
    // An old state of issue 2 changes nothing.
    expect(await push(second, theirs)).toMatchObject({ pushed: false, issues: 4, newer: 3 })
    expect(await pull(clone, ours)).toMatchObject({ taken: 1, removed: 0, issues: 4 })
    expect(await pull(second, theirs)).toMatchObject({ taken: 3, removed: 0, issues: 4 })
    expect(textsOf(theirs)).toEqual(textsOf(ours))
    const whole = await ledger(pier)
    expect(shown(whole)['knowledge.jsonl']).toBe(mirrored(remote)['knowledge.jsonl'])
    expect(shown(whole)['postings.json']).toBe(mirrored(remote)['postings.json'])
    expect(ledgerDump(theirs)).toEqual(ledgerDump(whole))
    expect(history(remote)).toHaveLength(3)
  })

  test('an issue that is gone leaves the mirror, is not brought back, and leaves who pulls', async () => {
    const { remote, clone } = harbour()
    const second = anotherClone(remote)
    const pier = quay(4)
    const [ours, theirs] = [await ledger(pier), await ledger(pier)]
    await push(clone, ours)
    pier.remove(2)
    await update(ours, pier, 'full')
    expect(await push(clone, ours)).toMatchObject({ pushed: true, issues: 3, gone: 1 })
    expect(await push(second, theirs)).toMatchObject({ pushed: false, issues: 3, newer: 1 })
    expect(await pull(second, theirs)).toMatchObject({ taken: 0, removed: 1 })
    expect(ledgerDump(theirs)).toEqual(ledgerDump(ours))
    expect(mirrored(remote)).toEqual(shown(ours))
  })

  test('of two states with one time the one that knows more history wins, else one and the same for all', async () => {
    const { remote, clone } = harbour()
    const pier = quay(3)
    const [knowing, shallow] = [await ledger(pier), blank()]
    await updateLedger(shallow, pier, { ...optionsFor(pier, 'full'), anchors: async (cards) => cards })
    expect(textsOf(shallow)).not.toEqual(textsOf(knowing))
    await push(clone, shallow)
    expect(await push(clone, knowing)).toMatchObject({ pushed: true, newer: 0 })
    expect(await push(clone, shallow)).toMatchObject({ pushed: false, newer: 3 })
    expect(await pull(clone, knowing)).toMatchObject({ taken: 0 })
    expect(await pull(clone, shallow)).toMatchObject({ taken: 3 })
    expect(textsOf(shallow)).toEqual(textsOf(knowing))
    expect(mirrored(remote)).toEqual(shown(knowing))

    // As many anchors filled on both sides, with other blobs: in the long run.
    if (effort(0, 1) === 0) return
    const elsewhere = blank()
    const other = async (cards: readonly Card[]): Promise<readonly Card[]> =>
      cards.map((card) => ({ ...card, anchor: card.anchor && { ...card.anchor, blobSha: 'b'.repeat(40) } }) as Card)
    await updateLedger(elsewhere, pier, { ...optionsFor(pier, 'full'), anchors: other })
    expect(textsOf(elsewhere)).not.toEqual(textsOf(knowing))
    await push(clone, elsewhere)
    await push(clone, knowing)
    for (const store of [elsewhere, knowing]) await pull(clone, store)
    expect(textsOf(elsewhere)).toEqual(textsOf(knowing))
    for (const store of [elsewhere, knowing])
      expect(await push(clone, store)).toMatchObject({ pushed: false, newer: 0 })
  })

  test('renames come together', async () => {
    const { remote, clone } = harbour()
    const pier = quay(1)
    const [ours, theirs] = [await ledger(pier), await ledger(pier)]
    const [old, young] = [1, 2].map((at) => ({ commit: `c${at}`, at, from: `${at}.ts`, to: `${at}${at}.ts` }))
    ours.write(() => saveRenames(ours, [young as NonNullable<typeof young>], null, false))
    theirs.write(() => saveRenames(theirs, [old as NonNullable<typeof old>], null, false))
    await push(clone, ours)
    await push(clone, theirs)
    await pull(clone, ours)
    expect(mirrored(remote)).toEqual(shown(ours))
    expect(
      textsOf(ours)
        ['renames.jsonl']?.split('\n')
        .map((line) => line.slice(11, 13)),
    ).toEqual(['c1', 'c2', ''])
  })

  test('hydrates in a single-branch shallow clone, and pushes from there', async () => {
    const { remote, clone } = harbour()
    const pier = quay(3)
    const store = await ledger(pier)
    await push(clone, store)
    pier.comment(1, investigation('bollard'))
    await update(store, pier)
    await push(clone, store)
    const shallow = anotherClone(remote, '--depth=1', '--single-branch')
    const before = stateOf(shallow)
    const hydrated = blank()
    expect(await pull(shallow, hydrated)).toMatchObject({ issues: 3, taken: 3, branchMoved: true })
    expect(stateOf(shallow)).toEqual(before)
    expect(before['shallow']).not.toBe('absent')
    expect(ledgerDump(hydrated)).toEqual(ledgerDump(store))
    expect(textsOf(hydrated)).toEqual(textsOf(store))
    expect(await pull(shallow, hydrated)).toMatchObject({ taken: 0, removed: 0 })
    pier.comment(2, investigation('mooring'))
    await update(hydrated, pier)
    expect(await push(shallow, hydrated)).toMatchObject({ pushed: true })
    expect(stateOf(shallow)).toEqual(before)
    expect(history(remote)).toHaveLength(3)
    expect(mirrored(remote)).toEqual(shown(hydrated))
  })

  test('pushes at the same time all arrive, from one clone and from several', { timeout: 240_000 }, async () => {
    const { remote, clone } = harbour()
    const count = effort(2, 8)
    const pier = quay(count)
    const stores = Array.from({ length: count }, blank)
    const clones = stores.map((_, i) => (i % 2 === 0 ? clone : anotherClone(remote)))
    for (const [i, store] of stores.entries()) await update(store, pier, { issue: i + 1 })
    const reports = await Promise.all(stores.map((store, i) => push(clones[i] ?? '', store)))
    expect(reports.every(({ pushed }) => pushed)).toBe(true)
    const whole = await ledger(pier)
    for (const name of ['knowledge.jsonl', 'postings.json']) expect(mirrored(remote)[name]).toBe(shown(whole)[name])
    expect(history(remote)).toHaveLength(count)
  })
})

describe('what cannot be done is one clear line', () => {
  const refusal = async (work: Promise<unknown>): Promise<UserError> => {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(UserError)
    expect((error as UserError).message).not.toMatch(/[\n\r]/)
    return error as UserError
  }

  test('no repository, no remote, no branch, no ledger', async () => {
    const store = await ledger(quay(1))
    const bare = tempFolder('nowhere')
    expect(await refusal(push(bare, store, { ...ENV, GIT_CEILING_DIRECTORIES: path.dirname(bare) }))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('no repository to mirror through'),
    })
    const lonely = initRepository(path.join(tempFolder('lonely'), 'crane'), { 'a.txt': 'a\n' })
    const before = stateOf(lonely)
    expect(await refusal(push(lonely, store))).toMatchObject({
      code: 'config',
      message: 'the repository has no remote: nowhere to mirror the ledger',
    })
    expect(stateOf(lonely)).toEqual(before)
    const { clone } = harbour()
    expect(await refusal(pull(clone, store))).toMatchObject({ code: 'not-found' })
    expect(await refusal(push(clone, blank()))).toMatchObject({ code: 'not-found' })
  })

  test('no identity: nothing is pushed, and pulling needs none', async () => {
    const { remote, clone } = harbour()
    const store = await ledger(quay(1))
    git(clone, ['config', 'user.useConfigOnly', 'true'])
    const nobody = Object.fromEntries(
      Object.entries(ENV).filter(([name]) => !/^GIT_(AUTHOR|COMMITTER)_|^EMAIL$/.test(name)),
    )
    const before = stateOf(clone)
    expect(await refusal(push(clone, store, nobody))).toMatchObject({
      code: 'config',
      message: 'git knows no identity to commit the mirror with; nothing was pushed',
    })
    expect(stateOf(clone)).toEqual(before)
    expect(git(remote, ['branch', '--list', MIRROR_BRANCH])).toBe('')
    await push(clone, store)
    const hydrated = blank()
    await pull(clone, hydrated, nobody)
    expect(ledgerDump(hydrated)).toEqual(ledgerDump(store))
  })

  test('a remote that is away, or says no', async () => {
    const { remote, clone } = harbour()
    const store = await ledger(quay(1))
    const before = stateOf(clone)
    const hook = path.join(remote, 'hooks/update')
    writeFileSync(hook, '#!/bin/sh\nexit 1\n')
    chmodSync(hook, 0o755)
    const declined = await refusal(push(clone, store))
    expect(declined).toMatchObject({ code: 'io' })
    expect(declined.message).toBe('cannot push to origin: [remote rejected] (hook declined)')
    expect(stateOf(clone)).toEqual(before)
    expect(git(clone, ['branch', '--list', MIRROR_BRANCH])).toBe('')
    git(clone, ['remote', 'set-url', 'origin', `${remote}.gone`])
    const away = await refusal(push(clone, store))
    expect(away).toMatchObject({ code: 'io' })
    expect(away.message).toMatch(/^cannot reach origin: .*crane\.git\.gone/)
  })

  test('a branch of another tool, a torn one, one of another repository: nothing is taken or overwritten', async () => {
    const { remote, clone } = harbour()
    const store = await ledger(quay(2))
    const { files } = exportLedger(store, REPO)
    const texts = Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString('utf8')]))
    const ahead = texts['manifest.json']?.replace(/"watermark": "\d{4}/, '"watermark": "2999') ?? ''
    const states: readonly Record<string, string>[] = [
      { 'knowledge.jsonl': '{"schemaVersion":1,"status":"fresh"}\n' },
      { ...texts, 'manifest.json': texts['manifest.json']?.replace('harbour/crane', 'harbour/lock') ?? '' },
      { ...texts, 'knowledge.jsonl': texts['knowledge.jsonl']?.slice(0, -40) ?? '' },
      { ...texts, 'knowledge.jsonl': '{"schemaVersion":1,"id":"1/pattern/0","status":"fresh"}\n' },
      { ...texts, 'manifest.json': ahead },
    ]
    const foreign = initRepository(path.join(tempFolder('foreign'), 'crane'))
    for (const state of states.slice(0, effort(3, 5))) {
      for (const name of NAMES) rmSync(path.join(foreign, name), { force: true })
      writeTree(foreign, state)
      commitAll(foreign, 'Foreign')
      git(foreign, ['push', '--quiet', '--force', remote, `main:${MIRROR_BRANCH}`])
      const tip = git(remote, ['rev-parse', MIRROR_BRANCH])
      const hydrated = blank()
      const before = ledgerDump(hydrated)
      for (const work of [() => push(clone, store), () => pull(clone, hydrated)]) {
        expect(await refusal(work())).toMatchObject({ code: 'refused', exit: 1 })
      }
      expect(ledgerDump(hydrated)).toEqual(before)
      expect(git(remote, ['rev-parse', MIRROR_BRANCH])).toBe(tip)
    }
  })

  test('ledgers of two trust filters are not mixed; the more complete one replaces the mirror', async () => {
    const { remote, clone } = harbour()
    const pier = quay(2)
    pier.comment(2, investigation('gull'), 'NONE')
    pier.wait(120)
    const strict = await ledger(pier)
    await push(clone, strict)
    const open = { ...CREW, associations: [...CREW.associations, 'NONE'] }
    const [lax, part] = [blank(), blank()]
    await update(lax, pier, 'full', open)
    // One issue of a pier at which others changed meanwhile: this ledger never completed a listing.
    await update(part, pier, { issue: 1 }, open)
    for (const work of [() => push(clone, part), () => pull(clone, lax), () => pull(clone, part)]) {
      expect((await refusal(work())).message).toMatch(/another trust filter/)
    }
    expect(mirrored(remote)).toEqual(shown(strict))
    await push(clone, lax)
    expect(mirrored(remote)).toEqual(shown(lax))
  })
})
