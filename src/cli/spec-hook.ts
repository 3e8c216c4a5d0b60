// `specdex spec install-hook` and, hidden, `specdex spec hook-run`, which the installed hook calls.

import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPlace } from '../indexing/place.ts'
import { UserError } from '../model/errors.ts'
import { findRoot } from '../scan/root.ts'
import type { Io } from './io.ts'
import { missingValue, type ParsedWords, parseWords } from './spec-args.ts'
import { specHelp } from './spec-help.ts'
import type { SpecVerb } from './spec-verbs.ts'
import { processWriting } from './spec-writing.ts'

/** Installs or removes the hook. Exit 1 where something foreign is in the way. */
export async function runInstallHook(words: readonly string[], verb: SpecVerb, io: Io): Promise<number> {
  const parsed = parse(words, verb, io)
  if (parsed === null) return 0
  const { installHook, uninstallHook } = await import('../spec/hook-install.ts')
  const root = findRoot(parsed.values.get('--root') ?? null, io.cwd)
  const told = parsed.switches.has('--uninstall') ? uninstallHook(root, io.env) : installHook(root, io.env)
  for (const line of told) io.out(`${line}\n`)
  return 0
}

/** Runs as the hook: whatever happens, the commit goes on, so this always returns 0. */
export async function runHook(words: readonly string[], verb: SpecVerb, io: Io): Promise<number> {
  try {
    const parsed = parse(words, verb, io)
    if (parsed === null) return 0
    const { refreshForCommit } = await import('../spec/hook-run.ts')
    // Git starts hooks at the top of the work tree, and nothing says that this is our root.
    const root = path.resolve(io.cwd, parsed.values.get('--root') ?? '.')
    const place = await findPlace({ root, db: null, cwd: io.cwd, env: io.env })
    await refreshForCommit({
      place,
      cwd: io.cwd,
      temporary: tmpdir(),
      world: io.world,
      writing: processWriting(),
      say: io.err,
    })
  } catch (error) {
    io.err('spec-graph: rebuild failed — committing without refreshing the graph')
    io.err(`  ${error instanceof Error ? error.message : String(error)}`)
  }
  return 0
}

/** Null after help was shown. Throws UserError usage, exit 1. */
function parse(words: readonly string[], verb: SpecVerb, io: Io): ParsedWords | null {
  const { stop, words: parsed } = parseWords(words, verb.flags, { positionals: false, lenient: [] })
  if (stop === null) return parsed
  if (stop.kind === 'help') {
    io.out(specHelp(verb))
    return null
  }
  const message =
    stop.kind === 'missing-value' ? missingValue(stop.flag) : `unknown argument: ${stop.word} (try --help)`
  throw new UserError('usage', message, null, 1)
}
