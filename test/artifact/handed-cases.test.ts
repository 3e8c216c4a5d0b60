// Every handed case of the artifact graph: cached and not, at first and again after an edit that was taken back, outside
// any repository and once inside one. `npm run test:long` asks the built program, `npm test` the same code in here.

import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { commitAll, initRepository } from '../support/git.ts'
import { runCli } from '../support/run.ts'
import { runHere } from '../support/run-here.ts'
import { shared } from '../support/shared.ts'
import { caseNames, commandsOf, judge, projectOf } from './cases.ts'

const CASES = shared('cases/artifact-graph')

describe.skipIf(CASES === null)('handed cases', () => {
  const folder = CASES ?? ''
  const names = CASES === null ? [] : caseNames(folder)

  test('are there', () => expect(names.length).toBeGreaterThanOrEqual(23))

  const inHere = effort(1, 2) === 1

  test.each(names)('%s', { timeout: effort(60_000, 600_000) }, async (name) => {
    const root = projectOf(folder, name)
    const ask = async (flags: readonly string[]): Promise<void> => {
      for (const [i, command] of commandsOf(folder, name).entries()) {
        // In the short run the first question proves the index, and the others believe it; a module has one of its own.
        const believes = inHere && i > 0 && flags.length === 0 && !command.args.includes('--module')
        const believing = believes ? ['--no-stale-check'] : []
        const words = ['graph', ...command.args, ...flags, ...believing]
        const { code, stdout } = inHere ? await runHere(words, { cwd: root }) : await runCli(words, { cwd: root })
        judge(folder, name, command, { code: code ?? -1, stdout })
      }
    }
    await ask([])
    await ask(['--no-cache'])
    await editAndTakeBack(root, () => runHere(['graph', 'validate'], { cwd: root }))
    // The short run asks after the edit only inside the repository.
    if (!inHere) await ask([])
    initRepository(root)
    commitAll(root, 'The whole project')
    await ask([])
  })
})

/** Changes every text of the project, looks, and puts the old bytes back. */
async function editAndTakeBack(root: string, look: () => Promise<unknown>): Promise<void> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.specdex'))
    .map((entry) => path.join(entry.parentPath, entry.name))
  const before = files.map((file) => readFileSync(file))
  for (const file of files) appendFileSync(file, '\n// Governing: ADR-0001\n')
  await look()
  files.forEach((file, i) => {
    writeFileSync(file, before[i] ?? '')
  })
}
