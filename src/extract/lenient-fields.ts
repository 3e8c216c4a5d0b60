// The front matter of a lenient artifact: its status, its explicit id, and what it relates to in lists, single values,
// comma text and links. The strict convention's fields are artifact-fields.ts. Surprise: reverse fields
// (`superseded_by`) count here, and a whole item that is no id may be a slug, a file name or a number.

import { detached } from './characters.ts'
import { type Wording, type Wordings, wordKey } from './conventions/wording.ts'
import { linkedDocument } from './document.ts'
import type { Relating } from './link-lines.ts'
import { isNothingWord, type Reference, type ReferenceRules, readReferences } from './references.ts'

/** The lines of the front matter by the key that starts them. */
export function keyLines(text: string, bodyLine: number): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  for (const [index, line] of text.split('\n', Math.max(0, bodyLine - 1)).entries()) {
    const key = /^["']?([^\s:"'#-][^:"']{0,100})["']?\s*:/.exec(line)?.[1]
    if (key !== undefined && !lines.has(key)) lines.set(key, index + 1)
  }
  return lines
}

/** The texts of a value: of its own, or of its list; nothing else is read. */
function textsOf(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value : [value]
  return texts.flatMap((text: unknown) => (typeof text === 'string' && !isNothingWord(text) ? [text.trim()] : []))
}

/** A whole item without an id in it: a file, a number or a slug. */
function bareReference(item: string, path: string, rules: ReferenceRules): Reference | null {
  if (/^#?\d{1,6}$/.test(item)) return readReferences(item, rules).references[0] ?? null
  if (item.endsWith('.md')) {
    const key = linkedDocument(path, item) === null ? null : rules.link(item)
    return { key: key ?? rules.prefix + detached(item), text: null }
  }
  return /^[\w.]+(?:[-/_.][\w.]+)+$/.test(item) ? { key: rules.prefix + detached(item), text: null } : null
}

function fieldReferences(value: unknown, path: string, rules: ReferenceRules): readonly Reference[] {
  return textsOf(value).flatMap((text) => {
    // A file name that holds an id is still a file name.
    const { references, before } = /^[^\s,[\]]+\.md$/.test(text)
      ? { references: [], before: text }
      : readReferences(text, rules)
    if (references.length > 0 && !/[\p{L}\p{N}]{3,}/u.test(before)) return references
    const items = text.split(/[,;]/).map((item) => item.trim())
    return items.flatMap((item) => (isNothingWord(item) ? [] : (bareReference(item, path, rules) ?? [])))
  })
}

/** Every relation that the fields of a front matter declare, with the line of the field. Source: conventions survey §3, §5. */
export function readFields(
  data: Readonly<Record<string, unknown>>,
  lines: ReadonlyMap<string, number>,
  words: Wordings,
  path: string,
  rules: ReferenceRules,
): readonly Relating[] {
  return Object.entries(data).flatMap(([field, value]) => {
    const meant: Wording | undefined = words.get(wordKey(field))
    if (meant === undefined) return []
    const line = lines.get(field) ?? 1
    return fieldReferences(value, path, rules).map((reference) => ({ meant, reference, line }))
  })
}
