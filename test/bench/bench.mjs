// `npm run bench`: prints the table of ARCHITECTURE §5 as measured here, as Markdown. `--gate` is the short form for CI.
// It measures dist/specdex.cjs as a user runs it (built first where it is missing) and, in one process, the traversal.
// Everything it makes lies in one temporary folder, removed at the end, after a failure and on a signal.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from '../build.mjs'
import { generateArtifacts } from './artifact-corpus.mjs'
import { artifactReport, benchArtifacts } from './artifact-rows.mjs'
import { commitCorpus, generateCorpus } from './corpus.mjs'
import { limitOf, readReference, regressions, writeReference } from './gate.mjs'
import { generateLedger } from './ledger-corpus.mjs'
import { benchLedger, ledgerReport } from './ledger-rows.mjs'
import { makeRunner } from './process.mjs'
import { ADDON, buildFloor } from './programs.mjs'
import { benchReach } from './reach.mjs'
import { corpusReport, reachReport } from './report.mjs'
import { benchCorpus } from './rows.mjs'

const USAGE = `node test/bench/bench.mjs [flags]
  --sizes 1k,10k,100k   numbers of files ('none': only the part in one process)
  --artifacts 1k,10k    numbers of artifacts, each with twice as many source files ('none': none)
  --cards 1k,10k,100k   numbers of cards in the ledger ('none': none)
  --runs 20             runs of each quick row; heavy ones get fewer
  --json FILE           also write the figures there
  --no-reach            leave out the part in one process
  --gate                1k and 10k, few runs, exit 1 on a gross regression or when a no-op writes
  --update-reference    like --gate with more runs, and write test/bench/reference.json
  --cli FILE            measure this bundle instead of dist/specdex.cjs`

const GATE_ROUNDS = 4
const REFERENCE_ROUNDS = 10
/** The gate has to end within five minutes: from then on no more rounds than needed, and from then on no more corpora. */
const GATE_LATE_MS = 90_000
const GATE_OVER_MS = 200_000

