// Runs `specdex …` inside this process: real files, real index, real SQLite, only the streams are collected.
// Tests that are about processes (exit, pipes, hooks) use run.ts instead.

import { runBackfill } from '../../src/cli/graph-backfill.ts'
import { runProgram } from '../../src/cli/program.ts'
import { runSpec } from '../../src/cli/spec.ts'
import { UserError } from '../../src/model/errors.ts'
import { childEnvironment, type Env } from './environment.ts'

export interface Here {
  readonly cwd: string
  /** Pretend that stdout and stderr are a terminal. */
  readonly tty?: boolean
  /** On top of the cleaned environment; undefined removes a variable. */
  readonly env?: Env
}

export interface HereResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the words behind `specdex`, handed to the same parsers as main.ts does. */
export async function runHere(
  words: readonly string[],
  { cwd, tty = false, env: extra = {} }: Here,
): Promise<HereResult> {
  const out: string[] = []
  const err: string[] = []
  const env = childEnvironment(extra)
  const say = (line: string): void => void err.push(`${line}\n`)
  const talk = { warn: (message: string) => say(`warning: ${message}`), progress: () => {} }
  const io = {
    cwd,
    env,
    stdoutIsTty: tty,
    stderrIsTty: tty,
    out: (text: string) => void out.push(text),
    painted: (text: string) => void out.push(text),
    err: say,
    world: { now: () => Date.now(), env, talk },
  }
  let code: number
  try {
    if (words[0] === 'spec') code = await runSpec(words.slice(1), io)
    else if (words[0] === 'graph' && words[1] === 'backfill') code = await runBackfill(words.slice(2), io)
    else code = await runProgram(words, io)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    say(`error: ${error.message}`)
    code = error.exit
  }
  return { code, stdout: out.join(''), stderr: err.join('') }
}
