// The two text orders of the contracts. They differ only where an astral character meets U+E000–U+FFFF, but the
// contracts say which one holds where: documents sort by UTF-16 code unit, query answers by code point.

/** Plain JavaScript string order: UTF-16 code units (behaviour sheet spec-graph §1.7). */
export function compareUtf16(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Code point order, which is also UTF-8 byte order and SQLite's BINARY collation (sheet spec-graph §8.4). */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // A surrogate stands for a character above every non-surrogate, so lift it over U+E000–U+FFFF.
    const liftedX = x >= 0xd800 && x <= 0xdfff ? x + 0x10000 : x
    const liftedY = y >= 0xd800 && y <= 0xdfff ? y + 0x10000 : y
    return liftedX - liftedY
  }
  return a.length - b.length
}
