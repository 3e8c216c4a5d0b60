// Random steps of people at work in a repository, for the property test: edits of every kind, git, configuration.
// A step that the tree does not allow just now (a name that is a folder, a stash that is empty) does nothing.

import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { git } from '../support/git.ts'

/** Paths that get in each other's way: one id from two files, files that are folders of others, two families in one. */
export const PATHS = [
  'commands/knead.md',
  'commands/knead/fold.md',
  'commands/a:b.md',
  'commands/a/b.md',
  'commands/rest.md',
  'commands/rest.md/deep.md',
  'commands/brød.md',
  'scripts/oven.sh',
  'scripts/lib/oven.sh',
  'scripts/notes.md',
  'devdocs/flour.md',
  'docs/adr/0001-rye.md',
  'docs/adr/0002-spelt.md',
  'docs/drafts/0003-oats.md',
  'docs/notes.md',
  'docs/.draft.md',
  'README.md',
  'src/oven.ts',
] as const

/** Texts whose references dangle and come back, as the files and markers they name come and go. */
const LINES = [
  '# Knead the dough\n',
  '---\nstatus: accepted\ntitle: Rye\n---\n',
  '<!-- FORGE:FLOUR -->\n',
  'Re-read FORGE:FLOUR, then read FORGE:WATER.\n',
  'gh issue comment 1 --body "<!-- FORGE:WATER -->"\n',
  'jq \'contains("FORGE:FLOUR")\'\n',
  'Skill(skill="knead") and Skill(skill="a:b")\n',
  'Skill(skill="rest") Skill(skill="nowhere")\n',
  'Run scripts/oven.sh\n',
  'REQUIRED: devdocs/flour.md\n',
  'gh issue edit 1 --add-label workflow:baked --remove-label workflow:raw\n',
  'See [rye](../docs/adr/0001-rye.md) and [notes](adr/0002-spelt.md "x").\n',
  'See [me](0001-rye.md), [draft](../.draft.md).\n',
  'Crumbs.\r\n',
]

const text = fc.oneof(
  { weight: 12, arbitrary: fc.array(fc.constantFrom(...LINES), { maxLength: 5 }).map((lines) => lines.join('')) },
  { weight: 1, arbitrary: fc.constantFrom('latin1 \xff\n', 'x\0y\n', '# Long\n'.repeat(60)) },
)

const file = fc.constantFrom(...PATHS)

const CONFIGS = [
  null,
  'families: [spec]\n',
  'families: [docs]\n',
  'roots: [docs, commands]\n',
  'roots: [docs]\nignore: ["**/drafts/**"]\n',
  'include: ["docs/**/*.md", README.md]\n',
  'ignore: [commands]\n',
  'limits: {file_bytes: 200}\n',
  'compat: forgedock-1.7\n',
] as const

export type Step =
  | { readonly do: 'write'; readonly file: string; readonly text: string }
  | { readonly do: 'delete' | 'touch' | 'sameSize' | 'sameTime' | 'replaceByFolder' | 'restore'; readonly file: string }
  | { readonly do: 'rename'; readonly file: string; readonly to: string }
  | { readonly do: 'link'; readonly file: string; readonly to: string }
  | { readonly do: 'config'; readonly text: string | null }
  | { readonly do: 'ignore'; readonly text: string }
  | { readonly do: 'git'; readonly args: readonly string[] }
  | { readonly do: 'query'; readonly family: 'spec' | 'docs' }
  | { readonly do: 'pause' }

const edits: readonly fc.WeightedArbitrary<Step>[] = [
  { weight: 10, arbitrary: fc.record({ do: fc.constant('write' as const), file, text }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom('delete', 'touch', 'sameSize', 'sameTime', 'replaceByFolder', 'restore'),
      file,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), file, to: file }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('link' as const),
      file,
      to: fc.constantFrom('/etc/hostname', 'oven.sh', 'rest.md', 'nowhere'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('config' as const), text: fc.constantFrom(...CONFIGS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('ignore' as const),
      text: fc.constantFrom('', 'drafts/\n', '*.md\n!/README.md\n', 'commands/\n'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('query' as const), family: fc.constantFrom('spec', 'docs') }) },
  { weight: 2, arbitrary: fc.constant({ do: 'pause' as const }) },
]

const GIT: readonly (readonly string[])[] = [
  ['add', '--all'],
  ['add', '--all'],
  ['commit', '--quiet', '--all', '--message', 'Bake'],
  ['commit', '--quiet', '--all', '--message', 'Bake'],
  ['stash', 'push', '--quiet', '--include-untracked'],
  ['stash', 'pop', '--quiet'],
  ['checkout', '--quiet', '--force', 'main'],
  ['checkout', '--quiet', '-B', 'dark'],
  ['checkout', '--quiet', '--force', 'dark'],
  ['checkout', '--quiet', '--', '.'],
  ['merge', '--quiet', '--no-edit', 'dark'],
  ['rebase', '--quiet', 'dark'],
  ['rebase', '--abort'],
  ['reset', '--quiet', '--hard'],
  ['reset', '--quiet', 'HEAD~1'],
  ['rm', '--quiet', '-r', '--cached', 'commands'],
  ['add', '--intent-to-add', '--all'],
  ['update-index', '--assume-unchanged', 'commands/knead.md'],
  ['update-index', '--no-assume-unchanged', 'commands/knead.md'],
  ['update-index', '--skip-worktree', 'docs/notes.md'],
  ['update-index', '--no-skip-worktree', 'docs/notes.md'],
  ['update-index', '--index-version=4'],
  ['update-index', '--split-index'],
  ['update-index', '--no-split-index'],
  ['config', 'core.autocrlf', 'true'],
  ['config', 'core.autocrlf', 'false'],
  ['clean', '--quiet', '--force', '-d'],
  ['status'],
]

