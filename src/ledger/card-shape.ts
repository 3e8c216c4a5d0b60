// Whether a text is a card as this version writes them: every key, type and place. It judges texts that came from
// outside (an export, the mirror) and changes nothing. The surprise: a line must be the very bytes that we would write
// for it; one with other spacing or a doubled key is as foreign as one with a key too many.

import { CARD_KEYS, CARD_KINDS, type Card, type CardKind } from '../model/ledger.ts'
import { SCHEMA_VERSION } from './content.ts'

type Test = (value: unknown) => boolean

const OPTIONAL: readonly string[] = ['costUsd', 'adrPath']

const isText: Test = (value) => typeof value === 'string'
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) > 0
const isAmount: Test = (value) => typeof value === 'number'
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText)
const isDay: Test = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isTime(value)

const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value)

const shape =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isRecord(value) &&
    Object.keys(value).length === Object.keys(tests).length &&
    Object.entries(tests).every(([key, test]) => Object.hasOwn(value, key) && test(value[key]))

const TESTS: Readonly<Record<string, Test>> = {
  schemaVersion: (value) => value === SCHEMA_VERSION,
  id: isText,
  kind: isText,
  issue: isCount,
  pr: orNull(isCount),
  sourceCommentId: orNull(isCount),
  verdict: orNull(isText),
  confidence: orNull(isText),
  severity: orNull(isText),
  taskType: orNull(isText),
  pattern: isText,
  rootCause: orNull(isText),
  prevention: orNull(isText),
  decision: isText,
  anomalies: orNull(isText),
  paths: isTexts,
  symbols: isTexts,
  anchor: orNull(
    shape({
      path: orNull(isText),
      symbol: orNull(isText),
      blobSha: orNull(isText),
      snippetHash: orNull(isText),
      citedAtIssue: isCount,
    }),
  ),
  outcome: shape({ fixMerged: (value) => typeof value === 'boolean' }),
  createdAt: isDay,
  adrPath: isText,
  costUsd: shape({
    investigation: orNull(isAmount),
    build: orNull(isAmount),
    review: orNull(isAmount),
    total: isAmount,
  }),
}

/** The card of a line of `knowledge.jsonl`, or what is wrong with it. Keys: sheet ledger §2.1, model/ledger.ts. */
export function cardOfLine(line: string): Card | string {
  const value = jsonOf(line)
  if (!isRecord(value)) return 'is no JSON object; it may be torn'
  if (value['schemaVersion'] !== SCHEMA_VERSION) return 'is of another schema version'
  const kind = CARD_KINDS.find((name) => name === value['kind'])
  if (kind === undefined) return 'is of an unknown kind'
  const keys = CARD_KEYS[kind].filter((key) => Object.hasOwn(value, key) || !OPTIONAL.includes(key))
  const found = Object.keys(value)
  const odd = found.find((key) => !keys.includes(key)) ?? keys.find((key) => !found.includes(key))
  if (odd !== undefined) return `has no key or one too many: ${odd}`
  const wrong = keys.find((key) => TESTS[key]?.(value[key]) !== true || isMissingVerdict(kind, key, value[key]))
  if (wrong !== undefined) return `has a strange ${wrong}`
  if (!isIdOf(value['id'] as string, value['issue'] as number, kind)) return 'has an id that is not its own'
  if (JSON.stringify(value) !== line || found.some((key, i) => key !== keys[i])) return 'is not in canonical form'
  return value as unknown as Card
}

/** A JSON text's value; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A time or day that can be compared. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

/** Only a pattern may come from an investigation without a verdict. */
function isMissingVerdict(kind: CardKind, key: string, value: unknown): boolean {
  return key === 'verdict' && kind === 'investigation' && value === null
}

function isIdOf(id: string, issue: number, kind: CardKind): boolean {
  const head = `${issue}/${kind}/`
  return id.startsWith(head) && /^(0|[1-9]\d{0,8})$/.test(id.slice(head.length))
}
