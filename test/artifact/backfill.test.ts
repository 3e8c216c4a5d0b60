// Which edges are worth proposing, and what becomes of a decision: the handed case, graphs with authored edges and
// cycles, files that change under one's hands. Real files in a temporary folder; the graph is a literal.

import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BackfillArtifact, type BackfillGraph, findCandidates, Known } from '../../src/artifact/backfill.ts'
import { addRejections, forgetRejections, REJECTIONS, readRejections } from '../../src/artifact/backfill-rejections.ts'
import { BackfillSession } from '../../src/artifact/backfill-session.ts'
import type { Relation } from '../../src/model/artifact-views.ts'
import type { BackfillProposal } from '../../src/model/backfill-view.ts'
import { EDGE_TYPES } from '../../src/model/vocabulary.ts'
import { effort } from '../support/effort.ts'
import { tempFolder, tempTree } from '../support/temp.ts'

function relation(source: string, type: string, target: string): Relation {
  const found = EDGE_TYPES.find((each) => each.family === 'artifact' && each.name === type)
  return {
    source,
    type,
    target,
    inverse: found?.inverse ?? '',
    authorIsUp: found?.authorIsUp ?? false,
    walked: type !== 'related',
    file: '',
    line: null,
    requirements: [],
    note: null,
  }
}

function artifact(id: string, more: Partial<BackfillArtifact> = {}): BackfillArtifact {
  const kind = id.includes('ADR-') ? 'adr' : 'spec'
  return { id, kind, module: /^\[(.+)\]/.exec(id)?.[1] ?? null, file: `${id}.md`, writable: true, ...more }
}

/** `source field target` of what is proposed for texts by id. */
function proposed(texts: Record<string, string>, relations: Relation[] = [], rejected: string[] = []): string[] {
  const graph = { artifacts: Object.keys(texts).map((id) => artifact(id)), relations }
  const { found } = findCandidates(graph, ({ id }) => texts[id] ?? null, new Set(rejected))
  return found.flatMap((each) => each.edges.map(({ field, target }) => `${each.artifact.id} ${field} ${target}`))
}

describe('never proposed', () => {
  const texts = { 'ADR-0001': '', 'ADR-0002': 'Extends ADR-0001.', 'SPEC-0001': '## Overview\n\nADR-0001' }

  test('what the author has named in any field', () => {
    expect(proposed(texts)).toEqual(['ADR-0002 extends ADR-0001', 'SPEC-0001 implements ADR-0001'])
    expect(proposed(texts, [relation('ADR-0002', 'related', 'ADR-0001')])).toEqual(['SPEC-0001 implements ADR-0001'])
  })

  test('what stands in the front matter, even if the graph left it out', () => {
    const text = '---\nsupersedes: [ADR-0001, [x]]\n---\nExtends ADR-0001.'
    expect(proposed({ ...texts, 'ADR-0002': text, 'SPEC-0001': '' })).toEqual([])
  })

  test('the same statement from the other side', () => {
    expect(proposed(texts, [relation('ADR-0001', 'governs', 'SPEC-0001')])).toEqual(['ADR-0002 extends ADR-0001'])
    expect(proposed(texts, [relation('ADR-0001', 'enables', 'ADR-0002')])).toEqual(['SPEC-0001 implements ADR-0001'])
    const related = { 'ADR-0001': '', 'ADR-0002': '## Related\n\nADR-0001' }
    expect(proposed(related, [relation('ADR-0001', 'related', 'ADR-0002')])).toEqual([])
    expect(proposed(related, [relation('ADR-0001', 'supersedes', 'ADR-0002')])).toEqual([])
  })

  test('but a weak mirror does not hide a strong edge', () => {
    const relations = [relation('ADR-0001', 'related', 'ADR-0002')]
    expect(proposed({ ...texts, 'SPEC-0001': '' }, relations)).toEqual(['ADR-0002 extends ADR-0001'])
  })

  test('what was rejected', () => {
    expect(proposed(texts, [], ['ADR-0002|extends|ADR-0001'])).toEqual(['SPEC-0001 implements ADR-0001'])
  })

  test('what closes a cycle with the graph', () => {
    expect(proposed(texts, [relation('ADR-0001', 'extends', 'ADR-0002')])).toEqual(['SPEC-0001 implements ADR-0001'])
    const far = [relation('ADR-0001', 'extends', 'ADR-0003'), relation('ADR-0002', 'enables', 'ADR-0003')]
    expect(proposed({ ...texts, 'ADR-0003': '' }, far)).toEqual(['SPEC-0001 implements ADR-0001'])
  })
})

