// Words of the artifact graph for people: titles, labels, diagnostics, the validation report and refusals. It must not
// decide what is shown. The surprise: line breaks inside names are escaped even for a pipe, since every format writes
// one thing per line and a file name may hold a line feed; other control characters only where a terminal reads.

import type { ArtifactNode, Diagnostic, GraphErrorView, GraphValidationView } from '../model/artifact-views.ts'
import { forTerminal } from './terminal.ts'

export interface GraphTextOptions {
  /** Code points of a title, the ellipsis included (`graph.title_max`). */
  readonly titleMax: number
  /** True: control characters of the repository are escaped, because a terminal will read them. */
  readonly terminal: boolean
  /**
   * True: the table's linked cell also names the requirements that a governing comment gave. Case 04 of the sheet has
   * comments with requirements and a table without them, so its exact bytes want false, which is the default.
   */
  readonly tableRequirements?: boolean
}

const CHUNK = 64 * 1024

/** The text on one line: line breaks as `\u000a`, and every other control character too where a terminal reads. */
export function onOneLine(text: string, terminal: boolean): string {
  const line = text.replaceAll('\n', '\\u000a').replaceAll('\r', '\\u000d')
  return terminal ? forTerminal(line) : line
}

/**
 * The title of an artifact: its heading without its own id in front (however the number is padded and whatever
 * punctuation follows), white space collapsed, cut to `max` code points with a final `…` (sheet §9, case 13). Empty for
 * files and where nothing is left.
 */
export function artifactTitle(node: ArtifactNode, max: number): string {
  const title = withoutId(node.title.replaceAll(/\s+/g, ' ').trim(), node.id)
  // A code point has at most two units, so most titles need no counting.
  if (title.length <= max) return title
  const points = [...title]
  return points.length <= max ? title : `${points.slice(0, max - 1).join('')}…`
}

/** `ADR-0008: Sell by weight`; the id alone where there is no title. */
export function nodeLabel(node: ArtifactNode, options: GraphTextOptions): string {
  const title = artifactTitle(node, options.titleMax)
  return onOneLine(title === '' ? node.id : `${node.id}: ${title}`, options.terminal)
}

/** Takes `ADR-0008: `, `ADR-8 - ` or, in front of punctuation only, the bare number `8. ` off a heading. */
function withoutId(heading: string, id: string): string {
  const [, kind = '', digits = ''] = /^(?:\[.*\]\/)?([A-Za-z]+)-(\d+)$/.exec(id) ?? []
  if (kind === '') return heading
  const found = /^(?:([A-Za-z]+)[-_ ]?)?(\d+)(\s*[:.)\-–—·]+(?:\s+|$)|\s+|\s*[:–—·]\s*|$)/.exec(heading)
  if (found === null || Number(found[2]) !== Number(digits)) return heading
  const [whole, word, , mark = ''] = found
  if (word === undefined) return /\S/.test(mark) ? heading.slice(whole.length) : heading
  return word.toUpperCase() === kind.toUpperCase() ? heading.slice(whole.length) : heading
}

/** Lines gathered into chunks that are worth a write each. */
export function* gathered(lines: Iterable<string>): Generator<string, void, undefined> {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** `docs/adrs/ADR-0003-salt.md:4: ADR-0003 governs unknown spec SPEC-9999 [unresolved-id]`, without its severity. */
export function diagnosticText(diagnostic: Diagnostic, terminal: boolean): string {
  const { file, line, message, code } = diagnostic
  if (file === null) return onOneLine(`${message} [${code}]`, terminal)
  const place = line === null ? file : `${file}:${line}`
  const words = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message
  return onOneLine(`${place}: ${words} [${code}]`, terminal)
}

/** The report of `validate`: one line per diagnostic, then the counts. Codes and severities as in the JSON. */
export function validationText(view: GraphValidationView, terminal: boolean): string {
  const lines = view.diagnostics.map((one) => `${one.severity}: ${diagnosticText(one, terminal)}`)
  const errors = view.diagnostics.filter(({ severity }) => severity === 'error').length
  const graph = [
    counted(view.nodes, 'node'),
    counted(view.authoredEdges, 'authored edge'),
    counted(view.derivedEdges, 'derived edge'),
  ]
  const found = [counted(errors, 'error'), counted(view.diagnostics.length - errors, 'warning')]
  return `${[...lines, `${graph.join(', ')}; ${found.join(', ')}`].join('\n')}\n`
}

/** The one line of a refusal (sheet §7, case 21): `error: unknown artifact X. Closest matches: A, B`, ended. */
export function graphErrorText(view: GraphErrorView, terminal: boolean): string {
  const matches = view.suggestions.length === 0 ? '' : `. Closest matches: ${view.suggestions.join(', ')}`
  return `error: ${onOneLine(`${view.message}${matches}`, terminal)}\n`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
