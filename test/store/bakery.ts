// What the store tests share: temporary indexes, and other processes that work on one.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, onTestFinished } from 'vitest'
import { openStore, type Store, type StoreLocation } from '../../src/store/open.ts'
import { childEnvironment } from '../support/environment.ts'
import { tempFolder } from '../support/temp.ts'

/** An index in a folder of its own; not at the default place unless asked for. */
export function place(isDefault = false, name = 'store'): StoreLocation {
  return { path: path.join(tempFolder(name), '.specdex', 'index.db'), isDefault }
}

/** Opens, creating if need be; closed when the test ends. */
export function opened(location: StoreLocation, busyMs = 2000): Store {
  const store = openStore(location, { busyMs, create: true })
  onTestFinished(() => store.close())
  return store
}

/** All rows of a statement on the store. */
export function ask(store: Store, sql: string, ...parameters: unknown[]): Record<string, unknown>[] {
  return store.read(() => store.db.prepare(sql).all(...parameters) as Record<string, unknown>[])
}

let bundle = ''

/** Bundles child.ts as one file that plain Node runs, as the command line is built. Call at the head of a test file. */
export function withChildren(): void {
  beforeAll(async () => {
    bundle = path.join(tempFolder('child'), 'child.cjs')
    const root = path.resolve(import.meta.dirname, '../..')
    await build({
      entryPoints: [path.join(import.meta.dirname, 'child.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      nodePaths: [path.join(root, 'node_modules')],
      // The bundle lies outside the project, but the native addon is found from the project.
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.join(root, 'src/index.ts')).href) },
    })
    // Children may run as another user.
    chmodSync(path.dirname(bundle), 0o755)
  })
}

export interface Child {
  readonly process: ChildProcess
  /** The next line of the child's stdout, parsed. */
  readonly next: () => Promise<unknown>
  /** Resolves when the child is gone: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

export interface ChildOptions {
  readonly uid?: number
  /** A program and its arguments to run Node under. */
  readonly under?: readonly string[]
}

/** Starts `action` of child.ts in a process of its own. It answers in JSON lines. */
export async function startChild(action: string, input: unknown, options: ChildOptions = {}): Promise<Child> {
  const [program = process.execPath, ...before] = [...(options.under ?? []), process.execPath]
  const child = spawn(program, [...before, bundle, action, JSON.stringify(input)], {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
  onTestFinished(() => {
    child.kill('SIGCONT')
    child.kill('SIGKILL')
  })
  const lines: string[] = []
  const waiting: ((line: string | null) => void)[] = []
  let rest = ''
  let over = false
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      const taker = waiting.shift()
      if (taker) taker(line)
      else lines.push(line)
    }
  })
  const ended = new Promise<number | string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      over = true
      for (const taker of waiting) taker(null)
      resolve(code ?? signal ?? 'gone')
    })
  })
  const next = async (): Promise<unknown> => {
    const line = lines.shift() ?? (over ? null : await new Promise<string | null>((resolve) => waiting.push(resolve)))
    if (line === null) throw new Error(`the child ended before it answered (${action})`)
    return JSON.parse(line)
  }
  return { process: child, next, ended }
}

/** Runs an action to its end and returns its only answer. */
export async function runChild(action: string, input: unknown, options: ChildOptions = {}): Promise<unknown> {
  const child = await startChild(action, input, options)
  const answer = await child.next()
  await child.ended
  return answer
}
