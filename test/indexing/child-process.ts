// Real processes for the index tests: the built command line, started together behind a gate, as another user, or
// watched for what it writes. The watching is a script that Node loads first (NODE_OPTIONS), since the command line
// itself must be the one that users run.
// The surprise: whatever the command starts with Node inherits the script, and writes a note of its own.

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { childEnvironment, type Env } from '../support/environment.ts'
import { CLI } from '../support/run.ts'
import { tempFolder } from '../support/temp.ts'

export const AM_ROOT: boolean = process.getuid?.() === 0
export const NOBODY = 65534

export interface Ran {
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
  /** Bytes on stdout and stderr together. */
  readonly printed: number
  /** Wall time, milliseconds. */
  readonly ms: number
}

export interface RunAs {
  readonly cwd: string
  readonly env?: Env
  /** Where this process is root: the user to run as. */
  readonly uid?: number
}

/** Runs `specdex ARGS` and waits for it. */
export function run(args: readonly string[], { cwd, env, uid }: RunAs): Promise<Ran> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd,
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && AM_ROOT && { uid, gid: uid }),
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const [stdout, stderr] = [Buffer.concat(out), Buffer.concat(err)]
      resolve({
        code: code ?? signal,
        stdout: stdout.toString('utf8'),
        stderr: stderr.toString('utf8'),
        printed: stdout.length + stderr.length,
        ms: performance.now() - started,
      })
    })
  })
}

/** What one process of a run did. */
export interface Note {
  readonly argv: readonly string[]
  /** Bytes handed to write calls; null where the system does not say. */
  readonly written: number | null
  /** Most memory it ever held, bytes. */
  readonly rss: number
}

const PRELOAD = `
const fs = require('node:fs')
const { TEST_GATE: gate, TEST_NOTES: notes, TEST_JOURNAL: journal, TEST_MOMENT: moment } = process.env
if (gate) {
  fs.writeFileSync(gate + '/ready-' + process.pid, '')
  const cell = new Int32Array(new SharedArrayBuffer(4))
  while (!fs.existsSync(gate + '/go')) Atomics.wait(cell, 0, 0, 2)
}
if (journal) {
  // In a thread of the process that is to die, because nobody else is quick enough on a busy machine. The first byte
  // of a journal is zero until all of it is on disk; only then is the index itself written to.
  const watch = \`
    const fs = require('node:fs')
    const { journal, moment } = require('node:worker_threads').workerData
    const byte = Buffer.alloc(1)
    const cell = new Int32Array(new SharedArrayBuffer(4))
    for (;;) {
      try {
        const fd = fs.openSync(journal, 'r')
        const got = fs.readSync(fd, byte, 0, 1, 0)
        fs.closeSync(fd)
        if (got === 1 && (moment === 'transaction' || byte[0] !== 0)) process.kill(process.pid, 'SIGKILL')
      } catch {
        Atomics.wait(cell, 0, 0, 1)
      }
    }\`
  const { Worker } = require('node:worker_threads')
  new Worker(watch, { eval: true, workerData: { journal, moment } }).unref()
}
if (notes) {
  process.on('exit', () => {
    let written = null
    try {
      written = Number(/^wchar: (\\d+)$/m.exec(fs.readFileSync('/proc/self/io', 'latin1'))[1])
    } catch {}
    const note = { argv: process.argv.slice(2), written, rss: process.resourceUsage().maxRSS * 1024 }
    fs.writeFileSync(notes + '/' + process.pid + '.json', JSON.stringify(note))
  })
}
`

/** A folder that any user may write to, with the preload script in it. */
function preloadFolder(name: string): { folder: string; env: Env } {
  const folder = tempFolder(name)
  writeFileSync(path.join(folder, 'preload.cjs'), PRELOAD)
  chmodSync(folder, 0o777)
  return { folder, env: { NODE_OPTIONS: `--require=${path.join(folder, 'preload.cjs')}` } }
}

/** Environment for runs that are to be watched, and what they noted since the last call. */
export function watcher(): { env: Env; notes: () => Note[] } {
  const { folder, env } = preloadFolder('notes')
  let round = 0
  const next = (): string => {
    const place = path.join(folder, String(++round))
    mkdirSync(place)
    chmodSync(place, 0o777)
    return place
  }
  let place = next()
  return {
    get env() {
      return { ...env, TEST_NOTES: place }
    },
    notes: () => {
      const notes = readdirSync(place).map((name) => JSON.parse(readFileSync(path.join(place, name), 'utf8')) as Note)
      place = next()
      return notes
    },
  }
}

/**
 * Environment for a process that kills itself (SIGKILL) as soon as the index's journal holds anything, so in the
 * middle of the transaction, or as soon as its commit has begun to overwrite the index.
 */
export function killedAt(moment: 'transaction' | 'commit', journal: string): Env {
  return { ...preloadFolder('killed').env, TEST_JOURNAL: journal, TEST_MOMENT: moment }
}

/** Environment for processes that are to start their work at one moment, and the call that lets them. */
export function gate(): { env: Env; open: (waiting: number) => Promise<void> } {
  const { folder, env } = preloadFolder('gate')
  return {
    env: { ...env, TEST_GATE: folder },
    open: async (waiting) => {
      const ready = (): number => readdirSync(folder).filter((name) => name.startsWith('ready-')).length
      while (ready() < waiting) await new Promise((resolve) => setTimeout(resolve, 5))
      writeFileSync(path.join(folder, 'go'), '')
    },
  }
}

/** Names in `.specdex`, sorted; none where it is missing. */
export function namesInIndexFolder(root: string): string[] {
  const folder = path.join(root, '.specdex')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
