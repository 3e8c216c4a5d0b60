// The handed cases under compat: documents, fingerprints, and every stored question with its stdout, stderr and exit
// code. Short: every ninth question of every case; long: all 1,600. Runs in this process, and so in seconds;
// replay.long.test.ts asks the same through real processes.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { shared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { copyFolder, restoreLinks } from './cases.ts'
import { type SpecResult, spec } from './run-spec.ts'

const CASES = shared('cases/spec-graph')
const COMPAT = ['--compat', 'forgedock-1.7']
const EVERY = effort(9, 1)

interface Question {
  readonly note?: string
  readonly tool: 'query' | 'validate'
  readonly args: readonly string[]
  readonly state: {
    readonly kind: string
    readonly graphText?: string
    readonly addFile?: { readonly path: string; readonly content: string }
    readonly otherGraphText?: string
  }
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

const names =
  CASES === null ? [] : readdirSync(CASES).filter((name) => existsSync(path.join(CASES, name, 'expected/queries.json')))

interface Case {
  readonly root: string
  readonly graph: string
  readonly other: string
  readonly document: string
  readonly expected: string
}

function setUp(name: string): Case {
  const source = path.join(CASES ?? '', name)
  const root = path.join(tempFolder('replay'), name)
  copyFolder(source, root)
  rmSync(path.join(root, 'expected'), { recursive: true })
  restoreLinks(CASES ?? '', root, name)
  const expected = path.join(source, 'expected')
  return {
    root,
    graph: path.join(root, '.forgedock/graph/spec-graph.json'),
    other: `${root}.other.json`,
    document: readFileSync(path.join(expected, 'spec-graph.json'), 'utf8'),
    expected,
  }
}

/** Puts the persisted graph into the state a question wants; returns how to undo what was added to the corpus. */
function prepare({ root, graph, other, document }: Case, { state }: Question): () => void {
  rmSync(path.join(root, '.forgedock'), { recursive: true, force: true })
  if (state.kind !== 'absent') {
    mkdirSync(path.dirname(graph), { recursive: true })
    writeFileSync(graph, state.graphText ?? (state.kind === 'nohash' ? withoutHash(document) : document))
  }
  if (state.otherGraphText !== undefined) writeFileSync(other, state.otherGraphText)
  if (state.addFile === undefined) return () => {}
  const added = path.join(root, state.addFile.path)
  mkdirSync(path.dirname(added), { recursive: true })
  writeFileSync(added, state.addFile.content)
  return () => rmSync(added)
}

function withoutHash(document: string): string {
  const parsed = JSON.parse(document) as { graph: { builtFromHash?: string } }
  delete parsed.graph.builtFromHash
  return `${JSON.stringify(parsed, null, 2)}\n`
}

async function ask(here: Case, question: Question): Promise<SpecResult> {
  const words = question.args.map((word) =>
    word.replace('{ROOT}', here.root).replace('{GRAPH}', here.graph).replace('{OTHER}', here.other),
  )
  const head = question.tool === 'validate' ? ['validate', ...COMPAT] : [...COMPAT, '--root', here.root]
  return spec([...head, ...words], { cwd: here.root })
}

function normalised(text: string, here: Case): string {
  return text
    .replaceAll(here.other, '{OTHER}')
    .replaceAll(here.root, '{ROOT}')
    .replace(/[^\s"]*\/spec-graph\.[A-Za-z0-9]+\.json/g, '{TMPGRAPH}')
}

describe.skipIf(CASES === null).each(names.map((name, index) => [name, index] as const))('%s', (name, index) => {
  test('document and fingerprint', async () => {
    const here = setUp(name)
    const runs = JSON.parse(readFileSync(path.join(here.expected, 'build.json'), 'utf8')) as {
      args: string[]
      exit: number
      stderr: string
    }[]
    for (const run of runs) {
      const words = run.args.map((word) => word.replace('{ROOT}', here.root))
      const { code, stdout, stderr } = await spec(['build', ...COMPAT, ...words], { cwd: here.root })
      expect({ words: run.args, code, stderr: stderr.replace(/ in \d+ms/, ' in {MS}ms') }).toEqual({
        words: run.args,
        code: run.exit,
        stderr: run.stderr,
      })
      if (words.includes('--hash')) expect(stdout).toBe(readFileSync(path.join(here.expected, 'hash.txt'), 'utf8'))
      else if (words.includes('--stdout')) expect(stdout).toBe(here.document)
      else expect(readFileSync(here.graph, 'utf8')).toBe(here.document)
    }
  })

  test('questions', async () => {
    const here = setUp(name)
    const questions = JSON.parse(readFileSync(path.join(here.expected, 'queries.json'), 'utf8')) as Question[]
    // Shifted from case to case, so that the sample covers different kinds of questions.
    const asked = questions.filter((question, at) => question.note === undefined && (at + index) % EVERY === 0)
    for (const question of asked) {
      const undo = prepare(here, question)
      const { code, stdout, stderr } = await ask(here, question)
      undo()
      const { tool, args, state } = question
      // Texts that name the public builder cannot be ours.
      const ours = question.stderr.includes('{BUILDER}') ? question.stderr : normalised(stderr, here)
      expect({ tool, args, state: state.kind, code, stdout: normalised(stdout, here), stderr: ours }).toEqual({
        tool,
        args,
        state: state.kind,
        code: question.exit,
        stdout: question.stdout,
        stderr: question.stderr,
      })
    }
  })
})
