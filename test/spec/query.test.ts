// The query verbs on the bakery, answered from the index: what they return, what they say of strangers, and how a
// load-set is cut to a budget.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { distances } from '../../src/graph/distance.ts'
import { estimatedTokens, withinBudget } from '../../src/spec/budget.ts'
import { nearest } from '../../src/spec/nearest.ts'
import { tempTree } from '../support/temp.ts'
import { bakery } from './bakery.ts'
import { spec } from './run-spec.ts'

let root = ''
beforeAll(async () => {
  root = bakery()
  await spec(['build', '--quiet'], { cwd: root })
})

const COMPAT = ['--compat', 'forgedock-1.7', '--no-stale-check']

/** [words, stdout in the default mode] */
const ANSWERS: readonly (readonly [string, string])[] = [
  ['readers LOAF', '["cmd:bake:knead","cmd:bake:shape","cmd:deliver"]'],
  ['readers FORGE:CRUST', '["cmd:bake:knead"]'],
  ['readers OVEN_NOTE', '[]'],
  ['writers ann:FORGE:LOAF', '["cmd:bake"]'],
  ['writers OVEN_NOTE', '[]'],
  ['deps bake:knead', '{"READS":["ann:FORGE:CRUST","ann:FORGE:LOAF"],"WRITES":["ann:FORGE:RECIPE"]}'],
  ['deps bake:shape:score', '{"CONTAINS":["cmd:bake:knead"]}'],
  ['impact RECIPE', '["cmd:bake","cmd:bake:knead","cmd:bake:shape","cmd:bake:shape:score","cmd:deliver"]'],
  ['impact light-oven.sh', '["cmd:bake","cmd:bake:shape","cmd:deliver"]'],
  ['impact workflow:shaped', '["cmd:bake","cmd:bake:shape","cmd:deliver"]'],
  ['impact devdoc:devdocs/cellar.md', '[]'],
  [
    'load-set bake',
    '["commands/bake.md","commands/bake/knead.md","commands/bake/shape.md","commands/bake/shape/score.md","commands/deliver.md","devdocs/house/hygiene.md"]',
  ],
  ['load-set bake:knead', '["commands/bake/knead.md"]'],
  [
    'search OVEN',
    '[{"id":"ann:FORGE:OVEN_NOTE","type":"annotation","name":"FORGE:OVEN_NOTE"},{"id":"script:light-oven.sh","type":"script","name":"light-oven.sh"}]',
  ],
  ['search night/', '[{"id":"script:light-oven.sh","type":"script","name":"light-oven.sh"}]'],
  ['search .*', '[]'],
]

test.each(ANSWERS)('%s', async (words, stdout) => {
  expect(await spec(words.split(' '), { cwd: root })).toEqual({ code: 0, stdout: `${stdout}\n`, stderr: '' })
})

test('compat knows no plain reads and keeps ids as they were typed', async () => {
  const ask = async (...words: string[]): Promise<string> => (await spec([...words, ...COMPAT], { cwd: root })).stdout
  // The persisted JSON is of the default mode, so it is built anew under compat first.
  await spec(['build', '--quiet', '--compat', 'forgedock-1.7'], { cwd: root })
  expect(await ask('readers', 'LOAF')).toBe('["cmd:bake:knead","cmd:deliver"]\n')
  expect(await ask('deps', 'bake:knead')).toBe(
    '{"READS":["ann:FORGE:Crumb","ann:FORGE:LOAF","ann:forge:crust"],"WRITES":["ann:FORGE:RECIPE"]}\n',
  )
  expect(await spec(['readers', 'NOBODY', ...COMPAT], { cwd: root })).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  await spec(['build', '--quiet'], { cwd: root })
})

