// Backfill on a terminal: shows each file's diff and asks. The only file that loads the prompts. Nothing is written
// before a yes for that very file. Surprise: Ctrl-C and the end of the input mean quit, and what was decided before stays
// decided.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cutBackfill, cutOutcome } from '../artifact/backfill-graph.ts'
import type { BackfillSession, TypedEdge } from '../artifact/backfill-session.ts'
import type { ModuleCut } from '../artifact/modules.ts'
import type { BackfillOutcome, BackfillProposal } from '../model/backfill-view.ts'
import { outcomesText, plainLineEnds, proposalText } from '../render/graph-backfill.ts'
import { forTerminal } from '../render/terminal.ts'
import type { Io } from './io.ts'
import { printable } from './print.ts'

type Choice = 'accept' | 'edit' | 'reject' | 'skip' | 'quit'

/** Goes through the proposals one by one. Exit 1 where a file was refused. */
export async function askAboutEach(session: BackfillSession, cut: ModuleCut, io: Io): Promise<number> {
  const { isCancel, select } = await import('@clack/prompts')
  const { proposals, refused } = session.view
  for (const { id, file, reason } of refused) io.err(`warning: ${cut.id(id)}: ${file} cannot be extended: ${reason}`)
  let exit = 0
  const tell = (outcome: BackfillOutcome): void => {
    if (outcome.action === 'refused') exit = 1
    io.out(printable(io, outcomesText([cutOutcome(cut, outcome)])))
  }
  for (const [index, original] of proposals.entries()) {
    let proposal = original
    for (let open = true; open; ) {
      io.out(printable(io, `\n${textOf(proposal, session, cut)}`))
      const answer = await select<Choice>({
        message: forTerminal(`${cut.id(proposal.id)} (${index + 1} of ${proposals.length})`),
        options: [
          { value: 'accept', label: 'accept', hint: 'write this to the file' },
          { value: 'edit', label: 'edit', hint: 'change the edges in your editor first' },
          { value: 'reject', label: 'reject', hint: 'do not propose these edges again' },
          { value: 'skip', label: 'skip', hint: 'decide another time' },
          { value: 'quit', label: 'quit' },
        ],
      })
      const choice = isCancel(answer) ? 'quit' : answer
      if (choice === 'quit') return exit
      open = choice === 'edit'
      if (choice === 'accept') tell(session.accept(proposal))
      if (choice === 'reject') tell(session.reject(original))
      if (choice === 'edit') proposal = edit(proposal, session, cut, io) ?? proposal
    }
  }
  return exit
}

function textOf(proposal: BackfillProposal, session: BackfillSession, cut: ModuleCut): string {
  const [shown = proposal] = cutBackfill(cut, { ...session.view, proposals: [proposal] }).proposals
  return plainLineEnds(proposalText(shown))
}

/** The proposal after a visit to the editor; null where it stays as it was. */
function edit(proposal: BackfillProposal, session: BackfillSession, cut: ModuleCut, io: Io): BackfillProposal | null {
  const text = inEditor(editText(proposal), io)
  if (text === null) return null
  const edges = parseEdges(text)
  if (typeof edges === 'string') {
    io.err(`not understood: ${edges}`)
    return null
  }
  const own = edges.map(({ field, target }) => ({ field, target: session.targetOf(proposal.id, target) }))
  const edited = session.edited(proposal.id, own)
  if ('after' in edited) return edited
  io.err(`not possible: ${cut.text(edited.reason)}`)
  return null
}

function editText({ id, edges }: BackfillProposal): string {
  const lines = edges.map(({ field, target, source }) => `${field}: ${target}  # ${source}\n`)
  return `# Edges of ${id}, one per line. Remove or change what is wrong; lines with # are comments.\n${lines.join('')}`
}

/** `field: ID` lines, several ids divided by commas; or the line that is none. */
export function parseEdges(text: string): TypedEdge[] | string {
  const edges: TypedEdge[] = []
  for (const raw of text.split('\n')) {
    const line = raw.replace(/(?:^|\s)#.*$/, '').trim()
    if (line === '') continue
    const [, field, targets] = /^([a-z]+)\s*:\s*(.+)$/.exec(line) ?? []
    if (field === undefined || targets === undefined) return line
    for (const target of targets.split(',')) edges.push({ field, target: target.trim() })
  }
  return edges
}

/** The text as the person left it, or null where no editor could be run or it left no text. */
function inEditor(text: string, io: Io): string | null {
  const editor = io.env['VISUAL'] || io.env['EDITOR']
  if (!editor) {
    io.err('set EDITOR to edit, or use --accept-edges')
    return null
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'specdex-backfill-'))
  try {
    const file = path.join(folder, 'EDGES')
    writeFileSync(file, text)
    // As git does: the setting may hold flags, so a shell reads it; the file's name is never part of that text.
    const run = spawnSync('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' })
    const left = run.status === 0 ? textIn(file) : null
    if (left !== null) return left
    io.err(`the editor failed: ${editor}`)
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An editor may remove the file, or leave something else in its place. */
function textIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
