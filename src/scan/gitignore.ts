// `.gitignore` files where git does not answer, on top of the `ignore` package, which knows one file's patterns.
// Several files hold at once and the deepest that says anything wins. The surprise: the package takes everything below
// an ignored folder for ignored; where a deeper file took such a folder back, the patterns that named it are dropped.

import { readFileSync } from 'node:fs'
import type { Ignore } from 'ignore'

type Make = () => Ignore

/** The patterns of one file, which hold below `base` (a folder key with a final slash, or empty). */
interface Rules {
  readonly base: string
  readonly lines: readonly string[]
  readonly patterns: Ignore
}

/** The files that hold in some folder, outermost first. */
export interface IgnoreStack {
  /** Whether `key` (of a folder: with a final slash) is ignored, given that its folder is not. */
  readonly ignores: (key: string) => boolean
  /** The stack inside the folder `dir`, which holds a `.gitignore` if `file` (absolute) names one. */
  readonly inside: (dir: string, file: string | null) => IgnoreStack
}

/** An empty stack. Loads the package that reads patterns. */
export async function ignoreStack(): Promise<IgnoreStack> {
  const { default: ignore } = await import('ignore')
  // Git compares case by case on this kind of system; the package does not unless told.
  return stackOf([], () => ignore({ allowRelativePaths: true, ignorecase: false }))
}

function stackOf(rules: readonly Rules[], make: Make): IgnoreStack {
  const stack: IgnoreStack = {
    ignores: (key) => verdict(rules, key) === true,
    inside: (dir, file) => {
      const base = dir === '' ? '' : `${dir}/`
      const takenBack = base !== '' && verdict(rules, base) === false
      const outer = takenBack ? rules.map((each) => without(each, base, make)) : rules
      const lines = file === null ? [] : readLines(file)
      if (lines.length === 0) return takenBack ? stackOf(outer, make) : stack
      return stackOf([...outer, { base, lines, patterns: make().add([...lines]) }], make)
    },
  }
  return stack
}

/** True ignored, false taken back, null where no file says anything. */
function verdict(rules: readonly Rules[], key: string): boolean | null {
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i]
    if (rule === undefined || !key.startsWith(rule.base) || key === rule.base) continue
    const { ignored, unignored } = rule.patterns.test(key.slice(rule.base.length))
    if (ignored || unignored) return ignored
  }
  return null
}

/** The rules without the patterns that ignore the folder `base`. */
function without(rules: Rules, base: string, make: Make): Rules {
  const relative = base.slice(rules.base.length)
  if (relative === '' || !rules.patterns.test(relative).ignored) return rules
  const lines = rules.lines.filter((line) => !make().add(line).test(relative).ignored)
  return { ...rules, lines, patterns: make().add([...lines]) }
}

/** The lines of a file; one that cannot be read ignores nothing, as in git. */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
  } catch {
    return []
  }
}
