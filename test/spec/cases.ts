// Copies of handed material that tests may change: writable, and with the symbolic links that do not survive every way
// of handing files over.

import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'

/** Copies a folder; what is read-only there can be written here. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  makeWritable(to)
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const child = path.join(folder, entry.name)
    if (entry.isDirectory()) makeWritable(child)
    else if (entry.isFile()) chmodSync(child, 0o644)
  }
}

/**
 * Puts the links that LINKS.txt lists (`./case/path -> target`) into a copy of the cases. `name`: the copy holds only
 * this one case, as its top.
 */
export function restoreLinks(cases: string, copy: string, name: string | null): void {
  for (const line of readFileSync(path.join(cases, 'LINKS.txt'), 'utf8').split('\n')) {
    const [, link, target] = /^\.\/(\S+) -> (\S+)$/.exec(line) ?? []
    if (link === undefined || target === undefined) continue
    if (name !== null && !link.startsWith(`${name}/`)) continue
    const place = path.join(copy, name === null ? link : link.slice(name.length + 1))
    rmSync(place, { force: true })
    symlinkSync(target, place)
  }
}
