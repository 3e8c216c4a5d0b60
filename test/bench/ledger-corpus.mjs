// A generated harbour with a long memory, for the benchmark of the ledger: issues as GitHub returns them, one to a line,
// three annotations' worth of lessons on each, and the small repository that they cite. The same numbers give the same
// bytes. It must not depend on src: what a question finds is known from here. The surprise: words are drawn as in prose,
// a few in every third text and most hardly ever, because what a question costs depends on how common its words are.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { childEnvironment, commitCorpus, randomFrom } from './corpus.mjs'

/**
 * @typedef {object} LedgerCorpus
 * @property {string} folder the repository that is cited
 * @property {string} issues file with one issue to a line
 * @property {number} cards
 * @property {string} common three words that many lessons hold
 * @property {string} rare two words that few do
 * @property {string} file a cited path
 * @property {number} citing cards that cite it
 * @property {string} symbol a cited symbol
 * @property {number} queried number of the issue that is changed again and again
 * @property {(edit: number) => string} line that issue as GitHub returns it after so many edits
 */

export const REPO = 'harbour/long-memory'

const PLACES = ['quay', 'lock', 'basin', 'crane', 'shed', 'pilot', 'buoy', 'depot', 'ferry', 'mole', 'slip']
const DOINGS = ['number', 'weigh', 'count', 'book', 'tow', 'sound', 'light', 'paint', 'mark', 'clear', 'guard']
const THINGS = ['Berths', 'Boats', 'Crates', 'Permits', 'Ropes', 'Signals', 'Fees', 'Shifts', 'Charts', 'Bells']
/** Each of them stands in about every third lesson. */
const COMMON = ['harbourmaster', 'moorings', 'tideline']
/** Syllables of the rest of the words. */
const HEADS = ['ba', 'de', 'fo', 'gri', 'ka', 'lu', 'mer', 'nau', 'pol', 'ru', 'sel', 'tar', 'vo', 'wim', 'zu', 'chi']
const TAILS = ['ck', 'dle', 'ft', 'gan', 'ler', 'mp', 'nd', 'per', 'rst', 'sel', 'tch', 'ving', 'wen', 'x', 'ble', 'sk']
const WORDS = 8000
const CARDS_PER_ISSUE = 3
const CARDS_PER_FILE = 20
const PER_FOLDER = 100
/** Share of issues whose file is gone. */
const GONE = 0.1
const COMMITTED = '2026-01-01T06:00:00Z'
const START = Date.UTC(2026, 0, 2)
/** A year of issues. */
const SPAN = 360 * 86_400_000

function word(i) {
  const [a, b, c] = [i % 16, Math.floor(i / 16) % 16, Math.floor(i / 256) % 16]
  return `${HEADS[a]}${HEADS[b]}${HEADS[c]}${TAILS[(i >> 4) % 16]}${i < 4096 ? '' : TAILS[a]}`
}

const padded = (number) => String(number).padStart(5, '0')
const symbolOf = (i) => `${DOINGS[i % DOINGS.length]}${THINGS[Math.floor(i / 11) % THINGS.length]}${i}`
const fileOf = (i) =>
  `src/${PLACES[Math.floor(i / PER_FOLDER) % PLACES.length]}-${padded(Math.floor(i / PER_FOLDER))}/${DOINGS[i % DOINGS.length]}_${padded(i)}.ts`

/**
 * Writes the repository into `folder`, which must be empty or absent, commits it, and writes the issues beside it.
 * @param {string} folder
 * @param {{ cards: number, seed?: number }} options
 * @returns {Promise<LedgerCorpus>}
 */
