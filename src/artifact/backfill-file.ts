// The files of backfill: an artifact's bytes are read, extended and replaced as a whole. Nothing is written that differs
// from what a person saw: the file is read again just before, and a change refuses. Surprise: a link is followed only
// where it stays in the root, since the repository may not be one's own.

import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { spliceFrontMatter } from '../extract/front-matter-splice.ts'
import { FIELDS } from '../extract/prose-edges.ts'
import type { BackfillEdge, BackfillProposal, BackfillRefusal } from '../model/backfill-view.ts'
import { compareUtf16 } from '../model/order.ts'
import { replaceFile } from '../scan/replace-file.ts'
import { type BackfillArtifact, writtenId } from './backfill.ts'

/** The text of a file, byte-order mark included; null where it cannot be read or is not UTF-8. */
export function readText(root: string, file: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(insideRoot(root, file)))
  } catch {
    return null
  }
}

/** The file with these edges added, for a person to judge; or why it must be left alone. */
export function draft(
  artifact: BackfillArtifact,
  before: string,
  edges: readonly BackfillEdge[],
): BackfillProposal | BackfillRefusal {
  const { id, module, file } = artifact
  const additions = FIELDS[artifact.kind].map((field) => ({
    field,
    targets: edges
      .filter((edge) => edge.field === field)
      .map(({ target }) => writtenId(artifact, target))
      .sort(compareUtf16),
  }))
  const splice = spliceFrontMatter(new TextEncoder().encode(before), additions)
  if (!splice.ok) return { id, file, reason: splice.reason }
  const after = new TextDecoder('utf-8', { ignoreBOM: true }).decode(splice.bytes)
  return { id, module, file, edges, before, after }
}

/**
 * Writes a proposal that a person has accepted. Returns null, or why nothing was written: the file changed since it was
 * read, is gone, write-protected or a hard link, or lies outside the root. The new file has the old one's permissions and
 * appears as a whole.
 */
export function writeProposal(root: string, proposal: BackfillProposal, pid: number): string | null {
  try {
    const file = insideRoot(root, proposal.file)
    if (!readFileSync(file).equals(Buffer.from(proposal.before, 'utf8'))) {
      return 'it changed since the proposal was made'
    }
    // A new file in its place would leave the other name with the old text.
    if (statSync(file).nlink > 1) return 'it has another name (a hard link); write the edges by hand'
    // Its folder alone would allow to replace it.
    accessSync(file, constants.W_OK)
    replaceFile(file, proposal.after, pid)
    return null
  } catch (error) {
    if (error instanceof Outside) return 'it leads out of the root'
    return `it cannot be written: ${error instanceof Error ? error.message : String(error)}`
  }
}

class Outside extends Error {}

function insideRoot(root: string, file: string): string {
  const real = realpathSync.native(path.join(root, file))
  if (!real.startsWith(realpathSync.native(root) + path.sep)) throw new Outside(file)
  return real
}
