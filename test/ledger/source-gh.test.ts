// `gh` as a child process: what it prints, how it ends, and the stand-in that the cases bring, which shows no headers.

import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSource, type SourceChoice } from '../../src/ledger/source.ts'
import { ghIsUsable, ghTransport } from '../../src/ledger/source-gh.ts'
import { childEnvironment } from '../support/environment.ts'
import { shared } from '../support/shared.ts'
import { tempFolder, tempTree } from '../support/temp.ts'
import { startGitHub } from './github-server.ts'
import { failure, ghFolder, ghWay, listed, NOW } from './source-ways.ts'

const CASES = shared('cases/ledger')

describe('whether gh can be used', () => {
  test('it must be there and logged in', async () => {
    const folder = ghFolder()
    expect(await ghIsUsable('github.com', childEnvironment({ PATH: folder }))).toBe(true)
    expect(await ghIsUsable('github.com', childEnvironment({ PATH: folder, GH_LOGGED_OUT: '1' }))).toBe(false)
    expect(await ghIsUsable('github.com', childEnvironment({ PATH: tempFolder() }))).toBe(false)
  })

  test('a gh that logged out meanwhile says what to do', async () => {
    const server = await startGitHub()
    const { source } = await ghWay(server, 'harbour/pier', { env: { GH_LOGGED_OUT: '1' } })
    expect(await failure(listed(source))).toMatchObject({ code: 'source', hint: expect.stringContaining('auth login') })
  })

  test('a 502 is asked again twice, with growing waits', async () => {
    const server = await startGitHub()
    server.repository('harbour/pier').open(1)
    server.before = () => ({ status: 502, message: 'Bad gateway' })
    const { source, waits } = await ghWay(server, 'harbour/pier')
    expect((await failure(listed(source))).message).toContain('Bad gateway')
    expect(waits).toEqual([1000, 4000])
  })

  test('a primary limit is waited for until its reset', async () => {
    const server = await startGitHub()
    server.repository('harbour/pier').open(1)
    let refusals = 1
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 600) }
    server.before = () => (refusals-- > 0 ? { status: 403, headers, message: 'API rate limit exceeded' } : undefined)
    const { source, waits } = await ghWay(server, 'harbour/pier')
    expect(await listed(source)).toHaveLength(1)
    expect(waits).toEqual([601_000])
  })

  test('nothing that a shell would run is run, and no colour is asked for', async () => {
    const folder = tempTree({ gh: '#!/bin/sh\nenv > "$LOG"\nprintf "%s\\n" "$@" >> "$LOG"\necho "[]"\n' })
    chmodSync(path.join(folder, 'gh'), 0o755)
    const log = path.join(folder, 'log')
    const env = childEnvironment({ PATH: `${folder}:/usr/bin:/bin`, LOG: log, CLICOLOR_FORCE: '1', GH_DEBUG: '1' })
    const waits = { allows: () => false }
    expect((await ghTransport('github.com', env).ask('repos/a/b/issues?since=$(touch x)', waits)).body).toEqual([])
    const lines = readFileSync(log, 'utf8').split('\n')
    expect(lines).toContain('repos/a/b/issues?since=$(touch x)')
    expect(lines).toContain('GH_PROMPT_DISABLED=1')
    expect(lines.filter((line) => /^(CLICOLOR_FORCE|GH_DEBUG)=/.test(line))).toEqual([])
  })
})

/** PATH with the real python in front: where a version manager stands for it, that costs more than python does. */
function pathToPython(): string {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
  return `${path.dirname((stdout ?? '').trim())}:${process.env['PATH']}`
}

describe.skipIf(CASES === null)('the stand-in of the cases', () => {
  const folder = CASES ?? ''
  const python = CASES === null ? '' : pathToPython()
  const repo = 'acme-harbor/harborline'

  async function stand(extra: Readonly<Record<string, string>> = {}): Promise<{
    source: Awaited<ReturnType<typeof openSource>>
    warnings: string[]
    waits: number[]
  }> {
    const warnings: string[] = []
    const waits: number[] = []
    const choice: SourceChoice = {
      from: null,
      repo,
      api: 'https://api.github.com',
      env: childEnvironment({
        PATH: `${path.join(folder, 'bin')}:${python}`,
        FAKE_GH_CORPUS: path.join(folder, 'corpus'),
        ...extra,
      }),
      talk: { warn: (line) => warnings.push(line), progress: () => {} },
      now: () => NOW,
      wait: async (ms) => void waits.push(ms),
    }
    return { source: await openSource(choice), warnings, waits }
  }

  test('is chosen, and gives what the files give', async () => {
    const { source, warnings } = await stand()
    expect(source.name).toBe('gh')
    const files = await openSource({
      ...{ from: path.join(folder, 'corpus'), repo, api: 'https://api.github.com', env: {}, now: () => NOW },
      ...{ talk: { warn: (line: string) => warnings.push(line), progress: () => {} }, wait: async () => {} },
    })
    const heads = await listed(source)
    expect(heads).toHaveLength(60)
    expect(heads).toEqual(await listed(files))
    // 104 comments; a pull request, of whose reviews the stand-in knows nothing.
    expect(await source.issue(43)).toEqual(await files.issue(43))
    expect(await source.issue(38)).toEqual({ ...(await files.issue(38)), partial: true })
    expect((await files.issue(43))?.texts).toHaveLength(105)
    expect(warnings).toEqual([expect.stringContaining('reviews of pull requests')])
    expect(await source.issue(999)).toBeNull()
  })

  test.each([
    ['an error of the server', { FAKE_GH_FAIL: 'issues/3$' }, [1000, 4000], 'Server Error'],
    ['a cut answer', { FAKE_GH_GARBAGE: 'issues/3$' }, [1000, 4000], 'cut off'],
    ['a rate limit without an end', { FAKE_GH_BUDGET: '0:COUNTER' }, [], 'does not say until when'],
  ])('%s is an error', async (_what, extra, expected, words) => {
    const counter = path.join(tempFolder(), 'counter')
    const env = Object.fromEntries(
      Object.entries(extra).map(([name, value]) => [name, value.replace('COUNTER', counter)]),
    )
    const { source, waits } = await stand(env)
    const error = await failure(source.issue(3))
    expect(error).toMatchObject({ code: 'source', message: expect.stringContaining(words) })
    expect(waits).toEqual(expected)
  })
})
