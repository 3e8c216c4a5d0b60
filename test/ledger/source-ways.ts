// The two ways to a GitHub, opened as the program opens them, against the server of the tests: octokit directly, and a
// `gh` made here, which prints head and body as the real one does with --include. Waits are written down, not waited.

import { chmodSync } from 'node:fs'
import path from 'node:path'
import { openGitHub } from '../../src/ledger/source.ts'
import { ghTransport } from '../../src/ledger/source-gh.ts'
import { type GitHubSource, githubSource } from '../../src/ledger/source-github.ts'
import type { Talk } from '../../src/model/clock.ts'
import type { IssueHead, LedgerSource } from '../../src/model/ledger.ts'
import { childEnvironment } from '../support/environment.ts'
import { tempTree } from '../support/temp.ts'
import type { GitHubServer } from './github-server.ts'

/** The moment at which all sources of the tests look at the clock. */
export const NOW = Date.UTC(2026, 5, 1, 12)

export interface Way {
  readonly source: GitHubSource
  readonly warnings: string[]
  /** Milliseconds that our own code waited. */
  readonly waits: number[]
}

// A process per question, so it loads as little as possible.
const GH = `#!${process.execPath}
const { get } = require('node:http')
const args = process.argv.slice(2)
const { GH_LOGGED_OUT, GH_SERVER } = process.env
const fail = (words) => {
  process.stderr.write('gh: ' + words + '\\n')
  process.exitCode = 1
}
const headers = {}
args.forEach((arg, index) => {
  if (arg !== '-H') return
  const [name, value] = args[index + 1].split(': ')
  headers[name] = value
})
const ask = (address) => {
  get(address, { headers, agent: false }, (response) => {
    const { statusCode, statusMessage, headers: told, rawHeaders } = response
    if (statusCode > 300 && statusCode < 304) {
      response.resume()
      return ask(new URL(told.location, address))
    }
    process.stdout.write('HTTP/2.0 ' + statusCode + ' ' + statusMessage + '\\n')
    for (let i = 0; i < rawHeaders.length; i += 2) {
      process.stdout.write(rawHeaders[i][0].toUpperCase() + rawHeaders[i].slice(1) + ': ' + rawHeaders[i + 1] + '\\r\\n')
    }
    process.stdout.write('\\r\\n')
    response.on('error', cannot).on('data', (chunk) => process.stdout.write(chunk))
    if (statusCode >= 300) fail('refused (HTTP ' + statusCode + ')')
  }).on('error', cannot)
}
const cannot = () => fail('error connecting to api.github.com')
if (GH_LOGGED_OUT) process.exitCode = args[0] === 'auth' ? 1 : 4
else if (args[0] !== 'auth') ask(GH_SERVER + '/' + args.at(-1))
`

/** A folder with that program, for PATH. */
export function ghFolder(): string {
  const folder = tempTree({ gh: GH }, 'gh')
  chmodSync(path.join(folder, 'gh'), 0o755)
  return folder
}

interface Extra {
  readonly patience?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Over octokit. Where PATH has a `gh`, it cannot be used for an address without https. */
export async function restWay(server: GitHubServer, repo: string, extra: Extra = {}): Promise<Way> {
  const { warnings, waits, told } = notes()
  const { patience, env = {} } = extra
  const source = await openGitHub({
    ...{ repo, api: server.url, env, now: () => NOW, ...told },
    ...(patience === undefined ? {} : { patience }),
  })
  return { source, warnings, waits }
}

/** Over the `gh` from above. */
export async function ghWay(server: GitHubServer, repo: string, extra: Extra = {}): Promise<Way> {
  const { warnings, waits, told } = notes()
  const env = childEnvironment({ ...extra.env, GH_SERVER: server.url, PATH: ghFolder() })
  const reading = { repo, now: () => NOW, patience: extra.patience ?? 3_600_000, ...told }
  return { source: githubSource(ghTransport('github.com', env), reading), warnings, waits }
}

function notes(): {
  warnings: string[]
  waits: number[]
  told: { talk: Talk; wait: (ms: number) => Promise<void> }
} {
  const warnings: string[] = []
  const waits: number[] = []
  const talk: Talk = { warn: (message) => warnings.push(message), progress: () => {} }
  return { warnings, waits, told: { talk, wait: async (ms) => void waits.push(ms) } }
}

/** A whole listing, in its order. */
export async function listed(source: LedgerSource, since: string | null = null): Promise<IssueHead[]> {
  const heads: IssueHead[] = []
  for await (const page of source.list(since)) heads.push(...page)
  return heads
}

/** The error of a source that must fail, or a failure of the test. */
export async function failure(promise: Promise<unknown>): Promise<Error & { code?: string; hint?: string | null }> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}
