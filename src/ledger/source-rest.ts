// GitHub's REST API through octokit, which queues, waits for rate limits and repeats failures; how long it may is decided
// by github-limits.ts. Octokit is loaded when the first question is asked, because hardly any command asks one.
// The surprise: an answer is remembered with its ETag, so that a question asked twice does not count twice at GitHub.

import type { Octokit } from '@octokit/core'
import type { Answer, Patience } from './github-limits.ts'
import type { Transport } from './source-github.ts'

export interface RestAccess {
  /** Base address, `https://api.github.com`. */
  readonly api: string
  readonly token: string | null
}

/** One answer may not take longer; waiting for a rate limit is not part of it. */
const TIMEOUT_MS = 60_000
/** Answers that are remembered with their ETag. */
const REMEMBERED = 64
/** Repetitions after a failure: after one second and after four more. */
const RETRIES = 2

/** A transport to the API at `api`; without a token GitHub allows few questions and shows public repositories only. */
export function restTransport(access: RestAccess): Transport {
  const { api } = access
  const remembered = new Map<string, { readonly etag: string; readonly answer: Answer }>()
  let octokit: Promise<Octokit> | null = null

  async function ask(path: string, waits: Patience): Promise<Answer> {
    octokit ??= loadOctokit(access)
    const known = remembered.get(path)
    const answer = await askOnce(await octokit, path, waits, known?.etag ?? null)
    if (answer.status === 304 && known !== undefined) return known.answer
    const etag = answer.headers['etag']
    remembered.delete(path)
    if (answer.status === 200 && etag !== undefined && typeof answer.body !== 'string') {
      remembered.set(path, { etag, answer })
      const [oldest] = remembered.keys()
      if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    }
    return answer
  }

  async function askOnce(kit: Octokit, path: string, waits: Patience, etag: string | null): Promise<Answer> {
    try {
      const response = await kit.request(`GET /${path}`, {
        headers: {
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
          ...(etag === null ? {} : { 'if-none-match': etag }),
        },
        // Read by the handlers in loadOctokit.
        request: { waits },
      })
      return { status: response.status, headers: textual(response.headers), body: response.data }
    } catch (error) {
      return failureOf(error)
    }
  }

  return { name: new URL(api).host, repeats: true, ask }

  async function loadOctokit({ token }: RestAccess): Promise<Octokit> {
    const [{ Octokit: Core }, { throttling }, { retry }] = await Promise.all([
      import('@octokit/core'),
      import('@octokit/plugin-throttling'),
      import('@octokit/plugin-retry'),
    ])
    const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }
    const Kit = Core.plugin(timeLimit, throttling, retry)
    return new Kit({
      baseUrl: api,
      userAgent: 'specdex',
      ...(token === null ? {} : { auth: token }),
      log: silent,
      request: { log: silent },
      throttle: { onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
      // 429 is a rate limit, whatever its words: not to be repeated before its time.
      retry: { retries: RETRIES, doNotRetry: [304, 400, 401, 403, 404, 410, 422, 429, 451] },
    })
  }

  function mayWait(seconds: number, options: { readonly request?: { readonly waits?: Patience } }): boolean {
    return options.request?.waits?.allows(seconds) ?? false
  }
}

function ignore(): void {}

/** Each attempt gets its own time, body included: the plugins outside of this one repeat and wait. */
function timeLimit(octokit: Octokit): void {
  octokit.hook.wrap('request', (request, options) =>
    request({ ...options, request: { ...options.request, signal: AbortSignal.timeout(TIMEOUT_MS) } }),
  )
}

/** What octokit throws for everything but success: GitHub's refusal, or that nobody answered. */
function failureOf(error: unknown): Answer {
  if (!(error instanceof Error)) throw error
  const { response, status } = error as Error & { readonly response?: Response; readonly status?: unknown }
  if (response !== undefined) {
    return { status: response.status, headers: textual(response.headers), body: response.data }
  }
  // Octokit gives a status to what failed on the way; without one it is a bug, of ours or of octokit's.
  if (typeof status !== 'number') throw error
  return { status: 0, headers: {}, body: error.message }
}

interface Response {
  readonly status: number
  readonly headers: object
  readonly data: unknown
}

function textual(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
