// The closed map from family to extractor. Adding a family: a bit in model/families.ts, kinds and edge types in
// model/vocabulary.ts, a version and its configuration keys in fingerprint.ts, an extractor here.
// Surprise: importing this file loads YAML; who only proves freshness imports fingerprint.ts.

import type { Family } from '../model/families.ts'
import { artifactExtractor } from './artifact.ts'
import { specExtractor } from './command-spec.ts'
import { documentExtractor } from './document.ts'
import type { Extractor } from './extractor.ts'
import { governingExtractor } from './governing-comment.ts'

/** What reads each family. */
export const EXTRACTORS: Readonly<Record<Family, Extractor>> = {
  spec: specExtractor,
  docs: documentExtractor,
  artifact: artifactExtractor,
  code: governingExtractor,
}
