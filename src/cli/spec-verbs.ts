// The spec verbs and their flags: the one table from which words are parsed, help is printed and the README is checked.
// Data only. It is loaded by every `specdex spec …`, so it must not import anything.

export interface SpecFlag {
  /** With its dashes. */
  readonly name: string
  /** What the value is called in help; null for a switch. */
  readonly value: 'DIR' | 'FILE' | 'VERSION' | 'N' | null
  readonly summary: string
}

export interface SpecVerb {
  readonly name: string
  /** Name of the one argument, null where the verb takes none. */
  readonly argument: string | null
  readonly summary: string
  readonly flags: readonly SpecFlag[]
  /** True for what only the installed hook calls. */
  readonly hidden: boolean
}

const ROOT: SpecFlag = {
  name: '--root',
  value: 'DIR',
  summary: 'root folder (default: nearest folder with .specdex, else the git work tree)',
}
const DB: SpecFlag = { name: '--db', value: 'FILE', summary: 'index file (default: .specdex/index.db under the root)' }
const COMPAT: SpecFlag = {
  name: '--compat',
  value: 'VERSION',
  summary: 'forgedock-1.7: byte for byte what the public tools print; default: ours (also config key `compat`)',
}
const HELP: SpecFlag = { name: '--help', value: null, summary: 'show help (-h)' }

const QUERY_FLAGS: readonly SpecFlag[] = [
  { name: '--human', value: null, summary: 'aligned lists instead of JSON' },
  { name: '--graph', value: 'FILE', summary: 'ask this spec-graph JSON instead of the index' },
  { name: '--strict-stale', value: null, summary: 'exit 1 instead of repairing what is stale' },
  { name: '--no-stale-check', value: null, summary: 'answer from what is there, stale or not' },
  ROOT,
  DB,
  COMPAT,
  HELP,
]
const BUDGET: SpecFlag = {
  name: '--budget',
  value: 'N',
  summary: 'list {path, tokens, reason}, nearest first, within N estimated tokens',
}

function query(name: string, argument: string, summary: string, more: readonly SpecFlag[] = []): SpecVerb {
  return { name, argument, summary, flags: [...more, ...QUERY_FLAGS], hidden: false }
}

export const QUERY_VERBS: readonly SpecVerb[] = [
  query('readers', 'marker', 'specs that READ an annotation'),
  query('writers', 'marker', 'specs that WRITE (post) an annotation'),
  query('impact', 'node', 'everything transitively affected if a node changes'),
  query('deps', 'command', "a command's inputs and outputs, grouped by edge type"),
  query('load-set', 'command', 'the files to read for a command: itself, its sub-phases, required devdocs', [BUDGET]),
  query('search', 'text', 'nodes whose id, name or path holds the text'),
]

export const SPEC_VERBS: readonly SpecVerb[] = [
  {
    name: 'build',
    argument: null,
    summary: 'export the graph as JSON, by default to .forgedock/graph/spec-graph.json',
    flags: [
      { name: '--out', value: 'FILE', summary: 'write to this file instead' },
      { name: '--stdout', value: null, summary: 'print the document, write no file' },
      { name: '--hash', value: null, summary: 'print only the fingerprint of the spec corpus' },
      { name: '--quiet', value: null, summary: 'no summary on stderr' },
      ROOT,
      DB,
      COMPAT,
      HELP,
    ],
    hidden: false,
  },
  ...QUERY_VERBS,
  {
    name: 'validate',
    argument: null,
    summary: 'check the graph: orphan markers, dangling Skill() calls, labels that nothing sets',
    flags: [
      { name: '--soft', value: null, summary: 'report, but exit 0 even with HARD findings' },
      { name: '--graph', value: 'FILE', summary: 'judge this spec-graph JSON' },
      { name: '--quiet', value: null, summary: 'print the summary line only' },
      { name: '--json', value: null, summary: 'print {summary, findings}' },
      ROOT,
      DB,
      COMPAT,
      HELP,
    ],
    hidden: false,
  },
  {
    name: 'install-hook',
    argument: null,
    summary: 'write .githooks/pre-commit, which keeps a committed graph fresh; never overwrites a foreign hook',
    flags: [{ name: '--uninstall', value: null, summary: 'remove our hook, and only ours' }, ROOT, HELP],
    hidden: false,
  },
  {
    name: 'hook-run',
    argument: null,
    summary: 'what the installed hook runs; never blocks a commit',
    flags: [ROOT, HELP],
    hidden: true,
  },
]
