// From the flags that the spec verbs share to the place and mode they run in.

import { findPlace, type Place } from '../indexing/place.ts'
import { UserError } from '../model/errors.ts'
import { SPEC_RANGE, type SpecMode } from '../model/vocabulary.ts'
import type { Io } from './io.ts'
import type { ParsedWords } from './spec-args.ts'

export interface SpecPlace {
  readonly place: Place
  readonly mode: SpecMode
}

/**
 * The place that --root and --db name, and the mode that --compat or else the configuration names. An empty value
 * counts as not given. Throws UserError usage (with `badArgument` as its exit code) and config.
 */
export async function specPlace(words: ParsedWords, io: Io, badArgument: number): Promise<SpecPlace> {
  const compat = words.values.get('--compat') ?? null
  if (compat !== null && !isMode(compat)) {
    const known = Object.keys(SPEC_RANGE).join(', ')
    throw new UserError('usage', `--compat knows no version '${compat}' (one of: ${known})`, null, badArgument)
  }
  const place = await findPlace({
    root: words.values.get('--root') || null,
    db: words.values.get('--db') || null,
    cwd: io.cwd,
    env: io.env,
  })
  return { place, mode: compat ?? place.config.compat }
}

function isMode(text: string): text is SpecMode {
  return Object.hasOwn(SPEC_RANGE, text)
}
