// `specdex recall` as a user types it, on the bakery and the lessons of its issues: every flag, JSON and human form with
// and without a terminal, exit codes. In this process; what a pipe gets is asked of the built program.

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCliSync } from '../support/run.ts'
import { type HereResult, runHere } from '../support/run-here.ts'
import { tempFolder } from '../support/temp.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures')
const KEYS = 'id kind issue score paths symbols pattern rootCause prevention decision verdict confidence severity'
  .split(' ')
  .concat('status', 'createdAt')
const HINT = 'hint: nothing is indexed yet: run `specdex ledger update`\n'
let folder = ''

beforeEach(() => {
  folder = path.join(tempFolder('recall'), 'bakery')
  for (const part of ['bakery', 'bakery-decisions']) cpSync(path.join(FIXTURES, part), folder, { recursive: true })
})

function run(...words: string[]): Promise<HereResult> {
  return runHere(['recall', ...words], { cwd: folder })
}

async function learn(): Promise<void> {
  const words = ['--from', path.join(FIXTURES, 'ledger'), '--repo', 'corner-bakery/bakery']
  expect(await runHere(['ledger', 'update', ...words], { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
}

/** Ids of the results. Scores fade with the days, so that every question for words says `--min-score 0`. */
async function ids(...words: string[]): Promise<string[]> {
  const { code, stdout } = await run(...words, '--json')
  expect(code).toBe(0)
  return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
}

const ANY = ['--min-score', '0'] as const

describe('specdex recall', () => {
  it('answers with nothing where there is no index: [] and exit 0, one hint, and makes none', async () => {
    expect(await run('crust', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: HINT })
    expect(await run('crust')).toEqual({ code: 0, stdout: '', stderr: `No results.\n${HINT}` })
    expect(await run('--file', 'shop/oven.ts', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: HINT })
    expect(existsSync(path.join(folder, '.specdex/index.db'))).toBe(false)
    expect((await runHere(['index'], { cwd: folder })).code).toBe(0)
    expect(await run('crust', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: HINT })
  })

  it('finds by text, and leaves out what strangers wrote', async () => {
    await learn()
    expect(await ids('burnt', 'crust', ...ANY)).toEqual(['7/investigation/0'])
    expect(await ids('burnt crust', ...ANY)).toEqual(['7/investigation/0'])
    // A later decision that names an earlier one stands above it.
    expect(await ids('market bread', ...ANY)).toEqual(['12/decision/0', '9/decision/0'])
    expect(await ids('till coins', ...ANY)).toEqual([])
    expect(await run('zebra')).toEqual({ code: 0, stdout: '', stderr: 'No results.\n' })
    expect(await run('zebra', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  })

  it('looks files and symbols up exactly, several at once, from any folder', async () => {
    await learn()
    const scale = ['3/investigation/0', '3/pattern/0']
    expect((await ids('--file', 'shop/scale.ts')).sort()).toEqual(scale)
    expect((await ids('--file', './shop/../shop/scale.ts')).sort()).toEqual(scale)
    expect((await ids('--file', path.join(folder, 'shop/scale.ts'))).sort()).toEqual(scale)
    expect(await ids('--file', 'scale.ts')).toEqual([])
    expect((await ids('--file', 'shop/scale.ts', '--file', 'shop/oven.ts')).sort()).toEqual([
      ...scale,
      '7/investigation/0',
    ])
    const inShop = await runHere(['recall', '--file', 'scale.ts', '--json'], { cwd: path.join(folder, 'shop') })
    expect((JSON.parse(inShop.stdout) as unknown[]).length).toBe(2)
    expect((await ids('--symbol', 'GRAMS')).sort()).toEqual(scale)
    expect((await ids('--symbol', 'grams', '--symbol', 'programme')).sort()).toEqual([...scale, '7/investigation/0'])
    expect((await ids('bread', '--file', 'shop/oven.ts', ...ANY))[0]).toBe('7/investigation/0')
  })

  it('keeps to --k, --kind and --min-score', async () => {
    await learn()
    expect(await ids('--file', 'shop/scale.ts', '--k', '1')).toHaveLength(1)
    expect(await ids('--file', 'shop/scale.ts', '--k', '0')).toEqual([])
    expect(await ids('--file', 'shop/scale.ts', '--kind', 'pattern')).toEqual(['3/pattern/0'])
    expect(await ids('market bread', ...ANY, '--kind', 'investigation')).toEqual([])
    expect(await ids('market bread', '--min-score', '1000')).toEqual([])
  })

  it('leaves stale lessons out, counts them, and shows them marked under --include-stale', async () => {
    await learn()
    const note = 'note: 1 stale left out (--include-stale shows them)\n'
    expect(await run('rye', ...ANY, '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: note })
    const { stdout, stderr } = await run('rye', ...ANY, '--include-stale')
    expect(stderr).toBe('')
    expect(stdout).toContain('── INVESTIGATION [STALE] from #18 (score: ')
    writeFileSync(path.join(folder, 'shop/mixer.ts'), 'export function knead(): void {}\n')
    expect(await ids('rye', ...ANY)).toEqual(['18/investigation/0'])
  })

  it('answers as JSON with exactly these keys, in this order; --explain adds one', async () => {
    await learn()
    const { stdout } = await run('--symbol', 'grams', '--json')
    const answer = JSON.parse(stdout) as Record<string, unknown>[]
    expect(stdout).toBe(`${JSON.stringify(answer, null, 2)}\n`)
    for (const hit of answer) expect(Object.keys(hit)).toEqual(KEYS)
    expect(answer.find(({ kind }) => kind === 'pattern')).toEqual({
      ...{ id: '3/pattern/0', kind: 'pattern', issue: 3, score: 3 },
      ...{ paths: ['shop/scale.ts', 'scripts/weigh.sh'], symbols: ['grams'] },
      pattern: 'a reading taken before the device has settled',
      rootCause: 'nothing said how long the scale needs',
      prevention: 'ask twice and compare',
      ...{ decision: null, verdict: 'CONFIRMED', confidence: 'HIGH', severity: 'MEDIUM' },
      ...{ status: 'fresh', createdAt: '2026-09-03' },
    })
    const explained = await run('settled', '--file', 'shop/scale.ts', ...ANY, '--explain', '--json')
    const [first] = JSON.parse(explained.stdout) as [Record<string, unknown>]
    expect(Object.keys(first)).toEqual([...KEYS, 'explain'])
    expect(first['explain']).toMatchObject({ boosts: [{ what: 'file', of: 'shop/scale.ts', boost: 5 }] })
    expect((await run('settled', ...ANY, '--explain')).stdout).toMatch(/^Score: +text .* × decay /m)
  })

  it('prints blocks for people, plain in a pipe and coloured on a terminal', async () => {
    await learn()
    const words = ['--file', 'shop/oven.ts', '--kind', 'investigation']
    const plain = await run(...words)
    expect(plain).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'Specdex recall — 1 result(s)',
        '',
        '── INVESTIGATION from #7 (score: 5.00) ──',
        "Root Cause: The deck oven keeps the heat of Saturday's last batch, so Monday's crust is burnt after forty minutes.",
        'Fix:        Start the programme from the measured degrees, not from the clock.',
        'Verdict:    CONFIRMED (MEDIUM)',
        'Files:      shop/oven.ts, commands/bake/oven.md',
        'Symbols:    programme',
        'Severity:   HIGH',
        'Date:       2026-09-15',
        'Cite:       https://github.com/corner-bakery/bakery/issues/7',
        '',
        '',
      ].join('\n'),
    })
    const shown = await runHere(['recall', ...words], { cwd: folder, tty: true })
    expect(shown, 'under NO_COLOR').toEqual(plain)
    const coloured = await runHere(['recall', ...words], { cwd: folder, tty: true, env: { NO_COLOR: undefined } })
    expect(coloured.stdout).toContain('\u001b[36mINVESTIGATION\u001b[0m')
    expect(coloured.stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain.stdout)
    expect(runCliSync(['recall', ...words], { cwd: folder })).toMatchObject(plain)
  })

  it('lets no lesson steer a terminal', async () => {
    const from = tempFolder('rude')
    const evil = readFileSync(path.join(FIXTURES, 'ledger/comments/7.json'), 'utf8').replace(
      'burnt',
      '\\u001b[31mburnt',
    )
    cpSync(path.join(FIXTURES, 'ledger'), from, { recursive: true })
    writeFileSync(path.join(from, 'comments/7.json'), evil)
    await runHere(['ledger', 'update', '--from', from, '--repo', 'corner-bakery/bakery'], { cwd: folder })
    const words = ['recall', '--file', 'shop/oven.ts']
    const piped = await runHere(words, { cwd: folder })
    expect(piped.stdout).toContain('\\u001b[31mburnt')
    expect(piped.stdout).not.toContain('\u001b')
    for (const NO_COLOR of ['1', undefined]) {
      const shown = (await runHere(words, { cwd: folder, tty: true, env: { NO_COLOR } })).stdout
      expect(shown).toContain('\\u001b[31mburnt')
      expect(shown).not.toContain('\u001b[31m')
    }
  })

  it('finds the lessons of an artifact and of what depends on it with --for', async () => {
    await learn()
    expect((await ids('--for', 'ADR-0001')).sort()).toEqual(['3/investigation/0', '3/pattern/0', '7/investigation/0'])
    expect(await ids('--for', 'SPEC-0002', '--k', '1')).toEqual(['7/investigation/0'])
    const bare = await runHere(['recall', '--for', 'shop/till.ts'], { cwd: folder })
    expect(bare).toMatchObject({ code: 1, stdout: '' })
    expect(bare.stderr).toContain('note: shop/till.ts is a file here, but it is no artifact')
    expect(await ids('--for', 'shop/scale.ts', '--kind', 'pattern')).toEqual(['3/pattern/0'])
    expect(await ids('--for', 'ADR-0004')).toEqual([])
    const unknown = await run('--for', 'ADR-0099')
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('ADR-0099')
  })

  it('refuses usage that makes no sense: exit 2, nothing on stdout', async () => {
    await learn()
    const wrong: [words: string[], says: string][] = [
      [[], 'recall what?'],
      [[' '], 'recall what?'],
      [['--for', 'ADR-0001', 'bread'], '--for goes with no text'],
      [['--for', 'ADR-0001', '--file', 'shop/oven.ts'], '--for goes with no text, --file'],
      [['--for', 'ADR-0001', '--symbol', 'grams'], '--for goes with no text, --file or --symbol'],
      [['bread', '--kind', 'rumour'], 'unknown kind rumour'],
      [['bread', '--k', 'many'], '--k takes a number from 0 on, not many'],
      [['bread', '--k', '-1'], '--k takes a number from 0 on, not -1'],
      [['bread', '--k', '1.5'], '--k takes a whole number, not 1.5'],
      [['bread', '--doctor'], '--doctor goes with no text, --file, --symbol or --for'],
      [['bread', '--min-score', ''], '--min-score takes a number'],
      [['bread', '--file'], "option '--file <path>' argument missing"],
      [['bread', '--filter', 'x'], "unknown option '--filter'"],
    ]
    for (const [words, says] of wrong) {
      const { code, stdout, stderr } = await run(...words)
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr, words.join(' ')).toContain(says)
    }
  })

  it('takes any text for words, never for syntax', async () => {
    await learn()
    for (const text of ['"', "'); DROP TABLE card; --", 'a AND (b', '*', '%_', '__proto__', '面包', '\u0000'])
      expect((await run(text, '--json')).code, text).toBe(0)
    expect(await ids('burnt" OR crust*', ...ANY)).toEqual(['7/investigation/0'])
  })
})

describe('specdex recall --doctor', () => {
  it('counts, and is healthy after a whole update: exit 0', async () => {
    await learn()
    const { code, stdout, stderr } = await run('--doctor')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Total cards: {4}6$/m)
    expect(stdout).toMatch(/^Stale: +1 \(17%\)$/m)
    expect(stdout).toContain('corner-bakery/bakery (6 issues, 6 cards, 1 ignored annotations)')
    expect(stdout).toMatch(/^Watermark: +2026-10-19T11:00:00Z \(\d+ days old\)$/m)
    expect(stdout).toMatch(/^Health: +ok$/m)
    const json = JSON.parse((await run('--doctor', '--json')).stdout) as Record<string, unknown>
    expect(Object.keys(json)).toEqual(
      'schema_version healthy cards stale issues byKind dangling repos problems'.split(' '),
    )
    expect(json).toMatchObject({ healthy: true, cards: 6, byKind: { investigation: 3, pattern: 1, decision: 2 } })
  })

  it('is unhealthy where no listing was ever completed: exit 1; without an index it cannot say: exit 2', async () => {
    const nothing = runCliSync(['recall', '--doctor'], { cwd: folder })
    expect(nothing).toMatchObject({ code: 2, stdout: '' })
    expect(nothing.stderr).toMatch(/^error: there is no ledger at .*\nhint: run `specdex ledger update`\n$/)
    const issues = ['--from', path.join(FIXTURES, 'ledger'), '--repo', 'corner-bakery/bakery']
    expect((await runHere(['ledger', 'update', '--issue', '7', ...issues], { cwd: folder })).code).toBe(0)
    const { code, stdout } = await run('--doctor')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Total cards: {4}1$/m)
    expect(stdout).toContain('- no listing of corner-bakery/bakery was ever completed\n')
    expect(JSON.parse((await run('--doctor', '--json')).stdout)).toMatchObject({ healthy: false })
  })

  it('is unhealthy where nothing was ever learnt: exit 1', async () => {
    expect((await runHere(['index'], { cwd: folder })).code).toBe(0)
    const { code, stdout } = await run('--doctor')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Total cards: {4}0$/m)
  })
})

describe('fixtures/ledger', () => {
  it('holds what each kind of text looks like, and one that nobody may trust', () => {
    const read = (name: string): string => readFileSync(path.join(FIXTURES, 'ledger', name), 'utf8')
    for (const type of ['INVESTIGATOR', 'BUILDER']) expect(read('comments/3.json')).toContain(`FORGE:${type} -->`)
    expect(read('comments/12.json')).toContain('FORGE:TRAJECTORY -->')
    expect(read('reviews/12.json')).toContain('FORGE:REVIEWER -->')
    expect(read('comments/15.json')).toContain('"author_association": "NONE"')
  })
})
