// Who an artifact of a lenient convention is, by its path and, at most, its first heading: the canonical id and every
// other name people use for it. Knows nothing of modules (callers add the prefix) and reads no text.
// Surprise: a link to a numbered file means its `ADR-0042-slug`, because two files may share one number.

import type { ConventionUse } from '../../model/layout.ts'
import { claims } from './claims.ts'
import { numberedName, paddedId, stem, undated } from './names.ts'

export interface Identity {
  readonly id: string
  /** Other names, without the id itself. */
  readonly aliases: readonly string[]
  /** The digits of a number that the name of the file gives, or null. */
  readonly digits: string | null
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function parentOf(path: string): string {
  return lastOf(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
}

function others(id: string, names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '' && name !== id)
}

function numbered(path: string): Identity | null {
  const name = lastOf(path)
  const parts = numberedName(name)
  if (parts === null) return null
  const { digits, slug } = parts
  const id = paddedId('ADR', digits)
  const short = String(Number(digits))
  // `adr002-slug.md` is spoken of as adr002.
  const typed = /^[A-Za-z]+-?\d+/.exec(name)?.[0] ?? ''
  const names = [`ADR-${short}`, digits, short, typed, slug === '' ? '' : `${id}-${slug}`, slug, stem(name), name, path]
  return { id, aliases: others(id, names), digits }
}

function slugged(path: string): Identity {
  const name = lastOf(path)
  const base = stem(name)
  const slug = undated(base)
  const id = `ADR:${base}`
  return { id, aliases: others(id, [base, `ADR:${slug}`, slug, name, path]), digits: null }
}

function specFolder(path: string, heading: string | null): Identity {
  const folder = parentOf(path)
  const own = `SPEC:${folder}`
  const id = /^SPEC-\d{4}(?!\w)/.exec(heading ?? '')?.[0] ?? own
  const digits = /^\d{1,6}(?=-)/.exec(folder)?.[0] ?? null
  const number = digits === null ? [] : [digits, `SPEC-${digits}`, paddedId('SPEC', digits)]
  return { id, aliases: others(id, [own, folder, ...number, path]), digits: null }
}

/** The folder of a change: the first one below `changes`. */
function changeName(use: ConventionUse, path: string): string {
  return path.slice(use.folder === '' ? 0 : use.folder.length + 1).split('/', 1)[0] ?? ''
}

function change(use: ConventionUse, path: string): Identity {
  const name = changeName(use, path)
  const id = `CHANGE:${name}`
  return { id, aliases: others(id, [name, path]), digits: null }
}

const HEADING_ID = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*/

function custom(template: string, path: string, heading: string | null): Identity | null {
  const name = lastOf(path)
  const base = stem(name)
  const digits = /\d+/.exec(base)?.[0] ?? null
  const values: Readonly<Record<string, string | undefined>> = {
    number: digits ?? undefined,
    slug: base,
    folder: parentOf(path),
    heading: HEADING_ID.exec(heading ?? '')?.[0],
  }
  let complete = true
  const id = template.replace(/\{(number|slug|folder|heading)\}/g, (_, part: string) => {
    const value = values[part]
    if (value === undefined || value === '') complete = false
    return value ?? ''
  })
  if (!complete) return null
  const short = digits === null ? '' : template.replace('{number}', String(Number(digits)))
  const unpadded = /\{(?:slug|folder|heading)\}/.test(short) ? '' : short
  // Ids that look like everybody's are read like everybody's: by number.
  const [, word] = /^(ADR|SPEC)-\{number\}$/.exec(template) ?? []
  const padded = word === undefined || digits === null ? '' : paddedId(word, digits)
  // Where folders tell files apart, their names do not.
  const own = template.includes('{folder}') ? [values.folder ?? ''] : [base, name]
  return { id, aliases: others(id, [unpadded, padded, ...own, path]), digits: null }
}

/**
 * The id and the aliases of the file at `path` (relative to the module), which `use` claims. `heading` is the first
 * heading of its body, as far as it is known. Null where no id can be made. Source: conventions survey §5.
 */
export function identityOf(use: ConventionUse, path: string, heading: string | null): Identity | null {
  switch (use.name) {
    case 'adr-numbered':
    case 'backstage':
      return numbered(path)
    case 'log4brains':
      return slugged(path)
    case 'openspec':
      return use.kind === 'change' ? change(use, path) : specFolder(path, heading)
    case 'spec-kit':
    case 'kiro':
      return specFolder(path, heading)
    case 'custom':
      return use.custom === undefined ? null : custom(use.custom.id, path, heading)
    case 'sdd':
      return null
  }
}

/** The main spec that a delta of a change is about, and the change; null for every other file. */
export function deltaOf(use: ConventionUse, path: string): { readonly change: string; readonly spec: string } | null {
  if (use.kind !== 'change' || lastOf(path) !== 'spec.md') return null
  return { change: `CHANGE:${changeName(use, path)}`, spec: `SPEC:${parentOf(path)}` }
}

/**
 * The key that a link to `path` (relative to the module) means, if one of the module's conventions claims that file;
 * null where none does, or where only its text says who it is.
 */
export function linkedKey(uses: readonly ConventionUse[], path: string): string | null {
  const use = uses.find((candidate) => claims(candidate, path))
  if (use === undefined) return null
  if (use.name === 'sdd') return use.kind === 'adr' ? (/^ADR-\d{4}/.exec(lastOf(path))?.[0] ?? null) : null
  // What a heading decides, the path names as well: it is an alias.
  if (use.name === 'custom') return path
  const delta = deltaOf(use, path)
  if (delta !== null) return delta.change
  const slug = numberedName(lastOf(path))?.slug ?? ''
  const identity = identityOf(use, path, null)
  const isNumbered = use.name === 'adr-numbered' || use.name === 'backstage'
  return identity === null ? null : isNumbered && slug !== '' ? `${identity.id}-${slug}` : identity.id
}
