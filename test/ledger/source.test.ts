// Which source is opened, who gets to see a token, and which repository a work tree belongs to.

import { describe, expect, test } from 'vitest'
import { repoOfAddress, repoOfRemote } from '../../src/ledger/remote.ts'
import { openSource, type SourceChoice } from '../../src/ledger/source.ts'
import { childEnvironment } from '../support/environment.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder, tempTree } from '../support/temp.ts'
import { startGitHub } from './github-server.ts'
import { failure, ghFolder, listed, restWay } from './source-ways.ts'

function choice(changes: Partial<SourceChoice>): SourceChoice & { readonly warnings: string[] } {
  const warnings: string[] = []
  return {
    ...{ from: null, repo: 'harbour/pier', api: 'https://api.github.com', env: {}, now: () => 0, wait: async () => {} },
    talk: { warn: (line) => warnings.push(line), progress: () => {} },
    ...changes,
    warnings,
  }
}

describe('which source', () => {
  test('files win over everything', async () => {
    const from = tempTree({ 'issues.json': '[]' })
    const source = await openSource(choice({ from, env: childEnvironment({ PATH: ghFolder(), GH_TOKEN: 'x' }) }))
    expect(source.name).toBe(from)
  })

  test('then gh, where it is logged in; then the API, with a hint where there is no token', async () => {
    const PATH = ghFolder()
    const withGh = choice({ env: childEnvironment({ PATH, GH_TOKEN: 'x' }) })
    expect((await openSource(withGh)).name).toBe('gh')
    const loggedOut = choice({ env: childEnvironment({ PATH, GH_LOGGED_OUT: '1', GH_TOKEN: 'x' }) })
    expect((await openSource(loggedOut)).name).toBe('api.github.com')
    expect(loggedOut.warnings).toEqual([])
    const bare = choice({ env: { PATH: tempFolder() } })
    expect((await openSource(bare)).name).toBe('api.github.com')
    expect(bare.warnings).toEqual([expect.stringContaining('set GH_TOKEN')])
  })

  test.each(['pier', 'a/b/c', '../..', 'a/..', 'a/b?x=1', 'a/b#', ''])('no repository: %j', async (repo) => {
    expect((await failure(openSource(choice({ repo })))).code).toBe('usage')
  })

  test.each(['ftp://harbour.example', 'harbour.example', ''])('no address: %j', async (api) => {
    expect((await failure(openSource(choice({ api })))).code).toBe('usage')
  })
})

describe('tokens', () => {
  test('go to this machine, GH_TOKEN before GITHUB_TOKEN', async () => {
    const server = await startGitHub()
    server.repository('harbour/pier').open(1)
    server.token = 'first'
    const both = await restWay(server, 'harbour/pier', { env: { GITHUB_TOKEN: 'second', GH_TOKEN: 'first' } })
    expect(await listed(both.source)).toHaveLength(1)
    const { source } = await restWay(server, 'harbour/pier', { env: { GITHUB_TOKEN: 'second' } })
    expect(await failure(listed(source))).toMatchObject({ code: 'source', hint: expect.stringContaining('not valid') })
    expect(server.asked.map(({ authorization }) => authorization)).toEqual(['token first', 'token second'])
  })

  test.each([
    ['https://git.harbour.example/api/v3', {}, true],
    ['https://git.harbour.example/api/v3', { GH_HOST: 'git.harbour.example' }, false],
    ['https://git.harbour.example/api/v3', { GITHUB_API_URL: 'https://git.harbour.example/api/v3' }, false],
    [
      'https://git.harbour.example/api/v3',
      { GH_HOST: 'other.example', GITHUB_API_URL: 'https://api.github.com' },
      true,
    ],
    ['http://git.harbour.example/api/v3', { GH_HOST: 'git.harbour.example' }, true],
    ['https://api.github.com.harbour.example', {}, true],
    ['https://api.harbour.ghe.com', {}, false],
    ['https://api.github.com/', {}, false],
  ])('%s with %j: kept back %s', async (api, env, keptBack) => {
    const asked = choice({ api, env: { PATH: tempFolder(), GH_TOKEN: 'x', ...env } })
    await openSource(asked)
    expect(asked.warnings).toEqual(keptBack ? [expect.stringContaining('without the token')] : [])
  })
})

describe('the repository of a work tree', () => {
  test.each([
    ['https://github.com/harbour/pier.git', 'harbour/pier'],
    ['https://github.com/harbour/pier', 'harbour/pier'],
    ['https://ada:secret@git.harbour.example:8443/harbour/pier.js.git/', 'harbour/pier.js'],
    ['ssh://git@ssh.github.com:443/harbour/pier.git', 'harbour/pier'],
    ['git@github.com:harbour/pier.git', 'harbour/pier'],
    ['git@github.com:/harbour/pier.git', 'harbour/pier'],
    ['work:harbour/pier', 'harbour/pier'],
    ['git://github.com/harbour/pier', 'harbour/pier'],
    ['https://github.com/pier', null],
    ['https://git.harbour.example/group/sub/pier.git', null],
    ['/srv/git/pier.git', null],
    ['../harbour/pier', null],
    ['file:///harbour/pier', null],
    ['C:/harbour/pier', null],
    ['https://github.com/../pier', null],
    ['', null],
  ])('%j is %j', (address, expected) => {
    expect(repoOfAddress(address)).toBe(expected)
  })

  test('is told by its remote `origin`, with the addresses that git puts in its place', async () => {
    const root = initRepository(tempFolder())
    const env = childEnvironment()
    expect(await repoOfRemote(root, env)).toBeNull()
    git(root, ['remote', 'add', 'origin', 'gh:harbour/pier'])
    git(root, ['config', 'url.https://github.com/.insteadOf', 'gh:'])
    expect(await repoOfRemote(root, env)).toBe('harbour/pier')
    expect(await repoOfRemote(tempFolder(), env)).toBeNull()
  })
})
