// Whatever happens to a tree of artifacts and sources, the answer from the index is the one that the files alone give: after
// every step of a random sequence, validate and orphans as JSON are byte for byte those of --no-cache, and in the end
// the index is row for row one built from nothing. SPECDEX_PROPERTY_SEED repeats a run.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree, writeTree } from '../support/temp.ts'
import { agreed, HARBOUR, moduleTable, verified } from './harbour.ts'

const SEED = Number(process.env['SPECDEX_PROPERTY_SEED'] ?? Date.now() % 2 ** 31)
console.info(`property test: SPECDEX_PROPERTY_SEED=${SEED}`)

type Step =
  | { readonly do: 'write'; readonly file: string; readonly text: string }
  | { readonly do: 'delete'; readonly file: string }
  | { readonly do: 'rename'; readonly file: string; readonly to: string }
  | { readonly do: 'git'; readonly words: readonly string[] }

const number = fc.integer({ min: 1, max: 4 })
const ADR = number.map((n) => `ADR-000${n}`)
const SPEC = number.map((n) => `SPEC-000${n}`)
const place = fc.constantFrom('', '', 'cranes/', 'vendor/lib/')
const adrFile = fc
  .tuple(
    place,
    fc.constantFrom('docs/adrs', 'docs/adrs', 'docs/adr', 'rules'),
    ADR,
    fc.constantFrom('', '-rope', '-bell'),
  )
  .map(
    ([module, folder, id, slug]) => `${module}${folder}/${folder === 'docs/adr' ? id.slice(4) : id}${slug || '-x'}.md`,
  )
const specFile = fc
  .tuple(place, fc.constantFrom('berths', 'lamps'))
  .map(([module, name]) => `${module}docs/openspec/specs/${name}/spec.md`)
const sourceFile = fc
  .tuple(place, fc.constantFrom('src/a.ts', 'src/b.py', 'src/made/c.ts', 'docs/d.ts', 'Makefile'))
  .map(([module, name]) => `${module}${name}`)
const target = fc.oneof(ADR, SPEC, fc.constantFrom('[cranes]/ADR-0001', '[lib]/SPEC-0002', 'ADR-9999', '#24'))

const frontMatter = fc
  .tuple(
    fc.constantFrom('accepted', 'superseded', 'draft'),
    fc.constantFrom('extends', 'supersedes', 'enables', 'governs', 'related', 'implements', 'requires', 'governed-by'),
    fc.array(target, { maxLength: 2 }),
  )
  .map(([status, field, targets]) => {
    const list = targets.map((one) => JSON.stringify(one)).join(', ')
    return `---\nstatus: ${status}\n${field}: [${list}]\n---\n`
  })
const artifactText = fc
  .tuple(fc.option(frontMatter), fc.oneof(ADR, SPEC))
  .map(([matter, id]) => `${matter ?? ''}# ${id}: Ropes and bells\n\nSupersedes: ADR-0002\n`)
const sourceText = fc.oneof(
  fc.constantFrom('', 'const rope = 1\n', '-- Governing: ADR-0001\n', '// Governing: #24\n'),
  fc.tuple(fc.constantFrom('// Governing:', '# Implements:'), target).map(([word, id]) => `${word} ${id}\n`),
)
const claudeMd = fc.oneof(
  fc
    .subarray(['| cranes | cranes |\n', '| lib | vendor/lib |\n', '| src | src |\n', '| gone | gone |\n'])
    .map((rows) => moduleTable(rows.join(''))),
  fc.constantFrom('# Nothing\n', 'Architecture Decision Records are in `rules`.\n'),
)

const write = (file: fc.Arbitrary<string>, text: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.tuple(file, text).map(([path, content]) => ({ do: 'write', file: path, text: content }))
const anyFile = fc.oneof(
  adrFile,
  specFile,
  sourceFile,
  fc.constantFrom(...Object.keys(HARBOUR), 'CLAUDE.md', '.gitignore'),
)

const edit: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: write(adrFile, artifactText) },
  { weight: 2, arbitrary: write(specFile, artifactText) },
  { weight: 3, arbitrary: write(sourceFile, sourceText) },
  { weight: 2, arbitrary: write(fc.constantFrom('CLAUDE.md', 'CLAUDE.md', 'cranes/CLAUDE.md'), claudeMd) },
  {
    weight: 1,
    arbitrary: write(
      fc.constantFrom('.gitignore', 'src/.gitignore', '.adr-dir', '.gitmodules'),
      fc.constantFrom('made/\n', '*.py\n', 'docs/adr\n', 'rules\n', '[submodule "lib"]\n\tpath = vendor/lib\n'),
    ),
  },
  { weight: 3, arbitrary: anyFile.map((file): Step => ({ do: 'delete', file })) },
  { weight: 2, arbitrary: fc.tuple(anyFile, anyFile).map(([file, to]): Step => ({ do: 'rename', file, to })) },
)
const gitStep: fc.Arbitrary<Step> = fc
  .constantFrom(
    ['add', '--all'],
    ['commit', '--quiet', '--allow-empty', '--message', 'x'],
    ['reset', '--quiet', '--hard'],
  )
  .map((words): Step => ({ do: 'git', words }))

function doStep(root: string, step: Step): void {
  const place = (file: string): string => path.join(root, file)
  switch (step.do) {
    case 'write':
      writeTree(root, { [step.file]: step.text })
      break
    case 'delete':
      rmSync(place(step.file), { force: true })
      break
    case 'rename':
      if (!existsSync(place(step.file))) return
      mkdirSync(path.dirname(place(step.to)), { recursive: true })
      renameSync(place(step.file), place(step.to))
      break
    case 'git':
      git(root, [...step.words])
  }
}

const GROWING: Step[] = [
  { do: 'write', file: 'CLAUDE.md', text: moduleTable('| cranes | cranes |\n') },
  { do: 'rename', file: 'cranes/docs/adrs/ADR-0001-steam.md', to: 'docs/adrs/ADR-0002-steam.md' },
]

const SETTINGS = [
  { name: 'in a plain folder', runs: effort(14, 400), steps: edit, make: () => tempTree(HARBOUR, 'harbour') },
  {
    name: 'in a repository',
    runs: effort(3, 100),
    steps: fc.oneof({ weight: 3, arbitrary: edit }, { weight: 1, arbitrary: gitStep }),
    make: () => initRepository(tempFolder('harbour'), HARBOUR),
  },
]

test.each(SETTINGS)(
  'the index answers as the files do, $name',
  { timeout: 1_800_000 },
  async ({ runs, steps, make }) => {
    let nodes = 0
    const sequences = fc.array(steps, { minLength: 3, maxLength: effort(7, 12) })
    const holds = fc.asyncProperty(sequences, async (sequence) => {
      const root = make()
      try {
        await agreed(root)
        for (const step of sequence) {
          doStep(root, step)
          nodes = Math.max(nodes, (await agreed(root)).nodes)
        }
        await verified(root)
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    })
    await fc.assert(holds, { numRuns: runs, seed: SEED, examples: [[GROWING]] })
    // A test that never saw a graph grow would prove nothing; the first sequence makes it grow.
    expect(nodes).toBeGreaterThan(4)
  },
)
