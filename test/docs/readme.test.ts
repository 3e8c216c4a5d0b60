// The README says what is true: its generated parts equal a run, every command and exit code is in it, its SQL
// answers, its relative links and named files exist.

import { cpSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/extract/config.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import { runCliSync } from '../support/run.ts'
import { tempFolder } from '../support/temp.ts'
import { commandLines, withGeneratedParts } from './readme.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const text = readFileSync(path.join(root, 'README.md'), 'utf8')

function part(name: string): string {
  return text.split(`<!-- begin:${name} -->`)[1]?.split(`<!-- end:${name} -->`)[0] ?? ''
}

describe('README', () => {
  it('has its generated parts as a run makes them (npm run docs writes them)', () => {
    expect(withGeneratedParts(text)).toBe(text)
  })

  it('has a help text for every command', () => {
    const lines = commandLines()
    expect(lines.length).toBeGreaterThan(12)
    for (const words of lines.slice(1)) expect(part('commands')).toContain(`\`specdex ${words.join(' ')}\``)
  })

  it('asks SQL that answers on the bakery', () => {
    const folder = path.join(tempFolder(), 'bakery')
    cpSync(path.join(root, 'fixtures/bakery'), folder, { recursive: true })
    const statements = [...part('sql').matchAll(/^specdex sql "(.*)"$/gm)].map((match) => match[1] ?? '')
    expect(statements).toHaveLength(5)
    for (const statement of statements) {
      const { code, stdout, stderr } = runCliSync(['sql', statement, '--json'], { cwd: folder })
      expect({ code, stderr }, statement).toEqual({ code: 0, stderr: '' })
      const answer = JSON.parse(stdout) as { rows: unknown[] }
      // "Which scripts does nobody run?" is the one question the bakery answers with nothing.
      if (!statement.includes("kind = 'script'")) expect(answer.rows.length, statement).toBeGreaterThan(0)
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
    const yaml = text.split('```yaml\n')[1]?.split('```')[0] ?? ''
    expect(parseConfig(yaml, 'README.md')).toEqual(DEFAULT_CONFIG)
  })
})