test('--human, with flags on either side of the verb', async () => {
  const { stdout } = await spec(['--human', 'deps', 'bake:shape'], { cwd: root })
  expect(stdout).toBe(
    'Dependencies of cmd:bake:shape:\nCONTAINS:\n  cmd:bake:shape:score\nINVOKES:\n  script:light-oven.sh\n' +
      'READS:\n  ann:FORGE:LOAF\nTRANSITIONS:\n  label:workflow:shaped\n',
  )
  expect((await spec(['search', 'knead', '--human'], { cwd: root })).stdout).toBe('sub-phase  cmd:bake:knead\n')
})

test('equal spellings give equal answers', async () => {
  const answers = async (...spellings: string[]): Promise<Set<string>> =>
    new Set(await Promise.all(spellings.map(async (words) => (await spec(words.split(' '), { cwd: root })).stdout)))
  expect((await answers('readers LOAF', 'readers FORGE:LOAF', 'readers ann:FORGE:LOAF')).size).toBe(1)
  expect((await answers('deps bake', 'deps cmd:bake', '-- deps bake')).size).toBe(1)
  expect((await answers('impact baked', 'impact workflow:baked', 'impact label:workflow:baked')).size).toBe(1)
})

describe('strangers', () => {
  /** [words, stderr]: exit 1, nothing on stdout. */
  const STRANGERS: readonly (readonly [string[], string])[] = [
    [
      ['readers', 'LOAFF'],
      "no annotation node 'ann:FORGE:LOAFF' in the graph; closest: ann:FORGE:LOAF (try: specdex spec search LOAFF)",
    ],
    [
      ['writers', 'crust'],
      "no annotation node 'ann:FORGE:crust' in the graph; closest: ann:FORGE:CRUST (try: specdex spec search crust)",
    ],
    [
      ['deps', 'bake/knead'],
      "no command/spec node 'cmd:bake/knead' in the graph; closest: cmd:bake:knead (try: specdex spec search bake/knead)",
    ],
    [
      ['load-set', 'script:nothing.sh'],
      "no command/spec node 'cmd:script:nothing.sh' in the graph (try: specdex spec search script:nothing.sh)",
    ],
    [
      ['impact', 'devdocs/cellar.md'],
      "no node 'ann:FORGE:devdocs/cellar.md' in the graph; closest: devdoc:devdocs/cellar.md (try: specdex spec search devdocs/cellar.md)",
    ],
    [
      ['impact', 'weigh-floor.sh'],
      "no node 'script:weigh-floor.sh' in the graph; closest: script:weigh-flour.sh (try: specdex spec search weigh-floor.sh)",
    ],
    [['impact', 'weigh.sh'], "no node 'script:weigh.sh' in the graph (try: specdex spec search weigh.sh)"],
  ]

  test.each(STRANGERS)('%j', async (words, message) => {
    expect(await spec(words, { cwd: root })).toEqual({ code: 1, stdout: '', stderr: `ERROR: ${message}\n` })
  })

  test('a control character in a closest id does not reach a terminal', async () => {
    const place = tempTree({ 'commands/ba\u001bke.md': '' })
    expect((await spec(['deps', 'bake'], { cwd: place, tty: true })).stderr).toContain('closest: cmd:ba\\u001bke ')
    expect((await spec(['deps', 'bake'], { cwd: place })).stderr).toContain('closest: cmd:ba\u001bke ')
  })

  test('nearest: by edits, then by code point, at most so many', () => {
    expect(nearest('rye', ['rice', 'RYE', 'eye', 'wheat', 'dye'], 1, 2)).toEqual(['RYE', 'dye'])
    expect(nearest('rye', ['wheat'], 3, 2)).toEqual([])
  })
})

