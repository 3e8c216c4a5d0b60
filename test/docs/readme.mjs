// The parts of README.md that are made by running the program: the transcripts and the command reference. With
// `--write` they are put into the file; test/docs/readme.test.ts holds them equal.
// Surprise: the conventions are asked on copies in a temporary folder, so that no repository around them counts.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const program = path.join(root, 'dist/specdex.cjs')
const readme = path.join(root, 'README.md')

function run(file, args, cwd = root) {
  const done = spawnSync(process.execPath, [file, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  if (done.status !== 0)
    throw new Error(`${path.basename(file)} ${args.join(' ')}: exit ${done.status}\n${done.stderr}`)
  return done.stdout
}

/** A code block. */
export function block(text, language = '') {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

/** Names below `Commands:` or `Verbs:` in a help text. */
export function commandNames(help) {
  const list = help.split(/^(?:Commands|Verbs):\n/m)[1] ?? ''
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map((match) => match[1])
}

/** Commands that have verbs of their own. */
const GROUPS = ['spec', 'graph', 'ledger']

/** Every command line that has a help text of its own: `[]`, `['index']`, …, `['spec', 'build']`, … */
export function commandLines() {
  const tops = commandNames(run(program, ['--help']))
  const verbs = GROUPS.flatMap((group) =>
    commandNames(run(program, [group, '--help']))
      .filter((verb) => verb !== 'help')
      .map((verb) => [group, verb]),
  )
  return [[], ...tops.map((name) => [name]), ...verbs]
}

function commands() {
  return commandLines()
    .map((words) => {
      const help = run(program, [...words, '--help'])
      return words.length === 0 ? block(help) : `#### \`specdex ${words.join(' ')}\`\n\n${block(help)}`
    })
    .join('\n\n')
}

/** One question for the fixture of each convention, beside what was found there. */
export const CONVENTIONS = {
  sdd: ['chain', 'SPEC-0018'],
  'adr-numbered': ['findings'],
  log4brains: ['impact', 'lend-by-phone'],
  openspec: ['impact', 'crane-shifts'],
  'spec-kit': ['impact', '001'],
  kiro: ['chain', 'bee-house'],
  backstage: ['impact', 'ADR-0002'],
  custom: ['impact', 'RULE-12'],
}

/** What `graph conventions` and the question print, on a copy of the fixture. */
function convention(name) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'specdex-readme-'))
  try {
    const fixture = path.join(root, 'fixtures/conventions', name)
    cpSync(fixture, folder, { recursive: true })
    const config = `${fixture}.config.yml`
    let lines = ''
    if (existsSync(config)) {
      cpSync(config, path.join(folder, '.specdex/config.yml'))
      lines += `$ cat .specdex/config.yml\n${readFileSync(config, 'utf8')}`
    }
    for (const words of [['conventions'], CONVENTIONS[name]]) {
      const answer = run(program, ['graph', ...words, '--root', folder], folder)
      lines += `$ specdex graph ${words.join(' ')}\n${answer}`
    }
    return block(lines, 'console')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const PARTS = {
  transcript: () => block(run(path.join(root, 'fixtures/demo.mjs'), []), 'console'),
  commands,
  ...Object.fromEntries(Object.keys(CONVENTIONS).map((name) => [`convention-${name}`, () => convention(name)])),
}

/** The README text with the generated parts of these names, or all of them, made anew. */
export function withGeneratedParts(text, names = Object.keys(PARTS)) {
  let result = text
  for (const name of names) {
    const make = PARTS[name]
    const begin = `<!-- begin:${name} -->`
    const end = `<!-- end:${name} -->`
    const from = result.indexOf(begin)
    const to = result.indexOf(end)
    if (from === -1 || to < from) throw new Error(`README.md has no ${begin} … ${end}`)
    result = `${result.slice(0, from)}${begin}\n${make()}\n${result.slice(to)}`
  }
  return result
}

if (process.argv.includes('--write')) {
  writeFileSync(readme, withGeneratedParts(readFileSync(readme, 'utf8')))
}
