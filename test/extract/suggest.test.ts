// "Did you mean": near words, best first, and nothing where nothing is near.

import { describe, expect, test } from 'vitest'
import { suggest } from '../../src/extract/suggest.ts'

const IDS = [
  'cmd:bake',
  'cmd:bake:glaze',
  'cmd:knead',
  'ann:FORGE:DOUGH',
  'script:oven-heat.sh',
  'label:workflow:baked',
]

describe('suggest', () => {
  test.each([
    ['cmd:bak', ['cmd:bake', 'cmd:bake:glaze']],
    ['CMD:KNEAD', ['cmd:knead']],
    ['glaze', ['cmd:bake:glaze']],
    ['oven-heat', ['script:oven-heat.sh']],
    ['FORGE:DUOGH', []],
    ['ann:FORGE:DUOGH', ['ann:FORGE:DOUGH']],
    ['xyz', []],
    ['', []],
    ['b', []],
  ])('%j', (word, found) => {
    expect(suggest(word, IDS)).toEqual(found)
  })

  test('puts fewer edits first', () => {
    expect(suggest('wheat', ['cheats', 'wheats', 'rye'])).toEqual(['wheats', 'cheats'])
  })

  test('names five at most, nearest first, then by text, each once', () => {
    const words = ['ryes', 'rye', 'rye', 'ryea', 'ryeb', 'ryec', 'ryed', 'wheat']
    expect(suggest('rye', words)).toEqual(['rye', 'ryea', 'ryeb', 'ryec', 'ryed'])
    expect(suggest('rye', words.reverse())).toEqual(['rye', 'ryea', 'ryeb', 'ryec', 'ryed'])
  })
})
