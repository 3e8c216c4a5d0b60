// The only place that calls gray-matter. The fences are found and the language is judged here first, so the library
// sees nothing but a bounded block of YAML; it never sees `---js`, which it would run.
// Surprise: every scalar stays the text that was typed (`id: 0012` is "0012", `yes` is "yes"); only an empty value is
// null. gray-matter's cache is never used, because it swallows an error the second time and shares its objects.

import matter from 'gray-matter'
import yaml from 'js-yaml'

export interface FrontMatterProblem {
  readonly code: 'front-matter-language' | 'front-matter-too-large' | 'malformed-front-matter'
  /** 1-based, in the file. */
  readonly line: number
  readonly detail: string
}

export interface FrontMatter {
  /** Keys as typed, without a prototype. Values are texts, null, lists and mappings; aliases share their objects. */
  readonly data: Readonly<Record<string, unknown>>
  /** The text behind the closing fence; without front matter the whole text. A byte-order mark is dropped. */
  readonly body: string
  /** 1-based line of the file on which the body starts. */
  readonly bodyLine: number
  readonly problem: FrontMatterProblem | null
}

/** Characters of front matter that are parsed at most; more is refused. */
export const FRONT_MATTER_LIMIT: number = 64 * 1024
const ALIAS_LIMIT = 256
/** Values that aliases may stand for in all, so that nobody who walks the data walks for ever. */
const EXPANSION_LIMIT = 100_000
// gray-matter drops comments with a pattern that is quadratic in a run of blanks.
const LONG_BLANK_RUN = /\s{1024}/

const BOM = '\ufeff'
const CLOSING = /^(?:---|\.\.\.)[ \t]*\r?$/
/** Longer lines are no fences, whatever they hold. */
const FENCE_LENGTH = 256
const LANGUAGE = /^[A-Za-z][A-Za-z0-9_+.#-]*$/
const YAML_NAMES = ['', 'yaml', 'yml']

function refuse(): never {
  throw new Error('refused')
}

// The fence that gray-matter looks for is one that the block cannot hold: where the block ends is decided here.
const OPTIONS = {
  language: 'yaml',
  delimiters: ['---', '\0'] as [string, string],
  engines: {
    yaml: (text: string): object => yaml.load(text, { schema: yaml.FAILSAFE_SCHEMA }) as object,
    js: refuse,
    javascript: refuse,
    json: refuse,
    toml: refuse,
    coffee: refuse,
    coffeescript: refuse,
    cson: refuse,
  },
}

function empty(): Record<string, unknown> {
  return Object.create(null)
}

/** How far a fenced block reaches, in the text without its byte-order mark. */
interface Block {
  readonly start: number
  readonly end: number
  readonly bodyStart: number
  readonly bodyLine: number
}

/** What stands behind the opening `---`, or null where the first line opens no front matter. */
function openingLanguage(text: string): string | null {
  const newline = text.indexOf('\n')
  const end = newline === -1 ? text.length : newline
  if (end > FENCE_LENGTH) return null
  const language = text.slice(3, end).trim()
  if (language === '' || language.startsWith('#')) return ''
  // `----` is a rule, and `--- some words` is prose behind one.
  return LANGUAGE.test(language) ? language : null
}

/** The block behind the opening line, or null where it is never closed. */
function findBlock(text: string): Block | null {
  const opened = text.indexOf('\n')
  if (opened === -1) return null
  let line = 2
  for (let at = opened + 1; at < text.length; line++) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    if (end - at <= FENCE_LENGTH && CLOSING.test(text.slice(at, end))) {
      const bodyStart = newline === -1 ? text.length : newline + 1
      return { start: opened + 1, end: at, bodyStart, bodyLine: line + 1 }
    }
    at = end + 1
  }
  return null
}

function describe(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'nothing' : typeof value === 'object' ? 'keys' : 'text'
}

/** How many values a walk without memory would visit; Infinity where it would never end. */
function expansion(value: unknown, open: Set<unknown>, known: Map<unknown, number>): number {
  if (typeof value !== 'object' || value === null) return 1
  const counted = known.get(value)
  if (counted !== undefined) return counted
  if (open.has(value)) return Number.POSITIVE_INFINITY
  open.add(value)
  const count = Object.values(value).reduce((sum: number, child) => sum + expansion(child, open, known), 1)
  open.delete(value)
  known.set(value, count)
  return count
}

type Parsed = { readonly data: Record<string, unknown> } | { readonly problem: FrontMatterProblem }

function malformed(detail: string, line = 1): Parsed {
  return { problem: { code: 'malformed-front-matter', line, detail } }
}

function parseBlock(block: string): Parsed {
  if (block.length > FRONT_MATTER_LIMIT) {
    const detail = `more than ${FRONT_MATTER_LIMIT} characters of front matter`
    return { problem: { code: 'front-matter-too-large', line: 1, detail } }
  }
  if (block.includes('\0')) return malformed('a NUL character')
  if (LONG_BLANK_RUN.test(block)) return malformed('more than a thousand blanks in a row')
  const aliases = block.match(/(?<![^\s,[\]{}:-])\*[^\s,[\]{}]/g)?.length ?? 0
  if (aliases > ALIAS_LIMIT) return malformed(`more than ${ALIAS_LIMIT} aliases`)
  try {
    const parsed: unknown = matter(`---\n${block}`, OPTIONS).data
    // gray-matter hands back an empty object for an empty block, and whatever YAML says for any other.
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      return malformed(`expected keys and values, found ${describe(parsed)}`)
    }
    if (aliases > 0 && expansion(parsed, new Set(), new Map()) > EXPANSION_LIMIT) {
      return malformed('aliases that expand without end')
    }
    const data = empty()
    for (const [key, value] of Object.entries(parsed)) data[key] = value
    return { data }
  } catch (error) {
    // Deep nesting ends in a RangeError of the parser's own recursion. Whatever else a parser throws for a text is
    // that text's problem too: it must not stop the other files.
    if (error instanceof RangeError) return malformed('nested too deeply')
    const { reason, mark, message } = error as { reason?: string; mark?: { line: number }; message?: string }
    return malformed(reason ?? message ?? 'not YAML', (mark?.line ?? 0) + 1)
  }
}

/**
 * Reads the YAML between `---` on the first line and the next `---` or `...`. Never throws for what the text says and
 * never runs anything in it: a language other than YAML, broken YAML and a block out of bounds come back as a problem
 * with no data. A block that is never closed is no front matter (habits §5.3; sheet artifact-graph §2).
 */
export function readFrontMatter(text: string): FrontMatter {
  const stripped = text.startsWith(BOM) ? text.slice(1) : text
  const none = { data: empty(), body: stripped, bodyLine: 1, problem: null }
  if (!stripped.startsWith('---')) return none
  const language = openingLanguage(stripped)
  if (language === null) return none
  const block = findBlock(stripped)
  const rest = block === null ? none : { ...none, body: stripped.slice(block.bodyStart), bodyLine: block.bodyLine }
  if (!YAML_NAMES.includes(language.toLowerCase())) {
    // Told whether closed or not: gray-matter by itself would run both.
    const detail = `front matter in "${language}" is not read; only YAML is`
    return { ...rest, problem: { code: 'front-matter-language', line: 1, detail } }
  }
  if (block === null) return none
  const parsed = parseBlock(stripped.slice(block.start, block.end))
  return 'problem' in parsed ? { ...rest, problem: parsed.problem } : { ...rest, data: parsed.data }
}
