// `specdex ledger …` as a user types it, on the bakery and its six issues: every flag, what is printed, exit codes.
// In this process, but for the tests that are about processes; GitHub is files, or a small server on this machine.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { startGitHub } from '../ledger/github-server.ts'
import { git, initRepository } from '../support/git.ts'
import { runCli, runCliSync } from '../support/run.ts'
import { type HereResult, runHere } from '../support/run-here.ts'
import { tempFolder } from '../support/temp.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures')
const ISSUES = path.join(FIXTURES, 'ledger')
const REPO = 'corner-bakery/bakery'
const NAMES = ['knowledge.jsonl', 'manifest.json', 'postings.json', 'renames.jsonl']
const ALL = `${REPO}: 6 issues fetched (5 changed, 0 gone, N a second)
6 cards of 6 issues, up to 2026-10-19T11:00:00Z
1 annotation left out: written by somebody the trust filter does not name
`
let folder = ''

beforeEach(() => {
  folder = path.join(tempFolder('ledger'), 'bakery')
  for (const part of ['bakery', 'bakery-decisions']) cpSync(path.join(FIXTURES, part), folder, { recursive: true })
})

async function run(...words: string[]): Promise<HereResult> {
  const { stdout, ...rest } = await runHere(['ledger', ...words], { cwd: folder })
  return { ...rest, stdout: stdout.replace(/\d+ a second/, 'N a second') }
}

function update(...flags: string[]): Promise<HereResult> {
  return run('update', '--from', ISSUES, '--repo', REPO, ...flags)
}

function configure(yaml: string): void {
  mkdirSync(path.join(folder, '.specdex'), { recursive: true })
  writeFileSync(path.join(folder, '.specdex/config.yml'), yaml)
}

function filesOf(name: string): Record<string, string> {
  const where = path.join(folder, name)
  return Object.fromEntries(readdirSync(where).map((file) => [file, readFileSync(path.join(where, file), 'utf8')]))
}

