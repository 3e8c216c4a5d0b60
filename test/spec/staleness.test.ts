// Which graph answers and what is said when it is stale: the index by default, a given document, and under compat the
// persisted JSON (seed 000 "Staleness detection", sheet spec-graph §8.2 and §0).

import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempTree, writeTree } from '../support/temp.ts'
import { bakery } from './bakery.ts'
import { spec } from './run-spec.ts'

const BANNER = 'stale-graph: spec corpus changed since graph was built — rebuilding for this query\n'
const BEFORE = '["cmd:bake:knead","cmd:bake:shape","cmd:deliver"]\n'
const AFTER = '["cmd:bake:knead","cmd:bake:shape","cmd:deliver","cmd:taste"]\n'

function addTaster(root: string): void {
  writeTree(root, { 'commands/taste.md': 'contains("FORGE:LOAF") before it is sold\n' })
}

/** A corpus that passes every self-check, for compat. */
function passing(): string {
  return tempTree({
    'commands/work-on.md': 'gh issue comment 1 --body "<!-- FORGE:TRAJECTORY -->"\nSkill("review-pr")\n',
    'commands/review-pr.md': 'contains("FORGE:CONTRACT")\n',
  })
}

describe('the index', () => {
  test('absent: built without a word; stale: one line, repaired in place', async () => {
    const root = bakery()
    expect(await spec(['readers', 'LOAF'], { cwd: root })).toEqual({ code: 0, stdout: BEFORE, stderr: '' })
    addTaster(root)
    expect(await spec(['readers', 'LOAF'], { cwd: root })).toEqual({ code: 0, stdout: AFTER, stderr: BANNER })
    expect(await spec(['readers', 'LOAF'], { cwd: root })).toEqual({ code: 0, stdout: AFTER, stderr: '' })
    rmSync(path.join(root, 'commands/taste.md'))
    expect(await spec(['readers', 'LOAF'], { cwd: root })).toEqual({ code: 0, stdout: BEFORE, stderr: BANNER })
  })

  test('touching a file is not a change', async () => {
    const root = bakery()
    await spec(['readers', 'LOAF'], { cwd: root })
    const file = path.join(root, 'commands/bake.md')
    writeFileSync(file, readFileSync(file))
    expect((await spec(['readers', 'LOAF'], { cwd: root })).stderr).toBe('')
  })

  test('--strict-stale refuses and repairs nothing; --no-stale-check beats it and answers as it stands', async () => {
    const root = bakery()
    await spec(['readers', 'LOAF'], { cwd: root })
    addTaster(root)
    const refusal =
      'ERROR: stale-graph: the index (.specdex/index.db) is out of date — spec corpus changed since it was built ' +
      '(run: specdex index). --strict-stale set, refusing to auto-rebuild.\n'
    const strict = ['readers', 'LOAF', '--strict-stale']
    expect(await spec(strict, { cwd: root })).toEqual({ code: 1, stdout: '', stderr: refusal })
    expect(await spec([...strict, '--no-stale-check'], { cwd: root })).toEqual({ code: 0, stdout: BEFORE, stderr: '' })
    expect((await spec(strict, { cwd: root })).code).toBe(1)
    await spec(['readers', 'LOAF'], { cwd: root })
    expect(await spec(strict, { cwd: root })).toEqual({ code: 0, stdout: AFTER, stderr: '' })
  })

  test('--strict-stale also demands a fresh JSON at the default export path, if there is one', async () => {
    const root = bakery()
    await spec(['build', '--quiet'], { cwd: root })
    const strict = ['readers', 'LOAF', '--strict-stale']
    expect((await spec(strict, { cwd: root })).code).toBe(0)
    addTaster(root)
    await spec(['readers', 'LOAF'], { cwd: root })
    const { code, stderr } = await spec(strict, { cwd: root })
    expect(code).toBe(1)
    expect(stderr).toContain('persisted graph (.forgedock/graph/spec-graph.json) is out of date')
    expect(stderr).toContain('(run: specdex spec build)')
    writeFileSync(path.join(root, '.forgedock/graph/spec-graph.json'), '{oops')
    expect((await spec(strict, { cwd: root })).code).toBe(1)
    await spec(['build', '--quiet'], { cwd: root })
    expect((await spec(strict, { cwd: root })).code).toBe(0)
  })

  test('the persisted JSON never answers by default', async () => {
    const root = bakery()
    writeTree(root, { '.forgedock/graph/spec-graph.json': '{"graph":{"nodes":[],"edges":[]}}' })
    expect((await spec(['readers', 'LOAF'], { cwd: root })).stdout).toBe(BEFORE)
  })
})

