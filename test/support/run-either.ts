// `specdex …` for tests that are not about processes but are many: `npm test` asks the same code in this process, and
// `npm run test:long` the built program. The long run takes every test file that imports this module itself.
// `sql` is a process in both, because it starts its own program once more for the statement.

import { effort } from './effort.ts'
import { runCli } from './run.ts'
import { type Here, type HereResult, runHere } from './run-here.ts'

/** Runs `specdex WORDS` one way or the other. A process that a signal ended has code -1. */
export async function runEither(words: readonly string[], here: Omit<Here, 'tty'>): Promise<HereResult> {
  if (effort(0, 1) === 0 && words[0] !== 'sql') return runHere(words, here)
  const { code, stdout, stderr } = await runCli(words, here)
  return { code: code ?? -1, stdout, stderr }
}