/** Sequences of steps; with git where `repository` is true. */
export function sequences(repository: boolean): fc.Arbitrary<Step[]> {
  const git = { weight: 12, arbitrary: fc.record({ do: fc.constant('git' as const), args: fc.constantFrom(...GIT) }) }
  return fc.array(fc.oneof(...edits, ...(repository ? [git] : [])), { minLength: 1, maxLength: 10, size: 'max' })
}

/** The tree that every sequence starts from. */
export const START: Readonly<Record<string, string>> = {
  'commands/knead.md': `${LINES[0]}${LINES[2]}${LINES[3]}${LINES[6]}`,
  'commands/knead/fold.md': `${LINES[4]}${LINES[7]}${LINES[8]}`,
  'commands/a/b.md': `${LINES[5]}${LINES[9]}${LINES[10]}`,
  'scripts/oven.sh': 'echo warm\n',
  'devdocs/flour.md': '# Flour\n',
  'docs/adr/0001-rye.md': `${LINES[1]}${LINES[11]}`,
  'docs/notes.md': `${LINES[11]}`,
  'README.md': '# Bakery\n',
  'src/oven.ts': 'export {}\n',
  // Not part of any repository made here, as its own .gitignore will say.
  '.gitignore': '.specdex/\n',
}

/** Does one step in `root`. `before` remembers texts for `restore`. Queries are the caller's. */
export function doStep(root: string, step: Step, before: Map<string, Buffer>): void {
  try {
    takeStep(root, step, before)
  } catch {
    // Not possible in this tree.
  }
}

function takeStep(root: string, step: Step, before: Map<string, Buffer>): void {
  switch (step.do) {
    case 'git':
      git(root, step.args)
      return
    case 'config':
      if (step.text === null) rmSync(path.join(root, '.specdex/config.yml'), { force: true })
      else writeFileSync(path.join(root, '.specdex/config.yml'), step.text)
      return
    case 'ignore':
      writeFileSync(path.join(root, '.gitignore'), `.specdex/\n${step.text}`)
      return
    case 'pause':
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
      return
    case 'query':
      return
    default:
      edit(root, step, before)
  }
}

function edit(root: string, step: Extract<Step, { file: string }>, before: Map<string, Buffer>): void {
  const at = path.join(root, step.file)
  const remember = (): Buffer => {
    const bytes = readFileSync(at)
    if (!before.has(step.file)) before.set(step.file, bytes)
    return bytes
  }
  switch (step.do) {
    case 'write':
      mkdirSync(path.dirname(at), { recursive: true })
      writeFileSync(at, step.text, 'latin1')
      return
    case 'restore': {
      const bytes = before.get(step.file)
      if (bytes !== undefined) writeFileSync(at, bytes)
      return
    }
    case 'delete':
      if (lstatSync(at).isFile()) remember()
      rmSync(at, { recursive: true })
      removeEmpty(root, path.dirname(step.file))
      return
    case 'touch':
      utimesSync(at, new Date(), new Date())
      return
    case 'sameSize':
      writeFileSync(at, turned(remember()))
      return
    case 'sameTime': {
      const { atimeMs, mtimeMs } = lstatSync(at)
      writeFileSync(at, turned(remember()))
      utimesSync(at, atimeMs / 1000, mtimeMs / 1000)
      return
    }
    case 'replaceByFolder':
      remember()
      rmSync(at)
      mkdirSync(at)
      writeFileSync(path.join(at, 'deep.md'), '# Deep\n')
      return
    case 'rename':
      mkdirSync(path.dirname(path.join(root, step.to)), { recursive: true })
      renameSync(at, path.join(root, step.to))
      removeEmpty(root, path.dirname(step.file))
      return
    case 'link':
      rmSync(at, { force: true })
      symlinkSync(step.to, at)
  }
}

/** Other bytes of the same length, in which the references are others. */
function turned(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  const swapped = text.replaceAll('FLOUR', 'wATER').replaceAll('WATER', 'FLOUR').replaceAll('wATER', 'WATER')
  return Buffer.from(swapped === text ? [...text].reverse().join('') : swapped, 'latin1')
}

/** A folder without files is none to git: it is none to people who move files either. */
function removeEmpty(root: string, dir: string): void {
  if (dir === '.' || readdirSync(path.join(root, dir)).length > 0) return
  rmSync(path.join(root, dir), { recursive: true })
  removeEmpty(root, path.dirname(dir))
}
