// Runs one program and measures it as a whole: wall time, and CPU time with that of the children it waited for, by
// bash's own `time`. Memory and writes are asked in a run of their own, because the preload that reports them costs time.
// The surprise: output goes to files, not pipes, so that nobody has to be awake to take it while the clock runs.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { childEnvironment } from './corpus.mjs'

/**
 * @typedef {object} Run
 * @property {number} wall milliseconds
 * @property {number} cpu milliseconds, user and system, waited-for children included
 * @property {number | null} code
 * @property {string} stdout file that holds it, until the next run
 * @property {number} outBytes bytes on stdout and stderr
 */

/**
 * What a process says of itself at its end; null where the system does not tell.
 * @typedef {object} Probe
 * @property {number} rss peak, bytes
 * @property {number | null} handedToWrite bytes given to write calls
 * @property {number | null} dirtied bytes that are to reach a disk
 */

const SCRIPT = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >"$BENCH_OUT" 2>"$BENCH_ERR"'

// VmHWM belongs to the program; what getrusage says may still be the peak of whoever started it.
const PRELOAD = `
const fs = require('node:fs')
process.on('exit', () => {
  const read = (name) => { try { return fs.readFileSync('/proc/self/' + name, 'utf8') } catch { return '' } }
  const number = (text, pattern) => { const match = pattern.exec(text); return match === null ? null : Number(match[1]) }
  const io = read('io')
  const peak = number(read('status'), /^VmHWM:\\s+(\\d+) kB/m) ?? process.resourceUsage().maxRSS
  fs.writeFileSync(process.env.BENCH_PROBE, JSON.stringify({
    rss: peak * 1024,
    handedToWrite: number(io, /^wchar: (\\d+)/m),
    dirtied: number(io, /^write_bytes: (\\d+)/m),
  }))
})
`

/**
 * A way to run programs that keeps its files in `scratch`. `stop` ends the program that is running.
 * @param {string} scratch
 */
export function makeRunner(scratch) {
  const stdout = path.join(scratch, 'stdout')
  const stderr = path.join(scratch, 'stderr')
  const preload = path.join(scratch, 'preload.cjs')
  const report = path.join(scratch, 'probe.json')
  writeFileSync(preload, PRELOAD)
  /** @type {import('node:child_process').ChildProcess | null} */
  let running = null

  /**
   * @param {string} cwd
   * @param {readonly string[]} command
   * @param {Record<string, string>} [extra] environment
   * @returns {Promise<Run>}
   */
  const run = (cwd, command, extra = {}) =>
    new Promise((resolve, reject) => {
      const env = childEnvironment({ ...extra, BENCH_OUT: stdout, BENCH_ERR: stderr })
      // A group of its own, so that stop() reaches the program behind the shell.
      const options = { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true }
      const child = spawn('bash', ['-c', SCRIPT, 'bash', ...command], options)
      running = child
      let report = ''
      child.stderr.on('data', (chunk) => {
        report += chunk
      })
      child.on('error', (error) => reject(new Error(`the benchmark needs bash: ${error.message}`)))
      child.on('close', (code) => {
        running = null
        const times = /^([\d.]+) ([\d.]+) ([\d.]+)$/m.exec(report)
        if (times === null) return reject(new Error(`no times from \`${command.join(' ')}\`: ${report}`))
        const [wall = 0, user = 0, system = 0] = times.slice(1).map((text) => Math.round(Number(text) * 1000))
        const outBytes = statSync(stdout).size + statSync(stderr).size
        resolve({ wall, cpu: user + system, code, stdout, outBytes })
      })
    })

  return {
    run,
    /** What the last program said on stderr. */
    lastWords: () => (existsSync(stderr) ? readFileSync(stderr, 'utf8') : ''),
    /**
     * One run of a Node program that reports on itself.
     * @param {string} cwd
     * @param {readonly string[]} command
     * @returns {Promise<Run & Probe>}
     */
    probe: async (cwd, command) => {
      rmSync(report, { force: true })
      const measured = await run(cwd, command, { NODE_OPTIONS: `--require=${preload}`, BENCH_PROBE: report })
      return { ...measured, ...JSON.parse(readFileSync(report, 'utf8')) }
    },
    stop: () => {
      if (running?.pid === undefined) return
      try {
        process.kill(-running.pid, 'SIGKILL')
      } catch {
        // It has just ended by itself.
      }
    },
  }
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
