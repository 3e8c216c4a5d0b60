// Whether one JSON Schema of an answer still keeps the promises of another: what a program read from the old answers, it
// reads from the new ones. It judges answers, not requests, and only the keywords that our schemas use.
// Surprise: more is lawful (a further property, a further value of an enumeration), and looser is not.

type Node = Readonly<Record<string, unknown>>

function nodeOf(value: unknown): Node | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

/** Follows `#/$defs/name`, the only kind of reference that our schemas have. */
function resolved(schema: Node, root: Node): Node {
  const name = /^#\/\$defs\/(\w+)$/.exec(String(schema['$ref'] ?? ''))?.[1]
  return name === undefined ? schema : (nodeOf(nodeOf(root['$defs'])?.[name]) ?? {})
}

/**
 * What `after` breaks that `before` promised, one line each; empty where it is compatible: properties that are gone or
 * no longer required, types that changed, constants that changed, values of an enumeration that are gone, and closed
 * objects that were opened.
 */
export function brokenPromises(before: unknown, after: unknown): string[] {
  const [oldRoot, newRoot] = [nodeOf(before) ?? {}, nodeOf(after) ?? {}]
  const broken: string[] = []
  const compare = (typedOld: unknown, typedNew: unknown, at: string, open: readonly string[]): void => {
    const [was, is] = [nodeOf(typedOld), nodeOf(typedNew)]
    if (was === null) return
    if (is === null) {
      broken.push(`${at} is gone`)
      return
    }
    const [old, now] = [resolved(was, oldRoot), resolved(is, newRoot)]
    // Inside itself a definition is compared already.
    const reference = JSON.stringify([was['$ref'], is['$ref']])
    if (was['$ref'] !== undefined && open.includes(reference)) return
    const path = [...open, reference]
    const types = (schema: Node): string => listOf(schema['type']).map(String).sort().join(' or ')
    if (types(old) !== types(now)) broken.push(`${at} was ${types(old) || 'any type'}, is ${types(now) || 'any type'}`)
    if (JSON.stringify(old['const']) !== JSON.stringify(now['const'])) broken.push(`${at} has another constant`)
    for (const value of listOf(old['enum'])) {
      if (!listOf(now['enum']).includes(value)) broken.push(`${at} is never ${String(value)} any more`)
    }
    if (old['enum'] === undefined && now['enum'] !== undefined) broken.push(`${at} became an enumeration`)
    if (old['additionalProperties'] === false && now['additionalProperties'] !== false) broken.push(`${at} is open now`)
    for (const key of listOf(old['required'])) {
      if (!listOf(now['required']).includes(key)) broken.push(`${at}.${String(key)} is no longer required`)
    }
    const properties = nodeOf(now['properties']) ?? {}
    for (const [key, schema] of Object.entries(nodeOf(old['properties']) ?? {})) {
      compare(schema, properties[key], `${at}.${key}`, path)
    }
    if (old['items'] !== undefined) compare(old['items'], now['items'], `${at}[]`, path)
    const branches = listOf(now['oneOf'])
    for (const [index, branch] of listOf(old['oneOf']).entries()) {
      compare(branch, branches[index], `${at}(${index + 1})`, path)
    }
  }
  compare(oldRoot, newRoot, 'answer', [])
  return broken
}
