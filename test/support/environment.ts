// The environment that tests give to child processes: the caller's own, without what would make git or Specdex
// behave differently on another machine (a user's git config, a hook's GIT_DIR, colours, an index elsewhere).

export type Env = Readonly<Record<string, string | undefined>>

const FIXED: Env = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada Baker',
  GIT_AUTHOR_EMAIL: 'ada@bakery.example',
  GIT_AUTHOR_DATE: '2024-05-01T04:30:00Z',
  GIT_COMMITTER_NAME: 'Ada Baker',
  GIT_COMMITTER_EMAIL: 'ada@bakery.example',
  GIT_COMMITTER_DATE: '2024-05-01T04:30:00Z',
  NO_COLOR: '1',
}

const DROPPED = /^(GIT_|SPECDEX_|npm_|NODE_OPTIONS$|NODE_V8_COVERAGE$|VITEST|FORCE_COLOR$|CI$)/

/** The caller's environment, cleaned, with `extra` on top; a key that is undefined in `extra` is removed. */
export function childEnvironment(extra: Env = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !DROPPED.test(name))
  const merged = { ...Object.fromEntries(kept), ...FIXED, ...extra }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}
