// Aligned columns of plain text. Widths are counted in code points: good for ids and paths, not for wide scripts.

/**
 * Rows with every column but the last padded to its longest cell plus two blanks; no trailing blanks. No rows give the
 * empty string, otherwise the text ends in a line feed (sheet spec-graph §8.5, search).
 */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, codePoints(cell))
    })
  }
  return rows.map((row) => `${alignedRow(row, widths)}\n`).join('')
}

function alignedRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - codePoints(cell) + 2))
    .join('')
    .trimEnd()
}

function codePoints(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // The second half of a surrogate pair adds nothing.
    if (unit < 0xdc00 || unit > 0xdfff) count++
  }
  return count
}
