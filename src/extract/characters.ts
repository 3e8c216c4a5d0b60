// Character classes of the spec graph contract and three steps over a line. Everything here is linear and needs no
// backtracking stack: a regular expression with an open-ended loop throws on a line of some ten million characters.
// Surprise: "blank" is JavaScript's white space, "word" is ASCII only, so a non-ASCII letter makes a word edge.

export type CharacterTest = (code: number) => boolean

/** JavaScript white space (sheet spec-graph, preamble "blank"). NaN, that is past the end, is no blank. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  if (code < 0xa0) return false
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}

/** White space of the C library, by which the public validator reads calls (sheet spec-graph §9.2, compat only). */
export function isCLibraryBlank(code: number): boolean {
  return isBlank(code) && code !== 0xa0 && code !== 0x2007 && code !== 0x202f && code !== 0xfeff
}

export function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}

export function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** ASCII letter, digit or underscore. */
export function isWord(code: number): boolean {
  return isSmall(code) || isCapital(code) || isDigit(code) || code === 0x5f
}

/** Capital, digit or underscore: what a NAME goes on with. */
export function isNamePart(code: number): boolean {
  return isCapital(code) || isDigit(code) || code === 0x5f
}

/** `"` or `'`. */
export function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27
}

/** First position at or after `from` whose character is not in the class. */
export function skip(text: string, from: number, inClass: CharacterTest): number {
  let at = from
  while (inClass(text.charCodeAt(at))) at++
  return at
}

/** First position at or after `from` whose character is in the class, or -1. */
export function find(text: string, from: number, inClass: CharacterTest): number {
  for (let at = from; at < text.length; at++) if (inClass(text.charCodeAt(at))) return at
  return -1
}

/**
 * Wraps a search "first hit at or after `from`" (-1: none) for callers that only ever ask further right: the text is
 * then walked once in all, however often it is asked. Answers Infinity where there is none.
 */
export function forward(search: (from: number) => number): (from: number) => number {
  let known = -1
  return (from) => {
    if (known < from) {
      const hit = search(from)
      known = hit === -1 ? Number.POSITIVE_INFINITY : hit
    }
    return known
  }
}

/**
 * The same text in memory of its own. A piece cut out of a file otherwise keeps the whole file's text alive for as long
 * as the fact that holds it, and a refresh holds the facts of all changed files.
 */
export function detached(text: string): string {
  return ` ${text}`.slice(1)
}
