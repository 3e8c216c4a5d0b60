// Terms of the text index: how a card's texts and a question are taken apart. Both go through the same door, so that
// what was written can be found. Surprise: a word is a term as a whole and once more in all its humps, but scripts
// without blanks between words are taken in pairs of characters.

/** Longest run taken as one word, and longest term; what is longer is cut on both sides alike. */
const LONGEST = { word: 1000, term: 64 } as const

interface Script {
  readonly word: RegExp
  /** Acronyms, humps, small letters, digits, and letters that know no case. */
  readonly hump: RegExp
  /** Runs of paired letters and of others, and what tells the former; null where there are none. */
  readonly paired: { readonly run: RegExp; readonly first: RegExp } | null
}

/** What the forms below come to in a text of ASCII alone: most are, and to make the classes of Unicode takes 5 ms. */
const ASCII: Script = {
  word: new RegExp(`[a-zA-Z0-9_]{1,${LONGEST.word}}`, 'g'),
  hump: /[A-Z]{1,1000}(?![a-z])|[A-Z]?[a-z]{1,1000}|[0-9]{1,1000}/g,
  paired: null,
}
const BEYOND_ASCII = /\P{ASCII}/u

/** Letters of scripts that put no blanks between words. */
const PAIRED = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}'

let made: Script | null = null
function unicode(): Script {
  made ??= {
    word: new RegExp(`[\\p{L}\\p{N}\\p{M}_]{1,${LONGEST.word}}`, 'gu'),
    hump: /\p{Lu}{1,1000}(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]{1,1000}|\p{N}{1,1000}|[^\p{Lu}\p{Ll}\p{N}]{1,1000}/gu,
    paired: {
      run: new RegExp(`[${PAIRED}]{1,1000}|[^${PAIRED}]{1,1000}`, 'gu'),
      first: new RegExp(`^[${PAIRED}]`, 'u'),
    },
  }
  return made
}

function addTerm(terms: Set<string>, text: string): void {
  const term = text.toLowerCase()
  if (term.length > 1) terms.add(term.length <= LONGEST.term ? term : [...term].slice(0, LONGEST.term).join(''))
}

function addPairs(terms: Set<string>, run: string): void {
  const characters = [...run]
  if (characters.length === 1) terms.add(run)
  for (let at = 0; at + 1 < characters.length; at++) terms.add(`${characters[at]}${characters[at + 1]}`)
}

/** Adds the terms of a run without paired letters. */
function addWord(terms: Set<string>, run: string, { hump }: Script): void {
  addTerm(terms, run)
  for (const part of run.split('_')) {
    addTerm(terms, part)
    for (const [found] of part.matchAll(hump)) addTerm(terms, found)
  }
}

/** The terms of one word, each once. */
function termsOf(word: string, script: Script): Set<string> {
  const terms = new Set<string>()
  const { paired } = script
  if (paired === null) addWord(terms, word, script)
  else {
    for (const [run] of word.matchAll(paired.run)) {
      if (paired.first.test(run)) addPairs(terms, run)
      else addWord(terms, run, script)
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
  const script = BEYOND_ASCII.test(text) ? unicode() : ASCII
  return [...text.normalize('NFKC').matchAll(script.word)].flatMap(([word]) => [...termsOf(word, script)])
}
