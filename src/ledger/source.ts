// Picks where the ledger's issues come from: files that the user names, else `gh`, else the REST API. Decides who may
// see a token. The surprise: the API's address can come from a repository's own configuration, which anybody may have
// written, so a token goes to another host than GitHub's only where the user's environment names that host.

import type { Clock, Talk, World } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import type { LedgerSource } from '../model/ledger.ts'
import { PATIENCE_MS } from './github-limits.ts'
import { isRepository } from './remote.ts'
import { fileSource } from './source-files.ts'
import { ghIsUsable, ghTransport } from './source-gh.ts'
import { type GitHubSource, githubSource } from './source-github.ts'
import { restTransport } from './source-rest.ts'

export interface SourceChoice {
  /** `--from DIR|FILE`, absolute; null: ask GitHub. */
  readonly from: string | null
  /** `owner/name`. */
  readonly repo: string
  /** Base address of the REST API. */
  readonly api: string
  readonly env: World['env']
  readonly talk: Talk
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Longest single wait for a rate limit, ms; default: an hour. Short where nobody may be kept waiting. */
  readonly patience?: number
}

/**
 * Opens a source: `--from` wins; else `gh` where it is on PATH and logged in to the host; else REST with the token of
 * the environment, or without one. Asks nothing of GitHub yet. Errors: UserError `usage` (no such repository name or
 * address). Source of the order: issue "The ledger" §1.
 */
export async function openSource(choice: SourceChoice): Promise<LedgerSource> {
  const { from, repo, talk } = choice
  if (from === null) return openGitHub(choice)
  refuseNonsense(repo)
  return fileSource(from, repo, talk)
}

/** Opens GitHub alone, with its search: what openSource does without `--from`. Same errors. */
export async function openGitHub(choice: Omit<SourceChoice, 'from'>): Promise<GitHubSource> {
  const { repo, env, talk, now, wait } = choice
  refuseNonsense(repo)
  const reading = { repo, talk, now, wait, patience: choice.patience ?? PATIENCE_MS }
  const api = addressOf(choice.api)
  const host = hostOf(api)
  const safe = maySeeTokens(api, host, env)
  const given = safe ? env : withoutEnterpriseTokens(env)
  // `gh` speaks nothing but https, to the usual port.
  if (api.protocol === 'https:' && api.port === '' && (await ghIsUsable(host, given))) {
    return githubSource(ghTransport(host, given), reading)
  }
  const token = tokenFor(host, env)
  if (token === null) {
    talk.warn(`no token and no \`gh\` that is logged in: asking ${api.host} without one (set GH_TOKEN for more)`)
  } else if (!safe) {
    talk.warn(`${api.host} is asked without the token: set GH_HOST=${host} if it may see it`)
  }
  const base = api.href.replace(/\/+$/, '')
  return githubSource(restTransport({ api: base, token: safe ? token : null }), reading)
}

function refuseNonsense(repo: string): void {
  if (!isRepository(repo)) throw new UserError('usage', `not a repository: ${repo}`, 'write it as owner/name')
}

function addressOf(text: string): URL {
  try {
    const url = new URL(text)
    if (url.protocol === 'https:' || url.protocol === 'http:') return url
  } catch {
    // Told below.
  }
  throw new UserError('usage', `not an address: ${text}`, 'ledger.api is an address such as https://api.github.com')
}

const GITHUB = 'github.com'

/** The host that people see: `github.com`, `NAME.ghe.com`, or that of an Enterprise server. */
function hostOf(api: URL): string {
  return /^api\.(github\.com|[^.]+\.ghe\.com)$/.exec(api.hostname)?.[1] ?? api.hostname
}

function maySeeTokens(api: URL, host: string, env: World['env']): boolean {
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host)) return true
  if (api.protocol !== 'https:') return false
  if (host === GITHUB || host.endsWith('.ghe.com')) return true
  const named = env['GITHUB_API_URL'] ?? ''
  return env['GH_HOST'] === host || (URL.canParse(named) && new URL(named).hostname === host)
}

/** The variables that `gh` would send to any host; what it has stored for this very host it keeps. */
const ENTERPRISE = ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'] as const

function withoutEnterpriseTokens(env: World['env']): World['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ENTERPRISE.some((other) => other === name)))
}

function tokenFor(host: string, env: World['env']): string | null {
  const names = ['GH_TOKEN', 'GITHUB_TOKEN']
  const order = host === GITHUB ? names : [...ENTERPRISE, ...names]
  return order.map((name) => env[name] ?? '').find((token) => token !== '') ?? null
}
