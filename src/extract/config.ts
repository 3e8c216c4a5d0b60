// Reads and checks `.specdex/config.yml`; its shape and defaults are model/config.ts, what it may say is config-schema.ts.
// Surprise: an unknown key is an error, so that a typing mistake never silently means "default".

import yaml from 'js-yaml'
import * as v from 'valibot'
import { type Config, DEFAULT_CONFIG } from '../model/config.ts'
import { UserError } from '../model/errors.ts'
import { CONFIG_SCHEMA, CUSTOM_ENTRIES, KEYS } from './config-schema.ts'
import { suggest } from './suggest.ts'

function found(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object') return KEYS
  const shown = JSON.stringify(value)
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown
}

/** `limits.file_bytes`, `roots[0]`; empty for the whole file. */
function keyPath(path: readonly { readonly key: unknown }[]): string {
  return path.reduce((text, { key }) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}

const TOP_KEYS = Object.keys(DEFAULT_CONFIG)
const NESTED_KEYS: Readonly<Record<string, readonly string[]>> = {
  limits: Object.keys(DEFAULT_CONFIG.limits),
  spec: Object.keys(DEFAULT_CONFIG.spec),
  graph: Object.keys(DEFAULT_CONFIG.graph),
  ledger: Object.keys(DEFAULT_CONFIG.ledger),
}
const ALL_KEYS = TOP_KEYS.flatMap((key) => [key, ...(NESTED_KEYS[key] ?? []).map((inner) => `${key}.${inner}`)])

function didYouMean(words: readonly string[]): string | null {
  return words.length === 0 ? null : `did you mean ${words.map((word) => `\`${word}\``).join(' or ')}?`
}

/** The keys below a key; those of a custom convention stand below its name. */
function keysBelow(parent: string): readonly string[] {
  if (parent.startsWith('graph.custom.')) return Object.keys(CUSTOM_ENTRIES)
  return parent === '' ? TOP_KEYS : (NESTED_KEYS[parent] ?? [])
}

function hintForKey(parent: string, key: string): string {
  const prefix = parent === '' ? '' : `${parent}.`
  const beside = keysBelow(parent)
  const near = suggest(key, beside).map((known) => prefix + known)
  // A key on the wrong level is found by its last part.
  const elsewhere = ALL_KEYS.filter((known) => suggest(key, [known.slice(known.lastIndexOf('.') + 1)]).length > 0)
  return didYouMean(near) ?? didYouMean(elsewhere) ?? `known keys: ${beside.map((known) => prefix + known).join(', ')}`
}

function hintForValue(value: unknown, wanted: string): string | null {
  // A closed list is told in full, so its words are what may have been meant.
  const closed = wanted.startsWith('one of ') ? wanted.slice('one of '.length).split(', ') : []
  return typeof value === 'string' ? didYouMean(suggest(value, closed)) : null
}

function complain(fileName: string, issues: readonly v.BaseIssue<unknown>[]): UserError {
  // A key that is missing is most often one that was mistyped, and that is the better news.
  const issue = issues.find((one) => one.expected === 'never') ?? issues[0]
  if (issue === undefined) return new UserError('config', `${fileName}: not understood`)
  const path = issue.path ?? []
  const more = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`
  if (issue.expected === 'never') {
    const hint = hintForKey(keyPath(path.slice(0, -1)), String(path.at(-1)?.key))
    return new UserError('config', `${fileName}: unknown key \`${keyPath(path)}\`${more}`, hint)
  }
  if (issue.type === 'strict_object' && path.length > 0 && issue.received === 'undefined') {
    return new UserError('config', `${fileName}: missing key \`${keyPath(path)}\`${more}`)
  }
  const where = path.length === 0 ? '' : `${keyPath(path)}: `
  const message = `${fileName}: ${where}expected ${issue.message}, found ${found(issue.input)}${more}`
  return new UserError('config', message, hintForValue(issue.input, issue.message))
}

function parseYaml(text: string, fileName: string): unknown {
  try {
    // Nothing but texts, numbers, truth values, null, lists and mappings: no dates, and no code.
    return yaml.load(text, { schema: yaml.JSON_SCHEMA })
  } catch (error) {
    const { reason, mark, message } = error as { reason?: string; mark?: { line: number }; message?: string }
    const line = mark === undefined ? '' : `line ${mark.line + 1}: `
    throw new UserError(
      'config',
      `${fileName}: ${line}${reason ?? message ?? 'not YAML'}`,
      'the file has to be YAML: mend that line',
    )
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** valibot takes a list for an object without keys, so lists are refused before it looks. */
function refuseLists(parsed: unknown, fileName: string): void {
  const inner = membersOf(parsed)
  const custom = membersOf(membersOf(inner.graph).custom)
  const places: readonly (readonly [string, unknown])[] = [
    ['', parsed],
    ...Object.keys(NESTED_KEYS).map((key) => [`${key}: `, inner[key]] as const),
    ['graph.custom: ', membersOf(inner.graph).custom],
    ...Object.entries(custom).flatMap(([name, value]) => [
      [`graph.custom.${name}: `, value] as const,
      [`graph.custom.${name}.edges: `, membersOf(value).edges] as const,
    ]),
  ]
  for (const [where, value] of places) {
    if (!Array.isArray(value)) continue
    throw new UserError('config', `${fileName}: ${where}expected ${KEYS}, found ${found(value)}`)
  }
}

/**
 * The configuration that a file's text means, with defaults where it says nothing; an empty text is all defaults.
 * `fileName` is only for messages. Throws UserError 'config' with file, key and a suggestion (issue 2 §2).
 */
export function parseConfig(text: string, fileName: string): Config {
  const parsed = parseYaml(text, fileName) ?? {}
  refuseLists(parsed, fileName)
  const checked = v.safeParse(CONFIG_SCHEMA, parsed)
  if (!checked.success) throw complain(fileName, checked.issues)
  return checked.output
}
