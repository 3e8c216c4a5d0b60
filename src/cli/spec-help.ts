// Help of the spec verbs, generated from their table. Pure.

import { alignedRows } from '../render/table.ts'
import { SPEC_VERBS, type SpecVerb } from './spec-verbs.ts'

/** Help of one verb, or of the whole group. */
export function specHelp(verb: SpecVerb | null): string {
  return verb === null ? groupHelp() : verbHelp(verb)
}

function groupHelp(): string {
  const rows = SPEC_VERBS.filter((verb) => !verb.hidden).map((verb) => [`  ${signature(verb)}`, verb.summary])
  return [
    'Usage: specdex spec VERB [ARGUMENT] [FLAGS]\n',
    '\nThe spec knowledge graph of commands/, scripts/ and devdocs/.\n',
    '\nVerbs:\n',
    alignedRows(rows),
    '\n`specdex spec VERB --help` lists the flags of a verb. Flags may stand before or after the verb.\n',
  ].join('')
}

function verbHelp(verb: SpecVerb): string {
  const rows = verb.flags.map((flag) => [`  ${flag.name}${flag.value === null ? '' : ` ${flag.value}`}`, flag.summary])
  const summary = verb.summary.charAt(0).toUpperCase() + verb.summary.slice(1)
  return `Usage: specdex spec ${signature(verb)} [FLAGS]\n\n${summary}.\n\nFlags:\n${alignedRows(rows)}`
}

function signature(verb: SpecVerb): string {
  return verb.argument === null ? verb.name : `${verb.name} ${verb.argument.toUpperCase()}`
}
