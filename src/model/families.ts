// Families of sources. A family is what one extractor reads; a file may belong to several (bit set), and a verb
// proves fresh only the families it answers from.

/** Bit of each family in `file.family`. Bits are stored: never renumber, only add. */
export const FAMILY_BIT = { spec: 1, docs: 2, artifact: 4, code: 8 } as const

/**
 * `spec`: commands/, scripts/, devdocs/ (seed 000). `docs`: every Markdown document of the configured roots.
 * `artifact`: ADRs and specs where a convention looks for them. `code`: source files, for governing comments (seed 001).
 */
export type Family = keyof typeof FAMILY_BIT

/** All families, in bit order. */
export const FAMILIES = Object.keys(FAMILY_BIT) as readonly Family[]

/** The bit set of some families. */
export function bitsOf(families: readonly Family[]): number {
  return families.reduce((bits, family) => bits | FAMILY_BIT[family], 0)
}

/** The families of a bit set, in bit order. */
export function familiesOf(bits: number): Family[] {
  return FAMILIES.filter((family) => (bits & FAMILY_BIT[family]) !== 0)
}
