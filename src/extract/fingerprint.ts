// Whether stored facts of a family are still what its extractor would say today: one hash over everything but the
// text itself. Kept apart from the extractors so that proving an index fresh loads no YAML parser.
// Surprise: raising a version here is all it takes to re-extract a family, once, in every index.

import { createHash } from 'node:crypto'
import type { Config } from '../model/config.ts'
import type { Family } from '../model/families.ts'
import type { Layout } from '../model/layout.ts'
import { EDGE_TYPES, KINDS } from '../model/vocabulary.ts'

/** Raise the number of a family whenever its extractor would return other facts for some text. */
export const EXTRACTOR_VERSION: Readonly<Record<Family, number>> = { spec: 1, docs: 3, artifact: 4, code: 3 }

/** The configuration that changes what a family lists or says. The spec corpora are exempt from all of it. */
function relevantConfig(family: Family, config: Config, layout: Layout): unknown {
  switch (family) {
    case 'spec':
      return null
    case 'docs':
      return [config.roots, config.include, config.ignore, config.limits.file_bytes]
    // Why a convention was chosen is talk: only what was chosen counts.
    case 'artifact':
      return [chosen(layout), config.limits.file_bytes]
    case 'code':
      return [chosen(layout), config.graph.openers, config.graph.sources, config.limits.file_bytes]
  }
}

function chosen({ modules }: Layout): unknown {
  return modules.map(({ name, path, conventions }) => [
    name,
    path,
    conventions.map(({ name: convention, kind, folder, custom }) => [convention, kind, folder, custom ?? null]),
  ])
}

/**
 * sha256 (hex) over extractor version, vocabulary and relevant configuration of a family. A different value than the
 * stored one means that every file of the family is to be extracted again (ARCHITECTURE §4 "Freshness").
 */
export function fingerprint(family: Family, config: Config, layout: Layout): string {
  const parts = [
    family,
    EXTRACTOR_VERSION[family],
    KINDS.filter((kind) => kind.family === family),
    EDGE_TYPES.filter((type) => type.family === family),
    relevantConfig(family, config, layout),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
