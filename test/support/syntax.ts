// The syntax tree as the architecture test sees it: any node with a type, walked without knowing the grammar.

/** A node of the tree that oxc-parser returns; which further fields it has depends on its type (ESTree, TS-ESTree). */
export type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown }

/** Calls `see` for a node and everything below it; `slot` is the parent's field that holds the node. */
export function visit(
  node: Node,
  parent: Node | null,
  slot: string,
  see: (node: Node, parent: Node | null, slot: string) => void,
): void {
  see(node, parent, slot)
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, node, key, see)
    }
  }
}

/** Name of an identifier, else null. */
export function nameOf(node: unknown): string | null {
  const it = node as Node | null | undefined
  return it?.type === 'Identifier' ? (it.name as string) : null
}

/** Text of a string literal or of a template without holes, else null. */
export function literalText(node: unknown): string | null {
  const it = node as Node | null | undefined
  if (it?.type === 'Literal') return typeof it.value === 'string' ? it.value : null
  if (it?.type === 'TSLiteralType') return literalText(it.literal)
  if (it?.type === 'TemplateLiteral' && (it.expressions as unknown[]).length === 0) return firstQuasi(it)
  return null
}

/** Text of a template before its first hole. */
export function firstQuasi(node: Node): string | null {
  const first = (node.quasis as { readonly value: { readonly cooked: string | null } }[])[0]
  return first?.value.cooked ?? null
}

/** Name behind the dot, or the literal in brackets; null where it is computed. */
export function propertyName(member: Node): string | null {
  return member.computed === true ? literalText(member.property) : nameOf(member.property)
}

/** Names that an object pattern takes out. */
export function patternNames(pattern: unknown): string[] {
  const it = pattern as Node
  if (it.type !== 'ObjectPattern') return []
  return (it.properties as Node[]).map((property) => nameOf(property.key) ?? '')
}
