// Comments that start with `Governing:` or `Implements:`, line by line: where one starts, how far its body reaches, and
// which openers are not accepted. What the body names is read by governing-comment.ts. No language is parsed here:
// one table of openers serves all. Surprise: `*` opens a comment only where a line starts, and a line that is a comment
// as a whole holds no further one, so that a sentence about markers is none.

import { isBlank, isWord, skip } from './characters.ts'

/** Sheet artifact-graph §5; more only by `graph.openers` of the configuration. */
const OPENERS = ['//', '///', '//!', '#', '##', '/*', '/**', '*', '<!--', '{/*'] as const

/** What ends the comment on its line, or on a later one where it is a block. */
const CLOSERS: Readonly<Record<string, string>> = { '/*': '*/', '/**': '*/', '{/*': '*/', '*': '*/', '<!--': '-->' }

/** Characters of a line that are looked at. */
const LINE_LIMIT = 4096
/** Marks in front of a marker that are looked at. */
const LEAD_LIMIT = 64

export type Word = 'governing' | 'implements'

export type Sighting =
  /** A body behind a marker, its lines joined and blanks collapsed. */
  | { readonly kind: 'body'; readonly word: Word; readonly line: number; readonly text: string }
  /** A marker where a line starts, behind nothing or behind marks that open no comment here; `text` is what follows. */
  | { readonly kind: 'unaccepted'; readonly word: Word; readonly line: number; readonly text: string }

interface Marker {
  readonly word: Word
  /** Position behind the colon. */
  readonly end: number
}

interface Found extends Marker {
  /** Null where it is not accepted. */
  readonly opener: string | null
}

interface OpenBody {
  readonly word: Word
  readonly opener: string
  readonly line: number
  readonly parts: string[]
  depth: number
  quoted: boolean
}

const MARKER = /(governing|implements)[ \t]*:(?!:)/iy

/** True where the line may hold a marker; everything else is skipped at once. */
function mayHoldMarker(text: string): boolean {
  return /governing|implements/i.test(text)
}

function markerAt(line: string, at: number): Marker | null {
  MARKER.lastIndex = at
  const hit = MARKER.exec(line)
  if (hit === null) return null
  return { word: hit[1]?.toLowerCase() === 'governing' ? 'governing' : 'implements', end: MARKER.lastIndex }
}

/** All accepted openers. What stands behind one must be a marker, so that their order does not matter. */
export function acceptedOpeners(extra: readonly string[]): string[] {
  return [...OPENERS, ...extra.map((opener) => opener.trim()).filter((opener) => opener !== '')]
}

/** A marker behind an accepted opener at `at`. */
function opened(line: string, at: number, openers: readonly string[]): Found | null {
  for (const opener of openers) {
    if (!line.startsWith(opener, at)) continue
    const marker = markerAt(line, skip(line, at + opener.length, isBlank))
    if (marker !== null) return { ...marker, opener }
  }
  return null
}

/** Where the search goes on behind a comment that the line starts with; the line's end where it is nothing else. */
function behindComment(line: string, start: number, openers: readonly string[]): number {
  const opener = openers.find((candidate) => {
    const end = start + candidate.length
    return line.startsWith(candidate, start) && (end === line.length || isBlank(line.charCodeAt(end)))
  })
  if (opener === undefined) return start
  const close = CLOSERS[opener]
  const end = close === undefined ? -1 : line.indexOf(close, start + opener.length)
  return close === undefined || end === -1 ? line.length : end + close.length
}

/** A marker in a comment behind code: the opener stands behind a blank and in no string. */
function trailing(line: string, from: number, openers: readonly string[]): Found | null {
  let quote = ''
  for (let at = from; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === '\\') at++
    else if (char === '"' || char === "'" || char === '`') {
      if (quote === '') quote = char
      else if (quote === char) quote = ''
    } else if (at === from || isBlank(line.charCodeAt(at - 1))) {
      const found = opened(line, at, openers)
      if (found === null || found.opener === '*') continue
      // A quotation mark that is never closed, as in `don't`, opens no string.
      if (quote === '' || line.lastIndexOf(quote) < at) return found
    }
  }
  return null
}

/** Openers that are words: of batch files and BASIC, and of m4. */
const WORD_OPENER = /(?:rem|dnl)[ \t]+/iy

