// The questions of `specdex graph backfill` on a terminal of its own (by `script`, where there is one).

import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { childEnvironment, type Env } from '../support/environment.ts'
import { CLI } from '../support/run.ts'
import { copyOf, documents, LIBRARY, proposed } from './backfill-library.ts'

const terminal = spawnSync('script', ['--version']).status === 0

describe.skipIf(!terminal)('on a terminal', () => {
  /** Types each `keys` once its `wait` has been printed; the end of the input follows the last. */
  function talk(root: string, steps: readonly { wait: string; keys: string }[], env: Env = {}): Promise<string> {
    // A terminal of no size of its own would wrap after every character.
    const command = `stty cols 120 rows 50; '${process.execPath}' '${CLI}' graph backfill`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: root,
      env: childEnvironment({ TERM: 'xterm', ...env }),
      timeout: 20_000,
    })
    let said = ''
    let seen = 0
    let step = 0
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      for (let next = steps[step]; next !== undefined; next = steps[step]) {
        const at = said.indexOf(next.wait, seen)
        if (at === -1) return
        seen = at + next.wait.length
        step++
        const { keys } = next
        // The prompt listens just after it has printed itself.
        setTimeout(() => child.stdin.write(keys), 300)
      }
    })
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', () => resolve(said))
    })
  }
  const DOWN = '\u001b[B'
  const ENTER = '\r'
  /** What a prompt ends with: its last choice. */
  const prompt = (id: string): string => `${id} (`
  const down = (times: number): string => DOWN.repeat(times) + ENTER

  test('accept, reject, skip, quit: only the accepted file changes', async () => {
    const root = copyOf(LIBRARY)
    const before = documents(root)
    const said = await talk(root, [
      { wait: prompt('ADR-0002'), keys: ENTER },
      { wait: prompt('ADR-0003'), keys: down(2) },
      { wait: prompt('ADR-0004'), keys: down(3) },
      { wait: prompt('SPEC-0001'), keys: down(4) },
    ])
    expect(said).toContain('ADR-0002: wrote 3 edges')
    expect(said).toContain('ADR-0003: rejected 2 edges')
    // ADR-0004 has CR LF line ends.
    expect(said).toContain('+extends: [ADR-0003]')
    expect(said).not.toContain('\\u000d')
    const changed = Object.entries(documents(root)).filter(([file, text]) => before[file] !== text)
    expect(changed.map(([file]) => file)).toEqual(['docs/adrs/ADR-0002-one-catalogue-file.md'])
    // Now that the younger one does not extend the older one, the older one may extend the younger.
    expect((await proposed(root)).filter((line) => line.startsWith('ADR'))).toEqual([
      'ADR-0002 extends ADR-0003',
      'ADR-0004 extends ADR-0003',
    ])
  })

  test('edit opens the editor on the edges; Ctrl-C writes nothing more', async () => {
    const root = copyOf(LIBRARY)
    const before = documents(root)
    const steps = [
      { wait: prompt('ADR-0002'), keys: down(1) },
      { wait: '1 edge proposed', keys: '' },
      { wait: prompt('ADR-0002'), keys: ENTER },
      { wait: prompt('ADR-0003'), keys: '\u0003' },
    ]
    const said = await talk(root, steps, { EDITOR: 'sed -i /governs/d' })
    expect(said).toContain('ADR-0002: wrote 1 edge ')
    const after = documents(root)
    const file = 'docs/adrs/ADR-0002-one-catalogue-file.md'
    expect(after[file]).toContain('date: 2025-03-11\nsupersedes: [ADR-0001]\n---\n')
    expect({ ...after, [file]: '' }).toEqual({ ...before, [file]: '' })
  })

  test('an editor that leaves no file has failed, and the question comes again', async () => {
    const root = copyOf(LIBRARY)
    const steps = [
      { wait: prompt('ADR-0002'), keys: down(1) },
      { wait: 'the editor failed: rm', keys: '' },
      { wait: prompt('ADR-0002'), keys: ENTER },
      { wait: prompt('ADR-0003'), keys: '\u0003' },
    ]
    expect(await talk(root, steps, { EDITOR: 'rm' })).toContain('ADR-0002: wrote 3 edges')
  })
})
