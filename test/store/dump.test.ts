// Comparing dumps: equal however the rows came about, and differences named where they are.

import { expect, test } from 'vitest'
import { dumpLines, firstDifferences, logicalDump } from '../../src/store/dump.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { bake } from './fill.ts'

function shelf(...books: Readonly<Record<string, readonly string[]>>[]): Store {
  const store = openMemoryStore()
  for (const book of books) bake(store, book)
  return store
}

test('the order of writing does not show', () => {
  const a = shelf({ 'b.md': ['a.md'], 'a.md': [] })
  const b = shelf({ 'a.md': ['x.md'] }, { 'b.md': [] }, { 'a.md': [] }, { 'b.md': ['a.md'] })
  expect(logicalDump(a)).toEqual(logicalDump(b))
  expect(firstDifferences(logicalDump(a), logicalDump(b), 10)).toEqual([])
})

test('a file more than one batch long is dumped whole and in order', () => {
  const book = Object.fromEntries(Array.from({ length: 2500 }, (_, i) => [`recipes/${i}.md`, []]))
  const lines = logicalDump(shelf(book))
  expect(lines).toHaveLength(7500)
  expect(new Set(lines).size).toBe(7500)
  expect(lines.filter((line) => line.startsWith('["file"'))).toHaveLength(2500)
})

test('the first differences are named, missing rows on either side and changed ones', () => {
  const a = shelf({ 'a.md': [], 'c.md': ['a.md'], 'd.md': ['a.md', 'c.md'] })
  const b = shelf({ 'a.md': [], 'b.md': [], 'c.md': ['b.md'], 'd.md': ['a.md'] })
  const all = [
    '+ ["file","b.md",2,100,0]',
    '+ ["node","b.md",0,"b.md",10,1,"Recipe",null,null]',
    '- ["edge","c.md",0,"a.md","c.md",20,1,null]',
    '+ ["edge","c.md",0,"b.md","c.md",20,1,null]',
    '- ["file","d.md",2,102,0]',
    '+ ["file","d.md",2,101,0]',
    '- ["edge","d.md",1,"c.md","d.md",20,2,null]',
    '+ ["key","b.md"]',
  ]
  expect(firstDifferences(logicalDump(a), logicalDump(b), 100)).toEqual(all)
  expect(firstDifferences(dumpLines(a), dumpLines(b), 3)).toEqual(all.slice(0, 4))
  expect(firstDifferences(logicalDump(a), [], 1)).toEqual(['- ["file","a.md",2,100,0]'])
})

test('tables of one file come in a fixed order', () => {
  const a = ['["file","a.md",2,1,0]', '["problem","a.md",0,"burnt-crust",1,1,null]']
  const b = ['["file","a.md",2,1,0]', '["edge","a.md",0,"b.md","a.md",20,1,null]']
  expect(firstDifferences(a, b, 10)).toEqual([`+ ${b[1]}`, `- ${a[1]}`])
})

test('rows without a file are shown, not passed over', () => {
  const store = shelf({ 'a.md': [] })
  store.write(() => store.db.exec('DELETE FROM file'))
  expect(logicalDump(store)).toEqual(['["stray","node",1]', '["key","a.md"]'])
})
