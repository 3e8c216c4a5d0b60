// What makes stored facts of a family stale, and what must not: a needless change re-extracts every file.

import { describe, expect, test } from 'vitest'
import { EXTRACTORS } from '../../src/extract/extractors.ts'
import { EXTRACTOR_VERSION, fingerprint as fingerprintOf } from '../../src/extract/fingerprint.ts'
import { type Config, DEFAULT_CONFIG } from '../../src/model/config.ts'
import { FAMILIES, type Family } from '../../src/model/families.ts'
import type { Layout } from '../../src/model/layout.ts'

const { limits } = DEFAULT_CONFIG
const NOWHERE: Layout = { modules: [], notes: [] }
const fingerprint = (family: Family, config: Config, layout = NOWHERE) => fingerprintOf(family, config, layout)
const fresh = (family: Family) => fingerprint(family, DEFAULT_CONFIG)

const LISTING: readonly Partial<Config>[] = [
  { roots: ['recipes'] },
  { include: ['**/*.md'] },
  { ignore: ['old/**'] },
  { limits: { ...limits, file_bytes: 1 } },
]
const OTHER: readonly Partial<Config>[] = [
  { families: ['docs'] },
  { compat: 'forgedock-1.7' },
  { limits: { ...limits, busy_ms: 1, sql_ms: 1, sql_rows: 1 } },
  { spec: { scaffold_markers: ['FORGE:OVEN'] } },
]

describe('fingerprint', () => {
  test('is a sha256 of its own per family', () => {
    expect(fresh('spec')).toMatch(/^[0-9a-f]{64}$/)
    expect(fresh('docs')).toMatch(/^[0-9a-f]{64}$/)
    expect(fresh('docs')).not.toBe(fresh('spec'))
  })

  test.each(LISTING)('%j touches docs only', (change) => {
    const config = { ...DEFAULT_CONFIG, ...change }
    expect(fingerprint('docs', config)).not.toBe(fresh('docs'))
    expect(fingerprint('spec', config)).toBe(fresh('spec'))
  })

  test.each(OTHER)('%j touches nothing', (change) => {
    const config = { ...DEFAULT_CONFIG, ...change }
    expect(fingerprint('docs', config)).toBe(fresh('docs'))
    expect(fingerprint('spec', config)).toBe(fresh('spec'))
  })

  test('lists do not run into each other', () => {
    const one = fingerprint('docs', { ...DEFAULT_CONFIG, include: ['a'], ignore: [] })
    expect(fingerprint('docs', { ...DEFAULT_CONFIG, include: [], ignore: ['a'] })).not.toBe(one)
  })
})

test('every family has its extractor, with the version that the fingerprint counts', () => {
  expect(Object.keys(EXTRACTORS)).toEqual([...FAMILIES])
  for (const family of FAMILIES) {
    expect(EXTRACTORS[family]).toMatchObject({ family, version: EXTRACTOR_VERSION[family] })
  }
})
