// Facts outlive the text they were taken from: a refresh holds the facts of all changed files until they are written.
// A string cut out of a text can keep that text alive, so this counts what is left on the heap.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { EXTRACTORS } from '../../src/extract/extractors.ts'
import { DEFAULT_CONFIG } from '../../src/model/config.ts'
import type { Facts } from '../../src/model/facts.ts'
import { source } from './assemble.ts'

const NO_CONTEXT = { config: DEFAULT_CONFIG, layout: { modules: [], notes: [] } }

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const FLOUR = 'flour, water, salt and time\n'.repeat(20_000)

test.each([
  [
    'spec',
    'commands/bake.md',
    'gh pr comment --body "<!-- FORGE:A_RATHER_LONG_MARKER -->"\nSkill("a-rather-long-name")\n',
  ],
  [
    'docs',
    'docs/rye.md',
    '---\nstatus: accepted by the bakers\n---\n# A rather long title\n[x](a-rather-long-name.md)\n',
  ],
  ['docs', 'docs/rye.md', '---a-rather-long-language-name\n---\n'],
  ['docs', 'docs/rye.md', '---\na rather: [long line of YAML that is not closed\n---\n'],
] as const)('facts of %s do not hold on to their text (%#)', (family, path, head) => {
  const kept: Facts[] = []
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 40; i++) {
    // A fresh text each time, as if read from disk.
    const text = Buffer.from(`${head}${i}\n${FLOUR}`).toString()
    kept.push(EXTRACTORS[family].extract(source(path, text), NO_CONTEXT))
  }
  collectGarbage()
  expect((process.memoryUsage().heapUsed - before) / FLOUR.length).toBeLessThan(4)
  expect(kept).toHaveLength(40)
})
