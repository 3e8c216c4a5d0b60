// Turns the words behind `specdex spec` into flags and positionals, by the seed's rules rather than commander's: flags
// before or after the verb, first failure wins from left to right, a lone `-` is an unknown flag. Pure.

import type { SpecFlag } from './spec-verbs.ts'

export interface ParsedWords {
  readonly values: ReadonlyMap<string, string>
  readonly switches: ReadonlySet<string>
  readonly positionals: readonly string[]
  /** Words of the form `--flag=value`. */
  readonly attached: readonly string[]
}

/** Why parsing stopped: at the first word that was wrong, or at a call for help. */
export type Stop =
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown-flag'; readonly word: string }
  | { readonly kind: 'missing-value'; readonly flag: SpecFlag }
  | { readonly kind: 'positional'; readonly word: string }

export interface ParseOptions {
  /** Whether positionals are taken at all; then `--` ends the flags. Otherwise both stop the parsing. */
  readonly positionals: boolean
  /** Flags that may lack their value at the very end; they then count as not given. */
  readonly lenient: readonly string[]
}

export type ParseResult =
  | { readonly stop: null; readonly words: ParsedWords }
  | { readonly stop: Stop; readonly words: ParsedWords }

/** Reads words against a table of flags. `--flag VALUE` and `--flag=VALUE` are the same; the last of several wins. */
export function parseWords(words: readonly string[], flags: readonly SpecFlag[], options: ParseOptions): ParseResult {
  const values = new Map<string, string>()
  const switches = new Set<string>()
  const positionals: string[] = []
  const joined: string[] = []
  const parsed = { values, switches, positionals, attached: joined }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (options.positionals && word === '--') {
      positionals.push(...words.slice(i + 1))
      break
    }
    if (!word.startsWith('-')) {
      if (!options.positionals) return { stop: { kind: 'positional', word }, words: parsed }
      positionals.push(word)
      continue
    }
    if (word === '-h' || word === '--help') return { stop: { kind: 'help' }, words: parsed }
    const { flag, attached } = lookUp(word, flags)
    if (flag === null) return { stop: { kind: 'unknown-flag', word }, words: parsed }
    if (flag.value === null) {
      switches.add(flag.name)
      continue
    }
    if (attached !== null) joined.push(word)
    const value = attached ?? words[++i]
    if (value !== undefined) values.set(flag.name, value)
    else if (!options.lenient.includes(flag.name)) return { stop: { kind: 'missing-value', flag }, words: parsed }
  }
  return { stop: null, words: parsed }
}

function lookUp(word: string, flags: readonly SpecFlag[]): { flag: SpecFlag | null; attached: string | null } {
  const equals = word.indexOf('=')
  const name = equals < 0 ? word : word.slice(0, equals)
  const flag = flags.find((each) => each.name === name) ?? null
  if (equals < 0) return { flag, attached: null }
  // A switch takes no value, so `--human=yes` is no flag that we know.
  return flag?.value == null ? { flag: null, attached: null } : { flag, attached: word.slice(equals + 1) }
}

/**
 * The first word that the public tools do not know although we do: none of their flags takes its value behind `=`
 * (sheet spec-graph §7, §8.1, §9). Null where all is theirs. `own`: flags that only we have, which may.
 */
export function strangeUnderCompat(words: ParsedWords, own: readonly string[]): string | null {
  return words.attached.find((word) => !own.some((name) => word.startsWith(`${name}=`))) ?? null
}

/**
 * Position of the verb: the first word that is neither a flag nor the value of one; -1 without. Behind `--` there is
 * none. Unknown flags are taken for switches: whoever parses the words will complain.
 */
export function verbPosition(words: readonly string[], flags: readonly SpecFlag[]): number {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '--') return -1
    if (!word.startsWith('-')) return i
    const takesNext = flags.some((flag) => flag.name === word && flag.value !== null)
    if (takesNext) i++
  }
  return -1
}

const NEEDS: Readonly<Record<NonNullable<SpecFlag['value']>, string>> = {
  DIR: 'a path',
  FILE: 'a path',
  VERSION: 'a version',
  N: 'a number',
}

/** The error of a value flag at the end of the words (sheet spec-graph §8.1, §9). */
export function missingValue(flag: SpecFlag): string {
  return `${flag.name} requires ${flag.value === null ? 'nothing' : NEEDS[flag.value]}`
}
