// The grammar of annotations beyond the reference's cases: what is talk about the protocol, where annotations end, which
// sentinel counts, whose fields they are. The bodies are a library's.

import { describe, expect, test } from 'vitest'
import { annotationsIn } from '../../src/extract/ledger-annotations.ts'

const tags = (text: string): string[] => annotationsIn(text).map(({ type }) => type)
const only = (text: string) => annotationsIn(text)[0] ?? expect.unreachable(text)

describe('tag lines', () => {
  test.each([
    ['<!-- FORGE:CONTEXT -->', ['CONTEXT']],
    ['<!--FORGE:CONTEXT-->', ['CONTEXT']],
    ['\ufeff <!--\u00a0FORGE:CONTEXT\t-->\r', ['CONTEXT']],
    ['<!-- FORGE:MY_SHELF: a --> b -->', ['MY_SHELF']],
    ['\u200b<!-- FORGE:CONTEXT -->', []],
    ['<!-- FORGE:Context -->', []],
    ['<!-- FORGE:CONTEXT2 -->', []],
    ['<!-- FORGE:CONTEXT — the shelf -->', []],
    ['<!-- FORGE:CONTEXT --> shelf', []],
    ['shelf <!-- FORGE:CONTEXT -->', []],
    ['- <!-- FORGE:CONTEXT -->', []],
    ['`<!-- FORGE:CONTEXT -->`', []],
    ['&lt;!-- FORGE:CONTEXT --&gt;', []],
    ['<!--> FORGE:CONTEXT -->', []],
    ['<!-- FORGE:CONTEXT -->\n<!-- FORGE:CONTEXT:COMPLETE -->\n<!-- FORGE:BUILDER -->', ['CONTEXT', 'BUILDER']],
    ['<!-- FORGE:CARD:COMPLETE -->', ['CARD']],
    ['<!-- FORGE:CONTEXT: PARTIAL -->', []],
    ['<!-- FORGE: -->', []],
  ])('%j', (text, expected) => expect(tags(text)).toEqual(expected))

  test('values are trimmed, unescaped once and may be empty', () => {
    expect(only('<!-- FORGE:PRIOR_GIST:  shelf &lt;!-- 4 --&gt; &amp;amp;  -->').value).toBe('shelf <!-- 4 --> &amp;')
    expect(only('<!-- FORGE:PRIOR_GIST: -->').value).toBe('')
    expect(only('<!-- FORGE:PRIOR_GIST -->').value).toBeNull()
  })

  test('lines are counted from the top of the text', () => {
    expect(annotationsIn('Shelf\r\n\r\n<!-- FORGE:CONTEXT -->\nbody').map(({ line, body }) => [line, body])).toEqual([
      [3, 'body'],
    ])
  })
})

describe('talk about the protocol', () => {
  const tag = '<!-- FORGE:REVIEWER -->'
  test.each([
    ['a fence', `\`\`\`md\n${tag}\n\`\`\``, 0],
    ['a fence of tildes', `~~~\n${tag}\n~~~`, 0],
    ['a longer fence that holds a shorter one', `\`\`\`\`\n\`\`\`\n\`\`\`\n${tag}\n\`\`\`\``, 0],
    ['a fence that nobody closes', `\`\`\`\n${tag}\n\n${tag}`, 0],
    ['a fence in a list', `- shelf\n  \`\`\`\n  ${tag}\n  \`\`\``, 0],
    ['a fence with CRLF', `\`\`\`\r\n${tag}\r\n\`\`\`\r\n${tag}`, 1],
    ['a quotation', `> ${tag}`, 0],
    ['a fence in a quotation ends with it', `> \`\`\`\n> ${tag}\n\n${tag}`, 1],
    ['four blanks', `Shelf:\n\n    ${tag}`, 0],
    ['a tab', `Shelf:\n\n\t${tag}`, 0],
    ['behind a fence', `\`\`\`\n${tag}\n\`\`\`\n${tag}`, 1],
    ['inline back-ticks', `\`\`\` ${tag} \`\`\`\n${tag}`, 1],
    ['indented, but within a list', `1. shelf\n\n   ${tag}\n\n- shelf\n\n    ${tag}`, 2],
    ['three blanks', `   ${tag}`, 1],
  ])('%s', (_, text, count) => expect(annotationsIn(text)).toHaveLength(count))
})

