// The logical dump: everything the index says about the sources, as lines in a canonical order. Two indexes of the
// same sources have equal dumps, however they came about; that is the meaning of "incremental equals full".
// No row ids, times, hashes, folder digests or meta values: those are bookkeeping and may differ.
// The surprise: lines are JSON arrays, so that two dumps can be compared in one pass, by position, without holding them.

import { compareCodePoints } from '../model/order.ts'
import type { Store } from './store.ts'

export const DUMP_SQL = {
  files: `SELECT k.text AS path, f.id, f.family, f.size, f.state
            FROM key k JOIN file f ON f.id = k.id WHERE k.text > ? ORDER BY k.text LIMIT ?`,
  nodes: `SELECT n.ord, k.text, n.kind, n.own, n.title, n.status, n.line
            FROM node n JOIN key k ON k.id = n.key WHERE n.file = ? ORDER BY n.ord`,
  edges: `SELECT e.ord, u.text, d.text, e.type, e.line, e.note
            FROM edge e JOIN key u ON u.id = e.up JOIN key d ON d.id = e.down WHERE e.file = ? ORDER BY e.ord`,
  problems: 'SELECT ord, code, severity, line, detail, field, target FROM problem WHERE file = ? ORDER BY ord',
  aliases: `SELECT a.ord, r.text, k.text
              FROM alias a JOIN key r ON r.id = a.ref JOIN key k ON k.id = a.key WHERE a.file = ? ORDER BY a.ord`,
  keys: 'SELECT text FROM key WHERE text > ? ORDER BY text LIMIT ?',
  stray: `SELECT (SELECT count(*) FROM node WHERE file NOT IN (SELECT id FROM file)) AS node,
                 (SELECT count(*) FROM edge WHERE file NOT IN (SELECT id FROM file)) AS edge,
                 (SELECT count(*) FROM problem WHERE file NOT IN (SELECT id FROM file)) AS problem,
                 (SELECT count(*) FROM alias WHERE file NOT IN (SELECT id FROM file)) AS alias`,
} as const

const TABLES_OF_FACTS = { node: 'nodes', edge: 'edges', problem: 'problems', alias: 'aliases' } as const

const BATCH = 1000

/**
 * The dump, line by line, in little memory. Consume it inside store.read(), or another process may change the index
 * between two lines. First per file in code point order of its path: `file`, `node`, `edge`, `problem`, `alias` rows; then
 * rows that belong to no file (there should be none); then all `key` texts.
 */
export function* dumpLines(store: Store): Generator<string, void> {
  const files = store.prepare<
    [string, number],
    { path: string; id: number; family: number; size: number; state: number }
  >(DUMP_SQL.files)
  const facts = Object.entries(TABLES_OF_FACTS).map(([table, name]) => ({
    name: table,
    rows: store.prepare<[number], unknown[]>(DUMP_SQL[name]).raw(),
  }))
  for (let after = ''; ; ) {
    const batch = files.all(after, BATCH)
    for (const { path, id, family, size, state } of batch) {
      yield JSON.stringify(['file', path, family, size, state])
      for (const { name, rows } of facts) {
        for (const row of rows.all(id)) yield JSON.stringify([name, path, ...row])
      }
    }
    const last = batch.at(-1)
    if (last === undefined || batch.length < BATCH) break
    after = last.path
  }
  const stray = store.prepare<[], Record<string, number>>(DUMP_SQL.stray).get() ?? {}
  for (const [table, count] of Object.entries(stray)) {
    if (count > 0) yield JSON.stringify(['stray', table, count])
  }
  const keys = store.prepare<[string, number], { text: string }>(DUMP_SQL.keys)
  for (let after = ''; ; ) {
    const batch = keys.all(after, BATCH)
    for (const { text } of batch) yield JSON.stringify(['key', text])
    const last = batch.at(-1)
    if (last === undefined || batch.length < BATCH) return
    after = last.text
  }
}

/** The whole dump at once, of one snapshot. */
export function logicalDump(store: Store): string[] {
  return store.read(() => [...dumpLines(store)])
}

/** Where a line stands: part of the dump, then text, then table, then `ord`. */
interface Position {
  readonly part: number
  readonly text: string
  readonly table: number
  readonly ord: number
}

const TABLES = ['file', ...Object.keys(TABLES_OF_FACTS)]

function positionOf(line: string): Position {
  const [table, text, ord] = JSON.parse(line) as [string, string, number?]
  const rank = TABLES.indexOf(table)
  if (rank === -1) return { part: table === 'key' ? 2 : 1, text, table: 0, ord: 0 }
  // Field 2 of a file's own line is its family and no order: there is one line per file.
  return { part: 0, text, table: rank, ord: rank === 0 ? 0 : (ord ?? 0) }
}

function comparePositions(a: Position, b: Position): number {
  return a.part - b.part || compareCodePoints(a.text, b.text) || a.table - b.table || a.ord - b.ord
}

/**
 * The first `count` differing rows of two dumps, as lines for people: `- ` only in `a`, `+ ` only in `b`, and
 * a pair of both where the row is there with other values. Empty where the dumps are equal.
 */
export function firstDifferences(a: Iterable<string>, b: Iterable<string>, count: number): string[] {
  const found: string[] = []
  const left = a[Symbol.iterator]()
  const right = b[Symbol.iterator]()
  let x = left.next()
  let y = right.next()
  for (let differing = 0; differing < count; ) {
    if (x.done && y.done) break
    if (!x.done && !y.done && x.value === y.value) {
      x = left.next()
      y = right.next()
      continue
    }
    differing++
    const order = x.done ? 1 : y.done ? -1 : comparePositions(positionOf(x.value), positionOf(y.value))
    if (order <= 0 && !x.done) {
      found.push(`- ${x.value}`)
      x = left.next()
    }
    if (order >= 0 && !y.done) {
      found.push(`+ ${y.value}`)
      y = right.next()
    }
  }
  return found
}
