// The parts of README.md that are made by running the program: the transcript and the command reference. With
// `--write` they are put into the file; test/docs/readme.test.ts holds them equal.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
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

function block(text, language = '') {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

/** Names below `Commands:` or `Verbs:` in a help text. */
export function commandNames(help) {
  const list = help.split(/^(?:Commands|Verbs):\n/m)[1] ?? ''
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map((match) => match[1])
}

/** Every command line that has a help text of its own: `[]`, `['index']`, …, `['spec', 'build']`, … */
export function commandLines() {
  const tops = commandNames(run(program, ['--help']))
  const verbs = commandNames(run(program, ['spec', '--help']))
  return [[], ...tops.map((name) => [name]), ...verbs.map((verb) => ['spec', verb])]
}

function commands() {
  return commandLines()
    .map((words) => {
      const help = run(program, [...words, '--help'])
      return words.length === 0 ? block(help) : `#### \`specdex ${words.join(' ')}\`\n\n${block(help)}`
    })
    .join('\n\n')
}

const PARTS = { transcript: () => block(run(path.join(root, 'fixtures/demo.mjs'), []), 'console'), commands }

/** The README text with the generated parts made anew. */
export function withGeneratedParts(text) {
  let result = text
  for (const [name, make] of Object.entries(PARTS)) {
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
