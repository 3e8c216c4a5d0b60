// A bakery's documents as facts, and how to write them. Free of test tools, since child processes use it too.

import type { EdgeFact, Facts, NodeFact, ProblemFact } from '../../src/model/facts.ts'
import { EDGE, FILE_STATE, KIND } from '../../src/model/vocabulary.ts'
import type { Store } from '../../src/store/store.ts'
import { type FileRecord, Writer } from '../../src/store/writer.ts'

export const DOCS = 2

/** A document that links to others, one link per line. */
export function recipe(key: string, links: readonly string[], title = 'Recipe'): { record: FileRecord; facts: Facts } {
  return {
    record: { key, family: DOCS, size: 100 + links.length, stat: null, oid: Buffer.alloc(20, 7), state: FILE_STATE.ok },
    facts: {
      nodes: [document(key, title)],
      edges: links.map((link, i) => linkTo(link, key, i + 1)),
      problems: [],
    },
  }
}

export function document(id: string, title: string | null = null): NodeFact {
  return { id, kind: KIND.document, own: true, title, status: null, line: null }
}

export function linkTo(up: string, down: string, line: number, type: number = EDGE.links): EdgeFact {
  return { up, down, type, line, note: null }
}

export function burnt(line: number): ProblemFact {
  return { code: 'burnt-crust', severity: 1, line, detail: 'too dark' }
}

/** Writes recipes given as {path: links}. */
export function bake(store: Store, book: Readonly<Record<string, readonly string[]>>): void {
  store.write(() => {
    const writer = new Writer(store)
    for (const [key, links] of Object.entries(book)) {
      const { record, facts } = recipe(key, links)
      writer.replaceFile(record, facts)
    }
    writer.finish()
  })
}
