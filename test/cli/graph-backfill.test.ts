// `specdex graph backfill` as a user runs it: the handed case, our library, patches under real git, and workspaces. Its
// questions on a terminal are in graph-backfill-terminal.test.ts.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { REJECTIONS_LOCK } from '../../src/artifact/backfill-rejections.ts'
import { parseBackfillWords } from '../../src/cli/graph-backfill-args.ts'
import { withMutex } from '../../src/store/mutex.ts'
import { AM_ROOT, NOBODY, run } from '../indexing/child-process.ts'
import { git, initRepository } from '../support/git.ts'
import { runCli, runCliSync } from '../support/run.ts'
import { runEither } from '../support/run-either.ts'
import { shared } from '../support/shared.ts'
import { tempTree, writeTree } from '../support/temp.ts'
import { asked, backfill, copyOf, documents, LIBRARY, proposed } from './backfill-library.ts'

const CASE = shared('cases/artifact-graph/20-backfill')

describe.skipIf(CASE === null)('the handed case', () => {
  const project = path.join(CASE ?? '', 'project')
  const expected = (): {
    proposals: { id: string; edges: { field: string; target: string }[] }[]
    must_not_propose: string[][]
    [key: string]: unknown
  } => JSON.parse(readFileSync(path.join(CASE ?? '', 'expected/backfill.json'), 'utf8'))
  const NINE = 'docs/adrs/ADR-0009-group-work.md'

  test('proposes exactly what it should', async () => {
    const root = copyOf(project)
    const wanted = expected()
    const { proposals } = await asked(root)
    expect(
      proposals.map(({ id, edges }) => ({ id, edges: edges.map(({ field, target }) => ({ field, target })) })),
    ).toEqual(
      wanted.proposals.map(({ id, edges }) => ({ id, edges: edges.map(({ field, target }) => ({ field, target })) })),
    )
    for (const [id, , target] of wanted.must_not_propose) {
      const edges = proposals.find((each) => each.id === id)?.edges ?? []
      expect(edges.map((edge) => edge.target)).not.toContain(target)
    }
    expect(documents(root)).toEqual(documents(project))
  })

  test('accepting one file writes that file only, its body byte for byte', async () => {
    const root = copyOf(project)
    const before = documents(root)
    expect(await backfill(root, '--accept', 'ADR-0009')).toMatchObject({
      code: 0,
      stdout: `ADR-0009: wrote 5 edges to ${NINE}\n`,
    })
    const head = String(expected()['after_accept_all_ADR-0009_frontmatter'])
    const old = before[NINE] ?? ''
    const body = old.slice(old.indexOf('\n---\n') + 5)
    expect(documents(root)).toEqual({ ...before, [NINE]: head + body })
    expect((await proposed(root)).filter((line) => line.startsWith('ADR-0009'))).toEqual([])
  })

  test('editing writes the kept edge, and the others are offered again', async () => {
    const root = copyOf(project)
    const { edges, frontmatter } = expected()['after_edit_keep_only'] as { edges: string[][]; frontmatter: string }
    const words = edges.map(([field, target]) => `ADR-0009:${field}=${target}`)
    expect((await backfill(root, '--accept-edges', ...words)).code).toBe(0)
    expect(readFileSync(path.join(root, NINE), 'utf8').startsWith(frontmatter)).toBe(true)
    expect((await proposed(root)).filter((line) => line.startsWith('ADR-0009'))).toHaveLength(4)
  })

  test('rejecting is remembered until a reset', async () => {
    const root = copyOf(project)
    expect((await backfill(root, '--reject', 'ADR-0009')).code).toBe(0)
    expect(documents(root)).toEqual(documents(project))
    expect((await asked(root)).proposals.map(({ id }) => id)).toEqual(['ADR-0010', 'SPEC-0009'])
    expect(readFileSync(path.join(root, '.specdex/backfill-rejected.txt'), 'utf8').split('\n')).toHaveLength(6)
    expect((await asked(root, '--reset')).proposals.map(({ id }) => id)).toEqual(['ADR-0009', 'ADR-0010', 'SPEC-0009'])
    expect(existsSync(path.join(root, '.specdex/backfill-rejected.txt'))).toBe(false)
  })
})

const CORPUS = shared('corpora/sdd')

