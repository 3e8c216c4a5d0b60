// Keeps text that came from a repository from steering a terminal. Applied only where the output is one; a pipe gets
// the contract's bytes.

/** C0 (line feeds excepted: the renderers' own), DEL, C1, and the bidirectional overrides and isolates. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The text with every control character except line feed written as `\u00xx`. */
export function forTerminal(text: string): string {
  return text.replace(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** One entry of a list: as `forTerminal`, and a line feed inside it (a file name may hold one) is escaped as well. */
export function entryForTerminal(text: string): string {
  return forTerminal(text).replaceAll('\n', '\\u000a')
}
