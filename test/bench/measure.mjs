// Runs rows of the benchmark and turns the runs into figures. Rows of one group take turns with each other and with
// `node -e 0`, so that all of them see the same noise and each figure carries the floor of its own minutes. Answers are
// checked, and so is that nothing was written where nothing had changed: a fast wrong answer is no figure.

import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { median } from './process.mjs'

/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} label
 * @property {string[]} command
 * @property {string} [cwd] default: the corpus
 * @property {() => unknown} [before] untimed
 * @property {(stdout: string) => string | void} [check] throws on a wrong answer; may return a remark
 * @property {boolean} [idle] must not write to the index
 */

/**
 * @typedef {object} Figure
 * @property {string} id
 * @property {string} label
 * @property {number} runs
 * @property {number} cpu minimum, ms
 * @property {number} floor CPU minimum of `node -e 0` in the same group, ms
 * @property {number} wall median, ms
 * @property {number} wallMin ms
 * @property {number | null} rss peak, bytes; null where it was not asked
 * @property {number | null} written bytes given to write calls beyond what was printed; null where nobody tells
 * @property {string} remark
 */

/**
 * @typedef {object} Bench
 * @property {ReturnType<typeof import('./process.mjs').makeRunner>} runner
 * @property {string} cli
 * @property {string} floor program that opens the index and looks one key up
 * @property {string} addon
 * @property {number} rounds of quick rows
 * @property {number} fewest rounds of heavy rows, and of all rows when it is late
 * @property {boolean} thorough also ask memory and writes of rows that are not about them
 * @property {() => boolean} late true where no more rounds than necessary should be run
 * @property {(figure: Figure) => boolean} doubtful true where a figure deserves a second look
 * @property {string[]} violations
 */

const FLOOR = [process.execPath, '-e', '0']

/** What changes when anything is written into the folder of the index, a journal that comes and goes included. */
function stamp(corpus) {
  const folder = path.join(corpus, '.specdex')
  const file = statSync(path.join(folder, 'index.db'), { bigint: true })
  return `${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs} ${statSync(folder, { bigint: true }).mtimeNs}`
}

/**
 * Measures a group of rows; doubtful figures are taken a second time, and the better ones stay.
 * @param {Bench} bench
 * @param {string} corpus
 * @param {readonly Row[]} rows
 * @param {number} rounds
 * @returns {Promise<Figure[]>}
 */
export async function measure(bench, corpus, rows, rounds) {
  const figures = await measureOnce(bench, corpus, rows, rounds)
  const again = rows.filter((_, i) => bench.doubtful(figures[i]))
  if (again.length === 0) return figures
  const second = await measureOnce(bench, corpus, again, bench.rounds)
  return figures.map((figure) => {
    const other = second.find(({ id }) => id === figure.id)
    return other !== undefined && other.cpu / other.floor < figure.cpu / figure.floor ? other : figure
  })
}

async function measureOnce(bench, corpus, rows, rounds) {
  const taken = rows.map((row) => ({ row, cpu: [], wall: [], remark: '' }))
  let floor = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    if (round >= bench.fewest && bench.late()) break
    floor = Math.min(floor, (await bench.runner.run(corpus, FLOOR)).cpu)
    for (const entry of taken) {
      await entry.row.before?.()
      const run = await checkedRun(bench, corpus, entry.row, bench.runner.run)
      entry.cpu.push(run.cpu)
      entry.wall.push(run.wall)
      entry.remark = run.remark
    }
  }
  const figures = []
  for (const { row, cpu, wall, remark } of taken) {
    const { id, label } = row
    const memory = bench.thorough || row.idle ? await probe(bench, corpus, row) : { rss: null, written: null }
    const walls = { wall: median(wall), wallMin: Math.min(...wall) }
    figures.push({ id, label, runs: cpu.length, cpu: Math.min(...cpu), floor, ...walls, ...memory, remark })
  }
  return figures
}

/**
 * One run of a row by `how`. Throws where it fails or answers wrongly.
 * @param {Bench} bench @param {string} corpus @param {Omit<Row, 'id'>} row
 * @param {Bench['runner']['run'] | Bench['runner']['probe']} how
 */
export async function checkedRun(bench, corpus, row, how) {
  const before = row.idle ? stamp(corpus) : ''
  const run = await how(row.cwd ?? corpus, row.command)
  if (run.code !== 0) {
    throw new Error(`\`${row.command.join(' ')}\` ended with ${run.code}: ${bench.runner.lastWords().trim()}`)
  }
  if (row.idle && stamp(corpus) !== before) {
    bench.violations.push(`${row.label}: something was written where nothing had changed`)
  }
  const remark = row.check?.(readFileSync(run.stdout, 'utf8')) ?? ''
  return { ...run, remark }
}

/** Bytes that Node itself writes to wake its own threads, at most; a journal's header alone is more. */
const WAKE_UPS = 512

async function probe(bench, corpus, row) {
  await row.before?.()
  const { rss, handedToWrite, outBytes } = await checkedRun(bench, corpus, row, bench.runner.probe)
  const written = handedToWrite === null ? null : handedToWrite - outBytes
  if (row.idle && written !== null && written > WAKE_UPS) {
    bench.violations.push(`${row.label}: ${written} bytes were written beyond the output`)
  }
  return { rss, written }
}
