// One ADR or spec of the strict `sdd` convention: its id, title, status and the edges of its front matter. Ids are exact
// and nothing is read from prose here. Other conventions are read by artifact-lenient.ts.
// Surprise: an ADR's id is in its file name whatever its heading says, a spec's is in its heading whatever its folder.

import { type Facts, NO_FACTS, SEVERITY } from '../model/facts.ts'
import type { ConventionUse, ModuleLayout } from '../model/layout.ts'
import { KIND } from '../model/vocabulary.ts'
import { isNothing, type StrictKind, strictFields } from './artifact-fields.ts'
import { detached } from './characters.ts'
import type { SourceText } from './extractor.ts'
import { readFrontMatter } from './front-matter.ts'
import { headingMismatch } from './heading-number.ts'
import { scanMarkdown } from './markdown.ts'
import { withAtxTitles } from './setext.ts'

const ADR_NAME = /^(ADR-(\d{4}))(?:-.*)?\.md$/s
const SPEC_HEADING = /^SPEC-\d{4}(?!\w)/

/** Level-1 headings of the body outside fences: the first, and the first spec id that one starts with. */
function headings(body: string, bodyLine: number): { title: string | null; line: number; specId: string | null } {
  let title: string | null = null
  let line = bodyLine
  let specId: string | null = null
  scanMarkdown(withAtxTitles(body.split('\n')), bodyLine, {
    heading: (level, text, number) => {
      if (level !== 1 || text === '') return
      if (title === null) line = number
      title ??= detached(text)
      specId ??= SPEC_HEADING.exec(text)?.[0] ?? null
    },
    link: () => {},
  })
  return { title, line, specId }
}

/**
 * Facts of one file that `use` (of convention sdd) claims in `module`. An ADR whose file name holds no id gives none; a
 * spec without an id in a heading gives the problem spec-without-id alone. Never throws for what the text says.
 * Source: seed 001 "Frontmatter Edge Schema", sheet artifact-graph §1 to §3.
 */
export function extractSdd(source: SourceText, use: ConventionUse, module: ModuleLayout): Facts {
  // Above the size that is read whole nobody writes artifacts; if one does, it is put together again.
  const text = source.text ?? [...source.lines()].join('\n')
  const matter = readFrontMatter(text)
  const { title, line, specId } = headings(matter.body, matter.bodyLine)
  const kind: StrictKind = use.kind === 'adr' ? 'adr' : 'spec'
  const name = source.path.slice(source.path.lastIndexOf('/') + 1)
  const [, adrId = null, digits] = ADR_NAME.exec(name) ?? []
  const bare = kind === 'adr' ? adrId : specId
  if (bare === null) {
    if (kind === 'adr') return NO_FACTS
    const detail = 'no heading that starts with SPEC-NNNN'
    return {
      nodes: [],
      edges: [],
      problems: [
        { code: 'spec-without-id', severity: SEVERITY.warning, line: null, detail, field: null, target: null },
      ],
    }
  }
  const prefix = module.name === null ? '' : `[${module.name}]/`
  const id = detached(prefix + bare)
  const block = text
    .slice(0, text.length - matter.body.length)
    .split('\n')
    .slice(1, matter.bodyLine - 2)
  const { edges, problems } = strictFields(matter, block, { id, kind, prefix })
  const { status } = matter.data
  const node = { id, kind: KIND[kind], own: true, title, status: statusText(status), line: null }
  const mismatch = kind === 'adr' && digits !== undefined ? headingMismatch(title ?? '', digits, line) : null
  return { nodes: [node], edges, problems: mismatch === null ? problems : [...problems, mismatch] }
}

function statusText(value: unknown): string | null {
  const text = typeof value === 'string' && !isNothing(value) ? value.trim() : ''
  return text === '' ? null : detached(text)
}
