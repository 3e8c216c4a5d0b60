// The handed cases of the artifact graph against the renderers alone: each text answer is made again from the JSON answer
// to the same question, so this needs no scanner and no index. Titles of the queried nodes come from the case's project.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type {
  CyclesView,
  OrphansView,
  ShownEdge,
  TraversalVerb,
  TraversalView,
} from '../../src/model/artifact-views.ts'
import { type GraphFormat, graphAnswer } from '../../src/render/graph.ts'
import { shared } from '../support/shared.ts'
import { nodeOf, OPTIONS, traversal, writtenOf } from './graph-views.ts'

interface Answer {
  readonly query: { readonly verb: string; readonly id?: string; readonly scope?: string }
  readonly results: unknown
}
interface Result {
  readonly id: string
  readonly module: string | null
  readonly title: string
  readonly edges: readonly ShownEdge[]
}
interface Orphans {
  readonly code_files_without_governing: readonly string[]
  readonly code_files_with_unrecognized_governing: readonly { readonly file: string; readonly reason: string }[]
  readonly specs_without_implementing_code: readonly string[]
  readonly adrs_without_implementing_spec: readonly string[]
}

const cases = shared('cases/artifact-graph')

/** [case, text file, JSON file of the same question] */
const answers = (cases === null ? [] : readdirSync(cases)).flatMap((name) => {
  const folder = path.join(cases ?? '', name, 'expected')
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((file) => {
    const json = `${file.replace(/(_table|_mermaid)?\.txt$/, '')}_json.json`
    if (!file.endsWith('.txt') || !existsSync(path.join(folder, json))) return []
    const answer = JSON.parse(readFileSync(path.join(folder, json), 'utf8')) as Answer
    return answer.results === undefined ? [] : [{ name, file, json, answer }]
  })
})

/** The heading that names the id, wherever it stands in the project. */
function heading(project: string, id: string, module = ''): string {
  const bare = id.replace(/^\[.*\]\//, '')
  const folder = id === bare ? module : id.slice(1, id.indexOf(']'))
  for (const file of readdirSync(project, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md') || file.endsWith('design.md') || !file.includes(folder.split('/').at(-1) ?? '')) continue
    const found = readFileSync(path.join(project, file), 'utf8')
      .split(/\r?\n/)
      .find((line) => /^#\s/.test(line) && line.includes(bare))
    if (found !== undefined) return found.slice(1).trim()
  }
  return ''
}

function viewOf(project: string, { query, results }: Answer, module: string): TraversalView | OrphansView | CyclesView {
  if (query.verb === 'orphans') {
    const orphans = results as Orphans
    const artifact = (id: string) => nodeOf(id, heading(project, id))
    return {
      verb: 'orphans',
      scope: query.scope ?? null,
      scopeModule: null,
      filesWithoutGoverning: orphans.code_files_without_governing,
      filesUnrecognized: orphans.code_files_with_unrecognized_governing,
      specsWithoutCode: orphans.specs_without_implementing_code.map(artifact),
      adrsWithoutSpec: orphans.adrs_without_implementing_spec.map(artifact),
      sentence: null,
    }
  }
  if (query.verb === 'cycles') {
    return { verb: 'cycles', scope: null, cycles: results as CyclesView['cycles'], capped: false }
  }
  const list = results as readonly Result[]
  const id = query.id ?? ''
  const nodes = [nodeOf(id, heading(project, id, module)), ...list.map((one) => nodeOf(one.id, one.title, one.module))]
  const view = traversal(query.verb as TraversalVerb, id, nodes, list.flatMap(({ edges }) => edges).map(writtenOf))
  const edgesOf = new Map(list.map((one) => [one.id, one.edges.map((edge) => ({ ...edge, requirements: [] }))]))
  return { ...view, results: view.results.map(({ node }) => ({ node, edges: edgesOf.get(node.id) ?? [] })) }
}

function formatOf(file: string): GraphFormat | null {
  return file.endsWith('_table.txt') ? 'table' : file.endsWith('_mermaid.txt') ? 'mermaid' : null
}

/** Without what we add to the contract: `requirements`, `capped`. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, held) => (['requirements', 'capped'].includes(key) ? undefined : held)))
}

describe.skipIf(cases === null)('handed cases', () => {
  test('there are as many as were read', () => {
    expect(answers.length).toBeGreaterThanOrEqual(25)
  })

  test.each(answers)('$name $file', ({ name, file, json, answer }) => {
    const folder = path.join(cases ?? '', name)
    const view = viewOf(path.join(folder, 'project'), answer, /_module_(\w+)\.txt$/.exec(file)?.[1] ?? '')
    const expected = readFileSync(path.join(folder, 'expected', file), 'utf8')
    expect([...graphAnswer(view, formatOf(file), OPTIONS)].join('')).toBe(expected)
    const written = [...graphAnswer(view, 'json', OPTIONS)].join('')
    const wanted = JSON.parse(readFileSync(path.join(folder, 'expected', json), 'utf8'))
    expect(plain(JSON.parse(written))).toEqual(wanted)
  })
})
