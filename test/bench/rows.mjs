// The questions that are put to one corpus, in an order in which each finds the state it is about: nothing indexed, all
// indexed, everything again, one file edited, one committed, an index restored into a fresh clone.
// The surprise: groups are separate where one row would change what another finds (a new generation, an edit).

import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { commandName, git, REFERENCE } from './corpus.mjs'
import { checkedRun, measure } from './measure.mjs'

/** @typedef {import('./measure.mjs').Bench} Bench */
/** @typedef {import('./measure.mjs').Figure} Figure */
/** @typedef {import('./corpus.mjs').Corpus} Corpus */

/**
 * All rows of one corpus, and the size of its cold index.
 * @param {Bench} bench
 * @param {Corpus} corpus
 * @param {boolean} inGit
 * @param {string} scratch folder for the clone
 * @returns {Promise<{ figures: Figure[], indexBytes: number }>}
 */
export async function benchCorpus(bench, corpus, inGit, scratch) {
  const { folder, marker, readers, files } = corpus
  const specdex = (...words) => [process.execPath, bench.cli, ...words]
  const index = path.join(folder, '.specdex/index.db')
  const settle = () =>
    checkedRun(bench, folder, { label: 'index', command: specdex('index', '--quiet') }, bench.runner.run)
  const many = bench.rounds
  const few = Math.max(bench.fewest, Math.min(Math.ceil(many / 2), Math.round((many * 5000) / files)))
  const madeBy = isMadeBy(inGit ? 'by git' : 'by walk')

  const remove = () => rmSync(path.join(folder, '.specdex'), { recursive: true, force: true })
  const cold = { id: 'cold', label: 'cold `index`', command: specdex('index'), before: remove, check: madeBy }
  const figures = await measure(bench, folder, [cold], few)
  const indexBytes = statSync(index).size
  await settle()

  const build = {
    label: '`spec build --stdout`',
    command: specdex('spec', 'build', '--stdout', '--quiet'),
    check: isDocument,
  }
  await checkedRun(bench, folder, build, bench.runner.run)
  const check = isAnswer(marker, () => readers)
  const readersOf = specdex('spec', 'readers', marker)
  const unchanged = [
    {
      id: 'floor-lookup',
      label: 'floor: node, addon, one look-up',
      command: [process.execPath, bench.floor, bench.addon, index, `ann:FORGE:${marker}`],
    },
    {
      id: 'query-unchecked',
      label: '`spec readers --no-stale-check`',
      command: [...readersOf, '--no-stale-check'],
      check,
    },
    { id: 'query', label: 'nothing changed: `spec readers`', command: readersOf, check },
    { id: 'index-idle', label: 'nothing changed: `index`', command: specdex('index'), check: isNothingNew },
    {
      id: 'impact',
      label: 'nothing changed: `spec impact`',
      command: specdex('spec', 'impact', `FORGE:${marker}`),
      check: countIds,
    },
  ]
  const idle = (row) => ({ ...row, idle: true })
  figures.push(...(await measure(bench, folder, unchanged.map(idle), many)))
  const buildAgain = { ...build, id: 'build-again', label: `${build.label}, fingerprint known` }
  figures.push(...(await measure(bench, folder, [idle(buildAgain)], few)))
  const full = { id: 'full', label: '`index --full`', command: specdex('index', '--full'), check: madeBy }
  figures.push(...(await measure(bench, folder, [full], few)))

  const hand = editor(corpus)
  const edited = { id: 'edited', label: 'one file edited: `spec readers`', command: readersOf, before: hand.edit }
  figures.push(...(await measure(bench, folder, [{ ...edited, check: isAnswer(marker, hand.expected) }], many)))
  const buildFirst = { ...build, id: 'build-first', label: `${build.label}, first of a generation` }
  const editAndIndex = async () => {
    hand.edit()
    await settle()
  }
  figures.push(...(await measure(bench, folder, [{ ...buildFirst, before: editAndIndex }], few)))
  hand.restore()
  if (inGit) {
    await git(folder, 'update-index', '--refresh', '-q')
    await settle()
    figures.push(...(await committed(bench, corpus, readersOf, Math.max(few, Math.ceil(many / 2)))))
    await settle()
    figures.push(...(await restored(bench, corpus, path.join(scratch, 'clone'), few)))
  }
  return { figures, indexBytes }
}

