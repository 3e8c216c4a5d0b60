// A small GitHub on this machine: a real HTTP server over repositories in memory, with pages, Link headers, ETags,
// redirects of what moved, and faults to order. It knows only what the ledger asks for, in GitHub's own shapes.
// The surprise: nothing is counted in advance, each request sees the repositories as they are at that moment.

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface Text {
  readonly id: number
  body: string | null
  readonly login: string
  readonly association: string
  readonly at: string
}

interface Issue {
  readonly number: number
  readonly pull: boolean
  state: 'open' | 'closed'
  body: string | null
  readonly createdAt: string
  updatedAt: string
  readonly comments: Text[]
  readonly reviews: Text[]
  readonly reviewComments: Text[]
}

/** What a request meets instead of its answer; `cut` sends the answer and breaks off in the middle. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }
  | 'cut'
  | 'hang up'

export interface Asked {
  /** Path and query as they came. */
  readonly path: string
  readonly authorization: string | null
  readonly status: number
}

/** One repository on the server. Each event lets a second pass, unless the clock stands still. */
export class Repository {
  readonly id: number
  name: string
  formerNames: string[] = []
  /** Milliseconds since 1970. */
  clock = Date.UTC(2026, 2, 1, 6)
  standing = false
  readonly issues = new Map<number, Issue>()
  readonly gone = new Map<number, { readonly to: Repository; readonly number: number } | 'deleted'>()
  #ids = 0

  constructor(id: number, name: string) {
    this.id = id
    this.name = name
  }

  open(number: number, body: string | null = null, pull = false): this {
    const at = this.#time()
    const texts = { comments: [], reviews: [], reviewComments: [] }
    this.issues.set(number, { number, pull, state: 'open', body, createdAt: at, updatedAt: at, ...texts })
    return this
  }

  /** A new text below an issue; returns its id. */
  say(
    number: number,
    body: string | null,
    where: 'comments' | 'reviews' | 'reviewComments' = 'comments',
    by: { readonly login?: string; readonly association?: string } = {},
  ): number {
    const issue = this.issue(number)
    this.#ids += 1
    const { login = 'pilot', association = 'MEMBER' } = by
    issue[where].push({ id: this.#ids, body, login, association, at: this.#time() })
    issue.updatedAt = this.#now()
    return this.#ids
  }

  /** Changes a comment, or takes it away where `body` is undefined; silently: the issue's time stays. */
  rewrite(number: number, id: number, body?: string, silently = false): this {
    const { comments } = this.issue(number)
    const index = comments.findIndex((comment) => comment.id === id)
    const comment = comments[index]
    if (comment === undefined) throw new Error(`no comment ${id}`)
    if (body === undefined) comments.splice(index, 1)
    else comment.body = body
    return silently ? this : this.touch(number)
  }

  turn(number: number, state: Issue['state']): this {
    this.issue(number).state = state
    return this.touch(number)
  }

  touch(number: number): this {
    this.issue(number).updatedAt = this.#time()
    return this
  }

  remove(number: number): this {
    this.issues.delete(number)
    this.gone.set(number, 'deleted')
    return this
  }

  /** Moves an issue to another repository, where it gets a number of that one's. */
  transfer(number: number, to: Repository, as: number): this {
    const issue = this.issue(number)
    this.issues.delete(number)
    this.gone.set(number, { to, number: as })
    to.issues.set(as, { ...issue, number: as })
    return this
  }

  rename(name: string): this {
    this.formerNames.push(this.name)
    this.name = name
    return this
  }

  issue(number: number): Issue {
    const issue = this.issues.get(number)
    if (issue === undefined) throw new Error(`no issue ${number}`)
    return issue
  }

  #time(): string {
    if (!this.standing) this.clock += 1000
    return this.#now()
  }

  #now(): string {
    return new Date(this.clock).toISOString().replace('.000Z', 'Z')
  }
}

