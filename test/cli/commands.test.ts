// The commands around the index as a user runs them: status, doctor, snapshot, sql, index. On a copy of the bakery; exit
// codes, documents on stdout, talk on stderr. Real processes where it is about them, and all of it in the long run.

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/model/version.ts'
import { AM_ROOT, NOBODY, type Ran, run as runAs } from '../indexing/child-process.ts'
import { effort } from '../support/effort.ts'
import { commitAll, git, initRepository } from '../support/git.ts'
import { CLI, runCliSync } from '../support/run.ts'
import { runEither } from '../support/run-either.ts'
import type { HereResult } from '../support/run-here.ts'
import { tempFolder } from '../support/temp.ts'

const BAKERY = path.resolve(import.meta.dirname, '../../fixtures/bakery')
let folder = ''

beforeEach(() => {
  folder = path.join(tempFolder('commands'), 'bakery')
  cpSync(BAKERY, folder, { recursive: true })
})

function run(...args: string[]): Promise<HereResult> {
  return runEither(args, { cwd: folder })
}

/** As somebody who may read the index and not write it. */
function asReader(...args: string[]): Promise<Ran> {
  chmodSync(path.dirname(folder), 0o755)
  chmodSync(path.join(folder, '.specdex'), 0o555)
  chmodSync(path.join(folder, '.specdex/index.db'), 0o444)
  return runAs(args, { cwd: folder, ...(AM_ROOT ? { uid: NOBODY } : {}) })
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Record<string, unknown>
}

describe('specdex', () => {
  it('prints the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync(path.join(BAKERY, '../../package.json'), 'utf8')) as { version: string }
    expect(VERSION).toBe(version)
    for (const flag of ['--version', '-V']) expect(runCliSync([flag], { cwd: folder }).stdout).toBe(`${version}\n`)
  })

  it('answers usage errors with exit 2 and help with exit 0', async () => {
    const help = runCliSync(['--help'], { cwd: folder })
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(runCliSync(['help'], { cwd: folder })).toEqual(help)
    expect(runCliSync(['help', 'sql'], { cwd: folder }).stdout).toContain('Usage: specdex sql')
    expect(runCliSync(['help', 'spec', 'readers'], { cwd: folder }).stdout).toContain('specdex spec readers')
    expect(runCliSync(['indx'], { cwd: folder })).toMatchObject({ code: 2, stdout: '' })
    expect((await run('indx')).stderr).toContain('index')
    expect(await run('index', '--ful')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('snapshot')).toMatchObject({ code: 2, stdout: '' })
    expect(await run('index', '--root', '')).toMatchObject({ code: 2, stdout: '' })
  })

  it('says what to do about an unknown configuration key', async () => {
    expect((await run('index')).code).toBe(0)
    writeFileSync(path.join(folder, '.specdex/config.yml'), 'famlies: [spec]\n')
    const { code, stderr, stdout } = runCliSync(['index'], { cwd: folder })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/famlies/)
    expect(stderr).toMatch(/families/)
    expect((await run('doctor')).code).toBe(1)
  })

  it('survives a reader that goes away', async () => {
    await run('index')
    const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT i FROM n'
    const piped = spawnSync('sh', ['-c', `"${process.execPath}" "${CLI}" sql "${sql}" --csv | head -n 2`], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(piped.stdout).toBe('i\r\n1\r\n')
    expect(piped.stderr).toBe('')
  })

  it('delivers a large document to a slow pipe whole', async () => {
    const sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, printf('%0600d', i) FROM n"
    const piped = spawnSync('sh', ['-c', `"${process.execPath}" "${CLI}" sql "${sql}" --csv | (sleep 1; wc -c)`], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(Number(piped.stdout)).toBeGreaterThan(3_000_000)
  })
})

