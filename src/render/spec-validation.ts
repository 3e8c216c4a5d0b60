// The validator's report as text: plain rows, one summary line, or JSON. Pure; sorting is done before.

import type { FindingSeverity, ValidationView } from '../model/spec-views.ts'
import { indentedJson } from './json.ts'
import { entryForTerminal } from './terminal.ts'

const CLASS_WIDTH = 22

/** How many findings of each severity, as the report's last line counts them. */
export interface ValidationSummary {
  readonly hard: number
  readonly soft: number
  readonly info: number
}

/** Counts the findings by severity. */
export function summarise(view: ValidationView): ValidationSummary {
  const count = (severity: FindingSeverity): number =>
    view.findings.filter((finding) => finding.severity === severity).length
  return { hard: count('HARD'), soft: count('SOFT'), info: count('INFO') }
}

/** The plain report (sheet spec-graph §9.4). `terminal`: control characters of the repository are escaped. */
export function validationReport(view: ValidationView, terminal: boolean): string {
  const shown = terminal ? entryForTerminal : (text: string): string => text
  const rows = view.findings.map(
    (finding) => `  [${finding.severity}] ${finding.class.padEnd(CLASS_WIDTH)} ${shown(finding.message)}`,
  )
  if (rows.length === 0) rows.push('  (no findings — graph is internally consistent)')
  const head = ['Spec graph self-consistency report', `  graph: ${shown(view.graph)}`, '']
  return `${[...head, ...rows, '', `Summary: ${counts(summarise(view))}`].join('\n')}\n`
}

/** The one line of `--quiet`. */
export function validationLine(view: ValidationView): string {
  return `spec-graph-validate: ${counts(summarise(view))}\n`
}

/** `{summary, findings}` indented by two, keys in the contract's order. */
export function validationJson(view: ValidationView): string {
  const { hard, soft, info } = summarise(view)
  const findings = view.findings.map((finding) => ({
    severity: finding.severity,
    class: finding.class,
    message: finding.message,
  }))
  return `${indentedJson({ summary: { hard, soft, info }, findings })}\n`
}

function counts(summary: ValidationSummary): string {
  return `${summary.hard} hard, ${summary.soft} soft, ${summary.info} info`
}
