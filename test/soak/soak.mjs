// `npm run soak`: a repository changes at random while several specdex processes query and index it, some of them killed
// in the middle. From time to time everything stops and check.mjs looks. Exit 1 on any violation, with the seed and the
// last steps. The surprise: the seed fixes what happens to the tree, not how the processes fall in with it.

import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { randomFrom } from '../bench/corpus.mjs'
import { makeRunner, median } from '../bench/process.mjs'
import { buildAll } from '../build.mjs'
import { check } from './check.mjs'
import { complaint, drawErrand, specdexIn } from './errands.mjs'
import { makeTree } from './tree.mjs'

const USAGE = `node test/soak/soak.mjs [flags]
  --minutes 20   how long
  --short        one minute
  --seed N       what happens to the tree (default: at random, printed)
  --workers 3    specdex processes at once
  --keep         leave the tree behind after a violation
  --cli FILE     this bundle instead of dist/specdex.cjs`

const KILL_SHARE = 0.15
/** Killed at any moment of an ordinary run, or just behind it. */
const LATEST_KILL = 1.2
const CHECK_EVERY_MS = 12_000
const REST_BETWEEN_STEPS_MS = 120
const LAST_STEPS = 40

function flags() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string' },
        short: { type: 'boolean', default: false },
        seed: { type: 'string' },
        workers: { type: 'string', default: '3' },
        keep: { type: 'boolean', default: false },
        cli: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const minutes = Number(values.minutes ?? (values.short ? 1 : 20))
    const seed = Number(values.seed ?? randomInt(2 ** 31))
    const workers = Number(values.workers)
    if (!(minutes > 0)) throw new Error('--minutes wants a number')
    if (!Number.isInteger(seed)) throw new Error('--seed wants a whole number')
    if (!Number.isInteger(workers) || workers < 1) throw new Error('--workers wants a number')
    return { ...values, minutes, seed, workers }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return null
  }
}

function newState() {
  return {
    started: performance.now(),
    stopped: false,
    steps: 0,
    checks: 0,
    kills: 0,
    excused: 0,
    /** @type {Map<string, number[]>} milliseconds by verb */
    times: new Map(),
    /** @type {string[]} */
    log: [],
    /** @type {string[]} */
    violations: [],
    /** @type {Set<import('node:child_process').ChildProcess>} */
    children: new Set(),
    health: { bytes: 0, largest: 0, peaks: [] },
  }
}

async function soak(options, scratch, runner, state) {
  const cli = path.resolve(options.cli ?? path.join(import.meta.dirname, '../../dist/specdex.cjs'))
  if (!existsSync(cli)) await buildAll({ types: false })
  const root = path.join(scratch, 'bakery')
  const tree = await makeTree(root, randomFrom(options.seed))
  // Another well for everything else: how many processes fit into a minute must not change what happens to the tree.
  const chance = randomFrom(options.seed + 1)
  const pick = (list) => list[Math.floor(chance() * list.length)]
  const specdex = specdexIn(cli, root, state.children)
  const note = (text) => {
    state.log.push(text)
    if (state.log.length > LAST_STEPS) state.log.shift()
  }
  const violate = (text) => {
    if (state.stopped) return
    state.violations.push(text)
    note(`VIOLATION ${text}`)
  }
  const runErrand = async () => {
    const errand = drawErrand(chance)
    const words = errand.words(pick, tree.corpus.markers)
    const usual = median([...state.times.values()].flat())
    const killAfter = chance() < KILL_SHARE ? Math.floor(chance() * LATEST_KILL * usual) : null
    const result = await specdex(words, killAfter)
    note(`${words.join(' ')}: ${result.killed ? `killed after ${killAfter} ms` : result.code}`)
    const wrong = complaint(words, errand, result)
    if (wrong !== null) return violate(wrong)
    if (result.killed) {
      state.kills++
      return
    }
    if (result.code === 2) state.excused++
    const verb = words.slice(0, words[0] === 'spec' ? 2 : 1).join(' ')
    state.times.set(verb, [...(state.times.get(verb) ?? []), result.ms])
  }
  const lookAround = async () => {
    state.checks++
    note('all stand still: check')
    for (const violation of await check({ root, scratch, cli, specdex, runner }, state.health)) violate(violation)
  }

  const deadline = performance.now() + options.minutes * 60_000
  const goesOn = () => performance.now() < deadline && state.violations.length === 0 && !state.stopped
  await lookAround()
  while (goesOn()) {
    const until = performance.now() + CHECK_EVERY_MS
    const hands = async () => {
      while (goesOn() && performance.now() < until) {
        note(`* ${await tree.step()}`)
        state.steps++
        await pause(chance() * REST_BETWEEN_STEPS_MS)
      }
    }
    const worker = async () => {
      while (goesOn() && performance.now() < until) await runErrand()
    }
    await Promise.all([hands(), ...Array.from({ length: options.workers }, worker)])
    if (!state.stopped && state.violations.length === 0) await lookAround()
  }
}

function summary(options, state) {
  const { steps, kills, checks, excused, health, times, violations } = state
  const minutes = ((performance.now() - state.started) / 60_000).toFixed(1)
  const runs = [...times.values()].reduce((sum, list) => sum + list.length, 0)
  const peaks = health.peaks.map((peak) => Math.round(peak / 1024 / 1024))
  const lines = [
    `${minutes} minutes, ${steps} steps on the tree, ${runs + kills} processes (${kills} killed), ${checks} checks, ` +
      `${excused} told to run again`,
    `index: ${health.bytes} bytes, the largest fresh one ${health.largest}; memory of \`index --full\`: ` +
      `${Math.min(...peaks)} to ${Math.max(...peaks)} MB`,
    ...[...times].sort().map(([verb, list]) => {
      const longest = Math.round(Math.max(...list))
      return `  ${verb}: ${list.length} runs, median ${Math.round(median(list))} ms, longest ${longest} ms`
    }),
  ]
  if (violations.length === 0) return [...lines, 'No violation.'].join('\n')
  const again = `node test/soak/soak.mjs --seed ${options.seed} --minutes ${options.minutes} --workers ${options.workers}`
  const last = state.log.map((text) => `  ${text}`)
  return [
    ...lines,
    ...violations.map((text) => `VIOLATION: ${text}`),
    'The last steps:',
    ...last,
    `Again: ${again}`,
  ].join('\n')
}

const options = flags()
if (options === null) process.exitCode = 2
else if (options.help) console.log(USAGE)
else {
  const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'specdex-soak-')))
  const runner = makeRunner(scratch)
  const state = newState()
  const cleanUp = () => {
    state.stopped = true
    runner.stop()
    for (const child of state.children) child.kill('SIGKILL')
    if (options.keep && state.violations.length > 0) console.log(`Kept: ${scratch}`)
    else rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]) {
    process.once(signal, () => {
      cleanUp()
      console.log(`Stopped.\n${summary(options, state)}`)
      process.exit(128 + number)
    })
  }
  console.log(`Soaking for ${options.minutes} minutes with seed ${options.seed}.`)
  try {
    await soak(options, scratch, runner, state)
  } catch (error) {
    state.violations.push(`the soak test itself failed: ${error.stack}`)
  } finally {
    cleanUp()
  }
  console.log(summary(options, state))
  process.exitCode = state.violations.length === 0 ? 0 : 1
}