function flags() {
  try {
    const { values } = parseArgs({
      options: {
        sizes: { type: 'string' },
        artifacts: { type: 'string' },
        cards: { type: 'string' },
        runs: { type: 'string' },
        json: { type: 'string' },
        cli: { type: 'string' },
        gate: { type: 'boolean', default: false },
        'update-reference': { type: 'boolean', default: false },
        'no-reach': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const short = values.gate || values['update-reference']
    const rounds = Number(values.runs ?? (values.gate ? GATE_ROUNDS : short ? REFERENCE_ROUNDS : 20))
    const named = values.sizes ?? (short ? '1k,10k' : '1k,10k,100k')
    const sizes = numbers('--sizes', named)
    const artifacts = numbers('--artifacts', values.artifacts ?? (short ? 'none' : '1k,10k'))
    const cards = numbers('--cards', values.cards ?? (short ? 'none' : '1k,10k,100k'))
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--runs wants a number')
    return { ...values, sizes, artifacts, cards, rounds, reach: !short && !values['no-reach'] }
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    return null
  }
}

function numbers(flag, text) {
  const found = text === 'none' ? [] : text.split(',').map((word) => Number(word.replace(/k$/, '000')))
  if (!found.every((size) => Number.isInteger(size) && size >= 200)) throw new Error(`${flag} wants numbers like 1k`)
  return found
}

function machine() {
  const version = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout?.trim()
  const cpus = os.cpus()
  return {
    cpu: `${cpus.length} × ${cpus[0]?.model.trim()}`,
    node: process.version,
    git: version,
    load: os.loadavg().map((load) => Number(load.toFixed(1))),
  }
}

async function main(options, scratch, runner) {
  const started = performance.now()
  const cli = path.resolve(options.cli ?? path.join(import.meta.dirname, '../../dist/specdex.cjs'))
  if (!existsSync(cli)) await buildAll({ types: false })
  const floor = await buildFloor(scratch)
  const reference = options.gate ? readReference() : {}
  const { cpu, node, git, load } = machine()
  console.log(`${cpu}, Node ${node}, ${git}, load ${load.join(' ')}; milliseconds, whole process, warm cache\n`)

  const isOver = () => {
    if (!options.gate || performance.now() - started < GATE_OVER_MS) return false
    console.log('The rest is left out: this machine is too slow for it within five minutes.\n')
    return true
  }
  const results = []
  const problems = []
  const missed = []
  const common = {
    runner,
    cli,
    floor,
    addon: ADDON,
    rounds: options.rounds,
    fewest: Math.min(options.gate ? 2 : 3, options.rounds),
    thorough: !options.gate,
    late: () => options.gate && performance.now() - started > GATE_LATE_MS,
    doubtful: () => false,
    violations: problems,
  }
  for (const files of options.sizes) {
    if (isOver()) break
    const folder = path.join(scratch, `corpus-${files}`)
    const corpus = await generateCorpus(folder, { files })
    console.log(
      `Corpus of ${files} files: ${(corpus.edges / files).toFixed(2)} edges per file, paths of 48 characters.\n`,
    )
    for (const inGit of [true, false]) {
      if (isOver()) break
      if (inGit) await commitCorpus(folder)
      else rmSync(path.join(folder, '.git'), { recursive: true })
      // What was just written is on its way to the disk: let it arrive before anything is timed.
      spawnSync('sync')
      const bench = {
        ...common,
        doubtful: (figure) =>
          options.gate && figure.cpu > (limitOf(reference, files, inGit, figure) ?? Number.POSITIVE_INFINITY),
      }
      const { figures, indexBytes } = await benchCorpus(bench, corpus, inGit, scratch)
      const report = corpusReport(files, inGit, figures, indexBytes)
      console.log(`${report.text}\n`)
      missed.push(...report.missed)
      results.push({ files, inGit, figures, indexBytes })
      if (options.gate) problems.push(...regressions(reference, files, inGit, figures))
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const graphs = []
  for (const artifacts of options.artifacts) {
    const corpus = await generateArtifacts(path.join(scratch, `artifacts-${artifacts}`), { artifacts })
    for (const inGit of [true, false]) {
      if (inGit) await commitCorpus(corpus.folder)
      else rmSync(path.join(corpus.folder, '.git'), { recursive: true })
      spawnSync('sync')
      const figures = await benchArtifacts(common, corpus)
      const report = artifactReport(corpus, inGit, figures)
      console.log(`${report.text}\n`)
      missed.push(...report.missed)
      graphs.push({ artifacts, sources: corpus.sources, inGit, figures })
    }
    rmSync(corpus.folder, { recursive: true, force: true })
  }
  const ledgers = []
  for (const cards of options.cards) {
    const folder = path.join(scratch, `ledger-${cards}`)
    const corpus = await generateLedger(folder, { cards })
    spawnSync('sync')
    const { figures, indexBytes } = await benchLedger(common, corpus)
    const report = ledgerReport(corpus, figures, indexBytes)
    console.log(`${report.text}\n`)
    missed.push(...report.missed)
    ledgers.push({ cards, figures, indexBytes })
    rmSync(folder, { recursive: true, force: true })
    rmSync(corpus.issues, { force: true })
  }
  let reach = null
  if (options.reach) {
    reach = await benchReach(path.join(scratch, 'reach'), Math.min(5, options.rounds))
    const report = reachReport(reach)
    console.log(`${report.text}\n`)
    missed.push(...report.missed)
  }
  console.log(
    missed.length === 0 ? 'Every target is reached.' : `Missed:\n${missed.map((line) => `- ${line}`).join('\n')}`,
  )
  if (options.json !== undefined) {
    const document = {
      schema_version: '1',
      machine: machine(),
      rounds: options.rounds,
      corpora: results,
      graphs,
      ledgers,
      reach,
      missed,
      problems,
    }
    writeFileSync(options.json, `${JSON.stringify(document, null, 2)}\n`)
  }
  if (options['update-reference']) writeReference(results)
  for (const problem of new Set(problems)) console.error(`error: ${problem}`)
  if (options.gate) console.log(problems.length === 0 ? '\nThe gate is open.' : '\nThe gate is shut.')
  return problems.length === 0 ? 0 : 1
}

const options = flags()
if (options === null) process.exitCode = 2
else if (options.help) console.log(USAGE)
else {
  const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'specdex-bench-')))
  const runner = makeRunner(scratch)
  const cleanUp = () => {
    runner.stop()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]) {
    process.once(signal, () => {
      cleanUp()
      process.exit(128 + number)
    })
  }
  try {
    process.exitCode = await main(options, scratch, runner)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    cleanUp()
  }
}
