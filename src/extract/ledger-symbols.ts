// Which files and which names of code a text cites. Only what stands in back-ticks or in bold can be one; whether it
// exists in the repository is not asked here. Surprise: a name in bold in front of a colon is a label of the template
// and no symbol, and a path without a folder needs an ending that files have, because `process.env` looks like one.

import { SOURCE_ENDINGS } from '../model/source-languages.ts'
import { isBlank, skip } from './characters.ts'
import { codeSpans, isBacktick } from './markdown-line.ts'

/** How many a card keeps (sheet ledger §2.4); a block that lists its symbols may name more of them. */
export const MOST = { paths: 20, symbols: 30, listed: 100 } as const

/** A longer name is none. */
const LONGEST = { path: 400, symbol: 100 } as const

/** Texts in back-ticks on one line, trimmed, in order. */
function quotedIn(line: string): string[] {
  if (!line.includes('`')) return []
  const spans = codeSpans(line)
  const texts: string[] = []
  for (let at = line.indexOf('`'); at !== -1; at = line.indexOf('`', at)) {
    const from = skip(line, at, isBacktick)
    const end = spans.get(at) ?? -1
    if (end !== -1) texts.push(line.slice(from, end - (from - at)).trim())
    at = end === -1 ? from : end
  }
  return texts
}

/** Endings that are members of objects more often than files: `robot.move`, `user.pro`. */
const MEMBERS = new Set('.move .for .res .re .pro .just .vert .frag .build .table .d .f .m .s .t .v .cl .el'.split(' '))
const FILE_ENDINGS: ReadonlySet<string> = new Set([
  ...SOURCE_ENDINGS.filter((ending) => !MEMBERS.has(ending)),
  ...'.md .mdx .markdown .rst .adoc .txt .json .json5 .jsonc .jsonl .ndjson .toml .ini .cfg .conf .properties'.split(
    ' ',
  ),
  ...'.xml .csv .tsv .lock .svg .png .jpg .jpeg .gif .webp .ico .pdf .gz .tgz .zip .tar .wasm .ipynb .snap'.split(' '),
  ...'.mp3 .mp4 .wav .ttf .woff .woff2 .bin .exe .dll .jar .db .sqlite .patch .diff .gpg .pem .crt .tmpl .tpl'.split(
    ' ',
  ),
])

/** Behind a file's name: `:42`, `:42:7`, `:42-50`, `#L42`, `#L42-L50`. */
const LINE_NUMBER = /(?::\d{1,9}(?:[-:]\d{1,9})?|#L\d{1,9}(?:-L?\d{1,9})?)$/
const FOREIGN = /[\s*?<>|"'{};,=&!^%:#\p{Cc}]|^\/|\/\/|(?:^|\/)\.\.?(?:\/|$)/u
const ENDING = /[^/]\.[A-Za-z][A-Za-z0-9]{0,9}$/

/** The path that a quoted text is, or null. In a numbered list of files a folder and a bare name are paths, too. */
function pathOf(quoted: string, listed: boolean): string | null {
  if (quoted.length > LONGEST.path) return null
  let path = quoted.replaceAll('\\', '/').replace(LINE_NUMBER, '').replace(/^\.\//, '')
  if (listed) path = path.replace(/^\//, '')
  if (path === '' || FOREIGN.test(path) || !/^[\p{L}\p{N}._]/u.test(path)) return null
  const slash = path.lastIndexOf('/')
  if (slash === -1) {
    const dot = path.lastIndexOf('.')
    return dot > 0 && FILE_ENDINGS.has(path.slice(dot).toLowerCase()) ? path : null
  }
  return listed || ENDING.test(path.slice(slash)) ? path : null
}

/**
 * The files that a text cites, without repeats: first all names with an ending, then what starts the points of its
 * numbered lists. Source: sheet ledger §2.4; line numbers are stripped, and links, commands and members are refused.
 */
export function pathsIn(text: string): string[] {
  const named = new Set<string>()
  const listed = new Set<string>()
  for (const line of text.split('\n')) {
    const quoted = quotedIn(line)
    for (const name of quoted) {
      const path = pathOf(name, false)
      if (path !== null) named.add(path)
    }
    const first = quoted[0]
    const path = first !== undefined && /^\d{1,9}\. /.test(line) ? pathOf(first, true) : null
    if (path !== null) listed.add(path)
  }
  return [...new Set([...named, ...listed])].slice(0, MOST.paths)
}

/** Words that stand in bold or in back-ticks for emphasis, in lower case. */
const PROSE: ReadonlySet<string> = new Set(
  (
    'the and for not but all any are was has had can may its our you see this that with from into then than when ' +
    'true false null none undefined data path paths file files value values type types name names main body set get ' +
    'new old key keys list item items map skip run test tests code line lines text string number object array index ' +
    'error errors result input output config option options user yes note todo fixme warning must should never always'
  ).split(' '),
)

/** Words of the template that stand in bold without a colon as well. */
const TEMPLATE: ReadonlySet<string> = new Set(
  (
    'verdict confidence severity pattern prevention symbols decisions anomalies completed branch commits location ' +
    'issue holder interfaces summary recommendation evidence high medium low critical confirmed partial invalid'
  ).split(' '),
)

const BOLD = /\*\*([A-Za-z_][A-Za-z0-9_]{2,99})\*\*(?!\s{0,20}:)/g
const NAME = /^([A-Za-z_][A-Za-z0-9_]{2,99})(?:\(\))?$/

/**
 * The names of code that a text cites, without repeats: words in bold, then words in back-ticks. Source: sheet ledger
 * §2.4; the template's labels are none (§10.5).
 */
export function symbolsIn(text: string): string[] {
  const found = new Set<string>()
  for (const [, name] of text.matchAll(BOLD)) {
    if (name !== undefined && !PROSE.has(name.toLowerCase()) && !TEMPLATE.has(name.toLowerCase())) found.add(name)
  }
  for (const line of text.split('\n')) {
    for (const quoted of quotedIn(line)) {
      const name = NAME.exec(quoted)?.[1]
      if (name !== undefined && !PROSE.has(name.toLowerCase())) found.add(name)
    }
  }
  return [...found].slice(0, MOST.symbols)
}

function isSeparator(code: number): boolean {
  return code === 0x2c || isBlank(code)
}

/** The symbols of a block's own list, split at commas and blanks, back-ticks and empty brackets stripped. */
export function listedSymbols(value: string): string[] {
  const found = new Set<string>()
  for (let at = skip(value, 0, isSeparator); at < value.length && found.size < MOST.listed; ) {
    let end = at
    while (end < value.length && !isSeparator(value.charCodeAt(end))) end++
    const name = value.slice(at, end).replaceAll('`', '').replace(/\(\)$/, '')
    if (name.length > 1 && name.length <= LONGEST.symbol && /[\p{L}_$]/u.test(name)) found.add(name)
    at = skip(value, end, isSeparator)
  }
  return found.size === 1 && /^none\.?$/i.test([...found][0] ?? '') ? [] : [...found]
}

/** `list` with what `more` adds to it, as long as it has fewer than `most`. */
export function joined(list: readonly string[], more: readonly string[], most: number): readonly string[] {
  const all = new Set(list)
  for (const entry of more) if (all.size < most) all.add(entry)
  return [...all]
}
