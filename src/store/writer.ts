// Writes facts, file by file, inside one store.write(). Every row of node, edge and problem belongs to one file and is
// replaced with it; texts are interned in `key`. It decides nothing: what to write comes from indexing/.
// The surprise: keys that a replaced or removed file named are only candidates for deletion until finish(), because
// another file, perhaps one written later in the same run, may name them too.

import type { Statement } from 'better-sqlite3'
import type { Facts } from '../model/facts.ts'
import { setMeta } from './meta.ts'
import type { Store } from './store.ts'

/** One row of `file`. */
export interface FileRecord {
  /** Key text of the source (model/source-key.ts). */
  readonly key: string
  /** Bit set of families. */
  readonly family: number
  /** Bytes on disk. */
  readonly size: number
  /** mtime and ctime, or null where git vouches for the content or nothing can. */
  readonly stat: Buffer | null
  /** 20 bytes git blob id, 32 bytes sha256, or empty where there was nothing to read. */
  readonly oid: Buffer
  /** A number of vocabulary.ts FILE_STATE. */
  readonly state: number
}

/** Rows written and deleted, by table. */
export type RowCounts = Record<'file' | 'node' | 'edge' | 'problem' | 'alias' | 'key' | 'dir' | 'deleted', number>

export const WRITER_SQL = {
  indexes: `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('node', 'edge') AND sql IS NOT NULL`,
  anyKey: 'SELECT EXISTS (SELECT 1 FROM key) AS found',
  findKey: 'SELECT id FROM key WHERE text = ?',
  insertKey: 'INSERT INTO key (text) VALUES (?)',
  upsertFile: `INSERT INTO file (id, family, size, stat, oid, state) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET family = excluded.family, size = excluded.size, stat = excluded.stat,
                                   oid = excluded.oid, state = excluded.state`,
  touchFile: 'UPDATE file SET size = ?, stat = ?, oid = ? WHERE id = ?',
  deleteFile: 'DELETE FROM file WHERE id = ?',
  nodeKeys: 'SELECT key FROM node WHERE file = ?',
  edgeKeys: 'SELECT up, down FROM edge WHERE file = ?',
  aliasKeys: 'SELECT ref, key FROM alias WHERE file = ?',
  nodesOf: 'SELECT ord, key, kind, own, title, status, line FROM node WHERE file = ? ORDER BY ord',
  edgesOf: 'SELECT ord, up, down, type, line, note FROM edge WHERE file = ? ORDER BY ord',
  problemsOf: 'SELECT ord, code, severity, line, detail, field, target FROM problem WHERE file = ? ORDER BY ord',
  aliasesOf: 'SELECT ord, ref, key FROM alias WHERE file = ? ORDER BY ord',
  deleteNodes: 'DELETE FROM node WHERE file = ?',
  deleteEdges: 'DELETE FROM edge WHERE file = ?',
  deleteProblems: 'DELETE FROM problem WHERE file = ?',
  deleteAliases: 'DELETE FROM alias WHERE file = ?',
  insertNode: 'INSERT INTO node (file, ord, key, kind, own, title, status, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  insertEdge: 'INSERT INTO edge (file, ord, up, down, type, line, note) VALUES (?, ?, ?, ?, ?, ?, ?)',
  insertProblem: `INSERT INTO problem (file, ord, code, severity, line, detail, field, target)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  insertAlias: 'INSERT INTO alias (file, ord, ref, key) VALUES (?, ?, ?, ?)',
  // Each condition is one index lookup.
  deleteKey: `DELETE FROM key WHERE id = ?
    AND NOT EXISTS (SELECT 1 FROM file f WHERE f.id = key.id)
    AND NOT EXISTS (SELECT 1 FROM node n WHERE n.key = key.id)
    AND NOT EXISTS (SELECT 1 FROM edge e WHERE e.up = key.id)
    AND NOT EXISTS (SELECT 1 FROM edge e WHERE e.down = key.id)
    AND NOT EXISTS (SELECT 1 FROM alias a WHERE a.ref = key.id)
    AND NOT EXISTS (SELECT 1 FROM alias a WHERE a.key = key.id)`,
  setDir: `INSERT INTO dir (family, path, files, digest) VALUES (?, ?, ?, ?)
    ON CONFLICT (family, path) DO UPDATE SET files = excluded.files, digest = excluded.digest`,
  removeDir: 'DELETE FROM dir WHERE family = ? AND path = ?',
  taintDir: 'UPDATE dir SET digest = NULL WHERE family = ? AND path = ? AND digest IS NOT NULL',
} as const

type Statements = Readonly<Record<keyof typeof WRITER_SQL, Statement>>

/** Lives as long as one write transaction; make a new one for the next. */
export class Writer {
  readonly #store: Store
  readonly #sql: Statements
  readonly #ids = new Map<string, number>()
  /** True where #ids holds every key there is, so that an unknown text needs no look-up: the first index. */
  readonly #complete: boolean
  readonly #written = new Set<number>()
  readonly #candidates = new Set<number>()
  /** Index declarations that finish() runs again. */
  readonly #later: readonly string[]
  readonly #counts: RowCounts = { file: 0, node: 0, edge: 0, problem: 0, alias: 0, key: 0, dir: 0, deleted: 0 }

  /** Call inside store.write(). */
  constructor(store: Store) {
    this.#store = store
    // Not store.prepare: these run hundreds of thousands of times, and store.write() translates their failures.
    const entries = Object.entries(WRITER_SQL).map(([name, sql]) => [name, store.db.prepare(sql)])
    this.#sql = Object.fromEntries(entries) as Statements
    this.#complete = (this.#sql.anyKey.get() as { found: number }).found === 0
    this.#later = this.#complete ? this.#dropIndexes() : []
  }

  /** For a first index: sorting the rows once at the end takes 60 % of the time that keeping indexes sorted takes. */
  #dropIndexes(): string[] {
    const indexes = this.#sql.indexes.all() as { name: string; sql: string }[]
    for (const { name } of indexes) this.#store.db.exec(`DROP INDEX "${name.replaceAll('"', '""')}"`)
    return indexes.map(({ sql }) => sql)
  }

  /**
   * Writes the file's row and replaces all its facts; `ord` is the place in the arrays. With `compare` false is
   * returned where the facts are what they were: asking costs as much as writing, so who writes many does not.
   */
  replaceFile(record: FileRecord, facts: Facts, compare = false): boolean {
    const sql = this.#sql
    const id = this.#intern(record.key)
    const before = compare ? this.#factsOf(id) : null
    // In a first index only a file that comes twice has facts to clear.
    if (!this.#complete || this.#written.has(id)) this.#clearFacts(id)
    this.#written.add(id)
    sql.upsertFile.run(id, record.family, record.size, record.stat, record.oid, record.state)
    let ord = 0
    for (const node of facts.nodes) {
      const key = this.#intern(node.id)
      const { kind, own, title, status, line } = node
      sql.insertNode.run(id, ord++, key, kind, own ? 1 : 0, wellFormed(title), wellFormed(status), line)
    }
    ord = 0
    for (const edge of facts.edges) {
      const { up, down, type, line, note } = edge
      sql.insertEdge.run(id, ord++, this.#intern(up), this.#intern(down), type, line, wellFormed(note))
    }
    ord = 0
    for (const problem of facts.problems) {
      const { code, severity, line, detail, field = null, target = null } = problem
      const { insertProblem } = sql
      insertProblem.run(id, ord++, code, severity, line, wellFormed(detail), wellFormed(field), wellFormed(target))
    }
    ord = 0
    const { aliases = [] } = facts
    for (const { ref, id: node } of aliases) sql.insertAlias.run(id, ord++, this.#intern(ref), this.#intern(node))
    this.#counts.alias += aliases.length
    this.#counts.file++
    this.#counts.node += facts.nodes.length
    this.#counts.edge += facts.edges.length
    this.#counts.problem += facts.problems.length
    return before === null || before !== this.#factsOf(id)
  }

  /** All facts of the file as one text. Keys keep their ids until finish(). */
  #factsOf(file: number): string {
    const { nodesOf, edgesOf, problemsOf, aliasesOf } = this.#sql
    return JSON.stringify([nodesOf, edgesOf, problemsOf, aliasesOf].map((facts) => facts.all(file)))
  }

  /** Same content, other witness: size, stat and oid only. The file must be in the index. */
  touchFile(record: FileRecord): void {
    const id = this.#find(record.key)
    const { changes } = this.#sql.touchFile.run(record.size, record.stat, record.oid, id ?? -1)
    if (changes === 0) throw new Error(`touchFile: no row for ${record.key}`)
    this.#counts.file++
  }

  /** Removes the file's row and all its facts; a file that is not there is removed already. */
  removeFile(key: string): void {
    const id = this.#find(key)
    if (id === null || this.#sql.deleteFile.run(id).changes === 0) return
    this.#counts.deleted++
    this.#candidates.add(id)
    this.#clearFacts(id)
  }

  /** What the folder looks like; a null digest vouches for nothing. */
  setDir(familyBit: number, path: string, files: number, digest: Buffer | null): void {
    this.#sql.setDir.run(familyBit, path, files, digest)
    this.#counts.dir++
  }

  removeDir(familyBit: number, path: string): void {
    this.#counts.deleted += this.#sql.removeDir.run(familyBit, path).changes
  }

  /** The folder's digest no longer vouches for its files; a folder that is not there does not either. */
  taintDir(familyBit: number, path: string): void {
    this.#counts.dir += this.#sql.taintDir.run(familyBit, path).changes
  }

  setMeta(name: string, value: string | null): void {
    setMeta(this.#store, name, value)
  }

  /**
   * Puts the indexes back that a first run goes without, deletes the keys that nothing names any more, and returns what
   * was written. To be called before the transaction ends; the writer is done then.
   */
  finish(): RowCounts {
    for (const sql of this.#later) this.#store.db.exec(sql)
    for (const id of this.#candidates) this.#counts.deleted += this.#sql.deleteKey.run(id).changes
    this.#candidates.clear()
    this.#written.clear()
    this.#ids.clear()
    return { ...this.#counts }
  }

  #clearFacts(file: number): void {
    const sql = this.#sql
    for (const row of sql.nodeKeys.all(file) as { key: number }[]) this.#candidates.add(row.key)
    for (const row of sql.edgeKeys.all(file) as { up: number; down: number }[]) {
      this.#candidates.add(row.up)
      this.#candidates.add(row.down)
    }
    for (const row of sql.aliasKeys.all(file) as { ref: number; key: number }[]) {
      this.#candidates.add(row.ref)
      this.#candidates.add(row.key)
    }
    const aliases = sql.deleteAliases.run(file).changes
    const nodes = sql.deleteNodes.run(file).changes
    const edges = sql.deleteEdges.run(file).changes
    this.#counts.deleted += nodes + edges + aliases + sql.deleteProblems.run(file).changes
  }

  #find(given: string): number | null {
    const text = wellFormed(given)
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const row = this.#sql.findKey.get(text) as { id: number } | undefined
    if (row === undefined) return null
    this.#ids.set(text, row.id)
    return row.id
  }

  #intern(given: string): number {
    const text = wellFormed(given)
    const known = this.#ids.get(text) ?? (this.#complete ? null : this.#find(text))
    if (known !== null) return known
    const id = Number(this.#sql.insertKey.run(text).lastInsertRowid)
    this.#ids.set(text, id)
    this.#counts.key++
    return id
  }
}

function wellFormed<T extends string | null>(text: T): T | string {
  // A text cut in the middle of a character would be stored as bytes that are not UTF-8, and read back as another text.
  return text !== null && /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text
}
