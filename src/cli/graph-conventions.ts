// `specdex graph conventions`: which modules and conventions were found and why; with --pin it writes them into the
// configuration, which no other verb does. The surprise: the file is extended as text, so that comments stay.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseConfig } from '../extract/config.ts'
import { pinOf } from '../extract/conventions/pin.ts'
import { findLayout } from '../indexing/layout.ts'
import type { Place } from '../indexing/place.ts'
import { UserError } from '../model/errors.ts'
import type { Layout } from '../model/layout.ts'
import { layoutJson } from '../render/graph-json.ts'
import { replaceFile } from '../scan/replace-file.ts'
import { CONFIG_FILE } from '../scan/root.ts'
import { createFolders } from '../store/folders.ts'
import { graphPlace } from './graph-source.ts'
import type { Io } from './io.ts'
import { printable } from './print.ts'

/** Exit 0. Throws UserError config where the configuration names conventions already and is asked to pin them. */
export async function runConventions(options: Record<string, unknown>, io: Io): Promise<number> {
  const place = await graphPlace(options, io)
  const layout = await findLayout(place)
  if (options['pin'] === true) pin(place, layout, io)
  io.out(options['json'] === true ? layoutJson(layout) : printable(io, text(layout)))
  return 0
}

function text({ modules, notes }: Layout): string {
  const lines = modules.flatMap((module) => [
    ...(modules.length === 1 ? [] : [module.name === null ? 'the root' : `[${module.name}] in ${module.path}`]),
    ...module.conventions.map(({ name, kind, folder, why }) => `${name} (${kind}) in ${folder || '.'}: ${why}`),
  ])
  return `${[...lines, ...notes.map((note) => `note: ${note}`)].join('\n')}\n`
}

/** Adds `graph.conventions` to the configuration file, which is made where there is none. */
function pin({ root, config }: Place, { modules }: Layout, io: Io): void {
  if (config.graph.conventions.length > 0) {
    throw new UserError('config', `${CONFIG_FILE} names conventions already`, 'edit `graph.conventions` there')
  }
  const [top] = modules
  const entries = [...new Set((top?.conventions ?? []).map((use) => pinOf(use, config.graph)))]
  const file = path.join(root, CONFIG_FILE)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = withConventions(before, entries)
  // What was written must be read again as it was meant.
  const { conventions } = parseConfig(after, CONFIG_FILE).graph
  if (conventions.join('\n') !== entries.join('\n')) {
    const wanted = `graph: { conventions: [${entries.join(', ')}] }`
    throw new UserError('config', `${CONFIG_FILE} is not to be extended as it is laid out`, `add by hand: ${wanted}`)
  }
  createFolders(path.dirname(file))
  replaceFile(file, after, process.pid)
  io.err(`note: ${CONFIG_FILE} names these conventions now`)
}

/** The text of a configuration with the list added, below its own `graph:` where it has one as a block. */
function withConventions(before: string, entries: readonly string[]): string {
  const list = ['  conventions:', ...entries.map((entry) => `    - ${JSON.stringify(entry)}`)].join('\n')
  const block = /^graph:[ \t]*(#[^\n]*)?\r?\n/m.exec(before)
  if (block !== null) {
    const at = block.index + block[0].length
    return `${before.slice(0, at)}${list}\n${before.slice(at)}`
  }
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return `${before}${gap}graph:\n${list}\n`
}
