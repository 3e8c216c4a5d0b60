// Adds edge fields to front matter as a splice: bytes in, bytes out, and every byte that is not the addition stays.
// It writes nothing and never re-prints YAML. The surprise: what it made is read again by the same reader that the
// index uses, and unless that gives exactly the old values plus the new ids, the splice is refused.

import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'
import { FRONT_MATTER_LIMIT, type FrontMatter, readFrontMatter } from './front-matter.ts'

export interface FieldAddition {
  readonly field: string
  /** Ids as they are to be written; those of modules are quoted here. */
  readonly targets: readonly string[]
}

export type Splice =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** Why the bytes must be left alone, for a person. */
  | { readonly ok: false; readonly reason: string }

/** One insertion, at a position of the text. */
interface Insertion {
  readonly at: number
  /** Characters that are replaced: an explicit null only. */
  readonly remove: number
  readonly text: string
}

class Refusal extends Error {}

const BOM = '\ufeff'
const PLAIN = /^[A-Za-z][A-Za-z0-9-]*$/

/** An id as a YAML scalar. `[module]/ID` is always quoted (seed 001 "Workspace Mode Aggregation"). */
function scalar(id: string, quote: '' | '"' | "'"): string {
  if (quote === '' && PLAIN.test(id)) return id
  if (quote === "'") return `'${id.replaceAll("'", "''")}'`
  return `"${id.replace(/["\\]/g, '\\$&')}"`
}

function flow(targets: readonly string[]): string {
  return `[${targets.map((id) => scalar(id, '')).join(', ')}]`
}

/** The line end that the file uses: that of its first line. */
function lineEnd(text: string): string {
  const newline = text.indexOf('\n')
  return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n'
}

/** Where the line that holds a position ends: before its line end. */
function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  if (newline === -1) return text.length
  return newline > at && text[newline - 1] === '\r' ? newline - 1 : newline
}

