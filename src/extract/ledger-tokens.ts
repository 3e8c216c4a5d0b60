// Terms of the text index: how a card's texts and a question are taken apart. Both go through the same door, so that
// what was written can be found. Surprise: a word is a term as a whole and once more in all its humps, but scripts
// without blanks between words are taken in pairs of characters.

/** Longest run taken as one word, and longest term; what is longer is cut on both sides alike. */
const LONGEST = { word: 1000, term: 64 } as const
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}_]{1,${LONGEST.word}}`, 'gu')

/** Letters of scripts that put no blanks between words. */
const PAIRED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]{1,1000}|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]{1,1000}/gu
const IS_PAIRED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u

/** Acronyms, humps, small letters, digits, and letters that know no case. */
const HUMP = /\p{Lu}{1,1000}(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]{1,1000}|\p{N}{1,1000}|[^\p{Lu}\p{Ll}\p{N}]{1,1000}/gu

function addTerm(terms: Set<string>, text: string): void {
  const term = text.toLowerCase()
  if (term.length > 1) terms.add(term.length <= LONGEST.term ? term : [...term].slice(0, LONGEST.term).join(''))
}

function addPairs(terms: Set<string>, run: string): void {
  const characters = [...run]
  if (characters.length === 1) terms.add(run)
  for (let at = 0; at + 1 < characters.length; at++) terms.add(`${characters[at]}${characters[at + 1]}`)
}

/** The terms of one word, each once. */
function termsOf(word: string): Set<string> {
  const terms = new Set<string>()
  for (const [run] of word.matchAll(PAIRED)) {
    if (IS_PAIRED.test(run)) {
      addPairs(terms, run)
      continue
    }
    addTerm(terms, run)
    for (const part of run.split('_')) {
      addTerm(terms, part)
      for (const [hump] of part.matchAll(HUMP)) addTerm(terms, hump)
    }
  }
  return terms
}

/**
 * The terms of a text, in order and with repeats: whole identifiers, their parts between underscores, their humps,
 * acronyms and digits, words of any script, pairs of characters for Chinese, Japanese and Korean. Compatibility forms
 * are folded (NFKC), case is folded, single letters are dropped. Never throws, linear. Source: issue §4 "Tokens".
 */
export function tokensOf(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(WORD)].flatMap(([word]) => [...termsOf(word)])
}
