// The bakery that is scanned in every state of its repository, and what a scan of the clean one shows.

import { initRepository } from '../support/git.ts'
import { tempFolder } from '../support/temp.ts'
import type { Scanned } from './pantry.ts'

export const BAKERY = {
  'commands/knead.md': '# Knead\n',
  'commands/knead/fold.md': '# Fold\n',
  'scripts/oven.sh': 'echo warm\n',
  'devdocs/flour.md': '# Flour\n',
  'docs/adr/0001-rye.md': '# Rye\n',
  'README.md': '# Bakery\n',
  'src/oven.ts': 'export {}\n',
}

export const ALL_VOUCHED = {
  spec: {
    'commands/knead.md': 'vouched',
    'commands/knead/fold.md': 'vouched',
    'scripts/oven.sh': 'vouched',
    'devdocs/flour.md': 'vouched',
  },
  docs: {
    'README.md': 'vouched',
    'commands/knead.md': 'vouched',
    'commands/knead/fold.md': 'vouched',
    'devdocs/flour.md': 'vouched',
    'docs/adr/0001-rye.md': 'vouched',
  },
} as const

export function bakery(): string {
  return initRepository(tempFolder('scan'), BAKERY)
}

export function shown({ spec, docs }: Scanned): Pick<Scanned, 'spec' | 'docs'> {
  return { spec, docs }
}