export async function generateLedger(folder, { cards, seed = 11 }) {
  const random = randomFrom(seed)
  const files = Math.max(20, Math.round(cards / CARDS_PER_FILE))
  for (let i = 0; i < files; i++) {
    const file = path.join(folder, fileOf(i))
    mkdirSync(path.dirname(file), { recursive: true })
    const body = Array.from({ length: 12 }, (_, line) => `  const step${line} = ${i + line}\n`).join('')
    writeFileSync(
      file,
      `// Part ${i} of the harbour.\n\nexport function ${symbolOf(i)}() {\n${body}  return step0\n}\n`,
    )
    if (i % 2000 === 1999) await breathe()
  }

  await commitCorpus(folder)
  // History has to be older than what was written about it.
  const env = childEnvironment({ GIT_COMMITTER_DATE: COMMITTED })
  execFileSync('git', ['commit', '--amend', '--quiet', '--no-edit', '--no-verify', '--date', COMMITTED], {
    cwd: folder,
    env,
  })

  /** Rank r with a chance of about 1/r, like the words of any long text. */
  const drawn = () => word(Math.min(WORDS - 1, Math.floor(WORDS ** random()) - 1 + Math.floor(random() * 20)))
  const prose = (words) => {
    const text = Array.from({ length: words }, drawn)
    for (const common of COMMON) if (random() < 0.3) text.push(common)
    return `The ${text.join(' ')}.`
  }
  const chosen = Math.floor(files / 2)
  let citing = 0
  /** An issue with so many lessons; `pick` names its file. */
  const issue = (number, lessons, pick, extra = '') => {
    const at = new Date(START + Math.floor((SPAN * (number % 977)) / 977)).toISOString().replace('.000Z', 'Z')
    const gone = random() < GONE
    const cited = gone ? `src/gone/${padded(pick)}.ts` : fileOf(pick)
    if (!gone && pick === chosen) citing += lessons
    const by = { user: { login: 'pilot' }, author_association: 'MEMBER', created_at: at, updated_at: at }
    const investigation = [
      '<!-- FORGE:INVESTIGATOR -->',
      '**Verdict**: CONFIRMED',
      '**Confidence**: HIGH',
      '**Severity**: MEDIUM',
      '**Task Type**: Bug Fix',
      '',
      '### Root Cause',
      `In \`${cited}\` the function \`${symbolOf(pick)}\` fails. ${prose(38)} ${extra}`,
      '',
      '### Recommendation',
      prose(16),
      '',
      '### Affected Files',
      `- \`${cited}\``,
      ...(lessons < 2 ? [] : ['', '## Pattern Metadata:', `**Pattern**: ${prose(8)}`, `**Root Cause**: ${prose(24)}`]),
      ...(lessons < 2
        ? []
        : [`**Prevention**: ${prose(14)}`, `**Files**: \`${cited}\``, `**Symbols**: ${symbolOf(pick)}`]),
      '<!-- INVESTIGATION:COMPLETE -->',
    ].join('\n')
    const decision = `<!-- FORGE:TRAJECTORY -->\n**Decisions**: ${prose(30)}\n**Anomalies**: fog over \`${cited}\`\n`
    const comments = [investigation, ...(lessons < 3 ? [] : [decision])].map((body, i) => ({
      id: number * 4 + i,
      body,
      ...by,
    }))
    const head = { number, state: 'closed', title: `Berth ${number}`, body: prose(12), ...by }
    return `${JSON.stringify({ ...head, comments })}\n`
  }

  const count = Math.ceil(cards / CARDS_PER_ISSUE)
  const queried = Math.floor(count / 2)
  const lines = []
  for (let number = 1; number <= count; number++) {
    const lessons = Math.min(CARDS_PER_ISSUE, cards - CARDS_PER_ISSUE * (number - 1))
    // The chosen file belongs to the issue that is edited, so that it has an issue at least.
    const pick = number === queried ? chosen : Math.floor(random() * files)
    lines.push(issue(number, lessons, pick))
    if (number % 2000 === 0) await breathe()
  }
  const found = citing
  const issues = `${folder}.ndjson`
  writeFileSync(issues, lines.join(''))
  return {
    folder,
    issues,
    cards,
    common: COMMON.join(' '),
    rare: `${word(WORDS - 700)} ${word(WORDS - 1300)}`,
    file: fileOf(chosen),
    citing: found,
    symbol: symbolOf(chosen),
    queried,
    line: (edit) => {
      const value = JSON.parse(issue(queried, CARDS_PER_ISSUE, chosen, `Edit ${edit}.`))
      return `${JSON.stringify({ ...value, updated_at: new Date(START + SPAN + edit * 1000).toISOString() })}\n`
    },
  }
}