/** A marker that a line starts with, behind nothing, behind marks or behind a word that opens a comment. */
function unaccepted(line: string, start: number): Found | null {
  let at = start
  while (at < line.length && at - start <= LEAD_LIMIT && !isWord(line.charCodeAt(at)) && line.charCodeAt(at) < 0x80)
    at++
  WORD_OPENER.lastIndex = at
  const marker = markerAt(line, WORD_OPENER.test(line) ? WORD_OPENER.lastIndex : at)
  if (marker === null) return null
  const lead = line.slice(start, at)
  const quote = /["'`]/.exec(lead)?.[0]
  // In a string; three marks open a docstring, and one that is never closed is the comment of some language.
  const isString = quote !== undefined && !lead.includes(quote.repeat(3)) && line.includes(quote, marker.end)
  return isString ? null : { ...marker, opener: null }
}

/** Takes up text into a body and tells whether the body goes on in the next line. */
function take(body: OpenBody, text: string): boolean {
  body.parts.push(text)
  for (const char of text) {
    if (char === '"' || (char === '“' && !body.quoted) || (char === '”' && body.quoted)) body.quoted = !body.quoted
    else if (body.quoted) continue
    else if (char === '(') body.depth++
    else if (char === ')') body.depth = Math.max(0, body.depth - 1)
  }
  return body.quoted || body.depth > 0 || /[,;]$/.test(text.trimEnd())
}

function sighting({ word, line, parts }: OpenBody): Sighting {
  return { kind: 'body', word, line, text: parts.join(' ').replace(/\s+/g, ' ').trim() }
}

/** What a line adds to an open body; null where it is no comment that could go on. */
function continuation(line: string, opener: string): { text: string; closed: boolean } | null {
  const close = CLOSERS[opener]
  const isBlock = close !== undefined && opener !== '*'
  let from = skip(line, 0, isBlank)
  const end = close === undefined ? -1 : line.indexOf(close, from)
  const until = end === -1 ? line.length : end
  if (!isBlock) {
    if (!line.startsWith(opener, from)) return null
    from += opener.length
  } else if (opener !== '<!--' && line[from] === '*') from++
  return { text: line.slice(from, Math.max(from, until)), closed: end !== -1 }
}

/**
 * Everything in the lines that looks like a marker, in order. A body goes on while a parenthesis or a quotation is open
 * or the line ends with `,` or `;`, in lines of the same comment, up to an empty one (sheet artifact-graph §5).
 * Linear in the text; what lies behind the first 4,096 characters of a line is not seen.
 */
export function* sightings(lines: Iterable<string>, openers: readonly string[]): Iterable<Sighting> {
  let number = 0
  let body: OpenBody | null = null
  for (const whole of lines) {
    number++
    if (body === null && !mayHoldMarker(whole)) continue
    const line = whole.length > LINE_LIMIT ? whole.slice(0, LINE_LIMIT) : whole
    if (body !== null) {
      const more = continuation(line, body.opener)
      const at = more === null ? 0 : skip(more.text, 0, isBlank)
      if (more !== null && at < more.text.length) {
        const marker = markerAt(more.text, at)
        let text = more.text
        if (marker !== null) {
          yield sighting(body)
          body = { word: marker.word, opener: body.opener, line: number, parts: [], depth: 0, quoted: false }
          text = more.text.slice(marker.end)
        }
        if (take(body, text) && !more.closed) continue
        yield sighting(body)
        body = null
        continue
      }
      yield sighting(body)
      body = null
      if (!mayHoldMarker(line)) continue
    }
    let from = skip(line, 0, isBlank)
    let found = opened(line, from, openers)
    if (found === null) {
      found = trailing(line, behindComment(line, from, openers), openers) ?? unaccepted(line, from)
    }
    while (found !== null) {
      const { word, opener, end } = found
      if (opener === null) {
        yield { kind: 'unaccepted', word, line: number, text: line.slice(end) }
        break
      }
      const close = CLOSERS[opener]
      const closed = close === undefined ? -1 : line.indexOf(close, end)
      const next: OpenBody = { word, opener, line: number, parts: [], depth: 0, quoted: false }
      const goesOn = take(next, line.slice(end, closed === -1 ? line.length : closed))
      if (close === undefined || closed === -1) {
        if (goesOn) body = next
        else yield sighting(next)
        break
      }
      yield sighting(next)
      from = closed + close.length
      found = trailing(line, from, openers)
    }
  }
  if (body !== null) yield sighting(body)
}
