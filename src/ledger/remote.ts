// Which repository on GitHub a work tree belongs to, told by git's remote `origin`. Reads addresses, asks no network.
// The surprise: any host counts, since GitHub Enterprise runs anywhere; a path on this machine is no repository there.

import type { World } from '../model/clock.ts'
import { runGit } from '../scan/git.ts'

/** `owner/name` of the remote `origin`; null without git, without that remote, or where it is none of GitHub's forms. */
export async function repoOfRemote(root: string, env: World['env']): Promise<string | null> {
  const { status, stdout } = await runGit(root, ['remote', 'get-url', 'origin'], env)
  return status === 0 ? repoOfAddress(stdout.toString('utf8').trim()) : null
}

/** Understands `https://host/owner/name.git`, `ssh://git@host:22/owner/name`, `git@host:owner/name.git`. */
export function repoOfAddress(address: string): string | null {
  const url = /^(?:https?|ssh|git|git\+ssh):\/\/[^/]+\/(.+)$/i.exec(address)
  // One letter before the colon is a drive, a slash before it a path.
  const scp = /^(?:[^@/\\:]+@)?(?:[^@/\\:]{2,}|\[[\da-f:]+\]):(?!\/\/)(.+)$/i.exec(address)
  const path = (url?.[1] ?? scp?.[1] ?? '').replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '')
  return isRepository(path) ? path : null
}

/** True for `owner/name` and nothing that could lead elsewhere in an address. */
export function isRepository(name: string): boolean {
  return /^[\w.-]+\/[\w.-]+$/.test(name) && !name.split('/').some((part) => /^\.+$/.test(part))
}
