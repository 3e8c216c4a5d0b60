// Turns what somebody typed into a node id: seed 000 "Querying the graph", sheet spec-graph §8.3, equal in both modes.
// Pure. The surprise: a bare word asked of `impact` prefers a marker over a command of the same name.

const MARKER = 'ann:FORGE:'
const ID_PREFIXES = ['ann:', 'label:', 'script:', 'cmd:', 'devdoc:'] as const

/** The argument of readers and writers. Case is kept; `ann:X` is not an id here and becomes `ann:FORGE:ann:X`. */
export function asMarkerId(argument: string): string {
  if (argument.startsWith(MARKER)) return argument
  if (argument.startsWith('FORGE:')) return `ann:${argument}`
  return MARKER + argument
}

/** The argument of deps and load-set. `/` is not turned into `:` and `.md` is not stripped. */
export function asCommandId(argument: string): string {
  return argument.startsWith('cmd:') ? argument : `cmd:${argument}`
}

/** The argument of impact; `exists` tells whether a node has exactly that id. */
export function asImpactId(argument: string, exists: (id: string) => boolean): string {
  if (exists(argument)) return argument
  if (ID_PREFIXES.some((prefix) => argument.startsWith(prefix))) return argument
  if (argument.startsWith('FORGE:')) return `ann:${argument}`
  if (argument.startsWith('workflow:')) return `label:${argument}`
  if (argument.endsWith('.sh')) return `script:${argument}`
  const meanings = [MARKER + argument, `cmd:${argument}`, `label:workflow:${argument}`, `script:${argument}`]
  return meanings.find(exists) ?? MARKER + argument
}

/** ASCII capitals lowered and nothing else: `É` stays `É` (sheet spec-graph §8.4, search). */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}
