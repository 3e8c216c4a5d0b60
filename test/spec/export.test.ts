// The exported document: golden files of the bakery in both modes, and the rules that decide who wins.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { shared } from '../support/shared.ts'
import { tempTree } from '../support/temp.ts'
import { bakery, golden } from './bakery.ts'
import { spec } from './run-spec.ts'

interface Document {
  readonly graph: {
    readonly nodes: readonly { id: string; name: string; path?: string; type: string }[]
    readonly edges: readonly { from: string; to: string; type: string; evidence: Record<string, unknown> }[]
    readonly stats: { nodes: number; edges: number }
  }
}

async function build(root: string, ...more: string[]): Promise<Document['graph']> {
  const { stdout } = await spec(['build', '--stdout', '--quiet', ...more], { cwd: root })
  return (JSON.parse(stdout) as Document).graph
}

describe('golden documents of the bakery', () => {
  test('the default mode', async () => {
    const { code, stdout, stderr } = await spec(['build', '--stdout'], { cwd: bakery() })
    expect(stdout).toBe(golden('default'))
    expect(stderr).toMatch(/^spec-graph: 21 nodes, 21 edges in \d+ms\n/)
    expect(stderr).toContain('  SKIP  work-on WRITES FORGE:TRAJECTORY\n')
    expect(code).toBe(0)
  })

  test('compat: the same facts, the public rules, and the self-check that a bakery cannot pass', async () => {
    const { code, stdout, stderr } = await spec(['build', '--stdout', '--compat', 'forgedock-1.7'], { cwd: bakery() })
    expect(stdout).toBe(golden('compat-forgedock-1.7'))
    expect(stderr).toContain('  FAIL  work-on WRITES FORGE:TRAJECTORY\n')
    expect(stderr).toMatch(/SELF-CHECK FAILED — acceptance spot-checks did not hold\n$/)
    expect(code).toBe(1)
  })

  test.each(['default', 'forgedock-1.7'])(
    '%s: a bare scaffolding comment makes a node and no WRITES edge',
    async (mode) => {
      const { nodes, edges } = await build(bakery(), '--compat', mode)
      expect(nodes.filter((node) => node.id === 'ann:FORGE:OVEN_NOTE')).toHaveLength(1)
      expect(edges.filter((edge) => edge.to === 'ann:FORGE:OVEN_NOTE')).toEqual([])
      // The posting window is the line with --body and the next one; the marker there is written.
      expect(edges).toContainEqual(expect.objectContaining({ type: 'WRITES', to: 'ann:FORGE:CRUST' }))
    },
  )
})

describe('who wins', () => {
  test('an id that two files claim: the slash file supplies the node, both supply edges', async () => {
    const root = tempTree({
      'commands/rye/bake.md': 'Skill("rye")',
      'commands/rye:bake.md': 'contains("FORGE:CRUMB")\nSkill("rye")',
      'commands/rye.md': '',
    })
    const { nodes, edges } = await build(root)
    expect(nodes.find((node) => node.id === 'cmd:rye:bake')).toMatchObject({
      path: 'commands/rye/bake.md',
      type: 'sub-phase',
    })
    expect(edges.filter((edge) => edge.from === 'cmd:rye:bake')).toEqual([
      {
        evidence: { file: 'commands/rye/bake.md', line: 1, via: 'skill' },
        from: 'cmd:rye:bake',
        to: 'cmd:rye',
        type: 'CONTAINS',
      },
      {
        evidence: { file: 'commands/rye:bake.md', line: 1 },
        from: 'cmd:rye:bake',
        to: 'ann:FORGE:CRUMB',
        type: 'READS',
      },
    ])
  })

  test('a call beats directory nesting, even one in a later file', async () => {
    const root = tempTree({ 'commands/rye.md': '', 'commands/rye/bake.md': '', 'commands/zz.md': 'Skill("rye/bake")' })
    const { edges } = await build(root)
    expect(edges.map(({ from, evidence }) => [from, evidence.via])).toEqual([
      ['cmd:rye', 'directory'],
      ['cmd:zz', 'skill'],
    ])
    writeFileSync(path.join(root, 'commands/rye.md'), '\nSkill("rye:bake")')
    expect((await build(root)).edges[0]?.evidence).toEqual({ file: 'commands/rye.md', line: 2, via: 'skill' })
  })

  test('nesting comes after all files, even where the child lies before the caller', async () => {
    const root = tempTree({ 'commands/a/b.md': '', 'commands/a/b/c.md': '', 'commands/a:b.md': 'Skill("a/b/c")' })
    expect((await build(root)).edges.map((edge) => edge.evidence)).toEqual([
      { file: 'commands/a:b.md', line: 1, via: 'skill' },
    ])
  })

  test('arrays stand in UTF-16 order, query results in code point order', async () => {
    // U+1F35E is a surrogate pair (D83C …), U+FF21 sorts behind it by unit and before it by code point.
    const root = tempTree({ 'commands/🍞.md': 'contains("FORGE:A")', 'commands/Ａ.md': 'contains("FORGE:A")' })
    const ids = (await build(root)).nodes.filter((node) => node.type === 'command').map((node) => node.id)
    expect(ids).toEqual(['cmd:🍞', 'cmd:Ａ'])
    expect((await spec(['readers', 'A'], { cwd: root })).stdout).toBe('["cmd:Ａ","cmd:🍞"]\n')
  })

  test('names of Object.prototype are names like any other', async () => {
    const root = tempTree({
      'commands/__proto__.md': 'Skill("constructor") toString.sh',
      'commands/constructor.md': '',
      'scripts/toString.sh': '',
    })
    const { nodes, edges, stats } = await build(root)
    expect(nodes.map((node) => node.id)).toEqual(['cmd:__proto__', 'cmd:constructor', 'script:toString.sh'])
    expect(edges.map((edge) => edge.to)).toEqual(['cmd:constructor', 'script:toString.sh'])
    expect(stats).toMatchObject({ nodes: 3, edges: 2 })
  })
})

