// `specdex spec …`: finds the verb and runs it. The query verbs are here, since they must start fast; what build,
// validate and the hook need is loaded only when they run. Bad arguments and unknown nodes exit 1 (seed 000, "Flags &
// behavior"); an index that cannot be opened exits 2 (ARCHITECTURE §6).

import { assertNever, UserError } from '../model/errors.ts'
import type { QueryView } from '../model/spec-views.ts'
import { queryHuman, queryJson } from '../render/spec-query.ts'
import { forTerminal } from '../render/terminal.ts'
import type { SpecGraph } from '../spec/graph.ts'
import { nearest } from '../spec/nearest.ts'
import { budgetedLoadSet, deps, impact, loadSet, neighbours, search, type Wording } from '../spec/query.ts'
import { openGraph, sizeBelow } from '../spec/source.ts'
import type { Io } from './io.ts'
import { missingValue, type ParsedWords, parseWords, type Stop, strangeUnderCompat, verbPosition } from './spec-args.ts'
import { specHelp } from './spec-help.ts'
import { specPlace } from './spec-place.ts'
import { QUERY_VERBS, SPEC_VERBS, type SpecFlag, type SpecVerb } from './spec-verbs.ts'

/** Runs the words behind `specdex spec`. Returns the exit code; throws only what is a bug. */
export async function runSpec(words: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(words, io)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    sayError(error.message, io)
    if (error.hint !== null) io.err(`  ${shown(error.hint, io)}`)
    return error.exit
  }
}

async function dispatch(words: readonly string[], io: Io): Promise<number> {
  const at = verbPosition(words, ALL_FLAGS)
  const rest = words.filter((_, index) => index !== at)
  switch (at < 0 ? null : words[at]) {
    case 'build':
      return (await import('./spec-build.ts')).runBuild(rest, verbOf('build'), io)
    case 'validate':
      return (await import('./spec-validate.ts')).runValidate(rest, verbOf('validate'), io)
    case 'install-hook':
      return (await import('./spec-hook.ts')).runInstallHook(rest, verbOf('install-hook'), io)
    case 'hook-run':
      return (await import('./spec-hook.ts')).runHook(rest, verbOf('hook-run'), io)
    default:
      return runQuery(words, io)
  }
}

function unique(flags: readonly SpecFlag[]): SpecFlag[] {
  return [...new Map(flags.map((flag) => [flag.name, flag])).values()]
}

const ALL_FLAGS = unique(SPEC_VERBS.flatMap((verb) => verb.flags))
const QUERY_FLAGS = unique(QUERY_VERBS.flatMap((verb) => verb.flags))
const FLAG_NAMES = QUERY_FLAGS.map((flag) => flag.name)
/** Flags that only say where and how: with nothing but them, nothing was asked. */
const PLACE_FLAGS = ['--root', '--db', '--compat']
const VISIBLE_VERBS = SPEC_VERBS.filter((verb) => !verb.hidden).map((verb) => verb.name)
const CONTRACT_VERBS = QUERY_VERBS.map((verb) => verb.name).join(' ')
const OUR_VERBS = SPEC_VERBS.filter((verb) => !verb.hidden)
  .map((verb) => verb.name)
  .join(' ')

function verbOf(name: string): SpecVerb {
  const verb = SPEC_VERBS.find((each) => each.name === name)
  if (verb === undefined) throw new Error(`no verb ${name}`)
  return verb
}

interface Query {
  readonly verb: string
  readonly argument: string
  readonly words: ParsedWords
  readonly budget: number | null
}

async function runQuery(words: readonly string[], io: Io): Promise<number> {
  const { stop, words: parsed } = parseWords(words, QUERY_FLAGS, { positionals: true, lenient: [] })
  if (stop?.kind === 'help') {
    // The verb may stand on either side of --help.
    const verb = QUERY_VERBS.find((each) => words.includes(each.name)) ?? null
    io.out(specHelp(verb))
    return 0
  }
  if (stop !== null) throw badArgument(stopMessage(stop, words))
  if (parsed.positionals.length === 0 && parsed.switches.size === 0 && onlyPlace(parsed)) {
    io.out(specHelp(null))
    return 1
  }
  const query = checked(parsed)
  const { place, mode } = await specPlace(parsed, io, 1)
  const strange = mode === 'default' ? null : strangeUnderCompat(parsed, [...PLACE_FLAGS, '--budget'])
  if (strange !== null) throw badArgument(`unknown flag: ${strange}`)
  const { graph, close } = await openGraph({
    place,
    mode,
    file: parsed.values.get('--graph') ?? null,
    cwd: io.cwd,
    strict: parsed.switches.has('--strict-stale'),
    noCheck: parsed.switches.has('--no-stale-check'),
    world: io.world,
    say: io.err,
  })
  try {
    const view = graph.store.read(() => answer(graph, query, mode === 'default' ? 'ours' : 'contract', place.root))
    const human = parsed.switches.has('--human')
    if (view.verb === 'budget' && view.leftOut.length > 0) {
      const tokens = view.leftOut.reduce((sum, item) => sum + item.tokens, 0)
      const files = view.items.length + view.leftOut.length
      io.err(
        `load-set: left out ${view.leftOut.length} of ${files} files (${tokens} tokens) to stay within ${view.budget}`,
      )
      for (const item of view.leftOut) io.err(`  ${shown(item.path, io)}  ${item.tokens} tokens (${item.reason})`)
    }
    io.out(human ? queryHuman(view, io.stdoutIsTty) : queryJson(view))
    return 0
  } finally {
    close()
  }
}

