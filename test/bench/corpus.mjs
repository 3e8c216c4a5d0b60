// Generated corpora for the benchmark and the soak test: a bakery that wrote far too many specs. The same numbers give
// the same bytes everywhere. 40 % commands, 10 % scripts, 50 % documents (a few of them devdocs), 100 files to a folder,
// paths of 48 characters, 1.7 edges per file: what ARCHITECTURE §5 states its sizes for.
// The surprise: the directory edge of a sub-phase counts, so a command holds two references of its own on average.

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'

const PATH_LENGTH = 48
const PER_FOLDER = 100
const MEAN_BYTES = 3600
const SCRIPT_BYTES = 1500

/**
 * What a corpus holds, for asking questions whose answers are known.
 * @typedef {object} Corpus
 * @property {string} folder
 * @property {number} files
 * @property {number} edges sightings, directory edges among them
 * @property {string} marker a marker that some commands read, without `FORGE:`
 * @property {string[]} readers ids of the commands that read it, in code point order
 * @property {string[]} commands paths of all command files below a folder
 * @property {string[]} scripts
 * @property {string[]} documents
 * @property {string[]} markers
 */

/**
 * Numbers from 0 to 1, the same for the same seed.
 * @param {number} seed
 * @returns {() => number}
 */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const ROOMS = ['oven', 'proof', 'mixer', 'larder', 'counter', 'cellar', 'bench', 'yard']
const WORK = ['knead', 'shape', 'score', 'glaze', 'weigh', 'sieve', 'rest', 'fold', 'bake', 'cool', 'slice', 'wrap']
const GOODS = ['rye', 'spelt', 'brioche', 'baguette', 'focaccia', 'pretzel', 'strudel', 'crumpet', 'bagel', 'stollen']
const LABELS = ['proofing', 'kneading', 'baking', 'cooling', 'sold-out', 'burnt', 'ordered', 'delivered']
const STATES = ['draft', 'accepted', 'superseded', 'proposed']
const FILLER = 'of-the-early-morning-shift-in-the-old-mill'

/** A name of exactly `length` characters that starts with `stem`. */
function stretch(stem, length) {
  const name = `${stem}-${FILLER}`.slice(0, length)
  return name.endsWith('-') ? `${name.slice(0, -1)}s` : name
}

function numbered(words, i) {
  return `${words[i % words.length]}-${String(i).padStart(4, '0')}`
}

/** Lays `count` files out in numbered folders; every path has PATH_LENGTH characters. */
function layOut(top, ending, count, words) {
  const folderLength = 16
  const nameLength = PATH_LENGTH - top.length - 1 - folderLength - 1 - ending.length
  return Array.from({ length: count }, (_, i) => {
    const folder = stretch(numbered(ROOMS, Math.floor(i / PER_FOLDER)), folderLength)
    return `${top}/${folder}/${stretch(numbered(words, i), nameLength)}${ending}`
  })
}

/** Prose without a single reference, as lines; texts are slices of it. */
function makeProse(random) {
  const words = [
    ...WORK,
    ...GOODS,
    ...ROOMS,
    'the',
    'and',
    'with',
    'until',
    'before',
    'slowly',
    'flour',
    'water',
    'salt',
  ]
  const lines = []
  for (let i = 0; i < 2000; i++) {
    const line = Array.from({ length: 8 + Math.floor(random() * 6) }, () => words[Math.floor(random() * words.length)])
    if (i % 19 === 0) lines.push('', `## ${line.slice(0, 4).join(' ')}`, '')
    else if (i % 13 === 0) lines.push(`- \`${line[0]} --${line[1]} "$ORDER"\`: ${line.slice(2).join(' ')}`)
    else lines.push(`${line.join(' ')}.`)
  }
  return lines
}

/** Hands out pieces of prose of about so many bytes. */
function proseSource(random) {
  const lines = makeProse(random)
  return (bytes) => {
    let at = Math.floor(random() * lines.length)
    let text = ''
    while (text.length < bytes) text += `${lines[at++ % lines.length]}\n`
    return text
  }
}

/**
 * One line that refers to something, by each of the rules of the spec graph.
 * @type {Record<string, (target: string) => string>}
 */
export const REFERENCE = {
  post: (marker) => `gh issue comment "$ORDER" --body "<!-- FORGE:${marker} --> done"`,
  contains: (marker) =>
    `gh issue view "$ORDER" --json comments --jq 'map(select(.body | contains("FORGE:${marker}")))'`,
  reread: (marker) => `Before the oven is opened, re-read FORGE:${marker}`,
  read: (marker) => `Then read the FORGE:${marker} note`,
  skill: (id) => `Hand over with Skill("${id}")`,
  script: (file) => `bash ${file} "$ORDER"`,
  label: (label) => `gh issue edit "$ORDER" --add-label "workflow:${label}"`,
  devdoc: (file) => `You must know ${file} for this`,
}

const RULES = Object.keys(REFERENCE)

/** @param {string} file path of a command file @returns {string} its id, without `cmd:` */
export function commandName(file) {
  return file.slice('commands/'.length, -'.md'.length).replaceAll('/', ':')
}

/**
 * Writes the corpus into `folder`, which must be empty or absent.
 * @param {string} folder
 * @param {{ files: number, seed?: number }} options
 * @returns {Promise<Corpus>}
 */
