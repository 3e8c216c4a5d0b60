// What `--scope DIR` means: a folder or file, matched at the borders of path segments. Pure; nothing is looked up on disk.

/**
 * A test for paths relative to the root: whether they are `scope` or below it. Null and `.` take everything; a path out
 * of the root takes nothing. Source of the rule: sheet artifact-graph §7 (--scope), cases 18 and 19.
 */
export function scopeTest(scope: string | null): (path: string) => boolean {
  if (scope === null) return () => true
  const folder = normalised(scope)
  if (folder === null) return () => false
  if (folder === '') return () => true
  return (path) => path === folder || path.startsWith(`${folder}/`)
}

/** Without `.`, `..`, empty segments and a final slash; null where it leads out of the root. */
export function normalised(path: string): string | null {
  if (path.startsWith('/')) return null
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return null
  }
  return segments.join('/')
}
