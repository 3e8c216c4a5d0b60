// GitHub through the user's own `gh`: one child process per question, no shell, nothing asked of a person. It brings
// its own login, and we never see the token. The surprise: `gh` shows headers in front of the body only when asked to
// (`--include`), and what does not show them then is still understood by its exit and its words.

import { spawn } from 'node:child_process'
import type { World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import type { Answer } from './github-limits.ts'
import type { Transport } from './source-github.ts'

type Env = World['env']

/** One question may not take longer. */
const TIMEOUT_MS = 60_000

/** A transport that runs `gh api`. `host` is GitHub's, `github.com` or that of an Enterprise server. */
export function ghTransport(host: string, env: Env): Transport {
  const flags = ['--hostname', host, '--include', '--method', 'GET']
  const headers = ['Accept: application/vnd.github+json', 'X-GitHub-Api-Version: 2022-11-28']
  return {
    name: 'gh',
    repeats: false,
    ask: async (path) => {
      const ended = await runGh(['api', ...flags, ...headers.flatMap((header) => ['-H', header]), path], env)
      if (ended.code === NEEDS_LOGIN) {
        throw new UserError('source', `gh is not logged in to ${host}`, 'log in with `gh auth login`')
      }
      return answerOf(ended)
    },
  }
}

/** True where `gh` can be started and has a login for this host; asks nothing of the network. */
export async function ghIsUsable(host: string, env: Env): Promise<boolean> {
  return (await runGh(['auth', 'token', '--hostname', host], env, 'ignore')).code === 0
}

/** `gh`'s exit status where it wants somebody to log in. */
const NEEDS_LOGIN = 4

interface Ended {
  /** null: it could not be started, or was stopped. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function runGh(args: readonly string[], env: Env, stdout: 'pipe' | 'ignore' = 'pipe'): Promise<Ended> {
  return new Promise((resolve) => {
    // A signal and no `timeout`: that one's timer would outlive a program that is not there, and keep us running.
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const child = spawn('gh', args, { env: ghEnv(env), stdio: ['ignore', stdout, 'pipe'], signal })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', (error) => resolve({ code: null, stdout: '', stderr: `gh: ${error.message}` }))
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') }),
    )
  })
}

/** Plain output, no questions. */
function ghEnv(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const clean = Object.fromEntries(kept)
  // Both would put colour or talk between us and the answer.
  delete clean['CLICOLOR_FORCE']
  delete clean['GH_DEBUG']
  return { ...clean, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' }
}

/** Head and body as `--include` prints them; without a head the status is read from how `gh` ended. */
function answerOf({ code, stdout, stderr }: Ended): Answer {
  const head = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n/.exec(stdout)
  if (head === null) {
    const told = /\(HTTP (\d{3})\)/.exec(stderr)
    if (code === 0) return { status: 200, headers: {}, body: parsed(stdout) }
    return told === null
      ? { status: 0, headers: {}, body: stderr.trim() || 'gh did not end by itself' }
      : { status: Number(told[1]), headers: {}, body: parsed(stdout) }
  }
  const end = /\r?\n\r?\n/.exec(stdout)
  const lines = stdout.slice(head[0].length, end?.index ?? stdout.length).split(/\r?\n/)
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':')
    return colon < 1 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]]
  })
  const body = end === null ? '' : stdout.slice(end.index + end[0].length)
  return { status: Number(head[1]), headers: Object.fromEntries(headers), body: parsed(body) }
}

/** A text where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
