// Who commits the mirror. Git takes an empty address for one; we do not, because nobody can be asked about such a commit.

import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MIRROR_BRANCH, pushMirror } from '../../src/ledger/mirror.ts'
import { childEnvironment } from '../support/environment.ts'
import { git, initRepository } from '../support/git.ts'
import { tempFolder } from '../support/temp.ts'
import { REPO } from './harbour.ts'
import { ledgerOf } from './lessons.ts'
import { busyPier } from './pier.ts'

const NOBODY = Object.fromEntries(
  Object.entries(childEnvironment()).filter(([name]) => !/^GIT_(AUTHOR|COMMITTER)_|^EMAIL$/.test(name)),
)

test.each([
  ['an empty address', { 'user.name': 'Pilot', 'user.email': '' }, {}],
  ['a blank address', { 'user.name': 'Pilot', 'user.email': ' ' }, {}],
  [
    'an empty address of the committer alone',
    { 'user.name': 'Pilot', 'user.email': 'pilot@quay' },
    { GIT_COMMITTER_EMAIL: '' },
  ],
])('%s is no identity: nothing is pushed', async (_, settings, env) => {
  const remote = path.join(tempFolder('remote'), 'crane.git')
  git(tempFolder('start'), ['init', '--quiet', '--bare', remote])
  const clone = initRepository(path.join(tempFolder('clone'), 'crane'), { 'log.txt': '1\n' })
  git(clone, ['remote', 'add', 'origin', remote])
  for (const [name, value] of Object.entries(settings)) git(clone, ['config', name, value])
  const store = await ledgerOf(busyPier(1))
  onTestFinished(() => store.close())
  await expect(pushMirror(clone, { ...NOBODY, ...env }, store, REPO)).rejects.toMatchObject({
    code: 'config',
    message: 'git knows no identity to commit the mirror with; nothing was pushed',
  })
  expect(git(remote, ['branch', '--list', MIRROR_BRANCH])).toBe('')
  git(clone, ['config', 'user.email', 'pilot@quay'])
  expect(await pushMirror(clone, NOBODY, store, REPO)).toMatchObject({ pushed: true })
  expect(git(remote, ['log', '-1', '--format=%an <%ae> %cn <%ce>', MIRROR_BRANCH])).toBe(
    'Pilot <pilot@quay> Pilot <pilot@quay>',
  )
})
