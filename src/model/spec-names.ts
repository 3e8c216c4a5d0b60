// Ids and display names of the spec graph's nodes: how a path becomes an id, and what `name` the document shows for
// an id. Pure text; whether a node exists is not asked here. Surprise: the kind of a command file follows from the
// slashes in its path only, so `commands/a:b.md` is a *command* that shares its id with the sub-phase `commands/a/b.md`.

import type { KindName } from './vocabulary.ts'

/** Everything below `commands/` without one trailing `.md`. */
function stemOf(path: string): string {
  const end = path.endsWith('.md') ? path.length - 3 : path.length
  return path.slice('commands/'.length, end)
}

/** Id of the command or sub-phase that a file under `commands/` is (sheet spec-graph §4). */
export function commandId(path: string): string {
  return `cmd:${stemOf(path).replaceAll('/', ':')}`
}

/** `command` directly below `commands/`, `sub-phase` anywhere deeper (sheet spec-graph §4). */
export function commandKind(path: string): 'command' | 'sub-phase' {
  return stemOf(path).includes('/') ? 'sub-phase' : 'command'
}

/** Id of a file under `scripts/`: its base name, so nested twins share one id (sheet spec-graph §4). */
export function nodeIdOfScript(path: string): string {
  return `script:${path.slice(path.lastIndexOf('/') + 1)}`
}

/** Id of a file under `devdocs/`: its whole relative path (sheet spec-graph §4). */
export function nodeIdOfDevdoc(path: string): string {
  return `devdoc:${path}`
}

const PREFIX: Readonly<Partial<Record<KindName, string>>> = {
  command: 'cmd:',
  'sub-phase': 'cmd:',
  annotation: 'ann:',
  label: 'label:',
  script: 'script:',
  devdoc: 'devdoc:devdocs/',
}

/**
 * The `name` of a node in the exported document: its id without the prefix of its kind (sheet spec-graph §4).
 * An id that does not carry the prefix, and a kind outside the spec graph, come back as they are.
 */
export function specNodeName(kindName: KindName, id: string): string {
  const prefix = PREFIX[kindName] ?? ''
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}
