// What the name of an artifact's file says by itself: its number, its slug, and whether it is an artifact at all. Knows
// words and shapes, no folder and no text. Surprise: `2024-01-15-x.md` is a date and not number 2024, and `0000-x.md` is
// a decision like any other unless its slug says template.

/** The parts of `0042-sour-dough.md`, `ADR-042.md`, `adr001-log.md`. */
export interface NumberedName {
  /** Digits as they stand in the name. */
  readonly digits: string
  /** What follows them, without the ending; empty where nothing does. */
  readonly slug: string
}

const NUMBERED = /^(?:adr[-_ ]?)?(\d{1,6})(?:[-_. ]+(.+))?\.(?:md|markdown)$/i
const DATED = /^\d{4}-\d{2}-\d{2}(?:\D|$)/
const TEMPLATE = /^(?:(?:adr|madr|nygard|decision|record|short|long|bare|full|minimal)[-_])*template(?:[-_][a-z]+)*$/i
const PAGE = /^(?:readme|index|template|_index|_template|_category_|toc|changelog|contributing|overview)$/i
const MARKDOWN = /\.(?:md|markdown)$/i

/** True for the name of a Markdown file. */
export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name)
}

/** The name of a file without its Markdown ending. */
export function stem(name: string): string {
  return name.replace(MARKDOWN, '')
}

/** True for pages beside artifacts that are none: `README.md`, `index.md`, templates (conventions survey §5). */
export function isAside(name: string): boolean {
  const base = stem(name)
  return PAGE.test(base) || TEMPLATE.test(base) || base.startsWith('_') || base.startsWith('.')
}

/** Number and slug of a numbered decision; null for every other name, templates included (conventions survey §5). */
export function numberedName(name: string): NumberedName | null {
  if (DATED.test(name)) return null
  const match = NUMBERED.exec(name)
  if (match === null) return null
  const [, digits = '', slug = ''] = match
  if (TEMPLATE.test(slug) || (Number(digits) === 0 && /template/i.test(slug))) return null
  return { digits, slug }
}

/** `ADR-0042`: at least four digits (conventions survey §5). */
export function paddedId(prefix: string, digits: string): string {
  return `${prefix}-${String(Number(digits)).padStart(4, '0')}`
}

/** The slug behind the date of a log4brains name (`20240115-sour-dough`), or the whole stem. */
export function undated(base: string): string {
  return base.replace(/^(?:\d{8}|\d{4}-\d{2}-\d{2})[-_]/, '')
}

/** True for `20240115-sour-dough.md`. */
export function isDated(name: string): boolean {
  return isMarkdown(name) && !isAside(name) && undated(stem(name)) !== stem(name)
}
