// The handed cases of the artifact graph: which commands each asks, and whether an answer is the expected one by the
// compare rules of the cases' README.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { copyFolder } from '../spec/cases.ts'
import { tempFolder } from '../support/temp.ts'

export interface CaseCommand {
  readonly args: readonly string[]
  readonly file: string
  readonly exit: number
  readonly compare: string
}

export interface Answer {
  readonly code: number
  readonly stdout: string
}

/** Names of the cases, in order. */
export function caseNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

export function commandsOf(folder: string, name: string): CaseCommand[] {
  return JSON.parse(readFileSync(path.join(folder, name, 'expected/commands.json'), 'utf8')) as CaseCommand[]
}

/** A copy of a case's project that a test may change, in a folder of its own. */
export function projectOf(folder: string, name: string): string {
  const copy = path.join(tempFolder(`case-${name.slice(0, 2)}`), 'project')
  copyFolder(path.join(folder, name, 'project'), copy)
  return copy
}

/** Holds an answer against the expected one. */
export function judge(folder: string, name: string, command: CaseCommand, answer: Answer): void {
  const expected = readFileSync(path.join(folder, name, 'expected', command.file), 'utf8')
  const what = `${name}: ${command.args.join(' ')}`
  expect({ what, code: answer.code }).toEqual({ what, code: command.exit })
  if (expected === '') return
  if (command.compare === 'json') {
    const [found, wanted] = [JSON.parse(answer.stdout) as unknown, JSON.parse(expected) as unknown]
    // Counts are only promised where there are no errors.
    const counts = command.exit === 0
    expect(comparable(found, wanted, counts), what).toEqual(comparable(wanted, wanted, counts))
  } else expect(answer.stdout, what).toBe(expected)
}

const FREE_TEXT = new Set(['message', 'suggestions'])
const COUNTS = new Set(['nodes', 'authored_edges', 'derived_edges'])
const DIAGNOSTIC = ['severity', 'code', 'source_id', 'field', 'target_id']

/** What counts of `value`: free text dropped, keys that `wanted` lacks dropped, diagnostics as a sorted multiset. */
function comparable(value: unknown, wanted: unknown, counts: boolean): unknown {
  if (Array.isArray(value)) {
    const list = Array.isArray(wanted) ? wanted : []
    return value.map((item, i) => comparable(item, list[i] ?? list[0], counts))
  }
  if (typeof value !== 'object' || value === null) return value
  const found = value as Record<string, unknown>
  const model = (wanted ?? {}) as Record<string, unknown>
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(model).sort()) {
    if (FREE_TEXT.has(key) || (COUNTS.has(key) && !counts)) continue
    kept[key] = key === 'diagnostics' ? multiset(found[key]) : comparable(found[key], model[key], counts)
  }
  return kept
}

function multiset(diagnostics: unknown): string[] {
  if (!Array.isArray(diagnostics)) return ['not a list']
  return diagnostics
    .map((each) => JSON.stringify(DIAGNOSTIC.map((key) => (each as Record<string, unknown>)[key] ?? null)))
    .sort()
}
