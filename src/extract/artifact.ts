// The artifact family: finds out which convention of which module claims a file and hands it to that convention's
// reader. Knows no convention by itself. Surprise: a file that no convention claims any more gives no facts; that is how
// a changed layout takes artifacts away.

import { type Facts, NO_FACTS } from '../model/facts.ts'
import { moduleOf, withinModule } from '../model/layout.ts'
import { extractLenient } from './artifact-lenient.ts'
import { extractSdd } from './artifact-sdd.ts'
import { claims } from './conventions/claims.ts'
import type { ExtractContext, Extractor, SourceText } from './extractor.ts'
import { EXTRACTOR_VERSION } from './fingerprint.ts'

function artifactFacts(source: SourceText, { layout }: ExtractContext): Facts {
  const module = moduleOf(layout, source.path)
  const use = module?.conventions.find((candidate) => claims(candidate, withinModule(module, source.path)))
  if (module === null || use === undefined) return NO_FACTS
  return use.name === 'sdd' ? extractSdd(source, use, module) : extractLenient(source, use, module, layout)
}

/** Facts of one ADR, spec or open change (seed 001 "Graph Construction"; issue 3 §5). */
export const artifactExtractor: Extractor = {
  family: 'artifact',
  version: EXTRACTOR_VERSION.artifact,
  extract: artifactFacts,
}
