// `recall --live`: what GitHub's search finds becomes cards in memory, over octokit and over `gh`; and the command, with
// and without the flag. The search of the test's server refuses what GitHub refuses.

import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cardsOf } from '../../src/extract/ledger-cards.ts'
import { type LiveQuestion, recallLive } from '../../src/ledger/live.ts'
import { SCORING } from '../../src/ledger/score.ts'
import { type GitHubSource, githubSource, type Transport } from '../../src/ledger/source-github.ts'
import { trusts } from '../../src/ledger/trust.ts'
import { SILENT, type Talk } from '../../src/model/clock.ts'
import type { RecallView } from '../../src/model/ledger-views.ts'
import { effort } from '../support/effort.ts'
import { runHere } from '../support/run-here.ts'
import { tempTree } from '../support/temp.ts'
import { type GitHubServer, type Repository, startGitHub } from './github-server.ts'
import { CREW } from './harbour.ts'
import { investigation, trajectory } from './lessons.ts'
import { failure, ghWay, NOW, restWay } from './source-ways.ts'

const REPO = 'harbour/pier'
const QUESTION: LiveQuestion = {
  repo: REPO,
  text: null,
  files: [],
  symbols: [],
  k: 5,
  kind: null,
  minScore: 0,
}

async function harbour(): Promise<{ server: GitHubServer; pier: Repository }> {
  const server = await startGitHub()
  return { server, pier: server.repository(REPO) }
}

function ask(source: GitHubSource, question: Partial<LiveQuestion>, talk: Talk = SILENT): Promise<RecallView> {
  return recallLive(
    source,
    { ...QUESTION, ...question },
    {
      draft: (issue) => cardsOf(issue, { trusts: (author) => trusts(CREW, author), adrPaths: [] }),
      talk,
      now: () => NOW,
    },
  )
}

/** Over nothing but fetch: octokit lets two seconds pass between searches. */
function plainSource(server: GitHubServer, talk = SILENT): GitHubSource {
  const ask: Transport['ask'] = async (asked) => {
    const response = await fetch(`${server.url}/${asked}`)
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() }
  }
  const transport = { name: 'fetch', repeats: false, ask }
  return githubSource(transport, { repo: REPO, talk, now: () => NOW, wait: async () => {}, patience: 0 })
}

/** The same, with what it warns of. */
async function plainWay(server: GitHubServer): Promise<{ source: GitHubSource; warnings: string[] }> {
  const warnings: string[] = []
  return { source: plainSource(server, { warn: (message) => warnings.push(message), progress: () => {} }), warnings }
}

const ids = (view: RecallView): string[] => view.hits.map(({ id }) => id)
const searches = (server: GitHubServer): string[] =>
  server
    .takePaths(true)
    .filter((asked) => asked.startsWith('/search/'))
    .map((asked) => new URL(asked, server.url).searchParams.get('q') ?? '')

describe.each([
  ['octokit', restWay],
  ['gh', ghWay],
])('over %s', (_name, way) => {
  test('finds lessons of issues and pull requests, and leaves out what strangers wrote', async () => {
    const { server, pier } = await harbour()
    pier.open(1).open(2, null, true).open(3).open(4)
    pier.say(1, investigation('rusty'))
    pier.say(2, trajectory('Paint over every rusty bolt.'), 'reviews')
    pier.say(3, investigation('rusty'), 'comments', { login: 'gull', association: 'NONE' })
    pier.say(4, investigation('oiled'))
    const { source } = await way(server, REPO)
    const view = await ask(source, { text: 'rusty' })
    expect(ids(view).sort()).toEqual(['1/investigation/0', '1/pattern/0', '2/decision/0'])
    expect(new Set(view.hits.map(({ status }) => status))).toEqual(new Set(['live']))
    expect(view).toMatchObject({ stale: 0, cards: 0 })
    expect(searches(server)).toEqual([`rusty repo:${REPO} is:issue`, `rusty repo:${REPO} is:pull-request`])
    // Each question to `gh` is a process.
  }, 60_000)

  test('a refusal is an error and no empty answer', async () => {
    const { server } = await harbour()
    const { source } = await way(server, 'harbour/nowhere')
    const error = await failure(ask(source, { text: 'rusty', repo: 'harbour/nowhere' }))
    expect(error).toMatchObject({ code: 'source', message: expect.stringContaining('(422)') })
  })
})

test('words stay words: no qualifier, no operator, no more than GitHub takes', async () => {
  const { server, pier } = await harbour()
  pier.open(1)
  const source = plainSource(server)
  expect(ids(await ask(source, { text: 'repo:harbour/yard NOT is:open "tide" -crane' }))).toEqual([])
  const [first] = searches(server)
  expect(first).toBe(`repo harbour yard not is open tide crane repo:${REPO} is:issue`)
})

test('a long text is cut between words', async () => {
  const { server } = await harbour()
  const source = plainSource(server)
  const words = Array.from({ length: 60 }, (_, i) => `winch${i}`)
  await ask(source, { text: words.join(' ') })
  const asked = (searches(server)[0] ?? '').replace(` repo:${REPO} is:issue`, '')
  expect(asked.length).toBeLessThanOrEqual(256)
  expect(words.join(' ').startsWith(`${asked} `)).toBe(true)
})

test('a text without a word asks nothing', async () => {
  const { server } = await harbour()
  const source = plainSource(server)
  expect(ids(await ask(source, { text: '?! "" --' }))).toEqual([])
  expect(server.takePaths()).toEqual([])
})

