// From the flags that every command shares to the place it runs in.

import { findPlace, type Place } from '../indexing/place.ts'
import { UserError } from '../model/errors.ts'
import { isFolder } from '../scan/root.ts'
import type { Io } from './io.ts'

/** The place that `--root`, `--db`, SPECDEX_DB and the working directory name. Throws UserError usage, config. */
export async function placeOf(options: Record<string, unknown>, io: Io): Promise<Place> {
  const flag = (name: string): string | null => {
    const value = options[name]
    if (value === '') throw new UserError('usage', `--${name} needs a value`)
    return typeof value === 'string' ? value : null
  }
  const place = await findPlace({ root: flag('root'), db: flag('db'), cwd: io.cwd, env: io.env })
  if (!isFolder(place.root)) throw new UserError('not-found', `there is no folder ${place.root}`, 'check --root')
  return place
}
