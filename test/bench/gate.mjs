// The gate of CI: fails only on gross regressions. A figure's CPU time is held against twice its reference, scaled by
// what `node -e 0` costs now and cost then, so that a slow machine is no regression. References are made on purpose
// (`--update-reference`) and committed; a row without one fails, because then nobody is watching it.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const FILE = path.join(import.meta.dirname, 'reference.json')
const FACTOR = 2

/** @typedef {Record<string, { cpu: number, floor: number }>} Reference */

/** @param {number} files @param {boolean} inGit @param {string} id */
function nameOf(files, inGit, id) {
  return `${files} ${inGit ? 'git' : 'walk'} ${id}`
}

/** @returns {Reference} */
export function readReference() {
  return JSON.parse(readFileSync(FILE, 'utf8')).rows
}

/**
 * CPU milliseconds above which the figure is a regression, or null where no reference is known.
 * @param {Reference} reference @param {number} files @param {boolean} inGit
 * @param {import('./measure.mjs').Figure} figure
 */
export function limitOf(reference, files, inGit, { id, floor }) {
  const known = reference[nameOf(files, inGit, id)]
  return known === undefined ? null : FACTOR * known.cpu * (floor / known.floor)
}

/**
 * What is wrong with the figures of one corpus.
 * @param {Reference} reference @param {number} files @param {boolean} inGit
 * @param {import('./measure.mjs').Figure[]} figures
 * @returns {string[]}
 */
export function regressions(reference, files, inGit, figures) {
  return figures.flatMap((figure) => {
    const { id, cpu, floor } = figure
    const limit = limitOf(reference, files, inGit, figure)
    const name = nameOf(files, inGit, id)
    if (limit === null) return [`${name}: no reference; run with --update-reference, commit test/bench/reference.json`]
    if (cpu <= limit) return []
    return [
      `${name}: ${cpu} ms of CPU, limit ${Math.round(limit)} (${FACTOR} × the reference; \`node -e 0\` ${floor} ms)`,
    ]
  })
}

/**
 * Writes the references anew.
 * @param {{ files: number, inGit: boolean, figures: import('./measure.mjs').Figure[] }[]} results
 */
export function writeReference(results) {
  const rows = {}
  for (const { files, inGit, figures } of results) {
    for (const { id, cpu, floor } of figures) rows[nameOf(files, inGit, id)] = { cpu, floor }
  }
  const about = 'CPU milliseconds, and those of `node -e 0` in the same minutes; by bench.mjs --update-reference'
  writeFileSync(FILE, `${JSON.stringify({ about, rows }, null, 2)}\n`)
}
