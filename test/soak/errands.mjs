// What the specdex processes of the soak test are sent for, and what counts as a violation of what they answer: a bug
// (exit 70), a lock that shows, a code that the verb does not have, an end that does not come.

import { spawn } from 'node:child_process'
import { childEnvironment } from '../bench/corpus.mjs'

/** A process that takes longer hangs: a refresh of this tree takes seconds at most, on a busy machine too. */
const PATIENCE_MS = 60_000

/**
 * One question or order.
 * @typedef {object} Errand
 * @property {number} weight
 * @property {(pick: <T>(list: T[]) => T, markers: string[]) => string[]} words
 * @property {number[]} codes exit codes that are no violation
 * @property {RegExp} [excuse] what stderr may say with exit code 2
 */

/**
 * @typedef {object} Result
 * @property {number | null} code
 * @property {boolean} killed by us, on purpose
 * @property {boolean} hung
 * @property {string} stdout
 * @property {string} stderr
 * @property {number} ms
 */

/** @type {Errand[]} */
export const ERRANDS = [
  // 1: the marker is named nowhere just now, or (strict) the index is stale.
  { weight: 8, words: (pick, markers) => ['spec', 'readers', pick(markers)], codes: [0, 1] },
  { weight: 4, words: (pick, markers) => ['spec', 'impact', `FORGE:${pick(markers)}`], codes: [0, 1] },
  { weight: 3, words: (pick, markers) => ['spec', 'writers', pick(markers), '--no-stale-check'], codes: [0, 1] },
  { weight: 2, words: (pick, markers) => ['spec', 'readers', pick(markers), '--strict-stale'], codes: [0, 1] },
  { weight: 2, words: () => ['spec', 'search', 'oven'], codes: [0] },
  { weight: 2, words: () => ['spec', 'validate', '--soft', '--quiet'], codes: [0] },
  {
    weight: 2,
    words: () => ['spec', 'build', '--stdout', '--quiet'],
    codes: [0],
    // The fingerprint covers bytes on disk: where they change under it, nothing but "run the command again" can be said.
    excuse: /changed while the corpus was being read/,
  },
  { weight: 10, words: () => ['index', '--quiet'], codes: [0] },
  { weight: 2, words: () => ['index', '--full', '--json'], codes: [0] },
  { weight: 3, words: () => ['status', '--json'], codes: [0] },
  { weight: 2, words: () => ['doctor', '--json'], codes: [0] },
  {
    weight: 3,
    words: () => ['sql', 'SELECT count(*) AS edges FROM graph_edge', '--json'],
    codes: [0],
    // Its time limit is real time, which a machine with too much to do runs out of.
    excuse: /limits\.sql_ms/,
  },
]

/** @param {() => number} chance @returns {Errand} */
export function drawErrand(chance) {
  let left = chance() * ERRANDS.reduce((sum, { weight }) => sum + weight, 0)
  return (
    ERRANDS.find(({ weight }) => {
      left -= weight
      return left < 0
    }) ?? ERRANDS[0]
  )
}

/**
 * How specdex is run in `root`. `children` holds what is running, for whoever must end it.
 * @param {string} cli @param {string} root @param {Set<import('node:child_process').ChildProcess>} children
 * @returns {(words: string[], killAfter?: number | null) => Promise<Result>} killed so many milliseconds later, if not null
 */
export function specdexIn(cli, root, children) {
  return (words, killAfter = null) =>
    new Promise((resolve, reject) => {
      const started = performance.now()
      const stdio = ['ignore', 'pipe', 'pipe']
      const child = spawn(process.execPath, [cli, ...words], { cwd: root, env: childEnvironment(), stdio })
      children.add(child)
      const out = []
      const err = []
      let hung = false
      child.stdout.on('data', (chunk) => out.push(chunk))
      child.stderr.on('data', (chunk) => err.push(chunk))
      const killer = killAfter === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfter)
      const watch = setTimeout(() => {
        hung = true
        child.kill('SIGKILL')
      }, PATIENCE_MS)
      child.on('error', reject)
      child.on('close', (code, signal) => {
        clearTimeout(killer ?? undefined)
        clearTimeout(watch)
        children.delete(child)
        resolve({
          code,
          killed: killAfter !== null && signal === 'SIGKILL',
          hung,
          stdout: Buffer.concat(out).toString('utf8'),
          stderr: Buffer.concat(err).toString('utf8'),
          ms: performance.now() - started,
        })
      })
    })
}

/**
 * What is wrong with a result, or null.
 * @param {string[]} words @param {Pick<Errand, 'codes' | 'excuse'>} allowed @param {Result} result
 * @returns {string | null}
 */
export function complaint(words, { codes, excuse }, { code, killed, hung, stderr }) {
  const called = `specdex ${words.join(' ')}`
  const said = stderr.trim() === '' ? 'nothing on stderr' : stderr.trim()
  if (hung) return `${called} did not end within ${PATIENCE_MS / 1000} s`
  // Also what Node prints of an error that nobody caught: its exit code is 1, which some verbs may end with.
  if (/SQLITE_|a bug in specdex|^\s+at /m.test(stderr)) return `${called}: ${said}`
  if (killed || (code !== null && codes.includes(code))) return null
  if (code === 2 && excuse?.test(stderr)) return null
  return `${called} ended with ${code}: ${said}`
}
