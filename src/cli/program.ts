// The commander program: every command, its flags and its help. The work is in the command's own file, loaded only
// when it runs. README "Commands" is generated from here and held by a test.

import { Command, CommanderError } from 'commander'
import { UserError } from '../model/errors.ts'
import { VERSION } from '../model/version.ts'
import { addGraphCommands } from './graph-commands.ts'
import type { Io } from './io.ts'
import { addLedgerCommands, addRecallCommand } from './ledger-commands.ts'
import { SPEC_VERBS } from './spec-verbs.ts'

/** Runs one command line. Returns the exit code: commander's usage errors are 2, help and version 0. */
export async function runProgram(words: readonly string[], io: Io): Promise<number> {
  let code = 0
  const program = buildProgram(words[0], io, (result) => {
    code = result
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : 2
  }
}

const NAME = /<(?:dir|file|path|id)>$/

/** Throws UserError usage for a path or id that is '': resolved, it would be the working directory, which nobody named. */
function refuseEmptyNames(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName())
    if (NAME.test(option.flags) && [value].flat().includes('')) {
      throw new UserError('usage', `${option.long ?? option.flags} needs a value`)
    }
  }
  for (const [place, argument] of command.registeredArguments.entries()) {
    const name = `<${argument.name()}>`
    if (NAME.test(name) && command.args[place] === '') throw new UserError('usage', `${name} must not be empty`)
  }
}

/**
 * The command tree. `done` receives the exit code of the command that ran. Where `first` is the name of a large group,
 * that group alone: nothing that it says names the others, and to make them all takes as long as a small query.
 */
function buildProgram(first: string | undefined, io: Io, done: (code: number) => void): Command {
  const program = new Command('specdex')
    .description("One SQLite file that knows a repository's prose: specs, decisions, the code they govern.")
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: (text) => io.err(text.replace(/\n$/, '')) })
    .showSuggestionAfterError()
    .showHelpAfterError('(specdex --help lists the commands, specdex COMMAND --help its flags)')
    .hook('preAction', (_, action) => refuseEmptyNames(action))

  const groups = { graph: addGraphCommands, ledger: addLedgerCommands, recall: addRecallCommand }
  for (const [name, add] of Object.entries(groups)) {
    if (first !== name) continue
    add(program, io, done)
    return program
  }

  const command = (name: string, summary: string): Command =>
    // program.command(), not addCommand(): only the former inherits exitOverride and configureOutput.
    program
      .command(name)
      .description(summary)
      .option('--root <dir>', 'root folder (default: nearest folder with .specdex, else the git work tree)')
      .option('--db <file>', 'index file (default: .specdex/index.db under the root; also SPECDEX_DB)')

  command('index', 'bring the index up to date: scan, compare, extract what changed, report')
    .option('--full', 'extract every file again')
    .option('--verify', 'build a second index from nothing and compare the two')
    .option('--json', 'report as JSON')
    .option('-q, --quiet', 'print errors only')
    .action(async (options: Record<string, unknown>) => {
      done(await (await import('./index-command.ts')).runIndex(options, io))
    })

  command('status', 'say whether the index is fresh, and if not why; changes nothing')
    .option('--check', 'exit 1 unless the index is fresh')
    .option('--json', 'report as JSON')
    .action(async (options: Record<string, unknown>) => {
      done(await (await import('./status.ts')).runStatus(options, io))
    })

  command('doctor', 'check the health of the index and its surroundings, with the command that mends each finding')
    .option('--json', 'report as JSON')
    .action(async (options: Record<string, unknown>) => {
      done(await (await import('./doctor.ts')).runDoctor(options, io))
    })

  command('snapshot', 'write a consistent copy of the index to a new file, safe while others write')
    .argument('<file>', 'file to write; must not exist')
    .action(async (file: string, options: Record<string, unknown>) => {
      done(await (await import('./snapshot.ts')).runSnapshot(file, options, io))
    })

  command('sql', 'ask the index in SQL: one statement that only reads')
    .argument('[statement]', 'SELECT … over the public views (--schema lists them)')
    .option('--schema', 'print the public views and the private tables')
    .option('--table', 'aligned columns (default)')
    .option('--json', 'one JSON document')
    .option('--csv', 'comma-separated values')
    .option('--no-stale-check', 'ask the index as it stands')
    .action(async (statement: string | undefined, options: Record<string, unknown>) => {
      done(await (await import('./sql.ts')).runSql(statement ?? null, options, io))
    })

  program.command('sql-child', { hidden: true }).action(async () => {
    done(await (await import('./sql.ts')).runSqlChild(io))
  })

  addGraphCommands(program, io, done)
  addLedgerCommands(program, io, done)
  addRecallCommand(program, io, done)

  const spec = program
    .command('spec')
    .description('spec knowledge graph of agent command specs: export, queries, validation')
    .usage('<verb> [argument] [flags]')
  for (const verb of SPEC_VERBS) {
    if (verb.hidden) continue
    // Only listed here: main.ts hands all words behind `spec` to cli/spec.ts.
    spec.command(`${verb.name}${verb.argument === null ? '' : ` <${verb.argument}>`}`).description(verb.summary)
  }
  return program
}
