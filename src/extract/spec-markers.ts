// The extraction rules of the spec graph that find `FORGE:` markers: one line in, tokens in order of appearance out. No
// ids, no edges, no state between lines. Every scanner is linear in the line, hand-written because the rules as regular
// expressions are quadratic on repeated openers. Surprise: quotes never pair up and backslashes never escape anything.

import { find, forward, isBlank, isCapital, isNamePart, isQuote, isWord, skip } from './characters.ts'

const NONE: readonly string[] = []
const FORGE = 'FORGE:'

/** End of the NAME that starts at `from`, or `from` where none does. */
function nameEnd(text: string, from: number): number {
  return isCapital(text.charCodeAt(from)) ? skip(text, from + 1, isNamePart) : from
}

/** Position of the first `FORGE:` + NAME at or after `from`, or -1. */
function findMarker(text: string, from: number): number {
  for (let at = text.indexOf(FORGE, from); at !== -1; at = text.indexOf(FORGE, at + FORGE.length)) {
    if (isCapital(text.charCodeAt(at + FORGE.length))) return at
  }
  return -1
}

/** Every `FORGE:` + NAME, without edges on either side (sheet spec-graph §4, annotation nodes). */
export function markerTokens(line: string): readonly string[] {
  let at = findMarker(line, 0)
  if (at === -1) return NONE
  const tokens: string[] = []
  while (at !== -1) {
    const end = nameEnd(line, at + FORGE.length)
    tokens.push(line.slice(at, end))
    at = findMarker(line, end)
  }
  return tokens
}

/** End of the first `gh issue|pr comment` on the line, or -1. */
function postingEnd(line: string): number {
  for (let at = line.indexOf('gh'); at !== -1; at = line.indexOf('gh', at + 2)) {
    const object = skip(line, at + 2, isBlank)
    if (object === at + 2) continue
    const objectEnd = line.startsWith('issue', object) ? object + 5 : line.startsWith('pr', object) ? object + 2 : -1
    if (objectEnd === -1) continue
    const verb = skip(line, objectEnd, isBlank)
    if (verb > objectEnd && line.startsWith('comment', verb)) return verb + 'comment'.length
  }
  return -1
}

/**
 * Markers that a line posts: the body window of `gh issue|pr comment … --body` runs from the first `--body` to the
 * end of the following line (sheet spec-graph §5.1; seed 000 "Extraction heuristics", WRITES).
 */
export function postedMarkers(line: string, next: string | null): readonly string[] {
  const first = line.indexOf('--body')
  if (first === -1) return NONE
  const posting = postingEnd(line)
  if (posting === -1 || line.lastIndexOf('--body') < posting) return NONE
  const window = `${line.slice(first)}\n${next ?? ''}`
  const closing = forward((from) => window.indexOf('>', from))
  const tokens: string[] = []
  let at = window.indexOf('<!--')
  while (at !== -1) {
    let resume = at + 4
    const token = skip(window, resume, isBlank)
    const name = token + FORGE.length
    const end = window.startsWith(FORGE, token) ? nameEnd(window, name) : name
    if (end > name) {
      const after = skip(window, end, isBlank)
      if (window.startsWith('-->', after)) {
        resume = after + 3
      } else if (window.charCodeAt(after) === 0x3a && isBlank(window.charCodeAt(after + 1))) {
        // The first `>` behind the colon must close the comment. Its hyphens cannot be the colon and the blank.
        const greater = closing(after + 2)
        if (window.startsWith('-->', greater - 2)) resume = greater + 1
      }
      if (resume > end) tokens.push(window.slice(token, end))
    }
    at = window.indexOf('<!--', resume)
  }
  return tokens
}

/** Start of the call word that ends at the bracket `at`, or -1. */
function callWordStart(line: string, at: number): number {
  for (const word of ['contains', 'test', 'capture']) {
    const start = at - word.length
    if (start >= 0 && line.startsWith(word, start) && !isWord(line.charCodeAt(start - 1))) return start
  }
  return -1
}

/** Markers in the call form `contains("…FORGE:X`, `test(`, `capture(`: one per call (sheet spec-graph §5.2). */
export function calledMarkers(line: string): readonly string[] {
  let marker = findMarker(line, 0)
  if (marker === -1) return NONE
  const tokens: string[] = []
  const nextMarker = forward((from) => findMarker(line, from))
  const nextQuote = forward((from) => find(line, from, isQuote))
  let at = line.indexOf('(')
  while (at !== -1) {
    let resume = at + 1
    if (callWordStart(line, at) !== -1) {
      const quote = skip(line, at + 1, isBlank)
      if (isQuote(line.charCodeAt(quote))) {
        marker = nextMarker(quote + 1)
        if (marker < nextQuote(quote + 1)) {
          resume = nameEnd(line, marker + FORGE.length)
          tokens.push(line.slice(marker, resume))
        }
      }
    }
    at = line.indexOf('(', resume)
  }
  return tokens
}

const REREAD = /\bre-?reads?\b/gi
const ANY_CASE_MARKER = /forge:[a-z]/gi

function searchFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

/**
 * Markers in the prose form `re-read … FORGE:x`, as typed: ASCII case does not matter, a full stop in between does
 * (sheet spec-graph §5.2). One per verb.
 */
export function rereadMarkers(line: string): readonly string[] {
  REREAD.lastIndex = 0
  let verb = REREAD.exec(line)
  if (verb === null) return NONE
  const tokens: string[] = []
  const nextMarker = forward((from) => searchFrom(ANY_CASE_MARKER, line, from))
  const nextStop = forward((from) => line.indexOf('.', from))
  while (verb !== null) {
    const end = REREAD.lastIndex
    const marker = nextMarker(end)
    if (marker < nextStop(end)) {
      REREAD.lastIndex = skip(line, marker + FORGE.length, isWord)
      tokens.push(line.slice(marker, REREAD.lastIndex))
    }
    verb = REREAD.exec(line)
  }
  return tokens
}

// `re-read` is the prose form's verb: taking it here too would turn `re-read FORGE:Half` into a read of FORGE:H.
const PLAIN_READ = /(?<!\b[Rr][Ee]-)\b[Rr]eads?(?=\s)/g
const ARTICLES = ['the', 'its', 'an', 'a']

/** Markers in the plain form `read[s] [the|its|a|an] FORGE:X` (sheet spec-graph §0 row 1; default mode only). */
export function readMarkers(line: string): readonly string[] {
  if (findMarker(line, 0) === -1) return NONE
  PLAIN_READ.lastIndex = 0
  let verb = PLAIN_READ.exec(line)
  if (verb === null) return NONE
  const tokens: string[] = []
  while (verb !== null) {
    let at = skip(line, PLAIN_READ.lastIndex, isBlank)
    for (const article of ARTICLES) {
      const behind = at + article.length
      if (line.startsWith(article, at) && isBlank(line.charCodeAt(behind))) {
        at = skip(line, behind, isBlank)
        break
      }
    }
    for (;;) {
      if (line.charCodeAt(at) === 0x60) at += 1
      else if (line.startsWith('<!--', at)) at += 4
      else break
      at = skip(line, at, isBlank)
    }
    const name = at + FORGE.length
    const end = line.startsWith(FORGE, at) ? nameEnd(line, name) : name
    if (end > name) {
      tokens.push(line.slice(at, end))
      PLAIN_READ.lastIndex = end
    }
    verb = PLAIN_READ.exec(line)
  }
  return tokens
}
