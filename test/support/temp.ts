// Temporary folders that clean up after themselves. The path is a real path: on systems where the temp folder is a
// link, a comparison with what a child process prints would fail otherwise. SPECDEX_KEEP_TEMP=1 keeps them for a look.

import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

const leftover = new Set<string>()

/** Removes what was made outside a test; tidy.ts calls it after every test file. */
export function removeLeftover(): void {
  for (const folder of leftover) removeFolder(folder)
}

/** A new empty folder: removed when the test ends, or at the end of the file when made outside a test. */
export function tempFolder(name = 'case'): string {
  const folder = folderOfFile(name)
  try {
    onTestFinished(() => removeFolder(folder))
  } catch {
    // Called from a hook or while tests are collected: removeLeftover does it.
  }
  return folder
}

/** A new empty folder that stays until the test file ends: for what several of its tests copy. */
export function folderOfFile(name: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `specdex-${name}-`)))
  leftover.add(folder)
  return folder
}

/** Writes files given as {relative path: text}; folders are made as needed. Returns the root. */
export function writeTree(root: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [relative, content] of Object.entries(files)) {
    const file = path.join(root, relative)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return root
}

/** A new temporary folder that holds these files. */
export function tempTree(files: Readonly<Record<string, string | Uint8Array>>, name = 'case'): string {
  return writeTree(tempFolder(name), files)
}

/** Removes a folder whatever its permissions; never follows links. */
function removeFolder(folder: string): void {
  leftover.delete(folder)
  if (process.env.SPECDEX_KEEP_TEMP === '1') return
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    makeWritable(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder)) {
    const child = path.join(folder, entry)
    if (lstatSync(child).isDirectory()) makeWritable(child)
  }
}
