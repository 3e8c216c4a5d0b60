// `specdex sql`: one reading statement over the public views. SQLite cannot be interrupted from inside this process,
// so the statement runs in a child that is killed at the time limit; the parent proves the index and prints.

import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openIndex } from '../indexing/session.ts'
import { UserError } from '../model/errors.ts'
import { csv, grid } from '../render/grid.ts'
import { type AdHocResult, runAdHoc, schemaText } from '../store/ad-hoc.ts'
import { openMemoryStore, type StoreLocation } from '../store/open.ts'
import { snapshotTo } from '../store/snapshot.ts'
import type { Io } from './io.ts'
import { placeOf } from './place.ts'
import { printable } from './print.ts'

interface Question {
  readonly location: StoreLocation
  readonly statement: string
  readonly rows: number
}

type Answer = { readonly ok: AdHocResult } | { readonly error: { code: string; message: string; hint: string | null } }

/** Runs `specdex sql`. Exit 0 answered (also with no rows or a cut answer), 2 for a statement that is refused. */
export async function runSql(statement: string | null, options: Record<string, unknown>, io: Io): Promise<number> {
  if (options['schema'] === true) {
    const store = openMemoryStore()
    io.out(schemaText(store))
    store.close()
    return 0
  }
  if (statement === null) throw new UserError('usage', 'no statement given', 'try `specdex sql --schema`')
  const formats = ['table', 'json', 'csv'].filter((format) => options[format] === true)
  if (formats.length > 1) throw new UserError('usage', `--${formats.join(' and --')} exclude each other`)
  const place = await placeOf(options, io)
  const policy = options['staleCheck'] === false ? 'as-is' : 'repair'
  const index = await openIndex(place, place.config.families, policy, io.world)
  let temporary: string | null = null
  let location = place.location
  try {
    if (index.store.inMemory) {
      // Answering from memory in a read-only place: the child needs a file.
      temporary = path.join(os.tmpdir(), `specdex-sql-${process.pid}.db`)
      rmSync(temporary, { force: true })
      snapshotTo(index.store, temporary)
      location = { path: temporary, isDefault: false }
    }
    index.close()
    const { sql_rows: rows, sql_ms: limit } = place.config.limits
    const answer = await ask({ location, statement, rows }, limit, io)
    if ('error' in answer) throw new UserError('sql', answer.error.message, answer.error.hint)
    const result = answer.ok
    io.out(printable(io, render(result, formats[0] ?? 'table')))
    if (result.cut) io.err(`warning: cut after ${rows} rows (limits.sql_rows)`)
    return 0
  } finally {
    index.close()
    if (temporary !== null) rmSync(temporary, { force: true })
  }
}

function render(result: AdHocResult, format: string): string {
  if (format === 'csv') return csv(result.columns, result.rows)
  if (format === 'table') return grid(result.columns, result.rows)
  const columns = distinct(result.columns)
  const rows = result.rows.map((row) => {
    const object: Record<string, unknown> = Object.create(null)
    columns.forEach((column, i) => {
      object[column] = row[i]
    })
    return object
  })
  return `${JSON.stringify({ schema_version: '1', columns, rows, cut: result.cut }, null, 2)}\n`
}

/** Column names as keys of one object: a repeated one gets `:1`, `:2`, as SQLite names them in a view. */
function distinct(columns: readonly string[]): string[] {
  const seen = new Set<string>()
  return columns.map((column) => {
    let name = column
    for (let n = 1; seen.has(name); n++) name = `${column}:${n}`
    seen.add(name)
    return name
  })
}

/** Asks in a child process; kills it at `limit` milliseconds. */
function ask(question: Question, limit: number, io: Io): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1] ?? '', 'sql-child'], {
      env: io.env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, limit)
    const out: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (late) {
        const hint = 'narrow the statement, or raise limits.sql_ms in .specdex/config.yml'
        reject(new UserError('sql', `stopped after ${limit} ms`, hint))
        return
      }
      if (out.length === 0) reject(new Error(`the sql child ended without an answer (${signal ?? code})`))
      else resolve(JSON.parse(Buffer.concat(out).toString('utf8')) as Answer)
    })
    // A child that died early closes the pipe: its close event tells the story.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(question))
  })
}

/** The child: a question on stdin, an answer on stdout. */
export async function runSqlChild(io: Io): Promise<number> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  const { location, statement, rows } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Question
  try {
    const ok = runAdHoc(location, statement, { rows })
    io.out(JSON.stringify({ ok } satisfies Answer))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    io.out(JSON.stringify({ error: { code: error.code, message: error.message, hint: error.hint } } satisfies Answer))
  }
  return 0
}
