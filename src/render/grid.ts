// Rows of a query as text: aligned columns for people, CSV for spreadsheets. Cells are what SQLite returned.

import { readableName } from '../model/source-key.ts'
import { alignedRows } from './table.ts'

type Cell = unknown

function plain(cell: Cell): string {
  return cell === null || cell === undefined ? '' : String(cell)
}

/**
 * A header line, a rule and the rows, aligned; line feeds inside cells become blanks. Keys of undecodable names are
 * shown as people read them; CSV and JSON keep them as they are, which joins need.
 */
export function grid(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => readableName(plain(cell)).replaceAll(/[\r\n]+/g, ' ')))
  const rule = columns.map((column, i) =>
    '-'.repeat(Math.max([...column].length, ...cells.map((row) => [...(row[i] ?? '')].length))),
  )
  return alignedRows([columns, rule, ...cells])
}

/** RFC 4180: CRLF line ends, quotes doubled, a header line. NULL is the empty cell. */
export function csv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `${cells.map((cell) => quoted(plain(cell))).join(',')}\r\n`
  return line(columns) + rows.map(line).join('')
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
