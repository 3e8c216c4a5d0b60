// Path patterns cut into segments: the built-in conventions write theirs as data, a custom convention writes globs.
// Matches names only and never looks at a disk. Surprise: braces are multiplied out first, because `{a,b/c}` may hold a
// slash; more than 64 alternatives are cut.

/** One segment of a path that a pattern allows; `**` stands for any number of them. */
export type Segment = ((name: string) => boolean) | '**'

const MOST_ALTERNATIVES = 64

/** `*` and `?` within one segment, in linear memory and without backtracking over more than the last star. */
function wildcard(pattern: string, name: string): boolean {
  let at = 0
  let star = -1
  let retry = 0
  let seen = 0
  while (at < name.length) {
    if (pattern[seen] === '*') {
      star = seen++
      retry = at
    } else if (seen < pattern.length && (pattern[seen] === '?' || pattern[seen] === name[at])) {
      seen++
      at++
    } else if (star !== -1) {
      seen = star + 1
      at = ++retry
    } else return false
  }
  while (pattern[seen] === '*') seen++
  return seen === pattern.length
}

function alternatives(glob: string): readonly string[] {
  let open = [glob]
  for (;;) {
    const next = open.flatMap((text) => {
      const inner = /\{([^{}]*)\}/.exec(text)
      if (inner === null) return [text]
      const [whole, choices = ''] = inner
      const before = text.slice(0, inner.index)
      const behind = text.slice(inner.index + whole.length)
      return choices.split(',').map((choice) => before + choice + behind)
    })
    if (next.length === open.length && next.every((text, index) => text === open[index])) return open
    open = next.slice(0, MOST_ALTERNATIVES)
  }
}

function segment(text: string): Segment {
  if (text === '**') return '**'
  const hidden = text.startsWith('.')
  return (name) => (hidden || !name.startsWith('.')) && wildcard(text, name)
}

/**
 * The patterns of a glob: `*`, `**`, `?`, `{a,b}`. As usual, a leading dot is matched by a dot alone. `literalEnd` tells
 * that the last segment names one file.
 */
export function parseGlob(
  glob: string,
): readonly { readonly segments: readonly Segment[]; readonly literalEnd: boolean }[] {
  return alternatives(glob).map((text) => {
    const parts = text.split('/').filter((part) => part !== '' && part !== '.')
    return { segments: parts.map(segment), literalEnd: !/[*?]/.test(parts.at(-1) ?? '') }
  })
}

/** Which lengths of the pattern may have been used up once all names are matched: one bit per segment. */
function reached(pattern: readonly Segment[], names: readonly string[]): ReadonlySet<number> {
  const close = (places: Set<number>): Set<number> => {
    for (const place of places) if (pattern[place] === '**') places.add(place + 1)
    return places
  }
  let places = close(new Set([0]))
  for (const name of names) {
    const next = new Set<number>()
    for (const place of places) {
      const part = pattern[place]
      if (part === '**') {
        if (!name.startsWith('.')) next.add(place)
      } else if (part?.(name)) next.add(place + 1)
    }
    places = close(next)
  }
  return places
}

/** True where the names match the whole pattern. */
export function matchesWhole(pattern: readonly Segment[], names: readonly string[]): boolean {
  return reached(pattern, names).has(pattern.length)
}

/** True where something below a folder of these names may match: `direct` asks for files that lie in it. */
export function matchesBelow(pattern: readonly Segment[], names: readonly string[], direct: boolean): boolean {
  for (const place of reached(pattern, names)) {
    if (place < pattern.length && (!direct || place === pattern.length - 1)) return true
  }
  return false
}
