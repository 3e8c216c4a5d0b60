// `specdex ledger` and `specdex recall` where somebody asks for what is not there, names nothing, or has files of his own
// in the way; and the JSON answers against their schemas.

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { startGitHub } from '../ledger/github-server.ts'
import { decision } from '../ledger/pier.ts'
import { initRepository } from '../support/git.ts'
import { type HereResult, runHere } from '../support/run-here.ts'
import { tempFolder, writeTree } from '../support/temp.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures')
const REPO = 'corner-bakery/bakery'
const ISSUES = ['--from', path.join(FIXTURES, 'ledger'), '--repo', REPO]
let folder = ''

beforeEach(() => {
  folder = path.join(tempFolder('edges'), 'bakery')
  for (const part of ['bakery', 'bakery-decisions']) cpSync(path.join(FIXTURES, part), folder, { recursive: true })
})

function run(...words: string[]): Promise<HereResult> {
  return runHere(words, { cwd: folder })
}

async function learn(): Promise<void> {
  expect(await run('ledger', 'update', ...ISSUES)).toMatchObject({ code: 0, stderr: '' })
}

describe('an issue that is nowhere', () => {
  const SAYS = `${REPO}: there is no issue #99, and the ledger holds nothing of it\n`

  it('is said to be not there, and none was fetched', async () => {
    const unknown = await run('ledger', 'update', ...ISSUES, '--issue', '99')
    expect({ ...unknown, stdout: unknown.stdout.split('\n')[0] }).toEqual({
      code: 0,
      stdout: SAYS.trimEnd(),
      stderr: '',
    })
    const { stdout } = await run('ledger', 'update', ...ISSUES, '--issue', '99', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ fetched: 0, changed: 0, removed: 0, issues: 0 })
  })

  it('is one that was fetched where the ledger held it until now', async () => {
    await learn()
    const from = path.join(tempFolder('fewer'), 'issues.json')
    const rows = JSON.parse(readFileSync(path.join(FIXTURES, 'ledger/issues.json'), 'utf8')) as { number: number }[]
    writeFileSync(from, JSON.stringify(rows.filter(({ number }) => number !== 7)))
    const flags = ['--from', from, '--repo', REPO, '--issue', '7', '--json']
    expect(JSON.parse((await run('ledger', 'update', ...flags)).stdout)).toMatchObject({ fetched: 1, removed: 1 })
    expect(JSON.parse((await run('ledger', 'update', ...flags)).stdout)).toMatchObject({ fetched: 0, removed: 0 })
  })
})

