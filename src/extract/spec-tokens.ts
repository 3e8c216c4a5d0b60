// The extraction rules of the spec graph that find labels, calls, scripts and devdocs: one line in, tokens in order of
// appearance out, linear and without state, as in spec-markers.ts. Whether a token names anything is not asked here.
// Surprise: two scanners take the blanks as an argument, because the public validator reads with fewer of them.

import type { CharacterTest } from './characters.ts'
import { find, isBlank, isDigit, isQuote, isSmall, isWord, skip } from './characters.ts'

const NONE: readonly string[] = []
const WORKFLOW = 'workflow:'

function isLabelPart(code: number): boolean {
  return isSmall(code) || isDigit(code) || code === 0x2d
}

/** Every `workflow:` + small letter + small letters, digits, hyphens (sheet spec-graph §4, label nodes). */
export function labelTokens(text: string): readonly string[] {
  let at = text.indexOf(WORKFLOW)
  if (at === -1) return NONE
  const tokens: string[] = []
  while (at !== -1) {
    const name = at + WORKFLOW.length
    const end = isSmall(text.charCodeAt(name)) ? skip(text, name, isLabelPart) : name
    if (end > name) tokens.push(text.slice(at, end))
    at = text.indexOf(WORKFLOW, end)
  }
  return tokens
}

/** Labels in quoted strings behind a flag; a string without any is scanned again for the flag. */
function labelsBehind(line: string, flag: string, blank: CharacterTest): readonly string[] {
  let at = line.indexOf(flag)
  if (at === -1) return NONE
  const tokens: string[] = []
  while (at !== -1) {
    let resume = at + flag.length
    const quote = skip(line, resume, blank)
    if (quote > resume && isQuote(line.charCodeAt(quote))) {
      const end = find(line, quote + 1, isQuote)
      const labels = end === -1 ? NONE : labelTokens(line.slice(quote + 1, end))
      if (labels.length > 0) {
        tokens.push(...labels)
        resume = end + 1
      }
    }
    at = line.indexOf(flag, resume)
  }
  return tokens
}

/** Labels that a line sets: `--add-label "…workflow:x…"` (sheet spec-graph §5.3). */
export function addedLabels(line: string): readonly string[] {
  return labelsBehind(line, '--add-label', isBlank)
}

/** Labels that a line takes away (sheet spec-graph §9.3); the public validator uses `isCLibraryBlank`. */
export function removedLabels(line: string, blank: CharacterTest = isBlank): readonly string[] {
  return labelsBehind(line, '--remove-label', blank)
}

function isTargetPart(code: number): boolean {
  return isWord(code) || code === 0x3a || code === 0x2f || code === 0x2d
}

/**
 * Targets of `Skill(…)` calls, with every `/` turned into `:`, one per occurrence, resolved or not
 * (sheet spec-graph §5.4; §9.2 with `isCLibraryBlank` for the public validator).
 */
export function skillTargets(line: string, blank: CharacterTest = isBlank): readonly string[] {
  let at = line.indexOf('Skill(')
  if (at === -1) return NONE
  const targets: string[] = []
  for (; at !== -1; at = line.indexOf('Skill(', at + 6)) {
    let quote = skip(line, at + 6, blank)
    if (line.startsWith('skill', quote)) {
      const sign = skip(line, quote + 5, blank)
      const code = line.charCodeAt(sign)
      if (code !== 0x3d && code !== 0x3a) continue
      quote = skip(line, sign + 1, blank)
    }
    const start = quote + 1
    const first = line.charCodeAt(start)
    if (!isQuote(line.charCodeAt(quote)) || first === 0x5f || !isWord(first)) continue
    const end = skip(line, start, isTargetPart)
    if (isQuote(line.charCodeAt(end))) targets.push(line.slice(start, end).replaceAll('/', ':'))
  }
  return targets
}

function isTokenPart(code: number): boolean {
  return isWord(code) || code === 0x2d
}

/** Every `*.sh` token, whether or not such a script exists (sheet spec-graph §5.6). */
export function scriptTokens(line: string): readonly string[] {
  let dot = line.indexOf('.sh')
  if (dot === -1) return NONE
  const tokens: string[] = []
  let from = 0
  for (; dot !== -1; dot = line.indexOf('.sh', dot + 3)) {
    if (isWord(line.charCodeAt(dot + 3))) continue
    let start = dot
    while (start > from && isTokenPart(line.charCodeAt(start - 1))) start--
    // The token starts at a word edge. Before a hyphen that is so only right behind the previous token.
    if (!(start === from && from > 0)) start = skip(line, start, (code) => code === 0x2d)
    if (start >= dot) continue
    tokens.push(line.slice(start, dot + 3))
    from = dot + 3
  }
  return tokens
}

const REQUIREMENT = /\b(?:read|required|must|before)\b/i

function isPathPart(code: number): boolean {
  return isWord(code) || code === 0x2f || code === 0x2d
}

/** Every `devdocs/*.md` token of a line that also holds a requirement word (sheet spec-graph §5.7). */
export function requiredDevdocs(line: string): readonly string[] {
  let at = line.indexOf('devdocs/')
  if (at === -1 || !REQUIREMENT.test(line)) return NONE
  const tokens: string[] = []
  while (at !== -1) {
    const start = at + 'devdocs/'.length
    // Where the run does not lead to `.md`, no start inside the run does either.
    let resume = skip(line, start, isPathPart)
    if (resume > start && line.startsWith('.md', resume)) {
      resume += 3
      tokens.push(line.slice(at, resume))
    }
    at = line.indexOf('devdocs/', resume)
  }
  return tokens
}