test('records that name each other: the younger extends the older, a sure edge goes first', () => {
  const mutual = { 'ADR-0001': 'Related: ADR-0002', 'ADR-0002': 'Related: ADR-0001' }
  expect(proposed(mutual)).toEqual(['ADR-0002 extends ADR-0001'])
  expect(proposed({ ...mutual, 'ADR-0001': 'Extends ADR-0002' })).toEqual(['ADR-0001 extends ADR-0002'])
  const { cyclic } = findCandidates(
    { artifacts: Object.keys(mutual).map((id) => artifact(id)), relations: [] },
    ({ id }) => mutual[id as keyof typeof mutual],
    new Set(),
  )
  expect(cyclic).toEqual([{ source: 'ADR-0001', field: 'extends', target: 'ADR-0002' }])
})

test('a graph that has a cycle already is walked to its end', () => {
  const loop = [relation('ADR-0001', 'extends', 'ADR-0003'), relation('ADR-0003', 'extends', 'ADR-0001')]
  const texts = { 'ADR-0001': '', 'ADR-0002': 'Extends ADR-0001.', 'ADR-0003': '' }
  expect(proposed(texts, loop)).toEqual(['ADR-0002 extends ADR-0001'])
})

test('all proposals of a run together close no cycle', () => {
  const ids = ['ADR-0001', 'ADR-0002', 'ADR-0003', 'ADR-0004', 'SPEC-0001', 'SPEC-0002', 'SPEC-0003']
  const words = ['Supersedes', 'Extends', 'Builds on', 'Related:', '## Related\n\n', '## Overview\n\n']
  const sentence = fc
    .tuple(fc.constantFrom(...words), fc.constantFrom(...ids))
    .map((parts) => `\n\n${parts.join(' ')}.`)
  const texts = fc.array(fc.array(sentence, { maxLength: 4 }), { minLength: ids.length, maxLength: ids.length })
  const graph = { artifacts: ids.map((id) => artifact(id)), relations: [relation('ADR-0002', 'extends', 'ADR-0001')] }
  fc.assert(
    fc.property(texts, (all) => {
      const textOf = ({ id }: BackfillArtifact): string => (all[ids.indexOf(id)] ?? []).join('')
      const { found } = findCandidates(graph, textOf, new Set())
      const known = new Known(graph)
      for (const { artifact: author, edges } of found) {
        for (const { field, target } of edges) {
          expect(known.objection(author, field, target)).toBeNull()
          known.take(author.id, field, target)
        }
      }
    }),
    { numRuns: effort(200, 3000) },
  )
})

test('a chain of thousands is proposed in moments', () => {
  const id = (at: number): string => `ADR-${String(at).padStart(4, '0')}`
  const artifacts = Array.from({ length: 6000 }, (_, at) => artifact(id(at)))
  const textOf = (each: BackfillArtifact): string => `Extends ${id(Number(each.id.slice(4)) - 1)}.`
  const start = performance.now()
  const { found } = findCandidates({ artifacts, relations: [] }, textOf, new Set())
  expect(found).toHaveLength(5999)
  expect(performance.now() - start).toBeLessThan(3000)
})

const TIDE = '---\nstatus: open # yet\n---\r\n# ADR-0002: Tide\r\n\r\nSupersedes ADR-0001. Related: SPEC-0001\r\n'

function harbour(more: Record<string, string> = {}): { root: string; graph: BackfillGraph } {
  const root = tempTree({
    'ADR-0001.md': '# ADR-0001: Mud\n',
    'ADR-0002.md': TIDE,
    'SPEC-0001.md': '# SPEC-0001: Buoys\n\n## Overview\n\nADR-0002, SPEC-0002\n',
    'SPEC-0002.md': '---\nrequires: [\n---\n## Overview\n\nADR-0001\n',
    ...more,
  })
  const ids = ['ADR-0001', 'ADR-0002', 'SPEC-0001', 'SPEC-0002']
  return { root, graph: { artifacts: ids.map((id) => artifact(id)), relations: [] } }
}

function open({ root, graph }: { root: string; graph: BackfillGraph }): BackfillSession {
  return new BackfillSession({ root, graph, wants: () => true, pid: 7 })
}

function proposalOf(session: BackfillSession, id: string): BackfillProposal {
  const found = session.view.proposals.find((each) => each.id === id)
  if (found === undefined) throw new Error(`nothing proposed for ${id}`)
  return found
}

