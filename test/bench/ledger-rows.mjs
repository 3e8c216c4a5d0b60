// The questions that are put to a ledger: filled from nothing, one issue changed, recalled by file, symbol and text with
// common and with rare words, its health. Answers are held against what the generator knows.
// The surprise: of an update the work counts, so the floor of Node itself is granted on top of its target.

import { rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { REPO } from './ledger-corpus.mjs'
import { measure } from './measure.mjs'
import { figureTable } from './report.mjs'

/** @typedef {import('./measure.mjs').Bench} Bench */
/** @typedef {import('./measure.mjs').Figure} Figure */
/** @typedef {import('./ledger-corpus.mjs').LedgerCorpus} LedgerCorpus */

/** What `node -e 0` costs on the machine that the targets are for, and targets in milliseconds of wall time. */
const QUIET_NODE = 60
const UPDATE_WORK = 50
const RECALL = 85
const RECALL_LARGE = 160
const LARGE = 100_000
const RESULTS = 5

/**
 * All rows of one ledger, and the size of its index when it was filled.
 * @param {Bench} bench
 * @param {LedgerCorpus} corpus
 * @returns {Promise<{ figures: Figure[], indexBytes: number }>}
 */
export async function benchLedger(bench, corpus) {
  const { folder, cards, common, rare, file, citing, symbol, queried } = corpus
  const specdex = (...words) => [process.execPath, bench.cli, ...words]
  const few = Math.max(bench.fewest, Math.min(Math.ceil(bench.rounds / 2), Math.round((bench.rounds * 2000) / cards)))
  const update = {
    id: 'ledger-first',
    label: 'first `ledger update --from`',
    command: specdex('ledger', 'update', '--from', corpus.issues, '--repo', REPO, '--json'),
    before: () => rmSync(path.join(folder, '.specdex'), { recursive: true, force: true }),
    check: cardsAre(cards),
  }
  // Filling a large one takes minutes: once will do.
  const figures = await measure({ ...bench, thorough: false }, folder, [update], 1)
  const indexBytes = statSync(path.join(folder, '.specdex/index.db')).size

  const recall = (id, words, check) => ({
    id: `recall-${id}`,
    label: `\`recall ${words[0].startsWith('--') ? words[0] : `"${words.join(' ')}"`}\``,
    command: specdex('recall', ...words, '--json', '--min-score', '0'),
    check,
    idle: true,
  })
  const rows = [
    recall(
      'file',
      ['--file', file],
      hitsAre(Math.min(RESULTS, citing), ({ paths }) => paths.includes(file)),
    ),
    recall(
      'symbol',
      ['--symbol', symbol],
      hitsAre(1, ({ symbols }) => symbols.includes(symbol)),
    ),
    recall('text', common.split(' '), hitsAre(RESULTS, holdsAny(common))),
    recall('rare', rare.split(' '), hitsAre(1, holdsAny(rare))),
  ]
  figures.push(...(await measure(bench, folder, rows, bench.rounds)))
  const doctor = { id: 'recall-doctor', label: '`recall --doctor`', check: cardsAre(cards) }
  figures.push(
    ...(await measure(bench, folder, [{ ...doctor, command: specdex('recall', '--doctor', '--json') }], few)),
  )

  const one = `${corpus.issues}.one.ndjson`
  let edits = 0
  const edited = {
    id: 'ledger-one',
    label: 'one issue changed: `ledger update --issue`',
    command: specdex('ledger', 'update', '--issue', String(queried), '--from', one, '--repo', REPO, '--json'),
    before: () => writeFileSync(one, corpus.line(++edits)),
    check: isOneChange(cards),
  }
  figures.push(...(await measure(bench, folder, [edited], bench.rounds)))
  return { figures, indexBytes }
}

/** @param {number} cards */
function cardsAre(cards) {
  return (stdout) => {
    const found = JSON.parse(stdout).cards
    if (found !== cards) throw new Error(`${found} cards, there should be ${cards}`)
    return `${found} cards`
  }
}

/** @param {number} cards */
function isOneChange(cards) {
  return (stdout) => {
    const { fetched, changed, cards: found } = JSON.parse(stdout)
    if (fetched !== 1 || changed !== 1 || found !== cards) throw new Error(`not one issue changed: ${stdout}`)
  }
}

/** @param {number} least @param {(hit: { paths: string[], symbols: string[] }) => boolean} isMeant */
function hitsAre(least, isMeant) {
  return (stdout) => {
    const hits = JSON.parse(stdout)
    if (hits.length < least || !hits.every(isMeant)) throw new Error(`wrong answer: ${stdout.slice(0, 500)}`)
    return `${hits.length} results`
  }
}

/** @param {string} words */
function holdsAny(words) {
  return (hit) => words.split(' ').some((word) => JSON.stringify(hit).includes(word))
}

/**
 * @param {LedgerCorpus} corpus @param {Figure[]} figures @param {number} indexBytes
 * @returns {{ text: string, missed: string[] }}
 */
export function ledgerReport({ cards }, figures, indexBytes) {
  const { table, missed } = figureTable(figures, `${cards} cards`, {
    time: (id) => timeOf(cards, id),
    memory: () => null,
  })
  const size = `${Math.round(indexBytes / cards)} bytes per card`
  return { text: [`### Ledger of ${cards} cards, ${size}`, '', table].join('\n'), missed }
}

/** Issue "The ledger" §7.6. @param {number} cards @param {string} id */
function timeOf(cards, id) {
  switch (id) {
    case 'ledger-one':
      return QUIET_NODE + UPDATE_WORK
    case 'recall-file':
      return RECALL
    case 'recall-text':
      return cards >= LARGE ? RECALL_LARGE : RECALL
    default:
      return null
  }
}
