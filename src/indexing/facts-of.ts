// One file from disk to row: reads it once, hashes what it read, hands the text to the extractors of its families.

import type { ExtractContext, SourceText } from '../extract/extractor.ts'
import { EXTRACTORS } from '../extract/extractors.ts'
import type { Config } from '../model/config.ts'
import { type AliasFact, type EdgeFact, type Facts, type NodeFact, type ProblemFact, SEVERITY } from '../model/facts.ts'
import { type Family, familiesOf } from '../model/families.ts'
import { displayPath } from '../model/source-key.ts'
import { FILE_STATE } from '../model/vocabulary.ts'
import { isRacy, type ListedFile, statBytes } from '../scan/listing.ts'
import { hashBytes, hashLarge, isLargeUtf8, readChunks, readSource, type SourceRead } from '../scan/read.ts'
import type { FileRow } from '../store/queries/files-in-dir.ts'
import type { FileRecord } from '../store/writer.ts'
import { isContentOf } from './compare.ts'

export interface Extracted {
  readonly record: FileRecord
  readonly facts: Facts
  /** False where the file moved on since it was listed, or git's blob id is not of its bytes. */
  readonly asListed: boolean
  /** Whether `before` was made from the same bytes; null where it was not given. */
  readonly sameContent: boolean | null
}

const NO_OID = Buffer.alloc(0)
const BINARY_PREFIX = 8000

/** Text for states that are names and no sources, and for what limits kept out. */
const STATE_PROBLEM: Readonly<Record<number, { code: string; detail: string }>> = {
  [FILE_STATE.tooLarge]: { code: 'too-large', detail: 'larger than limits.file_bytes' },
  [FILE_STATE.binary]: { code: 'binary', detail: 'holds a NUL byte near its start' },
  [FILE_STATE.unreadable]: { code: 'unreadable', detail: 'cannot be read' },
  [FILE_STATE.outsideLink]: { code: 'outside-link', detail: 'a symbolic link out of the root is not followed' },
  [FILE_STATE.linkLoop]: { code: 'link-loop', detail: 'a symbolic link that leads back to itself' },
  [FILE_STATE.notAFile]: { code: 'not-a-file', detail: 'has the name of a source and is no plain file' },
  [FILE_STATE.unreadableFolder]: { code: 'unreadable-folder', detail: 'cannot be opened; what it holds is unknown' },
}

function problem(state: number, severity: number): ProblemFact {
  const { code, detail } = STATE_PROBLEM[state] ?? { code: 'unknown', detail: '' }
  return { code, severity, line: null, detail }
}

/**
 * Reads and extracts `key` for the families in `bits`. Null where nothing is there any more. `before` is the row
 * that is to be compared, if any; `now` decides whether the time stamps may vouch later. Never throws for what the file holds.
 */
export function extractFile(
  root: string,
  key: string,
  bits: number,
  listed: ListedFile,
  context: ExtractContext,
  before: FileRow | null,
  now: number,
): Extracted | null {
  if (listed.state !== FILE_STATE.ok) {
    const record = { key, family: bits, size: 0, stat: null, oid: NO_OID, state: listed.state }
    const severity = listed.state === FILE_STATE.notAFile ? SEVERITY.info : SEVERITY.warning
    const facts = { nodes: [], edges: [], problems: [problem(listed.state, severity)] }
    return { record, facts, asListed: true, sameContent: before && before.state === listed.state }
  }
  const families = familiesOf(bits)
  // The spec corpora take every file whatever its size (sheet spec-graph §1.6).
  const source = readSource(root, key, families.includes('spec') ? undefined : context.config.limits.file_bytes)
  if (source.kind === 'unreadable' && source.gone) return null

  const facts = collect(root, key, families, source, context)
  const { oid, stat, asListed } = identify(root, key, source, listed, now)
  const size = source.kind === 'unreadable' ? 0 : source.stat.size
  const record = { key, family: bits, size, stat, oid, state: stateOf(facts, families, source) }
  return { record, facts, asListed, sameContent: before && isContentOf(root, key, source, before) }
}

/** What the row keeps to recognise the content again: git's id where git vouched and was right, else our hash. */
function identify(
  root: string,
  key: string,
  source: SourceRead,
  listed: ListedFile,
  now: number,
): { oid: Buffer; stat: Buffer | null; asListed: boolean } {
  if (source.kind === 'unreadable') {
    return { oid: NO_OID, stat: null, asListed: listed.blob === null && listed.stat === null }
  }
  const stat = isRacy(source.stat, now) ? null : statBytes(source.stat)
  const sameStat =
    listed.stat !== null &&
    stat !== null &&
    listed.stat.size === source.stat.size &&
    statBytes(listed.stat).equals(statBytes(source.stat))
  if (source.kind === 'over') {
    // Never read, so only the size is known of it; with git's blob id the folder's digest still covers it.
    return { oid: NO_OID, stat, asListed: sameStat || listed.blob !== null }
  }
  const hash = (kind: 'blob' | 'sha256'): Buffer =>
    source.kind === 'large' ? hashLarge(root, key, kind, source.stat.size) : hashBytes(kind, source.bytes)
  if (listed.blob !== null) {
    const oid = hash('blob')
    if (oid.equals(listed.blob))
      return { oid, stat: null, asListed: listed.size === source.stat.size % 2 ** 32 || listed.size === null }
  }
  return { oid: hash('sha256'), stat, asListed: sameStat }
}

