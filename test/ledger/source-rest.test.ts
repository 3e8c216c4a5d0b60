// Reading GitHub over HTTP, with a real server on the other side: everything is found whatever moves meanwhile, limits
// are kept, and no failure looks like an empty answer. What depends on the carrier runs over octokit and over `gh`.

import { describe, expect, onTestFinished, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { type GitHubServer, type Repository, startGitHub } from './github-server.ts'
import { failure, ghWay, listed, NOW, restWay } from './source-ways.ts'

const REPO = 'harbour/pier'

/** Tests that run at the same time hand in their own `onTestFinished`. */
async function harbour(atTheEnd = onTestFinished): Promise<{ server: GitHubServer; pier: Repository }> {
  const server = await startGitHub(atTheEnd)
  return { server, pier: server.repository(REPO) }
}

const numbers = (heads: readonly { readonly number: number }[]): number[] => heads.map(({ number }) => number)
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

const WAYS: readonly (readonly [string, typeof restWay])[] = [
  ['octokit', restWay],
  ['gh', ghWay],
]

describe.each(WAYS)('over %s', (_name, way) => {
  test('deleted, transferred and unknown issues are gone; the repository they went to is not read', async () => {
    const { server, pier } = await harbour()
    const yard = server.repository('harbour/yard')
    for (const number of upTo(4)) pier.open(number, `berth ${number}`)
    // One keeps its number over there.
    pier.remove(1).transfer(2, yard, 9).transfer(3, yard, 3)
    const { source } = await way(server, REPO)
    expect(await source.issue(1)).toBeNull()
    expect(await source.issue(2)).toBeNull()
    expect(await source.issue(3)).toBeNull()
    expect(await source.issue(404)).toBeNull()
    expect((await source.issue(4))?.texts[0]?.body).toBe('berth 4')
    expect(numbers(await listed(source))).toEqual([4])
  })

  test('an answer that is cut off is asked for again, and is never an empty one', async () => {
    const { server, pier } = await harbour()
    pier.open(1).say(1, 'whole')
    let cuts = 1
    server.before = (path) => (path.includes('/comments') && cuts-- > 0 ? 'cut' : undefined)
    const { source, waits } = await way(server, REPO)
    expect((await source.issue(1))?.texts.map(({ body }) => body)).toEqual(['', 'whole'])
    expect(waits).toEqual([1000])
    cuts = 100
    expect((await failure(source.issue(1))).message).toContain('the answer was cut off')
  })

  test('429 with Retry-After is waited for and told', async () => {
    const { server, pier } = await harbour()
    pier.open(1)
    let refusals = 2
    server.before = () => (refusals-- > 0 ? { status: 429, headers: { 'retry-after': '30' } } : undefined)
    const { source, waits, warnings } = await way(server, REPO)
    expect(numbers(await listed(source))).toEqual([1])
    expect(waits).toEqual([30_000, 30_000])
    expect(warnings.filter((line) => line.includes('waiting 30 s'))).toHaveLength(2)
  })
})

// The carrier knows nothing of it, and each question to `gh` is a process: `gh` is for the long run.
describe.each(WAYS.slice(0, effort(1, 2)))('over %s', (_name, way) => {
  test('a pull request comes with reviews and review comments, in the order in which they were written', async () => {
    const { server, pier } = await harbour()
    pier.open(3, null, true)
    pier.say(3, 'on a line', 'reviewComments')
    pier.say(3, 'below')
    pier.say(3, 'as a review', 'reviews')
    pier.say(3, '', 'reviews')
    const { source } = await way(server, REPO)
    const issue = await source.issue(3)
    expect(issue?.pull).toBe(true)
    expect(issue?.texts.map(({ body }) => body)).toEqual(['', 'on a line', 'below', 'as a review'])
  })

  test('reviews that are not found make a partial issue; an issue read whole says nothing of it', async () => {
    const { server, pier } = await harbour()
    pier.open(3, null, true)
    pier.say(3, 'as a review', 'reviews')
    const { source, warnings } = await way(server, REPO)
    expect(await source.issue(3)).not.toHaveProperty('partial')
    server.before = (path) => (path.includes('/reviews') ? { status: 404, message: 'Not Found' } : undefined)
    expect(await source.issue(3)).toMatchObject({ partial: true, texts: [{ id: null }] })
    expect(warnings.filter((line) => line.includes('reviews of pull requests'))).toHaveLength(1)
  })

  test('a missing permission is no rate limit', async () => {
    const { server, pier } = await harbour()
    pier.open(1, null, true)
    server.before = (path) =>
      path.includes('/pulls/')
        ? { status: 403, message: 'Resource not accessible by personal access token' }
        : undefined
    const { source, waits } = await way(server, REPO)
    const error = await failure(source.issue(1))
    expect(error.message).toContain('Resource not accessible')
    expect(error.hint).toContain('pull requests')
    expect(waits).toEqual([])
  })
})

describe('whatever moves', () => {
  test('an issue comes with its body first, then its comments, each with who wrote it', async () => {
    const { server, pier } = await harbour()
    pier.open(7, 'The crane is stuck')
    const first = pier.say(7, 'It is the hoist', 'comments', { login: 'ada', association: 'OWNER' })
    const second = pier.say(7, 'I want a crane too', 'comments', { login: 'gull', association: 'NONE' })
    pier.turn(7, 'closed')
    const { source } = await restWay(server, REPO)
    expect(await source.issue(7)).toEqual({
      number: 7,
      pull: false,
      state: 'closed',
      createdAt: '2026-03-01T06:00:01Z',
      updatedAt: '2026-03-01T06:00:04Z',
      texts: [
        {
          id: null,
          body: 'The crane is stuck',
          author: { login: 'harbourmaster', association: 'OWNER' },
          createdAt: '2026-03-01T06:00:01Z',
        },
        {
          id: first,
          body: 'It is the hoist',
          author: { login: 'ada', association: 'OWNER' },
          createdAt: '2026-03-01T06:00:02Z',
        },
        {
          id: second,
          body: 'I want a crane too',
          author: { login: 'gull', association: 'NONE' },
          createdAt: '2026-03-01T06:00:03Z',
        },
      ],
    })
  })

  test('250 comments are read to the last', async () => {
    const { server, pier } = await harbour()
    pier.open(1)
    for (const count of upTo(250)) pier.say(1, `wave ${count}`)
    const { source } = await restWay(server, REPO)
    expect((await source.issue(1))?.texts.slice(1).map(({ body }) => body)).toEqual(upTo(250).map((n) => `wave ${n}`))
  })

  test('a comment that is deleted between two pages hides no other', async () => {
    const { server, pier } = await harbour()
    pier.open(1)
    const ids = upTo(250).map((count) => pier.say(1, `wave ${count}`))
    server.before = (path) => {
      if (path.endsWith('comments?per_page=100&page=2') && pier.issue(1).comments.length === 250) {
        pier.rewrite(1, ids[5] ?? 0, undefined, true)
      }
      return undefined
    }
    const { source } = await restWay(server, REPO)
    const bodies = (await source.issue(1))?.texts.slice(1).map(({ body }) => body)
    expect(bodies).toEqual(
      upTo(250)
        .filter((n) => n !== 6)
        .map((n) => `wave ${n}`),
    )
  })

  test('the listing has issues and pull requests of every state, oldest change first, from a moment on', async () => {
    const { server, pier } = await harbour()
    for (const number of upTo(6)) pier.open(number, null, number % 2 === 0)
    pier.turn(2, 'closed').turn(1, 'closed')
    const { source } = await restWay(server, REPO)
    const heads = await listed(source)
    expect(numbers(heads)).toEqual([3, 4, 5, 6, 2, 1])
    expect(heads.at(-1)).toEqual({ number: 1, pull: false, state: 'closed', updatedAt: pier.issue(1).updatedAt })
    expect(numbers(await listed(source, pier.issue(6).updatedAt))).toEqual([6, 2, 1])
  })

  test('a renamed repository is still the same', async () => {
    const { server, pier } = await harbour()
    pier.open(5, 'berth 5').rename('harbour/quay')
    const { source } = await restWay(server, REPO)
    expect((await source.issue(5))?.texts[0]?.body).toBe('berth 5')
    expect(numbers(await listed(source))).toEqual([5])
  })

  test('a repository that may not be seen does not make its issues gone', async () => {
    const { server } = await harbour()
    const { source } = await restWay(server, 'harbour/secret')
    const error = await failure(source.issue(1))
    expect(error).toMatchObject({ name: 'UserError', code: 'source' })
    expect(error.hint).toContain('the token may see it')
    expect((await failure(listed(source))).code).toBe('source')
  })

  test('an issue that goes while its comments are read is gone', async () => {
    const { server, pier } = await harbour()
    pier.open(1).say(1, 'soon away')
    server.before = (path) => {
      if (path.includes('/comments')) pier.remove(1)
      return undefined
    }
    const { source } = await restWay(server, REPO)
    expect(await source.issue(1)).toBeNull()
  })

  test('a wrong shape is refused', async () => {
    const { server, pier } = await harbour()
    pier.open(1)
    // A count where a state belongs.
    Object.assign(pier.issue(1), { state: 1 })
    const { source } = await restWay(server, REPO)
    expect((await failure(source.issue(1))).message).toContain('`state` is neither open nor closed')
    expect((await failure(listed(source))).code).toBe('source')
  })

  test('a limit that lasts longer than our patience is an error at once', async () => {
    const { server, pier } = await harbour()
    pier.open(1)
    server.before = () => ({ status: 403, headers: { 'retry-after': '7' }, message: 'secondary rate limit' })
    const { source, waits } = await restWay(server, REPO, { patience: 5000 })
    const error = await failure(listed(source))
    expect(error).toMatchObject({ code: 'source', message: expect.stringContaining('it ends in 7 s') })
    expect(waits).toEqual([])
    expect(server.asked).toHaveLength(1)
  })
})

// Most of it is waiting, which they do together.
describe.concurrent('limits over octokit', () => {
  test('a secondary limit is waited for by octokit, bounded and told', async ({ onTestFinished: atTheEnd }) => {
    const { server, pier } = await harbour(atTheEnd)
    pier.open(1)
    let refusals = 1
    const message = 'You have exceeded a secondary rate limit'
    server.before = () => (refusals-- > 0 ? { status: 403, headers: { 'retry-after': '1' }, message } : undefined)
    const { source, waits, warnings } = await restWay(server, REPO)
    const started = performance.now()
    expect(numbers(await listed(source))).toEqual([1])
    expect(performance.now() - started).toBeGreaterThan(900)
    expect(warnings.at(-1)).toContain('waiting 1 s')
    expect(waits).toEqual([])
  })

  test('so is a primary limit, until it is reset', async ({ onTestFinished: atTheEnd }) => {
    const { server, pier } = await harbour(atTheEnd)
    pier.open(1)
    let refusals = 1
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000)) }
    server.before = () => (refusals-- > 0 ? { status: 403, headers, message: 'API rate limit exceeded' } : undefined)
    const { source, warnings } = await restWay(server, REPO)
    expect(numbers(await listed(source))).toEqual([1])
    expect(warnings.at(-1)).toMatch(/waiting \d+ s/)
  })

  test('who is told to wait again and again gives up', async ({ onTestFinished: atTheEnd }) => {
    const { server, pier } = await harbour(atTheEnd)
    pier.open(1)
    server.before = () => ({ status: 429, headers: { 'retry-after': '2' }, message: 'Slow down' })
    const { source, waits } = await restWay(server, REPO)
    expect((await failure(listed(source))).code).toBe('source')
    expect(waits).toEqual([2000, 2000, 2000])
  })

  test('a 502 in the middle of a listing is asked again', async ({ onTestFinished: atTheEnd }) => {
    const { server, pier } = await harbour(atTheEnd)
    for (const number of upTo(250)) pier.open(number)
    let stumbles = 1
    server.before = (path) => (path.includes('since') && stumbles-- > 0 ? { status: 502 } : undefined)
    const { source } = await restWay(server, REPO)
    expect(sorted(numbers(await listed(source)))).toEqual(upTo(250))
    expect(server.asked.some(({ status }) => status === 502)).toBe(true)
  })

  test('what stays broken is an error, and so is a server that hangs up', async ({ onTestFinished: atTheEnd }) => {
    const { server, pier } = await harbour(atTheEnd)
    pier.open(1)
    server.before = (path) => (path.includes('issues/1') ? 'hang up' : { status: 502, message: 'Bad gateway' })
    const { source } = await restWay(server, REPO)
    const [list, issue] = await Promise.all([failure(listed(source)), failure(source.issue(1))])
    expect(list).toMatchObject({ code: 'source', message: expect.stringContaining('Bad gateway') })
    expect(issue).toMatchObject({ name: 'UserError', code: 'source' })
    // Once, and twice more.
    expect(server.asked).toHaveLength(6)
  })

  test('a limit is found by its time where octokit leaves it alone', async ({ onTestFinished: atTheEnd }) => {
    const { server, pier } = await harbour(atTheEnd)
    pier.open(1)
    const date = new Date(NOW + 90_000).toUTCString()
    let refusals = 1
    server.before = () => (refusals-- > 0 ? { status: 429, headers: { 'retry-after': date } } : undefined)
    const { source, waits } = await restWay(server, REPO)
    await listed(source)
    expect(waits).toEqual([90_000])
  })
})