function isMadeBy(wanted) {
  return (stdout) => {
    if (!stdout.includes(wanted)) throw new Error(`the index was not made ${wanted}: ${stdout}`)
  }
}

function isAnswer(marker, expected) {
  return (stdout) => {
    if (stdout !== `${JSON.stringify(expected())}\n`) throw new Error(`wrong readers of ${marker}: ${stdout}`)
  }
}

function isNothingNew(stdout) {
  if (!stdout.startsWith('0 added, 0 changed, 0 removed, ')) throw new Error(`something is new: ${stdout}`)
}

function countIds(stdout) {
  const found = JSON.parse(stdout).length
  if (found === 0) throw new Error('impact found nothing')
  return `${found} ids`
}

function isDocument(stdout) {
  if (!stdout.endsWith('}\n') || stdout.length < 1000) throw new Error(`no document: ${stdout.slice(0, 200)}`)
  return `${(stdout.length / 1e6).toFixed(1)} MB`
}

/** Edits one command again and again; every other time it reads the marker. @param {Corpus} corpus */
function editor({ folder, commands, readers, marker }) {
  const name = commands.find((file) => file.split('/').length > 2 && !readers.includes(`cmd:${commandName(file)}`))
  const file = path.join(folder, name)
  const original = readFileSync(file, 'utf8')
  let edits = 0
  const reads = () => edits % 2 === 1
  return {
    edit: () => {
      edits++
      writeFileSync(file, `${original}\nBatch ${edits}.\n${reads() ? `${REFERENCE.read(marker)}\n` : ''}`)
    },
    expected: () => (reads() ? [...readers, `cmd:${commandName(name)}`].sort() : readers),
    restore: () => writeFileSync(file, original),
  }
}

/** Each time one more file is added and committed, which moves git's index. Adds the new readers to the corpus. */
async function committed(bench, corpus, command, rounds) {
  const { folder, marker, readers, commands } = corpus
  const dir = path.posix.dirname(commands[commands.length - 1])
  const commitOne = async () => {
    const file = `${dir}/order-${readers.length}.md`
    writeFileSync(path.join(folder, file), `# An order\n\n${REFERENCE.read(marker)}\n`)
    readers.push(`cmd:${commandName(file)}`)
    readers.sort()
    await git(folder, 'add', '--', file)
    await git(folder, 'commit', '--quiet', '--no-verify', '--message', `Take ${file}`)
  }
  const check = isAnswer(marker, () => readers)
  const row = {
    id: 'committed',
    label: 'one file added and committed: `spec readers`',
    command,
    before: commitOne,
    check,
  }
  return measure(bench, folder, [row], rounds)
}

/** A fresh clone, where every time stamp is new, with the index copied into it. */
async function restored(bench, { folder, marker, readers }, clone, rounds) {
  await git(path.dirname(clone), 'clone', '--quiet', '--shared', folder, clone)
  try {
    const before = () => {
      rmSync(path.join(clone, '.specdex'), { recursive: true, force: true })
      mkdirSync(path.join(clone, '.specdex'))
      copyFileSync(path.join(folder, '.specdex/index.db'), path.join(clone, '.specdex/index.db'))
    }
    const countReads = (stdout) => {
      const { checked, added, changed, removed, reextracted } = JSON.parse(stdout)
      const moved = [added, changed, removed, reextracted].reduce((sum, list) => sum + list.length, 0)
      return `${checked + moved} files read`
    }
    const query = [process.execPath, bench.cli, 'spec', 'readers', marker]
    const index = [process.execPath, bench.cli, 'index', '--json']
    const label = 'restored into a fresh clone:'
    const rows = [
      {
        id: 'restored-query',
        label: `${label} \`spec readers\``,
        command: query,
        check: isAnswer(marker, () => readers),
      },
      { id: 'restored-index', label: `${label} \`index\``, command: index, check: countReads },
    ]
    return await measure(
      bench,
      folder,
      rows.map((row) => ({ ...row, cwd: clone, before })),
      rounds,
    )
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}
