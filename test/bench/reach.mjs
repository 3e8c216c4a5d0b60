// In process: how long the traversal of src takes over a million edges, against the same walk over a bare table of
// integers in the same run, and how fast rows go in. The graph has three regions of 10,000, 100,000 and 190,000 nodes;
// the last one leads into the other two, so one start for each size of answer is known. All edges are CONTAINS, the only
// type that leads from command to command: it counts only where both ends are declared, so every step has to ask.

import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { randomFrom } from './corpus.mjs'
import { loadStore } from './programs.mjs'

const REGIONS = [10_000, 100_000, 190_000]
const EDGES = 1_000_000

/** CPU milliseconds of `fn`, which must be synchronous. */
function cpuOf(fn) {
  const before = process.cpuUsage()
  const result = fn()
  const { user, system } = process.cpuUsage(before)
  return { result, ms: (user + system) / 1000 }
}

/** Edges `up → down`: in every region a random tree, so that its first node reaches all of it, and random ones. */
function makeEdges(random) {
  const up = []
  const down = []
  const add = (from, to) => {
    up.push(from)
    down.push(to)
  }
  const nodes = REGIONS.reduce((sum, size) => sum + size, 0)
  const starts = []
  let first = 0
  for (const size of REGIONS) {
    starts.push(first)
    for (let i = 1; i < size; i++) add(first + Math.floor(random() * i), first + i)
    const more = Math.floor(((EDGES - nodes) * size) / nodes)
    for (let i = 0; i < more; i++) add(first + Math.floor(random() * size), first + Math.floor(random() * size))
    first += size
  }
  const last = starts[starts.length - 1]
  for (const start of starts) if (start !== last) add(last, start)
  return { up, down, nodes, starts }
}

/** The order in which nodes get their ids: a region is a part of the tree and indexed together, in no order within. */
function indexingOrder(random) {
  let first = 0
  return REGIONS.flatMap((size) => {
    const order = Array.from({ length: size }, (_, i) => first + i)
    for (let i = size - 1; i > 0; i--) {
      const other = Math.floor(random() * (i + 1))
      ;[order[i], order[other]] = [order[other], order[i]]
    }
    first += size
    return order
  })
}

function textOf(i) {
  return `cmd:oven-${String(i % 3000).padStart(4, '0')}:step-${String(i).padStart(6, '0')}`
}

/**
 * @param {string} folder temporary
 * @param {number} rounds
 */
export async function benchReach(folder, rounds) {
  mkdirSync(folder, { recursive: true })
  const { openStore, Writer, impact, SPEC_RANGE, NEEDS_TARGET, KIND, EDGE } = await loadStore(folder)
  const open = (name) => openStore({ path: path.join(folder, name), isDefault: false }, { busyMs: 1000, create: true })
  const random = randomFrom(7)
  const graph = makeEdges(random)
  await breathe()

  const store = open('reach.db')
  const { lo, hi } = SPEC_RANGE.default
  fillGraph(store, graph, indexingOrder(random), KIND.command, [EDGE.containsCall, EDGE.containsDirectory])
  await breathe()
  const types = { lo, hi, nlo: NEEDS_TARGET.lo, nhi: NEEDS_TARGET.hi }
  const walks = []
  for (const start of graph.starts) {
    const times = []
    let reached = 0
    for (let round = 0; round < rounds; round++) {
      const { result, ms } = cpuOf(() => store.read(() => impact(store, types, textOf(start))))
      reached = result.length
      times.push(ms)
      await breathe()
    }
    walks.push({ reached, times })
  }
  const bare = bareWalk(store, graph.starts[graph.starts.length - 1], rounds)
  store.close()
  const inserts = [writerRate(open('writer.db'), Writer, KIND.command, EDGE.containsCall), bareRate(open('bare.db'))]
  return { edges: graph.up.length, nodes: graph.nodes, walks, bare, inserts }
}

