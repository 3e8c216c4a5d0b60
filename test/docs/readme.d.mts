export function commandNames(help: string): string[]
export function commandLines(): string[][]
export function withGeneratedParts(text: string, names?: readonly string[]): string
export function block(text: string, language?: string): string
export const CONVENTIONS: Readonly<Record<string, readonly string[]>>
