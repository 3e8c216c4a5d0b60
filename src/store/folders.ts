// Making the folders that a file of ours goes into.

import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Creates missing folders one by one (a recursive mkdir below /proc never returns). True if any was missing. */
export function createFolders(folder: string): boolean {
  const missing: string[] = []
  let at = folder
  while (statSync(at, { throwIfNoEntry: false }) === undefined && path.dirname(at) !== at) {
    missing.push(at)
    at = path.dirname(at)
  }
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each)
    } catch (error) {
      // Another process may have been faster.
      if (!statSync(each, { throwIfNoEntry: false })?.isDirectory()) throw error
    }
  }
  return missing.length > 0
}
