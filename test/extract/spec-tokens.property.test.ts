// The scanners against the rules written once more as plain regular expressions, on random lines made of the rules'
// own fragments; whole texts against the same text as lines; and lines built to be slow. fast-check prints the seed.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { specExtractor } from '../../src/extract/command-spec.ts'
import * as markers from '../../src/extract/spec-markers.ts'
import * as tokens from '../../src/extract/spec-tokens.ts'
import { effort } from '../support/effort.ts'
import { source } from './assemble.ts'

const all = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map((hit) => hit[1] ?? hit[0])

// Readable, correct on short lines, and quadratic: the contract's rules as one would first write them down.
const labels = (flag: string, line: string): string[] =>
  all(new RegExp(`${flag}\\s+["']([^"']*?workflow:[a-z][^"']*)["']`, 'g'), line).flatMap((quoted) =>
    all(/workflow:[a-z][a-z0-9-]*/g, quoted),
  )

const ORACLES: Readonly<
  Record<string, readonly [scan: (line: string) => readonly string[], rule: (line: string) => string[]]>
> = {
  markers: [markers.markerTokens, (line) => all(/FORGE:[A-Z][A-Z0-9_]*/g, line)],
  labels: [tokens.labelTokens, (line) => all(/workflow:[a-z][a-z0-9-]*/g, line)],
  calls: [
    markers.calledMarkers,
    (line) => all(/\b(?:contains|test|capture)\(\s*["'][^"']*?(FORGE:[A-Z][A-Z0-9_]*)/g, line),
  ],
  prose: [markers.rereadMarkers, (line) => all(/\bre-?reads?\b[^.]*?(FORGE:[A-Z][A-Z0-9_]*)/gi, line)],
  plain: [
    markers.readMarkers,
    (line) =>
      all(/(?<!\b[Rr][Ee]-)\b[Rr]eads?\s+(?:(?:the|its|an|a)\s+)?(?:(?:`|<!--)\s*)*(FORGE:[A-Z][A-Z0-9_]*)/g, line),
  ],
  added: [tokens.addedLabels, (line) => labels('--add-label', line)],
  removed: [tokens.removedLabels, (line) => labels('--remove-label', line)],
  skills: [
    tokens.skillTargets,
    (line) =>
      all(/Skill\(\s*(?:skill\s*[=:]\s*)?["']([A-Za-z0-9][A-Za-z0-9:_/-]*)["']/g, line).map((target) =>
        target.replaceAll('/', ':'),
      ),
  ],
  scripts: [tokens.scriptTokens, (line) => all(/\b[A-Za-z0-9_-]+\.sh\b/g, line)],
  devdocs: [
    tokens.requiredDevdocs,
    (line) => (/\b(read|required|must|before)\b/i.test(line) ? all(/devdocs\/[A-Za-z0-9/_-]+\.md/g, line) : []),
  ],
}

function postedByRule(line: string, next: string | null): string[] {
  if (!/gh\s+(issue|pr)\s+comment[\s\S]*--body/.test(line)) return []
  const window = `${line.slice(line.indexOf('--body'))}\n${next ?? ''}`
  return all(/<!--\s*(FORGE:[A-Z][A-Z0-9_]*)\s*(?:-->|:\s[^>]*-->)/g, window)
}

const BLANKS = [' ', ' ', ' ', '\t', '\r', '\u00a0', '\u2028', '\ufeff', '\u0085', '\u200b']
const FRAGMENTS = [
  ...BLANKS,
  ...[
    'FORGE:',
    'FORGE:RYE',
    'FORGE:A_9',
    'forge:x',
    'FORGE:Half',
    'A',
    'a',
    '9',
    '_',
    'é',
    '.',
    ':',
    '-',
    '--',
    '-->',
    '>',
  ],
  ...['<!--', '<!-- ', '`', '"', "'", '(', ')', '/', ',', '=', '\\', '|'],
  ...['gh issue comment', 'gh pr comment', 'gh', 'issue', 'pr', 'comment', '--body', '--body "'],
  ...[
    'contains(',
    'test("',
    "capture('",
    'test',
    're-read',
    'reread',
    're-',
    'read',
    'reads',
    'Read',
    'pre-',
    'the',
    'its',
    'an',
  ],
  ...[
    '--add-label',
    '--add-label "',
    '--remove-label',
    "--remove-label '",
    'workflow:',
    'workflow:raw',
    'workflow:a-1',
  ],
  ...[
    'Skill(',
    'Skill("',
    'skill',
    'skill=',
    'skill: ',
    'knead',
    'bake:glaze',
    '.sh',
    'oven.sh',
    '-oven.sh',
    '.shx',
    'sh',
  ],
  ...['devdocs/', 'devdocs/heat.md', '.md', 'must', 'before', 'required', 'musty'],
]
const lineFrom = (parts: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((chosen) => chosen.join(''))
const lineOf = lineFrom(FRAGMENTS)

// Few fragments each, so that the rare meetings happen: an opener inside another one's string, a missing blank.
const OWN_FRAGMENTS: Readonly<Record<string, readonly string[]>> = {
  markers: ['FORGE:', 'FORGE', ':', 'A', '_', '9', 'a'],
  labels: ['workflow:', 'workflow', ':', 'a', '-', '9', '_', 'A'],
  calls: ['test', 'contains(', '(', ' ', '"', "'", 'FORGE:', 'A', 'x', '-'],
  prose: ['re', '-', 'read', 's', ' ', '.', 'forge:', 'FORGE:', 'A', 'b', '_'],
  plain: ['re-', 'read', 'Reads', ' ', '\t', 'the', 'a', 'an', '`', '<!--', 'FORGE:', 'A'],
  added: ['--add-label', ' ', '"', "'", 'workflow:', 'a', '-', ','],
  removed: ['--remove-label', ' ', '"', "'", 'workflow:', 'a', '-', ','],
  skills: ['Skill(', 'skill', ' ', '=', ':', '"', "'", 'a', '/', '_', '-', '.'],
  scripts: ['a', '-', '_', '.sh', '.', ' ', 'é', '/'],
  devdocs: ['devdocs/', 'a', '/', '.md', '.', ' ', 'must', '-'],
}
const RUNS = { numRuns: effort(4_000, 40_000) }

describe('each scanner finds what its rule says', () => {
  test.each(Object.entries(ORACLES))('%s', (name, [scan, rule]) => {
    fc.assert(
      fc.property(fc.oneof(lineOf, lineFrom(OWN_FRAGMENTS[name] ?? [])), (line) => {
        expect([...scan(line)]).toEqual(rule(line))
      }),
      RUNS,
    )
  })

  test('posted', () => {
    const posting = fc
      .array(fc.constantFrom('gh pr comment --body', '<!-- FORGE:RYE', ':', ' ', '-', '-->', '>', 'v', '<!--FORGE:A'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(lineOf, posting), fc.option(fc.oneof(lineOf, posting)), (line, next) => {
        expect([...markers.postedMarkers(line, next)]).toEqual(postedByRule(line, next))
      }),
      RUNS,
    )
  })
})

test('a text gives the same facts as its lines', () => {
  const text = fc.array(fc.oneof(lineOf, fc.constantFrom('', 'flour', '\r'))).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, fc.constantFrom('commands/bake.md', 'commands/bake/glaze.md'), (whole, path) => {
      expect(specExtractor.extract(source(path, whole))).toEqual(specExtractor.extract(source(path, whole, true)))
    }),
    { numRuns: effort(1_000, 10_000) },
  )
})

const TEN_MILLION = 10_000_000

/** Openers that lead nowhere, repeated: where a rule looks ahead for its end, naive scanning is quadratic. */
const OPENERS = [
  ...[
    '<!-- FORGE:A: ',
    'gh pr comment --body <!-- FORGE:A: ',
    '<!-- FORGE:A ',
    '--body ',
    'gh issue comment ',
    'gh   ',
    'gh issue ',
  ],
  ...['--add-label "', '--add-label ', '--add-label "workflow:', "--remove-label '", 'FORGE:', 'workflow:'],
  ...['Skill(', 'Skill(skill=', 'Skill("a', 'test("', 'test( ', 'test("") ', 'contains("FORGE:'],
  ...['re-read ', 're-read FORGE:', 're-read. ', 'read the ', 'read `<!--'],
  ...['devdocs/', 'must devdocs/x ', '.sh', 'a.shx', '-.sh-', 'a-'],
]

/** One endless run behind the head of a rule: a regular expression throws on such a run, long before it is slow. */
const HEADS = ['FORGE:A', 'read ', 'test(', 'gh pr comment --body <!--', 'Skill("a', 'a', 'must devdocs/a', 're-read ']
const RUN_OF = ['A', ' ', '`', '-', '/', '"', '<', '(']

describe('no line is slow', () => {
  const cpu = (work: () => void): number => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  test.each(OPENERS)('100,000 × %s', (opener) => {
    const line = `gh pr comment --body ${opener.repeat(100_000)}`
    expect(cpu(() => specExtractor.extract(source('commands/bake.md', line)))).toBeLessThan(1_000)
  })

  test.each(HEADS)('%s and ten million of one character', (head) => {
    // In the short run each head meets one character and each character one head.
    for (const character of effort(0, 1) === 1 ? RUN_OF : [RUN_OF[HEADS.indexOf(head)] ?? '']) {
      const line = `${head}${character.repeat(TEN_MILLION)} .sh FORGE:`
      expect(cpu(() => specExtractor.extract(source('commands/bake.md', line)))).toBeLessThan(1_000)
    }
  })

  test('nor many of them', () => {
    const text = 'gh pr comment --body <!-- FORGE:A: re-read test(" --add-label "\n'.repeat(50_000)
    expect(cpu(() => specExtractor.extract(source('commands/bake.md', text)))).toBeLessThan(1_000)
  })
})
