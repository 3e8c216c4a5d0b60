export function commandNames(help: string): string[]
export function commandLines(): string[][]
export function withGeneratedParts(text: string): string