describe('long listings', () => {
  test('3,000 issues come once each, in order, thirty and a few requests for all', async () => {
    const { server, pier } = await harbour()
    for (const number of upTo(3000)) pier.open(number)
    const { source } = await restWay(server, REPO)
    expect(numbers(await listed(source))).toEqual(upTo(3000))
    expect(server.asked.length).toBeLessThan(34)
  })

  test.each([true, false])('nothing is lost within one second (since includes it: %s)', async (includes) => {
    const { server, pier } = await harbour()
    server.sinceIncludes = includes
    for (const number of upTo(90)) pier.open(number)
    pier.standing = true
    for (const number of upTo(420).slice(90)) pier.open(number)
    pier.standing = false
    for (const number of upTo(600).slice(420)) pier.open(number)
    const { source } = await restWay(server, REPO)
    const heads = await listed(source)
    expect(sorted(numbers(heads))).toEqual(upTo(600))
    const times = heads.map(({ updatedAt }) => updatedAt)
    expect(times).toEqual([...times].sort())
  })

  test.each(['in seconds of their own', 'within one second'])(
    'issues that change meanwhile hide no other, %s',
    async (how) => {
      const { server, pier } = await harbour()
      pier.standing = how === 'within one second'
      for (const number of upTo(700)) pier.open(number)
      let requests = 0
      server.before = () => {
        pier.standing = false
        requests += 1
        // A neighbour on an earlier page moves to the end.
        if (requests > 1 && requests < 7) pier.touch(requests * 3).touch(700 - requests)
        return undefined
      }
      const { source } = await restWay(server, REPO)
      const latest = new Map((await listed(source)).map((head) => [head.number, head.updatedAt]))
      expect(latest).toEqual(new Map([...pier.issues.values()].map((issue) => [issue.number, issue.updatedAt])))
    },
  )

  test('a failing page ends the listing with an error, after what came before', async () => {
    const { server, pier } = await harbour()
    for (const number of upTo(250)) pier.open(number)
    server.before = (path) => (path.includes('since') ? { status: 404, message: 'Not Found' } : undefined)
    const { source } = await restWay(server, REPO)
    const pages: number[] = []
    const reading = (async () => {
      for await (const page of source.list(null)) pages.push(page.length)
    })()
    expect((await failure(reading)).code).toBe('source')
    expect(pages).toEqual([100])
  })

  test('what was asked before and did not change is not sent again', async () => {
    const { server, pier } = await harbour()
    for (const number of upTo(3)) pier.open(number)
    const { source } = await restWay(server, REPO)
    const before = await listed(source)
    expect(await listed(source)).toEqual(before)
    expect(server.asked.map(({ status }) => status)).toEqual([200, 304])
    pier.touch(2)
    expect(numbers(await listed(source))).toEqual([1, 3, 2])
  })
})
