// The words by which people relate artifacts, in front matter fields and at the start of lines, and the edge that each
// means between which kinds. Data and look-ups; where such words stand is read elsewhere.
// Surprise: reverse words ("superseded by") are legitimate here and turned round; "depends on" between two decisions is
// the seed's `enables` turned round, since `requires` is for specs.

import { EDGE, EDGE_TYPES } from '../../model/vocabulary.ts'

export type ArtifactWord = 'adr' | 'spec' | 'change'

/** What a word means, before the kinds at its ends are known. */
export interface Wording {
  readonly type: number
  /** The target is the one that acts: "superseded by X" says that X supersedes. */
  readonly reverse: boolean
}

const does = (type: number): Wording => ({ type, reverse: false })
const suffers = (type: number): Wording => ({ type, reverse: true })

/** Words in lower case with single dashes, as in `superseded-by`. Source: conventions survey §3, §5. */
const WORDS: Readonly<Record<string, Wording>> = {
  supersedes: does(EDGE.supersedes),
  supercedes: does(EDGE.supersedes),
  superseding: does(EDGE.supersedes),
  replaces: does(EDGE.supersedes),
  obsoletes: does(EDGE.supersedes),
  'superseded-by': suffers(EDGE.supersedes),
  'superceded-by': suffers(EDGE.supersedes),
  'replaced-by': suffers(EDGE.supersedes),
  'obsoleted-by': suffers(EDGE.supersedes),
  extends: does(EDGE.extends),
  amends: does(EDGE.extends),
  refines: does(EDGE.extends),
  clarifies: does(EDGE.extends),
  updates: does(EDGE.extends),
  'builds-on': does(EDGE.extends),
  'partially-supersedes': does(EDGE.extends),
  'partly-supersedes': does(EDGE.extends),
  'extended-by': suffers(EDGE.extends),
  'amended-by': suffers(EDGE.extends),
  'refined-by': suffers(EDGE.extends),
  'clarified-by': suffers(EDGE.extends),
  'updated-by': suffers(EDGE.extends),
  'partially-superseded-by': suffers(EDGE.extends),
  'partly-superseded-by': suffers(EDGE.extends),
  implements: does(EDGE.implements),
  realizes: does(EDGE.implements),
  'implemented-by': suffers(EDGE.implements),
  requires: does(EDGE.requiresSpec),
  'depends-on': does(EDGE.requiresSpec),
  'dependent-on': does(EDGE.requiresSpec),
  'required-by': suffers(EDGE.requiresSpec),
  'depended-on-by': suffers(EDGE.requiresSpec),
  enables: does(EDGE.enables),
  unblocks: does(EDGE.enables),
  'enabled-by': suffers(EDGE.enables),
  governs: does(EDGE.governs),
  'governed-by': suffers(EDGE.governs),
  related: does(EDGE.related),
  'related-to': does(EDGE.related),
  'relates-to': does(EDGE.related),
  'relates-with': does(EDGE.related),
  'related-adr': does(EDGE.related),
  'related-adrs': does(EDGE.related),
  'related-decisions': does(EDGE.related),
  'related-specs': does(EDGE.related),
  'related-artifacts': does(EDGE.related),
  'related-documents': does(EDGE.related),
  'related-records': does(EDGE.related),
  'see-also': does(EDGE.related),
}

/** By the name of an edge or of its inverse, for conventions of the user's own. */
const BY_NAME: ReadonlyMap<string, Wording> = new Map(
  EDGE_TYPES.filter(({ rule }) => rule === 'artifact-field').flatMap(({ id, name, inverse }): [string, Wording][] =>
    name === inverse || inverse === null
      ? [[name, does(id)]]
      : [
          [name, does(id)],
          [inverse, suffers(id)],
        ],
  ),
)

/** The words that a convention knows, its own ones included. */
export type Wordings = ReadonlyMap<string, Wording>

const KNOWN: Wordings = new Map(Object.entries(WORDS))

/** A field or a word at the start of a line as it is looked up. */
export function wordKey(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
}

/** The known words, with those of a custom convention laid over them. */
export function wordings(own: Readonly<Record<string, string>> | undefined): Wordings {
  if (own === undefined) return KNOWN
  const all = new Map(KNOWN)
  for (const [word, name] of Object.entries(own)) {
    const meant = BY_NAME.get(name)
    if (meant !== undefined) all.set(wordKey(word), meant)
  }
  return all
}

/** The kind that a key is of, by its own prefix; null where only resolution tells. */
export function kindOfKey(key: string): ArtifactWord | null {
  const bare = key.slice(key.indexOf(']/') === -1 ? 0 : key.indexOf(']/') + 2)
  if (/^ADR[-:]/.test(bare)) return 'adr'
  if (/^SPEC[-:]/.test(bare)) return 'spec'
  return bare.startsWith('CHANGE:') ? 'change' : null
}

/** What a word means between an author and a target of these kinds (seed 001 "Frontmatter Edge Schema"; survey §5). */
export function between({ type, reverse }: Wording, author: ArtifactWord, target: ArtifactWord | null): Wording {
  const other = target ?? author
  const down = reverse ? other : author
  const up = reverse ? author : other
  if (type === EDGE.requiresSpec && down === 'adr' && up === 'adr') return { type: EDGE.enables, reverse: !reverse }
  if ((type === EDGE.requiresSpec || type === EDGE.extends) && down === 'spec' && up === 'adr') {
    return { type: EDGE.implements, reverse }
  }
  return { type, reverse }
}