describe('load-set --budget', () => {
  test('nearest first, within the budget, and a word on what was left out', async () => {
    const { code, stdout, stderr } = await spec(['load-set', 'bake', '--budget', '260'], { cwd: root })
    const items = JSON.parse(stdout) as { path: string; tokens: number; reason: string }[]
    expect(items.map(({ path: file, reason }) => [file, reason])).toEqual([
      ['commands/bake.md', 'command'],
      ['commands/bake/knead.md', 'sub-phase of cmd:bake'],
      ['devdocs/house/hygiene.md', 'required by cmd:bake'],
    ])
    expect(items.reduce((sum, item) => sum + item.tokens, 0)).toBeLessThanOrEqual(260)
    const [said, ...names] = stderr.trimEnd().split('\n')
    expect(said).toMatch(/^load-set: left out 3 of 6 files \(\d+ tokens\) to stay within 260$/)
    expect(names.map((name) => name.replace(/\d+/, 'N'))).toEqual([
      '  commands/bake/shape.md  N tokens (sub-phase of cmd:bake)',
      '  commands/deliver.md  N tokens (called by cmd:bake)',
      '  commands/bake/shape/score.md  N tokens (sub-phase of cmd:bake:shape)',
    ])
    expect(code).toBe(0)
  })

  test('a budget that suffices leaves nothing out; --human shows what a smaller one did', async () => {
    const all = await spec(['load-set', 'bake', '--budget=100000'], { cwd: root })
    expect((JSON.parse(all.stdout) as unknown[]).length).toBe(6)
    expect(all.stderr).toBe('')
    const { stdout } = await spec(['load-set', 'bake', '--budget', '1', '--human'], { cwd: root })
    expect(stdout).toMatch(
      /^Minimal spec set for cmd:bake \(0 of 1 tokens\):\n {2}\(none\)\nLeft out, over the budget:\n/,
    )
  })

  test('sizes come from the index; of a given document, from the files below the root', async () => {
    const place = tempTree({ 'commands/a.md': 'x'.repeat(9) })
    const given = {
      graph: {
        nodes: [
          { id: 'cmd:a', type: 'command', name: 'a', path: 'commands/a.md' },
          { id: 'cmd:b', type: 'command', name: 'b', path: '../../etc/passwd' },
        ],
        edges: [{ from: 'cmd:a', type: 'CONTAINS', to: 'cmd:b' }],
      },
    }
    writeFileSync(path.join(place, 'g.json'), JSON.stringify(given))
    const words = ['load-set', 'a', '--budget', '99', '--graph', 'g.json', '--no-stale-check']
    expect((await spec(words, { cwd: place })).stdout).toBe(
      '[{"path":"commands/a.md","tokens":3,"reason":"command"},{"path":"../../etc/passwd","tokens":0,"reason":"called by cmd:a"}]\n',
    )
  })

  test('distance decides before name; a file that does not fit is passed over; cycles end', () => {
    const file = (id: string, bytes: number) => ({ id, path: `${id}.md`, bytes, type: 'sub-phase' })
    const steps = [
      { from: 'a', to: 'z', type: 'CONTAINS' },
      { from: 'z', to: 'b', type: 'CONTAINS' },
      { from: 'a', to: 'y', type: 'REQUIRES' },
      { from: 'b', to: 'a', type: 'CONTAINS' },
      { from: 'y', to: 'b', type: 'CONTAINS' },
    ]
    const view = withinBudget('a', [file('a', 4), file('b', 4), file('y', 400), file('z', 5)], steps, 4)
    expect(view.items.map(({ path: name, tokens, reason }) => [name, tokens, reason])).toEqual([
      ['a.md', 1, 'command'],
      ['z.md', 2, 'sub-phase of a'],
      ['b.md', 1, 'sub-phase of y'],
    ])
    expect(view.leftOut.map((item) => item.path)).toEqual(['y.md'])
    expect([0, 1, 4, 5].map(estimatedTokens)).toEqual([0, 1, 1, 2])
  })

  test('distances: breadth first, the first step found is remembered', () => {
    const step = (from: string, to: string) => ({ from, to, label: `${from}${to}` })
    const reached = distances('a', [step('a', 'b'), step('a', 'a'), step('b', 'c'), step('a', 'c'), step('x', 'a')])
    expect(reached.map(({ id, distance, by }) => [id, distance, by?.label ?? null])).toEqual([
      ['a', 0, null],
      ['b', 1, 'ab'],
      ['c', 1, 'ac'],
    ])
  })
})