describe('specdex ledger update', () => {
  it('takes in the issues, tells what it left out, and has nothing to do the next time', async () => {
    expect(await update()).toEqual({ code: 0, stdout: ALL, stderr: '' })
    const { stdout } = await update()
    expect(stdout).toBe(ALL.replace('6 issues fetched (5 changed', '0 issues fetched (0 changed'))
  })

  it('reports as JSON, with these keys in this order', async () => {
    const { code, stdout, stderr } = await update('--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(Object.entries(JSON.parse(stdout) as object)).toEqual([
      ['schema_version', '1'],
      ['repo', REPO],
      ['fetched', 6],
      ['changed', 5],
      ['removed', 0],
      ['held', false],
      ['issues', 6],
      ['cards', 6],
      ['ignored', 1],
      ['watermark', '2026-10-19T11:00:00Z'],
      ['renames', 0],
      ['pushed', null],
    ])
  })

  it('keeps one ledger however the repository is spelled: as it was first', async () => {
    await update()
    const again = await update('--repo', 'Corner-BAKERY/bakery', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ repo: REPO, fetched: 0, issues: 6 })
    configure('ledger:\n  repo: CORNER-bakery/Bakery\n')
    expect(await run('export', 'out')).toMatchObject({ code: 0 })
    expect(JSON.parse(filesOf('out')['manifest.json'] ?? '')).toMatchObject({ repo: REPO })
  })

  it('says nothing under --quiet', async () => {
    for (const flag of ['-q', '--quiet']) expect(await update(flag)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('takes one issue with --issue, and leaves the watermark where others are unseen', async () => {
    const { code, stdout } = await update('--issue', '7')
    expect(code).toBe(0)
    expect(stdout).toContain('1 issue fetched (1 changed, 0 gone, N a second)\n1 card of 1 issue, up to nowhere yet\n')
    expect(stdout).toContain('the watermark stayed: other issues have not been seen yet\n')
    expect((await update()).stdout).toContain('6 cards of 6 issues, up to 2026-10-19T11:00:00Z\n')
    const { watermark, held } = JSON.parse((await update('--issue', '7', '--json')).stdout) as Record<string, unknown>
    expect({ watermark, held }).toEqual({ watermark: '2026-10-19T11:00:00Z', held: false })
  })

  it('notices with --reconcile and --issue what is gone, and without them does not', async () => {
    await update()
    const fewer = path.join(tempFolder('fewer'), 'issues.ndjson')
    const issues = JSON.parse(readFileSync(path.join(ISSUES, 'issues.json'), 'utf8')) as { number: number }[]
    const without = (gone: number[]): void => {
      const left = issues.filter(({ number }) => !gone.includes(number))
      writeFileSync(fewer, left.map((issue) => `${JSON.stringify(issue)}\n`).join(''))
      cpSync(path.join(ISSUES, 'comments'), path.join(path.dirname(fewer), 'comments'), { recursive: true })
    }
    without([7, 9])
    const from = ['update', '--repo', REPO, '--from', fewer]
    expect((await run(...from)).stdout).toContain('0 gone')
    expect((await run(...from, '--issue', '7')).stdout).toContain('(0 changed, 1 gone')
    expect((await run(...from, '--reconcile')).stdout).toContain('1 gone')
    expect((await run(...from, '--reconcile')).stdout).toContain('4 cards of 4 issues')
  })

  it('refuses usage that makes no sense: exit 2, nothing on stdout, no index made', async () => {
    const wrong: [flags: string[], says: string][] = [
      [['--issue', 'abc'], '--issue takes the number of an issue, not abc'],
      [['--issue', '12abc'], 'not 12abc'],
      [['--issue', '0'], 'not 0'],
      [['--issue', '7', '--full-rebuild'], 'exclude each other'],
      [['--issue', '7', '--reconcile'], 'exclude each other'],
      [['--full-rebuild', '--reconcile'], 'exclude each other'],
      [['--trust', 'OWNER'], '--trust goes with --full-rebuild only'],
      [['--full-rebuild', '--trust', 'OWNR'], '"OWNR"'],
      [['--full-rebuild', '--trust', ''], 'expected one of OWNER'],
      [['--repo', 'bakery'], 'not a repository: bakery'],
      [['--repo', ''], '--repo needs a value'],
      [['--root', ''], '--root needs a value'],
      [['--isue', '7'], "unknown option '--isue'"],
    ]
    for (const [flags, says] of wrong) {
      const { code, stdout, stderr } = await update(...flags)
      expect({ code, stdout }, flags.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr, flags.join(' ')).toContain(says)
    }
    expect(existsSync(path.join(folder, '.specdex/index.db'))).toBe(false)
    const api = await run('update', '--repo', REPO, '--api', 'ftp://bakery.example')
    expect(api).toEqual({ code: 2, stdout: '', stderr: 'error: not an address: ftp://bakery.example\n' })
  })

  it('keeps rows and watermark where the files are bad: exit 2, or one line and exit 0 under --non-blocking', async () => {
    await update()
    await run('export', 'before')
    const bad = tempFolder('bad')
    const texts: Record<string, string> = {
      'torn.json': '[{"number": 7, "title": ',
      'list.json': '["seven"]',
      'short.ndjson': `${JSON.stringify({ number: 7, state: 'closed' })}\n`,
      'other.json': readFileSync(path.join(ISSUES, 'issues.json'), 'utf8').replaceAll(REPO, 'other/bakery'),
    }
    for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(bad, name), text)
    for (const name of [...Object.keys(texts), 'absent', '']) {
      const words = ['update', '--repo', REPO, '--from', path.join(bad, name), '--full-rebuild']
      const { code, stdout, stderr } = await run(...words)
      expect({ code, stdout }, name).toEqual({ code: 2, stdout: '' })
      expect(stderr, name).toMatch(/^error: \S+.*\n$/)
      const patient = await run(...words, '--non-blocking')
      const line = stderr.replace('error: ', 'warning: the ledger was not updated: ')
      expect(patient, name).toEqual({ code: 0, stdout: '', stderr: line })
    }
    await run('export', 'after')
    expect(filesOf('after')).toEqual(filesOf('before'))
  })

  it('judges every author anew under another --trust, and says how to where the filter changed', async () => {
    await update()
    const anybody = await update('--full-rebuild', '--trust', 'owner, Member,COLLABORATOR,NONE')
    expect(anybody.stdout).toContain('7 cards of 6 issues')
    expect(anybody.stdout).not.toContain('left out')
    const daily = await update()
    expect({ code: daily.code, stdout: daily.stdout }).toEqual({ code: 1, stdout: '' })
    expect(daily.stderr).toContain('another trust filter')
    const strict = await update('--full-rebuild', '--trust', 'OWNER')
    expect(strict.stdout).toMatch(/^1 card of 6 issues/m)
    expect(strict.stdout).toContain('6 annotations left out')
    configure('ledger:\n  trust: [OWNER]\n')
    expect((await update()).code).toBe(0)
    configure('ledger:\n  trust: [OWNER]\n  trusted_bots: [bakery-agent]\n')
    expect((await update('--full-rebuild')).stdout).toMatch(/^2 cards of 6 issues/m)
  })

  it('finds out which repository: --repo, the configuration, the remote, the only one in the ledger', async () => {
    const from = ['update', '--from', ISSUES, '--json']
    const nowhere = runCliSync(['ledger', ...from], { cwd: folder })
    expect(nowhere).toMatchObject({ code: 2, stdout: '' })
    expect(nowhere.stderr).toBe(
      'error: which repository? no remote `origin` tells\nhint: name it with --repo owner/name, or in ledger.repo\n',
    )
    expect((await update()).code).toBe(0)
    expect(await run(...from)).toMatchObject({ code: 0, stderr: '' })
    const other = path.join(tempFolder('other'), 'issues.json')
    writeFileSync(other, '[]')
    expect((await run('update', '--from', other, '--repo', 'corner-bakery/mill')).code).toBe(0)
    const several = await run(...from)
    expect(several.code).toBe(2)
    expect(several.stderr).toContain(`the ledger holds ${REPO}, corner-bakery/mill`)
    initRepository(folder)
    git(folder, ['remote', 'add', 'origin', `git@github.com:${REPO}.git`])
    expect(JSON.parse((await run(...from)).stdout)).toMatchObject({ repo: REPO })
    configure('ledger:\n  repo: corner-bakery/mill\n')
    expect(JSON.parse((await run('update', '--from', other, '--json')).stdout)).toMatchObject({
      repo: 'corner-bakery/mill',
    })
    expect(JSON.parse((await update('--json')).stdout)).toMatchObject({ repo: REPO })
  })

  it('asks the API that --api or the configuration names', async () => {
    const server = await startGitHub()
    const [{ body }] = JSON.parse(readFileSync(path.join(ISSUES, 'comments/7.json'), 'utf8')) as [{ body: string }]
    const bakery = server.repository(REPO).open(1).open(2)
    bakery.say(1, body)
    bakery.say(2, body, 'comments', { association: 'NONE' })
    const api = await run('update', '--repo', REPO, '--api', server.url)
    expect({ code: api.code, stdout: api.stdout.split(' (')[0] }).toEqual({
      code: 0,
      stdout: `${REPO}: 2 issues fetched`,
    })
    expect(api.stdout).toContain('1 annotation left out')
    const before = server.asked.length
    configure(`ledger:\n  api: ${server.url}\n`)
    expect((await run('update', '--repo', REPO, '--full-rebuild')).code).toBe(0)
    expect(server.asked.length).toBeGreaterThan(before)
  })

  it('keeps all of eight close steps at once', { timeout: 60_000 }, async () => {
    const from = path.join(tempFolder('eight'), 'issues.ndjson')
    const { body, ...rest } = (
      JSON.parse(readFileSync(path.join(ISSUES, 'comments/7.json'), 'utf8')) as [{ body: string }]
    )[0]
    const numbers = Array.from({ length: 8 }, (_, i) => i + 1)
    const [model] = JSON.parse(readFileSync(path.join(ISSUES, 'issues.json'), 'utf8')) as object[]
    const lines = numbers.map((number) => {
      const comments = [{ ...rest, id: 100 + number, body: body.replace('burnt', `burnt${number}`) }]
      return `${JSON.stringify({ ...model, number, comments })}\n`
    })
    writeFileSync(from, lines.join(''))
    const words = ['ledger', 'update', '--repo', REPO, '--from', from]
    const results = await Promise.all(
      numbers.map((number) => runCli([...words, '--issue', String(number)], { cwd: folder })),
    )
    for (const { code, stderr } of results) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const found = await runHere(['recall', 'crust', '--json', '--min-score', '0', '--k', '20'], { cwd: folder })
    const ids = (JSON.parse(found.stdout) as { id: string }[]).map(({ id }) => id)
    expect(ids.sort()).toEqual(numbers.map((number) => `${number}/investigation/0`))
  })
})

