// The library of fixtures/backfill for the tests of `graph backfill`: copies of it, runs in them, and what they answer.
// It judges nothing but that the JSON answer fits its schema.

import { cpSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { runEither } from '../support/run-either.ts'
import type { HereResult } from '../support/run-here.ts'
import { tempFolder } from '../support/temp.ts'

/** Our example. */
export const LIBRARY: string = path.resolve(import.meta.dirname, '../../fixtures/backfill/library')

const SCHEMA = path.resolve(import.meta.dirname, '../../fixtures/schemas/graph-backfill.schema.json')
const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')))

/** A copy in a temporary folder. */
export function copyOf(folder: string): string {
  const root = tempFolder('backfill')
  cpSync(folder, root, { recursive: true })
  return root
}

/** Runs `specdex graph backfill`. */
export function backfill(root: string, ...words: string[]): Promise<HereResult> {
  return runEither(['graph', 'backfill', ...words], { cwd: root, env: { NO_COLOR: '1' } })
}

interface Answer {
  readonly results: {
    readonly proposals: readonly {
      readonly id: string
      readonly diff: string
      readonly edges: readonly { readonly field: string; readonly target: string }[]
    }[]
    readonly outcomes: readonly { readonly id: string; readonly action: string; readonly reason: string | null }[]
    readonly left_out: readonly unknown[]
    readonly refused: readonly { readonly id: string }[]
  }
}

/** The JSON answer, which must fit its schema. */
export async function asked(root: string, ...words: string[]): Promise<Answer['results']> {
  const { stdout } = await backfill(root, '--json', ...words)
  expect(fits(JSON.parse(stdout)), JSON.stringify(fits.errors)).toBe(true)
  return (JSON.parse(stdout) as Answer).results
}

/** `source field target` of what is proposed. */
export async function proposed(root: string, ...words: string[]): Promise<string[]> {
  const { proposals } = await asked(root, ...words)
  return proposals.flatMap(({ id, edges }) => edges.map(({ field, target }) => `${id} ${field} ${target}`))
}

/** Every file below `docs`, by path. */
export function documents(root: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const entry of readdirSync(path.join(root, 'docs'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    files[path.relative(root, file)] = readFileSync(file, 'utf8')
  }
  return files
}
