// Everything that can be wrong with a source, in one tree: each is reported, none is fatal, and all the rest is
// indexed. And what can be wrong with the configuration, where the answer is one clear line.
// `npm run test:long` takes larger files and fuller folders.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import type { Server } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { childEnvironment } from '../support/environment.ts'
import { CLI } from '../support/run.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import {
  commands,
  DECODED,
  expectedFindings,
  expectedRows,
  type Pantry,
  readersOfFlour,
  stockPantry,
} from './child-pantry.ts'
import { AM_ROOT, NOBODY, type Note, namesInIndexFolder, type Ran, run, watcher } from './child-process.ts'

const MIB = 1024 * 1024
const MOST_MEMORY = 700 * MIB

interface Row {
  readonly what: string
  readonly path: string
  readonly value: string
}

/** Everything that is asked in SQL, in one question. */
const STATEMENT = `select 'finding' as what, file as path, code as value from finding
  union all select 'twin', path, state from file_view where path like 'docs/${DECODED}%'
  union all select 'crowd', 'docs/crowd', cast(count(*) as text) from file_view
             where path like 'docs/crowd/%' and state = 'ok'`

describe.each([
  { by: 'walk', huge: effort(20, 500) * MIB },
  { by: 'git', huge: effort(20, 500) * MIB },
])('a pantry full of bad input, by $by', ({ by, huge }) => {
  const size: Pantry = { huge, crowd: effort(300, 5000) }
  const findings = expectedFindings(by === 'git')
  let root = ''
  let servers: Server[] = []
  let built: Ran
  let notes: Note[] = []
  const ask = (words: readonly string[], env = {}): Promise<Ran> => run(words, { cwd: root, uid: NOBODY, env })
  beforeAll(async () => {
    root = path.join(tempFolder('pantry'), 'pantry')
    servers = await stockPantry(root, by === 'git', size)
    const watched = watcher()
    built = await ask(['index', '--json', '--verify'], watched.env)
    notes = watched.notes()
  })

  afterAll(() => {
    for (const server of servers) server.close()
  })

  test('`index` takes it all, equal to a fresh index, in bounded memory', () => {
    expect({ code: built.code, stderr: built.stderr }).toEqual({ code: 0, stderr: '' })
    const report = JSON.parse(built.stdout) as { added: string[]; skipped: { path: string; reason: string }[] }
    expect(report).toMatchObject({ condition: 'built', mode: by, verified: true, differences: [] })
    expect(report.added).toHaveLength(expectedRows(by === 'git', size))
    expect(report.skipped.map((skipped) => skipped.path)).toEqual(findings.skipped)
    for (const { reason } of report.skipped) expect(reason).toMatch(/^[a-z].{10,}/)
    expect(notes[0]?.rss).toBeLessThan(MOST_MEMORY)
    expect(existsSync(path.join(root, 'hacked')), 'front matter was run').toBe(false)
    expect(namesInIndexFolder(root)).toEqual(['.gitignore', 'index.db'])
  })

  test('each is a finding, and none more', async () => {
    const rows = await ask(['sql', '--json', STATEMENT])
    expect({ code: rows.code, stderr: rows.stderr }).toEqual({ code: 0, stderr: '' })
    const facts = (JSON.parse(rows.stdout) as { rows: Row[] }).rows
    const found = facts.filter(({ what }) => what === 'finding')
    expect(found.map(({ path: file, value }) => `${shown(file)} ${value}`).sort(byBytes)).toEqual(findings.all)
    // Two names that decode to the same text are two files.
    expect(new Set(facts.filter(({ what }) => what === 'twin').map(({ path: file }) => file)).size).toBe(2)
    expect(facts.filter(({ what }) => what === 'crowd')).toMatchObject([{ value: String(size.crowd) }])
  })

  test('everything else answers', async () => {
    const watched = watcher()
    const build = await ask(['spec', 'build', '--stdout', '--quiet'], watched.env)
    expect({ code: build.code, stderr: build.stderr }).toEqual({ code: 0, stderr: '' })
    const { graph } = JSON.parse(build.stdout) as { graph: { nodes: { id: string }[]; edges: { from: string }[] } }
    const ids = graph.nodes.map((node) => node.id).filter((id) => id.startsWith('cmd:'))
    expect(ids.sort(byBytes)).toEqual(commands())
    expect(watched.notes()[0]?.rss).toBeLessThan(MOST_MEMORY)
    const readers = await ask(['spec', 'readers', 'FLOUR'])
    expect({ code: readers.code, stderr: readers.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(readers.stdout)).toEqual(readersOfFlour())
    const valid = await ask(['spec', 'validate', '--json'])
    expect(valid).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(valid.stdout)).toBeTypeOf('object')
    expect(existsSync(path.join(root, 'hacked')), 'front matter was run').toBe(false)
  })

  test.runIf(by === 'walk')('a terminal is not steered by names', (context) => {
    writeTree(root, { 'docs/\u001b[31mnews\u009b.md': '# News\n' })
    const words = [
      'index',
      "sql 'select file, code from finding'",
      'spec search e --human',
      'spec readers FLOUR',
      'status',
    ]
    const lines = words.map((line) => `'${process.execPath}' '${CLI}' ${line} 2>/dev/null`).join('; ')
    const terminal = spawnSync('script', ['-qec', lines, '/dev/null'], {
      cwd: root,
      env: childEnvironment({ SHELL: '/bin/sh' }),
      ...(AM_ROOT && { uid: NOBODY, gid: NOBODY }),
    })
    if (terminal.error !== undefined || terminal.status !== 0) {
      console.warn(`skipped because \`script -qec\` does not work here: ${terminal.error?.message ?? terminal.stderr}`)
      context.skip()
    }
    const text = terminal.stdout.toString('utf8').replaceAll('\r\n', '\n')
    expect(text).toContain('\\u001b[31mnews')
    expect(text).toContain('cmd:say')
    expect(/[^\P{Cc}\n]|[\u202a-\u202e]/u.exec(text)?.[0]).toBeUndefined()
  })
})

/** A path without the raw bytes that tell two undecodable names apart. */
function shown(file: string): string {
  return file.replace(/\/\/[0-9a-f]+$/, '')
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

describe('a configuration that is none', () => {
  const CASES: readonly (readonly [string, string | null, RegExp, RegExp | null])[] = [
    ['an unknown key', 'limit: { busy_ms: 10 }\n', /unknown key `limit`/, /did you mean `limits`\?/],
    ['a wrong type', 'limits: { busy_ms: soon }\n', /limits\.busy_ms: expected a whole number .* found "soon"/, null],
    ['no YAML', 'roots: [docs\nfamilies: }\n', /\.specdex\/config\.yml: line \d+: /, /YAML/],
    ['a folder', null, /\.specdex\/config\.yml/, null],
  ]

  test.each(CASES)('%s', async (_what, text, message, hint) => {
    const root = tempTree({ 'commands/bake.md': '# Bake\n', ...(text !== null && { '.specdex/config.yml': text }) })
    if (text === null) mkdirSync(path.join(root, '.specdex/config.yml'), { recursive: true })
    const { code, stdout, stderr } = await run(['index'], { cwd: root })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const [first = '', ...more] = stderr.trimEnd().split('\n')
    expect(first).toMatch(/^error: /)
    expect(first).toMatch(message)
    expect(more.length).toBeLessThan(2)
    if (hint !== null) expect(more[0]).toMatch(hint)
    // Nothing was begun.
    expect(namesInIndexFolder(root)).toEqual(['config.yml'])
  })
})
