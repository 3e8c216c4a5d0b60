// `specdex ledger …` and `specdex recall`, with their flags and help. The work is in ledger.ts and recall.ts, loaded when
// one runs.

import type { Command } from 'commander'
import type { Io } from './io.ts'

type Options = Record<string, unknown>

function placed(command: Command): Command {
  return command
    .option('--root <dir>', 'root folder (default: nearest folder with .specdex, else the git work tree)')
    .option('--db <file>', 'index file (default: .specdex/index.db under the root; also SPECDEX_DB)')
}

/** Adds `ledger` to the program. `done` receives the exit code. */
export function addLedgerCommands(program: Command, io: Io, done: (code: number) => void): void {
  const ledger = program
    .command('ledger')
    .description('the ledger: lessons from annotations on issues and pull requests')
    .usage('<verb> [argument] [flags]')
  const verb = (name: string, summary: string): Command =>
    placed(ledger.command(name).description(summary)).option(
      '--repo <owner/name>',
      'repository on GitHub (default: ledger.repo, else the remote origin, else the only one in the ledger)',
    )

  verb('update', 'fetch what changed on GitHub and rebuild its cards')
    .option('--issue <number>', 'only this issue or pull request, which may be gone')
    .option('--reconcile', 'also find issues that were deleted or transferred')
    .option('--full-rebuild', 'fetch everything again, and swap it in when it is complete')
    .option('--from <path>', 'read issues from a folder or file as GitHub returns them, instead of asking it')
    .option('--api <url>', 'base address of the REST API (default: ledger.api)')
    .option('--trust <associations>', 'with --full-rebuild: whose annotations count, e.g. OWNER,MEMBER')
    .option('--mirror', 'mirror on the branch forge-knowledge afterwards')
    .option('--non-blocking', 'a failure is one line on stderr and exit 0')
    .option('--json', 'report as JSON')
    .option('-q, --quiet', 'print errors only')
    .action(async (options: Options) => {
      done(await (await import('./ledger.ts')).runUpdate(options, io))
    })
  verb('export', 'write knowledge.jsonl, postings.json, manifest.json and renames.jsonl')
    .argument('<dir>', 'folder to write to')
    .action(async (folder: string, options: Options) => {
      done(await (await import('./ledger.ts')).runExport(folder, options, io))
    })
  placed(ledger.command('import').description('fill an empty ledger from such a folder, without GitHub'))
    .argument('<dir>', 'folder to read')
    .action(async (folder: string, options: Options) => {
      done(await (await import('./ledger.ts')).runImport(folder, options, io))
    })
  verb('push', 'mirror the ledger on the branch forge-knowledge of the remote').action(async (options: Options) => {
    done(await (await import('./ledger.ts')).runPush(options, io))
  })
  verb('pull', 'take in what that branch knows better').action(async (options: Options) => {
    done(await (await import('./ledger.ts')).runPull(options, io))
  })
}

/** Adds `recall` to the program. `done` receives the exit code. */
export function addRecallCommand(program: Command, io: Io, done: (code: number) => void): void {
  const several = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]
  placed(program.command('recall').description('have we met this before? lessons by text, file, symbol or artifact'))
    .argument('[text...]', 'words to look for')
    .option('--file <path>', 'lessons that cite this file, under any name it had (repeatable)', several)
    .option('--symbol <name>', 'lessons that cite this symbol (repeatable)', several)
    .option('--for <id>', 'lessons that cite files of an artifact, or of what depends on it')
    .option('--k <n>', 'how many results (default: 5)')
    .option('--kind <kind>', 'only investigation, pattern or decision')
    .option('--min-score <score>', 'least score of a result (default: 0.1)')
    .option('--include-stale', 'also lessons whose code is gone, marked')
    .option('--explain', 'show how each score came about')
    .option('--live', 'where nothing is indexed yet: ask the search of GitHub, mark the results live, write nothing')
    .option('--repo <owner/name>', 'only lessons of this repository; with --live also the one to ask')
    .option('--doctor', 'the health of the ledger instead')
    .option('--json', 'answer as JSON')
    .action(async (words: string[], options: Options) => {
      done(await (await import('./recall.ts')).runRecall(words, options, io))
    })
}
