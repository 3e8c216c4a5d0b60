// Entry of the command line: picks the command, turns errors into exit codes. The only boundary that does.
// Exit 0 answered · 1 found something wrong or refused · 2 could not do it · 70 a bug of ours (ARCHITECTURE §6).

import { UserError } from '../model/errors.ts'
import { VERSION } from '../model/version.ts'
import { processIo } from './io.ts'

const BUG = 70

async function main(typed: string[]): Promise<number> {
  const words = typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed
  const io = processIo(words.includes('--quiet') || words.includes('-q'))
  try {
    if (words[0] === '--version' || words[0] === '-V') {
      io.out(`${VERSION}\n`)
      return 0
    }
    // The spec verbs parse their own words by the seed's rules, and start faster without commander.
    if (words[0] === 'spec') {
      const { runSpec } = await import('./spec.ts')
      return await runSpec(words.slice(1), io)
    }
    // Takes several ids after each of its flags, which commander's words cannot say.
    if (words[0] === 'graph' && words[1] === 'backfill') {
      const { runBackfill } = await import('./graph-backfill.ts')
      return await runBackfill(words.slice(2), io)
    }
    const { runProgram } = await import('./program.ts')
    return await runProgram(words, io)
  } catch (error) {
    if (error instanceof UserError) {
      io.err(`error: ${error.message}`)
      if (error.hint !== null) io.err(`hint: ${error.hint}`)
      return error.exit
    }
    io.err(`specdex ${VERSION}: a bug in specdex, please report it with what follows`)
    io.err(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return BUG
  }
}

main(process.argv.slice(2)).then((code) => {
  // Never process.exit(): it would cut what a stream has not taken yet.
  process.exitCode ||= code
})
