// The committed JSON Schemas keep their version's promises. For every version of every answer a frozen copy stands in
// test/docs/frozen-schemas: it is never edited. A breaking change is a new version: the constant and `$id` of the
// schema, a new frozen copy, and a row in the README's table of addenda.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { brokenPromises } from './schema-change.ts'

const root = path.resolve(import.meta.dirname, '../..')
const SCHEMAS = path.join(root, 'fixtures/schemas')
const FROZEN = path.join(import.meta.dirname, 'frozen-schemas')

interface AnswerSchema {
  readonly $id: string
  readonly type: string
  /** Absent where the answer is a list: it has no place to say its version, so its id alone does. */
  readonly properties?: { readonly schema_version: { readonly const: string } }
}

function versionOf(schema: AnswerSchema): string {
  return schema.$id.split(':').at(-1) ?? ''
}

function read(file: string): AnswerSchema {
  return JSON.parse(readFileSync(file, 'utf8')) as AnswerSchema
}

const names = readdirSync(SCHEMAS).map((file) => file.replace(/\.schema\.json$/, ''))

describe('the JSON Schemas of the answers', () => {
  it.each(names)('%s breaks no promise of its version', (name) => {
    const schema = read(path.join(SCHEMAS, `${name}.schema.json`))
    const version = versionOf(schema)
    expect(schema.$id).toBe(`urn:specdex:${name}:${version}`)
    if (schema.type !== 'array') expect(schema.properties?.schema_version.const).toBe(version)
    expect(brokenPromises(read(path.join(FROZEN, `${name}.${version}.json`)), schema)).toEqual([])
  })

  it('are told in the README, version by version and file by file', () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
    const addenda = readme.split('| `schema_version` | addendum |')[1]?.split('\n\n')[0] ?? ''
    const versions = new Set(names.map((name) => versionOf(read(path.join(SCHEMAS, `${name}.schema.json`)))))
    for (const version of versions) expect(addenda).toContain(`| ${version} |`)
    for (const name of names) expect(readme.includes(`\`${name}.schema.json\``), name).toBe(true)
  })

  it('are never withdrawn: every frozen copy has a living schema', () => {
    const frozen = readdirSync(FROZEN).map((file) => file.replace(/\.\d+\.json$/, ''))
    expect([...new Set(frozen)].sort()).toEqual([...names].sort())
  })
})

describe('brokenPromises', () => {
  const loaf = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      grams: { type: ['integer', 'null'] },
      crust: { enum: ['dark', 'light'] },
      version: { const: '1' },
      slices: { type: 'array', items: { $ref: '#/$defs/slice' } },
    },
    required: ['name', 'grams'],
    additionalProperties: false,
    $defs: {
      slice: {
        type: 'object',
        properties: { width: { type: 'number' }, rest: { type: 'array', items: { $ref: '#/$defs/slice' } } },
        required: ['width'],
      },
    },
  }
  type Loaf = typeof loaf
  /** The schema with one thing done to a copy of it. */
  const changed = (change: (copy: Loaf & Record<string, unknown>) => void): unknown => {
    const copy = structuredClone(loaf) as Loaf & Record<string, unknown>
    change(copy)
    return copy
  }

  it('is content with the same, with a further property, and with a further value', () => {
    expect(brokenPromises(loaf, loaf)).toEqual([])
    const more = changed((copy) => {
      Object.assign(copy.properties, { oven: { type: 'string' } })
      copy.required.push('oven')
      copy.properties.crust.enum.push('black')
    })
    expect(brokenPromises(loaf, more)).toEqual([])
  })

  it.each([
    ['a property is gone', (copy: Loaf) => Reflect.deleteProperty(copy.properties, 'crust'), 'answer.crust is gone'],
    ['a key is optional now', (copy: Loaf) => copy.required.pop(), 'answer.grams is no longer required'],
    [
      'a type is wider',
      (copy: Loaf) => Object.assign(copy.properties.name, { type: ['string', 'null'] }),
      'answer.name was string, is null or string',
    ],
    [
      'a type is narrower',
      (copy: Loaf) => Object.assign(copy.properties.grams, { type: 'integer' }),
      'answer.grams was integer or null, is integer',
    ],
    ['a value is gone', (copy: Loaf) => copy.properties.crust.enum.pop(), 'answer.crust is never light any more'],
    [
      'a constant changed',
      (copy: Loaf) => Object.assign(copy.properties.version, { const: '2' }),
      'answer.version has another constant',
    ],
    [
      'an object is open now',
      (copy: Loaf) => Reflect.deleteProperty(copy, 'additionalProperties'),
      'answer is open now',
    ],
    [
      'something behind a reference changed',
      (copy: Loaf) => copy.$defs.slice.required.pop(),
      'answer.slices[].width is no longer required',
    ],
  ])('tells when %s', (_, change, told) => {
    expect(brokenPromises(loaf, changed(change))).toContain(told)
  })

  it('comes to an end on a schema that contains itself', () => {
    const deep = changed((copy) => {
      copy.$defs.slice.properties.rest.type = 'object'
    })
    expect(brokenPromises(loaf, deep)).toContain('answer.slices[].rest was array, is object')
  })
})
