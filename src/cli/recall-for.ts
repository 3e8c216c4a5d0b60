// `recall --for ID`: which files an artifact is about. Loaded only with that flag, since it brings the artifact graph.

import { lookUp } from '../artifact/lookup.ts'
import { UserError } from '../model/errors.ts'
import { artifactReach } from '../store/queries/artifact-reach.ts'
import { tellFile, withGraph } from './graph-source.ts'
import type { Io } from './io.ts'

/** The files of an artifact and of everything that depends on it. Throws UserError not-found (exit 1). */
export function pathsFor(id: string, options: Record<string, unknown>, io: Io): Promise<string[]> {
  return withGraph(options, io, null, (source) => {
    const { index, graph, module } = source
    const { node, error } = lookUp(graph, 'recall', id, module)
    if (node === null) {
      tellFile(source, id, io)
      const closest = error.suggestions.length === 0 ? null : `closest: ${error.suggestions.join(', ')}`
      throw new UserError('not-found', error.message, closest, 1)
    }
    const reached = artifactReach(index.store, 'down', node.id, graph.correction)
    return [...new Set([node.id, ...reached].flatMap((each) => graph.nodes.get(each)?.file ?? []))]
  })
}