function fillGraph(store, { up, down, nodes }, order, kind, types) {
  store.write(() => {
    const key = store.db.prepare('INSERT INTO key (id, text) VALUES (?, ?)')
    const node = store.db.prepare('INSERT INTO node (file, ord, key, kind, own) VALUES (?, 0, ?, ?, 1)')
    const ids = new Int32Array(nodes)
    order.forEach((i, id) => {
      ids[i] = id + 1
      key.run(id + 1, textOf(i))
      node.run(id + 1, id + 1, kind)
    })
    // The author is `down`: its file holds the fact, in the order of the file.
    const byFile = Array.from(up.keys()).sort((a, b) => ids[down[a]] - ids[down[b]])
    const edge = store.db.prepare('INSERT INTO edge (file, ord, up, down, type) VALUES (?, ?, ?, ?, ?)')
    byFile.forEach((i, ord) => {
      edge.run(ids[down[i]], ord, ids[up[i]], ids[down[i]], types[ord % types.length])
    })
    // What the floor walks: the same edges as two integers.
    store.db.exec('CREATE TABLE bare (up INTEGER, down INTEGER, PRIMARY KEY (up, down)) STRICT, WITHOUT ROWID')
    store.db.exec('INSERT OR IGNORE INTO bare SELECT up, down FROM edge ORDER BY up, down')
  })
}

function bareWalk(store, start, rounds) {
  const statement = store.db
    .prepare(
      `WITH RECURSIVE r(id) AS (
         SELECT id FROM key WHERE text = ? UNION SELECT b.down FROM r JOIN bare b ON b.up = r.id)
       SELECT count(*) FROM r`,
    )
    .pluck()
  const times = []
  let reached = 0
  for (let round = 0; round < rounds; round++) {
    const { result, ms } = cpuOf(() => statement.get(textOf(start)))
    reached = result - 1
    times.push(ms)
  }
  return { reached, times }
}

const WRITTEN_FILES = 30_000

/** Our writer: per file one row, three nodes, three edges; the keys between them. */
function writerRate(store, Writer, kind, type) {
  const id = (i) => `cmd:counter-${String(i % 300).padStart(4, '0')}:sale-${String(i).padStart(6, '0')}`
  const oid = Buffer.alloc(20, 7)
  const plain = { title: null, status: null, line: 3 }
  const facts = Array.from({ length: WRITTEN_FILES }, (_, i) => {
    const others = [id((i * 31) % WRITTEN_FILES), id((i * 17) % WRITTEN_FILES), id((i * 7) % WRITTEN_FILES)]
    return {
      nodes: [
        { id: id(i), kind, own: true, ...plain },
        ...others.slice(1).map((to) => ({ id: to, kind, own: false, ...plain })),
      ],
      edges: others.map((up) => ({ up, down: id(i), type, line: 3, note: null })),
      problems: [],
    }
  })
  const { result, ms } = cpuOf(() =>
    store.write(() => {
      const writer = new Writer(store)
      facts.forEach((each, i) => {
        const record = {
          key: `commands/${id(i).slice(4).replace(':', '/')}.md`,
          family: 1,
          size: 3600,
          stat: null,
          oid,
          state: 0,
        }
        writer.replaceFile(record, each)
      })
      return writer.finish()
    }),
  )
  store.close()
  const rows = result.file + result.node + result.edge + result.key
  return { label: 'the writer: files, nodes, edges, keys, with their indexes', rows, ms }
}

/** The floor: one prepared statement, one table of integers without another index, rows in order. */
function bareRate(store) {
  const rows = 300_000
  const { ms } = cpuOf(() =>
    store.write(() => {
      store.db.exec('CREATE TABLE bare (a INTEGER, b INTEGER, c INTEGER, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID')
      const statement = store.db.prepare('INSERT INTO bare VALUES (?, ?, ?)')
      for (let i = 0; i < rows; i++) statement.run(i >> 2, i & 3, i)
    }),
  )
  store.close()
  return { label: 'floor: one bare table of three integers', rows, ms }
}
