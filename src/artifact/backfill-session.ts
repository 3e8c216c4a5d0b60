// One run of backfill: what is proposed, and what a person decides about it, file by file. Only accept() and reject()
// write, each for the one file they are told. Surprise: an edge that a person wrote or changed is checked against the
// graph and against everything accepted in this run, since the proposals alone cannot know of it.

import type {
  BackfillEdge,
  BackfillOutcome,
  BackfillProposal,
  BackfillRefusal,
  BackfillView,
} from '../model/backfill-view.ts'
import {
  type BackfillArtifact,
  type BackfillGraph,
  type Candidate,
  findCandidates,
  Known,
  tripleOf,
} from './backfill.ts'
import { draft, readText, writeProposal } from './backfill-file.ts'
import { addRejections, FORMER, readRejections } from './backfill-rejections.ts'

export interface BackfillSetting {
  /** Absolute. */
  readonly root: string
  readonly graph: BackfillGraph
  /** Which artifacts are proposed for; all of them count as known. */
  readonly wants: (artifact: BackfillArtifact) => boolean
  /** Tells this process's temporary files from those of others. */
  readonly pid: number
}

export interface TypedEdge {
  readonly field: string
  /** Canonical id. */
  readonly target: string
}

/** See the head of this file. Throws UserError io for a list of rejections that cannot be read or written. */
export class BackfillSession {
  readonly view: BackfillView
  readonly #setting: BackfillSetting
  readonly #known: Known
  readonly #candidates: ReadonlyMap<string, Candidate>

  constructor(setting: BackfillSetting) {
    const { root, graph, wants } = setting
    this.#setting = setting
    this.#known = new Known(graph)
    const { triples, former } = readRejections(root)
    const { found, cyclic } = findCandidates(graph, ({ file }) => readText(root, file), triples)
    const wanted = found.filter(({ artifact }) => wants(artifact))
    this.#candidates = new Map(wanted.map((candidate) => [candidate.artifact.id, candidate]))
    const drafts = wanted.map(({ artifact, text, edges }) => draft(artifact, text, edges))
    const lenient = graph.artifacts.filter((artifact) => !artifact.writable && wants(artifact)).length
    this.view = {
      proposals: drafts.filter((each): each is BackfillProposal => 'after' in each),
      refused: drafts.filter((each): each is BackfillRefusal => 'reason' in each),
      cyclic: cyclic.filter(({ source }) => {
        const artifact = this.#known.artifacts.get(source)
        return artifact !== undefined && wants(artifact)
      }),
      notes: [...(lenient === 0 ? [] : [lenientNote(lenient)]), ...(former === 0 ? [] : [formerNote(former)])],
    }
  }

  /** The artifact of an id, in whatever convention; null where there is none. */
  artifact(id: string): BackfillArtifact | null {
    return this.#known.artifacts.get(id) ?? null
  }

  /** The canonical id of a target as it is typed for an artifact: bare means the artifact's own module. */
  targetOf(id: string, typed: string): string {
    const module = this.#known.artifacts.get(id)?.module ?? null
    return module === null || typed.startsWith('[') ? typed : `[${module}]/${typed}`
  }

  /** The proposal of an artifact with other edges than those proposed; or why they cannot be. */
  edited(id: string, typed: readonly TypedEdge[]): BackfillProposal | BackfillRefusal {
    const artifact = this.#known.artifacts.get(id)
    if (artifact === undefined) return { id, file: '', reason: `unknown artifact ${id}` }
    const refusal = (reason: string): BackfillRefusal => ({ id, file: artifact.file, reason })
    if (!artifact.writable) return refusal('its convention takes no edge fields; link it in its text')
    const candidate = this.#candidates.get(id)
    const edges: BackfillEdge[] = []
    for (const { field, target } of typed) {
      if (edges.some((edge) => edge.field === field && edge.target === target)) continue
      const proposed = candidate?.edges.find((edge) => edge.field === field && edge.target === target)
      const objection = proposed === undefined ? this.#known.objection(artifact, field, target) : null
      if (objection !== null) return refusal(objection)
      if (edges.some((edge) => edge.target === target)) return refusal(`${target} stands in two fields`)
      edges.push(proposed ?? { field, target, source: 'edited', confidence: 'high', line: null })
    }
    if (edges.length === 0) return refusal('no edge is left')
    const text = candidate?.text ?? readText(this.#setting.root, artifact.file)
    return text === null ? refusal('it cannot be read as UTF-8') : draft(artifact, text, edges)
  }

  /** Writes one file, and nothing else. */
  accept(proposal: BackfillProposal): BackfillOutcome {
    const { id, file, edges } = proposal
    const cycle = edges.find(({ field, target }) => this.#known.closesCycle(id, field, target))
    const reason =
      cycle === undefined
        ? writeProposal(this.#setting.root, proposal, this.#setting.pid)
        : `${id} ${cycle.field} ${cycle.target} would close a cycle with what was accepted before`
    if (reason !== null) return { id, file, action: 'refused', edges: [], reason }
    for (const { field, target } of edges) this.#known.take(id, field, target)
    return { id, file, action: 'accepted', edges, reason: null }
  }

  /** Remembers that these edges are not wanted. The artifact is left alone. */
  reject({ id, file, edges }: Pick<BackfillProposal, 'id' | 'file' | 'edges'>): BackfillOutcome {
    const triples = edges.map(({ field, target }) => tripleOf(id, field, target))
    addRejections(this.#setting.root, triples, this.#setting.pid)
    return { id, file, action: 'rejected', edges, reason: null }
  }

  /** What is proposed for an artifact, whether or not it could be written. */
  edgesOf(id: string): readonly BackfillEdge[] {
    return this.#candidates.get(id)?.edges ?? []
  }
}

function formerNote(count: number): string {
  const what = count === 1 ? '1 rejection' : `${count} rejections`
  return `${what} of ${FORMER} count${count === 1 ? 's' : ''} as well, until a --reset`
}

function lenientNote(count: number): string {
  const who = count === 1 ? '1 artifact follows a convention' : `${count} artifacts follow conventions`
  return `${who} without edge fields: nothing is proposed there, links in the text are edges already`
}
