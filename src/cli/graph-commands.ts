// The commands below `specdex graph`, with their flags and help. The work is in graph.ts, loaded when one runs.

import type { Command } from 'commander'
import type { Io } from './io.ts'

type Options = Record<string, unknown>

/** Adds `graph` and its verbs to the program. `done` receives the exit code. */
export function addGraphCommands(program: Command, io: Io, done: (code: number) => void): void {
  const graph = program
    .command('graph')
    .description('artifact graph: ADRs, specs and the code they govern')
    .usage('<verb> [id] [flags]')

  const verb = (name: string, summary: string): Command =>
    graph
      .command(name)
      .description(summary)
      .option('--root <dir>', 'root folder (default: nearest folder with .specdex, else the git work tree)')
      .option('--db <file>', 'index file (default: .specdex/index.db under the root; also SPECDEX_DB)')
      .option('--adr-dir <dir>', 'folder of ADRs, for this run')
      .option('--spec-dir <dir>', 'folder of specs, for this run')
      .option('--json', 'answer as JSON')

  const query = (name: string, summary: string): Command =>
    verb(name, summary)
      .option('--module <name>', 'one module of a workspace; ids without its prefix')
      .option('--no-cache', 'build the graph in memory from the files, without the index')

  const formats = (command: Command): Command =>
    command
      .option('--dag', 'diagram of lines and boxes')
      .option('--table', 'Markdown table')
      .option('--requirements', 'in the table, also name the requirements that governing comments give')
      .option('--mermaid', 'Mermaid flowchart')
      .option('--allow-invalid', 'answer although the graph has errors, with a warning')
      .option('--no-stale-check', 'answer from the index as it stands')

  query('validate', 'check the graph: unknown ids, cycles, statuses, malformed fields, unreadable comments').action(
    async (options: Options) => {
      done(await (await import('./graph.ts')).runValidate(options, io))
    },
  )
  for (const [name, summary] of [
    ['impact', 'what depends on an artifact, and would be affected if it changes'],
    ['ancestors', 'what an artifact or a source file depends on'],
    ['chain', 'both at once: the whole lineage of an artifact'],
  ] as const) {
    formats(query(`${name} <id>`, summary)).action(async (id: string, options: Options) => {
      done(await (await import('./graph.ts')).runTraversal(name, id, options, io))
    })
  }
  formats(query('orphans', 'source files, specs and ADRs that nothing ties together'))
    .option('--scope <dir>', 'only source files below this folder')
    .action(async (options: Options) => {
      done(await (await import('./graph.ts')).runOrphans(options, io))
    })
  formats(query('cycles', 'artifacts that depend on each other in a circle'))
    .option('--scope <dir>', 'only cycles with an artifact below this folder')
    .action(async (options: Options) => {
      done(await (await import('./graph.ts')).runCycles(options, io))
    })
  query('findings', 'what is legal and still worth a look: superseded artifacts in use, numbers used twice').action(
    async (options: Options) => {
      done(await (await import('./graph.ts')).runFindings(options, io))
    },
  )
  query('next-id', 'the next free number')
    .option('--kind <kind>', 'adr or spec', 'adr')
    .action(async (options: Options) => {
      done(await (await import('./graph.ts')).runNextId(options, io))
    })
  verb('conventions', 'which conventions and modules were found here, and why')
    .option('--pin', 'write them into .specdex/config.yml')
    .action(async (options: Options) => {
      done(await (await import('./graph-conventions.ts')).runConventions(options, io))
    })
  // Only listed here: main.ts hands all words behind `graph backfill` to cli/graph-backfill.ts.
  graph.command('backfill [ids...]').description('propose edges for front matter from what the texts say, file by file')
}
