// The one error that is the user's to solve. Everything else that is thrown is a bug of ours (exit 70).
// Wrong text inside a source file is never an error here: it is a problem row (see facts.ts).

/** Why a command could not do its work; closed, so that a caller can switch over it. */
export type ErrorCode =
  | 'usage'
  | 'config'
  | 'no-index'
  | 'foreign'
  | 'newer'
  | 'corrupt'
  | 'busy'
  | 'disk-full'
  | 'read-only'
  | 'io'
  | 'sql'
  | 'stale'
  | 'not-found'
  | 'refused'
  | 'source'

/**
 * A failure that the user can act on: the message says what, the hint says what to do next.
 * `exit` is the process status that the command line answers with (1 refused or found wrong, 2 could not do it).
 * Source of the codes: ARCHITECTURE §6; the spec verbs use 1 throughout (seed 000, "Flags & behavior").
 */
export class UserError extends Error {
  readonly code: ErrorCode
  readonly hint: string | null
  readonly exit: number

  constructor(code: ErrorCode, message: string, hint: string | null = null, exit = 2) {
    super(message)
    this.name = 'UserError'
    this.code = code
    this.hint = hint
    this.exit = exit
  }
}

/** Closes a switch over a union: reaching it is a bug. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
