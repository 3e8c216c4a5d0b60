// Which names a file may speak of: time, environment, streams and chance belong to cli, SQL text to the store, and
// process.exit to nobody. Judges single nodes; imports and cycles are architecture.ts.

import { type Report, roomOf, SQL_ROOM, WORLDLY } from './architecture-rules.ts'
import { firstQuasi, literalText, type Node, nameOf, patternNames, propertyName } from './syntax.ts'

/** Time, environment, streams, chance and running text: who may name them, and how. */
export function checkAmbient(file: string, node: Node, parent: Node | null, slot: string, report: Report): void {
  if (node.type === 'ImportDeclaration') checkWorldlyNames(file, node, report)
  if (node.type === 'MemberExpression' && nameOf(node.object) === 'process' && isExit(propertyName(node))) {
    report('exit', node.start, `process.${propertyName(node)}`)
  }
  if (node.type === 'VariableDeclarator' && nameOf(node.init) === 'process' && isExit(...patternNames(node.id))) {
    report('exit', node.start, 'exit taken out of process')
  }
  const name = nameOf(node)
  if (name === null || parent === null || isOnlyAName(parent, slot)) return
  if ((name === 'eval' || name === 'Function') && slot === 'callee') report('evaluate', node.start, name)
  if (roomOf(file) === WORLDLY) return
  if (AMBIENT.has(name)) report('ambient', node.start, `${name} below ${WORLDLY}`)
  if (name === 'Math' && (slot !== 'object' || (propertyName(parent) ?? 'random') === 'random')) {
    report('random', node.start, `Math.random below ${WORLDLY}`)
  }
  if (name === 'Date' && !isTimelessDate(parent, slot)) report('ambient', node.start, `the clock below ${WORLDLY}`)
}

const AMBIENT = new Set([
  'process',
  'console',
  'performance',
  'globalThis',
  'global',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'navigator',
])
const RANDOM_IMPORTS = new Set(['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'randomFillSync', 'webcrypto'])

/** Named imports that bring in what may not be named: exit from node:process, randomUUID from node:crypto. */
function checkWorldlyNames(file: string, node: Node, report: Report): void {
  const from = literalText(node.source)?.replace(/^node:/, '')
  for (const specifier of node.specifiers as Node[]) {
    const name = nameOf(specifier.imported)
    if (name === null) continue
    if (from === 'process' && isExit(name)) report('exit', node.start, `${name} imported from node:process`)
    if (from === 'crypto' && RANDOM_IMPORTS.has(name) && roomOf(file) !== WORLDLY) {
      report('random', node.start, `${name} below ${WORLDLY}`)
    }
  }
}

/** `new Date(value)`, `Date.UTC`, `Date.parse`, `x instanceof Date`: these do not ask what time it is. */
function isTimelessDate(parent: Node, slot: string): boolean {
  if (parent.type === 'NewExpression' && slot === 'callee') return (parent.arguments as unknown[]).length > 0
  if (parent.type === 'MemberExpression' && slot === 'object') {
    return ['UTC', 'parse', 'prototype'].includes(propertyName(parent) ?? '')
  }
  return parent.type === 'BinaryExpression' && parent.operator === 'instanceof'
}

/** True where an identifier is a property, a key or a type, and so does not read a variable. */
function isOnlyAName(parent: Node, slot: string): boolean {
  if (parent.type === 'MemberExpression') return slot === 'property' && parent.computed !== true
  if (slot === 'key') return parent.computed !== true
  // `typeof process` in a type only describes; the value has to come from somewhere.
  return parent.type.startsWith('TS') && !VALUE_WRAPPERS.has(parent.type)
}

const VALUE_WRAPPERS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion'])

const SQL =
  /^\s*(--[^\n]*\n\s*)*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|PRAGMA|VACUUM|BEGIN|COMMIT)\b(?=\s*(?:$|[\w*("'`;[]))/

/** SQL text outside the store. */
export function checkSql(file: string, node: Node, report: Report): void {
  if (roomOf(file) === SQL_ROOM) return
  const text = node.type === 'TemplateLiteral' ? firstQuasi(node) : literalText(node)
  const word = SQL.exec(text ?? '')?.[2]
  if (word !== undefined) report('sql', node.start, `${word} statement outside ${SQL_ROOM}`)
}

function isExit(...names: (string | null)[]): boolean {
  return names.some((name) => name === 'exit' || name === 'reallyExit' || name === 'abort')
}
