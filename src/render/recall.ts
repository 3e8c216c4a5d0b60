// Recall and the ledger's health as text: JSON with exactly the keys of the contract, or blocks for people, coloured
// where the output is a terminal. Pure. The surprise: `explain` is a key of its own, there only where it was asked for,
// because callers compare the set of keys.

import type { LedgerHealth, RecallHit, RecallView, ScoreParts } from '../model/ledger-views.ts'
import { compactJson, indentedJson } from './json.ts'
import { entryForTerminal as shown } from './terminal.ts'

/** An array of results indented by two, with its line feed; `[]` for none (sheet ledger §7). */
export function recallJson(view: RecallView): string {
  return `${indentedJson(view.hits.map(jsonHit))}\n`
}

function jsonHit(hit: RecallHit): Record<string, unknown> {
  const { id, kind, issue, score, paths, symbols, pattern, rootCause, prevention, decision } = hit
  const { verdict, confidence, severity, status, createdAt, parts, moved } = hit
  const keys = { id, kind, issue, score, paths, symbols, pattern, rootCause, prevention, decision }
  const contract = { ...keys, verdict, confidence, severity, status, createdAt }
  return parts === null ? contract : { ...contract, explain: { ...roundedParts(parts), moved } }
}

/** Figures of an explanation to six decimals: more is noise of the machine. */
function roundedParts(parts: ScoreParts): ScoreParts {
  return {
    ...parts,
    terms: parts.terms.map((term) => ({ ...term, idf: six(term.idf), score: six(term.score) })),
    averageLength: six(parts.averageLength),
    text: six(parts.text),
    decay: six(parts.decay),
  }
}

