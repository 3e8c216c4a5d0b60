// Reads and checks `.specdex/config.yml`; its shape and defaults are model/config.ts. The schema here is the one
// source: the committed src/model/config.schema.json is generated from it by a test (UPDATE_SCHEMA=1 writes it).
// Surprise: an unknown key is an error, so that a typing mistake never silently means "default".

import yaml from 'js-yaml'
import * as v from 'valibot'
import { type Config, DEFAULT_CONFIG } from '../model/config.ts'
import { UserError } from '../model/errors.ts'
import { FAMILIES } from '../model/families.ts'
import { suggest } from './suggest.ts'

/** SQLite and timers count milliseconds in 32 bits. */
const MOST_MS = 2 ** 31 - 1
const MODES = ['default', 'forgedock-1.7'] as const

// The messages of the schema say what is expected; what was found and where is added when an error is told.
const KEYS = 'keys and values'
const INSIDE = 'a path or glob inside the root'
const FAMILY = `one of ${FAMILIES.join(', ')}`
const MODE = `one of ${MODES.join(', ')}`
const MARKER = 'a marker such as FORGE:DISPATCHER'
const NOT_EMPTY = 'a list that is not empty'
const UNIQUE = 'a list without repetition'

const insideRoot = v.pipe(v.string(INSIDE), v.regex(/^(?!\/)(?!(?:[^\0]*\/)?\.\.(?:\/|$))[^\0]+$/, INSIDE))

function listOf<T extends v.GenericSchema>(item: T, description: string) {
  return v.pipe(v.array(item, 'a list'), v.description(description))
}

function wholeNumber(most: number, description: string) {
  const wanted = `a whole number from 1 to ${most}`
  return v.pipe(
    v.number(wanted),
    v.safeInteger(wanted),
    v.minValue(1, wanted),
    v.maxValue(most, wanted),
    v.description(description),
  )
}

function mapping<T extends v.ObjectEntries>(entries: T, description: string) {
  return v.pipe(v.strictObject(entries, KEYS), v.description(description))
}

const { limits, spec } = DEFAULT_CONFIG

const limitsSchema = mapping(
  {
    file_bytes: v.optional(
      wholeNumber(Number.MAX_SAFE_INTEGER, 'Bytes above which a document is skipped. The spec corpora are exempt.'),
      limits.file_bytes,
    ),
    busy_ms: v.optional(
      wholeNumber(MOST_MS, 'Milliseconds to wait for another process that holds the index.'),
      limits.busy_ms,
    ),
    sql_ms: v.optional(wholeNumber(MOST_MS, 'Milliseconds after which `specdex sql` is stopped.'), limits.sql_ms),
    sql_rows: v.optional(
      wholeNumber(MOST_MS, 'Rows after which `specdex sql` cuts its answer and says so.'),
      limits.sql_rows,
    ),
  },
  'Bounds of single files and single commands.',
)

const specSchema = mapping(
  {
    scaffold_markers: v.optional(
      listOf(
        v.pipe(v.string(MARKER), v.regex(/^FORGE:[A-Z][A-Z0-9_]*$/, MARKER)),
        'Further markers that `specdex spec validate` takes for inline scaffolding.',
      ),
      [...spec.scaffold_markers],
    ),
  },
  'The spec knowledge graph.',
)

/** Checks a parsed configuration and fills in the defaults. */
export const CONFIG_SCHEMA: v.GenericSchema<unknown, Config> = mapping(
  {
    roots: v.optional(
      listOf(insideRoot, 'Folders (globs allowed) in which documents are looked for, relative to the root.'),
      [...DEFAULT_CONFIG.roots],
    ),
    include: v.optional(
      listOf(insideRoot, 'Globs of documents, relative to the root; empty: every `*.md` below `roots`.'),
      [...DEFAULT_CONFIG.include],
    ),
    ignore: v.optional(
      listOf(
        v.pipe(v.string('a glob'), v.nonEmpty('a glob')),
        'Globs of documents to leave out. The spec corpora are exempt.',
      ),
      [...DEFAULT_CONFIG.ignore],
    ),
    families: v.optional(
      v.pipe(
        listOf(v.picklist(FAMILIES, FAMILY), 'What is indexed: `spec` (commands, scripts, devdocs), `docs`.'),
        v.nonEmpty(NOT_EMPTY),
        v.check((list) => new Set(list).size === list.length, UNIQUE),
      ),
      [...DEFAULT_CONFIG.families],
    ),
    compat: v.optional(
      v.pipe(
        v.picklist(MODES, MODE),
        v.description('How the spec graph is read: `forgedock-1.7` reproduces the public tool to the byte.'),
      ),
      DEFAULT_CONFIG.compat,
    ),
    limits: v.optional(limitsSchema, {}),
    spec: v.optional(specSchema, {}),
  },
  'Configuration of Specdex. Every key is optional.',
)

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
  limits: Object.keys(limits),
  spec: Object.keys(spec),
}
const ALL_KEYS = TOP_KEYS.flatMap((key) => [key, ...(NESTED_KEYS[key] ?? []).map((inner) => `${key}.${inner}`)])

function didYouMean(words: readonly string[]): string | null {
  return words.length === 0 ? null : `did you mean ${words.map((word) => `\`${word}\``).join(' or ')}?`
}

function hintForKey(parent: string, key: string): string {
  const prefix = parent === '' ? '' : `${parent}.`
  const here = (parent === '' ? TOP_KEYS : (NESTED_KEYS[parent] ?? [])).map((known) => `${prefix}${known}`)
  const near = suggest(`${prefix}${key}`, here)
  // A key on the wrong level is found by its last part.
  const elsewhere = ALL_KEYS.filter((known) => suggest(key, [known.slice(known.lastIndexOf('.') + 1)]).length > 0)
  return didYouMean(near) ?? didYouMean(elsewhere) ?? `known keys: ${here.join(', ')}`
}

function hintForValue(value: unknown, wanted: string): string | null {
  const closed = wanted === FAMILY ? FAMILIES : wanted === MODE ? MODES : []
  return typeof value === 'string' ? didYouMean(suggest(value, closed)) : null
}

function complain(fileName: string, issues: readonly v.BaseIssue<unknown>[]): UserError {
  const [issue] = issues
  if (issue === undefined) return new UserError('config', `${fileName}: not understood`)
  const path = issue.path ?? []
  const more = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`
  if (issue.expected === 'never') {
    const hint = hintForKey(keyPath(path.slice(0, -1)), String(path.at(-1)?.key))
    return new UserError('config', `${fileName}: unknown key \`${keyPath(path)}\`${more}`, hint)
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
    throw new UserError('config', `${fileName}: ${line}${reason ?? message ?? 'not YAML'}`, 'the file is YAML')
  }
}

/** valibot takes a list for an object without keys, so lists are refused before it looks. */
function refuseLists(parsed: unknown, fileName: string): void {
  const inner: Readonly<Record<string, unknown>> = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  const places: readonly (readonly [string, unknown])[] = [
    ['', parsed],
    ...Object.keys(NESTED_KEYS).map((key) => [`${key}: `, inner[key]] as const),
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
