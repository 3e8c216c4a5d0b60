// What the tests of the graph's plumbing share: a small harbour on disk, and the one question that everything comes down
// to, whether the answer from the index is the one that the files alone give. In this process, with real files and git.

import { expect } from 'vitest'
import { effort } from '../support/effort.ts'
import { type HereResult, runHere } from '../support/run-here.ts'

/** A strict project with a part of its own, which nobody has declared a module yet. */
export const HARBOUR: Readonly<Record<string, string>> = {
  'docs/adrs/ADR-0001-tide-bell.md': '# ADR-0001: Ring a bell at high tide\n',
  'docs/openspec/specs/berths/spec.md': '---\nstatus: draft\n---\n# SPEC-0001: Berths\n',
  'src/bell.ts': '// Governing: ADR-0001\nexport const bell = 1\n',
  'src/rope.ts': 'export const rope = 1\n',
  'cranes/docs/adrs/ADR-0001-steam.md': '# ADR-0001: Steam for the cranes\n',
  'cranes/src/hook.ts': '// Implements: ADR-0001\nexport const hook = 1\n',
  'cranes/src/chain.ts': 'export const links = 9\n',
}

interface Harbour {
  /** Nodes that validate counts. */
  readonly nodes: number
  /** `code source target` of every diagnostic. */
  readonly told: readonly string[]
  readonly adrs: readonly string[]
  readonly specs: readonly string[]
  readonly files: readonly string[]
  readonly unread: readonly string[]
}

interface Validation {
  readonly results: { readonly nodes: number; readonly diagnostics: readonly Record<string, string | null>[] }
}

interface Orphans {
  readonly results: {
    readonly adrs_without_implementing_spec: readonly string[]
    readonly code_files_with_unrecognized_governing: readonly { readonly file: string }[]
    readonly code_files_without_governing: readonly string[]
    readonly specs_without_implementing_code: readonly string[]
  }
}

export function graph(root: string, ...words: string[]): Promise<HereResult> {
  return runHere(['graph', ...words], { cwd: root })
}

const BELIEVED: readonly string[] = effort(1, 0) === 1 ? ['--no-stale-check'] : []

/**
 * Asks the index and the files alone, expects one answer, and returns what it says. Unless `whole`, the files alone are
 * asked one question of the two.
 */
export async function agreed(root: string, whole = true): Promise<Harbour> {
  const answers: string[] = []
  for (const words of [
    ['validate', '--json'],
    ['orphans', '--json', '--allow-invalid'],
  ]) {
    // The first question has proved the index; every other proof costs git again, and is made in the long run.
    const cached = await graph(root, ...words, ...(words[0] === 'orphans' ? BELIEVED : []))
    if (whole || words[0] === 'validate') {
      expect(cached, words.join(' ')).toEqual(await graph(root, ...words, '--no-cache'))
    }
    answers.push(cached.stdout)
  }
  const { nodes, diagnostics } = (JSON.parse(answers[0] ?? '') as Validation).results
  const orphans = (JSON.parse(answers[1] ?? '') as Orphans).results
  return {
    nodes,
    told: diagnostics.map((one) => [one['code'], one['source_id'], one['target_id']].filter(Boolean).join(' ')),
    adrs: orphans.adrs_without_implementing_spec,
    specs: orphans.specs_without_implementing_code,
    files: orphans.code_files_without_governing,
    unread: orphans.code_files_with_unrecognized_governing.map(({ file }) => file),
  }
}

/** A module table for CLAUDE.md. */
export function moduleTable(rows: string): string {
  return `# Harbour\n\n### Workspace Modules\n\n| Module | Path |\n|---|---|\n${rows}`
}

type HarbourStep = readonly [edit: () => void, expected: Partial<Harbour>]

/**
 * One edit after the other: the answer agrees with the files and says what is expected. In the end, in the long run
 * after every step, the files alone are asked everything and the index holds what one built from nothing would.
 */
export async function follow(root: string, steps: readonly HarbourStep[]): Promise<void> {
  for (const [i, [edit, expected]] of steps.entries()) {
    edit()
    const whole = effort(i === steps.length - 1 ? 1 : 0, 1) === 1
    expect({ step: i, ...(await agreed(root, whole)) }).toMatchObject({ step: i, ...expected })
    if (whole) await verified(root)
  }
}

/** `specdex index --verify`: every family, row by row. */
export async function verified(root: string): Promise<void> {
  const { code, stderr } = await runHere(['index', '--verify', '--quiet'], { cwd: root })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
}
