// Checks a tree of sources against the room map. A pure function over {path below src → text}: it reads no disk, so
// the test can feed it deliberate violations. Known limits: names built from strings (Reflect, `globalThis` is
// refused as a whole), a renamed fragment of SQL, and what a listed package does inside.

import { builtinModules } from 'node:module'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { checkAmbient, checkSql } from './architecture-names.ts'
import {
  ADVICE,
  BANNED_NAMES,
  FACADE,
  FACADE_IMPORTS,
  MAX_LINES,
  type Report,
  ROOMS,
  roomOf,
  WORLDLY,
} from './architecture-rules.ts'
import { literalText, type Node, nameOf, visit } from './syntax.ts'

export interface Violation {
  readonly rule: keyof typeof ADVICE
  /** Path below src. */
  readonly file: string
  readonly line: number
  readonly message: string
}

interface Reference {
  /** null: computed. */
  readonly specifier: string | null
  readonly at: number
}

const BUILTINS = new Set(builtinModules)

/** All broken rules, in path order. Files that are not TypeScript only count as possible targets of an import. */
export function checkArchitecture(files: Readonly<Record<string, string>>): Violation[] {
  const violations: Violation[] = []
  const graph = new Map<string, Set<string>>()
  const sources = Object.keys(files)
    .filter((file) => file.endsWith('.ts'))
    .sort()
  for (const file of sources) {
    const text = files[file] ?? ''
    const report: Report = (rule, at, message) => {
      violations.push({
        rule,
        file,
        line: text.slice(0, at).split('\n').length,
        message: `${message}: ${ADVICE[rule]}`,
      })
    }
    graph.set(file, checkFile(file, text, report))
  }
  for (const room of Object.keys(ROOMS)) {
    if (sources.some((file) => file.startsWith(`${room}/`))) continue
    violations.push({ rule: 'empty', file: `${room}/`, line: 0, message: `no file in room ${room}: ${ADVICE.empty}` })
  }
  return [...violations, ...cycles(graph)]
}

/** One line for people. */
export function formatViolation(violation: Violation): string {
  return `src/${violation.file}:${violation.line} [${violation.rule}] ${violation.message}`
}

/** Reports what is wrong in one file; returns the files below src that it imports. */
function checkFile(file: string, text: string, report: Report): Set<string> {
  checkPlace(file, text, report)
  const parsed = parseSync(file, text, { lang: 'ts', sourceType: 'module', preserveParens: false })
  const failure = parsed.errors[0]
  if (failure !== undefined) report('syntax', failure.labels[0]?.start ?? 0, failure.message)
  const references: Reference[] = []
  visit(parsed.program as unknown as Node, null, '', (node, parent, slot) => {
    collectReference(node, references)
    checkAmbient(file, node, parent, slot, report)
    checkSql(file, node, report)
    if (node.type === 'ExportDefaultDeclaration' || exportsDefaultName(node)) {
      report('defaultExport', node.start, 'default export')
    }
  })
  const targets = new Set<string>()
  for (const reference of references) {
    const target = checkReference(file, reference, report)
    if (target !== null) targets.add(target)
  }
  return targets
}

function checkPlace(file: string, text: string, report: Report): void {
  const room = roomOf(file)
  if (room === null && file !== FACADE) report('room', 0, `${file} stands in no room`)
  if (room !== null && ROOMS[room] === undefined) report('room', 0, `unknown room ${room}`)
  for (const part of file.split('/')) {
    if (BANNED_NAMES.includes(part.replace(/\..*$/, ''))) report('name', 0, `${part} is no name`)
  }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const generated = /^\/[/*].*\bgenerated\b/i.test(text.split('\n', 1)[0] ?? '')
  if (lines > MAX_LINES && !generated) report('lines', 0, `${lines} lines, ${MAX_LINES} are allowed`)
}

/** Imports of every spelling: static, type-only, re-export, import(), import('…').T, require, import x = require. */
function collectReference(node: Node, references: Reference[]): void {
  const add = (source: unknown): void => {
    references.push({ specifier: literalText(source), at: node.start })
  }
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
    case 'ExportAllDeclaration':
      add(node.source)
      break
    case 'ExportNamedDeclaration':
      if (node.source) add(node.source)
      break
    case 'TSExternalModuleReference':
      add(node.expression)
      break
    case 'CallExpression': {
      const callee = node.callee as Node
      const called =
        callee.type === 'MemberExpression' && nameOf(callee.property) === 'resolve' ? callee.object : callee
      if (nameOf(called) === 'require') add((node.arguments as unknown[])[0])
      break
    }
  }
}

/** Reports an import that may not be; returns the file below src that it names, if it names one. */
function checkReference(file: string, reference: Reference, report: Report): string | null {
  const { specifier, at } = reference
  if (specifier === null) {
    report('computed', at, 'computed import')
    return null
  }
  if (specifier.startsWith('.')) return checkArrow(file, specifier, at, report)
  const room = roomOf(file)
  const rules = room === null ? undefined : ROOMS[room]
  if (/^[#~/]|^@\/|^(?!node:)[a-z]+:/.test(specifier)) {
    report('alias', at, `${file} → ${specifier}`)
    return null
  }
  const bare = specifier.replace(/^node:/, '')
  const [first = '', second = ''] = bare.split('/')
  if (specifier.startsWith('node:') || BUILTINS.has(bare) || BUILTINS.has(first)) {
    const allowed = rules?.builtins ?? []
    if (!allowed.includes(first)) report('builtin', at, `${room ?? file} → node:${bare} (from ${file})`)
    return null
  }
  const name = first.startsWith('@') ? `${first}/${second}` : first
  const allowed = rules?.packages ?? []
  if (!allowed.includes(name)) report('package', at, `${room ?? file} → package ${name} (from ${file})`)
  return null
}

function checkArrow(file: string, specifier: string, at: number, report: Report): string | null {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
  const room = roomOf(file)
  if (target.startsWith('..')) {
    if (target !== '../package.json' || room !== WORLDLY) report('outside', at, `${file} → ${specifier}`)
    return null
  }
  const targetRoom = roomOf(target)
  const allowed = room === null ? FACADE_IMPORTS : (ROOMS[room]?.imports ?? [])
  if (targetRoom !== room && (targetRoom === null || !allowed.includes(targetRoom))) {
    report('arrow', at, `${room ?? file} → ${targetRoom ?? target} (${file} imports ${target})`)
  }
  return target
}

/** Strongly connected files (Tarjan), each reported once at its first file. */
function cycles(graph: ReadonlyMap<string, ReadonlySet<string>>): Violation[] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: Violation[] = []
  const connect = (file: string): number => {
    const own = index.size
    index.set(file, own)
    low.set(file, own)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue
      const reach = index.has(target) ? (stack.includes(target) ? (index.get(target) ?? own) : own) : connect(target)
      low.set(file, Math.min(low.get(file) ?? own, reach))
    }
    const lowest = low.get(file) ?? own
    if (lowest === own) {
      const members = stack.splice(stack.indexOf(file)).sort()
      if (members.length > 1 || graph.get(file)?.has(file)) {
        const message = `cycle ${[...members, members[0]].join(' → ')}: ${ADVICE.cycle}`
        found.push({ rule: 'cycle', file: members[0] ?? file, line: 1, message })
      }
    }
    return lowest
  }
  for (const file of graph.keys()) if (!index.has(file)) connect(file)
  return found
}

function exportsDefaultName(node: Node): boolean {
  if (node.type !== 'ExportSpecifier') return false
  return nameOf(node.exported) === 'default'
}
