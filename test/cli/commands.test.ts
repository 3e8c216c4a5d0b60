// The commands around the index as a user runs them: status, doctor, snapshot, sql, index. Real processes on a copy of
// the bakery; exit codes, documents on stdout, talk on stderr.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/model/version.ts'
import { commitAll, git, initRepository } from '../support/git.ts'
import { CLI, type RunResult, runCliSync } from '../support/run.ts'
import { tempFolder } from '../support/temp.ts'

const BAKERY = path.resolve(import.meta.dirname, '../../fixtures/bakery')
let folder = ''

beforeEach(() => {
  folder = path.join(tempFolder('commands'), 'bakery')
  cpSync(BAKERY, folder, { recursive: true })
})

function run(...args: string[]): RunResult {
  return runCliSync(args, { cwd: folder })
}

function json(...args: string[]): Record<string, unknown> {
  const { stdout, stderr } = run(...args, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Record<string, unknown>
}

describe('specdex', () => {
  it('prints the version of package.json', () => {
    const { version } = JSON.parse(readFileSync(path.join(BAKERY, '../../package.json'), 'utf8')) as { version: string }
    expect(VERSION).toBe(version)
    for (const flag of ['--version', '-V']) expect(run(flag).stdout).toBe(`${version}\n`)
  })

  it('answers usage errors with exit 2 and help with exit 0', () => {
    expect(run('--help')).toMatchObject({ code: 0, stderr: '' })
    expect(run('indx')).toMatchObject({ code: 2, stdout: '' })
    expect(run('indx').stderr).toContain('index')
    expect(run('index', '--ful')).toMatchObject({ code: 2, stdout: '' })
    expect(run('snapshot')).toMatchObject({ code: 2, stdout: '' })
    expect(run('index', '--root', '')).toMatchObject({ code: 2, stdout: '' })
  })

  it('says what to do about an unknown configuration key', () => {
    expect(run('index').code).toBe(0)
    writeFileSync(path.join(folder, '.specdex/config.yml'), 'famlies: [spec]\n')
    const { code, stderr, stdout } = run('index')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/famlies/)
    expect(stderr).toMatch(/families/)
    expect(run('doctor').code).toBe(1)
  })

  it('survives a reader that goes away', () => {
    run('index')
    const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT i FROM n'
    const piped = spawnSync('sh', ['-c', `"${process.execPath}" "${CLI}" sql "${sql}" --csv | head -n 2`], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(piped.stdout).toBe('i\r\n1\r\n')
    expect(piped.stderr).toBe('')
  })

  it('delivers a large document to a slow pipe whole', () => {
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
  it('reports what it did, then that there was nothing to do', () => {
    expect(json('index')).toMatchObject({ condition: 'built', mode: 'walk', removed: [], unchanged: 0 })
    expect(json('index')).toMatchObject({ schema_version: '1', condition: 'fresh', added: [], checked: 0, rows: {} })
    rmSync(path.join(folder, 'scripts/route.sh'))
    writeFileSync(path.join(folder, 'commands/taste.md'), '# Taste\n')
    writeFileSync(path.join(folder, 'commands/wash.md'), '# Wash\n')
    expect(json('index')).toMatchObject({
      condition: 'repaired',
      added: ['commands/wash.md'],
      changed: ['commands/taste.md'],
      removed: ['scripts/route.sh'],
    })
  })

  it('extracts everything again with --full, and proves itself with --verify', () => {
    run('index')
    const full = json('index', '--full', '--verify')
    expect(full).toMatchObject({ added: [], changed: [], verified: true, differences: [] })
    expect((full['reextracted'] as string[]).length).toBe(14)
  })

  it('names the first differing rows and exits 1 when a row was tampered with', () => {
    run('index')
    const script = `const D=require(${JSON.stringify(path.resolve(BAKERY, '../../node_modules/better-sqlite3'))});new D('.specdex/index.db').exec("UPDATE edge SET line = 99 WHERE line = 11")`
    expect(spawnSync(process.execPath, ['-e', script], { cwd: folder }).status).toBe(0)
    const { code, stderr } = run('index', '--verify')
    expect(code).toBe(1)
    expect(stderr).toMatch(/99/)
    expect(run('index', '--full', '--verify').code).toBe(0)
  })

  it.skipIf(!existsSync('/proc/self'))('ends with one clear line where no folder can be made', () => {
    const { code, stdout, stderr } = runCliSync(['index', '--db', '/proc/none/index.db'], {
      cwd: folder,
      timeout: 30_000,
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: .*\/proc\/none\/index\.db/)
  })

  it('keeps a restored index out of git, too', () => {
    run('index')
    rmSync(path.join(folder, '.specdex/.gitignore'))
    run('index')
    expect(readFileSync(path.join(folder, '.specdex/.gitignore'), 'utf8')).toContain('index.db*')
  })

  it('takes the place from --db before SPECDEX_DB before the root', () => {
    const env = { SPECDEX_DB: 'cellar/index.db' }
    expect(runCliSync(['index'], { cwd: folder, env }).code).toBe(0)
    expect(existsSync(path.join(folder, 'cellar/index.db'))).toBe(true)
    expect(runCliSync(['spec', 'readers', 'LOAF', '--db', 'attic/index.db'], { cwd: folder, env }).code).toBe(0)
    expect(existsSync(path.join(folder, 'attic/index.db'))).toBe(true)
    expect(existsSync(path.join(folder, '.specdex'))).toBe(false)
  })

  it.each(['index', 'status', 'snapshot x.db', 'sql SELECT'])('refuses a root that is not there: %s', (words) => {
    const { code, stdout, stderr } = run(...words.split(' '), '--root', 'typo')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: there is no folder /)
    expect(existsSync(path.join(folder, 'typo'))).toBe(false)
  })

  it('is silent with --quiet', () => {
    expect(run('index', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})

describe('specdex status', () => {
  it('tells missing, fresh and stale apart, and exits 1 only with --check', () => {
    expect(run('status')).toMatchObject({ code: 0 })
    expect(json('status')).toMatchObject({ state: 'missing', counts: null })
    expect(existsSync(path.join(folder, '.specdex'))).toBe(false)
    expect(run('status', '--check').code).toBe(1)
    run('index')
    expect(json('status')).toMatchObject({ state: 'fresh', reasons: [], generation: 1 })
    expect(run('status', '--check').code).toBe(0)
    writeFileSync(path.join(folder, 'commands/wash.md'), '# Wash\n')
    expect(json('status')).toMatchObject({ state: 'stale', reasons: ['1 file added'], generation: 1 })
    expect(run('status', '--check').code).toBe(1)
  })

  it('names a stranger at the place of the index', () => {
    const { code, stdout } = runCliSync(['status', '--db', 'README.md'], { cwd: folder })
    expect(code).toBe(0)
    expect(stdout).toContain('foreign')
    expect(runCliSync(['index', '--db', 'README.md'], { cwd: folder }).code).toBe(2)
    expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toContain('# The corner bakery')
  })
})

describe('specdex doctor', () => {
  it('is content with a healthy index', () => {
    run('index')
    expect(run('doctor').code).toBe(0)
    expect(json('doctor')).toMatchObject({ healthy: true })
  })

  it('finds an index that git tracks, a missing ignore line and a damaged file, each with a fix', () => {
    initRepository(folder)
    run('index')
    writeFileSync(path.join(folder, '.specdex/.gitignore'), 'cache/\n')
    commitAll(folder, 'everything, the index too')
    const { code, stdout } = run('doctor')
    expect(code).toBe(1)
    expect(stdout).toContain('git rm --cached .specdex/index.db')
    expect(stdout).toContain('index.db*')
    git(folder, ['rm', '-q', '--cached', '.specdex/index.db'])
    expect(run('doctor').code).toBe(0)
    const bytes = readFileSync(path.join(folder, '.specdex/index.db'))
    bytes.fill(0xa5, 4096, 16384)
    writeFileSync(path.join(folder, '.specdex/index.db'), bytes)
    expect(run('doctor').code).toBe(1)
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
    (words) => {
      run('index')
      const bytes = damage()
      const { code, stderr, stdout } = run(...words.split(' '))
      expect({ code, stdout: stdout !== '' }).toEqual({ code: 0, stdout: true })
      expect(stderr).toMatch(/damaged and is kept as .*index\.db\.corrupt-1/)
      expect(readFileSync(path.join(folder, '.specdex/index.db.corrupt-1')).equals(bytes)).toBe(true)
      expect(run('index', '--verify')).toMatchObject({ code: 0, stderr: '' })
    },
  )
})

describe('specdex snapshot', () => {
  it('copies the index to a new file and never over one', () => {
    run('index')
    expect(run('snapshot', 'copy.db')).toMatchObject({ code: 0, stdout: '' })
    expect(
      runCliSync(['sql', 'SELECT count(*) AS n FROM graph_node', '--db', 'copy.db', '--csv'], { cwd: folder }).stdout,
    ).toBe(runCliSync(['sql', 'SELECT count(*) AS n FROM graph_node', '--csv'], { cwd: folder }).stdout)
    expect(run('snapshot', 'copy.db').code).toBe(2)
    expect(run('snapshot', 'no/such/folder/copy.db').code).toBe(2)
  })
})

describe('specdex sql', () => {
  const ask = "SELECT id, title FROM graph_node WHERE kind = 'document' AND status IS NOT NULL ORDER BY id"

  it('answers as table, JSON and CSV', () => {
    expect(run('sql', ask).stdout).toMatchInlineSnapshot(`
      "id                      title
      ----------------------  -------------
      devdocs/house-rules.md  House rules
      docs/opening-hours.md   Opening hours
      "
    `)
    expect(json('sql', ask)).toEqual({
      schema_version: '1',
      columns: ['id', 'title'],
      rows: [
        { id: 'devdocs/house-rules.md', title: 'House rules' },
        { id: 'docs/opening-hours.md', title: 'Opening hours' },
      ],
      cut: false,
    })
    expect(run('sql', ask, '--csv').stdout.split('\r\n')[1]).toBe('devdocs/house-rules.md,House rules')
  })

  it('admits only one statement that reads', () => {
    run('index')
    const before = readFileSync(path.join(folder, '.specdex/index.db'))
    for (const statement of [
      'DELETE FROM key',
      'SELECT 1; SELECT 2',
      "VACUUM INTO 'stolen.db'",
      "ATTACH 'other.db' AS other",
      'PRAGMA user_version = 7',
      'CREATE TEMP TABLE t (x)',
      'SELEC 1',
    ]) {
      const { code, stdout, stderr } = run('sql', statement)
      expect({ code, stdout }, statement).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^error: /)
    }
    expect(existsSync(path.join(folder, 'stolen.db'))).toBe(false)
    expect(readFileSync(path.join(folder, '.specdex/index.db')).equals(before)).toBe(true)
  })

  it('stops at the time limit and says when it cut the rows', () => {
    run('index')
    writeFileSync(path.join(folder, '.specdex/config.yml'), 'limits: { sql_ms: 400 }\n')
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
    const stopped = run('sql', endless)
    expect(stopped).toMatchObject({ code: 2, stdout: '' })
    expect(stopped.stderr).toContain('400 ms')
    writeFileSync(path.join(folder, '.specdex/config.yml'), 'limits: { sql_rows: 3 }\n')
    const cut = run('sql', 'SELECT id FROM graph_node ORDER BY id', '--json')
    expect(cut.stderr).toContain('cut after 3 rows')
    expect(JSON.parse(cut.stdout)).toMatchObject({ cut: true, rows: { length: 3 } })
  })

  it('keeps columns of one name apart in JSON', () => {
    const { stdout } = run('sql', '--json', "SELECT 'rye' AS loaf, 'oat' AS loaf, 'spelt' AS loaf")
    expect(JSON.parse(stdout)).toMatchObject({
      columns: ['loaf', 'loaf:1', 'loaf:2'],
      rows: [{ loaf: 'rye', 'loaf:1': 'oat', 'loaf:2': 'spelt' }],
    })
  })

  it('prints the views with --schema, public ones first', () => {
    const { stdout } = run('sql', '--schema')
    expect(stdout.indexOf('graph_edge')).toBeGreaterThan(-1)
    expect(stdout.indexOf('graph_edge')).toBeLessThan(stdout.indexOf('CREATE TABLE'))
  })
})
