// The docs family: what one Markdown document says of itself (title, status) and which other documents it links to.
// The node's id is its path. A link counts only where it names another `.md` below the root in a relative way; whether
// that document exists is not asked here. Surprise: links in fences, code spans and HTML comments are examples.

import type { EdgeFact, Facts, ProblemFact } from '../model/facts.ts'
import { SEVERITY } from '../model/facts.ts'
import { EDGE, KIND } from '../model/vocabulary.ts'
import { detached } from './characters.ts'
import type { Extractor, SourceText } from './extractor.ts'
import { EXTRACTOR_VERSION } from './fingerprint.ts'
import { FRONT_MATTER_LIMIT, type FrontMatter, readFrontMatter } from './front-matter.ts'
import { scanMarkdown } from './markdown.ts'

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray per cent sign is part of the name.
    return text
  }
}

/**
 * The path that a link of a document means, relative to the root; null for what is no relative link to a `.md` below
 * the root: addresses, absolute paths, other endings, paths that climb out. `?…` and `#…` are dropped, then per cent
 * signs decoded.
 */
export function linkedDocument(from: string, target: string): string | null {
  const cut = target.search(/[?#]/)
  const path = decode(cut === -1 ? target : target.slice(0, cut))
  if (!path.endsWith('.md') || path.startsWith('/') || path.includes('\0')) return null
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(target)) return null
  const parts = from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** The start of a source that comes as lines: one line, or as much as front matter may be long. */
function head(source: SourceText): string {
  const lines: string[] = []
  let length = 0
  for (const line of source.lines()) {
    lines.push(line)
    length += line.length + 1
    if (!/^\ufeff?---/.test(lines[0] ?? '') || length > FRONT_MATTER_LIMIT) break
  }
  return lines.join('\n')
}

function* behind(lines: Iterable<string>, count: number): Iterable<string> {
  let number = 0
  for (const line of lines) {
    if (number++ < count) continue
    yield number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line
  }
}

/** Front matter and the lines behind it. */
function open(source: SourceText): { readonly matter: FrontMatter; readonly lines: Iterable<string> } {
  if (source.text !== null) {
    const matter = readFrontMatter(source.text)
    return { matter, lines: matter.body.split('\n') }
  }
  const matter = readFrontMatter(head(source))
  return { matter, lines: behind(source.lines(), matter.bodyLine - 1) }
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : detached(text)
}

function documentFacts(source: SourceText): Facts {
  const { matter, lines } = open(source)
  let heading: string | null = null
  const edges: EdgeFact[] = []
  const seen = new Set([source.path])
  // Most repeated links are spelt the same way, and resolving one costs more than reading its line.
  const spelt = new Set<string>()
  scanMarkdown(lines, matter.bodyLine, {
    heading: (level, text) => {
      if (level === 1 && heading === null && text !== '') heading = detached(text)
    },
    link: (target, line) => {
      if (spelt.has(target)) return
      spelt.add(target)
      const up = linkedDocument(source.path, target)
      if (up === null || seen.has(up)) return
      seen.add(up)
      edges.push({ up: detached(up), down: source.path, type: EDGE.links, line, note: null })
    },
  })
  const title = textOf(matter.data.title) ?? heading
  const status = textOf(matter.data.status)
  const { problem } = matter
  const problems: ProblemFact[] =
    problem === null ? [] : [{ ...problem, detail: detached(problem.detail), severity: SEVERITY.warning }]
  return {
    nodes: [{ id: source.path, kind: KIND.document, own: true, title, status, line: null }],
    edges,
    problems,
  }
}

/** Facts of one Markdown document (issue 2 §5 "Decided questions"; sheet artifact-graph §1–2 for front matter). */
export const documentExtractor = {
  family: 'docs',
  version: EXTRACTOR_VERSION.docs,
  extract: documentFacts,
} as const satisfies Extractor