function startOfLine(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** The quotation mark that a list uses throughout, if it uses one. */
function quoteOf(list: YAMLSeq): '' | '"' | "'" {
  const types = list.items.map((item) => (isScalar(item) ? item.type : null))
  if (types.length > 0 && types.every((type) => type === 'QUOTE_DOUBLE')) return '"'
  return types.length > 0 && types.every((type) => type === 'QUOTE_SINGLE') ? "'" : ''
}

/** Start and end of a list's last entry; null for an empty list. */
function lastOf(list: YAMLSeq, field: string): readonly [number, number] | null {
  const item = list.items.at(-1)
  if (item === undefined) return null
  if (!isScalar(item) || !item.range || item.range[0] === item.range[1]) {
    throw new Refusal(`the last entry of \`${field}\` is no id`)
  }
  return [item.range[0], item.range[1]]
}

function intoFlow(block: string, list: YAMLSeq, { field, targets }: FieldAddition, eol: string): Insertion[] {
  const quote = quoteOf(list)
  const ids = targets.map((id) => scalar(id, quote))
  const last = lastOf(list, field)
  if (last === null) {
    if (!list.range) throw new Refusal(`\`${field}\` cannot be located`)
    return [{ at: list.range[0] + 1, remove: 0, text: ids.join(', ') }]
  }
  const [start, end] = last
  const indent = block.slice(startOfLine(block, start), start)
  const lineStop = endOfLine(block, end)
  const behind = block.slice(end, lineStop)
  // One entry per line: the new ones get lines of their own, behind a comment that the last one may carry.
  const rest = /^[ \t]*(,?)[ \t]*(?:#.*)?$/.exec(behind)
  if (/^[ \t]*$/.test(indent) && rest !== null && lineStop < block.length) {
    const trailing = rest[1] === ','
    const lines = ids
      .map((id, index) => `${eol}${indent}${id}${trailing || index < ids.length - 1 ? ',' : ''}`)
      .join('')
    const comma = trailing ? [] : [{ at: end, remove: 0, text: ',' }]
    return [...comma, { at: lineStop, remove: 0, text: lines }]
  }
  return [{ at: end, remove: 0, text: ids.map((id) => `, ${id}`).join('') }]
}

function intoBlock(block: string, list: YAMLSeq, { field, targets }: FieldAddition, eol: string): Insertion[] {
  const quote = quoteOf(list)
  const last = lastOf(list, field)
  if (last === null) throw new Refusal(`\`${field}\` cannot be located`)
  const mark = block.slice(startOfLine(block, last[0]), last[0])
  if (!/^[ \t]*-[ \t]+$/.test(mark)) throw new Refusal(`the last entry of \`${field}\` is no id`)
  const text = targets.map((id) => `${eol}${mark}${scalar(id, quote)}`).join('')
  return [{ at: endOfLine(block, last[1]), remove: 0, text }]
}

function intoPair(block: string, pair: Pair, addition: FieldAddition, eol: string): Insertion[] {
  const { field, targets } = addition
  const { key, value } = pair
  if (isSeq(value)) return (value.flow ? intoFlow : intoBlock)(block, value, addition, eol)
  const range = isScalar(value) ? value.range : null
  const written = range ? block.slice(range[0], range[1]) : ''
  if (value !== null && !(isScalar(value) && /^(?:~|null)?$/i.test(written)))
    throw new Refusal(`\`${field}\` is no list`)
  if (range && written !== '') return [{ at: range[0], remove: written.length, text: flow(targets) }]
  // An empty value: right behind the colon, before a comment.
  const colon = isScalar(key) && key.range ? block.indexOf(':', key.range[1]) : -1
  if (colon === -1 || block.slice(isScalar(key) && key.range ? key.range[1] : 0, colon).trim() !== '') {
    throw new Refusal(`\`${field}\` cannot be located`)
  }
  return [{ at: colon + 1, remove: 0, text: ` ${flow(targets)}` }]
}

/** The block with the additions, or a Refusal. */
function spliceBlock(block: string, additions: readonly FieldAddition[], eol: string): string {
  const document = parseDocument(block, { schema: 'failsafe', logLevel: 'silent' })
  const error = document.errors[0]
  if (error !== undefined) throw new Refusal(`the front matter is not YAML: ${error.message.split('\n')[0]}`)
  const { contents } = document
  if (contents !== null && !isMap(contents) && !(isScalar(contents) && contents.value === '')) {
    throw new Refusal('the front matter holds no keys')
  }
  const map: YAMLMap | null = isMap(contents) ? contents : null
  if (map?.flow) throw new Refusal('the front matter is written in braces')
  const pairs: readonly Pair[] = map?.items ?? []
  const first = pairs[0]?.key
  const at = isScalar(first) && first.range ? first.range[0] : 0
  const indent = block.slice(startOfLine(block, at), at)
  const insertions: Insertion[] = []
  let fresh = ''
  for (const addition of additions) {
    const pair = pairs.find(({ key }) => isScalar(key) && key.value === addition.field)
    if (pair !== undefined) insertions.push(...intoPair(block, pair, addition, eol))
    else fresh += `${/^[ \t]*$/.test(indent) ? indent : ''}${addition.field}: ${flow(addition.targets)}${eol}`
  }
  let text = block
  for (const { at, remove, text: added } of insertions.sort((a, b) => b.at - a.at)) {
    text = text.slice(0, at) + added + text.slice(at + remove)
  }
  return text + fresh
}

/** The whole text with the additions, or a Refusal. */
function spliceText(text: string, before: FrontMatter, additions: readonly FieldAddition[]): string {
  const eol = lineEnd(text)
  if (before.problem !== null) throw new Refusal(`the front matter is not readable: ${before.problem.detail}`)
  if (before.bodyLine === 1) {
    // A fence that opens nothing would become a second block of front matter below the new one.
    const opening = /^\s*---[ \t]*\r?(?:\n|$)/.exec(text)
    if (opening !== null) {
      throw new Refusal(
        text.startsWith('---') ? 'its front matter is never closed' : 'its front matter does not start on line 1',
      )
    }
    const fields = additions.map(({ field, targets }) => `${field}: ${flow(targets)}${eol}`).join('')
    return `---${eol}${fields}---${eol}${/^\r?\n/.test(text) || text === '' ? '' : eol}${text}`
  }
  const start = text.indexOf('\n') + 1
  const bodyStart = text.length - before.body.length
  // The closing fence is the line before the body.
  const end = startOfLine(text, text[bodyStart - 1] === '\n' ? bodyStart - 1 : bodyStart)
  return text.slice(0, start) + spliceBlock(text.slice(start, end), additions, eol) + text.slice(end)
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return []
}

/** True where `after` says what `before` said, and the additions behind it, and nothing else. */
function holds(before: FrontMatter, after: FrontMatter, additions: readonly FieldAddition[]): boolean {
  if (after.problem !== null) return false
  const wanted = new Map(Object.entries(before.data))
  for (const { field, targets } of additions) wanted.set(field, [...listOf(wanted.get(field)), ...targets])
  const found = Object.entries(after.data)
  return (
    found.length === wanted.size &&
    found.every(([key, value]) => wanted.has(key) && JSON.stringify(value) === JSON.stringify(wanted.get(key)))
  )
}

/**
 * The bytes with ids added to fields of the front matter. A file without front matter gets a block; a list that is there
 * goes on in its own style; body, comments, key order, quotation marks, line ends and a byte-order mark stay as they
 * are. Refuses where the front matter cannot be read or a field is no list (issue 3 §3, sheet artifact-graph §10 rule 6).
 */
export function spliceFrontMatter(bytes: Uint8Array, additions: readonly FieldAddition[]): Splice {
  let whole: string
  try {
    whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { ok: false, reason: 'it is not UTF-8' }
  }
  const mark = whole.startsWith(BOM) ? BOM : ''
  const text = whole.slice(mark.length)
  const wanted = additions.filter(({ targets }) => targets.length > 0)
  if (wanted.length === 0) return { ok: true, bytes }
  const before = readFrontMatter(text)
  try {
    const spliced = spliceText(text, before, wanted)
    const after = readFrontMatter(spliced)
    const created = before.bodyLine === 1
    const body = created && after.body.startsWith(lineEnd(text)) && !/^\r?\n/.test(text) && text !== ''
    const kept = body ? after.body.slice(lineEnd(text).length) : after.body
    if (spliced.length > text.length + FRONT_MATTER_LIMIT || kept !== before.body || !holds(before, after, wanted)) {
      throw new Refusal('its front matter could not be extended without changing something else')
    }
    return { ok: true, bytes: new TextEncoder().encode(mark + spliced) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message }
    // The second parser may give up on what the first one reads; the bytes are then left alone as well.
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'not YAML'
    return { ok: false, reason: `the front matter is not readable: ${reason}` }
  }
}
