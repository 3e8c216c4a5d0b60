// A pantry in which everything that can be wrong with a source is wrong with one: what the bad-input test builds on
// disk, and what the index must say of it. The list is the test; the building is beside it so that they stay together.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  lchownSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import { childEnvironment } from '../support/environment.ts'
import { initRepository } from '../support/git.ts'
import { writeTree } from '../support/temp.ts'
import { AM_ROOT, NOBODY } from './child-process.ts'

export interface Pantry {
  /** Bytes of each huge sparse file. */
  readonly huge: number
  /** Files in the one crowded folder. */
  readonly crowd: number
}

const LINE = 'Read the `FORGE:FLOUR` comment.\n'
/** Between two folders of the deep path. */
const DEPTH = 200
const DEEP = Array.from({ length: DEPTH }, () => 'd').join('/')

/** Names that would steer a terminal, break a line, or end a quoted text. */
export const ODD_NAMES: readonly string[] = [
  'new\nline.md',
  'tab\tstop.md',
  '\u001b[31mred\u001b[0m.md',
  '\u001b]0;title\u0007.md',
  'bell\u0007del\u007fc1\u009b.md',
  'say "cheese".md',
  "it's.md",
  '-rf.md',
  '$(touch oven).md',
  'semi;colon.md',
  'ümlaut.md',
  'back\\slash.md',
  ' leading.md',
  'right\u202eto-left.md',
]

/** Two names that are no UTF-8 and decode to the same text. */
const UNDECODABLE = [Buffer.from('stale-\xff.md', 'latin1'), Buffer.from('stale-\xfe.md', 'latin1')]
export const DECODED = 'stale-\ufffd.md'

/** The program in the front matter; it leaves `hacked` beside its file if anybody runs it. */
function program(root: string): string {
  return `---js\n{ title: require('fs').writeFileSync(${JSON.stringify(path.join(root, 'hacked'))}, 'x') }\n---\n# Trap\n\n${LINE}`
}

const CORPORA = ['commands', 'docs'] as const

/** Names with an ordinary text behind them that reads FLOUR, in each corpus. */
const READERS = [...ODD_NAMES, 'full-folder.md/inside.md', `${DEEP}/deep.md`, 'broken-utf8.md', 'nul.md', 'js.md']
/** Names of files that are there as well, with nothing in them that could be understood. */
const SILENT = ['empty.md', 'huge.md', 'long-line.md', 'secret.md', DECODED]

/** Ids of the commands that read FLOUR, in code point order. */
export function readersOfFlour(): string[] {
  return READERS.map(commandId).sort(byCodePoint)
}

/** Ids of all commands. */
export function commands(): string[] {
  return [...READERS, ...SILENT].map(commandId).sort(byCodePoint)
}

function commandId(name: string): string {
  return `cmd:${name.replace(/\.md$/, '').replaceAll('/', ':')}`
}

/** As SQLite and the query verbs sort. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** What a person is told: `path code` of every finding, sorted; for the skipped names the code says why. */
export function expectedFindings(byGit: boolean): { all: string[]; skipped: string[] } {
  const all: string[] = []
  const skipped: string[] = []
  for (const corpus of CORPORA) {
    const say = (code: string, names: readonly string[], skips: boolean): void => {
      for (const name of names) {
        all.push(`${corpus}/${name} ${code}`)
        if (skips) skipped.push(`${corpus}/${name}`)
      }
    }
    const isSpec = corpus === 'commands'
    say('invalid-utf8', ['broken-utf8.md'], false)
    say('front-matter-language', ['js.md'], false)
    // The spec corpora take a file of any size and content: there the finding stands beside the facts.
    say('too-large', ['huge.md', 'long-line.md'], !isSpec)
    say('binary', ['nul.md'], !isSpec)
    say('unreadable', ['secret.md', DECODED, DECODED], true)
    say('unreadable-folder', ['locked'], true)
    say('link-loop', ['loop-a.md', 'loop-b.md'], true)
    say('outside-link', ['outside-link.md'], true)
    // A folder may be called x.md: below docs/ nobody would take it for a source.
    if (isSpec) say('not-a-file', ['empty-folder.md', 'full-folder.md'], true)
    // Git names no pipes and sockets; the spec corpora are walked in any case.
    if (isSpec || !byGit) say('not-a-file', ['pipe.md', 'socket.md'], true)
  }
  return { all: all.sort(byCodePoint), skipped: skipped.sort(byCodePoint) }
}

