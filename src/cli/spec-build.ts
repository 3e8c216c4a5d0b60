// `specdex spec build`: the exporter's command line (seed 000 "Building the graph", sheet spec-graph §7). stdout holds
// the document or the fingerprint and nothing else; the summary is talk and goes to stderr.

import path from 'node:path'
import { withFingerprint } from '../indexing/spec-hash.ts'
import { UserError } from '../model/errors.ts'
import { type Export, exportSpecGraph } from '../spec/export.ts'
import { persistedGraph, writeGraphFile } from '../spec/graph-file.ts'
import { holds } from '../spec/self-check.ts'
import type { Io } from './io.ts'
import { missingValue, type ParsedWords, parseWords, strangeUnderCompat } from './spec-args.ts'
import { specHelp } from './spec-help.ts'
import { type SpecPlace, specPlace } from './spec-place.ts'
import type { SpecVerb } from './spec-verbs.ts'
import { processWriting } from './spec-writing.ts'

/** Runs the verb. Exit 1 when the self-check fails or the file cannot be written, 2 for an unknown argument. */
export async function runBuild(words: readonly string[], verb: SpecVerb, io: Io): Promise<number> {
  const started = io.world.now()
  const { stop, words: parsed } = parseWords(words, verb.flags, { positionals: false, lenient: ['--root', '--out'] })
  if (stop !== null && 'word' in stop) return refused(stop.word, verb, io)
  if (stop?.kind === 'missing-value') throw new UserError('usage', missingValue(stop.flag), null, 2)
  if (stop !== null) {
    io.out(specHelp(verb))
    return 0
  }
  const where = await specPlace(parsed, io, 2)
  const strange = where.mode === 'default' ? null : strangeUnderCompat(parsed, ['--db', '--compat'])
  if (strange !== null) return refused(strange, verb, io)
  if (parsed.switches.has('--hash')) {
    io.out(`${await fingerprint(where, io)}\n`)
    return 0
  }
  return build(parsed, where, started, io)
}

function refused(word: string, verb: SpecVerb, io: Io): number {
  io.err(`Unknown argument: ${word}`)
  io.out(specHelp(verb))
  return 2
}

/** By default from the index, which keeps it per generation; under compat straight from disk, touching nothing. */
async function fingerprint({ place, mode }: SpecPlace, io: Io): Promise<string> {
  if (mode !== 'default') return (await import('../scan/corpus.ts')).corpusHash(place.root)
  return withFingerprint(place, io.world, (_index, hash) => hash)
}

async function build(words: ParsedWords, { place, mode }: SpecPlace, started: number, io: Io): Promise<number> {
  const exported = await withFingerprint(place, io.world, (index, hash) => exportSpecGraph(index.store, mode, hash))
  // The document comes before the judgement: a failing self-check still leaves a complete one.
  let written: string | null = null
  if (words.switches.has('--stdout')) io.out(exported.text)
  else {
    const given = words.values.get('--out') || null
    const out = given === null ? persistedGraph(place.root) : path.resolve(io.cwd, given)
    writeGraphFile(place.root, out, exported.text, processWriting())
    written = path.relative(place.root, out)
  }
  if (!words.switches.has('--quiet')) {
    for (const line of summary(exported, io.world.now() - started, written)) io.err(line)
  }
  if (holds(exported.checks)) return 0
  io.err('spec-graph: SELF-CHECK FAILED — acceptance spot-checks did not hold')
  return 1
}

function summary({ stats, checks }: Export, ms: number, written: string | null): string[] {
  return [
    `spec-graph: ${stats.nodes} nodes, ${stats.edges} edges in ${ms}ms`,
    `  nodesByType: ${JSON.stringify(stats.nodesByType)}`,
    `  edgesByType: ${JSON.stringify(stats.edgesByType)}`,
    ...(written === null ? [] : [`  written -> ${written}`]),
    ...checks.map(({ outcome, what }) => `  ${outcome}  ${what}`),
  ]
}
