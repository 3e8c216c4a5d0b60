// The JSON answers of the artifact graph against their committed schemas and, once each, against their bytes. The schemas
// allow no key that they do not name, so a key that is added or lost fails here first.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { CyclesView, Diagnostic, OrphansView } from '../../src/model/artifact-views.ts'
import type { Layout } from '../../src/model/layout.ts'
import { backfillJson } from '../../src/render/graph-backfill.ts'
import {
  cyclesJson,
  findingsJson,
  graphErrorJson,
  layoutJson,
  nextIdJson,
  orphansJson,
  traversalJson,
  validationJson,
} from '../../src/render/graph-json.ts'
import { nodeOf, traversal } from './graph-views.ts'

const LAYOUT: Layout = {
  modules: [
    {
      name: null,
      path: '',
      present: true,
      conventions: [{ name: 'kiro', kind: 'spec', folder: '.kiro/specs', why: '.kiro/specs holds specs' }],
    },
    { name: 'quay', path: 'apps/quay', present: false, conventions: [] },
  ],
  notes: ['module quay: there is no folder apps/quay'],
}

const SCHEMAS = path.resolve(import.meta.dirname, '../../fixtures/schemas')
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })

function schemaOf(name: string): object {
  return JSON.parse(readFileSync(path.join(SCHEMAS, `${name}.schema.json`), 'utf8'))
}

/** The document, parsed, and what its schema has against it. */
function checked(name: string, json: string): { document: unknown; errors: unknown } {
  const validate = ajv.getSchema(`urn:specdex:${name}:1`) ?? ajv.compile(schemaOf(name))
  const document = JSON.parse(json)
  validate(document)
  return { document, errors: validate.errors ?? null }
}

const NODES = [
  nodeOf('ADR-0001', 'ADR-0001: Pílot “boats”'),
  nodeOf('SPEC-0001', 'SPEC-0001: Tides'),
  nodeOf('src/tide.ts'),
]
const VIEW = traversal('impact', 'ADR-0001', NODES, [
  { source: 'SPEC-0001', type: 'implements', target: 'ADR-0001' },
  { source: 'src/tide.ts', type: 'implements', target: 'SPEC-0001', requirements: ['High water'] },
])
const DIAGNOSTIC: Diagnostic = {
  severity: 'error',
  code: 'unresolved-id',
  message: 'ADR-0001 governs unknown spec SPEC-9999',
  source_id: 'ADR-0001',
  field: 'governs',
  target_id: 'SPEC-9999',
  file: 'docs/adrs/ADR-0001-boats.md',
  line: 3,
}
const ORPHANS: OrphansView = {
  verb: 'orphans',
  scope: null,
  scopeModule: null,
  filesWithoutGoverning: ['src/mole.ts'],
  filesUnrecognized: [{ file: 'src/lock.sql', reason: 'unaccepted-opener' }],
  specsWithoutCode: [nodeOf('SPEC-0002')],
  adrsWithoutSpec: [nodeOf('ADR-0002')],
  sentence: 'No file has a governing comment.',
}
const CYCLES: CyclesView = {
  verb: 'cycles',
  scope: null,
  cycles: [
    {
      path: ['ADR-0001', 'ADR-0001'],
      types: ['extends'],
      edges: [{ source: 'ADR-0001', type: 'extends', target: 'ADR-0001' }],
      message: 'cycle detected (extends): ADR-0001 -> ADR-0001',
    },
  ],
  capped: false,
}

/** [schema, document] of every kind of answer */
const DOCUMENTS: readonly (readonly [string, string])[] = [
  ['graph-traversal', traversalJson(VIEW)],
  ['graph-traversal', traversalJson(traversal('chain', 'SPEC-0001', NODES, []))],
  ['graph-orphans', orphansJson(ORPHANS)],
  ['graph-orphans', orphansJson({ ...ORPHANS, scope: 'src' })],
  ['graph-cycles', cyclesJson(CYCLES)],
  ['graph-cycles', cyclesJson({ ...CYCLES, cycles: [], scope: 'docs' })],
  [
    'graph-validate',
    validationJson({ verb: 'validate', nodes: 3, authoredEdges: 2, derivedEdges: 2, diagnostics: [DIAGNOSTIC] }),
  ],
  ['graph-next-id', nextIdJson('adr', 'ADR-0042')],
  ['graph-conventions', layoutJson(LAYOUT)],
  ['graph-findings', findingsJson([DIAGNOSTIC, { ...DIAGNOSTIC, severity: 'warning', file: null, line: null }])],
  ['graph-backfill', backfill()],
  ['graph-error', graphErrorJson(refusal('unknown-artifact', 'ADR-9999'))],
  ['graph-error', graphErrorJson(refusal('ambiguous-artifact', '7'))],
  ['graph-error', graphErrorJson(refusal('graph-has-errors', null))],
]

