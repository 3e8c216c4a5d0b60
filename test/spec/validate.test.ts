// The validator: what it finds, where it looks in each mode, and what its exit code says.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findings, SCAFFOLD_MARKERS } from '../../src/spec/findings.ts'
import { tempTree, writeTree } from '../support/temp.ts'
import { bakery } from './bakery.ts'
import { spec } from './run-spec.ts'

const GAP = 'set by NO command (no --add-label transition) — state-machine gap.'
const GHOST =
  'commands/bake.md references Skill("ghost-oven") but no command/sub-phase node "ghost-oven" exists in the graph.'

const REPORT = `Spec graph self-consistency report
  graph: .specdex/index.db

  [HARD] broken-transition      Label workflow:raw is defined/referenced but ${GAP}
  [HARD] broken-transition      Label workflow:shelved is defined/referenced but ${GAP}
  [HARD] dangling-ref           ${GHOST}
  [HARD] dangling-ref           ${GHOST}
  [SOFT] orphan-annotation      FORGE:C has neither a WRITES nor a READS edge and is not an allowlisted scaffolding marker — triage or add to the allowlist.
  [SOFT] orphan-annotation      FORGE:OVEN_NOTE has neither a WRITES nor a READS edge and is not an allowlisted scaffolding marker — triage or add to the allowlist.
  [SOFT] orphan-annotation      FORGE:STARTER is READ but never WRITTEN by any spec.
  [INFO] scaffold-annotation    FORGE:DISPATCHER is an inline doc-scaffolding marker (no WRITES/READS edge — expected).
  [INFO] transition-asymmetry   Label workflow:raw is removed (--remove-label) but never added (--add-label) by any command.
  [INFO] transition-asymmetry   Label workflow:shelved is removed (--remove-label) but never added (--add-label) by any command.

Summary: 4 hard, 3 soft, 3 info
`

interface Json {
  readonly summary: { hard: number; soft: number; info: number }
  readonly findings: { severity: string; class: string; message: string }[]
}

describe('the bakery by default', () => {
  test('the report, one finding per occurrence, exit 1; --soft changes only the exit', async () => {
    const root = bakery()
    expect(await spec(['validate'], { cwd: root })).toEqual({ code: 1, stdout: REPORT, stderr: '' })
    expect(await spec(['validate', '--soft'], { cwd: root })).toEqual({ code: 0, stdout: REPORT, stderr: '' })
  })

  test('--quiet, --json, and both: stdout stays one document', async () => {
    const root = bakery()
    const line = 'spec-graph-validate: 4 hard, 3 soft, 3 info\n'
    expect((await spec(['validate', '--quiet'], { cwd: root })).stdout).toBe(line)
    const json = (await spec(['validate', '--json'], { cwd: root })).stdout
    expect((JSON.parse(json) as Json).summary).toEqual({ hard: 4, soft: 3, info: 3 })
    expect((await spec(['validate', '--json', '--quiet'], { cwd: root })).stdout).toBe(json)
  })

  test('it is always about today: an edit counts at once', async () => {
    const root = bakery()
    await spec(['validate'], { cwd: root })
    writeTree(root, { 'commands/ghost-oven.md': 'gh issue edit 1 --add-label "workflow:raw,workflow:shelved"' })
    expect(await spec(['validate', '--quiet'], { cwd: root })).toEqual({
      code: 0,
      stdout: 'spec-graph-validate: 0 hard, 3 soft, 1 info\n',
      stderr: '',
    })
  })

  test('the configuration extends the allow-list', async () => {
    const root = bakery()
    writeTree(root, { '.specdex/config.yml': 'spec:\n  scaffold_markers: [FORGE:OVEN_NOTE, FORGE:STARTER]\n' })
    const { findings: found } = JSON.parse((await spec(['validate', '--json'], { cwd: root })).stdout) as Json
    expect(
      found
        .filter((finding) => finding.class === 'scaffold-annotation')
        .map((finding) => finding.message.split(' ')[0]),
    ).toEqual(['FORGE:DISPATCHER', 'FORGE:OVEN_NOTE'])
    // A listed marker that is read is judged like any other.
    expect(found.some((finding) => finding.message.startsWith('FORGE:STARTER is READ'))).toBe(true)
  })

  test('an index elsewhere is named as it is, control characters only outside of a terminal', async () => {
    const root = tempTree({ 'commands/a\u001b.md': 'Skill("gone")' })
    const database = path.join(tempTree({}), 'index.db')
    const words = ['validate', '--db', database]
    expect((await spec(words, { cwd: root })).stdout).toContain(`  graph: ${database}\n`)
    expect((await spec(words, { cwd: root })).stdout).toContain('commands/a\u001b.md references')
    expect((await spec(words, { cwd: root, tty: true })).stdout).toContain('commands/a\\u001b.md references')
  })
})

