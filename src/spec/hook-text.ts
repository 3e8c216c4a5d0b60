// The text of the pre-commit hook, and what can be read back from one. Pure. One hook serves every root of a
// repository: each has a line of its own. The surprise: the hook must end with 0 whatever happens.

/** Marks a hook as ours; without this line we never touch it. */
const MARK = '# specdex:pre-commit'
const LINE = 'refresh_spec_graph '

/** The hook for some roots, each relative to the top of the work tree (`.` for the top itself). */
export function hookText(roots: readonly string[]): string {
  return `#!/bin/sh
${MARK} (written by \`specdex spec install-hook\`, removed by \`specdex spec install-hook --uninstall\`)
# Rebuilds a persisted spec graph when a commit touches commands/, scripts/ or devdocs/. Never blocks a commit.

refresh_spec_graph() {
  if command -v specdex >/dev/null 2>&1; then
    specdex spec hook-run --root "$1"
  elif [ -x node_modules/.bin/specdex ]; then
    node_modules/.bin/specdex spec hook-run --root "$1"
  else
    echo 'spec-graph: specdex is not installed — committing without refreshing the graph' >&2
  fi </dev/null || :
}

${roots.map((root) => `${LINE}${quoted(root)}\n`).join('')}exit 0
`
}

/** The roots of a hook of ours; null for a foreign one. */
export function rootsOfHook(text: string): string[] | null {
  const lines = text.split('\n')
  if (!lines.some((line) => line.startsWith(MARK))) return null
  return lines.filter((line) => line.startsWith(`${LINE}'`)).map((line) => unquoted(line.slice(LINE.length)))
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(`'\\''`, "'")
}
