// How long GitHub wants us to wait, and how long we are willing to: primary limits (so many requests an hour) and
// secondary ones (too many at once), each announced by a header. Waits are bounded and told; who waits is the caller.
// The surprise: `gh` without headers tells of a limit but not of its end, and an end that nobody knows is not waited for.

import type { Talk } from '../model/clock.ts'

/** One answer of GitHub's, whatever brought it. */
export interface Answer {
  /** 0: nobody answered. */
  readonly status: number
  /** Names in small letters; empty where whoever asked for us did not show them. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON. A text where it is none: an error message, or an answer that was cut off. */
  readonly body: unknown
}

/** Longest single wait unless the caller says otherwise: a primary limit ends within the hour. */
export const PATIENCE_MS = 61 * 60_000
/** Waits for one question; who is told to wait yet again is not served by waiting. */
const MOST_WAITS = 3
/** What GitHub's documentation asks for where a limit names no end. */
const UNSTATED_S = 60

/** The waits of one question, whoever does them. */
export interface Patience {
  /** True, and told, if these seconds may be waited. */
  readonly allows: (seconds: number) => boolean
}

/** A fresh Patience: waits of at most `most` ms. */
export function patience(name: string, most: number, talk: Talk): Patience {
  let waits = 0
  return {
    allows: (seconds) => {
      if (seconds * 1000 > most || waits >= MOST_WAITS) return false
      waits += 1
      talk.warn(`${name}: GitHub's rate limit is reached, waiting ${Math.ceil(seconds)} s`)
      return true
    },
  }
}

/**
 * Seconds that a refusal asks us to wait, Infinity where it is a limit without a known end; null where it is no rate
 * limit (a missing permission, say) or no refusal.
 */
export function limitOf(answer: Answer, now: number): number | null {
  const { status, headers } = answer
  if (status !== 403 && status !== 429) return null
  const after = secondsOf(headers['retry-after'], now)
  if (after !== null) return after
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset)) {
    // One second more, so that we come after the reset.
    return Math.max(0, Math.ceil(reset - now / 1000)) + 1
  }
  if (status !== 429 && !/rate limit/i.test(messageOf(answer))) return null
  return Object.keys(headers).length === 0 ? Number.POSITIVE_INFINITY : UNSTATED_S
}

/** What an answer says in words. */
export function messageOf({ body, status }: Answer): string {
  const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)['message'] : body
  const text = typeof said === 'string' ? (said.trim().split('\n', 1)[0] ?? '') : ''
  return text === '' ? `status ${status}` : text.slice(0, 200)
}

/** `Retry-After`: seconds, or (from a proxy) a date. */
function secondsOf(value: string | undefined, now: number): number | null {
  if (value === undefined || value === '') return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000)
}
