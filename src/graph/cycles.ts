// All elementary cycles of a directed graph, up to a cap: the cycles through the smallest vertex of a strongly
// connected component, then those of what is left without it. Pure; nothing here recurses, so depth is no limit.
// The surprise: vertices that lie on no cycle are peeled off first, which is all that a graph without cycles costs.

export interface FoundCycles {
  /** Each starts at its smallest vertex, which is not repeated at the end. Sorted as lists of numbers. */
  readonly cycles: readonly (readonly number[])[]
  /** True where there are more. */
  readonly capped: boolean
}

/**
 * Elementary cycles by Johnson's method, at most `cap`. `next[v]` lists the vertices that v points at, ascending and
 * without repetition; a vertex that points at itself is a cycle of one. Where there are more than `cap`, those through
 * smaller vertices are found first. Source of the rule: behaviour sheet artifact-graph §6 "Cycle rule", §14.
 */
export function elementaryCycles(next: readonly (readonly number[])[], cap: number): FoundCycles {
  const cycles: number[][] = []
  const pending = components(next, cyclicVertices(next))
  while (pending.length > 0 && cycles.length <= cap) {
    const component = takeSmallest(pending)
    const [start] = component
    if (start === undefined) continue
    const inside = new Set(component)
    circuits(next, inside, start, cap + 1, cycles)
    inside.delete(start)
    pending.push(...components(next, inside))
  }
  const capped = cycles.length > cap
  return { cycles: cycles.slice(0, cap).sort(compareLists), capped }
}

/** Vertices that may lie on a cycle: without those that nothing left points at, again and again. None: no cycle. */
export function cyclicVertices(next: readonly (readonly number[])[]): Set<number> {
  const incoming = new Int32Array(next.length)
  for (const targets of next) for (const target of targets) incoming[target] = (incoming[target] ?? 0) + 1
  const queue: number[] = []
  for (let v = 0; v < next.length; v++) if (incoming[v] === 0) queue.push(v)
  // Grows while it is walked.
  for (const v of queue) {
    for (const target of next[v] ?? []) {
      const left = (incoming[target] ?? 0) - 1
      incoming[target] = left
      if (left === 0) queue.push(target)
    }
  }
  const kept = new Set<number>()
  for (let v = 0; v < next.length; v++) if ((incoming[v] ?? 0) > 0) kept.add(v)
  return kept
}

function takeSmallest(components: number[][]): number[] {
  let best = 0
  for (let i = 1; i < components.length; i++) {
    if ((components[i]?.[0] ?? 0) < (components[best]?.[0] ?? 0)) best = i
  }
  return components.splice(best, 1)[0] ?? []
}

/** Strongly connected components of the vertices in `inside` that hold a cycle, each ascending (Tarjan's method). */
function components(next: readonly (readonly number[])[], inside: ReadonlySet<number>): number[][] {
  const order = new Int32Array(next.length).fill(-1)
  const low = new Int32Array(next.length)
  const open = new Uint8Array(next.length)
  const path: number[] = []
  const found: number[][] = []
  const frames: { readonly v: number; at: number }[] = []
  let entered = 0
  const enter = (v: number): void => {
    order[v] = entered
    low[v] = entered++
    path.push(v)
    open[v] = 1
    frames.push({ v, at: 0 })
  }
  const lower = (v: number, to: number | undefined): void => {
    if ((to ?? 0) < (low[v] ?? 0)) low[v] = to ?? 0
  }
  for (const root of inside) {
    if (order[root] !== -1) continue
    enter(root)
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { v } = frame
      const target = next[v]?.[frame.at++]
      if (target === undefined) {
        frames.pop()
        const parent = frames.at(-1)
        if (parent !== undefined) lower(parent.v, low[v])
        if (low[v] !== order[v]) continue
        const component = path.splice(path.lastIndexOf(v))
        for (const one of component) open[one] = 0
        if (component.length > 1 || next[v]?.includes(v)) found.push(component.sort((a, b) => a - b))
      } else if (order[target] === -1) {
        if (inside.has(target)) enter(target)
      } else if (open[target] === 1) lower(v, order[target])
    }
  }
  return found
}

/** Adds the elementary cycles through `start` inside a component to `cycles`, until there are `most`. */
function circuits(
  next: readonly (readonly number[])[],
  inside: ReadonlySet<number>,
  start: number,
  most: number,
  cycles: number[][],
): void {
  const blocked = new Uint8Array(next.length)
  blocked[start] = 1
  const waiting = new Map<number, Set<number>>()
  const path = [start]
  const frames: { readonly v: number; at: number; closed: boolean }[] = [{ v: start, at: 0, closed: false }]
  const unblock = (first: number): void => {
    const queue = [first]
    for (const v of queue) {
      if (blocked[v] !== 1) continue
      blocked[v] = 0
      for (const other of waiting.get(v) ?? []) queue.push(other)
      waiting.delete(v)
    }
  }
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const target = next[frame.v]?.[frame.at++]
    if (target === undefined) {
      frames.pop()
      path.pop()
      const parent = frames.at(-1)
      if (frame.closed) {
        unblock(frame.v)
        if (parent !== undefined) parent.closed = true
      } else {
        for (const other of next[frame.v] ?? []) if (inside.has(other)) waitFor(waiting, other, frame.v)
      }
    } else if (target === start) {
      cycles.push([...path])
      if (cycles.length >= most) return
      frame.closed = true
    } else if (blocked[target] === 0 && inside.has(target)) {
      blocked[target] = 1
      path.push(target)
      frames.push({ v: target, at: 0, closed: false })
    }
  }
}

function waitFor(waiting: Map<number, Set<number>>, v: number, who: number): void {
  const list = waiting.get(v)
  if (list === undefined) waiting.set(v, new Set([who]))
  else list.add(who)
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
