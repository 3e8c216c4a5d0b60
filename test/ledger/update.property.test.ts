// Incremental equals full (seed 004 "Invariants", issue 4 §7.3): after any sequence of events at the pier and any mix of
// runs, also failing ones, one more run ends where a ledger built from nothing does. What no listing since a time can
// show (a comment deleted silently, an issue deleted or transferred) is looked at by number, as a close step would.
// SPECDEX_PROPERTY_RUNS sets the number of sequences, SPECDEX_PROPERTY_SEED repeats a run.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UpdateMode } from '../../src/ledger/update.ts'
import { UserError } from '../../src/model/errors.ts'
import { openMemoryStore } from '../../src/store/open.ts'
import { ledgerDump, ledgerState, unsettledIssues } from '../../src/store/queries/ledger-state.ts'
import { effort } from '../support/effort.ts'
import { differences, freshDump, REPO, update } from './harbour.ts'
import { decision, failing, investigation, Pier } from './pier.ts'

const RUNS = Number(process.env['SPECDEX_PROPERTY_RUNS'] ?? effort(150, 3000))
const SEED = Number(process.env['SPECDEX_PROPERTY_SEED'] ?? Date.now() % 2 ** 31)
console.info(`property test: ${RUNS} sequences, SPECDEX_PROPERTY_SEED=${SEED}`)

const EVENTS = [
  'open',
  'investigate',
  'decide',
  'chat',
  'edit',
  'uncomment',
  'hush',
  'close',
  'reopen',
  'remove',
] as const

type Step =
  | { readonly do: (typeof EVENTS)[number]; readonly number: number; readonly word: string; readonly wait: number }
  | { readonly do: 'run'; readonly mode: UpdateMode; readonly wait: number; readonly failAt: number | null }
  /** A run in whose k-th request something happens at the pier. */
  | { readonly do: 'disturbed'; readonly mode: UpdateMode; readonly at: number; readonly number: number }

const number = fc.integer({ min: 1, max: 9 })
const word = fc.constantFrom('rope', 'tide', 'gull', 'fog', 'anchor', 'buoy')
const wait = fc.constantFrom(0, 0, 0, 1, 30, 59, 60, 61, 100, 5000)
const mode = fc.oneof(
  { weight: 3, arbitrary: fc.constant<UpdateMode>('incremental') },
  { weight: 1, arbitrary: fc.constantFrom<UpdateMode>('full', 'reconcile') },
  { weight: 4, arbitrary: number.map((issue): UpdateMode => ({ issue })) },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom(...EVENTS), number, word, wait }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      mode,
      wait,
      failAt: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('disturbed' as const), mode, at: fc.integer({ min: 1, max: 9 }), number }),
  },
)

/** Does it at the pier; returns whether no listing since a time can show it. */
function happen(pier: Pier, step: Extract<Step, { word: string }>): boolean {
  pier.wait(step.wait)
  if (!pier.has(step.number)) {
    if (step.do === 'open') pier.open(step.number, step.number % 3 === 0)
    return false
  }
  const { number, word } = step
  switch (step.do) {
    case 'open':
      return false
    case 'investigate':
      pier.comment(number, investigation(`is caught by the ${word}`, `${word}Winch`))
      return false
    case 'decide':
      pier.comment(number, decision(`cut the ${word}`), word === 'fog' ? 'NONE' : 'OWNER')
      return false
    case 'chat':
      pier.comment(number, `lovely ${word}`)
      return false
    case 'edit':
      pier.edit(number, 1, investigation(`was never near the ${word}`))
      return false
    case 'uncomment':
      pier.uncomment(number, false)
      return false
    case 'close':
      pier.close(number)
      return false
    case 'reopen':
      pier.close(number, 'open')
      return false
    case 'hush':
      pier.uncomment(number, true)
      return true
    case 'remove':
      pier.remove(number)
      return true
  }
}

test(
  'any events, any runs: one more run and it is what a full rebuild is',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), fc.boolean(), async (steps, reconcile) => {
        const pier = new Pier()
        pier.pageSize = 3
        const hidden = new Set<number>()
        const store = openMemoryStore()
        try {
          for (const step of steps) {
            pier.before = () => {}
            if (step.do !== 'run' && step.do !== 'disturbed') {
              if (happen(pier, step)) hidden.add(step.number)
              continue
            }
            let requests = 0
            if (step.do === 'run') {
              pier.wait(step.wait)
              pier.before = (request) => {
                if (++requests === step.failAt) failing(/./)(request)
              }
            } else {
              pier.before = () => {
                if (++requests !== step.at || !pier.has(step.number)) return
                pier.wait(1).comment(step.number, decision(`turn at ${requests}`))
              }
            }
            const watermark = ledgerState(store).repos[0]?.watermark ?? null
            const before = [ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]
            try {
              await update(store, pier, step.mode)
            } catch (error) {
              expect(error).toBeInstanceOf(UserError)
              // What came whole may stay, but no watermark moves; one issue, and everything anew: all or nothing.
              expect(ledgerState(store).repos[0]?.watermark ?? null).toBe(watermark)
              if (step.mode !== 'incremental' && step.mode !== 'reconcile') {
                expect([ledgerDump(store), ledgerState(store), unsettledIssues(store, REPO)]).toEqual(before)
              }
            }
          }
          pier.before = () => {}
          pier.wait(120)
          for (const issue of hidden) await update(store, pier, { issue })
          await update(store, pier, reconcile ? 'reconcile' : 'incremental')
          const expected = await freshDump(pier)
          expect(differences(ledgerDump(store), expected)).toEqual([])
          expect(unsettledIssues(store, REPO)).toEqual([])
          // Idempotent, and idle.
          pier.asked()
          expect(await update(store, pier)).toMatchObject({ fetched: 0, changed: 0, removed: 0 })
          expect(await update(store, pier, 'full')).toMatchObject({ changed: 0, removed: 0 })
          expect(differences(ledgerDump(store), expected)).toEqual([])
        } finally {
          store.close()
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: false },
    )
  },
  effort(120_000, 1_800_000),
)
