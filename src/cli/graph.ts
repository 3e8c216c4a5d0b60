// `specdex graph …`: the query verbs of the artifact graph, and validate. The gate of the seed stands here: a graph with
// errors answers validate and cycles only, unless --allow-invalid. Exit 0 answered · 1 errors, cycles, unknown id · 2 usage.
// The surprise: an unknown id is told on stdout, as one line or as JSON, because it is the answer.

import { realpathSync } from 'node:fs'
import path from 'node:path'
import { cyclesView } from '../artifact/cycles-of.ts'
import { findings } from '../artifact/findings.ts'
import { lookUp } from '../artifact/lookup.ts'
import { nextId, takenNumbers } from '../artifact/numbers.ts'
import { orphansView } from '../artifact/orphans.ts'
import { normalised } from '../artifact/scope.ts'
import { traverse } from '../artifact/traverse.ts'
import { cutDiagnostics, isEmpty, refusal, validationView } from '../artifact/validate.ts'
import type {
  CyclesView,
  Diagnostic,
  GraphErrorView,
  OrphansView,
  TraversalVerb,
  TraversalView,
} from '../model/artifact-views.ts'
import { UserError } from '../model/errors.ts'
import { type GraphFormat, graphAnswer } from '../render/graph.ts'
import { findingsJson, graphErrorJson, nextIdJson, validationJson } from '../render/graph-json.ts'
import { diagnosticText, type GraphTextOptions, graphErrorText, validationText } from '../render/graph-text.ts'
import { peekAt } from '../scan/peek.ts'
import { type GraphSource, tellFile, withGraph } from './graph-source.ts'
import type { Io } from './io.ts'

type Options = Record<string, unknown>

const FORMATS: readonly GraphFormat[] = ['dag', 'table', 'mermaid', 'json']
/** Warnings that a query tells beside its answer; `validate` has all. */
const TOLD_WARNINGS = 20

/** impact, ancestors, chain. */
export function runTraversal(verb: TraversalVerb, id: string, options: Options, io: Io): Promise<number> {
  const format = formatOf(options)
  return withGraph(options, io, { verb, id }, (source) => {
    const { index, graph, module } = source
    const refused = refusedBy(source, verb, id, options, io)
    if (refused !== null) return tellRefusal(refused, format, io)
    const found = lookUp(graph, verb, id, module)
    if (found.node === null) {
      tellEmpty(source, io)
      tellFile(source, id, io)
      return tellError(found.error, format, io)
    }
    return answer(traverse(index.store, graph, verb, found.node, module), format, source, options, io)
  })
}

/** orphans: files, specs and ADRs that nothing ties together. */
export function runOrphans(options: Options, io: Io): Promise<number> {
  const format = formatOf(options)
  return withGraph(options, io, { verb: 'orphans' }, (source) => {
    const { index, graph, module } = source
    tellEmpty(source, io)
    const refused = refusedBy(source, 'orphans', null, options, io)
    if (refused !== null) return tellRefusal(refused, format, io)
    return answer(orphansView(index.store, graph, scopeOf(options, source, io), module), format, source, options, io)
  })
}

/** cycles: exempt from the gate, or it could never say more than that there are none (sheet artifact-graph §7). */
export function runCycles(options: Options, io: Io): Promise<number> {
  const format = formatOf(options)
  return withGraph(options, io, { verb: 'cycles' }, (source) => {
    tellWarnings(source, io)
    const view = cyclesView(source.graph, scopeOf(options, source, io), source.module)
    answer(view, format, source, options, io)
    return view.cycles.length === 0 ? 0 : 1
  })
}

/** validate: every diagnostic, and counts. Exit 1 where one is an error. */
export function runValidate(options: Options, io: Io): Promise<number> {
  return withGraph(options, io, { verb: 'validate' }, (source) => {
    const { graph, module } = source
    tellEmpty(source, io)
    const view = validationView(graph, module)
    io.out(options['json'] === true ? validationJson(view) : validationText(view, io.stdoutIsTty))
    const errors = (all: readonly Diagnostic[]): number => all.filter(({ severity }) => severity === 'error').length
    const elsewhere = errors(graph.diagnostics) - errors(view.diagnostics)
    if (elsewhere > 0) {
      const found = elsewhere === 1 ? '1 error' : `${elsewhere} errors`
      io.err(`note: there ${elsewhere === 1 ? 'is' : 'are'} ${found} outside this module; queries refuse until mended`)
    }
    return view.diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
  })
}

/** findings: what is legal and still worth a look, in every convention. */
export function runFindings(options: Options, io: Io): Promise<number> {
  return withGraph(options, io, null, ({ graph, module }) => {
    const found = cutDiagnostics(graph, findings(graph), module)
    if (options['json'] === true) io.out(findingsJson(found))
    else if (found.length === 0) io.out('No findings.\n')
    else io.out(found.map((one) => `${diagnosticText(one, io.stdoutIsTty)}\n`).join(''))
    return 0
  })
}

/** next-id: the next free number of a kind. */
export function runNextId(options: Options, io: Io): Promise<number> {
  const kind = options['kind'] ?? 'adr'
  if (kind !== 'adr' && kind !== 'spec') throw new UserError('usage', `unknown kind ${kind}`, 'kinds: adr, spec')
  return withGraph(options, io, null, (source) => {
    const { graph, module } = source
    tellEmpty(source, io)
    const id = nextId(graph, kind, module, takenIn(source, kind))
    if (id === null) throw new UserError('refused', `no ${kind} here has an id that ends in a number`, null, 1)
    io.out(options['json'] === true ? nextIdJson(kind, id) : `${id}\n`)
    return 0
  })
}