function collect(
  root: string,
  key: string,
  families: readonly Family[],
  source: SourceRead,
  context: ExtractContext,
): Facts {
  const nodes: NodeFact[] = []
  const edges: EdgeFact[] = []
  const problems: ProblemFact[] = []
  const aliases: AliasFact[] = []
  const concerned = families.filter((family) => source.kind !== 'text' || concerns(family, source.bytes))
  if (source.kind === 'unreadable') problems.push(problem(FILE_STATE.unreadable, SEVERITY.warning))
  const valid = concerned.length === 0 || isValid(root, key, source)
  if (!valid && families.some((family) => REPORTS_BYTES.has(family))) {
    problems.push({
      code: 'invalid-utf8',
      severity: SEVERITY.warning,
      line: null,
      detail: 'malformed bytes are read as U+FFFD',
    })
  }
  // Most source files concern nobody and are never decoded.
  const text = concerned.length === 0 ? '' : source.kind === 'text' ? source.text : source.kind === 'large' ? null : ''
  const input: SourceText = {
    path: displayPath(key),
    text,
    lines: () => (source.kind === 'large' ? source.lines() : (text ?? '').split('\n')),
  }
  for (const family of families) {
    if (family !== 'spec') {
      const kept = keptOut(root, key, source, context.config)
      if (kept !== null) {
        if (kept !== FILE_STATE.unreadable) problems.push(problem(kept, SEVERITY.warning))
        continue
      }
    }
    if (!concerned.includes(family)) continue
    if (family === 'artifact' && !valid) {
      problems.push({ code: 'unreadable-file', severity: SEVERITY.warning, line: null, detail: 'is not valid UTF-8' })
      continue
    }
    const found = EXTRACTORS[family].extract(input, context)
    // One by one: a spread of a few hundred thousand facts would overflow the stack.
    for (const node of found.nodes) nodes.push(node)
    for (const edge of found.edges) edges.push(edge)
    for (const fact of found.problems) problems.push(fact)
    for (const alias of found.aliases ?? []) aliases.push(alias)
  }
  return { nodes, edges, problems: withoutRepetition(problems), aliases }
}

/** Families whose readers are told of malformed bytes as such. */
const REPORTS_BYTES: ReadonlySet<Family> = new Set(['spec', 'docs'])

function concerns(family: Family, bytes: Buffer): boolean {
  const { concerns: test } = EXTRACTORS[family]
  return test === undefined || test(bytes)
}

function isValid(root: string, key: string, source: SourceRead): boolean {
  if (source.kind === 'text') return source.valid
  return source.kind !== 'large' || isLargeUtf8(root, key)
}

/** A file that a limit keeps out of several families has one problem, not several. */
function withoutRepetition(problems: readonly ProblemFact[]): ProblemFact[] {
  const limits = new Set<string>()
  return problems.filter(({ code }) => {
    if (code !== 'too-large' && code !== 'binary') return true
    if (limits.has(code)) return false
    limits.add(code)
    return true
  })
}

/** Limits hold for every family but the spec corpora, which take every file (sheet spec-graph §1.6). */
function keptOut(root: string, key: string, source: SourceRead, config: Config): number | null {
  if (source.kind === 'unreadable') return FILE_STATE.unreadable
  if (source.kind === 'over' || source.stat.size > config.limits.file_bytes) return FILE_STATE.tooLarge
  const [start = NO_OID] = source.kind === 'text' ? [source.bytes] : readChunks(root, key)
  return start.subarray(0, BINARY_PREFIX).includes(0) ? FILE_STATE.binary : null
}

function stateOf(facts: Facts, families: readonly Family[], source: SourceRead): number {
  if (source.kind === 'unreadable') return FILE_STATE.unreadable
  if (!families.includes('spec')) {
    if (facts.problems.some((fact) => fact.code === 'too-large')) return FILE_STATE.tooLarge
    if (facts.problems.some((fact) => fact.code === 'binary')) return FILE_STATE.binary
  }
  return facts.problems.length > 0 ? FILE_STATE.problem : FILE_STATE.ok
}
