// Where a symbol is defined: a table of declaration forms per language, by the ending of the file; a plain word match
// where the language has no entry. Line by line and pure: no parser, so a declaration inside a block comment counts.
// Also the snippet of a symbol, five lines from its defining line with blanks collapsed, and the search for it.
// Source of the rule: issue "Decided questions".

import { createHash } from 'node:crypto'

/** Lines of a snippet, the defining one included. */
export const SNIPPET_LINES = 5

interface Language {
  readonly endings: string
  /** `SYMBOL` stands for the name with its boundaries. */
  readonly forms: readonly string[]
  /** What a line of comment starts with, blanks aside. */
  readonly comment: RegExp
  readonly flags?: string
}

const SLASHES = /^\s*(?:\/\/|\/\*|\*(?!\w))/
const HASH = /^\s*#/
const DASHES = /^\s*--/

const MODIFIERS =
  '(?:(?:export|default|declare|public|private|protected|internal|static|async|readonly|override|abstract|final|get|set|accessor)\\s+)'

/** A type and a name before a bracket, an assignment or an end: members of the languages that write types first. */
const TYPED =
  '^\\s*(?!(?:return|new|throw|await|else|yield|import|package|using|goto|delete|case|in|not|and|or)\\b)' +
  '(?:[\\w<>\\[\\],.?@:*&~]+\\s+)+[*&]*(?:\\w+::)*~?SYMBOL\\s*(?:\\(|=(?!=)|;|\\{|\\[|,)'

const LANGUAGES: readonly Language[] = [
  {
    endings: 'js jsx mjs cjs ts tsx mts cts vue svelte astro',
    comment: SLASHES,
    forms: [
      '\\b(?:function\\s*\\*?|class|interface|type|enum|namespace|module|const|let|var)\\s+SYMBOL',
      // A method: its round brackets close before a brace opens. With a modifier they need not.
      `^\\s*${MODIFIERS}*[*#]?\\s*SYMBOL\\s*[?!]?\\s*(?:<[^>]*>)?\\s*\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)\\s*(?::[^;]*)?\\{`,
      `^\\s*${MODIFIERS}+[*#]?\\s*SYMBOL\\s*[?!]?\\s*[<(]`,
      // A member of a class, an interface or an object; a property that is given.
      `^\\s*${MODIFIERS}*#?["']?SYMBOL["']?\\s*[?!]?\\s*:(?!:)`,
      `^\\s*${MODIFIERS}*#?SYMBOL\\s*=\\s*(?:async\\b|function\\b|\\(|[\\w$]+\\s*=>)`,
      '\\.#?SYMBOL\\s*=(?!=)',
      `^\\s*${MODIFIERS}+#?SYMBOL\\s*[=;]`,
    ],
  },
  {
    endings: 'py pyi pyw pyx',
    comment: HASH,
    forms: [
      '^\\s*(?:async\\s+)?(?:def|class|cdef|cpdef)\\s+SYMBOL',
      '^\\s*(?:self\\.)?SYMBOL\\s*(?::[^=]+)?=(?!=)',
      '^\\s*SYMBOL\\s*:\\s*\\w',
    ],
  },
  {
    endings: 'go',
    comment: SLASHES,
    forms: [
      '^\\s*func\\s+(?:\\([^)]*\\)\\s*)?SYMBOL',
      '^\\s*(?:type|var|const)\\s+SYMBOL',
      '^\\s+SYMBOL\\b[\\w\\s.*\\[\\]]*=(?!=)',
      '^\\s+SYMBOL\\s+[\\w.*\\[\\]]+\\s*(?:`.*)?$',
      // A method of an interface: a call says no type behind its brackets.
      '^\\s+SYMBOL\\s*\\([^()]*\\)\\s+[\\w.*(\\[]',
    ],
  },
  {
    endings: 'rs',
    comment: SLASHES,
    forms: [
      '\\b(?:fn|struct|enum|trait|type|const|static|mod|union|macro_rules!)\\s+(?:mut\\s+)?SYMBOL',
      '^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?SYMBOL\\s*:(?!:)',
      '^\\s*SYMBOL\\s*(?:,|\\{|\\([^)]*\\),?)\\s*$',
    ],
  },
  {
    endings: 'java kt kts scala sc groovy gradle cs swift dart',
    comment: SLASHES,
    forms: [
      '\\b(?:class|interface|enum|record|struct|object|trait|protocol|extension|typealias|type|fun|func|def|val|var|let|namespace|delegate|case|mixin)\\s+(?:<[^>]*>\\s*)?(?:[\\w.]+\\.)?SYMBOL',
      TYPED,
    ],
  },
  {
    endings: 'c h cc hh cpp hpp cxx hxx m mm ino cu cuh d',
    comment: SLASHES,
    forms: [
      '^\\s*#\\s*define\\s+SYMBOL',
      '\\b(?:class|struct|enum|union|namespace|typedef|using)\\s+SYMBOL',
      TYPED,
      '^\\s*\\}\\s*SYMBOL\\s*;',
    ],
  },
  {
    endings: 'rb rake gemspec',
    comment: HASH,
    forms: [
      '^\\s*(?:def|class|module)\\s+(?:self\\.)?(?:\\w+::)*SYMBOL',
      '^\\s*@{0,2}SYMBOL\\s*(?:\\|\\|)?=(?![=~>])',
      '^\\s*(?:attr_\\w+|alias_method|define_method|scope)\\b.*:SYMBOL',
    ],
  },
  {
    endings: 'php phtml',
    comment: /^\s*(?:\/\/|#(?!\[)|\/\*|\*(?!\w))/,
    forms: [
      '\\b(?:function\\s+&?|(?:class|interface|trait|enum|const|namespace)\\s+)SYMBOL',
      '\\$SYMBOL\\s*[=;]',
      '\\bdefine\\(\\s*["\']SYMBOL["\']',
    ],
  },
  {
    endings: 'sh bash zsh fish ksh',
    comment: HASH,
    forms: [
      '^\\s*SYMBOL\\s*\\(\\s*\\)',
      '^\\s*function\\s+SYMBOL',
      '^\\s*(?:(?:export|readonly|local|declare|typeset)\\s+(?:-\\w+\\s+)*)?SYMBOL=',
    ],
  },
  {
    endings: 'lua',
    comment: DASHES,
    forms: ['\\bfunction\\s+(?:[\\w.]+[.:])?SYMBOL', '^\\s*(?:local\\s+)?(?:[\\w.]+\\.)?SYMBOL\\s*=(?!=)'],
  },
  {
    endings: 'ex exs',
    comment: HASH,
    forms: ['^\\s*(?:def\\w*)\\s+(?:[\\w.]+\\.)?SYMBOL', '^\\s*@SYMBOL\\s', '^\\s*SYMBOL\\s*=(?![=~>])'],
  },
  {
    endings: 'sql psql plsql',
    comment: DASHES,
    flags: 'i',
    forms: [
      '\\b(?:table|view|index|function|procedure|trigger|type|sequence|schema|column|constraint|policy)\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?["`\\[]?(?:\\w+["`\\]]?\\.["`\\[]?)?SYMBOL',
      '^\\s*["`\\[]?SYMBOL["`\\]]?\\s+[a-z]',
      '\\bas\\s+["`\\[]?SYMBOL',
    ],
  },
]

const BY_ENDING: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => language.endings.split(' ').map((ending) => [ending, language] as const)),
)

