// A generated repository of decisions, specs and the code they govern, for the benchmark of the artifact graph: a harbour
// that wrote far too much down. Half ADRs, half specs, twice as many source files, of which six in ten name what governs
// them. The same numbers give the same bytes. It must not depend on src: it knows by itself what depends on what, so
// that answers can be checked. The surprise: edges reach back a few dozen numbers only, so chains are deep and the graph
// has no cycle, and no artifact has everything below it.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { randomFrom } from './corpus.mjs'

/**
 * @typedef {object} ArtifactCorpus
 * @property {string} folder
 * @property {number} artifacts
 * @property {number} sources
 * @property {number} edges as written
 * @property {string} queried id of an ADR with a fair number of dependents
 * @property {string} file path of that ADR
 * @property {string[]} sourceFiles in order
 * @property {number} ungoverned source files without a governing comment
 * @property {(id: string) => string[]} impact ids that depend on one, sorted
 * @property {(id: string) => string[]} ancestors ids that one depends on, sorted
 */

const PLACES = ['quay', 'lock', 'basin', 'crane', 'shed', 'tide', 'pilot', 'buoy', 'depot', 'ferry', 'mole', 'slip']
const DOINGS = ['number', 'log', 'weigh', 'count', 'book', 'tow', 'sound', 'light', 'paint', 'mark', 'clear', 'guard']
const THINGS = [
  'berths',
  'boats',
  'crates',
  'permits',
  'ropes',
  'tides',
  'signals',
  'fees',
  'shifts',
  'charts',
  'bells',
]
/** How far back an edge reaches, in numbers. */
const WINDOW = 40
const PER_FOLDER = 100
/** A file as a person would write it: [ending, how a comment starts, a line of code]. */
const LANGUAGES = [
  ['.ts', '//', 'export const berths = new Map<string, number>()'],
  ['.py', '#', 'berths = {}'],
  ['.go', '//', 'var berths = map[string]int{}'],
  ['.css', '/*', '.berth { margin: 0 }'],
]

function padded(number) {
  return String(number).padStart(4, '0')
}

/** Words that are no reference to anything, about so many bytes. */
function proseFrom(random) {
  const words = [...PLACES, ...DOINGS, ...THINGS, 'the', 'at', 'of', 'every', 'before', 'with', 'no', 'and', 'slowly']
  const pick = () => words[Math.floor(random() * words.length)]
  const lines = Array.from(
    { length: 1500 },
    () => `${Array.from({ length: 9 + Math.floor(random() * 5) }, pick).join(' ')}.`,
  )
  return (bytes) => {
    let at = Math.floor(random() * lines.length)
    let text = ''
    while (text.length < bytes) text += `${lines[at++ % lines.length]}\n`
    return text
  }
}

/**
 * Writes the corpus into `folder`, which must be empty or absent. At most 19,998 artifacts: ids have four digits.
 * @param {string} folder
 * @param {{ artifacts: number, seed?: number }} options
 * @returns {Promise<ArtifactCorpus>}
 */
