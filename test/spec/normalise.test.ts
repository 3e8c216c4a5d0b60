// What somebody types and which id is meant: the rows of sheet spec-graph §8.3, in one table per verb.

import { describe, expect, test } from 'vitest'
import { asCommandId, asImpactId, asMarkerId, lowerAscii } from '../../src/spec/normalise.ts'

test.each([
  ['CONTRACT', 'ann:FORGE:CONTRACT'],
  ['FORGE:CONTRACT', 'ann:FORGE:CONTRACT'],
  ['ann:FORGE:CONTRACT', 'ann:FORGE:CONTRACT'],
  ['ann:X', 'ann:FORGE:ann:X'],
  ['contract', 'ann:FORGE:contract'],
  ['forge:CONTRACT', 'ann:FORGE:forge:CONTRACT'],
])('readers and writers of %j ask for %j', (typed, id) => {
  expect(asMarkerId(typed)).toBe(id)
})

test.each([
  ['work-on', 'cmd:work-on'],
  ['cmd:work-on', 'cmd:work-on'],
  ['work-on:build', 'cmd:work-on:build'],
  ['work-on/build', 'cmd:work-on/build'],
  ['/work-on', 'cmd:/work-on'],
  ['work-on.md', 'cmd:work-on.md'],
  ['script:x.sh', 'cmd:script:x.sh'],
])('deps and load-set of %j ask for %j', (typed, id) => {
  expect(asCommandId(typed)).toBe(id)
})

describe('impact', () => {
  const KNOWN = new Set([
    'ann:FORGE:TWIN',
    'cmd:TWIN',
    'cmd:bake',
    'label:workflow:bake',
    'label:workflow:merged',
    'script:weigh',
    'cmd:weigh.sh',
    'odd one',
  ])

  test.each([
    ['an id that exists, whatever it looks like', 'odd one', 'odd one'],
    ['a prefix, existing or not', 'cmd:nope', 'cmd:nope'],
    ['a prefix', 'devdoc:devdocs/x.md', 'devdoc:devdocs/x.md'],
    ['a marker with FORGE:', 'FORGE:NOPE', 'ann:FORGE:NOPE'],
    ['a label', 'workflow:merged', 'label:workflow:merged'],
    ['.sh means a script, never a command of that name', 'weigh.sh', 'script:weigh.sh'],
    ['a bare word: marker before command', 'TWIN', 'ann:FORGE:TWIN'],
    ['a bare word: command before label', 'bake', 'cmd:bake'],
    ['a bare word: label', 'merged', 'label:workflow:merged'],
    ['a bare word: script last', 'weigh', 'script:weigh'],
    ['a bare word that is nothing: a marker', 'nope', 'ann:FORGE:nope'],
    ['a document needs its full id', 'devdocs/x.md', 'ann:FORGE:devdocs/x.md'],
  ])('%s: %j', (_why, typed, id) => {
    expect(asImpactId(typed, (candidate) => KNOWN.has(candidate))).toBe(id)
  })
})

test('search lowers ASCII and nothing else', () => {
  expect(lowerAscii('CAFÉ İ ẞ forge')).toBe('cafÉ İ ẞ forge')
})
