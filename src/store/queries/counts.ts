// How much of everything the index holds, for `status`. Cold, so drizzle writes these statements from schema.ts.
// Load it with import(): drizzle takes longer to load than a whole query takes to answer.

import { count, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { FAMILIES, FAMILY_BIT, type Family } from '../../model/families.ts'
import { edge, edgeType, file, node, nodeKind, problem } from '../schema.ts'
import type { Store } from '../store.ts'

export type Counts = Readonly<Record<string, number>>

export interface FactCounts {
  /** Files by family; one of two families counts in both. */
  readonly files: Readonly<Record<Family, number>>
  /** Node rows by kind: a node that several files name counts once per file. */
  readonly nodes: Counts
  /** Sightings by edge type name, resolved or not. */
  readonly edges: Counts
  /** Problem rows by code. */
  readonly problems: Counts
}

/** All counts of one snapshot; names without rows are left out, except families. */
export function countFacts(store: Store): FactCounts {
  const db = drizzle(store.db)
  return store.read(() => {
    const bits = db.select({ bits: file.family, count: count() }).from(file).groupBy(file.family).all()
    const nodes = db
      .select({ name: nodeKind.name, count: count() })
      .from(node)
      .innerJoin(nodeKind, eq(nodeKind.id, node.kind))
      .groupBy(nodeKind.name)
      .orderBy(nodeKind.name)
      .all()
    const edges = db
      .select({ name: edgeType.name, count: count() })
      .from(edge)
      .innerJoin(edgeType, eq(edgeType.id, edge.type))
      .groupBy(edgeType.name)
      .orderBy(edgeType.name)
      .all()
    const problems = db
      .select({ name: problem.code, count: count() })
      .from(problem)
      .groupBy(problem.code)
      .orderBy(problem.code)
      .all()
    return { files: byFamily(bits), nodes: byName(nodes), edges: byName(edges), problems: byName(problems) }
  })
}

function byName(rows: readonly { readonly name: string; readonly count: number }[]): Counts {
  return Object.fromEntries(rows.map((row) => [row.name, row.count]))
}

function byFamily(rows: readonly { readonly bits: number; readonly count: number }[]): Record<Family, number> {
  const counts = FAMILIES.map((family) => {
    const mine = rows.filter((row) => (row.bits & FAMILY_BIT[family]) !== 0)
    return [family, mine.reduce((total, row) => total + row.count, 0)] as const
  })
  return Object.fromEntries(counts) as Record<Family, number>
}
