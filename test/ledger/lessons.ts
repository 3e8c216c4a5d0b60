// Annotations about a harbour, for the tests of export and mirror, and ledgers that are made of them.

import { exportLedger } from '../../src/ledger/export.ts'
import { openMemoryStore, type Store } from '../../src/store/open.ts'
import { REPO, update } from './harbour.ts'
import type { Pier } from './pier.ts'

/** A whole investigation with one pattern. `word` stands in everything that is searched. */
export function investigation(word: string, file = 'src/crane.ts'): string {
  return [
    '<!-- FORGE:INVESTIGATOR -->',
    '**Verdict**: CONFIRMED',
    '**Confidence**: HIGH',
    '**Severity**: LOW',
    '**Task Type**: Bug Fix',
    '',
    '### Root Cause',
    `The ${word} brake in \`liftLoad\` slips when the tide is high.`,
    '',
    '### Recommendation',
    `Oil the ${word} before noon.`,
    '',
    '### Affected Files',
    `- \`${file}\``,
    '',
    '## Pattern Metadata:',
    `**Pattern**: ${word} slips`,
    '**Root Cause**: salt',
    `**Prevention**: rinse the ${word}`,
    `**Files**: \`${file}\``,
    '**Symbols**: liftLoad',
    '<!-- INVESTIGATION:COMPLETE -->',
  ].join('\n')
}

export function trajectory(decision: string): string {
  return ['<!-- FORGE:TRAJECTORY -->', `**Decisions**: ${decision}`, '**Anomalies**: None'].join('\n')
}

/** A ledger in memory that has seen the whole pier. The caller closes it. */
export async function ledgerOf(pier: Pier): Promise<Store> {
  const store = openMemoryStore()
  await update(store, pier, 'full')
  return store
}

/** The four files as texts. */
export function textsOf(store: Store): Record<string, string> {
  const { files } = exportLedger(store, REPO)
  return Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString('utf8')]))
}