describe('a given document', () => {
  test('is judged as it is, against the prose of --root, and never rebuilt', async () => {
    const root = tempTree({ 'commands/a.md': 'Skill("b") Skill("a")\n--remove-label "workflow:x"\n' })
    const given = {
      graph: {
        nodes: [
          { id: 'cmd:b', type: 'command', name: 'b' },
          { id: 'label:workflow:x', type: 'label', name: 'workflow:x' },
        ],
        edges: [],
      },
    }
    writeFileSync(path.join(root, 'g.json'), JSON.stringify(given))
    const { code, stdout } = await spec(['validate', '--root', root, '--graph', path.join(root, 'g.json'), '--json'], {
      cwd: '/',
    })
    expect(
      (JSON.parse(stdout) as Json).findings.map((finding) => [
        finding.class,
        finding.message.split(' ').slice(0, 3).join(' '),
      ]),
    ).toEqual([
      ['broken-transition', 'Label workflow:x is'],
      ['dangling-ref', 'commands/a.md references Skill("a")'],
      ['transition-asymmetry', 'Label workflow:x is'],
    ])
    expect(code).toBe(1)
    expect((await spec(['validate', '--graph', 'g.json', '--quiet'], { cwd: root })).stdout).toMatch(/2 hard/)
    expect((await spec(['validate', '--graph', 'g.json'], { cwd: root })).stdout).toContain('  graph: g.json\n')
  })

  test('that is none', async () => {
    const root = tempTree({ 'g.json': '{oops' })
    const invalid = 'ERROR: not a valid spec-graph document (missing .graph.nodes/.graph.edges): g.json\n'
    expect(await spec(['validate', '--soft', '--graph', 'g.json'], { cwd: root })).toEqual({
      code: 1,
      stdout: '',
      stderr: invalid,
    })
    const missing = 'ERROR: graph file not found: nope.json\n'
    expect(await spec(['validate', '--graph', 'nope.json'], { cwd: root })).toEqual({
      code: 1,
      stdout: '',
      stderr: missing,
    })
  })
})

describe('where the prose is looked for', () => {
  const FILES = {
    'commands/work-on.md': 'gh issue comment 1 --body "<!-- FORGE:TRAJECTORY -->"\nSkill("ghost:\u00a0x")',
    'commands/review-pr.md': 'contains("FORGE:CONTRACT")',
    'commands/notes.txt': 'Skill("from-text")',
    'commands/.hidden/h.md': 'Skill("from-hidden")',
    'commands/od:d.md': 'Skill("from-colon")',
    'commands/blank.md': 'Skill(\u00a0"from-nbsp")',
    'commands/nul.md': 'Skill("from-nul")\u0000',
    'commands/late-nul.md': `${'x'.repeat(99_000)}\nSkill("before-nul")\n${'y'.repeat(150_000)}\u0000\nSkill("after-nul")`,
    'commands/torn.md': Buffer.from(
      '\u00ffSkill("from-torn")\n--remove-label "workflow:a\u00ff" --remove-label "workflow:b"',
      'latin1',
    ),
  }
  const dangling = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await spec(['validate', '--json', ...words], { cwd: tempTree(FILES) })
    const { findings: found } = JSON.parse(stdout) as Json
    return found
      .filter((finding) => finding.severity !== 'SOFT' && finding.class !== 'broken-transition')
      .map((finding) => {
        const [, file, target] = /^(\S+) references Skill\("(.*?)"\)/.exec(finding.message) ?? []
        return file === undefined ? (finding.message.split(' ')[1] ?? '') : `${file} ${target}`
      })
  }

  test("by default: the builder's own files and blanks, whole paths", async () => {
    expect(await dangling()).toEqual([
      'commands/blank.md from-nbsp',
      'commands/late-nul.md after-nul',
      'commands/late-nul.md before-nul',
      'commands/nul.md from-nul',
      'commands/od:d.md from-colon',
      'commands/torn.md from-torn',
      'workflow:a',
      'workflow:b',
    ])
  })

  test('under compat: every file, C-library blanks, NUL silences, malformed bytes, paths cut at a colon', async () => {
    expect(await dangling('--compat', 'forgedock-1.7')).toEqual([
      'commands/.hidden/h.md from-hidden',
      'commands/late-nul.md before-nul',
      'commands/notes.txt from-text',
      'commands/od from-colon',
      'commands/torn.md from-torn',
      'workflow:b',
    ])
  })
})

describe('under compat', () => {
  test('the graph it had to build gets a name in the temporary folder; --json --quiet prints both', async () => {
    const root = tempTree({
      'commands/work-on.md': 'gh issue comment 1 --body "<!-- FORGE:TRAJECTORY -->"',
      'commands/review-pr.md': 'contains("FORGE:CONTRACT")',
    })
    const ask = (...words: string[]) => spec(['validate', '--compat', 'forgedock-1.7', ...words], { cwd: root })
    expect((await ask()).stdout).toMatch(/\n {2}graph: \S+\/spec-graph\.[A-Za-z0-9]+\.json\n/)
    expect((await ask('--json', '--quiet')).stdout).toMatch(/\n}\nspec-graph-validate: 0 hard, 2 soft, 0 info\n$/)
    await spec(['build', '--quiet'], { cwd: root })
    expect((await ask()).stdout).toContain(`  graph: ${root}/.forgedock/graph/spec-graph.json\n`)
  })

  test('no graph without a passing self-check', async () => {
    const run = await spec(['validate', '--compat', 'forgedock-1.7', '--soft'], { cwd: bakery() })
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 1, stdout: '' })
    expect(run.stderr).toMatch(/^ERROR: failed to auto-build spec graph via specdex spec build\n {2}.*review-pr\n$/)
  })
})

test('findings: stand-ins are exempt exactly, order is by severity, class and bytes', () => {
  const graph = {
    annotations: [],
    labels: [],
    commands: new Set(['bake']),
    written: new Set<string>(),
    read: new Set<string>(),
    added: new Set(['label:workflow:done']),
  }
  const targets = ['X', 'x', 'subcommand', 'X:subcommand', 'bake', '🍞', 'Ａ']
  const calls = targets.map((target) => ({ path: 'p', target }))
  const found = findings(
    graph,
    { calls, removed: ['workflow:done', 'workflow:a', 'workflow:a'] },
    new Set(SCAFFOLD_MARKERS),
  )
  expect(found.map((finding) => /"(.*?)"/.exec(finding.message)?.[1] ?? finding.class)).toEqual([
    'X:subcommand',
    'x',
    'Ａ',
    '🍞',
    'transition-asymmetry',
  ])
  expect(SCAFFOLD_MARKERS).toHaveLength(12)
})