describe('specdex index', () => {
  it('reports what it did, then that there was nothing to do', async () => {
    const { stdout, stderr } = runCliSync(['index', '--json'], { cwd: folder })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ condition: 'built', mode: 'walk', removed: [], unchanged: 0 })
    expect(await json('index')).toMatchObject({
      schema_version: '1',
      condition: 'fresh',
      added: [],
      checked: 0,
      rows: {},
    })
    rmSync(path.join(folder, 'scripts/route.sh'))
    writeFileSync(path.join(folder, 'commands/taste.md'), '# Taste\n')
    writeFileSync(path.join(folder, 'commands/wash.md'), '# Wash\n')
    expect(await json('index')).toMatchObject({
      condition: 'repaired',
      added: ['commands/wash.md'],
      changed: ['commands/taste.md'],
      removed: ['scripts/route.sh'],
    })
  })

  it('extracts everything again with --full, and proves itself with --verify', async () => {
    await run('index')
    const full = await json('index', '--full', '--verify')
    expect(full).toMatchObject({ added: [], changed: [], verified: true, differences: [] })
    expect((full['reextracted'] as string[]).length).toBe(14)
  })

  it('names the first differing rows and exits 1 when a row was tampered with', async () => {
    await run('index')
    const script = `const D=require(${JSON.stringify(path.resolve(BAKERY, '../../node_modules/better-sqlite3'))});new D('.specdex/index.db').exec("UPDATE edge SET line = 99 WHERE line = 11")`
    expect(spawnSync(process.execPath, ['-e', script], { cwd: folder }).status).toBe(0)
    const { code, stderr } = await run('index', '--verify')
    expect(code).toBe(1)
    expect(stderr).toMatch(/99/)
    expect((await run('index', '--full', '--verify')).code).toBe(0)
  })

  it.skipIf(!existsSync('/proc/self'))('ends with one clear line where no folder can be made', () => {
    const { code, stdout, stderr } = runCliSync(['index', '--db', '/proc/none/index.db'], {
      cwd: folder,
      timeout: 30_000,
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: .*\/proc\/none\/index\.db/)
  })

  it('keeps a restored index out of git, too', async () => {
    await run('index')
    rmSync(path.join(folder, '.specdex/.gitignore'))
    await run('index')
    expect(readFileSync(path.join(folder, '.specdex/.gitignore'), 'utf8')).toContain('index.db*')
  })

  it('takes the place from --db before SPECDEX_DB before the root', async () => {
    const env = { SPECDEX_DB: 'cellar/index.db' }
    expect((await runEither(['index'], { cwd: folder, env })).code).toBe(0)
    expect(existsSync(path.join(folder, 'cellar/index.db'))).toBe(true)
    expect((await runEither(['spec', 'readers', 'LOAF', '--db', 'attic/index.db'], { cwd: folder, env })).code).toBe(0)
    expect(existsSync(path.join(folder, 'attic/index.db'))).toBe(true)
    expect(existsSync(path.join(folder, '.specdex'))).toBe(false)
  })

  it.each(['index', 'status', 'snapshot x.db', 'sql SELECT'])('refuses a root that is not there: %s', async (words) => {
    const { code, stdout, stderr } = await run(...words.split(' '), '--root', 'typo')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: there is no folder /)
    expect(existsSync(path.join(folder, 'typo'))).toBe(false)
  })

  it('is silent with --quiet', async () => {
    expect(runCliSync(['index', '--quiet'], { cwd: folder })).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})

describe('specdex status', () => {
  it('tells missing, fresh and stale apart, and exits 1 only with --check', async () => {
    expect(await run('status')).toMatchObject({ code: 0 })
    expect(await json('status')).toMatchObject({ state: 'missing', counts: null })
    expect(existsSync(path.join(folder, '.specdex'))).toBe(false)
    expect((await run('status', '--check')).code).toBe(1)
    await run('index')
    expect(await json('status')).toMatchObject({ state: 'fresh', reasons: [], generation: 1 })
    expect((await run('status', '--check')).code).toBe(0)
    writeFileSync(path.join(folder, 'commands/wash.md'), '# Wash\n')
    expect(await json('status')).toMatchObject({ state: 'stale', reasons: ['1 file added'], generation: 1 })
    expect((await run('status', '--check')).code).toBe(1)
  })

  it('--check is content with a fresh index that can only be read', async () => {
    await run('index')
    expect(await asReader('status', '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('index: read-only'),
    })
    writeFileSync(path.join(folder, 'commands/wash.md'), '# Wash\n')
    expect(await asReader('status', '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('index: stale'),
    })
  })

  it('names a stranger at the place of the index', async () => {
    const { code, stdout } = await run('status', '--db', 'README.md')
    expect(code).toBe(0)
    expect(stdout).toContain('foreign')
    expect((await run('index', '--db', 'README.md')).code).toBe(2)
    expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toContain('# The corner bakery')
  })
})

describe('specdex doctor', () => {
  it.each(['typo', 'README.md'])('says that a root is no folder: %s', async (root) => {
    const { code, stdout, stderr } = await run('doctor', '--root', root)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain(
      `unhealthy  there is no folder ${path.join(folder, root)}\n            fix: check --root\n`,
    )
  })

  it('is content with a healthy index', async () => {
    await run('index')
    expect((await run('doctor')).code).toBe(0)
    expect(await json('doctor')).toMatchObject({ healthy: true })
  })

  it('finds an index that git tracks, a missing ignore line and a damaged file, each with a fix', async () => {
    initRepository(folder)
    await run('index')
    writeFileSync(path.join(folder, '.specdex/.gitignore'), 'cache/\n')
    commitAll(folder, 'everything, the index too')
    const { code, stdout } = await run('doctor')
    expect(code).toBe(1)
    expect(stdout).toContain('git rm --cached .specdex/index.db')
    expect(stdout).toContain('index.db*')
    git(folder, ['rm', '-q', '--cached', '.specdex/index.db'])
    expect((await run('doctor')).code).toBe(0)
    const bytes = readFileSync(path.join(folder, '.specdex/index.db'))
    bytes.fill(0xa5, 4096, 16384)
    writeFileSync(path.join(folder, '.specdex/index.db'), bytes)
    expect((await run('doctor')).code).toBe(1)
  })
})

