// The room map: which folders there are below src, who may import whom, and which packages enter where.
// This table *is* the architecture; the README's code map describes it. A new room or package is declared here first.

export interface Room {
  /** Rooms that this one may import, beside itself. */
  readonly imports: readonly string[]
  /** Outside packages that enter through this room. */
  readonly packages: readonly string[]
  /** Node's own modules, without `node:` and without subpaths. */
  readonly builtins: readonly string[]
}

/** Modules of Node that compute and touch nothing. */
const PURE = ['buffer', 'crypto', 'path', 'string_decoder', 'url', 'util']

/** Use cases and below, in layers from the bottom; `cli` and the façade stand on top. */
export const ROOMS: Readonly<Record<string, Room>> = {
  model: { imports: [], packages: [], builtins: [] },
  extract: {
    imports: ['model'],
    packages: ['gray-matter', 'js-yaml', 'valibot', 'fastest-levenshtein', 'yaml'],
    builtins: PURE,
  },
  graph: { imports: ['model'], packages: [], builtins: ['crypto'] },
  render: { imports: ['model'], packages: [], builtins: [] },
  scan: {
    imports: ['model'],
    packages: ['fast-glob', 'ignore'],
    builtins: [...PURE, 'fs', 'child_process', 'os'],
  },
  store: {
    imports: ['model'],
    packages: ['better-sqlite3', 'drizzle-orm'],
    builtins: [...PURE, 'fs', 'module', 'os'],
  },
  indexing: { imports: ['scan', 'extract', 'store', 'graph', 'model'], packages: [], builtins: PURE },
  spec: {
    imports: ['indexing', 'scan', 'extract', 'store', 'graph', 'model'],
    packages: ['fastest-levenshtein'],
    builtins: [...PURE, 'fs', 'os'],
  },
  artifact: {
    imports: ['indexing', 'scan', 'extract', 'store', 'graph', 'model'],
    packages: [],
    builtins: [...PURE, 'fs', 'os'],
  },
  ledger: {
    imports: ['indexing', 'scan', 'extract', 'store', 'graph', 'model'],
    packages: ['@octokit/core', '@octokit/plugin-retry', '@octokit/plugin-throttling'],
    // `gh` and git are started here, without a shell.
    builtins: [...PURE, 'fs', 'os', 'child_process'],
  },
  cli: {
    imports: ['spec', 'artifact', 'ledger', 'indexing', 'scan', 'extract', 'store', 'graph', 'render', 'model'],
    packages: ['commander', '@clack/prompts'],
    builtins: [
      ...PURE,
      'fs',
      'child_process',
      'events',
      'module',
      'os',
      // cli/start.ts runs the program from what V8 kept of it.
      'vm',
      'process',
      'readline',
      'stream',
      'timers',
      'tty',
    ],
  },
}

/** The façade: one file on top of the use cases. */
export const FACADE = 'index.ts'
export const FACADE_IMPORTS: readonly string[] = ['spec', 'artifact', 'indexing', 'store', 'model']

/** The only room that knows time, environment, standard streams and chance. */
export const WORLDLY = 'cli'
/** The only room with SQL text. */
export const SQL_ROOM = 'store'
/** A file longer than this is two files. */
export const MAX_LINES = 400
/** Names that say nothing about what is inside. */
export const BANNED_NAMES: readonly string[] = ['util', 'utils', 'common', 'helper', 'helpers', 'misc', 'shared']

/** Words to the person who broke a rule: what to do instead. */
export const ADVICE = {
  room: 'declare the room in test/support/architecture-rules.ts, with its arrows, or put the file into an existing one',
  empty: 'remove the room from test/support/architecture-rules.ts or give it its first file',
  arrow: 'imports go down only: move the shared part into a room that both may import, or hand it in as an argument',
  cycle: 'move what both files need into a third one below them',
  computed: 'write the specifier as a literal, so that the bundle and this test can see it',
  outside: 'only files below src may be imported (cli may read package.json)',
  alias: 'use a relative path with its .ts ending',
  package:
    'each package enters through one room: wrap it there and import the wrapper, or list it in the rules with a reason',
  builtin: 'let scan, store or cli touch the world and hand the result in as a value',
  ambient: 'take it as an argument: cli passes World and Clock (model/clock.ts) down',
  random: 'randomness lives in cli: take the value as an argument',
  exit: 'set process.exitCode and return: process.exit cuts off what a pipe has not read yet',
  evaluate: 'text is never run as code here',
  sql: 'put the statement into src/store/queries and import the function that runs it',
  defaultExport: 'export it by name, so that it is called the same everywhere',
  name: 'name the file after what it knows; a small function lives with its first user',
  lines: 'cut it in two along what it knows; a generated file says so in its first line',
  syntax: 'the file does not parse',
} as const

/** Notes a broken rule at an offset of the file under inspection. */
export type Report = (rule: keyof typeof ADVICE, at: number, message: string) => void

/** The room of a path below src; null for a file that stands directly in src. */
export function roomOf(file: string): string | null {
  const slash = file.indexOf('/')
  return slash < 0 ? null : file.slice(0, slash)
}