describe('a session', () => {
  test('accepting writes that one file and keeps its permissions', () => {
    const place = harbour()
    chmodSync(path.join(place.root, 'ADR-0002.md'), 0o640)
    const session = open(place)
    const others = readFileSync(path.join(place.root, 'SPEC-0001.md'))
    const proposal = proposalOf(session, 'ADR-0002')
    expect(session.accept(proposal)).toMatchObject({ action: 'accepted', reason: null })
    expect(readFileSync(path.join(place.root, 'ADR-0002.md'), 'utf8')).toBe(
      TIDE.replace('yet\n', 'yet\nsupersedes: [ADR-0001]\ngoverns: [SPEC-0001]\n'),
    )
    expect(statSync(path.join(place.root, 'ADR-0002.md')).mode & 0o777).toBe(0o640)
    expect(readFileSync(path.join(place.root, 'SPEC-0001.md'))).toEqual(others)
    expect(readdirSync(place.root).sort()).toEqual(['ADR-0001.md', 'ADR-0002.md', 'SPEC-0001.md', 'SPEC-0002.md'])
  })

  test('looking writes nothing', () => {
    const place = harbour()
    expect(open(place).view.proposals.map(({ id }) => id)).toEqual(['ADR-0002', 'SPEC-0001'])
    expect(readFileSync(path.join(place.root, 'ADR-0002.md'), 'utf8')).toBe(TIDE)
    expect(readdirSync(place.root)).toHaveLength(4)
  })

  test('a file that changed, went or became a link out of the root is left alone', () => {
    const place = harbour()
    const file = path.join(place.root, 'ADR-0002.md')
    const proposal = proposalOf(open(place), 'ADR-0002')
    writeFileSync(file, `${TIDE}more\n`)
    expect(open(place).accept(proposal)).toMatchObject({
      action: 'refused',
      reason: expect.stringContaining('changed'),
    })
    expect(readFileSync(file, 'utf8')).toBe(`${TIDE}more\n`)
    rmSync(file)
    expect(open(place).accept(proposal).action).toBe('refused')
    const outside = path.join(tempFolder('outside'), 'ADR-0002.md')
    writeFileSync(outside, TIDE)
    symlinkSync(outside, file)
    expect(open(place).accept(proposal)).toMatchObject({ action: 'refused', reason: 'it leads out of the root' })
    expect(readFileSync(outside, 'utf8')).toBe(TIDE)
  })

  test('a file that has another name is left alone', () => {
    const place = harbour()
    const file = path.join(place.root, 'ADR-0002.md')
    const session = open(place)
    const proposal = proposalOf(session, 'ADR-0002')
    const other = path.join(tempFolder('copy'), 'tide.md')
    linkSync(file, other)
    expect(session.accept(proposal)).toMatchObject({ action: 'refused', reason: expect.stringContaining('hard link') })
    expect(readFileSync(file, 'utf8')).toBe(TIDE)
    rmSync(other)
    expect(session.accept(proposal).action).toBe('accepted')
  })

  test('front matter that cannot be read is told and not written', () => {
    const { view } = open(harbour())
    expect(view.refused).toEqual([
      { id: 'SPEC-0002', file: 'SPEC-0002.md', reason: expect.stringContaining('not readable') },
    ])
  })

  test('an edited proposal is written as edited, and is checked', () => {
    const place = harbour()
    const session = open(place)
    const reason = (field: string, target: string): unknown => {
      const edited = session.edited('ADR-0002', [{ field, target }])
      return 'reason' in edited ? edited.reason : edited.edges.map((edge) => edge.source)
    }
    expect(reason('supersedes', 'ADR-0001')).toEqual(['prefix Supersedes'])
    expect(reason('related', 'ADR-0001')).toEqual(['edited'])
    expect(reason('requires', 'SPEC-0001')).toMatch(/cannot have `requires`/)
    expect(reason('extends', 'SPEC-0001')).toMatch(/must be an ADR/)
    expect(reason('extends', 'ADR-0077')).toMatch(/unknown artifact ADR-0077/)
    expect(reason('extends', 'ADR-0002')).toMatch(/itself/)
    expect(session.edited('ADR-0002', [])).toMatchObject({ reason: 'no edge is left' })
    expect(session.edited('ADR-0077', [])).toMatchObject({ reason: 'unknown artifact ADR-0077' })
    const two = ['related', 'extends'].map((field) => ({ field, target: 'ADR-0001' }))
    expect(session.edited('ADR-0002', two)).toMatchObject({ reason: 'ADR-0001 stands in two fields' })
    const edited = session.edited('ADR-0002', [{ field: 'governs', target: 'SPEC-0001' }])
    if ('reason' in edited) throw new Error(edited.reason)
    expect(session.accept(edited).action).toBe('accepted')
    expect(readFileSync(path.join(place.root, 'ADR-0002.md'), 'utf8')).toBe(
      TIDE.replace('yet\n', 'yet\ngoverns: [SPEC-0001]\n'),
    )
  })

  test('a person cannot accept a cycle in two steps', () => {
    const session = open(harbour({ 'ADR-0001.md': 'Extends ADR-0002', 'ADR-0002.md': '# Tide\n' }))
    const back = session.edited('ADR-0002', [{ field: 'extends', target: 'ADR-0001' }])
    if ('reason' in back) throw new Error(back.reason)
    expect(session.accept(back).action).toBe('accepted')
    const outcome = session.accept(proposalOf(session, 'ADR-0001'))
    expect(outcome).toMatchObject({ action: 'refused', reason: expect.stringContaining('cycle') })
  })

  test('lenient artifacts are known and get nothing', () => {
    const { root, graph } = harbour()
    const artifacts = graph.artifacts.map((each) => ({ ...each, writable: each.kind === 'spec' }))
    const session = open({ root, graph: { ...graph, artifacts } })
    expect(session.view.proposals.map(({ id }) => id)).toEqual(['SPEC-0001'])
    expect(session.view.notes).toEqual([expect.stringMatching(/^2 artifacts follow conventions without edge fields/)])
    expect(session.edited('ADR-0002', [{ field: 'extends', target: 'ADR-0001' }])).toMatchObject({
      reason: expect.stringContaining('no edge fields'),
    })
  })
})

