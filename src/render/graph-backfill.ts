// Proposals and outcomes of `graph backfill` as text and as JSON. Pure. Surprise: the text is made of whole unified
// diffs, so that what a person reads is what would be written; --patch prints the same diffs and nothing else.

import type { BackfillEdge, BackfillOutcome, BackfillProposal, BackfillView } from '../model/backfill-view.ts'
import { indentedJson } from './json.ts'
import { unifiedDiff } from './unified-diff.ts'

/** The unified diff of one proposal, applicable at the root. */
export function proposalDiff({ file, before, after }: BackfillProposal): string {
  return unifiedDiff(file, before, after)
}

/** All proposals as one patch (`--patch`). */
export function backfillPatch({ proposals }: BackfillView): string {
  return proposals.map(proposalDiff).join('')
}

/** A word as a shell reads it: quoted where it would be more than a word (`[quay]/ADR-0001` is a pattern). */
export function shellWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** A text for a terminal: the line ends of a CR LF file are no control characters to be shown. */
export function plainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** What is proposed for one file: the edges with where they were read, then the diff. */
export function proposalText(proposal: BackfillProposal): string {
  const { id, file, edges } = proposal
  const lines = edges.map(({ field, target, source, confidence, line }) => {
    const where = line === null ? source : `${source}, line ${line}`
    return `  ${field} ${target} (${where})${confidence === 'low' ? ' - a guess' : ''}\n`
  })
  return `${id}: ${counted(edges.length, 'edge')} proposed in ${file}\n${lines.join('')}\n${proposalDiff(proposal)}`
}

/** Everything that is proposed, and how to go on. */
export function backfillText(view: BackfillView, command: string): string {
  const parts = view.proposals.map((proposal) => `${proposalText(proposal)}\n`)
  for (const { id, file, reason } of view.refused) parts.push(`${id}: ${file} cannot be extended: ${reason}\n`)
  for (const { source, field, target } of view.cyclic) {
    parts.push(`left out: ${source} ${field} ${target} would close a cycle\n`)
  }
  if (view.proposals.length === 0) parts.push('Nothing to propose.\n')
  else {
    const ids = view.proposals.slice(0, 3).map(({ id }) => id)
    parts.push(
      `${counted(view.proposals.length, 'file')} with proposals. Nothing was written. To go on:\n`,
      `  ${command} --accept ${ids.map(shellWord).join(' ')}${view.proposals.length > ids.length ? ' …' : ''}\n`,
      `  ${command} --accept-edges ${edgeWord(view.proposals[0])}\n`,
      `  ${command} --reject ${shellWord(ids[0] ?? '')}\n`,
      `  ${command} --patch FILE\n`,
    )
  }
  return parts.join('')
}

function edgeWord(proposal: BackfillProposal | undefined): string {
  const edge = proposal?.edges[0]
  return edge === undefined ? 'ID:field=TARGET' : shellWord(`${proposal?.id}:${edge.field}=${edge.target}`)
}

/** One line per file that something was asked for. */
export function outcomesText(outcomes: readonly BackfillOutcome[]): string {
  return outcomes
    .map(({ id, file, action, edges, reason }) => {
      if (action === 'accepted') return `${id}: wrote ${counted(edges.length, 'edge')} to ${file}\n`
      if (action === 'rejected') return `${id}: rejected ${counted(edges.length, 'edge')}; not proposed again\n`
      return action === 'nothing' ? `${id}: ${reason}\n` : `${id}: ${file} was left alone: ${reason}\n`
    })
    .join('')
}

function edgeJson({ field, target, source, confidence, line }: BackfillEdge): object {
  return { confidence, field, line, source, target }
}

/** The JSON answer: proposals with their diffs, and what was done on request (`outcomes`, empty without). */
export function backfillJson(
  view: BackfillView,
  outcomes: readonly BackfillOutcome[],
  query: Readonly<Record<string, unknown>>,
): string {
  const answer = {
    query,
    results: {
      left_out: view.cyclic.map(({ source, field, target }) => ({ field, reason: 'cycle', source, target })),
      notes: view.notes,
      outcomes: outcomes.map(({ id, file, action, edges, reason }) => ({
        action,
        edges: edges.map(edgeJson),
        file,
        id,
        reason,
      })),
      proposals: view.proposals.map((proposal) => ({
        diff: proposalDiff(proposal),
        edges: proposal.edges.map(edgeJson),
        file: proposal.file,
        id: proposal.id,
        module: proposal.module,
      })),
      refused: view.refused.map(({ id, file, reason }) => ({ file, id, reason })),
    },
    schema_version: '1',
  }
  return `${indentedJson(answer)}\n`
}