function six(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

export interface HumanForm {
  /** With colours. What a terminal would obey is escaped either way: people read pipes on terminals, too. */
  readonly terminal: boolean
  /** Where issues are found: `https://github.com`, without a final slash. */
  readonly web: string
}

const LABEL = 12
const FILES = 5
const SYMBOLS = 8

const CODES = { bold: '1', dim: '2', red: '31', yellow: '33', cyan: '36' } as const
type Paint = (style: keyof typeof CODES, text: string) => string

/** Blocks for people (sheet ledger §7). Empty for no results: saying so belongs on stderr. */
export function recallHuman(view: RecallView, form: HumanForm): string {
  if (view.hits.length === 0) return ''
  const paint = painter(form.terminal)
  const blocks = view.hits.map((hit) => `${block(hit, form, paint)}\n`)
  return `${paint('bold', `Specdex recall — ${view.hits.length} result(s)`)}\n\n${blocks.join('')}`
}

function painter(terminal: boolean): Paint {
  return terminal ? (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m` : (_, text) => text
}

function block(hit: RecallHit, { web }: HumanForm, paint: Paint): string {
  const mark = MARKS[hit.status]
  const title = paint('cyan', hit.kind.toUpperCase()) + (mark === null ? '' : ` ${paint(mark.style, mark.text)}`)
  const rows = fieldsOf(hit, web)
    .filter((row): row is [string, string] => row[1] !== null && row[1] !== '')
    .map(([label, value]) => `${paint('dim', `${label}:`.padEnd(LABEL))}${shown(value)}\n`)
  const explained =
    hit.parts === null
      ? ''
      : explanation(hit.parts)
          .map((line) => `${paint('dim', shown(line))}\n`)
          .join('')
  return `── ${title} from #${hit.issue} (score: ${hit.score.toFixed(2)}) ──\n${rows.join('')}${explained}`
}

const MARKS: Readonly<
  Record<RecallHit['status'], { readonly style: keyof typeof CODES; readonly text: string } | null>
> = {
  fresh: null,
  moved: { style: 'yellow', text: '[MOVED]' },
  stale: { style: 'red', text: '[STALE]' },
  live: { style: 'yellow', text: '[LIVE]' },
}

function fieldsOf(hit: RecallHit, web: string): [string, string | null][] {
  return [
    ...lessonOf(hit),
    ['Files', some(hit.paths, FILES)],
    ['Moved to', hit.moved === null ? null : hit.moved.path + (hit.moved.line === null ? '' : `:${hit.moved.line}`)],
    ['Symbols', some(hit.symbols, SYMBOLS)],
    ['Severity', hit.severity],
    ['Date', hit.createdAt],
    ['Cite', `${web}/${hit.repo}/issues/${hit.issue}`],
  ]
}

function lessonOf(hit: RecallHit): [string, string | null][] {
  switch (hit.kind) {
    case 'pattern':
      return [
        ['Pattern', hit.pattern],
        ['Root Cause', hit.rootCause],
        ['Prevention', hit.prevention],
      ]
    case 'investigation':
      return [
        ['Root Cause', hit.rootCause],
        ['Fix', hit.prevention],
        ['Verdict', hit.verdict === null ? null : `${hit.verdict} (${hit.confidence ?? '?'})`],
      ]
    default:
      return [
        ['Decision', hit.decision],
        ['Anomalies', hit.anomalies === 'None' ? null : hit.anomalies],
      ]
  }
}

function some(list: readonly string[], most: number): string {
  const rest = list.length - most
  return list.slice(0, most).join(', ') + (rest > 0 ? ` +${rest} more` : '')
}

function explanation(parts: ScoreParts): string[] {
  const { terms, text, ageDays, boosts, superseded } = parts
  const named = terms.map(({ term, found, idf, weight, fields, score }) => {
    const where = Object.entries(fields).map(([name, count]) => `${name} ${count}`)
    return `  ${term}: ${score.toFixed(3)} = idf ${idf.toFixed(3)} (in ${found}), weight ${weight} (${where.join(', ')})`
  })
  const length = `length ${parts.length}, average ${parts.averageLength.toFixed(1)}`
  return [
    `Score:      text ${text.toFixed(3)} × decay ${parts.decay.toFixed(3)} (${ageDays} days) + boosts; ${length}`,
    ...named,
    ...boosts.map(({ what, of, boost }) => `  ${what} ${of}: +${boost}`),
    ...(superseded === null ? [] : [`  superseded by ${superseded.by}: ${superseded.score.toFixed(3)} before`]),
  ]
}

/** The health for people. `Total cards:` with four blanks is what pipelines look for (sheet ledger §7). */
export function healthHuman(health: LedgerHealth, terminal: boolean): string {
  const { cards, stale, issues, byKind, dangling, repos, problems } = health
  const share = cards === 0 ? 0 : Math.round((stale / cards) * 100)
  const paint = painter(terminal)
  const rows: [string, string][] = [
    ['Total cards', String(cards)],
    ['Stale', `${stale} (${share}%)`],
    ['Unique issues', String(issues)],
    ['By kind', compactJson(byKind)],
    ['Dangling', `${dangling} anchor(s) without history`],
    ...repos.flatMap(({ name, watermark, ageDays, ...repo }): [string, string][] => [
      ['Repository', `${name} (${repo.issues} issues, ${repo.cards} cards, ${repo.ignored} ignored annotations)`],
      ['Watermark', watermark === null ? 'never' : `${watermark} (${ageDays ?? '?'} days old)`],
    ]),
  ]
  const table = rows.map(([label, value]) => `${`${label}:`.padEnd(HEALTH_LABEL)}${shown(value)}\n`)
  const title = 'Ledger health'
  const verdict = `${'Health:'.padEnd(HEALTH_LABEL)}${problems.length === 0 ? 'ok' : paint('red', 'unhealthy')}\n`
  return `${paint('bold', title)}\n${'─'.repeat(title.length)}\n${table.join('')}${verdict}${problems.map((line) => `- ${shown(line)}\n`).join('')}`
}

const HEALTH_LABEL = 16

/** The health as indented JSON, with its line feed. */
export function healthJson(health: LedgerHealth): string {
  return `${indentedJson({ schema_version: '1', healthy: health.problems.length === 0, ...health })}\n`
}