describe("a path or id that is ''", () => {
  it.each([
    [['ledger', 'export', ''], '<dir> must not be empty'],
    [['ledger', 'import', ''], '<dir> must not be empty'],
    [['snapshot', ''], '<file> must not be empty'],
    [['graph', 'impact', ''], '<id> must not be empty'],
    [['recall', '--for', ''], '--for needs a value'],
    [['ledger', 'update', '--from', '', '--repo', REPO], '--from needs a value'],
    [['ledger', 'update', '--root', ''], '--root needs a value'],
    [['recall', 'crust', '--db', ''], '--db needs a value'],
    [['recall', '--file', ''], '--file needs a value'],
    [['recall', '--file', 'shop/oven.ts', '--file', ''], '--file needs a value'],
    [['recall', '--symbol', ''], '--symbol needs a value'],
    [['graph', 'orphans', '--scope', ''], '--scope needs a value'],
    [['graph', 'cycles', '--scope', ''], '--scope needs a value'],
    [['graph', 'validate', '--adr-dir', ''], '--adr-dir needs a value'],
    [['graph', 'validate', '--spec-dir', ''], '--spec-dir needs a value'],
    [['index', '--root', ''], '--root needs a value'],
  ])('%j is bad usage, and nothing is written', async (words, message) => {
    await learn()
    const before = readdirSync(folder)
    expect(await run(...words)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` })
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('ledger export', () => {
  it("leaves a user's own neighbours alone, and none of its own behind", async () => {
    await learn()
    const own = { 'out/manifest.json.new': 'mine', 'out/.manifest.json.tmp': 'mine, too' }
    writeTree(folder, own)
    expect(await run('ledger', 'export', 'out', '--repo', REPO)).toMatchObject({ code: 0 })
    for (const [file, text] of Object.entries(own)) expect(readFileSync(path.join(folder, file), 'utf8')).toBe(text)
    expect(readdirSync(path.join(folder, 'out')).sort()).toEqual([
      '.manifest.json.tmp',
      'knowledge.jsonl',
      'manifest.json',
      'manifest.json.new',
      'postings.json',
      'renames.jsonl',
    ])
  })
})

describe('recall --repo', () => {
  const OTHER = 'harbour/pier'

  /** A second repository, whose only lesson is about the market as well, and about the same file. */
  async function learnBoth(): Promise<void> {
    await learn()
    const at = '2026-10-01T06:00:00Z'
    const row = { number: 9, state: 'closed', user: null, created_at: at, updated_at: at }
    const body = decision('the market opens at low water, see `shop/oven.ts`')
    const from = path.join(tempFolder('other'), 'issues.json')
    writeFileSync(from, JSON.stringify([{ ...row, body }]))
    expect(await run('ledger', 'update', '--from', from, '--repo', OTHER)).toMatchObject({ code: 0 })
  }

  async function found(...words: string[]): Promise<[id: string, score: number][]> {
    const { stdout } = await run('recall', ...words, '--min-score', '0', '--include-stale', '--json')
    return (JSON.parse(stdout) as { id: string; score: number }[]).map(({ id, score }) => [id, score])
  }

  it('finds the lessons of one repository alone, scored as if there were no other', async () => {
    await learn()
    const alone = await found('market')
    expect(alone.map(([id]) => id)).toEqual(['12/decision/0', '9/decision/0'])
    await learnBoth()
    expect(await found('market')).toHaveLength(3)
    expect(await found('market', '--repo', REPO)).toEqual(alone)
    expect((await found('market', '--repo', 'Harbour/PIER')).map(([id]) => id)).toEqual(['9/decision/0'])
    expect((await found('--file', 'shop/oven.ts', '--repo', OTHER)).map(([id]) => id)).toEqual(['9/decision/0'])
    expect((await found('--file', 'shop/oven.ts', '--repo', REPO)).map(([id]) => id)).toEqual(['7/investigation/0'])
  })

  it('also where an artifact is asked for', async () => {
    await learnBoth()
    const ids = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await run('recall', '--for', 'shop/oven.ts', '--json', '--k', '50', ...words)
      return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
    }
    const all = await ids()
    expect(all).toContain('7/investigation/0')
    expect(await ids('--repo', REPO)).toEqual(all.filter((id) => id !== '9/decision/0'))
    expect(await ids('--repo', OTHER)).toEqual(['9/decision/0'])
  })

  it('has nothing of one that the ledger does not hold, and says so', async () => {
    await learn()
    expect(await run('recall', 'market', '--repo', 'x/y', '--json')).toEqual({
      code: 0,
      stdout: '[]\n',
      stderr: 'hint: nothing of x/y is indexed yet: run `specdex ledger update --repo x/y`\n',
    })
    expect(await run('recall', 'market', '--repo', 'nonsense')).toMatchObject({
      code: 2,
      stderr: 'error: not a repository: nonsense\n',
    })
    expect(await run('recall', '--doctor', '--repo', REPO)).toMatchObject({
      code: 2,
      stderr: 'error: --repo goes with no --doctor\n',
    })
  })

  it('asks GitHub under --live where only other repositories are indexed', async () => {
    await learn()
    const server = await startGitHub()
    server.repository('harbour/pier').open(3).say(3, decision('the market opens at low water'))
    const config = `ledger: { api: '${server.url}' }\n`
    writeTree(folder, { '.specdex/config.yml': config })
    const { code, stdout } = await run('recall', 'market', '--live', '--repo', 'harbour/pier', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ id: '3/decision/0', status: 'live' }])
  })
})

describe('scores below the least', () => {
  it('are told with one hint, only where nothing else is there to tell', async () => {
    await learn()
    const hint = 'hint: 2 score below 99 (--min-score 0 shows them)\n'
    const words = ['recall', 'market', '--min-score', '99']
    expect(await run(...words)).toEqual({ code: 0, stdout: '', stderr: `No results.\n${hint}` })
    expect(await run(...words, '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: hint })
    expect((await run(...words, '--k', '0')).stderr).toBe('No results.\n')
    expect((await run('recall', 'market', '--min-score', '0')).stderr).toBe('')
    expect((await run('recall', 'zebra', '--min-score', '99')).stderr).toBe('No results.\n')
  })

  it('are shown by --min-score 0 however old the lesson is', async () => {
    const at = '1999-05-01T06:00:00Z'
    const row = { number: 1, state: 'closed', user: null, created_at: at, updated_at: at }
    writeTree(folder, { 'old.json': JSON.stringify([{ ...row, body: decision('paper only') }]) })
    expect(await run('ledger', 'update', '--from', 'old.json', '--repo', REPO)).toMatchObject({ code: 0 })
    const { stdout } = await run('recall', 'paper', '--min-score', '0', '--json', '--include-stale')
    expect(JSON.parse(stdout)).toMatchObject([{ id: '1/decision/0', score: 0 }])
  })
})

describe('JSON answers', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })

  function errors(name: string, { stdout }: HereResult): unknown {
    const file = path.join(FIXTURES, `schemas/${name}.schema.json`)
    const validate = ajv.getSchema(`urn:specdex:${name}:1`) ?? ajv.compile(JSON.parse(readFileSync(file, 'utf8')))
    validate(JSON.parse(stdout))
    return validate.errors ?? null
  }

  it('are as their schemas say, full and empty', async () => {
    initRepository(folder, {})
    expect(errors('recall', await run('recall', 'crust', '--json'))).toBeNull()
    const update = ['ledger', 'update', ...ISSUES, '--json']
    expect(errors('ledger-update', await run(...update))).toBeNull()
    expect(errors('ledger-update', await run(...update, '--issue', '99'))).toBeNull()
    const health = ['recall', '--doctor', '--json']
    expect(errors('recall-doctor', await run(...health))).toBeNull()
    const many = ['--min-score', '0', '--include-stale', '--k', '50', '--json']
    for (const words of [
      ['the'],
      ['oven', '--file', 'shop/oven.ts', '--symbol', 'programme'],
      ['--for', 'shop/oven.ts'],
    ]) {
      for (const more of [[], ['--explain']]) {
        const flags = words[0] === '--for' ? ['--json'] : many
        const answer = await run('recall', ...words, ...flags, ...more)
        expect(JSON.parse(answer.stdout), words.join(' ')).not.toEqual([])
        expect(errors('recall', answer), words.join(' ')).toBeNull()
      }
    }
    const empty = tempFolder('none')
    writeFileSync(path.join(empty, 'issues.json'), '[]')
    expect(
      errors('ledger-update', await run('ledger', 'update', '--from', empty, '--repo', 'a/b', '--json')),
    ).toBeNull()
    expect(errors('recall-doctor', await run(...health))).toBeNull()
    expect(existsSync(path.join(folder, '.specdex/index.db'))).toBe(true)
  })

  it('lose nothing unseen: a key too few, too many or of another type is an error', async () => {
    await learn()
    const { stdout } = await run('recall', '--file', 'shop/oven.ts', '--json', '--explain')
    const [lesson] = JSON.parse(stdout) as Record<string, unknown>[]
    const wrong = (change: object): unknown =>
      errors('recall', { code: 0, stderr: '', stdout: JSON.stringify([{ ...lesson, ...change }]) })
    expect(wrong({})).toBeNull()
    for (const change of [
      { anchor: null },
      { severity: undefined },
      { score: '5' },
      { status: 'open' },
      { explain: {} },
    ]) {
      expect(wrong(change), JSON.stringify(change)).not.toBeNull()
    }
  })
})
