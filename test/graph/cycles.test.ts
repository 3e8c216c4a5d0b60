// Elementary cycles against a plain search over all simple paths, and on graphs that are too deep or too rich.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementaryCycles } from '../../src/graph/cycles.ts'
import { effort } from '../support/effort.ts'

/** Every simple path from its smallest vertex back to it; exponential, for small graphs. */
function plainly(next: readonly (readonly number[])[]): number[][] {
  const found: number[][] = []
  const walk = (path: number[]): void => {
    const [start = 0] = path
    for (const target of next[path.at(-1) ?? 0] ?? []) {
      if (target === start) found.push(path)
      else if (target > start && !path.includes(target)) walk([...path, target])
    }
  }
  next.forEach((_, v) => {
    walk([v])
  })
  return found
}

const graphs = fc
  .integer({ min: 1, max: 7 })
  .chain((size) =>
    fc.array(fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { maxLength: size }), {
      minLength: size,
      maxLength: size,
    }),
  )
  .map((next) => next.map((list) => list.toSorted((a, b) => a - b)))

test('a ring, a vertex that points at itself, two rings that share a vertex', () => {
  expect(elementaryCycles([[1], [2], [0]], 10)).toEqual({ cycles: [[0, 1, 2]], capped: false })
  expect(elementaryCycles([[], [1]], 10)).toEqual({ cycles: [[1]], capped: false })
  expect(elementaryCycles([[1], [0, 2], [1]], 10)).toEqual({
    cycles: [
      [0, 1],
      [1, 2],
    ],
    capped: false,
  })
  expect(elementaryCycles([[1, 2], [3], [3], []], 10)).toEqual({ cycles: [], capped: false })
  expect(elementaryCycles([], 10)).toEqual({ cycles: [], capped: false })
})

test('equals the search over all simple paths', () => {
  fc.assert(
    fc.property(graphs, (next) => {
      const { cycles, capped } = elementaryCycles(next, 100_000)
      expect(capped).toBe(false)
      const expected = plainly(next)
      expect(new Set(cycles.map(String))).toEqual(new Set(expected.map(String)))
      expect(cycles).toHaveLength(expected.length)
    }),
    { numRuns: effort(200, 5000) },
  )
})

test('at the cap it says so, and not before', () => {
  const complete = Array.from({ length: 12 }, (_, v) => Array.from({ length: 12 }, (_, i) => i).filter((i) => i !== v))
  const { cycles, capped } = elementaryCycles(complete, 50)
  expect(cycles).toHaveLength(50)
  expect(capped).toBe(true)
  expect(cycles.every((cycle) => cycle[0] === 0)).toBe(true)
  expect(elementaryCycles([[1], [0], [3], [2]], 2)).toEqual({
    cycles: [
      [0, 1],
      [2, 3],
    ],
    capped: false,
  })
  expect(elementaryCycles([[1], [0], [3], [2]], 1)).toEqual({ cycles: [[0, 1]], capped: true })
})

test('a ring of 200,000 and a ladder of neighbours both ways', () => {
  const size = 200_000
  const ring = Array.from({ length: size }, (_, v) => [(v + 1) % size])
  const found = elementaryCycles(ring, 1000)
  expect(found.cycles).toHaveLength(1)
  expect(found.cycles[0]).toHaveLength(size)
  const street = Array.from({ length: 3000 }, (_, v) => [v - 1, v + 1].filter((w) => w >= 0 && w < 3000))
  expect(elementaryCycles(street, 1000)).toMatchObject({ capped: true })
})
