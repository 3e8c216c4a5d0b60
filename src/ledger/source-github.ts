// Reading issues from GitHub, whatever carries the questions (source-rest.ts, source-gh.ts): all pages of a listing,
// all texts of an issue, and what a refusal means. It must never take a failure for "there is nothing": the caller
// deletes what is not there. The surprise: pages are not counted but asked for by time, because a row that is touched
// while we read moves to the end, and counted pages would then skip its neighbour.

import type { Clock, Talk } from '../model/clock.ts'
import { UserError } from '../model/errors.ts'
import type { IssueHead, LedgerIssue, LedgerSource, LedgerText } from '../model/ledger.ts'
import { type Answer, limitOf, messageOf, type Patience, patience } from './github-limits.ts'
import {
  type IssueRow,
  readComment,
  readFound,
  readIssue,
  readList,
  readReview,
  sameRepository,
  secondOf,
  textsOf,
  wrongShape,
} from './github-shapes.ts'

/** Carries one GET to GitHub. */
export interface Transport {
  readonly name: string
  /** Whether it repeats by itself what failed for the moment (status 0 and 5xx). */
  readonly repeats: boolean
  /** `path` is below the API's base address, with its query. Rejects only with a UserError. */
  readonly ask: (path: string, waits: Patience) => Promise<Answer>
}

export interface Reading {
  readonly repo: string
  readonly talk: Talk
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Longest single wait for a rate limit, ms. */
  readonly patience: number
}

const PAGE = 100
/** Times that a question is repeated after nobody answered, GitHub stumbled, or an answer was cut off. */
const REPEATS = 2
/** Times that an issue is read again because its comments moved while they were read. */
const REREADS = 2

/** GitHub as the ledger's source, and its own search. */
export interface GitHubSource extends LedgerSource {
  /**
   * Numbers of the issues and pull requests that GitHub finds for these words, at most `most`, likeliest first. The words
   * are GitHub's to read: who asks for a person keeps qualifiers and operators out of them.
   */
  readonly search: (words: string, most: number) => Promise<readonly number[]>
}