describe('an index that is damaged inside', () => {
  /** Garbage over every page but the first: the opening sees nothing wrong. */
  function damage(): Buffer {
    const file = path.join(folder, '.specdex/index.db')
    const bytes = readFileSync(file)
    bytes.fill(0xa5, 4096)
    writeFileSync(file, bytes)
    return bytes
  }

  it.each(['index --full', 'index', 'spec readers RECIPE'])(
    'is moved aside and built anew by `specdex %s`',
    async (words) => {
      await run('index')
      const bytes = damage()
      const { code, stderr, stdout } = await run(...words.split(' '))
      expect({ code, stdout: stdout !== '' }).toEqual({ code: 0, stdout: true })
      expect(stderr).toMatch(/damaged and is kept as .*index\.db\.corrupt-1/)
      expect(readFileSync(path.join(folder, '.specdex/index.db.corrupt-1')).equals(bytes)).toBe(true)
      expect(await run('index', '--verify')).toMatchObject({ code: 0, stderr: '' })
    },
  )
})

describe('specdex snapshot', () => {
  it('copies the index to a new file and never over one', async () => {
    await run('index')
    expect(await run('snapshot', 'copy.db')).toMatchObject({ code: 0, stdout: '' })
    expect((await run('sql', 'SELECT count(*) AS n FROM graph_node', '--db', 'copy.db', '--csv')).stdout).toBe(
      (await run('sql', 'SELECT count(*) AS n FROM graph_node', '--csv')).stdout,
    )
    expect((await run('snapshot', 'copy.db')).code).toBe(2)
    expect((await run('snapshot', 'no/such/folder/copy.db')).code).toBe(2)
  })

  it('a folder that cannot be written is named as that, not as the place of the index', async () => {
    await run('index')
    expect(await asReader('snapshot', '.specdex/copy.db')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `error: the folder of ${path.join(folder, '.specdex/copy.db')} cannot be written\nhint: name a file in another folder\n`,
    })
  })
})

describe('specdex sql', () => {
  const ask = "SELECT id, title FROM graph_node WHERE kind = 'document' AND status IS NOT NULL ORDER BY id"

  it('answers as table, JSON and CSV', async () => {
    expect((await run('sql', ask)).stdout).toMatchInlineSnapshot(`
      "id                      title
      ----------------------  -------------
      devdocs/house-rules.md  House rules
      docs/opening-hours.md   Opening hours
      "
    `)
    expect(await json('sql', ask)).toEqual({
      schema_version: '1',
      columns: ['id', 'title'],
      rows: [
        { id: 'devdocs/house-rules.md', title: 'House rules' },
        { id: 'docs/opening-hours.md', title: 'Opening hours' },
      ],
      cut: false,
    })
    expect((await run('sql', ask, '--csv')).stdout.split('\r\n')[1]).toBe('devdocs/house-rules.md,House rules')
  })

  it('admits only one statement that reads', async () => {
    await run('index')
    const before = readFileSync(path.join(folder, '.specdex/index.db'))
    const statements = [
      "VACUUM INTO 'stolen.db'",
      'SELECT 1; SELECT 2',
      'DELETE FROM key',
      "ATTACH 'other.db' AS other",
      'PRAGMA user_version = 7',
      'CREATE TEMP TABLE t (x)',
      'SELEC 1',
    ]
    // Each is two processes; the same rule is asked without any in store/ad-hoc.test.ts.
    for (const statement of statements.slice(0, effort(2, 7))) {
      const { code, stdout, stderr } = await run('sql', statement)
      expect({ code, stdout }, statement).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^error: /)
    }
    expect(existsSync(path.join(folder, 'stolen.db'))).toBe(false)
    expect(readFileSync(path.join(folder, '.specdex/index.db')).equals(before)).toBe(true)
  })

  it('stops at the time limit and says when it cut the rows', async () => {
    await run('index')
    writeFileSync(path.join(folder, '.specdex/config.yml'), 'limits: { sql_ms: 400 }\n')
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
    const stopped = await run('sql', endless)
    expect(stopped).toMatchObject({ code: 2, stdout: '' })
    expect(stopped.stderr).toContain('400 ms')
    writeFileSync(path.join(folder, '.specdex/config.yml'), 'limits: { sql_rows: 3 }\n')
    const cut = await run('sql', 'SELECT id FROM graph_node ORDER BY id', '--json')
    expect(cut.stderr).toContain('cut after 3 rows')
    expect(JSON.parse(cut.stdout)).toMatchObject({ cut: true, rows: { length: 3 } })
  })

  it('keeps columns of one name apart in JSON', async () => {
    const { stdout } = await run('sql', '--json', "SELECT 'rye' AS loaf, 'oat' AS loaf, 'spelt' AS loaf")
    expect(JSON.parse(stdout)).toMatchObject({
      columns: ['loaf', 'loaf:1', 'loaf:2'],
      rows: [{ loaf: 'rye', 'loaf:1': 'oat', 'loaf:2': 'spelt' }],
    })
  })

  it('prints the views with --schema, public ones first', async () => {
    const { stdout } = await run('sql', '--schema')
    expect(stdout.indexOf('graph_edge')).toBeGreaterThan(-1)
    expect(stdout.indexOf('graph_edge')).toBeLessThan(stdout.indexOf('CREATE TABLE'))
  })
})