describe('where it goes', () => {
  test('the default place: parents and an ignore file are made, the index stays out of it', async () => {
    const root = bakery()
    const { code, stdout, stderr } = await spec(['build'], { cwd: root })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('  written -> .forgedock/graph/spec-graph.json\n')
    const folder = path.join(root, '.forgedock/graph')
    expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'spec-graph.json'])
    expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe('spec-graph.json\n')
    expect(readFileSync(path.join(folder, 'spec-graph.json'), 'utf8')).toBe(golden('default'))
  })

  test('an ignore file that exists, or was removed on purpose, is left alone', async () => {
    const root = bakery()
    await spec(['build'], { cwd: root })
    const ignore = path.join(root, '.forgedock/graph/.gitignore')
    writeFileSync(ignore, '# ours\n')
    await spec(['build'], { cwd: root })
    expect(readFileSync(ignore, 'utf8')).toBe('# ours\n')
    rmSync(ignore)
    await spec(['build'], { cwd: root })
    expect(existsSync(ignore)).toBe(false)
  })

  test('--out is taken from the working directory, an existing file keeps its mode', async () => {
    const root = bakery()
    const out = path.join(root, 'commands/graph.json')
    writeFileSync(out, 'old')
    chmodSync(out, 0o600)
    const { stderr } = await spec(['build', '--root', '..', '--out=graph.json'], { cwd: path.join(root, 'commands') })
    expect(stderr).toContain('  written -> commands/graph.json\n')
    expect(readFileSync(out, 'utf8')).toBe(golden('default'))
    expect(statSync(out).mode & 0o777).toBe(0o600)
  })

  test('leftovers of a crashed run go, those of a living one stay', async () => {
    const root = bakery()
    await spec(['build'], { cwd: root })
    const folder = path.join(root, '.forgedock/graph')
    // No system gives out a process number above 2^22.
    writeFileSync(path.join(folder, '.spec-graph.json.99999999.tmp'), '{')
    writeFileSync(path.join(folder, `.spec-graph.json.${process.ppid}.tmp`), '{')
    await spec(['build'], { cwd: root })
    expect(readdirSync(folder)).not.toContain('.spec-graph.json.99999999.tmp')
    expect(readdirSync(folder)).toContain(`.spec-graph.json.${process.ppid}.tmp`)
  })

  test('a default place that leads out of the root is refused', async () => {
    const root = bakery()
    const outside = tempTree({})
    symlinkSync(outside, path.join(root, '.forgedock'))
    const { code, stderr } = await spec(['build'], { cwd: root })
    expect(code).toBe(1)
    expect(stderr).toContain('ERROR: .forgedock/graph/spec-graph.json leads out of the root; not written\n')
    expect(readdirSync(outside)).toEqual([])
  })

  test('a place that cannot be written is an error with exit 1', async () => {
    const root = bakery()
    mkdirSync(path.join(root, 'taken'))
    const { code, stderr } = await spec(['build', '--out', 'taken'], { cwd: root })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^ERROR: cannot write .*taken: /)
    expect((await spec(['build', '--out', '/dev/null', '--quiet'], { cwd: root })).code).toBe(0)
  })
})

describe('--hash', () => {
  const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

  test.each(['default', 'forgedock-1.7'])('%s: prints the fingerprint alone and beats --stdout', async (mode) => {
    const { code, stdout, stderr } = await spec(['build', '--stdout', '--hash', '--compat', mode], { cwd: bakery() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      `${(JSON.parse(golden('default')) as { graph: { builtFromHash: string } }).graph.builtFromHash}\n`,
    )
  })

  test('an empty corpus, and a root that is not there', async () => {
    const root = tempTree({ 'README.md': 'no corpus' })
    expect((await spec(['build', '--hash'], { cwd: root })).stdout).toBe(`${EMPTY}\n`)
    expect(
      (await spec(['build', '--hash', '--compat', 'forgedock-1.7', '--root', 'nowhere'], { cwd: root })).stdout,
    ).toBe(`${EMPTY}\n`)
  })
})

describe('the self-check', () => {
  test('by default it demands the edge only where the command exists', async () => {
    const root = tempTree({ 'commands/work-on.md': 'no trajectory' })
    const failing = await spec(['build', '--stdout', '--quiet'], { cwd: root })
    expect(failing.code).toBe(1)
    expect(failing.stderr).toBe('spec-graph: SELF-CHECK FAILED — acceptance spot-checks did not hold\n')
    expect(failing.stdout).toContain('"cmd:work-on"')
    writeFileSync(path.join(root, 'commands/work-on.md'), 'gh issue comment 1 --body "<!-- FORGE:TRAJECTORY -->"')
    expect((await spec(['build', '--stdout', '--quiet'], { cwd: root })).code).toBe(0)
  })
})

describe.skipIf(shared('corpora/forgedock') === null)('the real corpus', () => {
  test.each([
    ['default', 'spec-graph.default.json'],
    ['forgedock-1.7', 'spec-graph.compat-forgedock-1.7.json'],
  ])('%s, byte for byte', async (mode, expected) => {
    const root = shared('corpora/forgedock') ?? ''
    const database = path.join(tempTree({}), 'index.db')
    const { code, stdout } = await spec(['build', '--stdout', '--root', root, '--db', database, '--compat', mode], {
      cwd: '/',
    })
    expect(stdout).toBe(readFileSync(shared(`corpora/forgedock.expected/${expected}`) ?? '', 'utf8'))
    expect(code).toBe(0)
  })
})
