// Which node somebody means by what was typed: an id, another name, or a path; and if none, which ones come close.
// The surprise: under --module ids are typed without the module's prefix, but a whole id does as well.

import { nearest } from '../extract/suggest.ts'
import type { ArtifactNode, GraphErrorView } from '../model/artifact-views.ts'
import { compareUtf16 } from '../model/order.ts'
import { withoutModule } from './diagnostics.ts'
import type { ArtifactGraph } from './graph.ts'
import { ModuleCut } from './modules.ts'
import { normalised } from './scope.ts'

const MOST_SUGGESTIONS = 3

export type Lookup =
  | { readonly node: ArtifactNode; readonly error: null }
  | { readonly node: null; readonly error: GraphErrorView }

/**
 * The node of an id, an alias or a path (relative to the root, or as the graph shows it); else the error to answer with:
 * `unknown-artifact` with at most three suggestions, or `ambiguous-artifact` with the candidates. Source of the rules:
 * seed "Scenario: Unknown ID", sheet artifact-graph §7.
 */
export function lookUp(graph: ArtifactGraph, verb: string, typed: string, module: string | null): Lookup {
  const cut = new ModuleCut(module)
  const isShown = (node: ArtifactNode | undefined): node is ArtifactNode => node !== undefined && cut.keeps(node.module)
  const whole = cut.whole(typed)
  const exact = graph.nodes.get(whole)
  if (isShown(exact)) return { node: exact, error: null }
  const named = graph.named(whole).filter(isShown)
  const [only] = named
  if (only !== undefined && named.length === 1) return { node: only, error: null }
  const refuse = (code: GraphErrorView['code'], message: string, suggestions: readonly string[]): Lookup => ({
    node: null,
    error: { verb, id: typed, code, message, suggestions, diagnostics: [] },
  })
  if (named.length > 1) {
    const candidates = named.map(({ id }) => cut.id(id))
    return refuse('ambiguous-artifact', `${typed} may mean several artifacts`, candidates)
  }
  const nodes = [...graph.nodes.values()].filter(isShown)
  // Outside of the seed's own convention ids count in any width and case, as they do in texts.
  const padded = graph.nodes.get(paddedId(whole))
  if (isShown(padded) && !graph.strict.has(padded.module)) return { node: padded, error: null }
  const byPath = atPath(graph, nodes, cut, typed)
  if (byPath !== null) return { node: byPath, error: null }
  return refuse('unknown-artifact', `unknown artifact ${typed}`, suggestions(nodes, cut, typed))
}

function atPath(
  graph: ArtifactGraph,
  nodes: readonly ArtifactNode[],
  cut: ModuleCut,
  typed: string,
): ArtifactNode | null {
  const path = normalised(typed)
  if (path === null || path === '') return null
  const shown = graph.nodes.get(cut.whole(path))
  if (shown?.kind === 'code' && cut.keeps(shown.module)) return shown
  return nodes.find(({ file }) => file === path) ?? null
}

/**
 * The same after padding or, of a bare number, of that number; what starts so, what holds it in id or title, then the
 * nearest numbers of the same kind, here and in modules; where all that finds nothing, the fewest edits.
 */
function suggestions(nodes: readonly ArtifactNode[], cut: ModuleCut, typed: string): string[] {
  const meant = meantId(typed, cut)
  const wanted = meant.toLowerCase()
  const padded = paddedId(meant)
  const number = numbered(padded)
  const bareNumber = /^#?(\d{1,9})$/.exec(meant.trim())?.[1]
  const ranked: { readonly id: string; readonly rank: number; readonly far: number }[] = []
  for (const { id: whole, title } of nodes) {
    const id = cut.id(whole)
    const lower = id.toLowerCase()
    const isNumber = bareNumber !== undefined && numbered(withoutModule(id))?.number === Number(bareNumber)
    if (id === padded || isNumber) ranked.push({ id, rank: 0, far: 0 })
    else if (wanted !== '' && lower.startsWith(wanted)) ranked.push({ id, rank: 1, far: 0 })
    else if (wanted !== '' && (lower.includes(wanted) || title.toLowerCase().includes(wanted))) {
      ranked.push({ id, rank: 2, far: 0 })
    } else {
      const own = numbered(id)
      const bare = numbered(withoutModule(id))
      const near = [own, bare].findIndex((one) => one !== null && one.prefix === number?.prefix)
      if (near >= 0) ranked.push({ id, rank: 3 + near, far: Math.abs((own?.number ?? 0) - (number?.number ?? 0)) })
    }
  }
  if (ranked.length === 0) {
    // A mistyped path is no mistyped id.
    const isPath = meant.includes('/') && !meant.startsWith('[')
    const near = isPath ? nodes.filter(({ kind }) => kind === 'code') : nodes
    const ids = near.map(({ id }) => cut.id(id))
    return nearest(meant, ids, MOST_SUGGESTIONS)
  }
  ranked.sort((a, b) => a.rank - b.rank || a.far - b.far || compareUtf16(a.id, b.id))
  return ranked.slice(0, MOST_SUGGESTIONS).map(({ id }) => id)
}

/** `[api] SPEC-0001` with a slash; inside a module, which shows no others, without a module's name. */
function meantId(typed: string, { module }: ModuleCut): string {
  const [, name, id] = /^\s*\[([^\]]*)\][\s/]+(\S.*)$/s.exec(typed) ?? []
  if (name === undefined || id === undefined) return typed
  return module === null ? `[${name}]/${id}` : id
}

/** `adr-21` as `ADR-0021`; anything else as it is. */
function paddedId(typed: string): string {
  const parts = /^(\[[^\]]*\]\/)?([a-z]+)[-_ ]?(\d{1,9})$/i.exec(typed.trim())
  if (parts === null) return typed
  const [, prefix = '', kind = '', digits = ''] = parts
  return `${prefix}${kind.toUpperCase()}-${String(Number(digits)).padStart(4, '0')}`
}

function numbered(id: string): { readonly prefix: string; readonly number: number } | null {
  const parts = /^(.*-)(\d{1,9})$/.exec(id)
  return parts === null ? null : { prefix: parts[1] ?? '', number: Number(parts[2]) }
}
