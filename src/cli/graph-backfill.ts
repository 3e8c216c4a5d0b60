// `specdex graph backfill`: proposals as text, JSON or a patch, and the decisions about them, by flags or by asking on a
// terminal. It decides nothing itself and runs on a graph with errors. Surprise: without a terminal and without a flag it
// only shows; files are written under --accept and --accept-edges, or after a yes for that very file.

import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cutBackfill, cutOutcome } from '../artifact/backfill-graph.ts'
import { forgetRejections } from '../artifact/backfill-rejections.ts'
import { BackfillSession, type TypedEdge } from '../artifact/backfill-session.ts'
import type { BackfillOutcome } from '../model/backfill-view.ts'
import { UserError } from '../model/errors.ts'
import {
  backfillJson,
  backfillPatch,
  backfillText,
  outcomesText,
  plainLineEnds,
  shellWord,
} from '../render/graph-backfill.ts'
import { graphErrorJson } from '../render/graph-json.ts'
import { graphErrorText } from '../render/graph-text.ts'
import { BACKFILL_HELP, type BackfillWords, parseBackfillWords } from './graph-backfill-args.ts'
import { type BackfillSource, openBackfillSource } from './graph-backfill-source.ts'
import type { Io } from './io.ts'
import { printable } from './print.ts'

/** The command again, with the flags that ids depend on, as words of a shell. */
function commandOf({ values }: BackfillWords): string {
  const kept = ['--root', '--module', '--adr-dir', '--spec-dir'].flatMap((name) => {
    const value = values.get(name)
    return value === undefined ? [] : [name, shellWord(value)]
  })
  return ['specdex graph backfill', ...kept].join(' ')
}

/** Runs the words behind `graph backfill`. Exit 0 done or nothing to do, 1 refused; throws UserError usage (2) and io. */
export async function runBackfill(words: readonly string[], io: Io): Promise<number> {
  const parsed = parseBackfillWords(words)
  if (parsed === null) {
    io.out(BACKFILL_HELP)
    return 0
  }
  const patch = parsed.values.get('--patch')
  // Before anything is forgotten or read; the writing itself is exclusive as well.
  if (patch !== undefined && patch !== '-' && existsSync(path.resolve(io.cwd, patch))) throw taken(patch)
  const source = await openBackfillSource(parsed, io)
  if (source.error !== null) {
    const json = parsed.switches.has('--json')
    io.out(json ? graphErrorJson(source.error) : graphErrorText(source.error, io.stdoutIsTty))
    return 1
  }
  const reset = parsed.switches.has('--reset')
  if (reset && forgetRejections(source.root, process.pid)) io.err('note: what was rejected is proposed again')
  const only = new Set(parsed.only.map((typed) => source.ids.get(typed)))
  const session = new BackfillSession({
    root: source.root,
    graph: source.graph,
    wants: ({ id, module }) => source.cut.keeps(module) && (only.size === 0 || only.has(id)),
    pid: process.pid,
  })
  for (const note of session.view.notes) io.err(`note: ${note}`)
  return answer(parsed, session, source, io)
}

async function answer(words: BackfillWords, session: BackfillSession, source: BackfillSource, io: Io): Promise<number> {
  const { cut } = source
  const view = cutBackfill(cut, session.view)
  const patch = words.values.get('--patch')
  if (patch !== undefined) {
    for (const { id, file, reason } of view.refused) io.err(`warning: ${id}: ${file} cannot be extended: ${reason}`)
    writePatch(patch, backfillPatch(view), io)
    return 0
  }
  const outcomes = decide(words, session, source)
  if (words.switches.has('--json')) io.out(backfillJson(view, outcomes, queryOf(words)))
  else if (outcomes.length > 0) io.out(printable(io, outcomesText(outcomes)))
  else if (view.proposals.length > 0 && process.stdin.isTTY === true && io.stdoutIsTty) {
    return (await import('./graph-backfill-ask.ts')).askAboutEach(session, cut, io)
  } else {
    const text = backfillText(view, commandOf(words))
    io.out(io.stdoutIsTty ? printable(io, plainLineEnds(text)) : text)
  }
  return outcomes.some(({ action }) => action === 'refused') ? 1 : 0
}

/** Accepts, then rejects, in the order of the ids given. A refused file does not keep the others from being written. */
function decide(words: BackfillWords, session: BackfillSession, { ids, cut }: BackfillSource): BackfillOutcome[] {
  const idOf = (typed: string): string => ids.get(typed) ?? typed
  const outcomes = [
    ...words.accept.map((typed) => acceptAll(session, idOf(typed))),
    ...[...words.acceptEdges].map(([typed, edges]) => acceptSome(session, idOf(typed), edges)),
    ...words.reject.map((typed) => rejectAll(session, idOf(typed))),
  ]
  return outcomes.map((outcome) => cutOutcome(cut, outcome))
}

function nothing(session: BackfillSession, id: string): BackfillOutcome {
  const file = session.artifact(id)?.file ?? ''
  return { id, file, action: 'nothing', edges: [], reason: 'nothing to propose' }
}

function acceptAll(session: BackfillSession, id: string): BackfillOutcome {
  const proposal = session.view.proposals.find((each) => each.id === id)
  if (proposal !== undefined) return session.accept(proposal)
  const refused = session.view.refused.find((each) => each.id === id)
  return refused === undefined ? nothing(session, id) : { ...refused, action: 'refused', edges: [] }
}

function acceptSome(session: BackfillSession, id: string, typed: readonly TypedEdge[]): BackfillOutcome {
  const edges = typed.map(({ field, target }) => ({ field, target: session.targetOf(id, target) }))
  const edited = session.edited(id, edges)
  return 'reason' in edited ? { ...edited, action: 'refused', edges: [] } : session.accept(edited)
}

function rejectAll(session: BackfillSession, id: string): BackfillOutcome {
  const edges = session.edgesOf(id)
  if (edges.length === 0) return nothing(session, id)
  return session.reject({ id, file: session.artifact(id)?.file ?? '', edges })
}

function queryOf({ values, only }: BackfillWords): Record<string, unknown> {
  const module = values.get('--module')
  return {
    ...(only.length === 0 ? {} : { ids: only }),
    ...(module === undefined ? {} : { module }),
    verb: 'backfill',
  }
}

/** Whatever stands there may be an artifact: a patch never takes the place of a file. */
function taken(file: string): UserError {
  return new UserError('refused', `${file} is there already; not overwritten`, 'give the patch a name of its own')
}

function writePatch(file: string, patch: string, io: Io): void {
  if (file === '-') {
    // As it is, even on a terminal: a patch with changed bytes applies nowhere. io.out escapes there.
    io.out(patch)
    return
  }
  try {
    writeFileSync(path.resolve(io.cwd, file), patch, { flag: 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(file)
    throw new UserError(
      'io',
      `cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
      null,
      1,
    )
  }
}