export async function generateArtifacts(folder, { artifacts, seed = 7 }) {
  const random = randomFrom(seed)
  const prose = proseFrom(random)
  const half = Math.floor(artifacts / 2)
  const sources = artifacts * 2
  /** What each id depends on. @type {Map<string, Set<string>>} */
  const above = new Map()
  let edges = 0
  const depend = (down, up) => {
    edges++
    const ups = above.get(down)
    if (ups === undefined) above.set(down, new Set([up]))
    else ups.add(up)
  }
  const adr = (i) => `ADR-${padded(i)}`
  const spec = (i) => `SPEC-${padded(i)}`
  const title = (i) => {
    const [doing, thing, place] = [
      DOINGS[i % DOINGS.length],
      THINGS[i % THINGS.length],
      PLACES[(i * 7) % PLACES.length],
    ]
    return `${doing} ${thing} at the ${place}`
  }
  const slug = (i) => title(i).replaceAll(' ', '-')
  const earlier = (i) => Math.max(1, i - 1 - Math.floor(random() * WINDOW))
  const chance = (share) => random() < share

  const made = new Set()
  let count = 0
  const write = async (file, text) => {
    const dir = path.join(folder, path.posix.dirname(file))
    if (!made.has(dir)) {
      mkdirSync(dir, { recursive: true })
      made.add(dir)
    }
    writeFileSync(path.join(folder, file), text)
    // A signal is noticed in between.
    if (++count % 2000 === 0) await breathe()
  }
  const field = (name, ids) => (ids.length === 0 ? '' : `${name}: [${ids.join(', ')}]\n`)
  const body = (id, i, bytes) =>
    `# ${id}: ${title(i)}\n\n## Context\n\n${prose(bytes / 2)}\n## Decision\n\n${prose(bytes / 2)}`
  const adrFile = (i) => `docs/adrs/${adr(i)}-${slug(i)}.md`

  for (let i = 1; i <= half; i++) {
    const extend = i > 1 && chance(0.7) ? [adr(earlier(i))] : []
    const enable = i < half && chance(0.2) ? [adr(Math.min(half, i + 1 + Math.floor(random() * WINDOW)))] : []
    const govern = chance(0.3) ? [spec(i)] : []
    for (const id of extend) depend(adr(i), id)
    for (const id of enable) depend(id, adr(i))
    for (const id of govern) depend(id, adr(i))
    const fields = field('extends', extend) + field('enables', enable) + field('governs', govern)
    const matter = `---\nstatus: accepted\ndate: 2026-01-${padded(1 + (i % 28)).slice(2)}\n${fields}---\n\n`
    await write(adrFile(i), matter + body(adr(i), i, 2500))
  }
  for (let i = 1; i <= half; i++) {
    const implement = chance(0.9) ? [adr(i)] : []
    const require = i > 1 && chance(0.5) ? [spec(earlier(i))] : []
    for (const id of [...implement, ...require]) depend(spec(i), id)
    const matter = `---\nstatus: approved\n${field('implements', implement)}${field('requires', require)}---\n\n`
    await write(`docs/openspec/specs/${slug(i)}-${padded(i)}/spec.md`, matter + body(spec(i), i, 3500))
  }
  const sourceFiles = []
  let ungoverned = 0
  for (let i = 1; i <= sources; i++) {
    const [ending, opener, code] = LANGUAGES[i % LANGUAGES.length]
    const place = PLACES[Math.floor(i / PER_FOLDER) % PLACES.length]
    const file = `src/${place}-${padded(Math.floor(i / PER_FOLDER))}/${DOINGS[i % DOINGS.length]}_${padded(i)}${ending}`
    const ids = chance(0.6) ? [...new Set([spec(1 + (i % half)), ...(chance(0.3) ? [adr(1 + (i % half))] : [])])] : []
    for (const id of ids) depend(file, id)
    if (ids.length === 0) ungoverned++
    const close = opener === '/*' ? ' */' : ''
    const marker = ids.length === 0 ? '' : `${opener} Governing: ${ids.join(', ')}${close}\n`
    await write(file, marker + `${code}\n`.repeat(10 + Math.floor(random() * 40)))
    sourceFiles.push(file)
  }

  const below = inverted(above)
  // Of some in the middle the one with most on both sides.
  const middle = Math.floor(half / 2)
  const candidates = Array.from({ length: Math.min(100, middle) }, (_, i) => middle - i)
  const weight = (i) => Math.min(reached(below, adr(i)).length, 10 * reached(above, adr(i)).length)
  const chosen = candidates.reduce((best, i) => (weight(i) > weight(best) ? i : best))
  return {
    folder,
    artifacts: half * 2,
    sources,
    edges,
    queried: adr(chosen),
    file: adrFile(chosen),
    sourceFiles,
    ungoverned,
    impact: (id) => reached(below, id),
    ancestors: (id) => reached(above, id),
  }
}

/** @param {Map<string, Set<string>>} above */
function inverted(above) {
  const below = new Map()
  for (const [down, ups] of above) {
    for (const up of ups) {
      const downs = below.get(up)
      if (downs === undefined) below.set(up, new Set([down]))
      else downs.add(down)
    }
  }
  return below
}

/** @param {Map<string, Set<string>>} next @param {string} start */
function reached(next, start) {
  const found = new Set([start])
  // A set may grow while it is walked through.
  for (const id of found) for (const other of next.get(id) ?? []) found.add(other)
  found.delete(start)
  return [...found].sort()
}
