// The hands of the soak test: a repository that is edited, committed, checked out, stashed and reverted at random. Each
// step is a small thing a person or a script does; what git refuses (nothing to commit, a conflict) is undone and goes on.
// Steps depend on the seed and on the tree only, never on what the specdex processes beside them do.

import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { commandName, commitCorpus, generateCorpus, git, REFERENCE } from '../bench/corpus.mjs'

const FILES = 240
const MOST_FILES = 500

/**
 * Makes the tree and returns its random hands.
 * @param {string} root
 * @param {() => number} random
 */
export async function makeTree(root, random) {
  const corpus = await generateCorpus(root, { files: FILES })
  await commitCorpus(root)
  // What specdex makes is not the repository's: a checkout must not take the index away.
  appendFileSync(path.join(root, '.git/info/exclude'), '.specdex/\n.forgedock/\n')
  mkdirSync(path.join(root, '.specdex'))
  const pick = (list) => list[Math.floor(random() * list.length)]
  const at = (file) => path.join(root, file)
  let made = 0

  /** Plain files of the tree, sorted; the folder of git is none of ours. */
  const files = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
      .filter((file) => !/^\.(git|specdex|forgedock)\//.test(file))
      .sort()
  const someFile = (pattern = /./) => {
    const found = files().filter((file) => pattern.test(file))
    return found.length === 0 ? null : pick(found)
  }
  const line = () => {
    const rule = pick(Object.keys(REFERENCE))
    const targets = { script: corpus.scripts, devdoc: ['devdocs/ovens.md'], label: ['baking', 'sold-out'] }[rule]
    const target = rule === 'skill' ? commandName(pick(corpus.commands)) : pick(targets ?? corpus.markers)
    return `${REFERENCE[rule](target)}\n`
  }
  const newName = () => {
    const name = `order-${String(made++).padStart(4, '0')}`
    const folder = pick(['commands', 'commands/night', 'docs', 'docs/night', 'scripts', 'devdocs', 'notes', '.'])
    return `${folder}/${name}${folder === 'scripts' ? '.sh' : '.md'}`
  }
  const put = (file, content) => {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), content)
  }
  const remove = (file) => rmSync(at(file), { recursive: true, force: true })
  const undone = async (...args) => {
    try {
      await git(root, ...args)
      return ''
    } catch (error) {
      // A conflict, or changes in the way: back to the last commit.
      await git(root, 'reset', '--quiet', '--hard')
      return ` (refused: ${error.message.split('\n')[0]})`
    }
  }
  const commits = async () => (await git(root, 'rev-list', '--all', '--max-count=40')).trim().split('\n')
  const clearState = async () => {
    for (const state of ['revert', 'merge', 'cherry-pick']) await git(root, state, '--abort').catch(() => {})
  }

  /** @type {[number, string, () => unknown][]} weight, name, step; a step returns what it was about */
  const steps = [
    [12, 'append', () => edit((file) => appendFileSync(at(file), line()))],
    [6, 'rewrite', () => edit((file) => writeFileSync(at(file), `# Rewritten\n\n${line()}${line()}`))],
    [4, 'same size', () => edit((file) => writeFileSync(at(file), swapLetters(readFileSync(at(file)))))],
    [3, 'touch', () => edit((file) => utimesSync(at(file), new Date(), new Date()))],
    [2, 'broken', () => edit((file) => writeFileSync(at(file), Buffer.from([0xff, 0x00, 0xc3, 0x0a])))],
    [2, 'empty', () => edit((file) => writeFileSync(at(file), ''))],
    [8, 'add', () => add()],
    [5, 'delete', () => edit(remove)],
    [4, 'rename', () => edit((file) => move(file, newName()))],
    [1, 'rename folder', () => moveFolder()],
    [1, 'file to folder', () => edit(becomeFolder)],
    [1, 'link', () => link(pick(['../README.md', '/etc/hostname', '.', 'nowhere.md']))],
    [1, 'unreadable', () => edit((file) => chmodSync(at(file), 0o000), /^docs\//)],
    [1, 'ignore', () => put('.gitignore', pick(['', 'docs/night/\n', '*.tmp.md\nnotes/\n', 'commands/night/\n']))],
    [1, 'attributes', () => put('.gitattributes', pick(['', '*.md text\n', '*.sh eol=lf\n']))],
    [1, 'configure', () => configure()],
    [8, 'commit', () => commit()],
    [
      3,
      'commit tracked',
      () => undone('commit', '--quiet', '--no-verify', '--all', '--allow-empty', '--message', 'Bake'),
    ],
    [3, 'new branch', () => undone('checkout', '--quiet', '-b', `shift-${made++}`)],
    [4, 'checkout', async () => undone('checkout', '--quiet', '--force', pick(await commits()))],
    [2, 'main', () => undone('checkout', '--quiet', '--force', 'main')],
    [3, 'stash', () => undone('stash', 'push', '--quiet', ...pick([[], ['--include-untracked']]))],
    [3, 'stash pop', () => pop()],
    [2, 'revert', () => undone('revert', '--no-edit', 'HEAD').finally(clearState)],
    [2, 'merge', async () => undone('merge', '--quiet', '--no-edit', pick(await commits())).finally(clearState)],
    [2, 'reset', () => undone('reset', '--quiet', pick(['--hard', '--mixed', '--soft']), 'HEAD')],
    [1, 'clean', () => undone('clean', '--quiet', '--force', '-d')],
    [1, 'untrack', () => edit((file) => git(root, 'rm', '--quiet', '--cached', '--ignore-unmatch', '--', file))],
    [1, 'index version', () => undone('update-index', '--index-version', pick(['2', '3', '4']))],
    [1, 'split index', () => undone('update-index', pick(['--split-index', '--no-split-index']))],
    [1, 'intent to add', () => undone('add', '--intent-to-add', '.')],
  ]
  const weight = steps.reduce((sum, [each]) => sum + each, 0)

  async function edit(step, pattern) {
    const file = someFile(pattern)
    if (file === null) return 'nothing'
    try {
      await step(file)
      return file
    } catch (error) {
      // An earlier step made it unreadable.
      if (error.code === 'EACCES') return `${file} (not readable)`
      throw error
    }
  }
  function becomeFolder(file) {
    remove(file)
    put(`${file}/inner.md`, line())
  }
  function add() {
    if (files().length >= MOST_FILES) return edit(remove)
    const file = newName()
    put(file, file.endsWith('.sh') ? '#!/usr/bin/env bash\n' : `---\ntitle: ${file}\n---\n\n${line()}${line()}`)
    return file
  }
  function move(from, to) {
    mkdirSync(path.dirname(at(to)), { recursive: true })
    renameSync(at(from), at(to))
  }
  function moveFolder() {
    const folders = ['commands', 'docs'].flatMap((top) =>
      existsSync(at(top)) ? readdirSync(at(top)).map((name) => `${top}/${name}`) : [],
    )
    const from = pick(folders.filter((folder) => lstatSync(at(folder)).isDirectory()))
    if (from === undefined) return 'nothing'
    const to = `${path.posix.dirname(from)}/shift-${made++}`
    renameSync(at(from), at(to))
    return `${from} → ${to}`
  }
  function link(target) {
    const file = newName()
    mkdirSync(path.dirname(at(file)), { recursive: true })
    symlinkSync(target, at(file))
    return `${file} → ${target}`
  }
  function configure() {
    const text = pick(['', 'ignore: [docs/night]\n', 'include: ["docs/**/*.md"]\n', 'limits:\n  file_bytes: 4096\n'])
    const file = at('.specdex/config.yml')
    if (text === '') return rmSync(file, { force: true })
    // As an editor does it: the file is always whole.
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
    return text.trim()
  }
  async function commit() {
    // git reads what it stages.
    for (const file of files()) if ((lstatSync(at(file)).mode & 0o400) === 0) chmodSync(at(file), 0o644)
    const refused = await undone('add', '--all')
    return `${refused}${await undone('commit', '--quiet', '--no-verify', '--allow-empty', '--message', `Shift ${made++}`)}`
  }
  async function pop() {
    if ((await git(root, 'stash', 'list')).trim() === '') return 'nothing'
    const refused = await undone('stash', 'pop', '--quiet')
    if (refused !== '') await git(root, 'stash', 'drop', '--quiet')
    return refused
  }

  return {
    corpus,
    /** One random step; returns what was done, for the log. */
    step: async () => {
      let left = random() * weight
      for (const [each, name, run] of steps) {
        left -= each
        if (left >= 0) continue
        const about = await run()
        return `${name} ${about ?? ''}`.trim()
      }
      return 'nothing'
    },
  }
}

/** Other bytes of the same length. */
function swapLetters(bytes) {
  return bytes.map((byte) => (byte === 0x61 ? 0x65 : byte === 0x65 ? 0x61 : byte))
}
