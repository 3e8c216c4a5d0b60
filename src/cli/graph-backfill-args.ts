// The words behind `specdex graph backfill`. Pure. The surprise: --accept, --accept-edges and --reject take every word
// up to the next flag, since one decides about several files at a time.

import { UserError } from '../model/errors.ts'

export interface BackfillWords {
  readonly values: ReadonlyMap<string, string>
  readonly switches: ReadonlySet<string>
  /** Artifacts that the proposals are limited to. */
  readonly only: readonly string[]
  readonly accept: readonly string[]
  readonly reject: readonly string[]
  /** By id, in the order given. */
  readonly acceptEdges: ReadonlyMap<string, readonly { readonly field: string; readonly target: string }[]>
}

const VALUES = ['--root', '--db', '--module', '--adr-dir', '--spec-dir', '--patch']
const SWITCHES = ['--json', '--reset', '--no-cache']
const LISTS = ['--accept', '--accept-edges', '--reject']

export const BACKFILL_HELP = `Usage: specdex graph backfill [ID...] [flags]

Proposes edges for the front matter of ADRs and specs from what their text says, and shows them as a diff per file.
On a terminal it asks file by file; nothing is written without a yes for that file.

  --accept ID...                      write what is proposed for these artifacts
  --accept-edges ID:FIELD=TARGET...   write these edges only, proposed or not
  --reject ID...                      do not propose these edges again (.specdex/backfill-rejected.txt)
  --reset                             forget what was rejected, then propose
  --patch FILE                        write all proposals as one patch for git apply (- for standard output)
  --json                              answer as JSON
  --module NAME                       one module of a workspace
  --adr-dir DIR, --spec-dir DIR       folders of ADRs and specs
  --root DIR, --db FILE, --no-cache   as for the other graph verbs

Exit 0 done or nothing to do, 1 a file was refused, 2 usage.
`

/** Reads the words; null where help was asked for. Throws UserError usage (exit 2). */
export function parseBackfillWords(words: readonly string[]): BackfillWords | null {
  const values = new Map<string, string>()
  const switches = new Set<string>()
  const lists = new Map<string, string[]>([['', []], ...LISTS.map((name): [string, string[]] => [name, []])])
  let open = ''
  const add = (name: string, word: string): void => {
    lists.get(name)?.push(word)
  }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '-h' || word === '--help') return null
    if (!word.startsWith('--')) {
      if (word.startsWith('-')) throw usage(`unknown flag: ${word}`)
      add(open, word)
      continue
    }
    const equals = word.indexOf('=')
    const name = equals < 0 ? word : word.slice(0, equals)
    const attached = equals < 0 ? null : word.slice(equals + 1)
    open = ''
    if (LISTS.includes(name)) {
      open = name
      if (attached !== null) add(name, attached)
      else if (words[i + 1]?.startsWith('-') !== false) throw usage(`${name} needs a value`)
    } else if (VALUES.includes(name)) {
      const value = attached ?? words[++i]
      if (value === undefined || value === '') throw usage(`${name} needs a value`)
      values.set(name, value)
    } else if (SWITCHES.includes(name) && attached === null) switches.add(name)
    else throw usage(`unknown flag: ${word}`)
  }
  const list = (name: string): string[] => [...new Set(lists.get(name))]
  const parsed = {
    values,
    switches,
    only: list(''),
    accept: list('--accept'),
    reject: list('--reject'),
    acceptEdges: edgesOf(list('--accept-edges')),
  }
  demandOneDecision(parsed)
  return parsed
}

function demandOneDecision({ accept, reject, acceptEdges, values }: BackfillWords): void {
  const decided = [...accept, ...reject, ...acceptEdges.keys()]
  const twice = decided.find((id, index) => decided.indexOf(id) !== index)
  if (twice !== undefined) throw usage(`${twice} is decided about twice`)
  if (values.has('--patch') && decided.length > 0) throw usage('--patch goes with no decision')
}

/** `ID:field=TARGET`; several targets are divided by commas. */
function edgesOf(words: readonly string[]): Map<string, { field: string; target: string }[]> {
  const edges = new Map<string, { field: string; target: string }[]>()
  for (const word of words) {
    const [, id, field, targets] = /^(.+):([a-z]+)=(.+)$/.exec(word) ?? []
    if (id === undefined || field === undefined || targets === undefined) {
      throw usage(`--accept-edges takes ID:FIELD=TARGET, not ${word}`)
    }
    const known = edges.get(id) ?? []
    for (const target of targets.split(',')) if (target !== '') known.push({ field, target })
    if (known.length === 0) throw usage(`--accept-edges takes ID:FIELD=TARGET, not ${word}`)
    edges.set(id, known)
  }
  return edges
}

function usage(message: string): UserError {
  return new UserError('usage', message, 'try: specdex graph backfill --help')
}