/** How many names the index has a row for. */
export function expectedRows(byGit: boolean, { crowd }: Pantry): number {
  const { skipped } = expectedFindings(byGit)
  const sources = CORPORA.flatMap((corpus) => [...READERS, ...SILENT, DECODED].map((name) => `${corpus}/${name}`))
  const names = sources.filter((name) => !skipped.includes(name))
  return names.length + skipped.length + crowd + ['scripts/preheat.sh', 'devdocs/rules.md'].length
}

/** Builds the pantry below `root`, where everything then belongs to the user that the commands run as. */
export async function stockPantry(root: string, byGit: boolean, { huge, crowd }: Pantry): Promise<Server[]> {
  const outside = path.join(path.dirname(root), 'outside.md')
  writeFileSync(outside, '# Outside\n')
  writeTree(root, { 'scripts/preheat.sh': '#!/bin/sh\n', 'devdocs/rules.md': '# Rules\n' })
  const servers: Server[] = []
  for (const corpus of CORPORA) {
    const at = (name: string): string => path.join(root, corpus, name)
    const bytes = (name: string | Buffer, content: string | Uint8Array): void =>
      writeFileSync(typeof name === 'string' ? at(name) : Buffer.concat([Buffer.from(`${at('.')}/`), name]), content)
    mkdirSync(at('shelf'), { recursive: true })
    bytes('broken-utf8.md', Buffer.concat([Buffer.from(LINE), Buffer.from([0x63, 0xff, 0xfe, 0xc3, 0x0a])]))
    sparse(at('huge.md'), huge)
    mkdirSync(at('empty-folder.md'))
    mkdirSync(at('full-folder.md'))
    bytes('full-folder.md/inside.md', LINE)
    fifo(at('pipe.md'))
    servers.push(await socket(at('socket.md')))
    bytes('secret.md', LINE)
    mkdirSync(at('locked'))
    bytes('locked/hidden.md', LINE)
    symlinkSync('loop-b.md', at('loop-a.md'))
    symlinkSync('loop-a.md', at('loop-b.md'))
    symlinkSync(outside, at('outside-link.md'))
    symlinkSync('shelf', at('folder-link'))
    symlinkSync('shelf', at('folder-link.md'))
    symlinkSync('gone.md', at('dangling-link.md'))
    symlinkSync('empty.md', at('inside-link.md'))
    bytes('js.md', program(root))
    for (const name of ODD_NAMES) bytes(name, LINE)
    for (const name of UNDECODABLE) bytes(name, LINE)
    bytes('empty.md', '')
    bytes('long-line.md', Buffer.alloc(10 * 1024 * 1024, 'flour '))
    bytes('nul.md', `${LINE}\u0000\u0001\n`)
    mkdirSync(at(DEEP), { recursive: true })
    bytes(`${DEEP}/deep.md`, LINE)
  }
  mkdirSync(path.join(root, 'docs/crowd'))
  for (let i = 0; i < crowd; i++) writeFileSync(path.join(root, 'docs/crowd', `loaf-${i}.md`), '# Loaf\n')
  if (byGit) initRepository(root)
  if (AM_ROOT) giveAway(root)
  if (byGit) track(root)
  for (const corpus of CORPORA) {
    chmodSync(path.join(root, corpus, 'secret.md'), 0)
    chmodSync(path.join(root, corpus, 'locked'), 0)
  }
  return servers
}

function sparse(file: string, size: number): void {
  const fd = openSync(file, 'w')
  ftruncateSync(fd, size)
  closeSync(fd)
}

function fifo(file: string): void {
  const { status, stderr } = spawnSync('mkfifo', [file], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mkfifo: ${stderr}`)
}

function socket(file: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(file, () => resolve(server))
    server.unref()
  })
}

/** Hands everything over to the user that the commands run as, links themselves included. */
function giveAway(root: string): void {
  const { status, stderr } = spawnSync('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, root], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`chown: ${stderr}`)
  lchownSync(path.dirname(root), NOBODY, NOBODY)
}

/** Puts most of it into git's index, by the user who will ask: git answers nobody else. */
function track(root: string): void {
  const { status, stderr } = spawnSync('git', ['add', '--', 'commands', 'docs/*.md', 'scripts', ':!*huge*'], {
    cwd: root,
    encoding: 'utf8',
    env: childEnvironment(),
    ...(AM_ROOT && { uid: NOBODY, gid: NOBODY }),
  })
  if (status !== 0) throw new Error(`git add: ${stderr}`)
}