function onlyPlace(parsed: ParsedWords): boolean {
  return [...parsed.values.keys()].every((name) => PLACE_FLAGS.includes(name))
}

/** The checks of the contract in its order (sheet spec-graph §8.1). Throws UserError usage, exit 1. */
function checked(words: ParsedWords): Query {
  const [verb = '', argument = ''] = words.positionals
  const count = words.positionals.length
  // Whoever asks for the public tool gets its words.
  const known = words.values.has('--compat') ? CONTRACT_VERBS : OUR_VERBS
  if (count > 2) throw badArgument(`too many arguments: expected '<subcommand> <arg>', got ${count} positionals`)
  if (verb === '') throw badArgument(`no subcommand given (one of: ${known})`)
  if (known === OUR_VERBS && VISIBLE_VERBS.includes(verb) && !isQuery(verb)) {
    // Only behind `--` does another verb come this far.
    throw badArgument(`'${verb}' takes no --: write specdex spec ${verb}`)
  }
  if (!isQuery(verb)) {
    const meant = words.values.has('--compat') ? '' : didYouMean(verb, VISIBLE_VERBS)
    throw badArgument(`unknown subcommand '${verb}' (one of: ${known})${meant}`)
  }
  if (argument === '') throw badArgument(`subcommand '${verb}' requires an argument`)
  return { verb, argument, words, budget: budgetOf(words, verb) }
}

function isQuery(verb: string): boolean {
  return QUERY_VERBS.some((each) => each.name === verb)
}

function budgetOf(words: ParsedWords, verb: string): number | null {
  const text = words.values.get('--budget')
  if (text === undefined) return null
  if (verb !== 'load-set') throw badArgument('--budget only applies to load-set')
  const budget = /^[0-9]+$/.test(text) ? Number(text) : 0
  if (budget < 1 || !Number.isSafeInteger(budget)) throw badArgument('--budget requires a positive whole number')
  return budget
}

function answer(graph: SpecGraph, query: Query, wording: Wording, root: string): QueryView {
  const { verb, argument, budget } = query
  switch (verb) {
    case 'readers':
    case 'writers':
      return neighbours(graph, verb, argument, wording)
    case 'impact':
      return impact(graph, argument, wording)
    case 'deps':
      return deps(graph, argument, wording)
    case 'load-set':
      if (budget === null) return loadSet(graph, argument, wording)
      return budgetedLoadSet(graph, argument, budget, wording, sizeBelow(root))
    case 'search':
      return search(graph, argument)
    default:
      throw new Error(`no verb ${verb}`)
  }
}

function stopMessage(stop: Exclude<Stop, { kind: 'help' }>, words: readonly string[]): string {
  switch (stop.kind) {
    case 'missing-value':
      return missingValue(stop.flag)
    case 'unknown-flag': {
      // The public tool's words end with the flag, and somebody who asks for those gets those.
      const asked = words.some((word) => word.startsWith('--compat'))
      return `unknown flag: ${stop.word}${asked ? '' : didYouMean(stop.word, FLAG_NAMES)}`
    }
    case 'positional':
      throw new Error('query verbs take positionals')
    default:
      return assertNever(stop)
  }
}

function didYouMean(word: string, known: readonly string[]): string {
  const [near] = nearest(word, known, Math.min(3, Math.floor(word.length / 3)), 1)
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

function badArgument(message: string): UserError {
  return new UserError('usage', message, null, 1)
}

/** Prints an error the way the contract words them. */
function sayError(message: string, io: Io): void {
  io.err(`ERROR: ${shown(message, io)}`)
}

function shown(text: string, io: Io): string {
  return io.stderrIsTty ? forTerminal(text) : text
}