function refusal(code: 'unknown-artifact' | 'ambiguous-artifact' | 'graph-has-errors', id: string | null) {
  const verb = id === null ? 'orphans' : 'impact'
  return { verb, id, code, message: 'no', suggestions: ['ADR-0001'], diagnostics: [DIAGNOSTIC] }
}

function backfill(): string {
  const edge = { field: 'extends', target: 'ADR-0002', source: 'Related', confidence: 'low', line: 9 } as const
  const file = 'docs/adrs/ADR-0001-boats.md'
  const [before, after] = ['# Boats\n', '---\nextends: [ADR-0002]\n---\n# Boats\n']
  const view = {
    proposals: [{ id: 'ADR-0001', module: null, file, edges: [edge], before, after }],
    refused: [{ id: 'ADR-0003', file, reason: 'no front matter to extend' }],
    cyclic: [{ source: 'ADR-0001', field: 'extends', target: 'ADR-0004' }],
    notes: ['a note'],
  }
  const outcome = { id: 'ADR-0001', file, action: 'rejected', edges: [{ ...edge, line: null }], reason: null } as const
  return backfillJson(view, [outcome], { verb: 'backfill' })
}

describe('schemas', () => {
  test.each(DOCUMENTS)('%s holds (%#)', (name, json) => {
    expect(checked(name, json).errors).toBeNull()
  })

  test('every schema is one that some answer was held against', () => {
    const names = readdirSync(SCHEMAS).filter((file) => file.startsWith('graph-'))
    expect(names.map((file) => file.replace('.schema.json', '')).sort()).toEqual(
      [...new Set(DOCUMENTS.map(([name]) => name))].sort(),
    )
  })

  test.each(DOCUMENTS)('%s refuses a document without one of its keys, or with one more (%#)', (name, json) => {
    const { document } = checked(name, json)
    for (const key of Object.keys(document as object)) {
      const less = { ...(document as object), [key]: undefined }
      expect(checked(name, JSON.stringify(less)).errors, `without ${key}`).not.toBeNull()
    }
    expect(checked(name, JSON.stringify({ ...(document as object), more: 1 })).errors).not.toBeNull()
  })
})

describe('bytes', () => {
  test('sorted keys, two blanks, non-ASCII kept, requirements on code edges only, one line feed at the end', () => {
    expect(traversalJson(VIEW)).toBe(`\
{
  "query": {
    "id": "ADR-0001",
    "verb": "impact"
  },
  "results": [
    {
      "edges": [
        {
          "derived": false,
          "source": "SPEC-0001",
          "target": "ADR-0001",
          "type": "implements"
        }
      ],
      "id": "SPEC-0001",
      "module": null,
      "title": "SPEC-0001: Tides",
      "type": "spec"
    },
    {
      "edges": [
        {
          "derived": false,
          "requirements": [
            "High water"
          ],
          "source": "src/tide.ts",
          "target": "SPEC-0001",
          "type": "implements"
        }
      ],
      "id": "src/tide.ts",
      "module": null,
      "title": "",
      "type": "code"
    }
  ],
  "schema_version": "1"
}
`)
    expect(
      traversalJson(
        traversal(
          'ancestors',
          'SPEC-0001',
          NODES,
          VIEW.results.flatMap(({ edges }) => edges),
        ),
      ),
    ).toContain('"title": "ADR-0001: Pílot “boats”"')
  })

  test('the lists of orphans are complete, whatever a person is told instead', () => {
    expect(JSON.parse(orphansJson(ORPHANS)).results.code_files_without_governing).toEqual(['src/mole.ts'])
  })

  test('a refusal carries suggestions or diagnostics, as its code asks', () => {
    expect(JSON.parse(graphErrorJson(refusal('unknown-artifact', 'ADR-9999'))).error).toEqual({
      code: 'unknown-artifact',
      message: 'no',
      suggestions: ['ADR-0001'],
    })
    const { error, query } = JSON.parse(graphErrorJson(refusal('graph-has-errors', null)))
    expect(query).toEqual({ verb: 'orphans' })
    expect(error).toEqual({ code: 'graph-has-errors', message: 'no', diagnostics: [DIAGNOSTIC] })
  })
})