test.skipIf(CORPUS === null)(
  'a real project: accepting everything leaves a graph without errors, and nothing to propose',
  async () => {
    const root = copyOf(CORPUS ?? '')
    const { proposals } = await asked(root)
    expect(proposals.length).toBeGreaterThan(10)
    const before = documents(root)
    expect((await backfill(root, '--accept', ...proposals.map(({ id }) => id))).code).toBe(0)
    for (const [file, text] of Object.entries(documents(root))) {
      const old = before[file] ?? ''
      const body = old.startsWith('---') ? old.slice(old.indexOf('\n---', 3)) : old
      expect(text.endsWith(body), file).toBe(true)
    }
    expect((await runEither(['graph', 'validate'], { cwd: root })).code).toBe(0)
    expect((await asked(root)).proposals).toEqual([])
  },
)

describe('our library', () => {
  test('is shown with diffs, and nothing is written', async () => {
    const root = copyOf(LIBRARY)
    const { stdout, code } = await backfill(root)
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot('../../fixtures/backfill/library.expected/backfill.txt')
    await expect((await backfill(root, '--json')).stdout).toMatchFileSnapshot(
      '../../fixtures/backfill/library.expected/backfill.json',
    )
    expect(documents(root)).toEqual(documents(LIBRARY))
    expect((await backfill(root, '--json', '--no-cache')).stdout).toBe((await backfill(root, '--json')).stdout)
  })

  test('one patch of everything applies under git and gives what accepting gives', async () => {
    const patched = initRepository(copyOf(LIBRARY))
    git(patched, ['add', '--all'])
    git(patched, ['commit', '--quiet', '--message', 'Open the library'])
    const { code, stderr } = await backfill(patched, '--patch', 'all.patch')
    expect(code).toBe(0)
    expect(stderr).toContain('SPEC-0002: docs/openspec/specs/shelves/spec.md cannot be extended')
    expect((await backfill(patched, '--patch', '-')).stdout).toBe(readFileSync(path.join(patched, 'all.patch'), 'utf8'))
    git(patched, ['-c', 'core.autocrlf=false', 'apply', 'all.patch'])

    const accepted = copyOf(LIBRARY)
    const ids = (await asked(accepted)).proposals.map(({ id }) => id)
    expect((await backfill(accepted, '--accept', ...ids)).code).toBe(0)
    expect(documents(patched)).toEqual(documents(accepted))
    // CR LF stays, and nothing is proposed twice.
    expect(documents(accepted)['docs/adrs/ADR-0004-forget-loans.md']).toContain(
      'same file\r\nextends: [ADR-0003]\r\n---\r\n',
    )
    expect(await proposed(accepted)).toEqual([])
  })

  test('a file that one may not write is left alone, though its folder would allow to replace it', async () => {
    const root = copyOf(LIBRARY)
    const file = path.join(root, 'docs/adrs/ADR-0002-one-catalogue-file.md')
    chmodSync(root, 0o755)
    chmodSync(path.dirname(file), 0o777)
    chmodSync(file, 0o444)
    const words = ['graph', 'backfill', '--no-cache', '--accept', 'ADR-0002']
    const { code, stdout } = await run(words, { cwd: root, ...(AM_ROOT ? { uid: NOBODY } : {}) })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('was left alone: it cannot be written'),
    })
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(path.join(LIBRARY, path.relative(root, file)), 'utf8'))
  })

  test('a patch takes the place of no file, and then nothing is forgotten either', async () => {
    const root = copyOf(LIBRARY)
    await backfill(root, '--reject', 'ADR-0003')
    const file = 'docs/adrs/ADR-0001-card-index.md'
    writeTree(root, { [file]: 'mine\n' })
    for (const words of [
      ['--patch', file],
      ['--reset', '--patch', file],
    ]) {
      const { code, stderr } = await backfill(root, ...words)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${file} is there already`) })
    }
    expect(readFileSync(path.join(root, file), 'utf8')).toBe('mine\n')
    expect(existsSync(path.join(root, '.specdex/backfill-rejected.txt'))).toBe(true)
    // A link to nowhere is a name that is taken, too.
    symlinkSync('nowhere', path.join(root, 'a.patch'))
    expect((await backfill(root, '--patch', 'a.patch')).code).toBe(2)
    expect(existsSync(path.join(root, 'nowhere'))).toBe(false)
  })

  test('rejecting waits for another process that rejects, and keeps what that one wrote', async () => {
    const root = copyOf(LIBRARY)
    const file = path.join(root, '.specdex/backfill-rejected.txt')
    mkdirSync(path.dirname(file))
    const other = withMutex(path.join(root, REJECTIONS_LOCK), 1000, () => {
      const running = runCli(['graph', 'backfill', '--no-cache', '--reject', 'ADR-0003'], { cwd: root })
      // Time enough for a process that does not wait. Then what it wrote is overwritten.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
      writeFileSync(file, 'ADR-0002|governs|SPEC-0001\n')
      return running
    })
    expect((await other).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(
      'ADR-0002|governs|SPEC-0001\nADR-0003|extends|ADR-0002\nADR-0003|related|ADR-0004\n',
    )
    expect(readdirSync(path.dirname(file))).toEqual(['backfill-rejected.txt'])
  })

  test('several decisions at once: a refused file does not stop the others', async () => {
    const root = copyOf(LIBRARY)
    const result = await backfill(root, '--accept', 'ADR-0002', 'SPEC-0002', 'ADR-0001', '--reject', 'ADR-0003')
    expect(result.stdout).toBe(
      [
        'ADR-0002: wrote 3 edges to docs/adrs/ADR-0002-one-catalogue-file.md',
        'SPEC-0002: docs/openspec/specs/shelves/spec.md was left alone: `implements` is no list',
        'ADR-0001: nothing to propose',
        'ADR-0003: rejected 2 edges; not proposed again',
        '',
      ].join('\n'),
    )
    expect(result.code).toBe(1)
    expect((await backfill(root, '--accept', 'ADR-0001')).code).toBe(0)
    const lines = readFileSync(path.join(root, '.specdex/backfill-rejected.txt'), 'utf8')
    expect(lines).toBe('ADR-0003|extends|ADR-0002\nADR-0003|related|ADR-0004\n')
  })

  test('edges of one own choice, and those that cannot be', async () => {
    const root = copyOf(LIBRARY)
    const first = await asked(
      root,
      '--accept-edges',
      'ADR-0003:related=ADR-0002,ADR-0004',
      'ADR-0003:governs=SPEC-0003',
    )
    expect(first.outcomes).toMatchObject([{ id: 'ADR-0003', action: 'accepted' }])
    expect(documents(root)['docs/adrs/ADR-0003-loans-as-lines.md']).toMatch(
      /^---\ngoverns: \[SPEC-0003\]\nrelated: \[ADR-0002, ADR-0004\]\n---\n\n# /,
    )
    const second = await backfill(root, '--accept-edges', 'ADR-0004:extends=ADR-0077')
    expect(second).toMatchObject({ code: 1, stdout: expect.stringContaining('unknown artifact ADR-0077') })
  })

  test('ids limit what is proposed, and unknown ones are told with their neighbours', async () => {
    const root = copyOf(LIBRARY)
    expect((await asked(root, 'ADR-0004')).proposals.map(({ id }) => id)).toEqual(['ADR-0004'])
    const unknown = await backfill(root, '--accept', 'ADR-0044')
    expect(unknown.code).toBe(1)
    expect(unknown.stdout).toMatch(/^error: unknown artifact ADR-0044\. Closest matches: ADR-0004/)
    expect(JSON.parse((await backfill(root, '--json', 'ADR-0044')).stdout)).toMatchObject({
      error: { code: 'unknown-artifact' },
    })
  })

  const usage: readonly (readonly [string, string[]])[] = [
    ['an unknown flag', ['--apply', 'ADR-0001']],
    ['a flag without a value', ['--accept']],
    ['a flag in place of a value', ['--reject', '--json']],
    ['an edge of no shape', ['--accept-edges', 'ADR-0001']],
    ['an edge without a target', ['--accept-edges', 'ADR-0001:extends=,']],
    ['two decisions about one file', ['--accept', 'ADR-0002', '--reject', 'ADR-0002']],
    ['a patch and a decision', ['--accept', 'ADR-0002', '--patch', '-']],
    ['an empty value', ['--db=']],
    ['a short flag', ['-x']],
  ]
  test.each(usage)('usage: %s', (_, words) => {
    expect(() => parseBackfillWords(words)).toThrow(expect.objectContaining({ code: 'usage', exit: 2 }))
  })

  test('wrong usage writes nothing and is told on stderr', async () => {
    const root = copyOf(LIBRARY)
    const result = await backfill(root, '--accept', 'ADR-0002', '--apply')
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('unknown flag: --apply') })
    expect(documents(root)).toEqual(documents(LIBRARY))
  })

  test('help says how', async () => {
    expect(runCliSync(['graph', 'backfill', '--help'], { cwd: LIBRARY })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--accept-edges'),
    })
  })
})

describe('a workspace', () => {
  const files = {
    'CLAUDE.md': '### Workspace Modules\n\n| Module | Path |\n|---|---|\n| quay | quay |\n| crane | crane |\n',
    'docs/adrs/ADR-0001-tides.md': '# ADR-0001: Tides\n\nExtends [quay]/ADR-0001.\n',
    'quay/docs/adrs/ADR-0001-bollards.md': '# ADR-0001: Bollards\n',
    'quay/docs/adrs/ADR-0002-ropes.md':
      '---\nstatus: open\n---\n# ADR-0002: Ropes\n\nBuilds on ADR-0001. Extends [crane]/ADR-0001.\n',
    'crane/docs/adrs/ADR-0001-hooks.md': '# ADR-0001: Hooks\n',
  }

  test('writes bare ids within a module and quoted ones across', async () => {
    const root = tempTree(files)
    expect(await proposed(root)).toEqual([
      'ADR-0001 extends [quay]/ADR-0001',
      '[quay]/ADR-0002 extends [crane]/ADR-0001',
      '[quay]/ADR-0002 extends [quay]/ADR-0001',
    ])
    expect((await backfill(root, '--accept', 'ADR-0001', '[quay]/ADR-0002')).code).toBe(0)
    const head = (file: string): string =>
      readFileSync(path.join(root, file), 'utf8').split('\n').slice(0, 3).join('\n')
    expect(head('docs/adrs/ADR-0001-tides.md')).toBe('---\nextends: ["[quay]/ADR-0001"]\n---')
    expect(head('quay/docs/adrs/ADR-0002-ropes.md')).toBe('---\nstatus: open\nextends: [ADR-0001, "[crane]/ADR-0001"]')
    expect((await runEither(['graph', 'validate', '--json'], { cwd: root })).code).toBe(0)
    expect(await proposed(root)).toEqual([])
  })

  test('the next steps are words of a shell', async () => {
    const root = tempTree({ ...files, 'docs/adrs/ADR-0001-tides.md': '# ADR-0001: Tides\n' })
    expect((await backfill(root)).stdout).toContain("  specdex graph backfill --accept '[quay]/ADR-0002'\n")
    expect((await backfill(root)).stdout).toContain("  specdex graph backfill --reject '[quay]/ADR-0002'\n")
  })

  test('--module shows and takes bare ids', async () => {
    const root = tempTree(files)
    expect(await proposed(root, '--module', 'quay')).toEqual([
      'ADR-0002 extends [crane]/ADR-0001',
      'ADR-0002 extends ADR-0001',
    ])
    expect((await backfill(root, '--module', 'quay', '--accept-edges', 'ADR-0002:extends=ADR-0001')).code).toBe(0)
    expect(await proposed(root)).toHaveLength(2)
  })
})

test('a graph with errors is no obstacle', async () => {
  const root = copyOf(LIBRARY)
  writeTree(root, {
    'docs/adrs/ADR-0005-x.md': '---\nextends: [ADR-0099, ADR-0005]\n---\n# ADR-0005: X\n\nExtends ADR-0002.\n',
  })
  expect((await runEither(['graph', 'impact', 'ADR-0001'], { cwd: root })).code).toBe(1)
  expect(await proposed(root)).toContain('ADR-0005 extends ADR-0002')
  expect((await backfill(root, '--accept', 'ADR-0005')).code).toBe(0)
})

test('lenient conventions: nothing is proposed, and one line says so', async () => {
  const root = tempTree({
    'doc/adr/0001-ovens.md': '# 1. Ovens\n\n## Status\n\nAccepted\n',
    'doc/adr/0002-steam.md': '# 2. Steam\n\n## Status\n\nAccepted\n\nExtends ADR-0001\n',
  })
  const { code, stdout, stderr } = await backfill(root)
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing to propose.\n' })
  expect(stderr).toMatch(/^note: 2 artifacts follow conventions without edge fields/)
})
