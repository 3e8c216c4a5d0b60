// A pier: a small GitHub in memory, whose issues are about a harbour. It is a source as the ledger knows them, with a
// clock of its own, pages that are counted anew for each request, and requests that can be made to fail.
// The surprise: it can be written as JSON, so that other processes can work from the same state.

import { UserError } from '../../src/model/errors.ts'
import type { IssueHead, LedgerIssue, LedgerSource, LedgerText } from '../../src/model/ledger.ts'

interface Berth {
  number: number
  pull: boolean
  state: 'open' | 'closed'
  createdAt: string
  updatedAt: string
  texts: LedgerText[]
}

export interface PierState {
  readonly clock: number
  readonly berths: readonly Berth[]
  readonly comments: number
}

const START = Date.UTC(2026, 2, 1, 6)

export class Pier implements LedgerSource {
  readonly name = 'the pier'
  pageSize = 5
  /** Every request so far: `list <since>` or `issue <n>`. */
  readonly requests: string[] = []
  /** Runs before a request is answered; may throw, or change the pier. */
  before: (request: string) => unknown = () => {}
  /** Milliseconds since 1970. */
  #clock = START
  #comments = 0
  readonly #berths = new Map<number, Berth>()

  static from(state: PierState): Pier {
    const pier = new Pier()
    pier.#clock = state.clock
    pier.#comments = state.comments
    for (const berth of state.berths) pier.#berths.set(berth.number, structuredClone(berth))
    return pier
  }

  toJSON(): PierState {
    return { clock: this.#clock, berths: [...this.#berths.values()], comments: this.#comments }
  }

  now = (): number => this.#clock

  /** Lets time pass. */
  wait(seconds: number): this {
    this.#clock += seconds * 1000
    return this
  }

  open(number: number, pull = false): this {
    const at = this.#time()
    const author = { login: 'harbourmaster', association: 'OWNER' }
    const body = { id: null, body: 'The crane is stuck again.', author, createdAt: at }
    this.#berths.set(number, { number, pull, state: 'open', createdAt: at, updatedAt: at, texts: [body] })
    return this
  }

  /** A new comment; returns its id. */
  comment(number: number, body: string, association: string | null = 'MEMBER', login = 'pilot'): number {
    const berth = this.#berth(number)
    const id = ++this.#comments
    berth.texts.push({ id, body, author: { login, association }, createdAt: this.#time() })
    this.#touch(berth)
    return id
  }

  /** Changes the n-th text of an issue. */
  edit(number: number, place: number, body: string): this {
    const berth = this.#berth(number)
    const text = berth.texts[place]
    if (text !== undefined) berth.texts[place] = { ...text, body }
    return this.#touch(berth)
  }

  /** Removes the last comment; silently where the issue's time of change stays as it is, as on GitHub. */
  uncomment(number: number, silently: boolean): this {
    const berth = this.#berth(number)
    if (berth.texts.length > 1) berth.texts.pop()
    return silently ? this : this.#touch(berth)
  }

  close(number: number, state: 'open' | 'closed' = 'closed'): this {
    const berth = this.#berth(number)
    berth.state = state
    return this.#touch(berth)
  }

  /** Deleted, or transferred to another repository: gone from here either way. */
  remove(number: number): this {
    this.#berths.delete(number)
    return this
  }

  has(number: number): boolean {
    return this.#berths.has(number)
  }

  /** The issue that has not changed for the longest time. */
  get oldest(): number {
    return this.#byChange()[0]?.number ?? 0
  }

  async *list(since: string | null): AsyncGenerator<readonly IssueHead[]> {
    for (let page = 0; ; page++) {
      await this.#ask(`list ${since}`)
      const all = this.#byChange().filter(({ updatedAt }) => since === null || updatedAt >= since)
      const end = (page + 1) * this.pageSize
      const heads = all.slice(page * this.pageSize, end)
      yield heads.map(({ number, pull, state, updatedAt }) => ({ number, pull, state, updatedAt }))
      if (end >= all.length) return
    }
  }

  async issue(number: number): Promise<LedgerIssue | null> {
    await this.#ask(`issue ${number}`)
    const berth = this.#berths.get(number)
    return berth === undefined ? null : structuredClone(berth)
  }

  /** How often each kind of request was made since the last call. */
  asked(): { list: number; issue: number } {
    const requests = this.requests.splice(0)
    const list = requests.filter((request) => request.startsWith('list')).length
    return { list, issue: requests.length - list }
  }

  async #ask(request: string): Promise<void> {
    this.requests.push(request)
    await this.before(request)
  }

  #byChange(): Berth[] {
    const time = ({ updatedAt }: Berth): number => Date.parse(updatedAt)
    return [...this.#berths.values()].sort((a, b) => time(a) - time(b) || a.number - b.number)
  }

  #berth(number: number): Berth {
    const berth = this.#berths.get(number)
    if (berth === undefined) throw new Error(`no issue ${number} at the pier`)
    return berth
  }

  #touch(berth: Berth): this {
    berth.updatedAt = this.#time()
    return this
  }

  #time(): string {
    return new Date(Math.floor(this.#clock / 1000) * 1000).toISOString().replace('.000Z', 'Z')
  }
}

/** Makes every request that matches fail. */
export function failing(pattern: RegExp): (request: string) => void {
  return (request) => {
    if (pattern.test(request)) throw new UserError('source', `the pier does not answer (${request})`)
  }
}

export const investigation = (cause: string, symbol = 'hoistLoad'): string =>
  [
    '<!-- FORGE:INVESTIGATOR -->',
    '',
    '**Verdict**: CONFIRMED',
    '**Confidence**: HIGH',
    '**Severity**: MEDIUM',
    '**Task Type**: Bug Fix',
    '',
    '### Root Cause',
    '',
    `In \`src/crane/hoist.ts\` the function \`${symbol}\` ${cause}.`,
    '',
    '### Recommendation',
    '',
    `Weigh before lifting: ${cause}.`,
    '',
    '### Affected Files',
    '',
    '1. `src/crane/hoist.ts`',
    '',
    '<!-- INVESTIGATION:COMPLETE -->',
  ].join('\n')

export const decision = (text: string): string =>
  ['<!-- FORGE:TRAJECTORY -->', '', `**Decisions**: ${text}`, '**Anomalies**: fog over `src/tide/table.ts`', ''].join(
    '\n',
  )

/** Issues 1…count, a minute apart, with an investigation each and a decision in every third. */
export function busyPier(count: number): Pier {
  const pier = new Pier()
  for (let number = 1; number <= count; number++) {
    pier.wait(60).open(number, number % 4 === 0)
    pier.comment(number, investigation(`drops crate ${number}`))
    if (number % 3 === 0) pier.comment(number, decision(`crate ${number} is lifted by hand`))
  }
  pier.wait(3600)
  return pier
}