/** Numbers in the names below the folders of a kind. */
function takenIn({ place: { root }, layout, module }: GraphSource, kind: 'adr' | 'spec'): number[] {
  const at = layout.modules.find(({ name }) => name === module)
  const uses = at?.conventions.filter((use) => use.kind === kind) ?? []
  const peek = peekAt(root, at?.path ?? '')
  return uses.flatMap((use) =>
    takenNumbers(
      use,
      peek.list(use.folder).map(({ name }) => name),
    ),
  )
}

function formatOf(options: Options): GraphFormat | null {
  const chosen = FORMATS.filter((format) => options[format] === true)
  if (chosen.length > 1) throw new UserError('usage', `--${chosen.join(' and --')} exclude each other`)
  return chosen[0] ?? null
}

/** `--scope` relative to the root, or to the chosen module. Where nothing is there, a warning says so. */
function scopeOf({ scope }: Options, { place: { root }, layout, module }: GraphSource, io: Io): string | null {
  if (typeof scope !== 'string') return null
  const inside = path.isAbsolute(scope) ? insideRoot(root, scope) : scope
  const folder = inside === null ? null : normalised(inside)
  const top = layout.modules.find(({ name }) => name === module)?.path ?? ''
  const isThere = folder !== null && ['', top].some((base) => peekAt(root, base).exists(folder))
  if (!isThere) io.err(`warning: --scope ${scope} matches no folder or file below the root`)
  return inside ?? scope
}

function insideRoot(root: string, absolute: string): string | null {
  for (const top of new Set([root, realpathSync(root)])) {
    const relative = path.relative(top, absolute)
    if (relative.split(path.sep)[0] !== '..') return relative.split(path.sep).join('/') || '.'
  }
  return null
}

/** The gate before a query: null where it may answer. Warnings and the banner of --allow-invalid are told here. */
function refusedBy(
  source: GraphSource,
  verb: string,
  id: string | null,
  options: Options,
  io: Io,
): GraphErrorView | null {
  const refused = refusal(source.graph, verb, id)
  if (refused !== null && options['allowInvalid'] !== true) return refused
  if (refused !== null) {
    const count = refused.diagnostics.filter(({ severity }) => severity === 'error').length
    const errors = `${count} ${count === 1 ? 'error' : 'errors'}`
    io.err(`warning: the graph has ${errors}, this answer may be wrong or incomplete: see \`specdex graph validate\``)
  }
  tellWarnings(source, io)
  return null
}

/** An empty graph answers everything with nothing, and would look like good news. */
function tellEmpty({ graph, layout, module }: GraphSource, io: Io): void {
  const chosen = layout.modules.find(({ name }) => name === module)
  if (chosen?.present === false) {
    io.err(`note: module ${module} is not checked out: there is nothing in ${chosen.path}`)
    return
  }
  if (!isEmpty(graph)) return
  io.err(
    'note: no artifacts were found: see `specdex graph conventions`, and name folders with --adr-dir and --spec-dir',
  )
}

function tellWarnings({ graph, module }: GraphSource, io: Io): void {
  tellSome(cutDiagnostics(graph, graph.diagnostics, module), io)
}

/** The first warnings among some diagnostics; that there are more cycles than are told comes before all. */
function tellSome(diagnostics: readonly Diagnostic[], io: Io): void {
  const isCapped = ({ code }: Diagnostic): boolean => code === 'cycles-capped'
  const found = diagnostics.filter(({ severity }) => severity === 'warning')
  const warnings = [...found.filter(isCapped), ...found.filter((one) => !isCapped(one))]
  for (const warning of warnings.slice(0, TOLD_WARNINGS)) tellDiagnostic(warning, io)
  const rest = warnings.length - TOLD_WARNINGS
  if (rest > 0) io.err(`warning: … and ${rest} more: see \`specdex graph validate\``)
}

function tellDiagnostic(one: Diagnostic, io: Io): void {
  io.err(`${one.severity}: ${diagnosticText(one, io.stderrIsTty)}`)
}

function tellRefusal(view: GraphErrorView, format: GraphFormat | null, io: Io): number {
  if (format === 'json') io.out(graphErrorJson(view))
  for (const one of view.diagnostics) if (one.severity === 'error') tellDiagnostic(one, io)
  tellSome(view.diagnostics, io)
  io.err(`error: ${view.message}`)
  io.err('hint: mend what is named above, or ask with --allow-invalid')
  return 1
}

function tellError(view: GraphErrorView, format: GraphFormat | null, io: Io): number {
  io.out(format === 'json' ? graphErrorJson(view) : graphErrorText(view, io.stdoutIsTty))
  return 1
}

function answer(
  view: TraversalView | OrphansView | CyclesView,
  format: GraphFormat | null,
  { place }: GraphSource,
  options: Options,
  io: Io,
): number {
  const form: GraphTextOptions = {
    titleMax: place.config.graph.title_max,
    terminal: io.stdoutIsTty,
    tableRequirements: options['requirements'] === true,
  }
  let piece = ''
  for (const chunk of graphAnswer(view, format, form)) {
    piece += chunk
    if (piece.length < PIECE) continue
    io.out(piece)
    piece = ''
  }
  if (piece !== '') io.out(piece)
  return 0
}

/** Characters that are written at once: a line each would cost a system call each. */
const PIECE = 64 * 1024
