export function commandNames(help: string): string[]
export function commandLines(): string[][]
export function withGeneratedParts(text: string): string
export const CONVENTIONS: Readonly<Record<string, readonly string[]>>