export class GitHubServer {
  url = ''
  readonly repositories: Repository[] = []
  readonly asked: Asked[] = []
  /** Decides, before the answer is made, what a request meets; may change the repositories. */
  before: (path: string) => Fault | undefined = () => undefined
  /** Only who sends this token is let in. */
  token: string | null = null
  latencyMs = 0
  /** GitHub's `since` includes the second that it names; its documentation does not promise it. */
  sinceIncludes = true
  /** Its search gives up early, and says so. */
  hurried = false
  readonly #http = createServer((request, response) => {
    setTimeout(() => this.#serve(request, response), this.latencyMs)
  })

  repository(name: string): Repository {
    const made = new Repository(1000 + this.repositories.length, name)
    this.repositories.push(made)
    return made
  }

  /** Paths asked since the last call, without the query where it is not wanted. */
  takePaths(query = false): string[] {
    return this.asked.splice(0).map(({ path }) => (query ? path : (path.split('?', 1)[0] ?? '')))
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
    return this
  }

  stop(): Promise<void> {
    this.#http.closeAllConnections()
    return new Promise((resolve) => this.#http.close(() => resolve()))
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/'
    const authorization = request.headers.authorization ?? null
    const fault = this.before(path)
    if (fault === 'hang up') {
      this.asked.push({ path, authorization, status: 0 })
      response.destroy()
      return
    }
    const answer =
      typeof fault === 'object'
        ? { status: fault.status, headers: fault.headers ?? {}, body: { message: fault.message ?? 'Out of order' } }
        : this.#answer(path, authorization)
    const text = JSON.stringify(answer.body)
    const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
    const same = answer.status === 200 && fault !== 'cut' && request.headers['if-none-match'] === etag
    const status = same ? 304 : answer.status
    this.asked.push({ path, authorization, status })
    const length = Buffer.byteLength(text)
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-remaining': '4999',
      ...(answer.status === 200 ? { etag } : {}),
      ...(same ? {} : { 'content-length': length }),
      ...answer.headers,
    })
    if (same) response.end()
    else if (fault === 'cut') response.write(text.slice(0, text.length >> 1), () => response.destroy())
    else response.end(text)
  }

  #answer(path: string, authorization: string | null): Served {
    if (this.token !== null && authorization !== `token ${this.token}`) return message(401, 'Bad credentials')
    const url = new URL(path, this.url)
    if (url.pathname === '/search/issues') return this.#search(url)
    const [, owner = '', name = '', rest = ''] = /^\/repos\/([^/]+)\/([^/]+)\/(.+)$/.exec(url.pathname) ?? []
    const asked = `${owner}/${name}`
    const former = this.repositories.find(({ formerNames }) => formerNames.includes(asked))
    if (former !== undefined) return this.#moved(`/repositories/${former.id}/${rest}${url.search}`)
    const [, id = '', byId = ''] = /^\/repositories\/(\d+)\/(.+)$/.exec(url.pathname) ?? []
    const repository = this.repositories.find((each) => each.name === asked || String(each.id) === id)
    if (repository === undefined) return message(404, 'Not Found')
    return this.#inside(repository, rest || byId, url)
  }

  #inside(repository: Repository, rest: string, url: URL): Served {
    if (rest === 'issues') return this.#listing(repository, url)
    const [, kind, digits = '', below] = /^(issues|pulls)\/(\d+)(?:\/(comments|reviews))?$/.exec(rest) ?? []
    const gone = repository.gone.get(Number(digits))
    if (gone === 'deleted') return message(410, 'This issue was deleted')
    if (gone !== undefined) {
      return this.#moved(`/repositories/${gone.to.id}/issues/${gone.number}${below ? `/${below}` : ''}`)
    }
    const issue = repository.issues.get(Number(digits))
    if (issue === undefined || (kind === 'pulls' && !issue.pull)) return message(404, 'Not Found')
    if (below === undefined) return { status: 200, headers: {}, body: this.#shown(repository, issue) }
    if (below === 'reviews') {
      const reviews = issue.reviews.map((text) => ({ ...shownText(text), state: 'COMMENTED', submitted_at: text.at }))
      return this.#paged(reviews, url)
    }
    const texts = kind === 'pulls' ? issue.reviewComments : issue.comments
    return this.#paged(
      texts.map((text) => ({ ...shownText(text), created_at: text.at, updated_at: text.at })),
      url,
    )
  }

  /** Words and phrases that all stand in an issue's texts; the qualifiers `repo:` and `is:`; newest first. */
  #search(url: URL): Served {
    const query = url.searchParams.get('q') ?? ''
    const parts = [...query.matchAll(/"([^"]*)"|(\S+)/g)].map(([, phrase, word = '']) => phrase ?? word)
    const qualifiers = parts.filter((part) => /^[a-z]+:\S/.test(part))
    const kinds = qualifiers.filter((part) => part === 'is:issue' || part === 'is:pull-request')
    if (kinds.length !== 1) return message(422, "Query must include 'is:issue' or 'is:pull-request'")
    const repository = this.repositories.find(({ name }) => qualifiers.includes(`repo:${name}`))
    if (repository === undefined) return message(422, 'Validation Failed')
    const words = parts.filter((part) => !qualifiers.includes(part)).map((word) => word.toLowerCase())
    const rows = [...repository.issues.values()].filter((issue) => {
      const texts = [...issue.comments, ...issue.reviews, ...issue.reviewComments]
      const all = [issue, ...texts]
        .map(({ body }) => body ?? '')
        .join('\n')
        .toLowerCase()
      return issue.pull === (kinds[0] === 'is:pull-request') && words.every((word) => all.includes(word))
    })
    rows.sort((a, b) => (a.updatedAt > b.updatedAt ? -1 : 1))
    const size = Number(url.searchParams.get('per_page') ?? 30)
    const items = rows.slice(0, size).map((issue) => this.#shown(repository, issue))
    return { status: 200, headers: {}, body: { total_count: rows.length, incomplete_results: this.hurried, items } }
  }

  #listing(repository: Repository, url: URL): Served {
    const since = url.searchParams.get('since')
    const state = url.searchParams.get('state') ?? 'open'
    const rows = [...repository.issues.values()]
      .filter((issue) => state === 'all' || issue.state === state)
      .filter(({ updatedAt }) => since === null || updatedAt > since || (this.sinceIncludes && updatedAt === since))
    // Ties stand as GitHub likes: here the greater number first.
    rows.sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : b.number - a.number))
    if (url.searchParams.get('direction') !== 'asc' || url.searchParams.get('sort') !== 'updated') rows.reverse()
    return this.#paged(rows, url, (issue) => this.#shown(repository, issue))
  }

  #paged<T>(rows: readonly T[], url: URL, shown: (row: T) => unknown = (row) => row): Served {
    const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30))
    const page = Number(url.searchParams.get('page') ?? 1)
    const next = new URL(url)
    next.searchParams.set('page', String(page + 1))
    const link = page * size < rows.length ? { link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` } : {}
    return { status: 200, headers: link, body: rows.slice((page - 1) * size, page * size).map(shown) }
  }

  #shown(repository: Repository, issue: Issue): unknown {
    const { number, state, body, createdAt, updatedAt } = issue
    return {
      ...{ id: 5_000_000 + number, number, title: `Berth ${number}`, state, body },
      repository_url: `${this.url}/repos/${repository.name}`,
      comments: issue.comments.length,
      created_at: createdAt,
      updated_at: updatedAt,
      user: { login: 'harbourmaster' },
      author_association: 'OWNER',
      ...(issue.pull ? { pull_request: { url: `${this.url}/repos/${repository.name}/pulls/${number}` } } : {}),
    }
  }

  #moved(to: string): Served {
    return { ...message(301, 'Moved Permanently'), headers: { location: this.url + to } }
  }
}

interface Served {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function message(status: number, words: string): Served {
  return { status, headers: {}, body: { message: words, documentation_url: 'https://docs.github.com/rest' } }
}

function shownText({ id, body, login, association }: Text): object {
  return { id, body, user: { login }, author_association: association }
}

/** A running server that stops with the test. */
export async function startGitHub(atTheEnd = onTestFinished): Promise<GitHubServer> {
  const server = await new GitHubServer().start()
  atTheEnd(() => server.stop())
  return server
}
