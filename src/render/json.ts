// JSON text as the contracts want it: compact or indented by two, non-ASCII raw. The one surprise is U+007F, which the
// query contract escapes although the JSON grammar does not ask for it (sheet spec-graph §8.4).

/** The value as one compact line without a line feed; U+007F becomes `\u007f`. */
export function compactJson(value: unknown): string {
  return escapeDelete(JSON.stringify(value))
}

/** The value indented by two blanks, without a final line feed; empty arrays and objects stay on their line. */
export function indentedJson(value: unknown): string {
  return escapeDelete(JSON.stringify(value, null, 2))
}

/**
 * A compact object from pairs in the order given. A plain JavaScript object would move keys that look like numbers to
 * the front and lose one called `__proto__`.
 */
export function compactObject(pairs: Iterable<readonly [string, unknown]>): string {
  const parts: string[] = []
  for (const [key, value] of pairs) parts.push(`${compactJson(key)}:${compactJson(value)}`)
  return `{${parts.join(',')}}`
}

function escapeDelete(json: string): string {
  return json.includes('\u007f') ? json.replaceAll('\u007f', '\\u007f') : json
}
