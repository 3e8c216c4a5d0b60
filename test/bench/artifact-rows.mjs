// The questions that are put to a repository of artifacts, in the order of a working day: the first one ever, the same
// ones with nothing changed, one ADR or one source file edited, everything in memory without an index. Answers are held
// against what the generator knows. The surprise: sorting by code unit is also sorting by bytes here, all ids are ASCII.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checkedRun, measure } from './measure.mjs'
import { figureTable } from './report.mjs'

/** @typedef {import('./measure.mjs').Bench} Bench */
/** @typedef {import('./measure.mjs').Figure} Figure */
/** @typedef {import('./artifact-corpus.mjs').ArtifactCorpus} ArtifactCorpus */

const MEGABYTE = 1024 * 1024
/** Targets of the largest corpus: milliseconds of wall time, bytes. */
const LARGE = 10_000
const FIRST = 3000
const UNCHANGED = 250
const CHANGED = 300
const MEMORY = 300 * MEGABYTE

/**
 * All rows of one corpus. What they edit is put back.
 * @param {Bench} bench
 * @param {ArtifactCorpus} corpus
 * @returns {Promise<Figure[]>}
 */
export async function benchArtifacts(bench, corpus) {
  const { folder, queried, artifacts } = corpus
  const graph = (...words) => [process.execPath, bench.cli, 'graph', ...words]
  const few = Math.max(
    bench.fewest,
    Math.min(Math.ceil(bench.rounds / 2), Math.round((bench.rounds * 2000) / artifacts)),
  )
  const impact = idsAre(corpus.impact(queried))
  const ancestors = idsAre(corpus.ancestors(queried))
  const remove = () => rmSync(path.join(folder, '.specdex'), { recursive: true, force: true })

  const first = [
    {
      id: 'artifact-first',
      label: 'first `graph validate`',
      command: graph('validate', '--json'),
      before: remove,
      check: isSound(corpus),
    },
    {
      id: 'artifact-memory',
      label: '`graph impact --no-cache`',
      command: graph('impact', queried, '--json', '--no-cache'),
      check: impact,
    },
  ]
  const figures = await measure(bench, folder, first, few)

  const row = (id, words, check) => ({
    id: `artifact-${id}`,
    label: `\`graph ${[words[0], ...words.filter((word) => word.startsWith('--'))].join(' ')}\``,
    command: graph(...words),
    check,
    idle: true,
  })
  const unchanged = [
    row('impact-unchecked', ['impact', queried, '--json', '--no-stale-check'], impact),
    row('impact', ['impact', queried, '--json'], impact),
    row('impact-dag', ['impact', queried], linesAreAtLeast(corpus.impact(queried).length + 1)),
    row('impact-table', ['impact', queried, '--table'], linesAreAtLeast(corpus.impact(queried).length + 2)),
    row('impact-mermaid', ['impact', queried, '--mermaid'], linesAreAtLeast(4)),
    row('ancestors', ['ancestors', queried, '--json'], ancestors),
    row(
      'chain',
      ['chain', queried, '--json'],
      idsAre([...corpus.impact(queried), ...corpus.ancestors(queried)].sort()),
    ),
    row('orphans', ['orphans', '--json'], orphansAre(corpus.ungoverned)),
    row('orphans-table', ['orphans'], linesAreAtLeast(corpus.ungoverned)),
    row('cycles', ['cycles', '--json'], idsAre([])),
    row('validate', ['validate', '--json'], isSound(corpus)),
  ]
  await checkedRun(bench, folder, { ...first[0], before: undefined }, bench.runner.run)
  figures.push(...(await measure(bench, folder, unchanged, bench.rounds)))

  figures.push(...(await edited(bench, corpus, graph('impact', queried, '--json'), impact)))
  return figures
}

/** One ADR is edited in turn with one source file that names nothing, so that the answer stays the same. */
async function edited(bench, corpus, command, check) {
  const hands = [corpus.file, corpus.sourceFiles.at(-1)].map((name) => {
    const file = path.join(corpus.folder, name)
    const original = readFileSync(file, 'utf8')
    let edits = 0
    const edit = () => writeFileSync(file, `${original}\n${'.'.repeat(++edits)}\n`)
    return { edit, restore: () => writeFileSync(file, original) }
  })
  const [adr, source] = hands
  const rows = [
    { id: 'artifact-adr-edited', label: 'one ADR edited: `graph impact`', command, check, before: adr.edit },
    {
      id: 'artifact-source-edited',
      label: 'one source file edited: `graph impact`',
      command,
      check,
      before: source.edit,
    },
  ]
  try {
    return await measure(bench, corpus.folder, rows, bench.rounds)
  } finally {
    for (const hand of hands) hand.restore()
  }
}

/** @param {readonly string[]} expected */
function idsAre(expected) {
  const wanted = JSON.stringify(expected)
  return (stdout) => {
    const ids = JSON.parse(stdout).results.map(({ id }) => id)
    if (JSON.stringify(ids) !== wanted) throw new Error(`wrong answer: ${ids.length} of ${expected.length} ids`)
    return `${ids.length} ids`
  }
}

/** @param {ArtifactCorpus} corpus */
function isSound({ edges, artifacts }) {
  return (stdout) => {
    const { authored_edges: authored, nodes, diagnostics } = JSON.parse(stdout).results
    if (diagnostics.length > 0) throw new Error(`unexpected: ${JSON.stringify(diagnostics[0])}`)
    if (authored !== edges || nodes < artifacts) throw new Error(`${authored} of ${edges} edges, ${nodes} nodes`)
    return `${nodes} nodes`
  }
}

/** @param {number} ungoverned */
function orphansAre(ungoverned) {
  return (stdout) => {
    const found = JSON.parse(stdout).results.code_files_without_governing.length
    if (found !== ungoverned) throw new Error(`${found} files without comment, there are ${ungoverned}`)
    return `${found} files`
  }
}

/** @param {number} least */
function linesAreAtLeast(least) {
  return (stdout) => {
    const lines = stdout.split('\n').length - 1
    if (lines < least) throw new Error(`${lines} lines, expected ${least} at least: ${stdout.slice(0, 200)}`)
    return `${lines} lines`
  }
}

/**
 * @param {ArtifactCorpus} corpus @param {boolean} inGit @param {Figure[]} figures
 * @returns {{ text: string, missed: string[] }}
 */
export function artifactReport({ artifacts, sources, edges }, inGit, figures) {
  const where = inGit ? 'in git' : 'without git'
  const isLarge = artifacts >= LARGE
  const { table, missed } = figureTable(figures, `${artifacts} artifacts, ${where}`, {
    time: (id) => (isLarge ? timeOf(id) : null),
    memory: () => (isLarge ? MEMORY : null),
  })
  const title = `### ${artifacts} artifacts and ${sources} source files, ${edges} edges, ${where}`
  return { text: [title, '', table].join('\n'), missed }
}

/** @param {string} id */
function timeOf(id) {
  switch (id) {
    case 'artifact-first':
      return FIRST
    case 'artifact-memory':
      return null
    case 'artifact-adr-edited':
    case 'artifact-source-edited':
      return CHANGED
    default:
      return UNCHANGED
  }
}
