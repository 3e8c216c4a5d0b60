// Where the native part of better-sqlite3 lies. It is handed over by explicit path, because the bundle has no
// `bindings` lookup to fall back on and because that lookup costs several failed file reads per start.
// The surprise: one expression serves the sources and the bundle, since the build defines `import.meta.url` there.

import { createRequire } from 'node:module'
import path from 'node:path'
import { UserError } from '../model/errors.ts'

const HINT =
  'run `npm rebuild better-sqlite3` with the Node.js you use now; if npm skips install scripts, first run `npm install-scripts approve better-sqlite3`'

let known: string | null = null

/** Absolute path of `better_sqlite3.node`. Throws UserError `io` where the package is not installed. */
export function addonPath(): string {
  if (known !== null) return known
  try {
    const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json')
    known = path.join(path.dirname(manifest), 'build', 'Release', 'better_sqlite3.node')
    return known
  } catch {
    throw new UserError('io', 'better-sqlite3 is not installed beside Specdex', 'run `npm install better-sqlite3`')
  }
}

/**
 * The UserError for an addon that is missing or was built for another Node.js, or null for any other error.
 * One line instead of the loader's ten.
 */
export function addonError(error: unknown, addon: string): UserError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'MODULE_NOT_FOUND') {
    return new UserError('io', `the native part of better-sqlite3 was not built (no ${addon})`, HINT)
  }
  if (code === 'ERR_DLOPEN_FAILED' && error instanceof Error) {
    const [first = ''] = error.message.split('\n')
    const why = error.message.includes('NODE_MODULE_VERSION')
      ? 'was built for another Node.js'
      : `does not load: ${first}`
    return new UserError('io', `the native part of better-sqlite3 ${why}`, HINT)
  }
  return null
}