describe('state', () => {
  test.each([
    ['<!-- FORGE:INVESTIGATOR -->\nx\n<!-- INVESTIGATION:COMPLETE -->', 'complete'],
    ['<!-- FORGE:INVESTIGATOR -->\nx\n<!-- INVESTIGATION:COMPLETE --> thanks', 'interrupted'],
    ['<!-- FORGE:INVESTIGATOR -->\nx\n<!-- Investigation:Complete -->', 'interrupted'],
    ['<!-- FORGE:INVESTIGATOR -->\nsee <!-- INVESTIGATION:COMPLETE --> there', 'interrupted'],
    ['<!-- FORGE:INVESTIGATOR -->\n```\n<!-- INVESTIGATION:COMPLETE -->\n```', 'interrupted'],
    ['<!-- FORGE:INVESTIGATOR -->\n<!-- INVESTIGATION:INVALID -->', 'interrupted'],
    ['<!-- FORGE:INVESTIGATOR -->\n<!-- FORGE:PRIOR_GIST: x -->\n<!-- INVESTIGATION:COMPLETE -->', 'interrupted'],
    ['<!-- FORGE:CONTEXT -->\n<!-- FORGE:CONTEXT:PARTIAL -->', 'partial'],
    ['<!-- FORGE:CONTEXT -->\n<!-- FORGE:CONTEXT:PARTIAL -->\n<!-- FORGE:CONTEXT:COMPLETE -->', 'complete'],
    ['<!-- FORGE:BUILDER -->\n<!-- FORGE:BUILDER:PARTIAL -->', 'interrupted'],
    ['<!-- FORGE:TRAJECTORY -->', 'complete'],
    ['<!-- FORGE:REVIEWER:MERGED -->', 'complete'],
    ['<!-- FORGE:GATE_FAILED -->', 'complete'],
    ['<!-- FORGE:SHELF_SCAN -->', 'interrupted'],
    ['<!-- FORGE:SHELF_SCAN -->\n<!-- OTHER:SCAN:COMPLETE -->', 'complete'],
    ['<!-- FORGE:SHELF_SCAN -->\n<!-- SHELF:PARTIAL -->', 'partial'],
  ])('%j', (text, state) => expect(only(text).state).toBe(state))
})

describe('fields', () => {
  const fields = (body: string, tag = 'INVESTIGATOR'): object =>
    Object.fromEntries(only(`<!-- FORGE:${tag} -->\n${body}`).fields)

  test.each([
    ['**Verdict**: CONFIRMED', { Verdict: 'CONFIRMED' }],
    ['  **Task Type**  :Feature  \r', { 'Task Type': 'Feature' }],
    ['**Verdict**: A\n**Verdict**: B', { Verdict: 'B' }],
    ['**A &lt;!-- key --&gt;**: x &amp;amp; y', { 'A <!-- key -->': 'x &amp; y' }],
    ['**__proto__**: 1\n**constructor**: 2', JSON.parse('{"__proto__":"1","constructor":"2"}')],
    ['**Verdict:** CONFIRMED', {}],
    ['- **Verdict**: CONFIRMED', {}],
    ['**Verdict**:', {}],
    ['**Ver*dict**: x', {}],
    ['****: x', {}],
    ['```\n**Verdict**: INVALID\n```', {}],
  ])('%j', (body, expected) => expect(fields(body)).toEqual(expected))

  test('a tag with a value has none', () => expect(fields('**Verdict**: CONFIRMED', 'INVESTIGATOR: 2')).toEqual({}))

  test('those of a pattern block are the block’s, others add to the investigation’s', () => {
    const body = '**Severity**: LOW\n\n### Pattern Metadata\n**Pattern**: p\n**Severity**: HIGH\n**Confidence**: HIGH'
    expect(fields(body)).toEqual({ Severity: 'LOW', Confidence: 'HIGH' })
    expect(fields(body.replace('**Severity**: LOW\n\n', ''))).toEqual({ Confidence: 'HIGH' })
    expect(fields(`${body}\n**Confidence**: LOW`)).toMatchObject({ Confidence: 'LOW' })
    expect(fields(`**Confidence**: MEDIUM\n${body}`)).toMatchObject({ Confidence: 'MEDIUM' })
    // Only investigations have blocks.
    expect(fields(body, 'BUILDER')).toMatchObject({ Pattern: 'p', Severity: 'HIGH' })
  })
})
