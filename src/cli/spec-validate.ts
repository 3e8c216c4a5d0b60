// `specdex spec validate`: words in, report out (seed 000 "Validating the graph", sheet spec-graph §9).

import { tmpdir } from 'node:os'
import path from 'node:path'
import { assertNever, UserError } from '../model/errors.ts'
import type { ValidationView } from '../model/spec-views.ts'
import { summarise, validationJson, validationLine, validationReport } from '../render/spec-validation.ts'
import { validate } from '../spec/validate.ts'
import type { Io } from './io.ts'
import { missingValue, type ParsedWords, parseWords, type Stop, strangeUnderCompat } from './spec-args.ts'
import { specHelp } from './spec-help.ts'
import { specPlace } from './spec-place.ts'
import type { SpecVerb } from './spec-verbs.ts'

/** Runs the verb. Exit 1 with a HARD finding unless --soft, and for every error of arguments or graph. */
export async function runValidate(words: readonly string[], verb: SpecVerb, io: Io): Promise<number> {
  const { stop, words: parsed } = parseWords(words, verb.flags, { positionals: false, lenient: [] })
  if (stop?.kind === 'help') {
    io.out(specHelp(verb))
    return 0
  }
  if (stop !== null) throw usage(stopMessage(stop))
  const { place, mode } = await specPlace(parsed, io, 1)
  const strange = mode === 'default' ? null : strangeUnderCompat(parsed, ['--db', '--compat'])
  if (strange !== null) throw usage(stopMessage({ kind: 'unknown-flag', word: strange }))
  const view = await validate({
    place,
    mode,
    file: parsed.values.get('--graph') ?? null,
    cwd: io.cwd,
    world: io.world,
    temporaryGraph: path.join(tmpdir(), `spec-graph.${process.pid}.json`),
  })
  io.out(report(view, parsed, mode === 'default', io.stdoutIsTty))
  return summarise(view).hard > 0 && !parsed.switches.has('--soft') ? 1 : 0
}

function report(view: ValidationView, words: ParsedWords, ours: boolean, terminal: boolean): string {
  const quiet = words.switches.has('--quiet')
  // Together, the public tool prints both; ours keeps stdout one document (sheet spec-graph §0).
  if (words.switches.has('--json')) return validationJson(view) + (quiet && !ours ? validationLine(view) : '')
  return quiet ? validationLine(view) : validationReport(view, terminal)
}

function stopMessage(stop: Exclude<Stop, { kind: 'help' }>): string {
  switch (stop.kind) {
    case 'missing-value':
      return missingValue(stop.flag)
    case 'unknown-flag':
      return `unknown flag: ${stop.word} (try --help)`
    case 'positional':
      return `unexpected argument: ${stop.word} (this validator takes no positionals; try --help)`
    default:
      return assertNever(stop)
  }
}

function usage(message: string): UserError {
  return new UserError('usage', message, null, 1)
}
