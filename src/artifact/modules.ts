// Modules of a workspace: which one was asked for, and how ids and texts look from inside it. Pure: the layout is handed
// in, and what is in the modules comes from the assembled graph. The surprise: --module cuts what is shown and never
// what is resolved or walked, so that edges into other modules stay edges.

import type { ArtifactNode, Relation } from '../model/artifact-views.ts'
import { UserError } from '../model/errors.ts'
import { isStrict, type Layout, moduleOf, withinModule } from '../model/layout.ts'

/** The name of a file as the graph shows it: relative to its module, with the module's prefix. */
export function shownPath(layout: Layout, path: string): string {
  const module = moduleOf(layout, path)
  return module === null || module.name === null ? path : `[${module.name}]/${withinModule(module, path)}`
}

/** Names of the modules in which only the seed's own convention is at work; null is the root. */
export function strictModules(layout: Layout): ReadonlySet<string | null> {
  return new Set(layout.modules.filter(isStrict).map((module) => module.name))
}

/**
 * What `--module NAME` means: null where it was not given or there are no modules (it is ignored then: seed "Workspace
 * Mode Aggregation"). Throws UserError `usage` for a name that no module has.
 */
export function chosenModule(layout: Layout, name: string | null): string | null {
  const names = layout.modules.flatMap((module) => (module.name === null ? [] : [module.name]))
  if (name === null || names.length === 0) return null
  if (names.includes(name)) return name
  throw new UserError('usage', `unknown module ${name}`, `modules: ${names.sort().join(', ')}`)
}

/** Takes the prefix of one module off ids and texts (`--module`: sheet artifact-graph §11); null takes off nothing. */
export class ModuleCut {
  readonly module: string | null
  readonly #prefix: string

  constructor(module: string | null) {
    this.module = module
    this.#prefix = `[${module}]/`
  }

  /** Whether something of this module is shown. */
  keeps(module: string | null): boolean {
    return this.module === null || this.module === module
  }

  id(id: string): string {
    return this.module !== null && id.startsWith(this.#prefix) ? id.slice(this.#prefix.length) : id
  }

  text(text: string): string {
    return this.module === null ? text : text.replaceAll(this.#prefix, '')
  }

  node(node: ArtifactNode): ArtifactNode {
    return this.module === null ? node : { ...node, id: this.id(node.id) }
  }

  /** The same relations, none left out. */
  relations(relations: readonly Relation[]): readonly Relation[] {
    if (this.module === null) return relations
    return relations.map((one) => ({ ...one, source: this.id(one.source), target: this.id(one.target) }))
  }

  /** The whole id of what was typed. */
  whole(id: string): string {
    return this.module === null || id.startsWith('[') ? id : this.#prefix + id
  }
}
