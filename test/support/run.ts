// Runs the built command line as a user does: a process of its own, real pipes, real exit codes.
// It runs dist/specdex.cjs, which test/global-setup.ts builds before the first test; it never builds anything itself.

import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { childEnvironment, type Env } from './environment.ts'

/** The bundled command line under test. */
export const CLI: string = path.resolve(import.meta.dirname, '../../dist/specdex.cjs')

export interface RunOptions {
  readonly cwd: string
  /** On top of the cleaned environment; undefined removes a variable. */
  readonly env?: Env
  /** Standard input; none means an empty one. */
  readonly input?: string | Uint8Array
  /** Milliseconds until the process is killed; code is then null. */
  readonly timeout?: number
}

export interface RunResult {
  /** Exit code; null where a signal ended the process. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** The bytes behind `stdout`, for answers that need not be UTF-8. */
  readonly bytes: Buffer
}

const PATIENCE = 120_000

/** Runs `specdex ARGS` and waits for it. */
export function runCli(args: readonly string[], options: RunOptions): Promise<RunResult> {
  return runProgram(process.execPath, [CLI, ...args], options)
}

/** The same, blocking. Not for tests in which the child must talk to this process. */
export function runCliSync(args: readonly string[], options: RunOptions): RunResult {
  const child = spawnSync(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env: childEnvironment(options.env),
    input: options.input ?? '',
    timeout: options.timeout ?? PATIENCE,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 30,
  })
  if (child.error && child.signal === null) throw child.error
  return result(child.status, child.signal, child.stdout, child.stderr)
}

/** Runs any program the same way, e.g. `sh -c` for a pipe. */
export function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const spawnOptions: SpawnOptions = {
    cwd: options.cwd,
    env: childEnvironment(options.env),
    timeout: options.timeout ?? PATIENCE,
    killSignal: 'SIGKILL',
  }
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions, stdio: ['pipe', 'pipe', 'pipe'] })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    // A child that ends without reading its input is not an error of the test.
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(result(code, signal, Buffer.concat(stdout), Buffer.concat(stderr))))
    child.stdin.end(options.input ?? '')
  })
}

function result(code: number | null, signal: NodeJS.Signals | null, stdout: Buffer, stderr: Buffer): RunResult {
  return { code, signal, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), bytes: stdout }
}