describe('specdex ledger export and import', () => {
  it('writes four files, once, and fills an empty index from them with the same content', async () => {
    await update()
    const { code, stdout, stderr } = await run('export', 'out/ledger', '--repo', REPO)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n').sort()).toEqual(NAMES.map((name) => `wrote ${name}`))
    expect(await run('export', 'out/ledger')).toEqual({ code: 0, stdout: 'nothing changed\n', stderr: '' })
    const there = path.join(tempFolder('there'), 'index.db')
    const imported = await run('import', 'out/ledger', '--db', there)
    expect(imported).toEqual({ code: 0, stdout: `${REPO}: 6 cards of 6 issues\n`, stderr: '' })
    await run('export', 'again', '--db', there)
    expect(filesOf('again')).toEqual(filesOf('out/ledger'))
    expect(Object.keys(filesOf('again')).sort()).toEqual(NAMES)
    const twice = await run('import', 'out/ledger', '--db', there)
    expect({ code: twice.code, stdout: twice.stdout }).toEqual({ code: 1, stdout: '' })
  })

  it('exports cards with the keys of their kind, in order, and without a status', async () => {
    await update()
    await run('export', 'out')
    const cards = filesOf('out')['knowledge.jsonl'] ?? ''
    const keysOf = (id: string): string => {
      const line = cards.split('\n').find((text) => text.includes(`"id":"${id}"`)) ?? '{}'
      return Object.keys(JSON.parse(line) as object).join(' ')
    }
    const head = 'schemaVersion id kind issue pr sourceCommentId'
    expect(keysOf('3/investigation/0')).toBe(
      `${head} verdict confidence severity taskType rootCause prevention paths symbols anchor outcome createdAt costUsd`,
    )
    expect(keysOf('3/pattern/0')).toBe(
      `${head} pattern rootCause prevention severity verdict confidence outcome paths symbols anchor createdAt`,
    )
    expect(keysOf('12/decision/0')).toBe(`${head} decision anomalies paths symbols anchor createdAt`)
    expect(cards).not.toContain('status')
    expect(cards).not.toContain('till')
  })

  it('says what is missing: no index, no ledger, no folder, a torn file', async () => {
    expect(await run('export', 'out', '--repo', REPO)).toMatchObject({ code: 2, stdout: '' })
    await update()
    expect((await run('export', 'out', '--repo', 'corner-bakery/mill')).stderr).toContain(
      'the index holds no ledger of corner-bakery/mill',
    )
    expect(await run('import', 'nowhere')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('export')).toMatchObject({ code: 2, stdout: '' })
    await run('export', 'out')
    const file = path.join(folder, 'out/knowledge.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20))
    rmSync(path.join(folder, '.specdex/index.db'))
    const torn = await run('import', 'out')
    expect({ code: torn.code, stdout: torn.stdout }).toEqual({ code: 1, stdout: '' })
    expect(torn.stderr).toContain('knowledge.jsonl')
  })
})

describe('specdex ledger push and pull', () => {
  it('mirrors through the remote, and on update where --mirror or the configuration says so', async () => {
    const remote = path.join(tempFolder('remote'), 'bakery.git')
    git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', remote])
    initRepository(folder, { 'till.txt': 'closed\n' })
    expect(await run('push', '--repo', REPO)).toMatchObject({ code: 2, stdout: '' })
    await update()
    expect(await run('push')).toMatchObject({ code: 2, stdout: '' })
    git(folder, ['remote', 'add', 'origin', remote])
    expect(await run('pull')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('push')).toEqual({ code: 0, stdout: 'pushed to origin: 6 cards of 6 issues\n', stderr: '' })
    expect(await run('push')).toEqual({ code: 0, stdout: 'origin has all of it: 6 cards of 6 issues\n', stderr: '' })
    expect(git(remote, ['ls-tree', '--name-only', 'forge-knowledge']).split('\n')).toEqual(NAMES)

    const there = path.join(tempFolder('there'), 'index.db')
    expect(await run('pull', '--repo', REPO, '--db', there)).toEqual({
      code: 0,
      stdout: 'from origin: 6 issues taken, 0 dropped; 6 cards of 6 issues\n',
      stderr: '',
    })
    expect(JSON.parse((await update('--json', '--mirror')).stdout)).toMatchObject({ pushed: false })
    configure('ledger:\n  mirror: true\n')
    expect(JSON.parse((await update('--json')).stdout)).toMatchObject({ pushed: false })
  })
})
