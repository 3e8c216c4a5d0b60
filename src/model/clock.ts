// What the lower rooms may know of the world outside: only what the command line hands them.

/** Milliseconds since 1970, read when asked. Only `cli` (and tests) makes one. */
export type Clock = () => number

/** Talk for people while work goes on; goes to stderr or nowhere, never to stdout. */
export interface Talk {
  readonly warn: (message: string) => void
  /** `done` of `total`, called often; the receiver decides what to show. */
  readonly progress: (what: string, done: number, total: number) => void
}

export const SILENT: Talk = { warn: () => {}, progress: () => {} }

/** The environment of a run, handed down by the command line. */
export interface World {
  readonly now: Clock
  readonly talk: Talk
  /** Environment variables for child processes and for SPECDEX_DB. */
  readonly env: Readonly<Record<string, string | undefined>>
}
