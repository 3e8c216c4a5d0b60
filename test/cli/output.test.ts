// Answers that go where not everything is taken: pipes with slow readers, or with none, files on a full disk.

import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { childEnvironment } from '../support/environment.ts'
import { CLI, runCliSync } from '../support/run.ts'
import { tempFolder, tempTree } from '../support/temp.ts'

let root = ''
let answer = ''

beforeAll(() => {
  const lines = Array.from({ length: 4_000 }, (_, i) => `- Post FORGE:LOAF_${i} to the door\n`)
  root = tempTree({ 'commands/bake.md': `# Bake\n\n${lines.join('')}` }, 'output')
  answer = runCliSync(['spec', 'build', '--stdout', '--quiet'], { cwd: root }).stdout
  expect(answer.length).toBeGreaterThan(400_000)
})

/** Runs a shell command in which "$0" "$@" prints the answer. */
function shell(command: string): { code: number | null; stdout: string; stderr: string } {
  const words = ['-c', command, process.execPath, CLI, 'spec', 'build', '--stdout', '--quiet']
  const { status, stdout, stderr } = spawnSync('sh', words, {
    cwd: root,
    env: childEnvironment(),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return { code: status, stdout, stderr }
}

test('into a file, a pipe, and a pipe whose reader takes its time', () => {
  const file = path.join(tempFolder(), 'graph.json')
  expect(shell(`"$0" "$@" > '${file}'`)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toBe(answer)
  expect(shell('"$0" "$@" | cat').stdout).toBe(answer)
  expect(shell('"$0" "$@" | (sleep 0.3; cat)').stdout).toBe(answer)
})

const hasPerl = spawnSync('perl', ['-e', '1']).status === 0
test.skipIf(!hasPerl)('into a pipe that was set not to block, and is full', () => {
  const unblocked = `perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK) or die; exec @ARGV' "$0" "$@"`
  expect(shell(`${unblocked} | (sleep 0.3; cat)`)).toEqual({ code: 0, stdout: answer, stderr: '' })
})

test('a reader that goes is no error, on either stream', () => {
  expect(shell('("$0" "$@"; echo $? >&2) | head -c 10')).toEqual({
    code: 0,
    stdout: answer.slice(0, 10),
    stderr: '0\n',
  })
  expect(shell('"$0" "$1" spec readers 2>&1 >/dev/null | true')).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('a socket that another process reads from is a pipe', async () => {
  const child = spawn(process.execPath, [CLI, 'spec', 'build', '--stdout', '--quiet'], {
    cwd: root,
    env: childEnvironment(),
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  expect(Buffer.concat(chunks).toString()).toBe(answer)
})

test('a file that can take no more: one line, exit 2', () => {
  const file = path.join(tempFolder(), 'graph.json')
  const { code, stderr } = shell(`ulimit -f 64; "$0" "$@" > '${file}'`)
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'error: the answer could not be written (EFBIG)\n' })
})

test('a stream that is closed, or open for reading only, breaks nothing', () => {
  expect(shell('"$0" "$@" >&-')).toEqual({ code: 0, stdout: '', stderr: '' })
  const file = path.join(tempFolder(), 'empty')
  writeFileSync(file, '')
  const fd = openSync(file, 'r')
  try {
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'spec', 'build', '--stdout', '--quiet'], {
      cwd: root,
      env: childEnvironment(),
      stdio: ['ignore', fd, 'pipe'],
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'error: the answer could not be written (EBADF)\n' })
  } finally {
    closeSync(fd)
  }
})