/** The ledger's source over a transport. Errors: UserError `source`. Source of the rules: issue "The ledger" §1, §3. */
export function githubSource(transport: Transport, reading: Reading): GitHubSource {
  const { repo, talk, now, wait } = reading
  const base = `repos/${repo}`
  let actualName: string | null = null
  const counted = new Map<number, number | null>()
  let toldOfReviews = false

  async function ask(path: string): Promise<Answer> {
    const waits = patience(transport.name, reading.patience, talk)
    for (let failures = 0; ; ) {
      const answer = await transport.ask(path, waits)
      const seconds = limitOf(answer, now())
      if (seconds !== null) {
        if (!waits.allows(seconds)) throw limited(answer, seconds)
        await wait(seconds * 1000)
        continue
      }
      const cutOff = answer.status === 200 && typeof answer.body === 'string'
      const failed = answer.status === 0 || answer.status >= 500
      if (!cutOff && !failed) return answer
      if ((failed && transport.repeats) || failures >= REPEATS) throw unanswered(path, answer, cutOff)
      failures += 1
      await wait(failures * failures * 1000)
    }
  }

  /** The rows of a listing, and whether there are more behind them. */
  async function page<T>(path: string, read: (value: unknown, where: string) => T): Promise<Page<T> | Answer> {
    const answer = await ask(path)
    if (answer.status !== 200) return answer
    const where = `${transport.name}, ${path}`
    const rows = readList(answer.body, where)
    const link = answer.headers['link']
    const more = link === undefined ? rows.length === PAGE : /\brel="?next\b/.test(link)
    return { rows: rows.map((row) => read(row, where)), more: more && rows.length > 0 }
  }

  async function* list(since: string | null): AsyncGenerator<readonly IssueHead[]> {
    const seen = new Map<number, string>()
    let from = since
    let count = 1
    let fresh = 0
    for (;;) {
      const start = from === null ? '' : `&since=${encodeURIComponent(from)}`
      const query = `state=all&sort=updated&direction=asc&per_page=${PAGE}&page=${count}${start}`
      const answer = await page(`${base}/issues?${query}`, readIssue)
      if (!('rows' in answer)) throw refused(answer)
      for (const { head, comments } of answer.rows) counted.set(head.number, comments)
      const heads = answer.rows.map(({ head }) => head).filter((head) => seen.get(head.number) !== head.updatedAt)
      for (const head of heads) seen.set(head.number, head.updatedAt)
      fresh += heads.length
      if (heads.length > 0) yield heads

      const next = justBefore(answer.rows)
      if (answer.more && next !== null && from !== null && next <= from) {
        // A page within one second: only there pages must be counted.
        count += 1
        continue
      }
      // Counted pages may have moved: they are read until a pass brings nothing new.
      const again = count > 1 && fresh > 0
      if (!again && !answer.more) return
      if (!again) from = next
      count = 1
      fresh = 0
    }
  }

  /** The issue's own row; null where it is not in this repository (any more). */
  async function row(number: number): Promise<IssueRow | null> {
    const path = `${base}/issues/${number}`
    const answer = await ask(path)
    if (answer.status === 404 || answer.status === 410) {
      // The same answer as for a repository that we may not see: then nothing is known about the issue.
      await home()
      return null
    }
    if (answer.status !== 200) throw refused(answer)
    const found = readIssue(answer.body, `${transport.name}, ${path}`)
    // GitHub leads from a transferred issue to where it is now, and from a renamed repository to its new name.
    if (found.head.number !== number) return null
    if (found.repository === null || sameRepository(found.repository, repo)) return found
    actualName ??= await home()
    return sameRepository(found.repository, actualName) ? found : null
  }

  /** What the repository is called now. Throws where it cannot be read. */
  async function home(): Promise<string> {
    const answer = await page(`${base}/issues?state=all&per_page=1&page=1`, readIssue)
    if (!('rows' in answer)) throw refused(answer)
    return answer.rows[0]?.repository ?? repo
  }

  /** All pages of what hangs on an issue; null where GitHub does not find it. */
  async function all(path: string, read: typeof readReview): Promise<LedgerText[] | null> {
    const texts: LedgerText[] = []
    for (let count = 1; ; count++) {
      const answer = await page(`${base}/${path}?per_page=${PAGE}&page=${count}`, read)
      if (!('rows' in answer)) {
        if (answer.status === 404 || answer.status === 410) return null
        throw refused(answer)
      }
      for (const text of answer.rows) if (text !== null) texts.push(text)
      if (!answer.more) return texts
    }
  }

  /** Null in the place of what GitHub does not find: it may be hidden from this token. */
  async function ofPull(number: number): Promise<(LedgerText[] | null)[]> {
    const reviews = await all(`pulls/${number}/reviews`, readReview)
    const comments = await all(`pulls/${number}/comments`, readComment)
    if ((reviews === null || comments === null) && !toldOfReviews) {
      toldOfReviews = true
      talk.warn(
        `${transport.name}: reviews of pull requests cannot be read there; they are left out where no card is from one`,
      )
    }
    return [reviews, comments]
  }

  async function issue(number: number): Promise<LedgerIssue | null> {
    let found = await row(number)
    for (let reads = 0; found !== null; reads++) {
      const comments = found.comments === 0 ? [] : await all(`issues/${number}/comments`, readComment)
      const ofReviews = comments !== null && found.head.pull ? await ofPull(number) : []
      const moved = comments !== null && comments.length >= PAGE && wentMissing(comments, found.comments)
      if (comments !== null && (!moved || reads >= REREADS)) {
        const { head, createdAt } = found
        counted.set(number, found.comments)
        const lists = ofReviews.map((texts) => texts ?? [])
        const partial = ofReviews.includes(null)
        return { ...head, createdAt, texts: textsOf(found, [comments, ...lists]), ...(partial && { partial }) }
      }
      if (comments === null && reads >= REREADS) {
        throw wrongShape(`${transport.name}, #${number}`, 'the issue is there and its comments are not')
      }
      // Its comments are gone, or one was deleted and the pages behind it moved up: the row decides.
      found = await row(number)
    }
    return null
  }

  /** One question for each, because GitHub refuses some tokens where neither is named. They take turns in the result. */
  async function search(words: string, most: number): Promise<readonly number[]> {
    const lists: number[][] = []
    for (const what of ['is:issue', 'is:pull-request']) {
      const query = encodeURIComponent(`${words} repo:${repo} ${what}`)
      const path = `search/issues?q=${query}&per_page=${most}`
      const answer = await ask(path)
      if (answer.status !== 200) throw refused(answer)
      const found = readFound(answer.body, `${transport.name}, search`)
      if (!found.complete) talk.warn(`${transport.name}: GitHub ended its search early; there may be more`)
      lists.push(found.numbers)
    }
    const longest = Math.max(...lists.map((numbers) => numbers.length))
    const turns = Array.from({ length: longest }, (_, place) => lists.flatMap((numbers) => numbers[place] ?? []))
    return turns.flat().slice(0, most)
  }

  function limited(answer: Answer, seconds: number): UserError {
    const end = Number.isFinite(seconds) ? `it ends in ${Math.ceil(seconds)} s` : 'GitHub does not say until when'
    return new UserError(
      'source',
      `${transport.name}: GitHub's rate limit is reached and ${end} (${messageOf(answer)})`,
      'run it again later: what is stored stays, and it goes on from there',
    )
  }

  function unanswered(path: string, answer: Answer, cutOff: boolean): UserError {
    const why = cutOff ? 'the answer was cut off' : messageOf(answer)
    return new UserError('source', `${transport.name}: no usable answer for ${path}: ${why}`)
  }

  function refused(answer: Answer): UserError {
    const { status } = answer
    const why = `${transport.name}: GitHub refused ${repo} (${status}): ${messageOf(answer)}`
    return new UserError('source', why, HINTS[status] ?? null)
  }

  return { name: transport.name, list, issue, search, comments: (number) => counted.get(number) ?? null }
}

interface Page<T> {
  readonly rows: readonly T[]
  readonly more: boolean
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'the token is not valid (any more): log in with `gh auth login`, or set GH_TOKEN',
  403: 'the token needs to read issues and pull requests of this repository',
  404: 'check the name of the repository, and that the token may see it',
  410: 'issues are switched off in this repository',
  422: 'check the name of the repository, and that the token may see it',
}

/** The second before the newest change of a page: `since` may leave out the very second that it names. */
function justBefore(rows: readonly IssueRow[]): string | null {
  const newest = rows
    .map(({ head }) => head.updatedAt)
    .sort()
    .at(-1)
  return newest === undefined ? null : secondOf(Date.parse(newest) - 1000)
}

/** True where several pages held fewer comments than the issue has. */
function wentMissing(comments: readonly LedgerText[], count: number | null): boolean {
  return count !== null && new Set(comments.map(({ id }) => id)).size < count
}
