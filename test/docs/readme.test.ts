// The README says what is true: its generated parts equal a run, every command and exit code is in it, its SQL
// answers, its relative links and named files exist.

import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/extract/config.ts'
import { SCORING } from '../../src/ledger/score.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import { FIELDS } from '../../src/model/ledger.ts'
import { EDGE_TYPES } from '../../src/model/vocabulary.ts'
import { effort } from '../support/effort.ts'
import { runEither } from '../support/run-either.ts'
import { tempFolder } from '../support/temp.ts'
import { block, CONVENTIONS, commandLines, withGeneratedParts } from './readme.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const text = readFileSync(path.join(root, 'README.md'), 'utf8')

function part(name: string): string {
  return text.split(`<!-- begin:${name} -->`)[1]?.split(`<!-- end:${name} -->`)[0] ?? ''
}

describe('README', () => {
  // All of them are some sixty processes one after the other: the short run makes one, and asks for help in here.
  it('has its generated parts as a run makes them (npm run docs writes them)', () => {
    expect(withGeneratedParts(text, effort(0, 1) === 1 ? undefined : ['convention-custom'])).toBe(text)
  })

  it('has a help text for every command', async () => {
    const lines = commandLines()
    expect(lines.length).toBeGreaterThan(22)
    for (const words of lines) {
      const { stdout } = await runEither([...words, '--help'], { cwd: root })
      const title = words.length === 0 ? '' : `#### \`specdex ${words.join(' ')}\`\n\n`
      expect(part('commands')).toContain(`${title}${block(stdout)}\n`)
    }
  })

  it('has a section with a transcript for every convention', () => {
    const names = readdirSync(path.join(root, 'fixtures/conventions'), { withFileTypes: true })
    const folders = names.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(Object.keys(CONVENTIONS).sort()).toEqual(folders.sort())
    for (const name of folders) {
      expect(text).toContain(`#### ${name}\n`)
      expect(part(`convention-${name}`)).toContain('$ specdex graph conventions\n')
    }
  })

  it('names every code of the artifact graph, every edge type and its inverse', () => {
    const section = text.split('\n## The artifact graph\n')[1]?.split('\n## ')[0] ?? ''
    const named = (code: string): void => expect(section.includes(`\`${code}\``), code).toBe(true)
    const sources = ['artifact', 'extract'].flatMap((room) => {
      const folder = path.join(root, 'src', room)
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    })
    const codes = sources.flatMap((source) => [
      ...source.matchAll(/(?:diagnostic\((?:'(?:error|warning)'|severity), |report\()'([a-z]+(?:-[a-z]+)+)'/g),
    ])
    expect(codes.length).toBeGreaterThan(12)
    for (const [, code = ''] of codes) named(code)
    // Those that extractors put down as facts may stand anywhere in the text.
    const facts = sources.flatMap((source) => [...source.matchAll(/\bcode: '([a-z]+(?:-[a-z]+)+)'/g)])
    expect(facts.length).toBeGreaterThan(2)
    for (const [, code = ''] of facts) expect(text.includes(`\`${code}\``), code).toBe(true)
    for (const { family, name, inverse } of EDGE_TYPES) {
      if (family !== 'artifact' && family !== 'code') continue
      named(name)
      named(inverse)
    }
  })

  it('asks SQL that answers on the bakery', async () => {
    const folder = path.join(tempFolder(), 'bakery')
    for (const half of ['bakery', 'bakery-decisions']) {
      cpSync(path.join(root, 'fixtures', half), folder, { recursive: true })
    }
    const statements = [...part('sql').matchAll(/^specdex sql "(.*)"$/gm)].map((match) => match[1] ?? '')
    expect(statements).toHaveLength(6)
    for (const statement of statements.slice(0, effort(2, 6))) {
      const { code, stdout, stderr } = await runEither(['sql', statement, '--json'], { cwd: folder })
      expect({ code, stderr }, statement).toEqual({ code: 0, stderr: '' })
      const answer = JSON.parse(stdout) as { rows: unknown[] }
      // "Which scripts does nobody run?" is the one question the bakery answers with nothing.
      if (!statement.includes("kind = 'script'")) expect(answer.rows.length, statement).toBeGreaterThan(0)
    }
  })

  it('asks SQL of the ledger that answers on the bakery', async () => {
    const folder = path.join(tempFolder(), 'bakery')
    cpSync(path.join(root, 'fixtures/bakery'), folder, { recursive: true })
    const from = ['--from', path.join(root, 'fixtures/ledger'), '--repo', 'corner-bakery/bakery']
    expect(await runEither(['ledger', 'update', ...from], { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
    expect((await runEither(['index'], { cwd: folder })).code).toBe(0)
    const statements = [...part('ledger-sql').matchAll(/^specdex sql "(.*)"$/gm)].map((match) => match[1] ?? '')
    expect(statements).toHaveLength(2)
    for (const statement of statements) {
      const { code, stdout } = await runEither(['sql', statement, '--json'], { cwd: folder })
      expect(code, statement).toBe(0)
      expect((JSON.parse(stdout) as { rows: unknown[] }).rows.length, statement).toBeGreaterThan(1)
    }
  })

  it('has the numbers of ranking in one table, as they are in force', () => {
    const table = text.split('\n| constant | value | means |\n')[1]?.split('\n\n')[0] ?? ''
    const rows = [...table.matchAll(/^\| (weight of )?`(\w+)` \| ([\d.]+) \|/gm)]
    const told = (weights: boolean) =>
      Object.fromEntries(
        rows.filter((row) => (row[1] !== undefined) === weights).map((row) => [row[2], Number(row[3])]),
      )
    expect(told(false)).toEqual(SCORING)
    expect(told(true)).toEqual(Object.fromEntries(FIELDS.map(({ name, weight }) => [name, weight])))
  })

  it('names every column of the ledger in its data model', () => {
    const sql = readFileSync(path.join(root, 'migrations/0002_ledger.sql'), 'utf8')
    const tables = [...sql.matchAll(/^CREATE TABLE `(\w+)` \(\n(.*?)\n\) STRICT/gms)]
    expect(tables).toHaveLength(9)
    const all = readdirSync(path.join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
    const later = all.map((name) => readFileSync(path.join(root, 'migrations', name), 'utf8')).join('\n')
    for (const [, name = '', body = ''] of tables) {
      const added = [...later.matchAll(new RegExp(`^ALTER TABLE \`${name}\` ADD (\`.*)$`, 'gm'))].map(
        ([, column]) => `\n\t${column}`,
      )
      const columns = [...`${body}${added.join('')}`.matchAll(/^\t`(\w+)` (integer|text)/gm)].map(
        ([, column, type]) => `${type === 'integer' ? 'int' : 'text'} ${column}`,
      )
      expect(text).toContain(`  ${name} { ${columns.join('  ')} }\n`)
    }
  })

  it('names only files that exist', () => {
    const named = [...text.matchAll(/`((?:src|test|fixtures|migrations|\.ci|\.github)\/[\w./*-]+)`/g)].map(
      (m) => m[1] ?? '',
    )
    expect(named.length).toBeGreaterThan(8)
    for (const name of named) expect(existsSync(path.join(root, name)), name).toBe(true)
  })

  it('shows the configuration that is in force without one', () => {
    const yaml = text.split('\n## Configuration\n')[1]?.split('```yaml\n')[1]?.split('```')[0] ?? ''
    expect(parseConfig(yaml, 'README.md')).toEqual(DEFAULT_CONFIG)
  })
})
