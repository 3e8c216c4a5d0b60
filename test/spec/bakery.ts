// A copy of the bakery's specs (fixtures/spec/bakery), ours to change.

import { cpSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { tempFolder } from '../support/temp.ts'

const FIXTURES: string = path.resolve(import.meta.dirname, '../../fixtures/spec')

/** A fresh copy in a temporary folder. */
export function bakery(): string {
  const root = path.join(tempFolder('bakery'), 'bakery')
  cpSync(path.join(FIXTURES, 'bakery'), root, { recursive: true })
  return root
}

/** The golden document of a mode. */
export function golden(mode: 'default' | 'compat-forgedock-1.7'): string {
  return readFileSync(path.join(FIXTURES, `bakery.${mode}.json`), 'utf8')
}