test('a file is searched for by its name, and found by its whole path; a symbol whatever its case', async () => {
  const { server, pier } = await harbour()
  pier.open(1).open(2)
  pier.say(1, investigation('rusty', 'src/crane.ts'))
  pier.say(2, investigation('oiled', 'lib/crane.ts'))
  const source = plainSource(server)
  const view = await ask(source, { files: ['src/crane.ts'] })
  expect(view.hits.map(({ id, score }) => [id, score])).toEqual([
    ['1/investigation/0', SCORING.file],
    ['1/pattern/0', SCORING.file],
  ])
  expect(searches(server)[0]).toBe(`"crane.ts" repo:${REPO} is:issue`)
  const bySymbol = await ask(source, { symbols: ['LIFTLOAD'], kind: 'pattern' })
  expect(ids(bySymbol)).toEqual(['1/pattern/0', '2/pattern/0'])
})

test('more of the words and an earlier place count; k and the least score cut', async () => {
  const { server, pier } = await harbour()
  pier.open(1, 'rusty brake').open(2, 'rusty brake')
  pier.say(1, trajectory('Nothing but rusty chains.'))
  pier.say(2, trajectory('The brake was rusty.'))
  const source = plainSource(server)
  // Of the two the second was touched later and is found first.
  const view = await ask(source, { text: 'rusty brake' })
  expect(view.hits.map(({ id, score }) => [id, score])).toEqual([
    ['2/decision/0', 1],
    ['1/decision/0', 0.25],
  ])
  expect(ids(await ask(source, { text: 'rusty brake', k: 1 }))).toEqual(['2/decision/0'])
  expect(ids(await ask(source, { text: 'rusty brake', minScore: 0.5 }))).toEqual(['2/decision/0'])
})

test('at most ten issues are fetched; a search that ended early is told', async () => {
  const { server, pier } = await harbour()
  for (let number = 1; number <= 14; number++) {
    pier.open(number, null, number % 2 === 0)
    pier.say(number, trajectory('Keep the rusty anchor.'))
  }
  server.hurried = true
  const { source, warnings } = await (effort(1, 2) === 1 ? plainWay : restWay)(server, REPO)
  const view = await ask(source, { text: 'rusty', k: 99 })
  expect(new Set(view.hits.map(({ issue }) => issue)).size).toBe(10)
  // Both kinds take turns.
  expect(view.hits.filter(({ issue }) => issue % 2 === 0)).toHaveLength(5)
  expect(warnings.some((line) => line.includes('ended its search early'))).toBe(true)
})

describe('specdex recall --live', () => {
  async function shed(): Promise<{ server: GitHubServer; folder: string }> {
    const { server, pier } = await harbour()
    pier.open(1).say(1, investigation('rusty'))
    const config = `ledger:\n  repo: ${REPO}\n  api: ${server.url}\n`
    return { server, folder: tempTree({ '.specdex/config.yml': config, 'src/crane.ts': 'export {}\n' }) }
  }

  test('asks only when told to, and writes nothing', async () => {
    const { server, folder } = await shed()
    const without = await runHere(['recall', 'rusty', '--json'], { cwd: folder })
    expect(without).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(server.takePaths()).toEqual([])
    const before = readdirSync(path.join(folder, '.specdex'))
    const live = await runHere(['recall', 'rusty', '--live', '--json'], { cwd: folder })
    expect(live.code).toBe(0)
    expect(JSON.parse(live.stdout)).toMatchObject([
      { id: '1/investigation/0', status: 'live' },
      { id: '1/pattern/0', status: 'live' },
    ])
    expect(live.stderr).not.toContain('hint')
    expect(readdirSync(path.join(folder, '.specdex'))).toEqual(before)
    // Octokit lets two seconds pass between searches: more of them are for the long run.
    if (effort(0, 1) === 1) {
      const human = await runHere(['recall', '--file', 'src/crane.ts', '--live'], { cwd: folder })
      expect(human.stdout).toContain('[LIVE]')
    }
    expect(existsSync(path.join(folder, '.specdex/index.db'))).toBe(false)
  }, 30_000)

  test('what is indexed answers by itself', async () => {
    const { server, folder } = await shed()
    expect((await runHere(['ledger', 'update', '--quiet'], { cwd: folder })).code).toBe(0)
    server.takePaths()
    const { code, stdout } = await runHere(['recall', 'slips', '--live', '--json', '--min-score', '0'], { cwd: folder })
    expect(code).toBe(0)
    expect(stdout).not.toContain('"live"')
    expect(server.takePaths()).toEqual([])
  }, 30_000)

  test('no repository, nobody there, --for: one line, exit 2', async () => {
    const { server, folder } = await shed()
    const failed = async (words: string[], cwd = folder): Promise<string> => {
      const { code, stdout, stderr } = await runHere(['recall', '--live', ...words], { cwd })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      const errors = stderr.split('\n').filter((line) => line.startsWith('error: '))
      expect(errors).toHaveLength(1)
      return errors[0] ?? ''
    }
    expect(await failed(['--for', 'ADR-0001'])).toContain('--for')
    expect(await failed(['rusty'], tempTree({ 'src/crane.ts': '' }))).toContain('which repository?')
    // Above it is asked of the source itself.
    if (effort(0, 1) === 1) {
      expect(await failed(['rusty', '--repo', 'harbour/nowhere'])).toContain('GitHub refused harbour/nowhere (422)')
    }
    server.before = () => ({ status: 401, message: 'Bad credentials' })
    expect(await failed(['rusty'])).toContain('Bad credentials')
    onTestFinished(() => {
      server.before = () => undefined
    })
  }, 30_000)
})