describe('rejections', () => {
  test('are remembered, merged, sorted, and forgotten on demand', () => {
    const place = harbour({ [REJECTIONS]: '# by hand\nSPEC-0009|requires|SPEC-0001\n' })
    const session = open(place)
    expect(session.reject(proposalOf(session, 'ADR-0002')).action).toBe('rejected')
    expect(readFileSync(path.join(place.root, REJECTIONS), 'utf8')).toBe(
      [
        '# by hand',
        'ADR-0002|governs|SPEC-0001',
        'ADR-0002|supersedes|ADR-0001',
        'SPEC-0009|requires|SPEC-0001',
        '',
      ].join('\n'),
    )
    expect(readFileSync(path.join(place.root, 'ADR-0002.md'), 'utf8')).toBe(TIDE)
    expect(open(place).view.proposals.map(({ id }) => id)).toEqual(['SPEC-0001'])
    expect(forgetRejections(place.root, 7)).toBe(true)
    expect(forgetRejections(place.root, 7)).toBe(false)
    expect(readdirSync(path.join(place.root, '.specdex'))).toEqual([])
    expect(open(place).view.proposals.map(({ id }) => id)).toEqual(['ADR-0002', 'SPEC-0001'])
  })

  test('of the former tool count and are told, until a reset forgets them for good', () => {
    const former = '# Skipped\n# edges\nADR-0002|governs|SPEC-0001\r\nADR-0002|supersedes|ADR-0001\n'
    const place = harbour({ '.sdd-graph-backfill-skip': former })
    expect(open(place).view.proposals.map(({ id }) => id)).toEqual(['SPEC-0001'])
    expect(open(place).view.notes).toEqual(['2 rejections of .sdd-graph-backfill-skip count as well, until a --reset'])
    addRejections(place.root, ['SPEC-0001|implements|ADR-0001'], 7)
    expect(forgetRejections(place.root, 7)).toBe(true)
    expect(forgetRejections(place.root, 7)).toBe(false)
    const session = open(place)
    expect(session.view.proposals.map(({ id }) => id)).toEqual(['ADR-0002', 'SPEC-0001'])
    expect(session.view.notes).toEqual([])
    // A later rejection does not bring the old list back.
    session.reject(proposalOf(session, 'SPEC-0001'))
    expect(open(place).view.proposals.map(({ id }) => id)).toEqual(['ADR-0002'])
    expect(readFileSync(path.join(place.root, '.sdd-graph-backfill-skip'), 'utf8')).toBe(former)
  })

  test('in the place of which a folder stands cannot be read, written or forgotten', () => {
    const place = harbour()
    mkdirSync(path.join(place.root, REJECTIONS), { recursive: true })
    const io = expect.objectContaining({ code: 'io', exit: 1, message: expect.stringContaining(REJECTIONS) })
    expect(() => open(place)).toThrow(io)
    expect(() => addRejections(place.root, ['a|b|c'], 7)).toThrow(io)
    expect(() => forgetRejections(place.root, 7)).toThrow(io)
    rmSync(path.join(place.root, '.specdex'), { recursive: true })
    writeFileSync(path.join(place.root, '.specdex'), '')
    expect(() => addRejections(place.root, ['a|b|c'], 7)).toThrow(io)
  })

  test('are not written through a folder that leads out of the root', () => {
    const place = harbour()
    const outside = tempFolder('outside')
    mkdirSync(path.join(outside, 'folder'))
    symlinkSync(path.join(outside, 'folder'), path.join(place.root, '.specdex'))
    expect(() => addRejections(place.root, ['a|b|c'], 7)).toThrow(/leads out of the root/)
    expect(() => forgetRejections(place.root, 7)).toThrow(/leads out of the root/)
    expect(readdirSync(path.join(outside, 'folder'))).toEqual([])
    expect(readRejections(place.root).triples.size).toBe(0)
  })
})
