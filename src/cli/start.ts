// What `specdex` is: a few lines that run the program beside it, `program.cjs`, from what V8 made of it the last time.
// Compiling the program is half of what a short command takes above a bare Node. What V8 keeps goes beside the program,
// one file for each command, since each runs other parts of it; where nothing can be written there, nothing is kept.
// The surprise: V8 refuses what another version of it made, but of a text it only compares the length, and damage it
// runs into; so the build puts the program's fingerprint into the name, and what is kept is kept twice and compared.

import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'

/** Fingerprint of `program.cjs`; defined by the build. */
declare const PROGRAM: string

const program = path.join(import.meta.dirname, 'program.cjs')
const words = process.argv.slice(2)
const command =
  /^(?:(?:spec|graph|ledger) )?[a-z][a-z-]{1,20}(?= |$)/.exec(words.join(' '))?.[0].replace(' ', '-') ?? null
const kept =
  command === null
    ? null
    : path.join(import.meta.dirname, `.${PROGRAM}-${process.version}-${process.arch}-${command}.cache`)

const cachedData = kept === null ? undefined : read(kept)
// The build leaves ASCII only, and nothing is read faster.
const script = new Script(readFileSync(program, 'latin1'), {
  filename: program,
  ...(cachedData === undefined ? {} : { cachedData }),
})

if (kept !== null && (cachedData === undefined || script.cachedDataRejected === true)) {
  const isHelp = words.includes('--help') || words.includes('-h') || words[0] === 'help'
  process.once('exit', (code) => {
    // Of a command that did its work, so that what it runs is compiled; a mistyped one has no file.
    if (code === 0 && !isHelp) keep(kept)
  })
}

/** What was kept; undefined where nothing was, or not as it was written. Comparing costs less than any checksum. */
function read(file: string): Buffer | undefined {
  try {
    const twice = readFileSync(file)
    const once = twice.subarray(0, twice.length / 2)
    return once.equals(twice.subarray(once.length)) ? once : undefined
  } catch {
    return undefined
  }
}

/** Keeps what V8 has compiled by now. */
function keep(file: string): void {
  const aside = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`
  try {
    accessSync(path.dirname(file), constants.W_OK)
    const once = script.createCachedData()
    writeFileSync(aside, Buffer.concat([once, once]), { flag: 'wx' })
    renameSync(aside, file)
  } catch {
    rmSync(aside, { force: true })
  }
}

const run = script.runInThisContext() as (
  require: NodeJS.Require,
  module: NodeJS.Module,
  dirname: string,
  filename: string,
) => void
run(require, module, import.meta.dirname, program)