export async function generateCorpus(folder, { files, seed = 1 }) {
  const random = randomFrom(seed)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const prose = proseSource(random)
  const commandCount = Math.round(files * 0.4)
  const scriptCount = Math.round(files * 0.1)
  const devdocCount = Math.round(files * 0.01)
  const layout = layOut('commands', '.md', commandCount, WORK)
  // The first of each folder is the command that the others are sub-phases of.
  const commands = layout.map((file, i) => (i % PER_FOLDER === 0 ? `${path.posix.dirname(file)}.md` : file))
  const scripts = layOut('scripts', '.sh', scriptCount, WORK)
  const devdocs = layOut('devdocs', '.md', devdocCount, GOODS)
  const documents = layOut('docs', '.md', files - commandCount - scriptCount - devdocCount, GOODS)
  const markers = Array.from({ length: Math.max(8, Math.round(files / 50)) }, (_, i) =>
    numbered(WORK, i).toUpperCase().replace('-', '_'),
  )
  const marker = markers[Math.floor(markers.length / 2)]
  const readers = []
  let edges = 0

  const reference = (file) => {
    const rule = pick(RULES)
    const targets = { skill: commands, script: scripts, label: LABELS, devdoc: devdocs }[rule] ?? markers
    const target = pick(targets)
    if (target === marker && rule !== 'post') readers.push(`cmd:${commandName(file)}`)
    return REFERENCE[rule](rule === 'skill' ? commandName(target) : target)
  }
  const command = (file) => {
    const references = Array.from({ length: 1 + Math.floor(random() * 3) }, () => reference(file))
    edges += references.length + (file.split('/').length > 2 ? 1 : 0)
    const bytes = size(random)
    const parts = references.map((line) => `${prose(bytes / (references.length + 1))}${line}\n`)
    return `# ${commandName(file)}\n\n${parts.join('')}${prose(bytes / (references.length + 1))}`
  }
  const document = (file, links) => {
    const target = pick(links)
    edges += 1
    const link = `[${path.posix.basename(target, '.md')}](${path.posix.relative(path.posix.dirname(file), target)})`
    const title = path.posix.basename(file, '.md').replaceAll('-', ' ')
    const matter = `---\ntitle: ${title}\nstatus: ${pick(STATES)}\n---\n`
    const bytes = size(random)
    return `${matter}\n# ${title}\n\n${prose(bytes / 2)}See ${link} for more.\n${prose(bytes / 2)}`
  }
  const script = () => `#!/usr/bin/env bash\nset -euo pipefail\n${prose(SCRIPT_BYTES).replace(/^/gm, '# ')}`

  const made = new Set()
  let count = 0
  const write = async (file, text) => {
    const dir = path.join(folder, path.posix.dirname(file))
    if (!made.has(dir)) {
      mkdirSync(dir, { recursive: true })
      made.add(dir)
    }
    writeFileSync(path.join(folder, file), text)
    // A signal is noticed in between.
    if (++count % 2000 === 0) await breathe()
  }
  for (const file of commands) await write(file, command(file))
  for (const file of scripts) await write(file, script())
  for (const file of devdocs) await write(file, document(file, devdocs))
  for (const file of documents) await write(file, document(file, documents))
  const unique = [...new Set(readers)].sort()
  return { folder, files, edges, marker, readers: unique, commands, scripts, documents, markers }
}

function size(random) {
  return MEAN_BYTES * (0.35 + 1.3 * random())
}

/** Makes the generated folder a git repository with everything in one commit. @param {string} folder */
export async function commitCorpus(folder) {
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  for (const setting of ['gc.auto 0', 'maintenance.auto false', 'core.untrackedCache false', 'core.compression 0']) {
    await git(folder, 'config', ...setting.split(' '))
  }
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--no-verify', '--message', 'Open the bakery')
}

const FIXED = {
  LC_ALL: 'C',
  NO_COLOR: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada Baker',
  GIT_AUTHOR_EMAIL: 'ada@bakery.example',
  GIT_COMMITTER_NAME: 'Ada Baker',
  GIT_COMMITTER_EMAIL: 'ada@bakery.example',
}

/**
 * The environment of every child: ours without what makes git, Node or Specdex behave differently elsewhere.
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GIT_|SPECDEX_|npm_|NODE_OPTIONS$)/.test(name))
  return { ...Object.fromEntries(kept), ...FIXED, ...extra }
}

// glibc otherwise gives the memory of every blob back to the system and asks for it again: `git add` of 10,000 files
// spends 1.7 s instead of 8 s in the kernel on some virtual machines. Elsewhere these two are unknown and harmless.
const KEEP_MEMORY = { MALLOC_TRIM_THRESHOLD_: '268435456', MALLOC_TOP_PAD_: '16777216' }

/**
 * Runs git and returns what it printed. Rejects with git's words where it fails.
 * @param {string} cwd
 * @param {...string} args
 * @returns {Promise<string>}
 */
export function git(cwd, ...args) {
  return new Promise((resolve, reject) => {
    const env = childEnvironment(KEEP_MEMORY)
    const child = spawn('git', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const out = []
    const err = []
    child.stdout.on('data', (chunk) => out.push(chunk))
    child.stderr.on('data', (chunk) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString('utf8'))
      else reject(new Error(`git ${args.join(' ')} ended with ${code}: ${Buffer.concat(err).toString('utf8').trim()}`))
    })
  })
}
