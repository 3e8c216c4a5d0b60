// Runs `specdex spec …` inside this process: real files, real index, real SQLite, only the streams are collected.
// Tests that are about processes (exit, pipes, hooks) use support/run.ts instead.

import { runSpec } from '../../src/cli/spec.ts'
import { childEnvironment } from '../support/environment.ts'

export interface SpecResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface SpecOptions {
  readonly cwd: string
  /** Pretend that stdout and stderr are a terminal. */
  readonly tty?: boolean
}

/** Runs the words behind `specdex spec`. */
export async function spec(words: readonly string[], { cwd, tty = false }: SpecOptions): Promise<SpecResult> {
  let stdout = ''
  let stderr = ''
  const err = (line: string): void => {
    stderr += `${line}\n`
  }
  const env = childEnvironment()
  const talk = { warn: (message: string) => err(`warning: ${message}`), progress: () => {} }
  const code = await runSpec(words, {
    cwd,
    env,
    stdoutIsTty: tty,
    stderrIsTty: tty,
    out: (text) => {
      stdout += text
    },
    painted: (text) => {
      stdout += text
    },
    err,
    world: { now: () => Date.now(), env, talk },
  })
  return { code, stdout, stderr }
}