const BEFORE = '(?<![\\p{L}\\p{N}_$])'
const BEHIND = '(?![\\p{L}\\p{N}_$])'

function escaped(symbol: string): string {
  return symbol.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** The first line that holds the symbol as a whole word, counted from 0; -1: none. */
export function wordLine(lines: readonly string[], symbol: string): number {
  if (symbol === '') return -1
  const word = new RegExp(`${BEFORE}${escaped(symbol)}${BEHIND}`, 'u')
  return lines.findIndex((line) => line.includes(symbol) && word.test(line))
}

/**
 * The line on which `symbol` is defined in a file of this path, counted from 0; -1: nowhere. The first declaration
 * wins. Lines that are comments as a whole define nothing.
 */
export function definitionLine(path: string, lines: readonly string[], symbol: string): number {
  if (symbol === '') return -1
  const language = BY_ENDING.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  if (language === undefined) return wordLine(lines, symbol)
  const name = `${BEFORE}${escaped(symbol)}${BEHIND}`
  const flags = language.flags ?? ''
  const forms = language.forms.map(
    (form) =>
      new RegExp(
        form.replaceAll('SYMBOL', () => name),
        `u${flags}`,
      ),
  )
  const needle = flags === '' ? symbol : symbol.toLowerCase()
  return lines.findIndex((line) => {
    // A line of a bundle is nobody's declaration, and would only cost time.
    if (line.length > LONGEST || !(flags === '' ? line : line.toLowerCase()).includes(needle)) return false
    return !language.comment.test(line) && forms.some((form) => form.test(line))
  })
}

const LONGEST = 2000

/** The lines of a text; a final line feed opens no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** sha256 of the five lines from `line` on (fewer at the end of the text), blanks collapsed and trimmed. */
export function snippetAt(lines: readonly string[], line: number): string {
  return digest(lines.slice(line, line + SNIPPET_LINES).map(collapsed))
}

/**
 * The line at which a window of five lines has this hash, counted from 0; -1: nowhere. A known symbol stands in a
 * snippet's first line, so only such windows are hashed; without one, every window is.
 */
export function findSnippet(lines: readonly string[], hash: string, symbol: string | null): number {
  const window: string[] = []
  // The window rolls upwards: each line is collapsed once.
  let found = -1
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as string
    window.unshift(collapsed(line))
    if (window.length > SNIPPET_LINES) window.pop()
    if ((symbol === null || line.includes(symbol)) && digest(window) === hash) found = at
  }
  return found
}

function collapsed(line: string): string {
  return line.replace(/\s+/g, ' ').trim()
}

function digest(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
