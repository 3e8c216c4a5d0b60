// What must hold whenever everything stands still: the index equals one built from nothing, is healthy, alone in its
// folder, not swollen, and a query leaves it as it is; no process of ours is still about.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { complaint } from './errands.mjs'

const MEGABYTE = 1024 * 1024
/** config.yml is the tree's own: one of the random steps writes it. */
const EXPECTED = ['.gitignore', 'config.yml', 'index.db']

/**
 * @typedef {object} Health what is carried from check to check
 * @property {number} bytes of the index now
 * @property {number} largest fresh index so far, bytes
 * @property {number[]} peaks memory of `index --full`, bytes
 */

/**
 * @param {object} place
 * @param {string} place.root
 * @param {string} place.scratch
 * @param {string} place.cli
 * @param {ReturnType<typeof import('./errands.mjs').specdexIn>} place.specdex
 * @param {ReturnType<typeof import('../bench/process.mjs').makeRunner>} place.runner
 * @param {Health} health
 * @returns {Promise<string[]>} violations
 */
export async function check({ root, scratch, cli, specdex, runner }, health) {
  const violations = []
  const done = async (...words) => {
    const result = await specdex(words)
    const wrong = complaint(words, { codes: [0] }, result)
    if (wrong !== null) violations.push(wrong)
    return parsed(result.stdout)
  }
  const verified = await done('index', '--verify', '--json')
  if (verified?.verified !== true)
    violations.push(`not equal to a fresh index: ${JSON.stringify(verified?.differences)}`)
  const doctor = await done('doctor', '--json')
  if (doctor?.healthy !== true) violations.push(`not healthy: ${JSON.stringify(doctor?.findings)}`)
  await done('status', '--check')

  const folder = path.join(root, '.specdex')
  const strange = readdirSync(folder).filter((name) => !EXPECTED.includes(name))
  if (strange.length > 0) violations.push(`left behind in .specdex: ${strange.join(', ')}`)
  const index = path.join(folder, 'index.db')
  const before = digestOf(index)
  await done('spec', 'search', 'oven')
  if (digestOf(index) !== before) violations.push('a query wrote to an index that was fresh')

  const second = path.join(scratch, 'second.db')
  await done('index', '--quiet', '--db', second)
  health.largest = Math.max(health.largest, statSync(second).size)
  rmSync(second)
  health.bytes = statSync(index).size
  // Pages that nothing uses any more are used again, so an index stays near the largest size it ever needed.
  if (health.bytes > 2 * health.largest + MEGABYTE) {
    violations.push(`the index has ${health.bytes} bytes, the largest fresh one ${health.largest}`)
  }
  const { rss } = await runner.probe(root, [process.execPath, cli, 'index', '--full', '--quiet'])
  health.peaks.push(rss)
  const first = health.peaks[0] ?? 0
  if (rss > 2 * first + 64 * MEGABYTE)
    violations.push(`\`index --full\` took ${first} bytes of memory at first, now ${rss}`)
  const alive = survivors(root)
  if (alive.length > 0) violations.push(`still running in the tree: ${alive.join('; ')}`)
  return violations
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Processes that have the tree as their working folder, where the system tells. */
function survivors(root) {
  if (!existsSync('/proc/self/cwd')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== root) return []
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`]
      } catch {
        // Gone meanwhile, or another user's.
        return []
      }
    })
}