describe('a given document', () => {
  const ALIEN = {
    graph: {
      nodes: [
        { id: 'cmd:alien', type: 'command', name: 'alien', path: 'commands/alien.md' },
        { id: 'ann:FORGE:LOAF', type: 'annotation', name: 'FORGE:LOAF' },
      ],
      edges: [{ from: 'cmd:alien', type: 'READS', to: 'ann:FORGE:LOAF' }],
    },
  }
  const modes = [['default'], ['forgedock-1.7']]

  test.each(modes)('%s: fresh it answers, however edited; stale the root answers, or nobody', async (mode) => {
    const root = passing()
    const document = JSON.parse((await spec(['build', '--stdout', '--quiet'], { cwd: root })).stdout) as typeof ALIEN
    document.graph.edges.push({ from: 'cmd:edited', type: 'READS', to: 'ann:FORGE:CONTRACT' })
    writeFileSync(path.join(root, 'g.json'), JSON.stringify(document))
    const ask = (...more: string[]) =>
      spec(['readers', 'CONTRACT', '--compat', mode, '--graph', 'g.json', ...more], { cwd: root })
    expect(await ask()).toEqual({ code: 0, stdout: '["cmd:edited","cmd:review-pr"]\n', stderr: '' })
    expect((await ask('--strict-stale')).code).toBe(0)
    appendFileSync(path.join(root, 'commands/review-pr.md'), 'changed')
    expect(await ask()).toEqual({ code: 0, stdout: '["cmd:review-pr"]\n', stderr: BANNER })
    const strict = await ask('--strict-stale')
    expect(strict).toMatchObject({ code: 1, stdout: '' })
    expect(strict.stderr).toContain('stale-graph: persisted graph (g.json) is out of date')
    expect((await ask('--strict-stale', '--no-stale-check')).stdout).toBe('["cmd:edited","cmd:review-pr"]\n')
  })

  test('it is judged against --root, and read from the working directory', async () => {
    const root = bakery()
    const elsewhere = tempTree({ 'alien.json': JSON.stringify(ALIEN) })
    const words = ['readers', 'LOAF', '--root', root, '--graph', 'alien.json']
    expect(await spec(words, { cwd: elsewhere })).toEqual({ code: 0, stdout: BEFORE, stderr: BANNER })
    const alone = await spec([...words, '--no-stale-check'], { cwd: elsewhere })
    expect(alone).toEqual({ code: 0, stdout: '["cmd:alien"]\n', stderr: '' })
    symlinkSync(path.join(elsewhere, 'alien.json'), path.join(elsewhere, 'link.json'))
    const linked = [...words.slice(0, -1), 'link.json', '--no-stale-check']
    expect((await spec(linked, { cwd: elsewhere })).stdout).toBe('["cmd:alien"]\n')
  })

  test('what is no file, and what is no graph', async () => {
    const root = bakery()
    mkdirSync(path.join(root, 'folder'))
    const ask = (file: string) => spec(['readers', 'LOAF', '--no-stale-check', '--graph', file], { cwd: root })
    for (const file of ['missing.json', 'folder', '']) {
      expect(await ask(file)).toEqual({ code: 1, stdout: '', stderr: `ERROR: graph file not found: ${file}\n` })
    }
    for (const text of [
      '',
      '{oops',
      'null',
      '[]',
      '{"graph":7}',
      '{"graph":{"nodes":[]}}',
      '{"graph":{"nodes":[],"edges":null}}',
    ]) {
      writeFileSync(path.join(root, 'g.json'), text)
      const stderr = 'ERROR: not a valid spec-graph document (missing .graph.nodes/.graph.edges): g.json\n'
      expect(await ask('g.json')).toEqual({ code: 1, stdout: '', stderr })
    }
  })
})

describe('compat', () => {
  const compat = (root: string, ...words: string[]) => spec(['--compat', 'forgedock-1.7', ...words], { cwd: root })

  test('nothing persisted: built, which needs a passing self-check', async () => {
    expect(await compat(passing(), 'readers', 'CONTRACT')).toEqual({
      code: 0,
      stdout: '["cmd:review-pr"]\n',
      stderr: '',
    })
    const { code, stdout, stderr } = await compat(bakery(), 'readers', 'LOAF')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^ERROR: failed to build spec graph via specdex spec build\n {2}.*work-on and review-pr\n$/)
  })

  test('persisted: its rules, and it is never touched', async () => {
    const root = passing()
    await compat(root, 'build', '--quiet')
    const graph = path.join(root, '.forgedock/graph/spec-graph.json')
    const text = readFileSync(graph, 'utf8')
    writeFileSync(path.join(root, 'commands/zz.md'), 're-read FORGE:CONTRACT')
    expect(await compat(root, 'readers', 'CONTRACT')).toEqual({
      code: 0,
      stdout: '["cmd:review-pr","cmd:zz"]\n',
      stderr: BANNER,
    })
    expect(await compat(root, 'readers', 'CONTRACT', '--no-stale-check')).toEqual({
      code: 0,
      stdout: '["cmd:review-pr"]\n',
      stderr: '',
    })
    const strict = await compat(root, 'readers', 'CONTRACT', '--strict-stale')
    expect(strict.stderr).toContain(`persisted graph (${graph}) is out of date`)
    expect(readFileSync(graph, 'utf8')).toBe(text)
    writeFileSync(graph, '{oops')
    expect(await compat(root, 'readers', 'CONTRACT')).toMatchObject({ code: 0, stderr: BANNER })
    expect((await compat(root, 'readers', 'CONTRACT', '--no-stale-check')).code).toBe(1)
  })

  test('the configuration can ask for it, and the flag overrules the configuration', async () => {
    const root = bakery()
    writeTree(root, { '.specdex/config.yml': 'compat: forgedock-1.7\n' })
    expect((await spec(['readers', 'LOAF'], { cwd: root })).code).toBe(1)
    expect((await spec(['readers', 'LOAF', '--compat', 'default'], { cwd: root })).stdout).toBe(BEFORE)
  })
})

test('an index of somebody else is refused with exit 2, in the words of these verbs', async () => {
  const root = bakery()
  const database = path.join(root, 'cellar.db')
  writeFileSync(database, 'SQLite format 3\0 of a stranger')
  const { code, stdout, stderr } = await spec(['readers', 'LOAF', '--db', 'cellar.db'], { cwd: root })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^ERROR: .*cellar\.db is not a Specdex index\n {2}\S/)
})
