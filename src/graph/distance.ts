// Breadth-first distances over plain rows. Pure; the rows are the part of the graph that a query already reached, so
// depth is never counted inside SQL (a CTE over (id, depth) is 25 to 60 times slower: ARCHITECTURE §3).

/** A directed step; `T` is whatever the caller wants to remember of it. */
export interface Step<T> {
  readonly from: string
  readonly to: string
  readonly label: T
}

export interface Reached<T> {
  readonly id: string
  /** Steps from the start; 0 for the start itself. */
  readonly distance: number
  /** The step by which it was first reached; null for the start. */
  readonly by: Step<T> | null
}

/**
 * Every id reachable from `start`, nearest first; within a distance in the order found. The order of `steps` decides
 * which of several equally near predecessors is remembered, so hand them in sorted. Cycles and self-edges are harmless.
 */
export function distances<T>(start: string, steps: readonly Step<T>[]): Reached<T>[] {
  const out = new Map<string, Step<T>[]>()
  for (const step of steps) {
    const list = out.get(step.from)
    if (list === undefined) out.set(step.from, [step])
    else list.push(step)
  }
  const seen = new Set([start])
  const reached: Reached<T>[] = [{ id: start, distance: 0, by: null }]
  // Grows while it is walked: that is the queue.
  for (const here of reached) {
    for (const step of out.get(here.id) ?? []) {
      if (seen.has(step.to)) continue
      seen.add(step.to)
      reached.push({ id: step.to, distance: here.distance + 1, by: step })
    }
  }
  return reached
}
