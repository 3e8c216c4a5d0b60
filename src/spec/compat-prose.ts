// Calls and removed labels as the public validator finds them, for compat only (sheet spec-graph §9.2–9.3): the
// patterns are the extractor's, with the C library's idea of a blank.

import { isCLibraryBlank } from '../extract/characters.ts'
import { removedLabels, skillTargets } from '../extract/spec-tokens.ts'
import { compatLines } from '../scan/compat-scan.ts'
import type { Prose, ProseCall } from './findings.ts'

const NEEDLES = ['Skill(', '--remove-label']

/** Everything below `root`/commands; a path is cut at its first colon, as the public tool's output was. */
export function compatProse(root: string): Prose {
  const calls: ProseCall[] = []
  const removed: string[] = []
  for (const line of compatLines(root, NEEDLES)) {
    const path = line.path.split(':', 1)[0] ?? ''
    for (const target of skillTargets(line.text, isCLibraryBlank)) calls.push({ path, target })
    removed.push(...removedLabels(line.text, isCLibraryBlank))
  }
  return { calls, removed }
}
